/**
 * Every command of the machine, by name.
 *
 * Lists that grow apart; a name in two is an error of ours.
 */
import { type Command, commandProgram, type Program } from '../kernel/index.js';
import { CORE_COMMANDS } from './core/commands.js';
import { GUEST_COMMANDS } from './guests/commands.js';
import { PIP_COMMANDS } from './packages/pip.js';
import { MACHINE_COMMANDS } from './systemd/commands.js';
import { TOOL_COMMANDS } from './tools/commands.js';

/** All commands. */
export const COMMANDS: readonly Command[] = [
  ...CORE_COMMANDS,
  ...TOOL_COMMANDS,
  ...GUEST_COMMANDS,
  ...PIP_COMMANDS,
  ...MACHINE_COMMANDS,
];

/** The programs behind the binaries, by name. */
export const COMMAND_PROGRAMS: ReadonlyMap<string, Program> = new Map(
  COMMANDS.map((command) => [command.name, commandProgram(command)]),
);
