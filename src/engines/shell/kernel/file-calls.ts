/**
 * The system calls of a process that concern files, as methods.
 *
 * Calls that cannot wait are plain methods; calls that can are generators, used with `yield*`. Failures are
 * `SystemError`s with the path as it was given.
 * Source: the manual pages of section 2 on Linux.
 */

import { toBytes, toText } from './byte-text.js';
import { askRead, guardChange } from './consult.js';
import { OpenDevice } from './device.js';
import { SystemError } from './errors.js';
import type { Actor, DirectoryEntry } from './file-system.js';
import type { Inode } from './inode.js';
import type { Kernel } from './kernel.js';
import type { Mount } from './mount.js';
import { OpenBroken, OpenComputed, type OpenFile, type OpenMode, OpenRegular } from './open-file.js';
import { mayAccess } from './path-walk.js';
import { Pipe, PipeEnd } from './pipe.js';
import type { Running, WaitQueue } from './wait.js';

/** How `open` opens. Default: read only. */
export interface OpenFlags {
  readonly read?: boolean;
  readonly write?: boolean;
  readonly append?: boolean;
  readonly create?: boolean;
  /** With `create`: `EEXIST` where there is something. */
  readonly exclusive?: boolean;
  readonly truncate?: boolean;
  readonly nonblocking?: boolean;
  /** `ENOTDIR` unless it is a folder. */
  readonly directory?: boolean;
  /** `ELOOP` where the last name is a symbolic link. */
  readonly noFollow?: boolean;
  /** The descriptor is closed by `become`. */
  readonly closeOnExec?: boolean;
  /** Permission bits of a new file, before the umask. Default 0o666. */
  readonly mode?: number;
}

/** One place of a descriptor table. */
export interface Descriptor {
  readonly file: OpenFile;
  closeOnExec: boolean;
}

/** A time for `utimes`, in microseconds since 1970, or now. */
export type FileTime = number | 'now';

/** How much one read asks for by default. */
export const READ_BYTES = 65_536;

/** The descriptor that `/dev/fd/3`, `/dev/stdin` and `/proc/self/fd/3` mean. Opening one duplicates it. */
function descriptorOf(path: string): number | undefined {
  if (!path.startsWith('/dev/') && !path.startsWith('/proc/self/fd/')) return undefined;
  const number = /^\/(?:dev|proc\/self)\/fd\/(\d+)$/.exec(path)?.[1];
  if (number !== undefined) return Number(number);
  const stream = ['/dev/stdin', '/dev/stdout', '/dev/stderr'].indexOf(path);
  return stream === -1 ? undefined : stream;
}

/** Files as a process sees them. */
export abstract class FileCalls {
  abstract readonly kernel: Kernel;
  /** The descriptor table. */
  readonly descriptors: (Descriptor | undefined)[] = [];
  /** The inode number of the current folder. */
  cwdIno = 2;
  umask = 0o022;
  /** How many descriptors may be open. */
  abstract maxDescriptors: number;

  /** The name of the program that calls. */
  abstract get programName(): string;
  /** The ids that permission checks look at. */
  abstract get actor(): Actor;
  /** Waits; see `Process.block`. */
  abstract block(on: readonly WaitQueue[], untilUs?: number): Running<'ready' | 'timeout'>;
  /** Sends SIGPIPE to itself. */
  protected abstract brokenPipe(): Running<void>;
  /** The terminal behind `/dev/tty` and the like. Raises `ENXIO`. */
  protected abstract openTerminal(inode: Inode, path: string, mode: OpenMode): OpenFile;
  /** Stops a background process that reads from its terminal. */
  protected abstract toForeground(file: OpenFile): Running<void>;

  // ---- looking ----

  /** `stat`: the inode a path leads to; symbolic links are followed. Treat it as read only. */
  stat(path: string): Inode {
    const fd = descriptorOf(path);
    if (fd !== undefined && this.isOpen(fd)) return this.fstat(fd);
    return this.kernel.files.resolve(this.actor, path);
  }

