/**
 * Tokens of jq programs, and jq's messages for what is none.
 */
import type { JqNode } from './ast.js';

/** A program that is none: the message in the form that jq tells it. */
export class JqSyntaxError extends Error {
  /** One message for each error that jq tells. */
  constructor(readonly messages: readonly string[]) {
    super(messages[0]);
  }
}

/** A token. */
export interface Token {
  readonly kind: 'number' | 'string' | 'field' | 'name' | 'variable' | 'format' | 'operator' | 'end';
  readonly text: string;
  readonly parts?: readonly (string | JqNode)[];
  readonly line: number;
  /** Where it starts. */
  readonly start: number;
}

const OPERATORS = [
  '?//=',
  '|=',
  '+=',
  '-=',
  '*=',
  '/=',
  '%=',
  '//=',
  '==',
  '!=',
  '<=',
  '>=',
  '//',
  '..',
  '?//',
  '|',
  ',',
  '+',
  '-',
  '*',
  '/',
  '%',
  '=',
  '<',
  '>',
  '(',
  ')',
  '[',
  ']',
  '{',
  '}',
  ':',
  ';',
  '.',
  '?',
  '$',
].sort((a, b) => b.length - a.length);
/** Words that are no names. */
export const KEYWORDS = new Set(
  'def if then elif else end as reduce foreach try catch label import include and or not __loc__'
    .split(' ')
    .filter((one) => one !== 'not'),
);

/** Reads tokens; a parser above it reads what stands inside strings. */
export abstract class JqLexer {
  protected at = 0;
  /** Where the last piece starts that was read, blanks included: jq points there at the end. */
  protected last = 0;
  protected openIfs = 0;
  protected depth = 0;
  protected token: Token;

  constructor(protected readonly text: string) {
    this.token = this.read();
  }

  /** The filter inside `\( … )` of a string; stands behind it afterwards. */
  protected abstract interpolated(): JqNode;

  // ---- tokens ----

  /** The kind of the token now; a call, so that reading one is seen. */
  protected kind(): Token['kind'] {
    return this.token.kind;
  }

  protected lineAt(at: number): number {
    return this.text.slice(0, at).split('\n').length;
  }

  protected read(): Token {
    while (/^\s$/.test(this.text[this.at] ?? '') || this.text[this.at] === '#') {
      this.last = this.at;
      if (this.text[this.at] === '#')
        while (this.at < this.text.length && this.text[this.at] !== '\n') this.at++;
      else this.at++;
    }
    const rest = this.text.slice(this.at);
    const line = this.lineAt(this.at);
    const start = this.at;
    if (rest === '') return { kind: 'end', text: '', line, start: this.last };
    this.last = start;
    const take = (kind: Token['kind'], text: string, shown = text): Token => {
      this.at += text.length;
      return { kind, text: shown, line, start };
    };
    const number = /^(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?/.exec(rest)?.[0];
    if (number !== undefined) return take('number', number);
    const field = /^\.[A-Za-z_]\w*/.exec(rest)?.[0];
    if (field !== undefined) return take('field', field, field.slice(1));
    const variable = /^\$(?:__loc__|[A-Za-z_]\w*(?:::\w+)*)/.exec(rest)?.[0];
    if (variable !== undefined) {
      this.last++;
      return take('variable', variable, variable.slice(1));
    }
    const name = /^[A-Za-z_]\w*(?:::\w+)*/.exec(rest)?.[0];
    if (name !== undefined) return take('name', name);
    const format = /^@\w+/.exec(rest)?.[0];
    if (format !== undefined) return take('format', format);
    if (rest[0] === '"') return this.stringToken(line);
    const operator = OPERATORS.find((one) => rest.startsWith(one));
    if (operator !== undefined) return take('operator', operator);
    return this.fail('syntax error, unexpected INVALID_CHARACTER');
  }

  protected stringToken(line: number): Token {
    const parts: (string | JqNode)[] = [];
    const start = this.at;
    let literal = '';
    for (this.at++; ; ) {
      const here = this.text[this.at];
      if (here === undefined)
        return this.fail(
          'syntax error, unexpected $end, expecting QQSTRING_TEXT or QQSTRING_INTERP_START or QQSTRING_END',
          start + 1,
        );
      if (here === '"') {
        this.at++;
        parts.push(literal);
        return { kind: 'string', text: literal, parts, line, start };
      }
      if (here === '\\' && this.text[this.at + 1] === '(') {
        parts.push(literal);
        literal = '';
        parts.push(this.interpolated());
        continue;
      }
      if (here === '\\') {
        literal += this.escape();
        continue;
      }
      literal += here;
      this.at++;
    }
  }

  protected escape(): string {
    const letter = this.text[this.at + 1] ?? '';
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
    if (Object.hasOwn(simple, letter)) {
      this.at += 2;
      return simple[letter] ?? '';
    }
    const digits = /^u([0-9a-fA-F]{4})/.exec(this.text.slice(this.at + 1))?.[1];
    if (digits === undefined) return this.fail('syntax error, unexpected INVALID_CHARACTER');
    this.at += 6;
    return String.fromCharCode(Number.parseInt(digits, 16));
  }

  protected advance(): Token {
    const taken = this.token;
    this.token = this.read();
    return taken;
  }

  protected is(text: string): boolean {
    const { kind } = this.token;
    return (kind === 'operator' || kind === 'name') && this.token.text === text;
  }

  protected accept(text: string): boolean {
    if (!this.is(text)) return false;
    this.advance();
    return true;
  }

  protected expect(text: string): void {
    // jq names what it expected only where nothing else could stand.
    if (!this.accept(text)) this.unexpected(text === '(' ? text : undefined);
  }

  protected fail(message: string, start = this.last): never {
    const line = this.lineAt(Math.min(start, this.text.length));
    const shown = this.text.split('\n')[line - 1] ?? '';
    const column = start - (this.text.lastIndexOf('\n', Math.max(start - 1, 0)) + 1);
    const place = `at <top-level>, line ${line}:\n`;
    const first = `${message} (Unix shell quoting issues?) ${place}${shown}${' '.repeat(Math.max(column, 0))}`;
    const more = this.openIfs > 0 ? [`Possibly unterminated 'if' statement ${place}${shown}`] : [];
    throw new JqSyntaxError([first, ...more]);
  }

  protected unexpected(expecting?: string): never {
    const { kind, text, start } = this.token;
    const names: Readonly<Record<string, string>> = {
      number: 'LITERAL',
      string: 'QQSTRING_START',
      field: 'FIELD',
      format: 'FORMAT',
      end: '$end',
      variable: "'$'",
    };
    let shown = names[kind] ?? (text.length === 1 ? `'${text}'` : text);
    if (kind === 'name') shown = KEYWORDS.has(text) ? text : 'IDENT';
    if (text === '}' || text === ']' || text === ')') shown = this.depth === 0 ? 'INVALID_CHARACTER' : shown;
    const wanted =
      expecting === undefined
        ? ''
        : `, expecting ${expecting.startsWith('$') || expecting.length > 1 ? expecting : `'${expecting}'`}`;
    this.fail(`syntax error, unexpected ${shown}${wanted}`, start);
  }
}
