/**
 * Commands that a world's user ran before the world starts: histories of git, links, archives.
 *
 * They run one after the other in one shell, an hour before the clock's start, once per specification. Raises
 * `engine/bad-spec` for a command that fails.
 */
import { EngineError } from '../../../core/index.js';
import type { Program } from '../kernel/index.js';
import { runProgram } from './capture.js';
import type { Machine } from './machine.js';

/** Simulated time that the whole setup may take. */
const SETUP_MS = 3_500_000;

/** Runs a setup; what it leaves are the machine's files. */
export function runSetup(machine: Machine, commands: readonly string[]): void {
  const program: Program = function* (proc) {
    return yield* proc.exec('/bin/bash', ['bash', '-e', '-c', commands.join('\n')]);
  };
  const { exitCode, isCut, merged } = runProgram(machine, {
    program,
    argv: ['bash'],
    limits: { maxMs: SETUP_MS },
  });
  if (exitCode === 0 && !isCut) return;
  const last = merged.trimEnd().split('\n').pop() ?? '';
  throw new EngineError(`the commands of \`setup\` ended with status ${exitCode}: ${last}`, {
    code: 'engine/bad-spec',
  });
}