  /** `lstat`: as {@link stat}, but a symbolic link at the end is itself meant. */
  lstat(path: string): Inode {
    return this.kernel.files.resolve(this.actor, path, false);
  }

  /** `fstat`. */
  fstat(fd: number): Inode {
    return this.file(fd).stat();
  }

  /** True where a path leads somewhere (as `test -e`). */
  exists(path: string): boolean {
    try {
      this.stat(path);
      return true;
    } catch (error) {
      if (error instanceof SystemError) return false;
      throw error;
    }
  }

  /** `access`: raises unless the process may read (4), write (2), execute (1) or see (0) the path. */
  access(path: string, bits: number): void {
    const inode = this.stat(path);
    if ((bits & 2) !== 0 && this.mountOf(inode).isReadOnly && inode.kind !== 'char')
      throw new SystemError('EROFS', path);
    if (!mayAccess(inode, this.actor, bits)) throw new SystemError('EACCES', path);
  }

  /** `readdir`: the entries without `.` and `..`, in order of creation. */
  readdir(path: string): DirectoryEntry[] {
    return this.kernel.files.list(this.actor, path);
  }

  /** `readlink`. Raises `EINVAL` for what is no symbolic link. */
  readlink(path: string): string {
    const inode = this.lstat(path);
    if (inode.kind !== 'symlink') throw new SystemError('EINVAL', path);
    return this.kernel.files.linkTarget(inode);
  }

  /** `realpath`: the absolute path without links and dots. Raises where it does not exist. */
  realpath(path: string): string {
    const walked = this.kernel.files.walk(this.actor, path, true);
    if (walked.inode === undefined) throw new SystemError('ENOENT', path);
    if (walked.inode.kind === 'directory') return this.kernel.files.pathOf(walked.inode.ino);
    const folder = this.kernel.files.pathOf(walked.directory.ino);
    return folder === '/' ? `/${walked.name}` : `${folder}/${walked.name}`;
  }

  /** `getcwd`. Raises `ENOENT` where the folder was removed. */
  getcwd(): string {
    return this.kernel.files.pathOf(this.cwdIno);
  }

  /** `statfs`: the mount an inode is on. */
  mountOf(inode: Inode): Mount {
    return this.kernel.files.mountOf(inode.dev);
  }

  /** All mounts. */
  mounts(): readonly Mount[] {
    return this.kernel.files.mounts;
  }

  // ---- changing ----

  /** `chdir`. */
  chdir(path: string): void {
    const inode = this.stat(path);
    if (inode.kind !== 'directory') throw new SystemError('ENOTDIR', path);
    if (!mayAccess(inode, this.actor, 1)) throw new SystemError('EACCES', path);
    this.cwdIno = inode.ino;
  }

  /** `mkdir`; permission bits before the umask. */
  mkdir(path: string, mode = 0o777): void {
    guardChange(this, path, 'mkdir');
    this.kernel.files.create(this.actor, path, { kind: 'directory', mode });
  }

  /** `rmdir`. */
  rmdir(path: string): void {
    guardChange(this, path, 'rmdir');
    this.kernel.files.rmdir(this.actor, path);
  }

  /** `unlink`. Raises `EISDIR` for folders. */
  unlink(path: string): void {
    guardChange(this, path, 'remove');
    this.kernel.files.unlink(this.actor, path);
  }

  /** `link`: a second name. */
  link(from: string, to: string): void {
    guardChange(this, to, 'link');
    this.kernel.files.link(this.actor, from, to);
  }

  /** `symlink`: `path` becomes a link to `target`. */
  symlink(target: string, path: string): void {
    guardChange(this, path, 'link');
    this.kernel.files.create(this.actor, path, { kind: 'symlink', mode: 0o777, target });
  }

  /** `mkfifo`. */
  mkfifo(path: string, mode = 0o666): void {
    guardChange(this, path, 'create');
    this.kernel.files.create(this.actor, path, { kind: 'fifo', mode });
  }

