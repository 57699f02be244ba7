/**
 * The programs behind the binaries of a machine: commands, and the interpreter under its names.
 */
import { COMMAND_PROGRAMS } from '../commands/table.js';
import { bashProgram, shProgram } from '../interpreter/bash.js';
import type { Program } from '../kernel/index.js';

const interpreters = new Map<string, Program>([
  ['bash', bashProgram],
  ['sh', shProgram],
]);

/** The program of a name, or undefined. */
export function programs(name: string): Program | undefined {
  return COMMAND_PROGRAMS.get(name) ?? interpreters.get(name);
}
