/**
 * The bytes of a regular file: a growing buffer whose tail may be a hole (zeros that are not stored).
 *
 * The idea: `truncate -s 1G f` and `dd if=/dev/zero` cost nothing, appending is amortised O(1), and a fork shares the
 * buffer until one side writes.
 */

const NO_BYTES = new Uint8Array(0);
/** Pieces at least this long are looked at for being all zeros. */
const ZERO_CHECK_BYTES = 512;
/** How much room at most is made in advance. */
const MAX_SPARE_BYTES = 32 * 1024 * 1024;

function isZero(bytes: Uint8Array): boolean {
  for (let index = 0; index < bytes.length; index++) if (bytes[index] !== 0) return false;
  return true;
}

/** What a file holds. `size` is its length, `storedBytes` what of it takes memory. */
export class Content {
  size: number;
  storedBytes: number;
  /** Bytes that were written, holes left out: what the file takes on its disk. */
  allocatedBytes: number;
  private buffer: Uint8Array;
  private isOwn: boolean;

  /** Holds the bytes without copying them; they are not changed in place. `size` may be larger: a hole follows. */
  constructor(bytes: Uint8Array = NO_BYTES, size: number = bytes.length) {
    this.buffer = bytes;
    this.storedBytes = bytes.length;
    this.allocatedBytes = bytes.length;
    this.size = size;
    this.isOwn = false;
  }

  /** An equal content that is changed apart from this one; this one must not be changed any more. */
  fork(): Content {
    const copy = new Content(this.buffer, this.size);
    copy.storedBytes = this.storedBytes;
    copy.allocatedBytes = this.allocatedBytes;
    return copy;
  }

  /** Up to `length` bytes from an offset; empty at the end. The caller does not change them. */
  read(offset: number, length: number): Uint8Array {
    const end = Math.min(this.size, offset + length);
    if (offset >= end) return NO_BYTES;
    if (end <= this.storedBytes) {
      // An own buffer may be written later in place, so what is read from it is a copy.
      return this.isOwn ? this.buffer.slice(offset, end) : this.buffer.subarray(offset, end);
    }
    const piece = new Uint8Array(end - offset);
    if (offset < this.storedBytes) piece.set(this.buffer.subarray(offset, this.storedBytes));
    return piece;
  }

  /** Writes at an offset; a gap before it is zeros. */
  write(offset: number, bytes: Uint8Array): void {
    const end = offset + bytes.length;
    const isHole = offset >= this.storedBytes && bytes.length >= ZERO_CHECK_BYTES && isZero(bytes);
    if (!isHole && bytes.length > 0) {
      this.reserve(end);
      this.buffer.set(bytes, offset);
      if (end > this.storedBytes) this.storedBytes = end;
    }
    if (end > this.size) {
      this.allocatedBytes += end - Math.max(offset, this.size);
      this.size = end;
    }
  }

  /** Cuts the content or lengthens it with zeros. */
  resize(size: number): void {
    if (size < this.storedBytes) {
      // What is cut off must read as zeros when the file grows again.
      if (this.isOwn) this.buffer.fill(0, size, this.storedBytes);
      this.storedBytes = size;
    }
    this.size = size;
    this.allocatedBytes = Math.min(this.allocatedBytes, size);
  }

  /** Makes the buffer an own one with room up to `end`; what lies between is zeros. */
  private reserve(end: number): void {
    if (this.isOwn && end <= this.buffer.length) return;
    const wanted =
      end > this.storedBytes
        ? Math.max(end, Math.min(this.storedBytes * 2, end + MAX_SPARE_BYTES))
        : this.storedBytes;
    const grown = new Uint8Array(wanted);
    grown.set(this.buffer.subarray(0, this.storedBytes));
    this.buffer = grown;
    this.isOwn = true;
  }
}
