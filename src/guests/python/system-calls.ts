/**
 * The system calls of the interpreter, answered by the simulated machine.
 *
 * The compiled interpreter imports what Linux would give it; these functions stand in their place. Paths below the
 * standard library are answered here, everything else is a call to the engine. While the interpreter is prepared there
 * is no machine, and its own small file system is used.
 * Source: the Linux system calls and the structures of musl for 32 bits, WASI for the calls on descriptors.
 * Sockets are in `socket-source.ts`. Not covered: memory maps of files, `fcntl` locks (they always succeed).
 */
import type { Json } from '../../core/index.js';
import { type Caller, CallFailed, GuestExit } from '../caller.js';
import type { FileDescriptors } from './file-descriptors.js';
import type { GuestMemory } from './guest-memory.js';
import { errorNumber } from './linux-errors.js';
import { LIBRARY, type LibraryNode } from './stdlib-files.js';

type Import = (...args: never[]) => unknown;

/** The import object of the compiled module, by name. */
export type Imports = Record<string, Import>;

const AT_FDCWD = -100;
const AT_NOFOLLOW = 0x100;
const AT_REMOVEDIR = 0x200;
/** Work that is counted each time the interpreter looks for signals (about 50 jumps), in microseconds. */
const LOOK_US = 5;

/** What of `poll` makes a descriptor readable and writable for `select`: also ends and errors. */
const POLL_READABLE = 1 | 8 | 16;
const POLL_WRITABLE = 4 | 8;

/** What the calls need. */
export interface SystemParts {
  readonly memory: GuestMemory;
  readonly caller: Caller;
  readonly stdlib: Map<string, LibraryNode>;
  readonly files: FileDescriptors;
}

/** Puts the calls in place of those of the compiled module, in both import spaces. */
export function replaceImports(spaces: { env: Imports; wasi: Imports }, parts: SystemParts): void {
  const { files } = parts;
  const put = (space: Imports, calls: Record<string, (...args: never[]) => number>, sign: number): void => {
    for (const [name, call] of Object.entries(calls)) {
      const own = space[name];
      space[name] = (...args: never[]) => {
        if (!parts.caller.isRunning && !files.isPrepared) return own?.(...args);
        try {
          return call(...args);
        } catch (error) {
          if (error instanceof CallFailed) return sign * errorNumber(error.code);
          throw error;
        }
      };
    }
  };
  put(spaces.env, pathCalls(parts, files), -1);
  put(spaces.env, descriptorCalls(parts, files), -1);
  put(spaces.wasi, files.wasiCalls(), 1);
  Object.assign(spaces.env, clockCalls(parts));
  spaces.wasi.proc_exit = ((status: number) => {
    throw new GuestExit(status);
  }) as Import;
}

type Calls = Record<string, (...args: never[]) => number>;

