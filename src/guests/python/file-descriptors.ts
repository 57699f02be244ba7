/**
 * Calls on descriptors: those of the machine go to the engine, those of library files are answered here.
 *
 * One descriptor is a private device: what Python writes there is a call of its own (start a program, sleep), what it
 * reads is the answer.
 */
import type { Json } from '../../core/index.js';
import { type Caller, CallFailed } from '../caller.js';
import { MAX_BYTES } from '../channel.js';
import type { GuestMemory } from './guest-memory.js';
import { addFile, LIBRARY, type LibraryNode } from './stdlib-files.js';

/** The descriptor of the private device. */
export const DEVICE_FD = 1 << 20;
const FIRST_LIBRARY_FD = 1 << 16;

const O_ACCESS = 3;
const O_CREATE = 0o100;
const O_DIRECTORY = 0o200000;
/** A bit that Linux does not use: `os.open` sets it, which may open folders. */
export const OPEN_ANY = 1 << 26;

interface LibraryFile {
  readonly path: string;
  readonly node: LibraryNode;
  position: number;
  /** What is being written, for byte code. */
  written?: number[];
}

type Entry = readonly [name: string, kind: string, ino: number];

const ENTRY_TYPES: Readonly<Record<string, number>> = {
  fifo: 1,
  char: 2,
  directory: 4,
  block: 6,
  file: 8,
  symlink: 10,
  socket: 12,
};
/** A directory entry here always takes as much as the longest would. */
const ENTRY_BYTES = 280;

/** The descriptors of one interpreter. */
export class FileDescriptors {
  private readonly own = new Map<number, LibraryFile>();
  private readonly listings = new Map<number, { readonly entries: readonly Entry[]; at: number }>();
  private deviceReply: Uint8Array = new Uint8Array(0);
  /** The library's tree is used instead of the interpreter's own files. */
  isPrepared = false;
  /** What runs now is not the program's first thread. */
  isThread = false;

  constructor(
    private readonly parts: {
      readonly memory: GuestMemory;
      readonly caller: Caller;
      readonly stdlib: Map<string, LibraryNode>;
    },
  ) {}

  /** Forgets what the last run had open. */
  reset(): void {
    this.own.clear();
    this.listings.clear();
    this.deviceReply = new Uint8Array(0);
    this.isThread = false;
  }

  open(dir: number, path: string, { flags, mode }: { flags: number; mode: number }): number {
    if (path.startsWith(`${LIBRARY}/`) || path === LIBRARY) return this.openLibrary(path, flags);
    const { caller } = this.parts;
    const fd = caller.call('open', [dir, path, flags & ~OPEN_ANY, mode]).value as number;
    if ((flags & (OPEN_ANY | O_DIRECTORY)) !== 0 || (flags & O_ACCESS) !== 0) return fd;
    // `open()` refuses folders with a number of its own library, so it never gets to see one.
    const [, kind = 0] = caller.call('fstat', [fd]).value as number[];
    if ((kind & 0o170000) !== 0o40000) return fd;
    caller.call('close', [fd]);
    throw new CallFailed('EISDIR');
  }

  private openLibrary(path: string, flags: number): number {
    const { stdlib: library } = this.parts;
    if ((flags & O_ACCESS) !== 0 && !path.includes('__pycache__')) throw new CallFailed('EACCES');
    if ((flags & O_CREATE) !== 0 && !library.has(path)) addFile(library, path, new Uint8Array(0));
    const node = library.get(path);
    if (node === undefined) throw new CallFailed('ENOENT');
    let fd = FIRST_LIBRARY_FD;
    while (this.own.has(fd)) fd += 1;
    this.own.set(fd, { path, node, position: 0 });
    return fd;
  }

  renameCompiled(from: string, to: string): number {
    const node = this.parts.stdlib.get(from);
    if (node?.kind !== 'file') throw new CallFailed('ENOENT');
    this.parts.stdlib.delete(from);
    addFile(this.parts.stdlib, to, node.bytes);
    return 0;
  }

  /** A call of the engine on a descriptor that returns nothing. */
  simple(name: string, fd: number, ...args: Json[]): number {
    if (this.own.has(fd)) return 0;
    this.parts.caller.call(name, [fd, ...args]);
    return 0;
  }

