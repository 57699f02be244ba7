/**
 * Lines of a stream of bytes, whatever the sizes of its pieces.
 *
 * Bytes, not text: a character that arrives in two pieces is whole before it is read (hard case P-MCP-2). A line over
 * the limit is dropped to its end, once said, so that memory stays bounded and the next line is still read.
 */

/** What a splitter hands on. */
export interface LineListener {
  /** One line, without its line feed. */
  line(bytes: Uint8Array): void;
  /** A line was longer than the limit and is dropped. */
  tooLong(): void;
}

/** Cuts pieces into lines of at most `maxBytes`. */
export class LineSplitter {
  readonly #listener: LineListener;
  readonly #maxBytes: number;
  #parts: Uint8Array[] = [];
  #heldBytes = 0;
  #dropping = false;

  constructor(listener: LineListener, maxBytes: number) {
    this.#listener = listener;
    this.#maxBytes = maxBytes;
  }

  /** Takes the next piece. */
  push(piece: Uint8Array): void {
    let from = 0;
    for (let lf = piece.indexOf(0x0a); lf >= 0; lf = piece.indexOf(0x0a, from)) {
      this.#hold(piece.subarray(from, lf));
      this.#end();
      from = lf + 1;
    }
    // A copy: the piece may be a small view of a large buffer that is used again.
    if (from < piece.length) this.#hold(Uint8Array.prototype.slice.call(piece, from));
  }

  /** Says that the stream has ended; a last line without a line feed counts. */
  end(): void {
    if (this.#heldBytes > 0) this.#end();
  }

  #hold(part: Uint8Array): void {
    if (this.#dropping || part.length === 0) return;
    if (this.#heldBytes + part.length > this.#maxBytes) {
      this.#parts = [];
      this.#heldBytes = 0;
      this.#dropping = true;
      this.#listener.tooLong();
      return;
    }
    this.#parts.push(part);
    this.#heldBytes += part.length;
  }

  #end(): void {
    const dropped = this.#dropping;
    const [only] = this.#parts;
    const line = this.#parts.length === 1 && only !== undefined ? only : Buffer.concat(this.#parts);
    this.#parts = [];
    this.#heldBytes = 0;
    this.#dropping = false;
    if (!dropped) this.#listener.line(line);
  }
}
