/**
 * The interpreter's memory, as system calls read and write it.
 *
 * The views are asked for each time, because growing memory replaces them.
 */

/** What is used of the compiled module. */
export interface PythonModule {
  _PyObject_CallNoArgs(callable: number): number;
  _PyLong_AsLong(value: number): number;
}

/** A memory of WebAssembly. */
export interface WasmMemory {
  readonly buffer: ArrayBuffer;
  grow(pages: number): number;
}

/** Reads and writes. */
export class GuestMemory {
  /** The memory, once the interpreter has one. */
  memory: WasmMemory | null = null;
  private seen: ArrayBuffer | null = null;
  private cachedBytes = new Uint8Array(0);
  private cachedView = new DataView(new ArrayBuffer(0));

  get bytes(): Uint8Array {
    this.look();
    return this.cachedBytes;
  }

  private get view(): DataView {
    this.look();
    return this.cachedView;
  }

  /** Growing gives another buffer. */
  private look(): void {
    const buffer = this.memory?.buffer ?? new ArrayBuffer(0);
    if (buffer === this.seen) return;
    this.seen = buffer;
    this.cachedBytes = new Uint8Array(buffer);
    this.cachedView = new DataView(buffer);
  }

  int(at: number): number {
    return this.view.getInt32(at, true);
  }

  setInt(at: number, value: number): void {
    this.view.setInt32(at, value, true);
  }

  setShort(at: number, value: number): void {
    this.view.setInt16(at, value, true);
  }

  short(at: number): number {
    return this.view.getInt16(at, true);
  }

  setLong(at: number, value: number): void {
    this.view.setBigInt64(at, BigInt(Math.trunc(value)), true);
  }

  long(at: number): number {
    return Number(this.view.getBigInt64(at, true));
  }

  /** A text that ends with a zero byte. Bytes that are no UTF-8 are kept as code points of their own. */
  text(at: number): string {
    const { bytes } = this;
    return Buffer.from(bytes.subarray(at, bytes.indexOf(0, at))).toString('utf8');
  }

  /** Writes a text with a zero byte at its end; returns its bytes without it. */
  setText(at: number, text: string): number {
    const encoded = Buffer.from(text, 'utf8');
    const { bytes } = this;
    bytes.set(encoded, at);
    bytes[at + encoded.length] = 0;
    return encoded.length;
  }

  /** The pieces of an `iovec` array. */
  pieces(at: number, count: number): Uint8Array[] {
    const { bytes } = this;
    return Array.from({ length: count }, (_, index) => {
      const start = this.int(at + 8 * index);
      return bytes.subarray(start, start + this.int(at + 8 * index + 4));
    });
  }
}
