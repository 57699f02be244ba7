/**
 * Pipes and fifos: 64 KiB, whole writes up to 4 KiB, `EPIPE` without readers, end of file without writers.
 *
 * Source: pipe(7).
 */
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
  private chunks: Uint8Array[] = [];
  private bytes = 0;
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
    return this.bytes;
  }

  /** Takes up to `max` bytes; null where a read would wait. */
  take(max: number): Uint8Array | null {
    const first = this.chunks[0];
    if (first === undefined) return this.writers === 0 ? new Uint8Array(0) : null;
    let piece = first;
    if (first.length > max) {
      piece = first.subarray(0, max);
      this.chunks[0] = first.subarray(max);
    } else {
      this.chunks.shift();
      if (this.chunks.length > 0) piece = this.gather(first, max);
    }
    this.bytes -= piece.length;
    this.writableQueue.wake();
    return piece;
  }

  /** Gives bytes; returns how many fitted. */
  give(bytes: Uint8Array): number {
    if (this.readers === 0) throw new SystemError('EPIPE');
    const room = PIPE_BYTES - this.bytes;
    if (room <= 0 || (bytes.length <= ATOMIC_BYTES && room < bytes.length)) return 0;
    const piece = bytes.length <= room ? bytes.slice() : bytes.slice(0, room);
    this.chunks.push(piece);
    this.bytes += piece.length;
    this.readableQueue.wake();
    return piece.length;
  }

  /** Joins waiting pieces as far as they fit into one read. */
  private gather(first: Uint8Array, max: number): Uint8Array {
    const parts = [first];
    let length = first.length;
    while (this.chunks.length > 0 && length < max) {
      const next = this.chunks[0] as Uint8Array;
      const part = next.subarray(0, max - length);
      if (part.length < next.length) this.chunks[0] = next.subarray(part.length);
      else this.chunks.shift();
      parts.push(part);
      length += part.length;
    }
    const joined = new Uint8Array(length);
    let at = 0;
    for (const part of parts) {
      joined.set(part, at);
      at += part.length;
    }
    return joined;
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
