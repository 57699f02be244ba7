/**
 * The lexer: from characters to tokens, in the way of bash, where the place decides what a character means.
 *
 * The idea: the parser says where it stands (a command may begin, an assignment may stand, inside `[[`) and takes one
 * token at a time; nothing is read ahead, because an alias or an option set by an earlier line may change what follows.
 * Here-document bodies are read when the newline after their operator is. Source: bash's reading rules as observed.
 */
import type { AssignmentHead, Redirect, Word } from './ast.js';
import { Input, type Mark } from './input.js';
import {
  type MatchContext,
  readBackquotes,
  readBrackets,
  readDollar,
  readDoubleQuotes,
  readSingleQuotes,
} from './matching.js';
import { ShellSyntaxError, type SyntaxWarning } from './syntax-error.js';
import { OPERATORS, type Place, type Token } from './token.js';

/** What the shell around the parser decides. */
export interface ReadOptions {
  /** The value of an alias, when aliases are expanded. */
  readonly alias?: (name: string) => string | undefined;
  /** Whether extended patterns are read as one word (`shopt extglob`). */
  readonly extglob?: () => boolean;
  /** Whether `#` begins a comment; default yes. */
  readonly comments?: boolean;
  /** POSIX mode. */
  readonly posix?: () => boolean;
}

/** Reads `items` of `name=(…)`; the parser provides it, since it needs tokens. */
type ItemReader = () => { items: Word[]; text: string };

/** The lexer of one text. */
export class Lexer implements MatchContext {
  readonly input: Input;
  readonly warnings: SyntaxWarning[] = [];
  /** A here-document ended with the text. */
  heredocHitEnd = false;
  depth = 0;
  /** Aliases are not expanded while the inside of `$(…)` is checked. */
  aliasesOff = 0;
  pending: Redirect[] = [];
  commandText: () => string = () => '';
  readItems: ItemReader = () => ({ items: [], text: '' });

  constructor(
    text: string,
    public options: ReadOptions,
    firstLine: number,
  ) {
    this.input = new Input(text, firstLine);
  }

  /** The number that bash gives the line after the last one. */
  endLine(): number {
    return this.input.line + (this.input.endsWithNewline() ? 0 : 1);
  }

  /** Reads one token. */
  read(place: Place): Token {
    const { input } = this;
    this.skipBlanks(place);
    const mayBeAlias = place.isCommand || input.nextMayBeAlias;
    input.nextMayBeAlias = false;
    const line = input.line;
    const char = input.peek();
    if (char === '') return { kind: 'end', text: '', line };
    if (char === '\n') {
      input.next();
      if (this.pending.length > 0) this.readHeredocs();
      return { kind: 'newline', text: '\n', line };
    }
    const operator = this.readOperator(place);
    if (operator !== undefined) return { kind: 'operator', text: operator, line };
    const active = this.options.alias === undefined ? [] : input.activeAliases();
    const token = this.readWord(place, line);
    if (mayBeAlias && token.isBare && token.kind === 'word' && this.aliasesOff === 0) {
      const value = active.includes(token.text) ? undefined : this.options.alias?.(token.text);
      if (value !== undefined && input.splice(token.text, value)) return this.read(place);
    }
    return token;
  }

  private skipBlanks(place: Place): void {
    const { input } = this;
    for (;;) {
      if (input.take(/[ \t]+/y) !== '') continue;
      if (input.peek() === '\\' && input.peek(1) === '\n') {
        input.next();
        input.next();
        input.continued = true;
      } else if (input.peek() === '#' && this.options.comments !== false && place.condition !== 'regex') {
        while (input.peek() !== '\n' && input.peek() !== '') input.next();
      } else if (input.peek() === ' ' || input.peek() === '\t') input.next();
      else return;
    }
  }

