/**
 * Output of `bc` and `dc`: a line that grows too long goes on after a backslash.
 */
import type { Io } from '../../../kernel/index.js';

/** Writes text in lines of at most `width` characters (0: no limit). */
export class WrappedOutput {
  private column = 0;

  constructor(
    private readonly io: Io,
    private readonly width: number,
  ) {}

  /** Writes a number's digits. */
  number(text: string): void {
    let out = '';
    for (const character of text) {
      this.column += 1;
      if (this.width > 0 && this.column === this.width - 1) {
        out += '\\\n';
        this.column = 1;
      }
      out += character;
    }
    this.io.out(out);
  }

  /** Writes bytes as they are. */
  bytes(bytes: Uint8Array): void {
    this.io.out(bytes);
    this.column += bytes.length;
  }

  /** Writes a text as it is. */
  text(text: string): void {
    this.io.out(text);
    const last = text.lastIndexOf('\n');
    this.column = last < 0 ? this.column + text.length : text.length - last - 1;
  }
}

/** The line length of an environment variable: 70 unless it holds a number of 3 or more, or 0. */
export function lineLength(value: string | undefined): number {
  const given = /^\d+$/.test(value ?? '') ? Number(value) : undefined;
  return given === undefined || (given < 3 && given !== 0) ? 70 : given;
}
