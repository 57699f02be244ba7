/**
 * Scripts that were recorded in a real bash 5.2.15, run here again: output (both streams in their order) and status.
 */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import type { Program } from '../kernel/index.js';
import { DEFAULT_SPEC, openMachine, runProgram } from '../machine/index.js';
import { bashProgram } from './bash.js';

interface Recorded {
  readonly mode: 'c' | 'script' | 'stdin';
  readonly script: string;
  readonly output: string;
  readonly status: number;
}

const file = new URL('../../../../test/fixtures/bash/cases.jsonl', import.meta.url);
const cases = readFileSync(file, 'utf8')
  .split('\n')
  .filter((line) => line !== '')
  .map((line) => JSON.parse(line) as Recorded);

/** The shell with the environment that the scripts were recorded in. */
const recordedShell: Program = function* (proc) {
  const home = '/home/user';
  proc.env = new Map(Object.entries({ HOME: home, PATH: '/usr/bin:/bin', LANG: 'C.UTF-8', PWD: home }));
  return yield* bashProgram(proc);
};

function replay({ mode, script }: Recorded): { output: string; status: number } {
  const content = new TextEncoder().encode(script);
  const files = mode === 'script' ? [{ path: '/home/user/s.sh', content }] : [];
  const argv = mode === 'c' ? ['bash', '-c', script] : mode === 'script' ? ['bash', 's.sh'] : ['bash'];
  const limits = mode === 'stdin' ? { stdin: content } : {};
  const result = runProgram(openMachine({ ...DEFAULT_SPEC, files }, 1), {
    program: recordedShell,
    argv,
    limits,
  });
  expect(result.crashes).toEqual([]);
  return { output: result.merged, status: result.exitCode };
}

test('scripts print and end as they did in a real bash', () => {
  const differing = cases.flatMap((recorded) => {
    const { output, status } = replay(recorded);
    const same = output === recorded.output && status === recorded.status;
    return same
      ? []
      : [
          {
            script: recorded.script,
            real: recorded.output,
            here: output,
            statuses: [recorded.status, status],
          },
        ];
  });
  expect(differing).toEqual([]);
});
