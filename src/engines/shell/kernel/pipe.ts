/**
 * Pipes and fifos: 64 KiB, whole writes up to 4 KiB, `EPIPE` without readers, end of file without writers.
 *
 * Source: pipe(7).
 */
import { ByteQueue } from './byte-queue.js';
import { SystemError } from './errors.js';
import type { Inode } from './inode.js';
import { OpenFile, type OpenMode } from './open-file.js';
import { WaitQueue } from './wait.js';

/** How many bytes a pipe holds. */
const PIPE_BYTES = 65_536;
/** Writes up to this length are not split. */
const ATOMIC_BYTES = 4096;

/** What two ends share. */
export class Pipe {
  private readonly queue = new ByteQueue();
  readers = 0;
  writers = 0;
  /** How often each side was opened, for fifos whose other side waits for that. */
  readerOpens = 0;
  writerOpens = 0;
  readonly readableQueue = new WaitQueue();
  readonly writableQueue = new WaitQueue();
  /** Woken when an end of a fifo is opened. */
  readonly opened = new WaitQueue();

  constructor(readonly inode: Inode) {}

  /** Bytes that wait to be read. */
  get size(): number {
    return this.queue.size;
  }

  /** Takes up to `max` bytes; null where a read would wait. */
  take(max: number): Uint8Array | null {
    if (this.queue.size === 0) return this.writers === 0 ? new Uint8Array(0) : null;
    const piece = this.queue.take(max);
    this.writableQueue.wake();
    return piece;
  }

  /** True where a write of one byte, or of a whole small write, would not wait. */
  get hasRoom(): boolean {
    return this.readers === 0 || PIPE_BYTES - this.queue.size >= ATOMIC_BYTES;
  }

  /** Gives bytes; returns how many fitted. */
  give(bytes: Uint8Array): number {
    if (this.readers === 0) throw new SystemError('EPIPE');
    const room = PIPE_BYTES - this.queue.size;
    if (room <= 0 || (bytes.length <= ATOMIC_BYTES && room < bytes.length)) return 0;
    const written = this.queue.put(bytes, room);
    this.readableQueue.wake();
    return written;
  }
}

/** One end of a pipe, or both ends of a fifo opened for reading and writing. */
export class PipeEnd extends OpenFile {
  constructor(
    readonly pipe: Pipe,
    mode: OpenMode,
    path: string,
  ) {
    super(mode, path, pipe.readableQueue, pipe.writableQueue);
    if (mode.read) {
      pipe.readers += 1;
      pipe.readerOpens += 1;
    }
    if (mode.write) {
      pipe.writers += 1;
      pipe.writerOpens += 1;
    }
    pipe.opened.wake();
  }

  override stat(): Inode {
    return this.pipe.inode;
  }

  override readNow(max: number): Uint8Array | null {
    if (!this.mode.read) throw new SystemError('EBADF');
    return this.pipe.take(max);
  }

  override writeNow(bytes: Uint8Array): number {
    if (!this.mode.write) throw new SystemError('EBADF');
    return this.pipe.give(bytes);
  }

  override hasInput(): boolean {
    return this.pipe.size > 0 || this.pipe.writers === 0;
  }

  /** No bytes, and nobody who could write some. */
  get isDrained(): boolean {
    return this.pipe.size === 0 && this.pipe.writers === 0;
  }

  override hasRoom(): boolean {
    return this.pipe.hasRoom;
  }

  protected override onClose(): void {
    if (this.mode.read) {
      this.pipe.readers -= 1;
      if (this.pipe.readers === 0) this.pipe.writableQueue.wake();
    }
    if (this.mode.write) {
      this.pipe.writers -= 1;
      if (this.pipe.writers === 0) this.pipe.readableQueue.wake();
    }
  }
}
