/**
 * System calls of a guest on files, on the process that it is.
 *
 * Paths may be relative to an open folder, as in `openat`. What fails is a `SystemError`, which the caller turns into the
 * name of an error.
 * Source: the manual pages of section 2. Not covered: locks, extended attributes.
 */
import type { Json } from '../../../../core/index.js';
import {
  blocksOf,
  type FileKind,
  type Inode,
  modeOf,
  type Process,
  type Running,
  SystemError,
  sizeOf,
} from '../../kernel/index.js';

const AT_FDCWD = -100;
const O = {
  write: 1,
  both: 2,
  create: 0o100,
  exclusive: 0o200,
  truncate: 0o1000,
  append: 0o2000,
  nonblocking: 0o4000,
  directory: 0o200000,
  noFollow: 0o400000,
  closeOnExec: 0o2000000,
};

/** What a call gives: a value, bytes, or nothing. */
export type Given = { readonly value?: Json; readonly bytes?: Uint8Array } | undefined;

/** One call. */
export type GuestFileCall = (proc: Process, args: readonly Json[], bytes: Uint8Array) => Given;

function at(proc: Process, dir: Json | undefined, path: Json | undefined): string {
  const text = String(path ?? '');
  if (dir === AT_FDCWD || text.startsWith('/') || typeof dir !== 'number') return text;
  const folder = proc.kernel.files.pathOf(proc.fstat(dir).ino);
  return text === '' ? folder : `${folder}/${text}`;
}

function facts(inode: Inode): Given {
  const { dev, nlink, uid, gid, rdev = 0, atimeUs, mtimeUs, ctimeUs, ino } = inode;
  return {
    value: [
      dev,
      modeOf(inode),
      nlink,
      uid,
      gid,
      rdev,
      sizeOf(inode),
      blocksOf(inode),
      atimeUs,
      mtimeUs,
      ctimeUs,
      ino,
    ],
  };
}

function pathOfFd(proc: Process, fd: Json | undefined): string {
  return proc.kernel.files.pathOf(proc.fstat(Number(fd)).ino);
}

const time = (value: Json | undefined): number | 'now' => (typeof value === 'number' ? value : 'now');

/** Calls that cannot wait, by name. */
export const FILE_CALLS: Readonly<Record<string, GuestFileCall>> = {
  stat: (proc, [dir, path, follow]) => {
    if (path === '' && typeof dir === 'number' && dir >= 0) return facts(proc.fstat(dir));
    if (path === '') throw new SystemError('ENOENT');
    return facts(follow === false ? proc.lstat(at(proc, dir, path)) : proc.stat(at(proc, dir, path)));
  },
  fstat: (proc, [fd]) => facts(proc.fstat(Number(fd))),
  access: (proc, [dir, path, bits]) => {
    proc.access(at(proc, dir, path), Number(bits));
    return undefined;
  },
  list: (proc, [fd]) => ({ value: entriesOf(proc, pathOfFd(proc, fd)) }),
  readdir: (proc, [path]) => ({ value: entriesOf(proc, String(path)) }),
  mkdir: (proc, [dir, path, mode]) => done(proc.mkdir(at(proc, dir, path), Number(mode))),
  mkfifo: (proc, [dir, path, mode]) => done(proc.mkfifo(at(proc, dir, path), Number(mode))),
  rmdir: (proc, [dir, path]) => done(proc.rmdir(at(proc, dir, path))),
  unlink: (proc, [dir, path]) => done(proc.unlink(at(proc, dir, path))),
  rename: (proc, [fromDir, from, toDir, to]) =>
    done(proc.rename(at(proc, fromDir, from), at(proc, toDir, to))),
  link: (proc, [fromDir, from, toDir, to]) => done(proc.link(at(proc, fromDir, from), at(proc, toDir, to))),
  symlink: (proc, [target, dir, path]) => done(proc.symlink(String(target), at(proc, dir, path))),
  readlink: (proc, [dir, path]) => ({ value: proc.readlink(at(proc, dir, path)) }),
  realpath: (proc, [path]) => ({ value: proc.realpath(String(path)) }),
  chmod: (proc, [dir, path, mode]) => done(proc.chmod(at(proc, dir, path), Number(mode) & 0o7777)),
  fchmod: (proc, [fd, mode]) => done(proc.chmod(pathOfFd(proc, fd), Number(mode) & 0o7777)),
  chown: (proc, [dir, path, uid, gid]) =>
    done(proc.chown(at(proc, dir, path), { uid: id(uid), gid: id(gid) })),
  fchown: (proc, [fd, uid, gid]) => done(proc.chown(pathOfFd(proc, fd), { uid: id(uid), gid: id(gid) })),
  truncate: (proc, [dir, path, size]) => done(proc.truncate(at(proc, dir, path), Number(size))),
  ftruncate: (proc, [fd, size]) => done(proc.ftruncate(Number(fd), Number(size))),
  utimes: (proc, [dir, path, atime, mtime]) =>
    done(proc.utimes(at(proc, dir, path), { atimeUs: time(atime), mtimeUs: time(mtime) })),
  futimes: (proc, [fd, atime, mtime]) =>
    done(proc.utimes(pathOfFd(proc, fd), { atimeUs: time(atime), mtimeUs: time(mtime) })),
  chdir: (proc, [dir, path]) => done(proc.chdir(at(proc, dir, path))),
  fchdir: (proc, [fd]) => done(proc.chdir(pathOfFd(proc, fd))),
  getcwd: (proc) => ({ value: proc.getcwd() }),
  close: (proc, [fd]) => done(proc.close(Number(fd))),
  seek: (proc, [fd, offset, whence]) => ({
    value: proc.seek(
      Number(fd),
      Number(offset),
      (['start', 'current', 'end'] as const)[Number(whence)] ?? 'start',
    ),
  }),
  dup: (proc, [fd, from]) => ({ value: proc.dup(Number(fd), Number(from)) }),
  dup2: (proc, [fd, to]) => {
    proc.dup2(Number(fd), Number(to));
    return { value: Number(to) };
  },
  pipe: (proc) => {
    const [read, write] = proc.pipe();
    for (const fd of [read, write]) setCloseOnExec(proc, fd, true);
    return { value: [read, write] };
  },
  fcntl: (proc, [fd, command, argument]) => ({
    value: control(proc, Number(fd), [Number(command), Number(argument)]),
  }),
  isatty: (proc, [fd]) => ({ value: proc.isatty(Number(fd)) }),
  window: (proc, [fd]) => {
    const { rows, columns } = proc.windowSize(Number(fd));
    return { value: [rows, columns] };
  },
  umask: (proc, [mask]) => {
    const before = proc.umask;
    proc.umask = Number(mask) & 0o777;
    return { value: before };
  },
  statvfs: (proc, [path]) => {
    const mount = proc.mountOf(typeof path === 'number' ? proc.fstat(path) : proc.stat(String(path)));
    const [blocks, free] = [mount.sizeBytes, Math.max(0, mount.sizeBytes - mount.usedBytes)].map((one) =>
      Math.floor(one / 4096),
    );
    const inodes = mount.sizeInodes - mount.usedInodes;
    return {
      value: [4096, 4096, blocks ?? 0, free ?? 0, free ?? 0, mount.sizeInodes, inodes, inodes, 4096, 255],
    };
  },
  random: (proc, [size]) => ({
    bytes: Uint8Array.from({ length: Number(size) }, () => Math.floor(proc.random() * 256)),
  }),
};

