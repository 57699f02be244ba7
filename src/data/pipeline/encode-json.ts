/**
 * JSON as bytes in one growing buffer, without a string in between.
 *
 * The idea: the platform's writer makes a string, which is then copied into bytes; where items are long texts, as here,
 * both together take longer than anything else a stage does. Long strings are encoded straight into the buffer, the
 * characters to escape are counted in place, and only where there are some the text is spread out, from its end. The bytes
 * are those of `JSON.stringify`, integers beyond 2^53 (`bigint`) are digits. Not covered: `toJSON`, cycles.
 */

/** Strings of fewer units are left to the platform. */
const LONG_UNITS = 48;
const SMALLEST_BYTES = 1 << 16;
const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const HEX = '0123456789abcdef';

/** Four bytes of one value each, for looking at four bytes at a time. */
const ONES = 0x01010101;
const QUOTES = QUOTE * ONES;
const BACKSLASHES = BACKSLASH * ONES;
const SPACES = 0x20 * ONES;
const HIGH_BITS = 0x80808080 | 0;

/** How many bytes more the JSON form of a byte of a string has. */
const EXTRA = new Uint8Array(256);
/** The letter after the backslash for bytes with a short escape. */
const LETTER = new Uint8Array(256);

function layOut(): void {
  EXTRA.fill(5, 0, 0x20);
  for (const [byte, letter] of [
    [0x08, 'b'],
    [0x09, 't'],
    [0x0a, 'n'],
    [0x0c, 'f'],
    [0x0d, 'r'],
    [QUOTE, '"'],
    [BACKSLASH, '\\'],
  ] as const) {
    EXTRA[byte] = 1;
    LETTER[byte] = letter.charCodeAt(0);
  }
}

layOut();

/** True if a text has no half of a surrogate pair. Node 20 has the method, the language level of this project's types has not. */
function isWellFormed(text: string): boolean {
  return (text as unknown as { isWellFormed(): boolean }).isWellFormed();
}

/** A buffer that JSON values and texts are written into, one after another. */
export class JsonBytes {
  private buffer = Buffer.allocUnsafeSlow(SMALLEST_BYTES);
  /** The same bytes, four at a time. */
  private blocks = blocksOf(this.buffer);
  private at = 0;
  /** Short things that are not in the buffer yet. */
  private small = '';
  private readonly encoder = new TextEncoder();
  private readonly names = new Map<string, string>();

  /** Bytes and units that wait. */
  get size(): number {
    return this.at + this.small.length;
  }

  /** Writes a value as JSON; what JSON has not is left out of objects and null in lists, as the platform does it. */
  value(value: unknown): void {
    if (typeof value === 'string') this.string(value);
    else if (typeof value === 'bigint') this.small += value.toString();
    else if (typeof value !== 'object' || value === null) this.small += JSON.stringify(value) ?? 'null';
    else if (Array.isArray(value)) this.list(value);
    else this.object(value as Readonly<Record<string, unknown>>);
  }

  /** Writes a text as it is; half a surrogate pair becomes U+FFFD. */
  text(text: string): void {
    if (text.length < LONG_UNITS) this.small += text;
    else {
      this.settle();
      this.encode(text);
    }
  }

  /** All bytes so far; they are valid until the next call. */
  take(): Uint8Array {
    this.settle();
    const bytes = this.buffer.subarray(0, this.at);
    this.at = 0;
    return bytes;
  }

  private list(list: readonly unknown[]): void {
    this.small += '[';
    for (let i = 0; i < list.length; i++) {
      if (i > 0) this.small += ',';
      this.value(list[i]);
    }
    this.small += ']';
  }

  private object(object: Readonly<Record<string, unknown>>): void {
    let before = '{';
    for (const key of Object.keys(object)) {
      const member = object[key];
      if (member === undefined) continue;
      this.small += before + this.name(key);
      this.value(member);
      before = ',';
    }
    this.small += before === '{' ? '{}' : '}';
  }