  private readOperator(place: Place): string | undefined {
    const { input } = this;
    const first = input.peek();
    if (!'&<>;|()'.includes(first)) return undefined;
    if ((first === '<' || first === '>') && input.peek(1) === '(') return undefined;
    if (place.condition === 'regex' && (first === '(' || first === '|')) return undefined;
    for (const operator of OPERATORS) {
      let same = true;
      for (let index = 0; index < operator.length && same; index += 1)
        same = input.peek(index) === operator[index];
      if (!same) continue;
      for (let index = 0; index < operator.length; index += 1) input.next();
      return operator;
    }
    return undefined;
  }

  /** Reads a word; a number or `{name}` right before `<` or `>` is not a word. */
  private readWord(place: Place, line: number): Token {
    const { input } = this;
    const state: WordState = { text: '', isBare: true };
    let items: Word[] | undefined;
    for (;;) {
      const plain = input.take(/[\w/.,:%^~{}\-\]]+/y);
      if (plain !== '') {
        state.text += plain;
        continue;
      }
      const char = input.peek();
      if (char === '' || ' \t\n;&|)'.includes(char)) {
        if (char === '|' && place.condition === 'regex') {
          state.text += input.next();
          continue;
        }
        break;
      }
      if (char === '=' && place.mayAssign && input.peek(1) === '(' && headOf(state.text, true)) {
        input.next();
        input.next();
        const read = this.readItems();
        items = read.items;
        state.text += `=(${read.text})`;
        break;
      }
      if (!this.readPiece(char, place, state)) break;
    }
    const next = input.peek();
    if (state.isBare && (next === '<' || next === '>') && place.condition === undefined) {
      if (/^\d+$/.test(state.text) && Number(state.text) < 2 ** 31)
        return { kind: 'number', text: state.text, line };
      if (/^\{[A-Za-z_]\w*(\[.*\])?\}$/.test(state.text)) return { kind: 'variable', text: state.text, line };
    }
    const head = place.mayAssign || place.isArrayItem ? assignmentHead(state.text, items) : undefined;
    const word: Word = head === undefined ? { text: state.text } : { text: state.text, assignment: head };
    return { kind: 'word', text: state.text, line, word, isBare: state.isBare };
  }

  /** Takes one special character of a word with what belongs to it; false ends the word. */
  private readPiece(char: string, place: Place, state: WordState): boolean {
    const { input } = this;
    if (char === '\\') {
      input.next();
      if (input.peek() === '\n') {
        input.next();
        input.continued = true;
      } else {
        state.text += char + input.next();
        state.isBare = false;
      }
      return true;
    }
    if (char === "'" || char === '"' || char === '`') {
      input.next();
      const rest =
        char === "'" ? readSingleQuotes(this) : char === '"' ? readDoubleQuotes(this) : readBackquotes(this);
      state.text += char + rest;
      state.isBare = false;
      return true;
    }
    if (char === '$') {
      input.next();
      const read = readDollar(this, false);
      state.text += read;
      state.isBare = false;
      return true;
    }
    if (char === '<' || char === '>') {
      if (input.peek(1) !== '(') return false;
      input.next();
      input.next();
      this.depth += 1;
      state.text += `${char}(${this.commandText()}`;
      this.depth -= 1;
      state.isBare = false;
      return true;
    }
    if (char === '(') {
      const extended =
        place.condition === 'pattern' || place.condition === 'regex' || (this.options.extglob?.() ?? false);
      const opens = place.condition === 'regex' || /[@?*+!]$/.test(state.text);
      if (!extended || !opens) return false;
      input.next();
      state.text += char + readBrackets(this, '(', ')');
      state.isBare = false;
      return true;
    }
    if (char === '[') {
      input.next();
      const subscript =
        (place.mayAssign && /^[A-Za-z_]\w*$/.test(state.text)) ||
        (place.isArrayItem === true && state.text === '');
      state.text += subscript ? char + readBrackets(this, '[', ']') : char;
      return true;
    }
    state.text += input.next();
    return true;
  }

  /** At the end of the text: here-documents that never began are empty. */
  finishHeredocs(): void {
    this.readHeredocs();
  }

  /** Reads the bodies of the here-documents whose operators stood on the line that just ended. */
  private readHeredocs(): void {
    const waiting = this.pending;
    this.pending = [];
    for (const redirect of waiting) {
      const { heredoc } = redirect;
      if (heredoc === undefined) continue;
      const started = Math.max(1, this.input.line - 1);
      let body = '';
      for (;;) {
        const line = this.readHeredocLine(redirect.operator === '<<-', heredoc.quoted);
        if (line === undefined) {
          const message = `here-document at line ${started} delimited by end-of-file (wanted \`${heredoc.delimiter}')`;
          const at = this.input.currentLine() === '' ? this.input.line - 1 : this.input.line;
          this.warnings.push({ line: Math.max(at, started), message });
          this.heredocHitEnd = true;
          break;
        }
        if (line === heredoc.delimiter || line === `${heredoc.delimiter}\n`) break;
        body += line;
      }
      heredoc.body = body;
    }
  }

  private readHeredocLine(stripTabs: boolean, quoted: boolean): string | undefined {
    const { input } = this;
    if (input.peek() === '') return undefined;
    if (stripTabs) input.take(/\t+/y);
    let line = '';
    for (;;) {
      line += quoted ? input.take(/[^\n]+/y) : input.take(/[^\n\\]+/y);
      const char = input.next();
      if (char === '') return line;
      if (char === '\n') return `${line}\n`;
      if (!quoted && char === '\\') {
        if (input.peek() === '\n') {
          input.next();
          continue;
        }
        line += char + (input.peek() === '' ? '' : input.next());
      } else line += char;
    }
  }

  /** After `"`: everything up to the closing quote. */
  readQuoted(): string {
    return readDoubleQuotes(this);
  }

  /** The error of a token that may not stand where it does. */
  unexpected(token: Token): ShellSyntaxError {
    if (token.kind === 'end')
      return new ShellSyntaxError('syntax error: unexpected end of file', this.endLine(), undefined, true);
    const name = token.kind === 'newline' ? 'newline' : token.text;
    const message = `syntax error near unexpected token \`${name}'`;
    return new ShellSyntaxError(message, token.line, this.input.currentLine(), false);
  }

  /** Notes this place, to read what follows in another way. */
  mark(): Mark {
    return this.input.mark();
  }
}

