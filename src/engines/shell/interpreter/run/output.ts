/**
 * Writing what builtins and messages have queued, in order.
 */
import { type Running, SystemError } from '../../kernel/index.js';
import type { Shell } from '../shell.js';

/** Writes everything that is queued; the first error of standard output, if there was one. */
export function* flushOutput(shell: Shell): Running<SystemError | undefined> {
  let failure: SystemError | undefined;
  while (shell.pending.length > 0) {
    const { pending } = shell;
    shell.pending = [];
    for (const { fd, text } of pending) {
      try {
        yield* shell.process.write(fd, text);
      } catch (error) {
        if (!(error instanceof SystemError)) throw error;
        if (fd === 1) failure ??= error;
      }
    }
  }
  return failure;
}
