/**
 * What a shell command prints: runs `sh -c` in a child with its standard output on a pipe, reads that to the end.
 */
import { type Process, type Running, toText } from '../../../kernel/index.js';

/** Runs a command line with `/bin/sh` and gives its standard output. */
export function* shellOutput(process: Process, command: string): Running<string> {
  const [read, write] = process.pipe();
  const child = process.fork(function* (forked) {
    forked.dup2(write, 1);
    forked.close(read);
    forked.close(write);
    return yield* forked.exec('/bin/sh', ['sh', '-c', command]);
  });
  process.close(write);
  const bytes = yield* process.readAll(read);
  process.close(read);
  yield* process.wait({ pid: child.pid });
  return toText(bytes);
}
