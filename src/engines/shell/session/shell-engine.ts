/**
 * The shell engine: terminal worlds behind the engine port.
 *
 * The first moment of a world (files laid, shell at its first prompt) is made once per specification and seed.
 */
import type { Engine, EngineSession } from '../../../core/index.js';
import { EngineError } from '../../../core/index.js';
import { SystemError } from '../kernel/index.js';
import type { MachineSpec } from '../machine/machine-spec.js';
import { type LoggedEvent, Moment } from './moment.js';
import { replay } from './perform.js';
import { ShellSession } from './shell-session.js';
import { decodeMoment } from './snapshot.js';

/** Starts of one world that are kept. */
const KEPT_STARTS = 16;

/** The first moments of worlds, made once per specification and seed. Raises `engine/bad-spec`. */
export function startMoments(): (spec: MachineSpec, seed: number) => Moment {
  const starts = new WeakMap<MachineSpec, Map<number, Moment>>();
  return (spec, seed) => {
    const known = starts.get(spec) ?? new Map<number, Moment>();
    starts.set(spec, known);
    let moment = known.get(seed);
    if (moment === undefined) {
      moment = startOf(spec, seed);
      if (known.size >= KEPT_STARTS) known.clear();
      known.set(seed, moment);
    }
    return moment;
  };
}

/** The moment of a snapshot. Raises `engine/bad-snapshot`. */
export function momentOf(start: Moment, snapshot: Uint8Array): Moment {
  return decodeMoment(start, snapshot, replayed);
}

/** Makes the engine. `open` raises `engine/bad-spec`, `restore` also `engine/bad-snapshot`. */
export function createShellEngine(): Engine<MachineSpec> {
  const start = startMoments();
  return {
    name: 'shell',
    open: (spec, seed): EngineSession => new ShellSession(start(spec, seed)),
    restore: (spec, seed, snapshot): EngineSession => new ShellSession(momentOf(start(spec, seed), snapshot)),
  };
}

function startOf(spec: MachineSpec, seed: number): Moment {
  try {
    return Moment.start(spec, seed);
  } catch (error) {
    if (!(error instanceof SystemError)) throw error;
    throw new EngineError(`the machine cannot be set up: ${error.message}`, {
      code: 'engine/bad-spec',
      cause: error,
    });
  }
}

/** The moment after logged events. */
function replayed(base: Moment, events: readonly LoggedEvent[]): Moment {
  let moment = base;
  for (const logged of events) {
    const live = moment.take(replay);
    replay(live, logged);
    moment = moment.next(live, logged);
  }
  return moment;
}