  /** `rename`: over what is there. */
  rename(from: string, to: string): void {
    guardChange(this, to, 'rename');
    this.kernel.files.rename(this.actor, from, to);
  }

  /** `chmod`; symbolic links are followed. */
  chmod(path: string, mode: number): void {
    guardChange(this, path, 'mode');
    this.kernel.files.chmod(this.actor, this.stat(path), mode, path);
  }

  /** `chown` (follows links) or `lchown`; undefined leaves an id. */
  chown(
    path: string,
    to: { readonly uid?: number | undefined; readonly gid?: number | undefined; readonly follow?: boolean },
  ): void {
    guardChange(this, path, 'owner');
    const inode = this.kernel.files.resolve(this.actor, path, to.follow !== false);
    this.kernel.files.chown(this.actor, inode, { uid: to.uid, gid: to.gid, path });
  }

  /** `utimensat`; undefined leaves a time. */
  utimes(
    path: string,
    times: { readonly atimeUs?: FileTime; readonly mtimeUs?: FileTime; readonly follow?: boolean },
  ): void {
    guardChange(this, path, 'times');
    const inode = this.kernel.files.resolve(this.actor, path, times.follow !== false);
    this.kernel.files.utimes(this.actor, inode, { ...times, path });
  }

  /** `truncate`. */
  truncate(path: string, size: number): void {
    guardChange(this, path, 'resize');
    const inode = this.stat(path);
    if (inode.kind === 'directory') throw new SystemError('EISDIR', path);
    if (inode.kind !== 'file') throw new SystemError('EINVAL', path);
    if (!mayAccess(inode, this.actor, 2)) throw new SystemError('EACCES', path);
    this.kernel.files.resize(inode.ino, size);
  }

  /** `ftruncate`. */
  ftruncate(fd: number, size: number): void {
    const inode = this.fstat(fd);
    if (inode.kind !== 'file' || !this.file(fd).mode.write) throw new SystemError('EINVAL');
    this.kernel.files.resize(inode.ino, size);
  }

  // ---- descriptors ----

  /** The open file of a descriptor. Raises `EBADF`. */
  file(fd: number): OpenFile {
    const descriptor = this.descriptors[fd];
    if (descriptor === undefined) throw new SystemError('EBADF');
    return descriptor.file;
  }

  /** True where a descriptor is open. */
  isOpen(fd: number): boolean {
    return this.descriptors[fd] !== undefined;
  }

  /** True where a descriptor is a terminal. */
  isatty(fd: number): boolean {
    return this.descriptors[fd]?.file.isTerminal === true;
  }

  /** Opens a path; waits for the other side of a fifo. Returns the lowest free descriptor. */
  *open(path: string, flags: OpenFlags = {}): Running<number> {
    const fd = this.openNow(path, flags);
    const file = this.file(fd);
    if (
      !(file instanceof PipeEnd) ||
      flags.nonblocking === true ||
      (flags.read === true && flags.write === true)
    )
      return fd;
    const { pipe } = file;
    if (flags.write === true) {
      const before = pipe.readerOpens;
      while (pipe.readers === 0 && pipe.readerOpens === before) yield* this.block([pipe.opened]);
    } else {
      const before = pipe.writerOpens;
      while (pipe.writers === 0 && pipe.writerOpens === before && pipe.size === 0)
        yield* this.block([pipe.opened]);
    }
    return fd;
  }

  /** As {@link open}, but a fifo is opened without waiting. */
  openNow(path: string, flags: OpenFlags = {}): number {
    const fd = descriptorOf(path);
    if (fd !== undefined && this.isOpen(fd)) return this.place(this.file(fd));
    const write = flags.write === true || flags.append === true;
    const read = flags.read ?? !write;
    const mode = { read, write, append: flags.append === true, nonblocking: flags.nonblocking === true };
    const inode = this.openedInode(path, flags, (read ? 4 : 0) | (write ? 2 : 0));
    return this.place(this.openInode(inode, path, mode), {
      closeOnExec: flags.closeOnExec === true,
    });
  }