/** A word while it is read. */
interface WordState {
  text: string;
  isBare: boolean;
}

/** Whether a text is the left side of an assignment, without its `=`. */
function headOf(text: string, withPlus: boolean): boolean {
  return (withPlus ? /^[A-Za-z_]\w*(\[[\s\S]*\])?\+?$/ : /^[A-Za-z_]\w*$/).test(text);
}

/** Where the subscript that opens at `from` closes; -1 where it does not. */
function subscriptEnd(text: string, from: number): number {
  let depth = 0;
  for (let at = from; at < text.length; at += 1) {
    const char = text[at];
    if (char === '\\') at += 1;
    else if (char === "'" || char === '"') {
      const close = text.indexOf(char, at + 1);
      if (close === -1) return -1;
      at = close;
    } else if (char === '[') depth += 1;
    else if (char === ']') {
      depth -= 1;
      if (depth === 0) return at;
    }
  }
  return -1;
}

/** Reads the left side of an assignment in a word; undefined where there is none. */
export function assignmentHead(text: string, items?: readonly Word[]): AssignmentHead | undefined {
  const name = /^[A-Za-z_]\w*/.exec(text)?.[0] ?? '';
  let at = name.length;
  let subscript: string | undefined;
  if (text[at] === '[') {
    const close = subscriptEnd(text, at);
    if (close === -1) return undefined;
    subscript = text.slice(at + 1, close);
    at = close + 1;
  }
  if (name === '' && subscript === undefined) return undefined;
  const append = text[at] === '+';
  if (append) at += 1;
  if (text[at] !== '=') return undefined;
  return {
    name,
    append,
    valueAt: at + 1,
    ...(subscript === undefined ? {} : { subscript }),
    ...(items ? { items } : {}),
  };
}
