/**
 * The kernel of the shell engine: a small Unix in synchronous generators. This file is its guide and its door.
 *
 * ## How to write a command
 * A command is data: `{ name: 'echo', path: '/usr/bin/echo', run: function* (proc, io) { … return 0; } }`, in a list of
 * `commands/core/*.ts` or `commands/tools/*.ts`, which `commands/table.ts` joins. Its binary appears in the base image
 * by itself; the shell finds it through PATH. `proc.argv` holds name and arguments, `proc.env` the environment.
 *
 * - **Output**: `io.out(text or bytes)` and `io.err(…)`; they never wait and are buffered as C's stdio is. `io.error(msg)`
 *   is GNU's `error()`: flushes stdout, then `NAME: msg` on stderr. What you do not `io.out` but write raw (as `cat` does):
 *   `yield* proc.write(1, bytes)`.
 * - **Lines**: `const input = io.lines(fd); for (;;) { const line = yield* input.line(); if (line === null) break; … }`.
 *   `input.endedWithSeparator` tells whether the last line had its newline. `lineBytes()` gives bytes. Whole files:
 *   `yield* proc.readFile(path)`, `readText(path)`, `readAll(fd)`; blocks: `yield* proc.read(fd, max)` (empty = end).
 * - **Text** is UTF-8 without loss: an invalid byte is the lone surrogate U+DC00 + byte (`toText`, `toBytes`).
 * - **Loops that only compute or print** must let others run: `if (io.mustDrain) yield* io.drain();` once per round, and
 *   `proc.tick(n)` where a round costs more than a microsecond. Readers of lines do this by themselves.
 * - **Errors**: system calls throw `SystemError` with `code` (`ENOENT`), `text` (strerror) and `path`:
 *   `try { … } catch (error) { if (!(error instanceof SystemError)) throw error; io.error(`cannot access …: ${error.text}`); }`.
 *   One that you do not catch becomes `NAME: PATH: text`, status 1. `throw new Exit(2)` leaves from anywhere.
 * - **Status**: the generator's return value.
 * - **Files**: `stat lstat fstat exists access readdir readlink realpath getcwd chdir mkdir rmdir unlink link symlink mkfifo
 *   rename chmod chown utimes truncate ftruncate mountOf mounts` are plain; `open read write` are generators (`yield*`).
 *   Inodes are read only for you. Times are microseconds since 1970; `proc.now()` is the clock.
 * - **Processes**: `proc.fork(body)` gives the child; in a child `yield* child.exec(path, argv, env)`; `yield*
 *   proc.wait({pid})`; `yield* proc.kill(pid, SIG.TERM)`; `yield* proc.sleep(us)`; `proc.onSignal(…)`.
 *   `runCommand` below runs a program found through PATH and waits for it (xargs, find -exec, timeout, env).
 *
 * - **Terminal**: `isatty tcgetpgrp tcsetpgrp tcgetattr tcsetattr windowSize`; `/dev/tty` is the controlling one. A shell that
 *   edits lines itself switches `icanon`, `echo` and `isig` off while it reads, and sets `proc.checkpoint` (`checkpoint.ts`).
 *
 * Everything random comes from `proc.random()`; nothing may read the host's clock, chance or files.
 */
export { joinBytes, toBytes, toText } from './byte-text.js';
export type { Checkpoint } from './checkpoint.js';
export { type Command, commandProgram, Exit } from './command.js';
export { DEVICES, FIRST_PTS } from './device.js';
export { type ErrorCode, errno, MissingProgram, SystemError, strerror } from './errors.js';
export { programContent, programName } from './exec.js';
export type { OpenFlags } from './file-calls.js';
export type { DirectoryEntry } from './file-system.js';
export type { FileKind, Inode } from './inode.js';
export { blocksOf, modeOf, sizeOf } from './inode-facts.js';
export { Io, LineReader } from './io.js';
export { Kernel } from './kernel.js';
export type { Mount } from './mount.js';
export { isLocal } from './network.js';
export { type ChildEvent, type Disposition, type ExitStatus, type Process, shellStatus } from './process.js';
export { execOrScript, findInPath, runCommand } from './run-command.js';
export { SIG, SIGNALS, signalName, signalText } from './signals.js';
export { SmallFileReader } from './small-file.js';
export { Socket, type SocketAddress, type SocketFamily } from './socket.js';
export {
  acceptSocket,
  bindSocket,
  connectSocket,
  listenSocket,
  openSocket,
  receive,
  socketOf,
  socketPair,
  writeSome,
} from './socket-calls.js';
export { OpenTerminal, Terminal, type TerminalState } from './terminal.js';
export { CONTROL, COOKED, type TerminalSettings } from './terminal-settings.js';
export { type Program, type Running, type Wait, WaitQueue, type WaitReply } from './wait.js';
