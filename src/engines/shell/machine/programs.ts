/**
 * The programs behind the binaries of a machine: commands, the interpreter under its names, and unknown ones.
 */

import { unknownProgram } from '../commands/program/unknown-program.js';
import { COMMAND_PROGRAMS } from '../commands/table.js';
import { bashProgram, shProgram } from '../interpreter/bash.js';
import type { Program } from '../kernel/index.js';
import { daemonByHand } from '../services/daemon.js';

const interpreters = new Map<string, Program>([
  ['bash', bashProgram],
  ['sh', shProgram],
]);

/** Binaries of services are named so. */
const DAEMON = 'daemon:';

/** Other names of programs, as further packages bring them. */
const ALIASES: Readonly<Record<string, string>> = { python: 'python3', nodejs: 'node' };

/** The program of a name. */
export function programs(name: string): Program {
  if (name.startsWith(DAEMON)) return daemonByHand(name.slice(DAEMON.length));
  return COMMAND_PROGRAMS.get(ALIASES[name] ?? name) ?? interpreters.get(name) ?? unknownProgram(name);
}