function pathCalls({ memory, caller, stdlib: library }: SystemParts, files: FileDescriptors): Calls {
  const stat = (dir: number, path: string, { at, follow }: { at: number; follow: boolean }): number => {
    const node = path.startsWith(LIBRARY) ? library.get(path.replace(/\/+$/, '')) : undefined;
    if (node !== undefined) return files.putStat(at, files.stdlibStat(path, node));
    if (isLibrary(path)) throw new CallFailed('ENOENT');
    return files.putStat(at, caller.call('stat', [dir, path, follow]).value as number[]);
  };
  const change = (name: string, ...args: Json[]): number => {
    if (args.some((one) => typeof one === 'string' && isLibrary(one))) throw new CallFailed('EACCES');
    caller.call(name, args);
    return 0;
  };
  return {
    __syscall_stat64: (path: number, at: number) => stat(AT_FDCWD, memory.text(path), { at, follow: true }),
    __syscall_lstat64: (path: number, at: number) => stat(AT_FDCWD, memory.text(path), { at, follow: false }),
    __syscall_newfstatat: (dir: number, path: number, at: number, flags: number) =>
      stat(dir, memory.text(path), { at, follow: (flags & AT_NOFOLLOW) === 0 }),
    __syscall_openat: (dir: number, path: number, flags: number, more: number) =>
      files.open(dir, memory.text(path), { flags, mode: more === 0 ? 0 : memory.int(more) }),
    __syscall_faccessat: (dir: number, path: number, mode: number) => {
      const text = memory.text(path);
      if (isLibrary(text)) {
        if (!library.has(text)) throw new CallFailed('ENOENT');
        return 0;
      }
      return change('access', dir, text, mode);
    },
    __syscall_mkdirat: (dir: number, path: number, mode: number) => {
      const text = memory.text(path);
      if (isLibrary(text)) return 0;
      return change('mkdir', dir, text, mode);
    },
    __syscall_rmdir: (path: number) => change('rmdir', AT_FDCWD, memory.text(path)),
    __syscall_unlinkat: (dir: number, path: number, flags: number) =>
      change((flags & AT_REMOVEDIR) === 0 ? 'unlink' : 'rmdir', dir, memory.text(path)),
    __syscall_renameat: (fromDir: number, from: number, toDir: number, to: number) => {
      const [source, target] = [memory.text(from), memory.text(to)];
      if (isLibrary(source) && isLibrary(target)) return files.renameCompiled(source, target);
      return change('rename', fromDir, source, toDir, target);
    },
    __syscall_symlink: (target: number, path: number) =>
      change('symlink', memory.text(target), AT_FDCWD, memory.text(path)),
    __syscall_symlinkat: (target: number, dir: number, path: number) =>
      change('symlink', memory.text(target), dir, memory.text(path)),
    __syscall_readlinkat: (dir: number, path: number, at: number, size: number) => {
      const text = memory.text(path);
      if (library.has(text)) throw new CallFailed('EINVAL');
      const target = Buffer.from(String(caller.call('readlink', [dir, text]).value), 'utf8').subarray(
        0,
        size,
      );
      memory.bytes.set(target, at);
      return target.length;
    },
    __syscall_chmod: (path: number, mode: number) => change('chmod', AT_FDCWD, memory.text(path), mode),
    __syscall_fchmodat: (dir: number, path: number, mode: number) =>
      change('chmod', dir, memory.text(path), mode),
    __syscall_fchownat: (dir: number, path: number, uid: number, gid: number) =>
      change('chown', dir, memory.text(path), uid, gid),
    __syscall_chdir: (path: number) => change('chdir', AT_FDCWD, memory.text(path)),
    __syscall_getcwd: (at: number, size: number) => {
      const path = String(caller.call('getcwd', []).value);
      if (Buffer.byteLength(path) + 1 > size) throw new CallFailed('ERANGE');
      return memory.setText(at, path) + 1;
    },
    __syscall_truncate64: (path: number, size: bigint) =>
      change('truncate', AT_FDCWD, memory.text(path), Number(size)),
    __syscall_utimensat: (dir: number, path: number, times: number) => {
      const time = (at: number): Json =>
        times === 0 ? 'now' : Math.round(memory.long(at) * 1e6 + memory.int(at + 8) / 1e3);
      if (path === 0) return change('futimes', dir, time(times), time(times + 16));
      return change('utimes', dir, memory.text(path), time(times), time(times + 16));
    },
    __syscall_statfs64: () => {
      throw new CallFailed('ENOSYS');
    },
    __syscall_mknodat: (dir: number, path: number, mode: number) =>
      change('mkfifo', dir, memory.text(path), mode & 0o7777),
  } as Calls;
}

function isLibrary(path: string): boolean {
  return path.startsWith(`${LIBRARY}/`);
}

function descriptorCalls({ memory, caller }: SystemParts, files: FileDescriptors): Calls {
  return {
    __syscall_fstat64: (fd: number, at: number) => files.fstat(fd, at),
    __syscall_getdents64: (fd: number, at: number, size: number) => files.list(fd, at, size),
    __syscall_fcntl64: (fd: number, command: number, more: number) => files.control(fd, command, more),
    __syscall_ioctl: (fd: number, request: number, more: number) => files.device(fd, request, more),
    __syscall_fchmod: (fd: number, mode: number) => files.simple('fchmod', fd, mode),
    __syscall_fchown32: (fd: number, uid: number, gid: number) => files.simple('fchown', fd, uid, gid),
    __syscall_fchdir: (fd: number) => files.simple('fchdir', fd),
    __syscall_ftruncate64: (fd: number, size: bigint) => files.simple('ftruncate', fd, Number(size)),
    __syscall_fdatasync: () => 0,
    __syscall_fadvise64: () => 0,
    __syscall_dup: (fd: number) => caller.call('dup', [fd, 0]).value as number,
    __syscall_dup3: (fd: number, to: number) => caller.call('dup2', [fd, to]).value as number,
    __syscall_pipe: (at: number) => {
      const [read = 0, write = 0] = caller.call('pipe', []).value as number[];
      memory.setInt(at, read);
      memory.setInt(at + 4, write);
      return 0;
    },
    __syscall_poll: (at: number, count: number, timeoutMs: number) => {
      const asked = Array.from(
        { length: count },
        (_, index): Json => [memory.int(at + 8 * index), memory.short(at + 8 * index + 4)],
      );
      const found = polled({ caller, files }, asked, timeoutMs);
      found.forEach((events, index) => {
        memory.setShort(at + 8 * index + 6, events);
      });
      return found.filter((events) => events !== 0).length;
    },
    __syscall__newselect: (count: number, read: number, write: number, _except: number, time: number) =>
      select({ memory, caller, files }, { count, read, write, time }),
    getentropy: (at: number, size: number) => {
      const { bytes } = caller.isRunning ? caller.call('random', [size]) : { bytes: new Uint8Array(size) };
      memory.bytes.set(bytes ?? new Uint8Array(size), at);
      return 0;
    },
    _Py_CheckEmscriptenSignals_Helper: () => {
      caller.work(LOOK_US);
      return caller.takeSignal();
    },
  } as Calls;
}

