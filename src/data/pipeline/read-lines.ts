/**
 * Physical lines of an input as bytes, with the shard's lines alone.
 *
 * A line belongs to the part in which it begins. Lines end at LF; the LF is not part of the bytes given. Lines longer
 * than `LIMITS.lineBytes` come as undefined with their size, so that they are counted and not held.
 */
import { LIMITS } from '../../core/index.js';
import type { OpenInput } from './open-input.js';

/** One physical line. */
export interface ByteLine {
  /** Undefined for a line beyond the limit. */
  readonly bytes: Uint8Array | undefined;
  readonly sizeBytes: number;
  /** From 1, counted from the start of what is read. */
  readonly line: number;
  /** The input ended without a line feed after it. */
  readonly isCut: boolean;
}

/** Reads lines; `onBytes` is told of every piece that is read. */
export async function* readByteLines(
  input: OpenInput,
  onBytes: (piece: Uint8Array) => void = () => undefined,
): AsyncGenerator<readonly ByteLine[], void, undefined> {
  const splitter = new LineSplitter(input);
  for await (const piece of input.chunks) {
    onBytes(piece);
    yield splitter.push(piece);
    if (splitter.isDone) return;
  }
  yield splitter.end();
}

class LineSplitter {
  isDone = false;
  private parts: Uint8Array[] = [];
  private held = 0;
  private line = 0;
  /** Offset in the input of the first byte of the line that is being read. */
  private lineStart = 0;
  private skips: boolean;

  constructor(private readonly input: OpenInput) {
    this.skips = input.skipsFirstLine;
  }

  push(piece: Uint8Array): readonly ByteLine[] {
    const lines: ByteLine[] = [];
    let from = 0;
    for (let feed = piece.indexOf(0x0a); feed >= 0 && !this.isDone; feed = piece.indexOf(0x0a, from)) {
      this.hold(piece.subarray(from, feed));
      this.finish(lines, false);
      from = feed + 1;
    }
    if (!this.isDone && from < piece.length) this.hold(piece.subarray(from));
    return lines;
  }

  end(): readonly ByteLine[] {
    const lines: ByteLine[] = [];
    if (this.held > 0 && !this.isDone) this.finish(lines, true);
    return lines;
  }

  private hold(part: Uint8Array): void {
    this.held += part.length;
    if (this.held <= LIMITS.lineBytes) this.parts.push(part);
    else this.parts = [];
  }

  private finish(lines: ByteLine[], isCut: boolean): void {
    const sizeBytes = this.held;
    if (this.skips) this.skips = false;
    else if (this.lineStart >= this.input.endsAfter) this.isDone = true;
    else {
      this.line += 1;
      const isLong = sizeBytes > LIMITS.lineBytes;
      lines.push({ bytes: isLong ? undefined : this.joined(), sizeBytes, line: this.line, isCut });
    }
    this.lineStart += sizeBytes + 1;
    this.parts = [];
    this.held = 0;
    // The last line of a part is the one that begins before its end; the next begins at or after it.
    if (this.lineStart >= this.input.endsAfter) this.isDone = true;
  }

  private joined(): Uint8Array {
    const [only] = this.parts;
    return this.parts.length === 1 && only !== undefined ? only : Buffer.concat(this.parts);
  }
}
