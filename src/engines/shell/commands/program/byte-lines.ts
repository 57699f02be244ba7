/**
 * A reader of lines as byte strings (see `latin1.ts`).
 */
import type { Io, Process, Running } from '../../kernel/index.js';
import { latin1 } from './latin1.js';

/** Reads lines of a descriptor. */
export class ByteLines {
  private text = '';
  private at = 0;
  private isAtEnd = false;
  /** Whether the last line had its separator. */
  endedWithSeparator = true;

  constructor(
    private readonly parts: { readonly io: Io; readonly proc: Process },
    readonly fd: number,
    private readonly separator = '\n',
  ) {}

  /** The next line without its separator; null at the end. */
  *next(): Running<string | null> {
    for (;;) {
      const end = this.text.indexOf(this.separator, this.at);
      if (end >= 0) {
        const line = this.text.slice(this.at, end);
        this.at = end + 1;
        this.endedWithSeparator = true;
        return line;
      }
      const rest = this.at === 0 ? this.text : this.text.slice(this.at);
      const piece = this.isAtEnd ? '' : latin1(yield* this.parts.io.read(this.parts.proc, this.fd));
      this.at = 0;
      if (piece === '') {
        this.isAtEnd = true;
        this.text = '';
        if (rest === '') return null;
        this.endedWithSeparator = false;
        return rest;
      }
      this.text = rest + piece;
    }
  }

  /** All lines that are left. */
  *all(): Running<string[]> {
    const lines: string[] = [];
    for (;;) {
      const line = yield* this.next();
      if (line === null) return lines;
      lines.push(line);
    }
  }
}
