/**
 * The parts of a word: what is literal, quoted, or expanded when the word is used.
 *
 * The idea: the text of a word is split once, at its first expansion; commands inside `$(…)` become trees here.
 * Malformed `${…}` is a part as well, because bash complains only when it expands it. Source: bash manual, Expansion.
 */
import type { Command } from './ast.js';
import type { ReadOptions } from './lexer.js';
import { readBraces, readBrackets } from './matching.js';
import { type ParameterPart, parseParameter } from './parameter.js';
import { Parser } from './parser.js';
import { ShellSyntaxError } from './syntax-error.js';

/** Literal text; `quoted` keeps it from splitting and matching. */
export interface TextPart {
  readonly kind: 'text';
  readonly text: string;
  readonly quoted: boolean;
}

/** `$(…)` and backquotes. */
export interface CommandPart {
  readonly kind: 'command';
  readonly quoted: boolean;
  readonly source: string;
  readonly backquoted: boolean;
  /** Undefined when nothing is inside. */
  readonly command?: readonly Command[];
  /** What is wrong inside backquotes; told when they are expanded. */
  readonly error?: ShellSyntaxError;
}

/** `$((…))` and `$[…]`. */
export interface ArithmeticPart {
  readonly kind: 'arithmetic';
  readonly quoted: boolean;
  readonly text: string;
  parts?: readonly Part[];
}

/** `<(…)` and `>(…)`. */
export interface ProcessPart {
  readonly kind: 'process';
  readonly direction: '<' | '>';
  readonly command?: Command;
}

/** A stretch in double quotes; it makes a field even when it is empty. */
export interface DoubleQuotedPart {
  readonly kind: 'double';
  readonly parts: readonly Part[];
}

/** `~` or `~name` where it is expanded. */
export interface TildePart {
  readonly kind: 'tilde';
  readonly name: string;
}

/** A part of a word. */
export type Part =
  | TextPart
  | CommandPart
  | ArithmeticPart
  | ProcessPart
  | DoubleQuotedPart
  | TildePart
  | ParameterPart;

/**
 * How text is read: `word` with all quotes; `double` as between double quotes (here-documents, arithmetic);
 * `inner` as the word of `"${x:-…}"`, where single quotes are plain and double quotes are dropped;
 * `assignment` is `word` with tildes after `:` and `=`.
 */
export type PartsMode = 'word' | 'double' | 'inner' | 'assignment';