  fstat(fd: number, at: number): number {
    const file = this.own.get(fd);
    if (file !== undefined) return this.putStat(at, this.stdlibStat(file.path, file.node));
    return this.putStat(at, this.parts.caller.call('fstat', [fd]).value as number[]);
  }

  /** dev, mode, nlink, uid, gid, rdev, size, blocks, three times in microseconds, ino. */
  stdlibStat(path: string, node: LibraryNode): number[] {
    const isFile = node.kind === 'file';
    let ino = 7;
    for (let at = 0; at < path.length; at++) ino = (Math.imul(ino, 31) + path.charCodeAt(at)) >>> 0;
    const size = isFile ? node.bytes.length : 4096;
    return [1, isFile ? 0o100644 : 0o40755, 1, 0, 0, 0, size, 8, 0, 0, 0, ino];
  }

  putStat(at: number, values: readonly number[]): number {
    const { memory } = this.parts;
    const [dev = 0, mode = 0, nlink = 0, uid = 0, gid = 0, rdev = 0, size = 0, blocks = 0, ...rest] = values;
    [dev, mode, nlink, uid, gid, rdev].forEach((value, index) => {
      memory.setInt(at + 4 * index, value);
    });
    memory.setLong(at + 24, size);
    memory.setInt(at + 32, 4096);
    memory.setInt(at + 36, blocks);
    rest.slice(0, 3).forEach((us, index) => {
      memory.setLong(at + 40 + 16 * index, Math.floor(us / 1e6));
      memory.setInt(at + 48 + 16 * index, (us % 1e6) * 1000);
    });
    memory.setLong(at + 88, rest[3] ?? 0);
    return 0;
  }

  list(fd: number, at: number, size: number): number {
    let listing = this.listings.get(fd);
    if (listing === undefined) {
      listing = { entries: this.entriesOf(fd), at: 0 };
      this.listings.set(fd, listing);
    }
    const { memory } = this.parts;
    let used = 0;
    for (
      ;
      listing.at < listing.entries.length && used + ENTRY_BYTES <= size;
      listing.at++, used += ENTRY_BYTES
    ) {
      const [name = '', kind = 'file', ino = 1] = listing.entries[listing.at] ?? [];
      memory.setLong(at + used, ino);
      memory.setLong(at + used + 8, (listing.at + 1) * ENTRY_BYTES);
      memory.setShort(at + used + 16, ENTRY_BYTES);
      memory.bytes[at + used + 18] = ENTRY_TYPES[kind] ?? 0;
      memory.setText(at + used + 19, name);
    }
    return used;
  }

  private entriesOf(fd: number): readonly Entry[] {
    const file = this.own.get(fd);
    const dots: Entry[] = [
      ['.', 'directory', 1],
      ['..', 'directory', 1],
    ];
    if (file === undefined)
      return [...dots, ...(this.parts.caller.call('list', [fd]).value as unknown as Entry[])];
    if (file.node.kind === 'file') throw new CallFailed('ENOTDIR');
    const kindOf = (name: string): string => this.parts.stdlib.get(`${file.path}/${name}`)?.kind ?? 'file';
    return [...dots, ...[...file.node.names].map((name): Entry => [name, kindOf(name), 1])];
  }

  control(fd: number, command: number, more: number): number {
    const argument = more === 0 ? 0 : this.parts.memory.int(more);
    if (command === 1030 || command === 0)
      return this.parts.caller.call('dup', [fd, argument]).value as number;
    if (this.own.has(fd)) return 0;
    if (command >= 1 && command <= 4)
      return this.parts.caller.call('fcntl', [fd, command, argument]).value as number;
    return 0;
  }

  device(fd: number, request: number, more: number): number {
    if (this.own.has(fd)) throw new CallFailed('ENOTTY');
    const { memory, caller } = this.parts;
    const [rows = 0, columns = 0] = caller.call('window', [fd]).value as number[];
    if (request === 0x5413) {
      const at = memory.int(more);
      memory.setShort(at, rows);
      memory.setShort(at + 2, columns);
      memory.setInt(at + 4, 0);
    }
    return 0;
  }

