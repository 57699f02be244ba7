/**
 * How xargs cuts its input into words: blanks and line breaks with quotes and backslashes, lines, or a delimiter.
 */

/** One word. */
export interface InputItem {
  readonly text: string;
  /** A line of input ended after it; a line that ends in a blank goes on. */
  readonly endsLine: boolean;
}

/** What was cut. An error comes after the words before it. */
export interface SplitInput {
  readonly items: readonly InputItem[];
  readonly error?: string;
  readonly warning?: string;
}

const NUL_WARNING =
  'WARNING: a NUL character occurred in the input.  It cannot be passed through in the argument list.  Did you mean to use the --null option?';

/** Cuts a text. With a delimiter nothing else is special. */
export function splitInput(
  text: string,
  how: { readonly delimiter: string | undefined; readonly end: string | undefined; readonly byLine: boolean },
): SplitInput {
  if (how.delimiter !== undefined) {
    const parts = text.split(how.delimiter);
    if (parts[parts.length - 1] === '') parts.pop();
    return { items: parts.map((one) => ({ text: one, endsLine: true })) };
  }
  return new Cutter(text, how.end, how.byLine).cut();
}

class Cutter {
  private readonly items: { text: string; endsLine: boolean }[] = [];
  private word: string | undefined;
  private nul = false;
  private ended = false;

  constructor(
    private readonly text: string,
    private readonly end: string | undefined,
    private readonly byLine: boolean,
  ) {}

  cut(): SplitInput {
    const { text } = this;
    let error: string | undefined;
    for (let at = 0; at < text.length && !this.ended; at++) {
      const here = text[at] ?? '';
      if (here === "'" || here === '"') {
        const stop = this.closing(here, at + 1);
        if (stop === undefined) {
          const name = here === "'" ? 'single' : 'double';
          error = `unmatched ${name} quote; by default quotes are special to xargs unless you use the -0 option`;
          this.word = undefined;
          break;
        }
        this.take(text.slice(at + 1, stop));
        at = stop;
      } else if (here === '\\') this.take(text[++at] ?? '');
      else if (here === '\n') this.lineEnd(text[at - 1] ?? '');
      else if (here === ' ' || here === '\t') {
        if (!this.byLine) this.finish();
        else if (this.word !== undefined) this.word += here;
      } else this.take(here);
    }
    if (error === undefined && !this.ended) this.finish();
    const last = this.items[this.items.length - 1];
    if (last !== undefined) last.endsLine = true;
    return {
      items: this.items,
      ...(error !== undefined && { error }),
      ...(this.nul && { warning: NUL_WARNING }),
    };
  }

  private closing(quote: string, from: number): number | undefined {
    for (let at = from; at < this.text.length; at++) {
      if (this.text[at] === quote) return at;
      if (this.text[at] === '\n') return undefined;
    }
    return undefined;
  }

  private take(text: string): void {
    this.word = (this.word ?? '') + text;
  }

  private lineEnd(before: string): void {
    this.finish();
    const last = this.items[this.items.length - 1];
    if (last !== undefined && before !== ' ' && before !== '\t') last.endsLine = true;
  }

  private finish(): void {
    if (this.word === undefined) return;
    let { word } = this;
    this.word = undefined;
    const isCut = word.includes('\0');
    if (isCut) {
      // What follows a zero byte is lost up to the end of the word.
      this.nul = true;
      word = word.slice(0, word.indexOf('\0'));
    }
    if (this.end !== undefined && word === this.end && !isCut) {
      this.ended = true;
      return;
    }
    this.items.push({ text: word, endsLine: false });
  }
}
