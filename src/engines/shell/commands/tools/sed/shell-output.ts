/**
 * What a shell command prints: runs `sh -c` in a child with its standard output on a pipe, reads that to the end.
 */
import { type Process, type Running, toText } from '../../../kernel/index.js';

/** Runs a command line with `/bin/sh` and gives its standard output. */
export function* shellOutput(proc: Process, command: string): Running<string> {
  const [read, write] = proc.pipe();
  const child = proc.fork(function* (forked) {
    forked.dup2(write, 1);
    forked.close(read);
    forked.close(write);
    return yield* forked.exec('/bin/sh', ['sh', '-c', command]);
  });
  proc.close(write);
  const bytes = yield* proc.readAll(read);
  proc.close(read);
  yield* proc.wait({ pid: child.pid });
  return toText(bytes);
}
