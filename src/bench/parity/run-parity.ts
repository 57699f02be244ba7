/**
 * Runs cases of shell parity on a shell, one after the other, each in a fresh copy of its setup.
 *
 * The shell comes from outside as a function, so that the engine's, a recording's and a test's are measured alike.
 */
import type { ParityCase, ParitySetup } from './parity-case.js';
import type { TriedCase } from './parity-score.js';

/** What a shell did with a command; `merged` is both outputs in the order they were written. */
export interface ShellOutcome {
  readonly stdout: string;
  readonly stderr: string;
  readonly merged: string;
  readonly exitCode: number;
  /** Why there is no true outcome (the shell abstained or reached a limit); such a case agrees in no measure. */
  readonly failed?: string;
}

/** Runs `bash -c COMMAND` in a fresh setup with an empty standard input. */
export type ShellRunner = (setup: ParitySetup, command: string) => ShellOutcome | Promise<ShellOutcome>;

/** Tries every case. A runner that throws makes that case failed with the error's message; the others go on. */
export async function runParity(
  cases: readonly ParityCase[],
  setups: ReadonlyMap<string, ParitySetup>,
  run: ShellRunner,
): Promise<readonly TriedCase[]> {
  const tried: TriedCase[] = [];
  for (const one of cases) {
    const setup = setups.get(one.setup);
    if (setup === undefined) continue;
    tried.push({ case: one, outcome: await outcomeOf(setup, one.command, run) });
  }
  return tried;
}

async function outcomeOf(setup: ParitySetup, command: string, run: ShellRunner): Promise<ShellOutcome> {
  try {
    return await run(setup, command);
  } catch (error) {
    const failed = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
    return { stdout: '', stderr: '', merged: '', exitCode: -1, failed };
  }
}