  private name(key: string): string {
    const known = this.names.get(key);
    if (known !== undefined) return known;
    const made = `${JSON.stringify(key)}:`;
    if (this.names.size < 1_000 && key.length < 100) this.names.set(key, made);
    return made;
  }

  private string(text: string): void {
    if (text.length < LONG_UNITS) {
      this.small += JSON.stringify(text);
      return;
    }
    this.small += '"';
    this.settle();
    const start = this.at;
    const isAscii = this.encode(text) === text.length;
    if (isAscii || isWellFormed(text)) this.escape(start);
    else {
      // Half of a surrogate pair has an escape of its own, and no bytes.
      this.at = start;
      this.encode(JSON.stringify(text).slice(1, -1));
    }
    this.small = '"';
  }

  /** Spreads what was written from `start` on, so that the characters to escape have room for it. */
  private escape(start: number): void {
    const end = this.at;
    const { buffer } = this;
    let extra = 0;
    let from = start;
    for (const whole = Math.min(end, (start + 3) & ~3); from < whole; from++)
      extra += EXTRA[buffer[from] as number] as number;
    for (from = this.firstToEscape(from, end); from < end; from++)
      extra += EXTRA[buffer[from] as number] as number;
    if (extra === 0) return;
    this.reserve(extra);
    this.at = end + extra;
    spread(this.buffer, end - 1, this.at - 1);
  }

  /**
   * A place from `start`, the beginning of a block, with no byte to escape before it: the first block that has one, or the
   * last bytes. Looks at four bytes at a time: a subtraction borrows into the highest bit of a byte that is smaller.
   */
  private firstToEscape(start: number, end: number): number {
    const { blocks } = this;
    let block = start >> 2;
    for (; block < end >> 2; block++) {
      const four = blocks[block] as number;
      const quotes = four ^ QUOTES;
      const backslashes = four ^ BACKSLASHES;
      const found =
        ((quotes - ONES) & ~quotes) | ((backslashes - ONES) & ~backslashes) | ((four - SPACES) & ~four);
      if ((found & HIGH_BITS) !== 0) break;
    }
    return Math.max(start, block * 4);
  }

  private settle(): void {
    if (this.small === '') return;
    this.encode(this.small);
    this.small = '';
  }

  /** Adds the bytes of a text; gives how many. */
  private encode(text: string): number {
    this.reserve(text.length);
    let { read, written } = this.encoder.encodeInto(text, this.buffer.subarray(this.at));
    if (read < text.length) {
      this.reserve(text.length * 3);
      ({ read, written } = this.encoder.encodeInto(text, this.buffer.subarray(this.at)));
    }
    this.at += written;
    return written;
  }

  private reserve(bytes: number): void {
    if (this.buffer.length - this.at >= bytes) return;
    const larger = Buffer.allocUnsafeSlow(Math.max(this.buffer.length * 2, this.at + bytes));
    this.buffer.copy(larger, 0, 0, this.at);
    this.buffer = larger;
    this.blocks = blocksOf(larger);
  }
}

/** A buffer that begins at its memory's beginning, as blocks of four bytes. */
function blocksOf(buffer: Buffer): Int32Array {
  return new Int32Array(buffer.buffer, buffer.byteOffset, buffer.length >> 2);
}

/** Moves bytes from `from` down to `to` downwards, each with its escape, until nothing is left to move. */
function spread(buffer: Uint8Array, last: number, end: number): void {
  let to = end;
  let from = last;
  while (from < to) {
    const byte = buffer[from--] as number;
    const extra = EXTRA[byte] as number;
    if (extra === 0) buffer[to--] = byte;
    else if (extra === 1) {
      buffer[to--] = LETTER[byte] as number;
      buffer[to--] = BACKSLASH;
    } else {
      buffer[to--] = HEX.charCodeAt(byte & 15);
      buffer[to--] = HEX.charCodeAt(byte >> 4);
      buffer[to--] = 0x30;
      buffer[to--] = 0x30;
      buffer[to--] = 0x75;
      buffer[to--] = BACKSLASH;
    }
  }
}
