/**
 * Bytes that wait between a writer and a reader: the inside of pipes and sockets.
 */

/** Pieces in the order in which they came. */
export class ByteQueue {
  private chunks: Uint8Array[] = [];
  private bytes = 0;

  /** Bytes that wait. */
  get size(): number {
    return this.bytes;
  }

  /** Takes in a copy of at most `room` bytes; returns how many. */
  put(bytes: Uint8Array, room: number): number {
    const piece = bytes.slice(0, Math.max(0, room));
    if (piece.length > 0) this.chunks.push(piece);
    this.bytes += piece.length;
    return piece.length;
  }

  /** Takes out at most `max` bytes; none where none wait. */
  take(max: number): Uint8Array {
    const piece = this.gather(max);
    this.bytes -= piece.length;
    return piece;
  }

  /** The first bytes, which stay. */
  peek(max: number): Uint8Array {
    const piece = this.gather(max);
    if (piece.length > 0) this.chunks.unshift(piece);
    return piece;
  }

  private gather(max: number): Uint8Array {
    const parts: Uint8Array[] = [];
    let length = 0;
    while (this.chunks.length > 0 && length < max) {
      const next = this.chunks[0] as Uint8Array;
      const part = next.subarray(0, max - length);
      if (part.length < next.length) this.chunks[0] = next.subarray(part.length);
      else this.chunks.shift();
      parts.push(part);
      length += part.length;
    }
    if (parts.length === 1) return parts[0] as Uint8Array;
    const joined = new Uint8Array(length);
    let at = 0;
    for (const part of parts) {
      joined.set(part, at);
      at += part.length;
    }
    return joined;
  }
}
