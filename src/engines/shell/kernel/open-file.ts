/**
 * Open files: what descriptors point at. Regular files here; pipes, terminals and devices beside.
 *
 * Reading and writing never wait: `readNow` gives null and `writeNow` 0 where a real call would block, and the queues
 * say when to try again. `Process.read` and `Process.write` make blocking calls out of that.
 */
import { type ErrorCode, SystemError } from './errors.js';
import type { FileSystem } from './file-system.js';
import type { Inode } from './inode.js';
import { WaitQueue } from './wait.js';

/** How a file was opened. */
export interface OpenMode {
  readonly read: boolean;
  readonly write: boolean;
  readonly append?: boolean;
  /** Reads and writes give `EAGAIN` instead of waiting. */
  readonly nonblocking?: boolean;
}

/** The queue of files that never make anybody wait. */
const NEVER = new WaitQueue();

/** What a descriptor points at; shared by duplicates and after a fork. */
export abstract class OpenFile {
  /** Descriptors that point here. */
  private references = 0;

  constructor(
    public mode: OpenMode,
    /** The path it was opened by, or a name such as `pipe:[12]`; `/proc/PID/fd` shows it. */
    readonly path: string,
    /** Woken when there may be something to read. */
    readonly readable: WaitQueue = NEVER,
    /** Woken when there may be room to write. */
    readonly writable: WaitQueue = NEVER,
  ) {}

  /** The inode behind it, for `fstat`. */
  abstract stat(): Inode;
  /** Up to `max` bytes; empty at the end; null where a read would wait. */
  abstract readNow(max: number): Uint8Array | null;
  /** Takes bytes; returns how many; 0 where a write would wait. Raises `EPIPE`, `ENOSPC`, `EBADF`. */
  abstract writeNow(bytes: Uint8Array): number;
  /** True where a read would not wait. */
  hasInput(): boolean {
    return true;
  }

  /** True where a write would not wait. */
  hasRoom(): boolean {
    return true;
  }

  /** `O_NONBLOCK`, as `fcntl` sets it. */
  setNonblocking(nonblocking: boolean): void {
    this.mode = { ...this.mode, nonblocking };
  }

  /** Called when the last descriptor goes. */
  protected onClose(): void {}

  /** Moves the position. Raises `ESPIPE` where there is none. */
  seek(_offset: number, _from: 'start' | 'current' | 'end'): number {
    throw new SystemError('ESPIPE');
  }

  /** True for a terminal. */
  get isTerminal(): boolean {
    return false;
  }

  /** One more descriptor. */
  retain(): this {
    this.references += 1;
    return this;
  }

  /** One descriptor less. */
  release(): void {
    this.references -= 1;
    if (this.references === 0) this.onClose();
  }
}

/** An open regular file or folder. */
export class OpenRegular extends OpenFile {
  /** Where the next read or write happens, in bytes. */
  offset = 0;

  constructor(
    private readonly files: FileSystem,
    readonly ino: number,
    opened: { readonly mode: OpenMode; readonly path: string; readonly onClose: (ino: number) => void },
  ) {
    super(opened.mode, opened.path);
    this.closed = opened.onClose;
  }

  private readonly closed: (ino: number) => void;

  override stat(): Inode {
    return this.files.get(this.ino);
  }

  override readNow(max: number): Uint8Array {
    if (!this.mode.read) throw new SystemError('EBADF');
    const inode = this.files.get(this.ino);
    if (inode.kind === 'directory') throw new SystemError('EISDIR');
    const bytes = this.files.read(this.ino, this.offset, max);
    this.offset += bytes.length;
    return bytes;
  }

  override writeNow(bytes: Uint8Array): number {
    if (!this.mode.write) throw new SystemError('EBADF');
    if (bytes.length === 0) return 0;
    if (this.mode.append === true) this.offset = this.files.get(this.ino).content?.size ?? 0;
    const written = this.files.write(this.ino, this.offset, this.allowed(bytes));
    this.offset += written;
    return written;
  }

  /** What of a write goes through, where somebody decides that. */
  private allowed(bytes: Uint8Array): Uint8Array {
    const { onWrite } = this.files;
    const verdict =
      onWrite === null ? null : onWrite(this.path, { bytes: bytes.length, offset: this.offset });
    if (verdict === null) return bytes;
    if (verdict.bytes === 0) throw new SystemError(verdict.code);
    return bytes.subarray(0, verdict.bytes);
  }

  override seek(offset: number, from: 'start' | 'current' | 'end'): number {
    const size = this.files.get(this.ino).content?.size ?? 0;
    const start = from === 'start' ? 0 : from === 'current' ? this.offset : size;
    if (start + offset < 0) throw new SystemError('EINVAL');
    this.offset = start + offset;
    return this.offset;
  }

  protected override onClose(): void {
    this.closed(this.ino);
  }
}

/** An open file that cannot be read. */
export class OpenBroken extends OpenFile {
  constructor(
    private readonly inode: Inode,
    private readonly code: ErrorCode,
    path: string,
  ) {
    super({ read: true, write: false }, path);
  }

  override stat(): Inode {
    return this.inode;
  }

  override readNow(): Uint8Array {
    throw new SystemError(this.code, this.path);
  }

  override writeNow(): number {
    throw new SystemError('EBADF');
  }

  override seek(): number {
    return 0;
  }
}

/** An open file whose text was computed when it was opened, as in `/proc`. */
export class OpenComputed extends OpenFile {
  private offset = 0;

  constructor(
    private readonly inode: Inode,
    private readonly bytes: Uint8Array,
    path: string,
  ) {
    super({ read: true, write: false }, path);
  }

  override stat(): Inode {
    return this.inode;
  }

  override readNow(max: number): Uint8Array {
    const piece = this.bytes.subarray(this.offset, this.offset + max);
    this.offset += piece.length;
    return piece;
  }

  override writeNow(): number {
    throw new SystemError('EBADF');
  }

  override seek(offset: number, from: 'start' | 'current' | 'end'): number {
    this.offset = (from === 'start' ? 0 : from === 'current' ? this.offset : this.bytes.length) + offset;
    return this.offset;
  }
}
