/**
 * Words of an awk program: mawk's tokens, with line numbers and mawk's messages for what is none.
 */
import { AwkSyntaxError } from './syntax-error.js';

/** What kind of token it is. `word` covers keywords, builtins and names; `operator` everything with signs. */
export interface AwkToken {
  readonly kind: 'number' | 'string' | 'regex' | 'word' | 'call' | 'operator' | 'newline' | 'end';
  readonly text: string;
  readonly line: number;
  readonly number?: number;
}

const KEYWORDS = new Set(
  'BEGIN END function if else while do for in break continue next nextfile exit return delete getline print printf'.split(
    ' ',
  ),
);
const OPERATORS = [
  '**=',
  '&&',
  '||',
  '++',
  '--',
  '+=',
  '-=',
  '*=',
  '/=',
  '%=',
  '^=',
  '==',
  '<=',
  '>=',
  '!=',
  '>>',
  '{',
  '}',
  '(',
  ')',
  '[',
  ']',
  ';',
  ',',
  '+',
  '-',
  '*',
  '/',
  '%',
  '^',
  '!',
  '<',
  '>',
  '|',
  '?',
  ':',
  '~',
  '$',
  '=',
];

/** True for a reserved word. */
export function isKeyword(text: string): boolean {
  return KEYWORDS.has(text);
}

/** Reads tokens one after the other; the parser says where a slash starts a regular expression. */
export class AwkLexer {
  private at = 0;
  line = 1;

  constructor(private readonly text: string) {}

  /** The next token. */
  next(regexAllowed: boolean): AwkToken {
    this.skipBlank();
    const { line } = this;
    const here = this.text[this.at];
    if (here === undefined) return { kind: 'end', text: '', line };
    if (here === '\n') {
      this.at++;
      this.line++;
      return { kind: 'newline', text: '\n', line };
    }
    if (/[0-9]/.test(here) || (here === '.' && /[0-9]/.test(this.text[this.at + 1] ?? '')))
      return this.number();
    if (here === '"') return this.string();
    if (/[A-Za-z_]/.test(here)) return this.word();
    if (here === '/' && regexAllowed) return this.regex();
    const operator = OPERATORS.find((one) => this.text.startsWith(one, this.at));
    if (operator === undefined || operator === '**=') {
      if (operator === undefined)
        throw new AwkSyntaxError(`${line}: unexpected character '${here}'`, undefined);
      this.at++;
      return { kind: 'operator', text: '*', line };
    }
    this.at += operator.length;
    return { kind: 'operator', text: operator, line };
  }

  /** True if the text behind the current token, blanks skipped, starts with some words. */
  startsWith(words: string): boolean {
    let at = this.at;
    while (this.text[at] === ' ' || this.text[at] === '\t') at++;
    return this.text.startsWith(words, at);
  }

  /** What stands next without reading it: for telling `name(` from `name (`. */
  private peek(): string {
    return this.text[this.at] ?? '';
  }

  private skipBlank(): void {
    for (;;) {
      const here = this.text[this.at];
      if (here === ' ' || here === '\t' || here === '\r') this.at++;
      else if (here === '\\' && this.text[this.at + 1] === '\n') {
        this.at += 2;
        this.line++;
      } else if (here === '\\' && this.text.startsWith('\r\n', this.at + 1)) {
        this.at += 3;
        this.line++;
      } else if (here === '#') {
        while (this.at < this.text.length && this.text[this.at] !== '\n') this.at++;
      } else return;
    }
  }

  private number(): AwkToken {
    const found = /^(?:0[xX][0-9a-fA-F]+|(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)/.exec(
      this.text.slice(this.at, this.at + 400),
    );
    const text = found?.[0] ?? '0';
    this.at += text.length;
    return { kind: 'number', text, line: this.line, number: Number(text) };
  }

  private word(): AwkToken {
    const start = this.at;
    while (/[A-Za-z0-9_]/.test(this.text[this.at] ?? '')) this.at++;
    const text = this.text.slice(start, this.at);
    const called = this.peek() === '(' && !KEYWORDS.has(text);
    return { kind: called ? 'call' : 'word', text: text === 'func' ? 'function' : text, line: this.line };
  }

  private string(): AwkToken {
    const { line } = this;
    const start = this.at;
    let raw = '';
    for (this.at++; this.text[this.at] !== '"'; this.at++) {
      const here = this.text[this.at];
      if (here === undefined || here === '\n') {
        const shown = this.text.slice(start, this.at).slice(0, 10);
        throw new AwkSyntaxError(`line ${line}: runaway string constant ${shown} ...`, undefined);
      }
      if (here === '\\') {
        const next = this.text[this.at + 1];
        this.at++;
        if (next === '\n') {
          this.line++;
          continue;
        }
        raw += `\\${next ?? ''}`;
        continue;
      }
      raw += here;
    }
    this.at++;
    return { kind: 'string', text: unescapeAwk(raw), line };
  }

  private regex(): AwkToken {
    const { line } = this;
    const start = this.at;
    let raw = '';
    for (this.at++; this.text[this.at] !== '/'; this.at++) {
      const here = this.text[this.at];
      if (here === undefined || here === '\n') {
        const shown = this.text.slice(start, this.at).slice(0, 10);
        throw new AwkSyntaxError(`line ${line}: runaway regular expression ${shown} ...`, undefined);
      }
      if (here === '[') {
        const end = bracketEnd(this.text, this.at);
        if (end > 0) {
          raw += this.text.slice(this.at, end);
          this.at = end - 1;
          continue;
        }
      }
      if (here === '\\') {
        const next = this.text[this.at + 1] ?? '';
        this.at++;
        raw += next === '/' ? '/' : `\\${next}`;
        continue;
      }
      raw += here;
    }
    this.at++;
    return { kind: 'regex', text: raw, line };
  }
}

/** The place behind a bracket expression, or 0 where it has no end on its line. */
function bracketEnd(text: string, start: number): number {
  let at = start + 1;
  if (text[at] === '^') at++;
  if (text[at] === ']') at++;
  for (; at < text.length && text[at] !== '\n'; at++) {
    if (text[at] === '\\') at++;
    else if (text[at] === '[' && text[at + 1] === ':') {
      const end = text.indexOf(':]', at + 2);
      if (end > 0) at = end + 1;
    } else if (text[at] === ']') return at + 1;
  }
  return 0;
}

const SIMPLE: Readonly<Record<string, string>> = {
  '"': '"',
  '\\': '\\',
  a: '\x07',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
};

/** Replaces the escapes of a string constant; an unknown one keeps its backslash, as in mawk. */
export function unescapeAwk(raw: string): string {
  return raw.replace(/\\(?:([0-7]{1,3})|x([0-9a-fA-F]{1,2})|([\s\S]))/g, (whole, octal, hex, one) => {
    if (octal !== undefined) return String.fromCharCode(Number.parseInt(octal, 8) & 0xff);
    if (hex !== undefined) return String.fromCharCode(Number.parseInt(hex, 16));
    return (Object.hasOwn(SIMPLE, one) ? SIMPLE[one] : undefined) ?? whole;
  });
}
