/**
 * A reader of lines as byte strings (see `latin1.ts`).
 */
import { type Io, type Process, type Running, SystemError } from '../../kernel/index.js';
import { latin1 } from './latin1.js';

/** The longest line that a program takes into memory. */
const MAX_LINE_BYTES = 32 * 1024 * 1024;

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

  /** The next line without its separator; null at the end. Raises `ENOMEM` for a line that no memory holds. */
  *next(): Running<string | null> {
    // Pieces of a line that goes on, so that each is looked at once.
    let before: string[] | null = null;
    let length = 0;
    for (;;) {
      const end = this.text.indexOf(this.separator, this.at);
      if (end >= 0) {
        const line = this.text.slice(this.at, end);
        this.at = end + 1;
        this.endedWithSeparator = true;
        return before === null ? line : before.join('') + line;
      }
      const rest = this.at === 0 ? this.text : this.text.slice(this.at);
      before ??= [];
      if (rest !== '') before.push(rest);
      length += rest.length;
      if (length > MAX_LINE_BYTES) throw new SystemError('ENOMEM');
      this.at = 0;
      this.text = this.isAtEnd ? '' : latin1(yield* this.parts.io.read(this.parts.proc, this.fd));
      if (this.text !== '') continue;
      this.isAtEnd = true;
      if (length === 0) return null;
      this.endedWithSeparator = false;
      return before.join('');
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
