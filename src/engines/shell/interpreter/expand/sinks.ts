/**
 * Where expanded text goes: into fields, into one text, or into a pattern.
 *
 * The idea: the expander says for each piece whether it is literal, quoted, or the result of an unquoted expansion;
 * the sink does what its place asks with it: splitting at IFS, keeping, or escaping. Source: bash manual, Word Splitting.
 */
import { ShellFailure } from '../failures.js';
import { quotePattern } from '../patterns/pattern.js';

/** The longest text that an expansion makes, in characters. */
const MAX_TEXT = 32 * 1024 * 1024;

/** Joins two texts. @throws ShellFailure when that needs more memory than there is. */
export function joined(left: string, right: string): string {
  const length = left.length + right.length;
  if (length > MAX_TEXT) throw new ShellFailure(`xrealloc: cannot allocate ${length} bytes`, 'exit', 2);
  return left + right;
}

/** A receiver of expanded text. */
export interface Sink {
  /** Unquoted text of the word itself. */
  literal(text: string): void;
  /** Quoted text; also empty, which makes a field. */
  quoted(text: string): void;
  /** The value of an unquoted expansion. */
  split(text: string): void;
  /** Between two elements of a list. `joiner` is what joins them where they stay one text. */
  between(joiner: string, isSeparate: boolean): void;
}

/** A field, with its pattern where it has characters that match. */
export interface Field {
  readonly text: string;
  readonly pattern: string | undefined;
}

const MAGIC = /[*?[\\]|[+@!]\(/;

/** Fields of a command line. */
export class FieldSink implements Sink {
  readonly fields: Field[] = [];
  private text = '';
  private pattern: string | undefined;
  private isOpen = false;
  private endedByWhite = false;

  /** `ifs`: the characters that split; undefined is space, tab and newline. */
  constructor(private readonly ifs: string | undefined) {}

  private append(text: string, asPattern: string | undefined): void {
    this.isOpen = true;
    this.endedByWhite = false;
    if (this.pattern !== undefined) this.pattern += asPattern ?? quotePattern(text);
    else if (asPattern !== undefined && MAGIC.test(asPattern))
      this.pattern = quotePattern(this.text) + asPattern;
    this.text = joined(this.text, text);
  }

  literal(text: string): void {
    if (text !== '') this.append(text, text);
  }

  quoted(text: string): void {
    this.append(text, undefined);
  }

  split(text: string): void {
    if (text === '') return;
    const { ifs } = this;
    if (ifs === undefined) this.splitDefault(text);
    else if (ifs === '') this.append(text, text);
    else this.splitAt(text, ifs);
  }

  private splitDefault(text: string): void {
    if (!/[ \t\n]/.test(text)) {
      this.append(text, text);
      return;
    }
    const pieces = text.split(/[ \t\n]+/);
    pieces.forEach((piece, index) => {
      if (index > 0 && this.isOpen) {
        this.close();
        this.endedByWhite = true;
      }
      if (piece !== '') this.append(piece, piece);
    });
  }

  private splitAt(text: string, ifs: string): void {
    let start = 0;
    for (let at = 0; at < text.length; at += 1) {
      const char = text[at] as string;
      if (!ifs.includes(char)) continue;
      if (at > start) this.append(text.slice(start, at), text.slice(start, at));
      start = at + 1;
      const isWhite = char === ' ' || char === '\t' || char === '\n';
      if (isWhite) {
        if (this.isOpen) {
          this.close();
          this.endedByWhite = true;
        }
      } else if (this.isOpen) this.close();
      else if (this.endedByWhite) this.endedByWhite = false;
      else this.fields.push({ text: '', pattern: undefined });
    }
    if (start < text.length) this.append(text.slice(start), text.slice(start));
  }

  between(_joiner: string, isSeparate: boolean): void {
    if (isSeparate || this.isOpen) this.close();
  }

  private close(): void {
    this.fields.push({ text: this.text, pattern: this.pattern });
    this.text = '';
    this.pattern = undefined;
    this.isOpen = false;
    this.endedByWhite = false;
  }

  /** Ends the last field. */
  finish(): readonly Field[] {
    if (this.isOpen) this.close();
    return this.fields;
  }
}

/** One text without splitting. */
export class TextSink implements Sink {
  text = '';

  literal(text: string): void {
    this.text = joined(this.text, text);
  }

  quoted(text: string): void {
    this.text = joined(this.text, text);
  }

  split(text: string): void {
    this.text = joined(this.text, text);
  }

  between(joiner: string): void {
    this.text += joiner;
  }
}

/** A pattern or expression: quoted text is escaped, the rest keeps its meaning. */
export class PatternSink implements Sink {
  text = '';

  constructor(private readonly escapeText: (text: string) => string = quotePattern) {}

  literal(text: string): void {
    this.text = joined(this.text, text);
  }

  quoted(text: string): void {
    this.text += this.escapeText(text);
  }

  split(text: string): void {
    this.text = joined(this.text, text);
  }

  between(joiner: string): void {
    this.text += joiner;
  }
}