  private openedInode(path: string, flags: OpenFlags, access: number): Inode {
    const { files } = this.kernel;
    const walked = files.walk(this.actor, path, flags.noFollow !== true && flags.exclusive !== true);
    let inode = walked.inode;
    if (inode === undefined) {
      if (flags.create !== true) throw new SystemError('ENOENT', path);
      if (walked.wantsDirectory) throw new SystemError('EISDIR', path);
      guardChange(this, path, 'create');
      const isWhole = flags.truncate === true || flags.exclusive === true;
      return files.createIn(this.actor, walked, { kind: 'file', mode: flags.mode ?? 0o666, path, isWhole });
    }
    if (flags.create === true && flags.exclusive === true) throw new SystemError('EEXIST', path);
    if (inode.kind === 'symlink') throw new SystemError('ELOOP', path);
    if (flags.directory === true && inode.kind !== 'directory') throw new SystemError('ENOTDIR', path);
    if (inode.kind === 'directory' && (access & 2) !== 0) throw new SystemError('EISDIR', path);
    if (!mayAccess(inode, this.actor, access)) throw new SystemError('EACCES', path);
    if ((access & 2) !== 0 && inode.kind === 'file' && this.mountOf(inode).isReadOnly)
      throw new SystemError('EROFS', path);
    if ((access & 2) !== 0 && inode.kind === 'file') guardChange(this, path, 'open');
    if (flags.truncate === true && inode.kind === 'file') {
      files.resize(inode.ino, 0);
      inode = files.get(inode.ino);
    }
    return inode;
  }

  private openInode(inode: Inode, path: string, mode: OpenMode): OpenFile {
    const opened = inode.computed?.openFile?.();
    if (opened !== undefined) return opened;
    if (inode.kind === 'fifo') return new PipeEnd(this.kernel.fifo(inode), mode, path);
    if (inode.kind === 'socket') throw new SystemError('ENXIO', path);
    if (inode.kind === 'char' || inode.kind === 'block') {
      if ((inode.rdev ?? 0) >> 8 === 1) return new OpenDevice(inode, this.kernel.random, { mode, path });
      return this.openTerminal(inode, path, mode);
    }
    if (inode.computed?.text !== undefined) {
      if (mode.write) throw new SystemError('EACCES', path);
      return new OpenComputed(inode, toBytes(inode.computed.text()), path);
    }
    const told = mode.write || inode.kind !== 'file' ? null : this.toldContent(inode, path);
    if (told !== null) return told;
    this.kernel.holdInode(inode.ino);
    const onClose = (ino: number): void => this.kernel.dropInode(ino);
    return new OpenRegular(this.kernel.files, inode.ino, { mode, path, onClose });
  }

  /** What the world's Host puts in the place of a file that is opened for reading. */
  private toldContent(inode: Inode, path: string): OpenFile | null {
    if (this.kernel.consult === null) return null;
    const { content } = inode;
    const size = content?.size ?? 0;
    const told = askRead(this, path, { size, read: () => content?.read(0, size) ?? new Uint8Array(0) });
    if (told === null) return null;
    if ('text' in told) return new OpenComputed(inode, toBytes(told.text), path);
    if (told.isLate) return new OpenBroken(inode, told.code, path);
    throw new SystemError(told.code, path);
  }

  /** Puts an open file at the lowest free descriptor from `from` on. Raises `EMFILE`. */
  place(file: OpenFile, at: { readonly from?: number; readonly closeOnExec?: boolean } = {}): number {
    let fd = at.from ?? 0;
    while (this.descriptors[fd] !== undefined) fd += 1;
    if (fd >= this.maxDescriptors) throw new SystemError('EMFILE');
    this.descriptors[fd] = { file: file.retain(), closeOnExec: at.closeOnExec === true };
    return fd;
  }

  /** `close`. Raises `EBADF`. */
  close(fd: number): void {
    const file = this.file(fd);
    this.descriptors[fd] = undefined;
    file.release();
  }

