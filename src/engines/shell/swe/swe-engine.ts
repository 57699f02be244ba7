/**
 * The swe engine: worlds of coding agents behind the engine port, on the shell engine's machine.
 */
import {
  type Engine,
  EngineError,
  type EngineSession,
  isJsonObject,
  parseJson,
} from '../../../core/index.js';
import { HARNESSES } from '../../../domains/index.js';
import { momentOf, startMoments } from '../session/shell-engine.js';
import { checksum } from '../session/snapshot.js';
import { SweSession } from './swe-session.js';
import { type SweSpec, type SweState, startState } from './swe-state.js';

/** Makes the engine. `open` raises `engine/bad-spec`, `restore` also `engine/bad-snapshot`. */
export function createSweEngine(): Engine<SweSpec> {
  const start = startMoments();
  return {
    name: 'swe',
    open: (spec, seed): EngineSession => {
      if (!HARNESSES.includes(spec.harness))
        throw new EngineError(
          `the harness '${spec.harness}' is not computed; wanted one of ${HARNESSES.join(', ')}`,
          {
            code: 'engine/bad-spec',
          },
        );
      return new SweSession(spec, start(spec.machine, seed), startState(spec));
    },
    restore: (spec, seed, snapshot): EngineSession => {
      const { state, rest } = readHead(spec, snapshot);
      return new SweSession(spec, momentOf(start(spec.machine, seed), rest), state);
    },
  };
}

const NEWLINE = 10;

function readHead(spec: SweSpec, bytes: Uint8Array): { readonly state: SweState; readonly rest: Uint8Array } {
  const first = bytes.indexOf(NEWLINE);
  const second = first < 0 ? -1 : bytes.indexOf(NEWLINE, first + 1);
  const text = (from: number, to: number): string => new TextDecoder().decode(bytes.subarray(from, to));
  const header = parseJson(first < 0 ? '' : text(0, first));
  const body = second < 0 ? '' : text(first + 1, second);
  const state = parseJson(body);
  const isGood =
    header.ok &&
    isJsonObject(header.value) &&
    header.value.format === 'umwelt-swe' &&
    header.value.version === 1 &&
    header.value.harness === spec.harness &&
    header.value.checksum === checksum(body) &&
    state.ok &&
    isJsonObject(state.value);
  if (!isGood)
    throw new EngineError(`the snapshot cannot be restored: it is none of a swe world of ${spec.harness}`, {
      code: 'engine/bad-snapshot',
    });
  return { state: state.value as unknown as SweState, rest: bytes.subarray(second + 1) };
}
