/**
 * System calls of a guest that may wait: reading, writing, sleeping, children, signals.
 */
import { isJsonObject, type Json, type JsonObject } from '../../../../core/index.js';
import {
  errno,
  type Process,
  type Running,
  SIG,
  Socket,
  SystemError,
  writeSome,
} from '../../kernel/index.js';
import { PipeEnd } from '../../kernel/pipe.js';
import { FILE_CALLS, type Given, openFile } from './guest-files.js';
import { SOCKET_CALLS, socketCall } from './guest-sockets.js';

const POLL_IN = 1;
const POLL_OUT = 4;
const POLL_ERROR = 8;
const POLL_HANGUP = 16;
const POLL_INVALID = 32;

/** Carries out a call. Raises what the system raises, `ENOSYS` for a name that is none. */
export function* carryOut(
  proc: Process,
  {
    call,
    args,
    bytes,
  }: { readonly call: string; readonly args: readonly Json[]; readonly bytes?: Uint8Array },
): Running<Given> {
  const simple = FILE_CALLS[call] ?? SOCKET_CALLS[call];
  if (simple !== undefined) return simple(proc, args, bytes ?? new Uint8Array(0));
  switch (call) {
    case 'open':
      return { value: yield* openFile(proc, args) };
    case 'read':
      return { bytes: yield* proc.read(Number(args[0]), Math.max(1, Number(args[1]))) };
    case 'write':
      return { value: yield* writeSome(proc, Number(args[0]), bytes ?? new Uint8Array(0)) };
    case 'poll':
      return { value: yield* poll(proc, args) };
    case 'sleep':
      yield* proc.sleep(Number(args[0]));
      return undefined;
    case 'spawn':
      return { value: spawn(proc, isJsonObject(args[0]) ? args[0] : {}) };
    case 'wait':
      return { value: yield* waitFor(proc, Number(args[0]), Number(args[1])) };
    case 'kill':
      yield* proc.kill(Number(args[0]), Number(args[1]));
      return undefined;
    default: {
      const given = yield* socketCall(proc, call, args);
      if (given === null) throw new SystemError('ENOSYS');
      return given;
    }
  }
}

function* poll(proc: Process, [asked, timeout, isThread]: readonly Json[]): Running<Json> {
  const fds = (asked as readonly (readonly [number, number])[]).map(([fd, events]) => ({ fd, events }));
  const waitsForOthers = ({ fd }: { readonly fd: number }): boolean => {
    const file = proc.isOpen(fd) ? proc.file(fd) : null;
    return file instanceof Socket && file.state === 'listening';
  };
  if (isThread === true && fds.some(waitsForOthers)) return 'threads that wait for one another';
  const look = (): number[] =>
    fds.map(({ fd, events }) => {
      if (fd < 0) return 0;
      if (!proc.isOpen(fd)) return POLL_INVALID;
      const file = proc.file(fd);
      if (file instanceof Socket) return socketEvents(file, events);
      const hasInput = (events & POLL_IN) !== 0 && file.mode.read && file.hasInput();
      const isOver = hasInput && file instanceof PipeEnd && file.isDrained;
      const hasRoom = (events & POLL_OUT) !== 0 && file.mode.write && file.hasRoom();
      return (isOver ? POLL_HANGUP : hasInput ? POLL_IN : 0) | (hasRoom ? POLL_OUT : 0);
    });
  const untilUs = Number(timeout) < 0 ? undefined : proc.now() + Number(timeout) * 1000;
  for (;;) {
    const found = look();
    if (found.some((events) => events !== 0) || (untilUs !== undefined && proc.now() >= untilUs))
      return found;
    const queues = fds
      .filter(({ fd }) => fd >= 0 && proc.isOpen(fd))
      .flatMap(({ fd, events }) => {
        const { readable, writable } = proc.file(fd);
        return (events & POLL_OUT) === 0 ? [readable] : [readable, writable];
      });
    yield* proc.block(queues, untilUs);
  }
}

function socketEvents(socket: Socket, events: number): number {
  return (
    ((events & POLL_IN) !== 0 && socket.hasInput() ? POLL_IN : 0) |
    ((events & POLL_OUT) !== 0 && socket.hasRoom() ? POLL_OUT : 0) |
    (socket.error === null ? 0 : POLL_ERROR) |
    (socket.isOver ? POLL_HANGUP : 0)
  );
}

/** Starts a program as `subprocess` does: descriptors are laid, what fails is told through a pipe. */
function spawn(proc: Process, spec: JsonObject): number {
  const list = (value: Json | undefined): string[] => (Array.isArray(value) ? value.map(String) : []);
  const fds = Array.isArray(spec.fds) ? spec.fds.map(Number) : [];
  const keep = new Set(Array.isArray(spec.keep) ? spec.keep.map(Number) : []);
  const errorFd = typeof spec.error === 'number' ? spec.error : -1;
  const env = spec.env === null || spec.env === undefined ? proc.env : environment(list(spec.env));
  const child = proc.fork(
    function* (forked) {
      for (const signal of [SIG.PIPE, SIG.INT]) forked.onSignal(signal, 'default');
      fds.forEach((fd, to) => {
        if (fd >= 0 && fd !== to) forked.dup2(fd, to);
        const own = forked.descriptors[to];
        if (fd === to && own !== undefined) own.closeOnExec = false;
      });
      const tell = function* (error: unknown, hint: string): Running<number> {
        if (!(error instanceof SystemError)) throw error;
        if (errorFd >= 0) yield* forked.write(errorFd, `OSError:${errno(error.code).toString(16)}:${hint}`);
        return 255;
      };
      if (typeof spec.cwd === 'string') {
        try {
          forked.chdir(spec.cwd);
        } catch (error) {
          return yield* tell(error, 'noexec');
        }
      }
      if (spec.session === true) forked.setsid();
      if (spec.close === true) {
        forked.descriptors.forEach((one, fd) => {
          if (one !== undefined && fd > 2 && fd !== errorFd && !keep.has(fd)) forked.close(fd);
        });
      }
      for (const fd of keep) {
        const one = forked.descriptors[fd];
        if (one !== undefined) one.closeOnExec = false;
      }
      let failure: unknown = new SystemError('ENOENT');
      for (const path of list(spec.paths)) {
        try {
          return yield* forked.exec(path, list(spec.args), env);
        } catch (error) {
          if (!(error instanceof SystemError)) throw error;
          if (error.code !== 'ENOENT' && error.code !== 'ENOTDIR') failure = error;
        }
      }
      return yield* tell(failure, '');
    },
    typeof spec.group === 'number' && spec.group >= 0 ? { pgid: spec.group } : {},
  );
  return child.pid;
}

function environment(lines: readonly string[]): ReadonlyMap<string, string> {
  return new Map(
    lines.map((line): [string, string] => {
      const at = line.indexOf('=');
      return [line.slice(0, at), line.slice(at + 1)];
    }),
  );
}

/** `waitpid`: the child and its status as `wait.h` encodes it; 0 where nothing happened and it shall not wait. */
function* waitFor(proc: Process, pid: number, options: number): Running<Json> {
  const event = yield* proc.wait({ ...(pid > 0 && { pid }), noHang: (options & 1) !== 0 });
  if (event === null) return [0, 0];
  const { code, signal } = event.status;
  return [event.pid, signal === undefined ? (code ?? 0) << 8 : signal];
}
