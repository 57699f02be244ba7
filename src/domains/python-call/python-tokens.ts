/**
 * The words of a small part of Python: names, numbers, strings, signs and ends of statements.
 *
 * Nothing is ever executed; this only reads. The source is Python's lexical grammar: strings with their escapes,
 * triple quotes, line joining in brackets and behind a backslash, comments. Strings whose value needs more than reading
 * (f-strings, t-strings), raw and byte strings and `\N{…}` are refused with a reason. One pass, linear in the text.
 */

/** One word. `at` is an offset in UTF-16 units; `indent` is known of the first word of a line. */
export interface PythonToken {
  readonly kind: 'name' | 'number' | 'string' | 'sign' | 'end';
  /** The value of a string, else the text itself. */
  readonly text: string;
  readonly at: number;
  /** Spaces before the first word of a line; a tab counts as one. */
  readonly indent?: number;
}

/** Why a text is not of this part of Python, and where. */
export interface PythonProblem {
  readonly message: string;
  /** Offset in UTF-16 units. */
  readonly at: number;
}

/** Words of one text; more is refused. */
const MAX_TOKENS = 200_000;

/** Thrown inside this folder only, and caught at its door. */
export class PythonReadError extends Error {
  constructor(
    message: string,
    readonly at: number,
  ) {
    super(message);
  }
}

