/**
 * Reads JSON values that stand one after the other, with jq 1.6's messages and places.
 *
 * Numbers may be `nan`; a value of digits and letters ends at the next separator, which is where its mistake is told.
 */
import type { JqValue } from './values.js';

/** A text that is no JSON; the message has the place. */
export class JsonTextError extends Error {}

/** Depth of nesting that is read. */
const MAX_DEPTH = 256;

/** Reads values one by one from a whole text. */
export class JsonReader {
  private at = 0;

  constructor(private readonly text: string) {}

  /** The next value; undefined at the end. Raises {@link JsonTextError}. */
  next(): JqValue | undefined {
    this.skip();
    return this.at >= this.text.length ? undefined : this.value(0);
  }

  /** The lines that were read with the last value: its own line counts where it has an end. */
  get line(): number {
    const end = this.text.indexOf('\n', Math.max(this.at - 1, 0));
    return this.text.slice(0, end < 0 ? this.text.length : end + 1).split('\n').length - 1;
  }

  private skip(): void {
    while (/^[\s\x1e\ufeff]$/.test(this.text[this.at] ?? '')) this.at++;
  }

  private fail(message: string, at = this.at): never {
    const before = this.text.slice(0, at);
    const line = before.split('\n').length;
    const column = at - (before.lastIndexOf('\n') + 1);
    throw new JsonTextError(`${message} at line ${line}, column ${column}`);
  }

  private unfinished(): never {
    const { text } = this;
    const line = text.split('\n').length;
    const column = text.length - (text.lastIndexOf('\n') + 1);
    throw new JsonTextError(`Unfinished JSON term at EOF at line ${line}, column ${column}`);
  }

  private value(depth: number): JqValue {
    const here = this.text[this.at];
    if (here === undefined) return this.unfinished();
    if (depth > MAX_DEPTH) this.fail('Exceeds depth limit for parsing');
    if (here === '{') return this.object(depth);
    if (here === '[') return this.list(depth);
    if (here === '"') return this.string();
    if (/[\]},:]/.test(here)) {
      const words: Readonly<Record<string, string>> = {
        ']': "Unmatched ']'",
        '}': "Unmatched '}'",
        ',': "Expected value before ','",
        ':': "':' not as part of an object",
      };
      return this.fail(words[here] ?? 'Invalid literal', this.at + 1);
    }
    return this.literal();
  }

  private literal(): JqValue {
    const start = this.at;
    while (this.at < this.text.length && !/[\s[\]{},:"]/.test(this.text[this.at] ?? '')) this.at++;
    const word = this.text.slice(start, this.at);
    if (word === 'true') return true;
    if (word === 'false') return false;
    if (word === 'null') return null;
    if (word === 'nan') return Number.NaN;
    if (/^-?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?$/.test(word)) return Number(word);
    const isLetters = /^[tfn]/.test(word) && word.length !== 4 && word.length !== 5 && word.length !== 3;
    const message = isLetters ? 'Invalid literal' : 'Invalid numeric literal';
    if (this.at >= this.text.length) {
      const line = this.text.split('\n').length;
      const column = this.text.length - (this.text.lastIndexOf('\n') + 1);
      throw new JsonTextError(`${message} at EOF at line ${line}, column ${column}`);
    }
    this.at++;
    return this.fail(message);
  }

  private string(): string {
    let out = '';
    for (this.at++; ; this.at++) {
      const here = this.text[this.at];
      if (here === undefined) return this.unfinishedString();
      if (here === '"') {
        this.at++;
        return out;
      }
      if (here !== '\\') {
        out += here;
        continue;
      }
      out += this.escape();
    }
  }

  private unfinishedString(): never {
    const line = this.text.split('\n').length;
    const column = this.text.length - (this.text.lastIndexOf('\n') + 1);
    throw new JsonTextError(`Unfinished string at EOF at line ${line}, column ${column}`);
  }

  private escape(): string {
    const letter = this.text[++this.at] ?? '';
    const simple: Readonly<Record<string, string>> = {
      '"': '"',
      '\\': '\\',
      '/': '/',
      b: '\b',
      f: '\f',
      n: '\n',
      r: '\r',
      t: '\t',
    };
    if (Object.hasOwn(simple, letter)) return simple[letter] ?? '';
    const digits = /^[0-9a-fA-F]{4}/.exec(this.text.slice(this.at + 1, this.at + 5))?.[0];
    if (letter !== 'u' || digits === undefined) {
      const end = this.text.indexOf('"', this.at + 1);
      return this.fail('Invalid escape', end < 0 ? this.text.length : end + 1);
    }
    this.at += 4;
    return String.fromCharCode(Number.parseInt(digits, 16));
  }

  private list(depth: number): JqValue {
    this.at++;
    const items: JqValue[] = [];
    this.skip();
    if (this.text[this.at] === ']') {
      this.at++;
      return items;
    }
    for (;;) {
      this.skip();
      items.push(this.value(depth + 1));
      this.skip();
      const here = this.text[this.at];
      if (here === undefined) return this.unfinished();
      this.at++;
      if (here === ']') return items;
      if (here !== ',') this.fail('Expected separator between values');
    }
  }

  private object(depth: number): JqValue {
    this.at++;
    const object = new Map<string, JqValue>();
    this.skip();
    if (this.text[this.at] === '}') {
      this.at++;
      return object;
    }
    for (;;) {
      this.skip();
      const here = this.text[this.at];
      if (here === undefined) return this.unfinished();
      const key = this.value(depth + 1);
      this.skip();
      const colon = this.text[this.at];
      if (colon === undefined) return this.unfinished();
      this.at++;
      if (typeof key !== 'string') return this.fail('Object keys must be strings');
      if (colon !== ':')
        this.fail(
          colon === '}' || colon === ','
            ? 'Objects must consist of key:value pairs'
            : 'Expected separator between values',
        );
      this.skip();
      object.set(key, this.value(depth + 1));
      this.skip();
      const end = this.text[this.at];
      if (end === undefined) return this.unfinished();
      this.at++;
      if (end === '}') return object;
      if (end !== ',') this.fail('Expected separator between values');
    }
  }
}
