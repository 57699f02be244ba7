/**
 * Sessions at a keyboard that were recorded in a real bash in a real terminal, typed again here: every screen is the same.
 */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { terminalFormat } from '../../../domains/index.js';
import { drive } from '../../engine.contract.js';
import { DEFAULT_SPEC, type MachineSpec } from '../machine/index.js';
import { createShellEngine } from './shell-engine.js';

interface Recorded {
  readonly id: string;
  readonly files: Readonly<Record<string, string>>;
  readonly turns: readonly {
    readonly action: readonly { readonly keystrokes: string; readonly duration: number }[];
    readonly screen: string;
  }[];
}

const file = new URL('../../../../test/fixtures/keystrokes/sessions.jsonl', import.meta.url);
const sessions = readFileSync(file, 'utf8')
  .split('\n')
  .filter((line) => line !== '')
  .map((line) => JSON.parse(line) as Recorded);
const engine = createShellEngine();

/** Every screen of a recorded session, as the engine gives it. */
function typed({ files, turns }: Recorded): readonly string[] {
  const spec: MachineSpec = {
    ...DEFAULT_SPEC,
    hostname: 'host',
    files: Object.entries(files).map(([name, text]) => ({
      path: `/home/user/${name}`,
      content: new TextEncoder().encode(text),
      ...(text.startsWith('#!') && { mode: 0o755 }),
    })),
  };
  const session = engine.open(spec, 1);
  let nowMs = DEFAULT_SPEC.startMs;
  return turns.map(({ action }, index) => {
    const parsed = terminalFormat.parseAction(JSON.stringify(action));
    const { answer, durationMs } = drive(session, parsed, { nowMs, turn: index + 1 });
    nowMs += durationMs;
    return answer?.text.text ?? '(nothing)';
  });
}

test.each(sessions.map((one): [string, Recorded] => [one.id, one]))(
  '%s shows what a real terminal showed',
  (_id, one) => {
    expect(typed(one)).toEqual(one.turns.map(({ screen }) => screen));
  },
);
