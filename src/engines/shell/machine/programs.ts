/**
 * The programs behind the binaries of a machine: commands, the interpreter under its names, and unknown ones.
 */

import { unknownProgram } from '../commands/program/unknown-program.js';
import { COMMAND_PROGRAMS } from '../commands/table.js';
import { bashProgram, shProgram } from '../interpreter/bash.js';
import type { Program } from '../kernel/index.js';

const interpreters = new Map<string, Program>([
  ['bash', bashProgram],
  ['sh', shProgram],
]);

/** The program of a name. */
export function programs(name: string): Program {
  return COMMAND_PROGRAMS.get(name) ?? interpreters.get(name) ?? unknownProgram(name);
}
