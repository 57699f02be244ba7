/**
 * Who owns the terminal: the process group that reads it and gets its signals.
 */
import { SystemError } from '../../kernel/index.js';
import type { Shell } from '../shell.js';

/** Gives the terminal of the shell to a process group; nothing happens where there is none. */
export function takeTerminal(shell: Shell, pgid: number): void {
  const fd = [0, 2, 1].find((one) => shell.process.isatty(one));
  if (fd === undefined) return;
  try {
    shell.process.tcsetpgrp(fd, pgid);
  } catch (error) {
    if (!(error instanceof SystemError)) throw error;
  }
}