const NAME = /[\p{L}_][\p{L}\p{N}_]*/uy;
const NUMBER = /0[xX][0-9a-fA-F_]+|(?:\d[\d_]*)?\.?\d[\d_]*\.?(?:[eE][+-]?\d+)?/y;
const STRING_OPEN = /([A-Za-z]{0,2})("""|'''|"|')/y;
const SIGN = /\*\*|\/\/|==|!=|<=|>=|->|:=|[-+*/%@&|^~<>=()[\]{},.:;!]/y;

/** Splits a text into words. Throws {@link PythonReadError}. */
export function pythonTokens(text: string): readonly PythonToken[] {
  return new Lexer(text).run();
}

class Lexer {
  private at = 0;
  private depth = 0;
  private indent: number | undefined = 0;
  private readonly tokens: PythonToken[] = [];

  constructor(private readonly text: string) {}

  run(): readonly PythonToken[] {
    while (this.at < this.text.length) {
      if (this.tokens.length > MAX_TOKENS)
        throw new PythonReadError(`more than ${MAX_TOKENS} words`, this.at);
      if (!this.skip()) this.word();
    }
    this.push('end', '', this.at);
    return this.tokens;
  }

  private push(kind: PythonToken['kind'], text: string, at: number): void {
    const indent = kind !== 'end' && this.indent !== undefined ? { indent: this.indent } : {};
    if (kind !== 'end') this.indent = undefined;
    this.tokens.push({ kind, text, at, ...indent });
  }

  /** Passes over white space, comments and line ends. */
  private skip(): boolean {
    const char = this.text[this.at] ?? '';
    if (char === '\n' || char === '\r') {
      this.at += 1;
      if (this.depth === 0) {
        this.push('end', '', this.at - 1);
        this.indent = 0;
      }
      return true;
    }
    if (char === '#') {
      while (this.at < this.text.length && !'\r\n'.includes(this.text[this.at] ?? '')) this.at += 1;
      return true;
    }
    if (char === '\\' && /^\\\r?\n/.test(this.text.slice(this.at, this.at + 3))) {
      this.at += this.text[this.at + 1] === '\r' ? 3 : 2;
      return true;
    }
    if (!/[\s\ufeff]/.test(char)) return false;
    if (this.indent !== undefined) this.indent += 1;
    this.at += 1;
    return true;
  }

  private word(): void {
    const start = this.at;
    const open = this.match(STRING_OPEN);
    if (open !== null) {
      const value = this.string(open[1] ?? '', open[2] ?? '"');
      this.push('string', value, start);
      return;
    }
    const isNumber =
      /\d/.test(this.text[this.at] ?? '') || /^\.\d/.test(this.text.slice(this.at, this.at + 2));
    for (const [kind, pattern] of [
      ['name', NAME],
      ...(isNumber ? ([['number', NUMBER]] as const) : []),
      ['sign', SIGN],
    ] as const) {
      const found = this.match(pattern);
      if (found === null) continue;
      this.count(found[0]);
      if (found[0] === ';' && this.depth === 0) this.push('end', ';', start);
      else this.push(kind, found[0], start);
      return;
    }
    throw new PythonReadError(
      `the sign ${JSON.stringify(String.fromCodePoint(this.text.codePointAt(start) ?? 32))} is no Python`,
      start,
    );
  }

  private match(pattern: RegExp): RegExpExecArray | null {
    pattern.lastIndex = this.at;
    const found = pattern.exec(this.text);
    if (found !== null) this.at += found[0].length;
    return found;
  }

  private count(sign: string): void {
    if (sign === '(' || sign === '[' || sign === '{') this.depth += 1;
    if (sign === ')' || sign === ']' || sign === '}') this.depth = Math.max(0, this.depth - 1);
  }

  /** The rest of a string behind its opening quotes. */
  private string(prefix: string, quote: string): string {
    const start = this.at;
    const refused = refusedPrefix(prefix);
    if (refused !== null) throw new PythonReadError(refused, start);
    const parts: string[] = [];
    for (;;) {
      const char = this.text[this.at];
      if (char === undefined) throw new PythonReadError('a string without an end', start);
      if (this.text.startsWith(quote, this.at)) {
        this.at += quote.length;
        return parts.join('');
      }
      if (char === '\n' && quote.length === 1)
        throw new PythonReadError('a string that the end of the line breaks off', start);
      if (char === '\\') parts.push(this.escape());
      else {
        parts.push(char);
        this.at += 1;
      }
    }
  }

  private escape(): string {
    const { text, at } = this;
    const next = text[at + 1] ?? '';
    const long = /^(?:x([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8}))/.exec(
      text.slice(at + 1, at + 10),
    );
    if (long !== null) {
      const code = Number.parseInt(long[1] ?? long[2] ?? long[3] ?? '', 16);
      if (code > 0x10ffff) throw new PythonReadError('an escape beyond Unicode', at);
      this.at += 1 + long[0].length;
      return String.fromCodePoint(code);
    }
    if (next === 'N' || next === 'x' || next === 'u' || next === 'U')
      throw new PythonReadError(`the escape \\${next} is not read here`, at);
    const octal = /^[0-7]{1,3}/.exec(text.slice(at + 1, at + 4))?.[0];
    if (octal !== undefined) {
      this.at += 1 + octal.length;
      return String.fromCharCode(Number.parseInt(octal, 8));
    }
    if (text.startsWith('\\\r\n', at)) {
      this.at += 3;
      return '';
    }
    this.at += 2;
    // An unknown escape stays as it is written, backslash included.
    return ESCAPES.get(next) ?? `\\${next}`;
  }
}

const ESCAPES: ReadonlyMap<string, string> = new Map([
  ['\n', ''],
  ['\\', '\\'],
  ["'", "'"],
  ['"', '"'],
  ['a', '\x07'],
  ['b', '\b'],
  ['f', '\f'],
  ['n', '\n'],
  ['r', '\r'],
  ['t', '\t'],
  ['v', '\v'],
]);

/** Why a string with this prefix is not read, or null. */
function refusedPrefix(prefix: string): string | null {
  const kind = prefix.toLowerCase();
  if (kind === '' || kind === 'u') return null;
  if (kind.includes('f') || kind.includes('t'))
    return `a string ${prefix}"…" has to be computed; write the text itself`;
  if (kind.includes('b')) return `a byte string ${prefix}"…" is no text; write "…"`;
  if (kind === 'r') return `a raw string ${prefix}"…" is not read; write "…" with \\\\ for a backslash`;
  return `the string prefix ${prefix} is not known`;
}