/** Waits; a thread that would wait for another of its own program is not computed. */
function polled(
  { caller, files }: Pick<SystemParts, 'caller' | 'files'>,
  asked: readonly Json[],
  timeoutMs: number,
): number[] {
  const found = caller.call('poll', [[...asked], timeoutMs, files.isThread]).value;
  return (typeof found === 'string' ? caller.call('lacking', [found]).value : found) as number[];
}

function select(
  { memory, caller, files }: Pick<SystemParts, 'memory' | 'caller' | 'files'>,
  asked: { count: number; read: number; write: number; time: number },
): number {
  const has = (set: number, fd: number): boolean =>
    set !== 0 && (memory.int(set + 4 * (fd >> 5)) & (1 << (fd & 31))) !== 0;
  const fds = Array.from({ length: asked.count }, (_, fd) => fd).filter(
    (fd) => has(asked.read, fd) || has(asked.write, fd),
  );
  const ms = asked.time === 0 ? -1 : memory.int(asked.time) * 1000 + memory.int(asked.time + 4) / 1000;
  const events = fds.map((fd): Json => [fd, (has(asked.read, fd) ? 1 : 0) | (has(asked.write, fd) ? 4 : 0)]);
  const found = polled({ caller, files }, events, ms);
  let total = 0;
  for (const [set, bit] of [
    [asked.read, POLL_READABLE],
    [asked.write, POLL_WRITABLE],
  ] as const) {
    if (set === 0) continue;
    for (let word = 0; word < asked.count; word += 32) memory.setInt(set + (word >> 3), 0);
    fds.forEach((fd, index) => {
      if (((found[index] ?? 0) & bit) === 0) return;
      memory.setInt(set + 4 * (fd >> 5), memory.int(set + 4 * (fd >> 5)) | (1 << (fd & 31)));
      total += 1;
    });
  }
  return total;
}

function clockCalls({ memory, caller }: SystemParts): Imports {
  const ms = (): number => caller.clockUs() / 1000;
  const broken = (seconds: bigint | number, at: number): number => {
    const date = new Date(Number(seconds) * 1000);
    const year = date.getUTCFullYear();
    const yday = Math.floor((date.getTime() - Date.UTC(year, 0, 1)) / 86_400_000);
    const fields = [
      date.getUTCSeconds(),
      date.getUTCMinutes(),
      date.getUTCHours(),
      date.getUTCDate(),
      date.getUTCMonth(),
      year - 1900,
      date.getUTCDay(),
      yday,
      0,
      0,
    ];
    fields.forEach((value, index) => {
      memory.setInt(at + 4 * index, value);
    });
    return 0;
  };
  const joined = (at: number): bigint => {
    const [s = 0, m = 0, h = 0, d = 0, mon = 0, y = 0] = [0, 1, 2, 3, 4, 5].map((i) =>
      memory.int(at + 4 * i),
    );
    const seconds = Math.floor(Date.UTC(y + 1900, mon, d, h, m, s) / 1000);
    broken(seconds, at);
    return BigInt(seconds);
  };
  return {
    emscripten_date_now: ms,
    emscripten_get_now: ms,
    clock_time_get: ((_id: number, _precision: bigint, at: number) => {
      memory.setLong(at, caller.clockUs() * 1000);
      return 0;
    }) as Import,
    _localtime_js: broken as Import,
    _gmtime_js: broken as Import,
    _mktime_js: joined as Import,
    _timegm_js: joined as Import,
  };
}
