/**
 * The text of a pager, read as far as it is needed: lines, and the rows of the screen that they take.
 */
import { type Running, toText } from '../../../kernel/index.js';
import type { Tool } from '../../program/tool.js';

const CHUNK = 65_536;
/** Lines of a stream that are kept; less keeps what fits into memory. */
const MOST_LINES = 1_000_000;

/** One row of the screen. */
export interface PagerRow {
  readonly text: string;
  /** The line that it belongs to, from 0. */
  readonly line: number;
}

/** How lines become rows. */
export interface RowLayout {
  readonly columns: number;
  readonly chops: boolean;
  readonly numbers: boolean;
}

/** A text that may still be read on. */
export class PagerText {
  readonly lines: string[] = [];
  /** Bytes up to the end of each line. */
  readonly ends: number[] = [];
  private held = '';
  private bytes = 0;
  isOver = false;

  /** `fd` is read on when more is asked for; null where `whole` is all of it. */
  constructor(
    readonly name: string,
    private readonly tool: Tool,
    private readonly source: { readonly fd: number } | { readonly whole: Uint8Array },
  ) {}

  /** All bytes where they are known. */
  get size(): number | undefined {
    return this.isOver ? (this.ends.at(-1) ?? 0) : undefined;
  }

  /** Reads until there are that many lines, or no more. */
  *need(count: number): Running<void> {
    while (!this.isOver && this.lines.length < count) {
      if ('whole' in this.source) {
        this.take(this.source.whole);
        this.finish();
        return;
      }
      const bytes = yield* this.tool.proc.read(this.source.fd, CHUNK);
      if (bytes.length === 0 || this.lines.length > MOST_LINES) this.finish();
      else this.take(bytes);
    }
  }

  private take(bytes: Uint8Array): void {
    const parts = (this.held + toText(bytes)).split('\n');
    this.held = parts.pop() ?? '';
    for (const part of parts) this.add(part, 1);
  }

  private add(line: string, ended: 0 | 1): void {
    this.bytes += byteLength(line) + ended;
    this.lines.push(line);
    this.ends.push(this.bytes);
  }

  private finish(): void {
    if (this.held !== '') this.add(this.held, 0);
    this.held = '';
    this.isOver = true;
  }
}

/** Bytes of a text; a byte that is no UTF-8 is kept as a lone surrogate. */
function byteLength(text: string): number {
  let length = 0;
  for (const char of text) {
    const code = char.codePointAt(0) ?? 0;
    length +=
      code < 0x80 || (code >= 0xdc80 && code <= 0xdcff) ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
  }
  return length;
}

/** A line as it is seen: tabs as spaces, control characters as `^X`. */
function shownLine(line: string): string {
  let out = '';
  for (const char of line.replace(/\r$/, '')) {
    if (char === '\t') out += ' '.repeat(8 - (out.length % 8));
    else if (char < ' ' || char === '\x7f') out += `^${String.fromCharCode(char.charCodeAt(0) ^ 64)}`;
    else out += char;
  }
  return out;
}

/** The rows of one line; `shift` columns are left out on the left of chopped ones. */
export function rowsOfLine(
  line: string,
  at: number,
  layout: RowLayout & { readonly shift: number },
): PagerRow[] {
  const number = layout.numbers ? `${String(at + 1).padStart(7)} ` : '';
  const width = Math.max(1, layout.columns - number.length);
  const shown = shownLine(line);
  if (layout.chops || layout.shift > 0) {
    const rest = shown.slice(layout.shift);
    const cut = rest.length > width ? `${rest.slice(0, width - 1)}\x1b[7m>\x1b[27m` : rest;
    return [{ text: number + cut, line: at }];
  }
  if (shown.length <= width) return [{ text: number + shown, line: at }];
  const rows: PagerRow[] = [];
  for (let from = 0; from < shown.length; from += width)
    rows.push({
      text: (from === 0 ? number : ' '.repeat(number.length)) + shown.slice(from, from + width),
      line: at,
    });
  return rows;
}