/** Opens as `openat` does. */
export function* openFile(proc: Process, [dir, path, flags, mode]: readonly Json[]): Running<number> {
  const bits = Number(flags);
  const has = (bit: number): boolean => (bits & bit) !== 0;
  const name = at(proc, dir, path);
  const isBoth = has(O.both);
  const options = {
    read: isBoth || !has(O.write),
    write: isBoth || has(O.write),
    append: has(O.append),
    create: has(O.create),
    exclusive: has(O.exclusive),
    truncate: has(O.truncate),
    nonblocking: has(O.nonblocking),
    directory: has(O.directory),
    noFollow: has(O.noFollow),
    closeOnExec: has(O.closeOnExec),
    mode: Number(mode) & 0o7777,
  };
  if (name === '') throw new SystemError('ENOENT');
  return yield* proc.open(name, options);
}

function done(_nothing: unknown): Given {
  return undefined;
}

function id(value: Json | undefined): number | undefined {
  return value === -1 || value === 0xffffffff ? undefined : Number(value);
}

function entriesOf(proc: Process, path: string): Json {
  return proc.readdir(path).map((entry): Json => {
    const kind: FileKind = proc.kernel.files.get(entry.ino).kind;
    return [entry.name, kind, entry.ino];
  });
}

function setCloseOnExec(proc: Process, fd: number, value: boolean): void {
  const descriptor = proc.descriptors[fd];
  if (descriptor === undefined) throw new SystemError('EBADF');
  descriptor.closeOnExec = value;
}

/** `fcntl`: the flag that closes on exec, and how a file was opened. */
function control(proc: Process, fd: number, [command = 0, argument = 0]: readonly number[]): number {
  const file = proc.file(fd);
  if (command === 1) return proc.descriptors[fd]?.closeOnExec === true ? 1 : 0;
  if (command === 2) setCloseOnExec(proc, fd, (argument & 1) !== 0);
  if (command === 4) file.setNonblocking((argument & O.nonblocking) !== 0);
  if (command !== 3) return 0;
  const { read, write, append, nonblocking } = file.mode;
  return (
    (write ? (read ? 2 : 1) : 0) |
    (append === true ? O.append : 0) |
    (nonblocking === true ? O.nonblocking : 0)
  );
}
