/**
 * What ends a command early inside expansion and assignment, and the wish for the output of a command.
 *
 * These are thrown between the expander and the place that runs commands, and never leave the interpreter.
 */
import type { CommandPart, ProcessPart } from '../syntax/word-parts.js';

/**
 * An expansion or assignment that failed. `discard` drops the commands up to the end of the line that was read;
 * `exit` ends a shell that is not interactive; `command` fails this command only.
 */
export class ShellFailure extends Error {
  override readonly name = 'ShellFailure';

  constructor(
    message: string,
    readonly effect: 'discard' | 'exit' | 'command' = 'discard',
    readonly status = 1,
  ) {
    super(message);
  }
}

/** An expansion needs the output of a command first; it is started again when that is there. */
export class NeedOutput {
  constructor(readonly part: CommandPart | ProcessPart) {}
}