const PLAIN_RUN = /[^\\'"$`<>~:=]+/y;
const DOUBLE_RUN = /[^\\"$`]+/y;

/** Splits text into parts. */
export function parseParts(text: string, mode: PartsMode, options: ReadOptions = {}): readonly Part[] {
  try {
    return new PartsReader(text, mode, options).readAll();
  } catch (error) {
    if (!(error instanceof ShellSyntaxError)) throw error;
    const close = /matching `(.+)'$/.exec(error.message)?.[1];
    if (close === undefined) throw error;
    const message =
      close === '}' ? `${text}: bad substitution` : `bad substitution: no closing \`${close}' in ${text}`;
    throw new ShellSyntaxError(message, error.line, undefined, false);
  }
}

/** One pass over a text. */
class PartsReader {
  private at = 0;
  private readonly parts: Part[] = [];
  private literal = '';
  private quotedLiteral = '';

  constructor(
    private readonly text: string,
    private readonly mode: PartsMode,
    private readonly options: ReadOptions,
  ) {}

  readAll(): readonly Part[] {
    const isDouble = this.mode === 'double' || this.mode === 'inner';
    if (!isDouble) this.readTilde();
    while (this.at < this.text.length) {
      const run = isDouble ? DOUBLE_RUN : PLAIN_RUN;
      run.lastIndex = this.at;
      const plain = run.exec(this.text)?.[0];
      if (plain !== undefined) {
        this.add(plain, isDouble);
        this.at += plain.length;
      } else if (isDouble) this.readInDouble();
      else this.readInWord();
    }
    this.flush();
    return this.parts;
  }

  private add(text: string, quoted: boolean): void {
    if (quoted) {
      if (this.literal !== '') this.flush();
      this.quotedLiteral += text;
    } else {
      if (this.quotedLiteral !== '') this.flush();
      this.literal += text;
    }
  }

  private flush(): void {
    if (this.literal !== '') this.parts.push({ kind: 'text', text: this.literal, quoted: false });
    if (this.quotedLiteral !== '') this.parts.push({ kind: 'text', text: this.quotedLiteral, quoted: true });
    this.literal = '';
    this.quotedLiteral = '';
  }

  private push(part: Part): void {
    this.flush();
    this.parts.push(part);
  }

  private readInWord(): void {
    const char = this.text[this.at] as string;
    this.at += 1;
    if (char === '\\') {
      if (this.at >= this.text.length) this.add('\\', false);
      else this.add(this.takeChar(), true);
    } else if (char === "'") {
      const close = this.text.indexOf("'", this.at);
      const end = close === -1 ? this.text.length : close;
      if (end === this.at) this.push({ kind: 'double', parts: [] });
      else this.add(this.text.slice(this.at, end), true);
      this.at = end + 1;
    } else if (char === '"') this.readDoubleQuoted();
    else if (char === '$') this.readDollar(false);
    else if (char === '`') this.readBackquotes(false);
    else if ((char === '<' || char === '>') && this.text[this.at] === '(') {
      this.at += 1;
      const command = this.readCommand();
      this.push({ kind: 'process', direction: char, ...(command === undefined ? {} : { command }) });
    } else {
      this.add(char, false);
      const opensTilde =
        this.mode === 'assignment' && (char === ':' || (char === '=' && this.parts.length === 0));
      if (opensTilde) this.readTilde();
    }
  }

  private readTilde(): void {
    if (this.text[this.at] !== '~') return;
    const name = /^~([\w.+-]*)(?=\/|$|:)/.exec(this.text.slice(this.at, this.at + 80));
    if (name === null || (this.mode !== 'assignment' && this.text[this.at + name[0].length] === ':')) {
      this.add('~', false);
      this.at += 1;
      return;
    }
    this.push({ kind: 'tilde', name: name[1] ?? '' });
    this.at += name[0].length;
  }

  private takeChar(): string {
    const char = String.fromCodePoint(this.text.codePointAt(this.at) ?? 0);
    this.at += char.length;
    return char;
  }

  private readInDouble(): void {
    const char = this.text[this.at] as string;
    this.at += 1;
    if (char === '\\') {
      const next = this.text[this.at] ?? '';
      const special = next !== '' && (this.mode === 'inner' ? '$`"\\}' : '$`\\').includes(next);
      if (next === '\n') this.at += 1;
      else if (special) {
        this.add(next, true);
        this.at += 1;
      } else this.add('\\', true);
    } else if (char === '$') this.readDollar(true);
    else if (char === '`') this.readBackquotes(true);
    else if (char === '"' && this.mode === 'inner') return;
    else this.add(char, true);
  }

  private readDoubleQuoted(): void {
    const start = this.at;
    const inner: { end: number } = { end: this.text.length };
    const reader = new Parser(this.text.slice(start), this.options);
    try {
      const body = reader.lexer.readQuoted();
      inner.end = start + reader.lexer.input.scriptPosition;
      const parts = parseParts(body.slice(0, -1), 'double', this.options);
      this.push({ kind: 'double', parts: unescapeQuotes(parts) });
    } catch (error) {
      if (!(error instanceof ShellSyntaxError)) throw error;
      this.push({ kind: 'text', text: this.text.slice(start), quoted: true });
    }
    this.at = inner.end;
  }

  private readDollar(quoted: boolean): void {
    const { text, at } = this;
    const name = /^[A-Za-z_]\w*|^[0-9@*#?$!-]/.exec(text.slice(at, at + 256))?.[0];
    const char = text[at];
    if (name !== undefined) {
      const full = name.length === 256 ? (/^\w+/.exec(text.slice(at))?.[0] ?? name) : name;
      this.at += full.length;
      this.push({ kind: 'parameter', name: full, form: 'value', operator: '', quoted, source: `$${full}` });
    } else if (char === '{') {
      const lexer = new Parser(text.slice(at + 1), this.options).lexer;
      const body = readBraces(lexer, quoted).slice(0, -1);
      this.at = at + 1 + lexer.input.scriptPosition;
      this.push(parseParameter(body, quoted));
    } else if (char === '(') this.readParenthesis(quoted);
    else if (char === '[') {
      const lexer = new Parser(text.slice(at + 1), this.options).lexer;
      const body = readBrackets(lexer, '[', ']').slice(0, -1);
      this.at = at + 1 + lexer.input.scriptPosition;
      this.push({ kind: 'arithmetic', quoted, text: body });
    } else if (!quoted && char === "'") {
      // Only in text that did not come through the lexer, which decodes these.
      this.add('$', true);
    } else this.add('$', quoted);
  }

  private readParenthesis(quoted: boolean): void {
    const { text, at } = this;
    if (text[at + 1] === '(') {
      const lexer = new Parser(text.slice(at + 2), this.options).lexer;
      const body = readBrackets(lexer, '(', ')').slice(0, -1);
      if (lexer.input.peek() === ')') {
        lexer.input.next();
        this.at = at + 2 + lexer.input.scriptPosition;
        this.push({ kind: 'arithmetic', quoted, text: body });
        return;
      }
    }
    this.at += 1;
    const start = this.at;
    const command = this.readCommand();
    const source = text.slice(start, this.at - 1);
    this.push({
      kind: 'command',
      quoted,
      source,
      backquoted: false,
      ...(command === undefined ? {} : { command: [command] }),
    });
  }

  /** After `(`: the commands up to `)`. */
  private readCommand(): Command | undefined {
    const parser = new Parser(this.text.slice(this.at), this.options);
    const command = parser.parseUpToParenthesis();
    this.at += parser.lexer.input.scriptPosition;
    return command;
  }

  private readBackquotes(quoted: boolean): void {
    let body = '';
    while (this.at < this.text.length && this.text[this.at] !== '`') {
      const char = this.text[this.at] as string;
      const next = this.text[this.at + 1] ?? '';
      if (char === '\\' && next !== '' && (quoted ? '$`\\"' : '$`\\').includes(next)) {
        body += next;
        this.at += 2;
      } else {
        body += char;
        this.at += 1;
      }
    }
    this.at += 1;
    const command: Command[] = [];
    let error: ShellSyntaxError | undefined;
    try {
      const parser = new Parser(body, this.options);
      for (let next = parser.next(); next !== undefined; next = parser.next()) command.push(next);
    } catch (caught) {
      if (!(caught instanceof ShellSyntaxError)) throw caught;
      error = caught;
    }
    this.push({
      kind: 'command',
      quoted,
      source: body,
      backquoted: true,
      command,
      ...(error ? { error } : {}),
    });
  }
}

/** Between double quotes `\"` is a quote; `parseParts` leaves it to the caller since here-documents keep it. */
function unescapeQuotes(parts: readonly Part[]): readonly Part[] {
  return parts.map((part) =>
    part.kind === 'text' && part.text.includes('\\"')
      ? { ...part, text: part.text.replaceAll('\\"', '"') }
      : part,
  );
}
