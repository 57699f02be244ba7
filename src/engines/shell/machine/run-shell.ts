/**
 * One command line in a fresh machine, as `bash -c COMMAND` with an empty standard input.
 */
import { type Captured, type CaptureLimits, runProgram } from './capture.js';
import { openMachine } from './machine.js';
import type { MachineSpec } from './machine-spec.js';
import { programs } from './programs.js';

/** Runs a command line to its end; the seed decides chance. Nothing that the command says is run by the host. */
export function runShell(
  spec: MachineSpec,
  command: string,
  { seed = 1, limits }: { readonly seed?: number; readonly limits?: CaptureLimits } = {},
): Captured {
  const program = programs('bash');
  if (program === undefined) throw new Error('the machine has no bash');
  const argv = ['bash', '-c', command];
  return runProgram(openMachine(spec, seed), { program, argv, ...(limits !== undefined && { limits }) });
}
