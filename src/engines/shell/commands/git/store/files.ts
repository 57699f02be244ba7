/**
 * The world's files as git uses them: plain calls that are done when they return.
 *
 * The idea: what git reads and writes are regular files, whose system calls never wait for anybody; so a generator of
 * the kernel is run to its end in place, and the whole of git stays ordinary functions. Every call still goes through
 * the process: permissions, read-only mounts, full disks and the world's Host count.
 */
import {
  type FileKind,
  type Inode,
  type Process,
  type Running,
  SystemError,
  toText,
} from '../../../kernel/index.js';

/** Runs a system call that does not wait. Raises `EAGAIN` for one that would. */
function settle<T>(running: Running<T>): T {
  let step = running.next();
  while (step.done !== true) {
    if (step.value.kind !== 'slice') throw new SystemError('EAGAIN');
    step = running.next('ready');
  }
  return step.value;
}

/** What a name in a folder is. */
export interface NamedFile {
  readonly name: string;
  readonly kind: FileKind;
}

/** Files of one process. Paths are absolute or from its current folder; failures are `SystemError`s. */
export class GitFiles {
  constructor(readonly proc: Process) {}

  /** What a path is, links not followed; undefined where there is nothing. */
  look(path: string): Inode | undefined {
    try {
      return this.proc.lstat(path);
    } catch (error) {
      if (isMissing(error)) return undefined;
      throw error;
    }
  }

  isFolder(path: string): boolean {
    try {
      return this.proc.stat(path).kind === 'directory';
    } catch (error) {
      if (error instanceof SystemError) return false;
      throw error;
    }
  }

  isFile(path: string): boolean {
    try {
      return this.proc.stat(path).kind === 'file';
    } catch (error) {
      if (error instanceof SystemError) return false;
      throw error;
    }
  }

  read(path: string): Uint8Array {
    if (this.proc.stat(path).kind === 'directory') throw new SystemError('EISDIR', path);
    return settle(this.proc.readFile(path));
  }

  readText(path: string): string {
    return toText(this.read(path));
  }

  /** The text of a file; undefined where there is none. */
  textIfThere(path: string): string | undefined {
    try {
      return this.readText(path);
    } catch (error) {
      if (isMissing(error) || (error instanceof SystemError && error.code === 'EISDIR')) return undefined;
      throw error;
    }
  }

  /** Writes a whole file, with the folders above it. */
  write(path: string, data: Uint8Array | string, mode = 0o666): void {
    this.makeFolders(path.slice(0, Math.max(0, path.lastIndexOf('/'))));
    const fd = this.proc.openNow(path, { write: true, create: true, truncate: true, mode });
    try {
      settle(this.proc.write(fd, data));
    } finally {
      this.proc.close(fd);
    }
  }

  append(path: string, text: string): void {
    this.makeFolders(path.slice(0, Math.max(0, path.lastIndexOf('/'))));
    const fd = this.proc.openNow(path, { append: true, create: true });
    try {
      settle(this.proc.write(fd, text));
    } finally {
      this.proc.close(fd);
    }
  }

  makeFolders(path: string): void {
    if (path === '' || path === '/' || this.isFolder(path)) return;
    this.makeFolders(path.slice(0, Math.max(0, path.lastIndexOf('/'))));
    this.proc.mkdir(path);
  }

  /** Removes a file or link; true where there was one. */
  remove(path: string): boolean {
    try {
      this.proc.unlink(path);
      return true;
    } catch (error) {
      if (isMissing(error)) return false;
      throw error;
    }
  }

  /** Removes empty folders from a path upwards, up to but not including `stop`. */
  removeEmptyFolders(path: string, stop: string): void {
    for (
      let at = path;
      at.length > stop.length && at.startsWith(stop);
      at = at.slice(0, at.lastIndexOf('/'))
    ) {
      try {
        if (this.proc.getcwd() === at) return;
        this.proc.rmdir(at);
      } catch (error) {
        if (error instanceof SystemError) return;
        throw error;
      }
    }
  }

  /** Removes a whole tree. */
  removeTree(path: string): void {
    const inode = this.look(path);
    if (inode === undefined) return;
    if (inode.kind !== 'directory') {
      this.proc.unlink(path);
      return;
    }
    for (const { name } of this.list(path)) this.removeTree(`${path}/${name}`);
    this.proc.rmdir(path);
  }

  /** The names in a folder, in byte order; none where there is no folder. */
  list(path: string): NamedFile[] {
    try {
      return this.proc
        .readdir(path)
        .map(
          (entry): NamedFile => ({ name: entry.name, kind: this.proc.lstat(`${path}/${entry.name}`).kind }),
        )
        .sort((one, other) => compareBytes(one.name, other.name));
    } catch (error) {
      if (isMissing(error)) return [];
      throw error;
    }
  }
}

/** True for failures that say "there is nothing". */
function isMissing(error: unknown): boolean {
  return error instanceof SystemError && (error.code === 'ENOENT' || error.code === 'ENOTDIR');
}

/** The order of names as `strcmp` of their UTF-8 bytes has it. */
export function compareBytes(one: string, other: string): number {
  if (one === other) return 0;
  const length = Math.min(one.length, other.length);
  for (let at = 0; at < length; at++) {
    const [a, b] = [one.charCodeAt(at), other.charCodeAt(at)];
    if (a !== b) return rank(a) - rank(b);
  }
  return one.length - other.length;
}

/** Surrogates stand for characters beyond the basic plane, whose bytes sort last. */
function rank(unit: number): number {
  return unit >= 0xd800 && unit < 0xe000 ? unit + 0x10000 : unit;
}