  /** The calls that WASI has on descriptors. */
  wasiCalls(): Record<string, (...args: never[]) => number> {
    const { memory } = this.parts;
    return {
      fd_write: (fd: number, at: number, count: number, done: number) => {
        memory.setInt(done, this.write(fd, memory.pieces(at, count)));
        return 0;
      },
      fd_read: (fd: number, at: number, count: number, done: number) => {
        memory.setInt(done, this.read(fd, memory.pieces(at, count)));
        return 0;
      },
      fd_pread: (fd: number, at: number, count: number, offset: bigint, done: number) => {
        const was = this.seek(fd, 0, 1);
        this.seek(fd, Number(offset), 0);
        memory.setInt(done, this.read(fd, memory.pieces(at, count)));
        this.seek(fd, was, 0);
        return 0;
      },
      fd_pwrite: (fd: number, at: number, count: number, offset: bigint, done: number) => {
        const was = this.seek(fd, 0, 1);
        this.seek(fd, Number(offset), 0);
        memory.setInt(done, this.write(fd, memory.pieces(at, count)));
        this.seek(fd, was, 0);
        return 0;
      },
      fd_seek: (fd: number, offset: bigint, whence: number, at: number) => {
        memory.setLong(at, this.seek(fd, Number(offset), whence));
        return 0;
      },
      fd_close: (fd: number) => {
        this.listings.delete(fd);
        if (!this.own.delete(fd) && fd !== DEVICE_FD) this.parts.caller.call('close', [fd]);
        return 0;
      },
      fd_sync: () => 0,
      fd_fdstat_get: (fd: number, at: number) => {
        const isTerminal = fd < 3 && this.parts.caller.call('isatty', [fd]).value === true;
        memory.bytes.fill(0, at, at + 24);
        memory.bytes[at] = isTerminal ? 2 : 4;
        return 0;
      },
    } as Record<string, (...args: never[]) => number>;
  }

  private read(fd: number, pieces: readonly Uint8Array[]): number {
    const wanted = pieces.reduce((sum, one) => sum + one.length, 0);
    const bytes = this.readBytes(fd, wanted);
    // The wait may have been long, but memory does not move while the interpreter waits.
    let at = 0;
    for (const piece of pieces) {
      const part = bytes.subarray(at, at + piece.length);
      piece.set(part);
      at += part.length;
    }
    return bytes.length;
  }

  private readBytes(fd: number, wanted: number): Uint8Array {
    if (fd === DEVICE_FD) {
      const bytes = this.deviceReply.subarray(0, wanted);
      this.deviceReply = this.deviceReply.subarray(bytes.length);
      return bytes;
    }
    const file = this.own.get(fd);
    if (file === undefined) {
      return this.parts.caller.call('read', [fd, Math.min(wanted, MAX_BYTES)]).bytes ?? new Uint8Array(0);
    }
    if (file.node.kind !== 'file') throw new CallFailed('EISDIR');
    const bytes = file.node.bytes.subarray(file.position, file.position + wanted);
    file.position += bytes.length;
    return bytes;
  }

  private write(fd: number, pieces: readonly Uint8Array[]): number {
    const bytes = Buffer.concat(pieces as Uint8Array[]).subarray(0, MAX_BYTES);
    if (fd === DEVICE_FD) {
      this.deviceReply = this.ask(bytes.toString('utf8'));
      return bytes.length;
    }
    const file = this.own.get(fd);
    if (file === undefined) return this.parts.caller.call('write', [fd], bytes).value as number;
    if (file.node.kind !== 'file') throw new CallFailed('EBADF');
    file.node.bytes = Buffer.concat([file.node.bytes.subarray(0, file.position), bytes]);
    file.position += bytes.length;
    return bytes.length;
  }

  private ask(text: string): Uint8Array {
    const [name, ...args] = JSON.parse(text) as [string, ...Json[]];
    let answer: Json;
    if (name === 'thread') {
      this.isThread = args[0] === true;
      return Buffer.from('{"value":null}', 'utf8');
    }
    try {
      answer = { value: this.parts.caller.call(name, args).value ?? null };
    } catch (error) {
      if (!(error instanceof CallFailed)) throw error;
      answer = { error: error.code };
    }
    return Buffer.from(JSON.stringify(answer), 'utf8');
  }

  private seek(fd: number, offset: number, whence: number): number {
    const file = this.own.get(fd);
    if (file === undefined) return this.parts.caller.call('seek', [fd, offset, whence]).value as number;
    const size = file.node.kind === 'file' ? file.node.bytes.length : 0;
    file.position = offset + (whence === 0 ? 0 : whence === 1 ? file.position : size);
    return file.position;
  }
}
