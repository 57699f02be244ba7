/**
 * Reads records: byte strings up to a separator that is a character, a regular expression, or blank lines.
 */
import type { Io, Process, Running } from '../../../kernel/index.js';
import { latin1 } from '../../program/latin1.js';
import type { Regex } from '../regex/regex.js';

/** How records end. */
export type RecordSeparator =
  | { readonly kind: 'character'; readonly character: string }
  | { readonly kind: 'paragraph' }
  | { readonly kind: 'regex'; readonly regex: Regex };

/** A source of records on a descriptor. */
export class RecordReader {
  private buffer = '';
  private at = 0;
  private ended = false;

  constructor(
    private readonly proc: Process,
    private readonly io: Io,
    readonly fd: number,
    /** The child whose output this is. */
    readonly pid?: number,
  ) {}

  /** The next record; undefined at the end. */
  *next(separator: RecordSeparator): Running<string | undefined> {
    if (separator.kind === 'paragraph') yield* this.skipBreaks();
    let from = this.at;
    for (;;) {
      const end = this.endOf(separator, from);
      if (end !== undefined) {
        const record = this.buffer.slice(this.at, end[0]);
        this.at = end[1];
        return record;
      }
      if (this.ended) break;
      from = Math.max(this.at, this.buffer.length - 1);
      const before = this.at;
      yield* this.fill();
      from -= before;
    }
    if (this.at >= this.buffer.length) return undefined;
    const rest = this.buffer.slice(this.at);
    this.at = this.buffer.length;
    return separator.kind === 'paragraph' ? rest.replace(/\n$/, '') : rest;
  }

  private *skipBreaks(): Running<void> {
    for (;;) {
      while (this.buffer[this.at] === '\n') this.at++;
      if (this.at < this.buffer.length || this.ended) return;
      yield* this.fill();
    }
  }

  private *fill(): Running<void> {
    const bytes = yield* this.io.read(this.proc, this.fd);
    if (bytes.length === 0) {
      this.ended = true;
      return;
    }
    this.buffer = this.buffer.slice(this.at) + latin1(bytes);
    this.at = 0;
  }

  /** Where the record ends and where the next begins; undefined where more must be read to know. */
  private endOf(separator: RecordSeparator, from: number): readonly [number, number] | undefined {
    if (separator.kind === 'character') {
      const end = this.buffer.indexOf(separator.character, Math.max(from, this.at));
      return end < 0 ? undefined : [end, end + 1];
    }
    if (separator.kind === 'paragraph') {
      const end = this.buffer.indexOf('\n\n', this.at);
      if (end < 0) return undefined;
      let next = end + 2;
      while (this.buffer[next] === '\n') next++;
      return next < this.buffer.length || this.ended ? [end, next] : undefined;
    }
    const text = this.at === 0 ? this.buffer : this.buffer.slice(this.at);
    const found = separator.regex.span(text);
    if (found === null) return undefined;
    const [start = 0, end = 0] = [found[0], found[1]];
    if (end === start || (end === text.length && !this.ended)) return undefined;
    return [this.at + start, this.at + end];
  }
}