  /** Closes every descriptor. */
  closeAll(): void {
    for (const descriptor of this.descriptors) descriptor?.file.release();
    this.descriptors.length = 0;
  }

  /** `dup` to the lowest free descriptor from `from` on. */
  dup(fd: number, from = 0): number {
    return this.place(this.file(fd), { from });
  }

  /** `dup2`: makes `to` the same open file; what `to` was is closed. */
  dup2(fd: number, to: number): void {
    const file = this.file(fd);
    if (to >= this.maxDescriptors) throw new SystemError('EBADF');
    if (fd === to) return;
    file.retain();
    this.descriptors[to]?.file.release();
    this.descriptors[to] = { file, closeOnExec: false };
  }

  /** `pipe`: the reading and the writing end. */
  pipe(): readonly [number, number] {
    const inode = this.kernel.pipeInode(this.actor);
    const pipe = new Pipe(inode);
    const name = `pipe:[${inode.ino}]`;
    const read = this.place(new PipeEnd(pipe, { read: true, write: false }, name));
    const write = this.place(new PipeEnd(pipe, { read: false, write: true }, name));
    return [read, write];
  }

  /** `lseek`. Raises `ESPIPE`. */
  seek(fd: number, offset: number, from: 'start' | 'current' | 'end' = 'start'): number {
    return this.file(fd).seek(offset, from);
  }

  /** `read`: up to `max` bytes, at least one unless at the end; empty at the end. */
  *read(fd: number, max = READ_BYTES): Running<Uint8Array> {
    const file = this.file(fd);
    if (file.isTerminal) yield* this.toForeground(file);
    for (;;) {
      const bytes = file.readNow(max);
      if (bytes !== null) {
        if (this.kernel.tick(1 + (bytes.length >> 10))) yield SLICE_WAIT;
        return bytes;
      }
      if (file.mode.nonblocking === true) throw new SystemError('EAGAIN');
      yield* this.block([file.readable]);
    }
  }

  /** `write`, as often as it takes to write everything. Raises `EPIPE` after SIGPIPE was survived, `ENOSPC`. */
  *write(fd: number, data: Uint8Array | string): Running<void> {
    const file = this.file(fd);
    let bytes = typeof data === 'string' ? toBytes(data) : data;
    while (bytes.length > 0) {
      let written = 0;
      try {
        written = file.writeNow(bytes);
      } catch (error) {
        if (error instanceof SystemError && error.code === 'EPIPE') yield* this.brokenPipe();
        throw error;
      }
      if (this.kernel.tick(1 + (written >> 8))) yield SLICE_WAIT;
      if (written === bytes.length) return;
      bytes = bytes.subarray(written);
      if (written > 0) continue;
      if (file.mode.nonblocking === true) throw new SystemError('EAGAIN');
      yield* this.block([file.writable]);
    }
  }

  /** Reads a whole file. */
  *readFile(path: string): Running<Uint8Array> {
    const fd = yield* this.open(path);
    try {
      return yield* this.readAll(fd);
    } catch (error) {
      throw error instanceof SystemError ? new SystemError(error.code, path) : error;
    } finally {
      this.close(fd);
    }
  }

  /** Reads a descriptor to its end. */
  *readAll(fd: number): Running<Uint8Array> {
    const parts: Uint8Array[] = [];
    let length = 0;
    for (;;) {
      const piece = yield* this.read(fd, READ_BYTES);
      if (piece.length === 0) break;
      length += piece.length;
      if (length > MAX_MEMORY_BYTES) throw new SystemError('ENOMEM');
      parts.push(piece);
    }
    const whole = new Uint8Array(length);
    let at = 0;
    for (const part of parts) {
      whole.set(part, at);
      at += part.length;
    }
    return whole;
  }

  /** Reads a whole file as text. */
  *readText(path: string): Running<string> {
    return toText(yield* this.readFile(path));
  }
}

/** What one program may gather in memory. */
const MAX_MEMORY_BYTES = 256 * 1024 * 1024;
const SLICE_WAIT = { kind: 'slice' } as const;
