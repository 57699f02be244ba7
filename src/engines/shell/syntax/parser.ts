/**
 * The parser: one complete command after another, read as bash reads them.
 *
 * The idea: recursive descent over single tokens. `next` reads one line's worth of commands and returns, so that the
 * shell runs it before the following line is looked at; errors, aliases and options then behave as in bash.
 * Compound commands stand in `compound.ts`, `[[ … ]]` in `conditional.ts`. Source: bash's grammar in its manual.
 */
import type { Command, ListItem, Redirect, RedirectOperator, SimpleCommand, Word } from './ast.js';
import { parseCompound, parseFunctionTail } from './compound.js';
import { Lexer, type ReadOptions } from './lexer.js';
import { MAX_NESTING } from './matching.js';
import { printCommandText } from './printer.js';
import { ShellSyntaxError } from './syntax-error.js';
import { type Place, REDIRECTIONS, type Token } from './token.js';
import { unquotedDelimiter } from './unquote.js';

const COMMAND: Place = { isCommand: true, mayAssign: true };
const ARGUMENT: Place = { isCommand: false, mayAssign: false };
const DECLARED: Place = { isCommand: false, mayAssign: true };
const ITEM: Place = { isCommand: false, mayAssign: false, isArrayItem: true };

/** Builtins whose arguments are read as assignments. */
const DECLARATIONS: ReadonlySet<string> = new Set([
  'declare',
  'typeset',
  'local',
  'export',
  'readonly',
  'alias',
]);
/** Words that end a list or are wrong where a command should begin. */
const ENDING_WORDS: ReadonlySet<string> = new Set(['then', 'else', 'elif', 'fi', 'do', 'done', 'esac', '}']);
const OPENING_WORDS: ReadonlySet<string> = new Set([
  'if',
  'while',
  'until',
  'for',
  'case',
  'select',
  'function',
  '{',
  '[[',
  'coproc',
]);

/** Every word that is a keyword where a command begins. */
export const KEYWORDS: ReadonlySet<string> = new Set([
  ...ENDING_WORDS,
  ...OPENING_WORDS,
  'in',
  'time',
  '!',
  ']]',
]);

/** Reads a script command by command. */
export class Parser {
  readonly lexer: Lexer;
  private ahead: Token | undefined;
  private depth = 0;
  /** Inside `$(…)`: newlines between commands are remembered, since they are printed. */
  private inSubstitution = 0;

  constructor(text: string, options: ReadOptions = {}, firstLine = 1) {
    this.lexer = new Lexer(text, options, firstLine);
    this.lexer.commandText = () => this.parseSubstitution();
    this.lexer.readItems = () => this.parseItems();
  }

  /** The next line's commands; undefined at the end of the text. @throws ShellSyntaxError */
  next(): Command | undefined {
    this.ahead = undefined;
    for (;;) {
      const token = this.peek(COMMAND);
      if (token.kind === 'end') return undefined;
      if (token.kind !== 'newline') break;
      this.take();
    }
    const command = this.parseList('line');
    const end = this.peek(COMMAND);
    if (end.kind !== 'newline' && end.kind !== 'end') throw this.lexer.unexpected(end);
    if (end.kind === 'newline') this.take();
    else if (this.lexer.pending.length > 0) this.lexer.finishHeredocs();
    return command;
  }

  /** After an error: goes on behind the line where it was found. */
  skipLine(): void {
    this.ahead = undefined;
    this.lexer.pending = [];
    const { input } = this.lexer;
    if (input.endsWithNewline()) return;
    while (input.peek() !== '' && input.next() !== '\n');
  }

  /** The token that comes next; `place` counts when it has not been read yet. */
  peek(place: Place = ARGUMENT): Token {
    this.ahead ??= this.lexer.read(place);
    return this.ahead;
  }

  /** Takes the token that comes next. */
  take(place: Place = ARGUMENT): Token {
    const token = this.peek(place);
    this.ahead = undefined;
    return token;
  }

  /** Takes newlines. */
  skipNewlines(place: Place = COMMAND): void {
    while (this.peek(place).kind === 'newline') this.take();
  }

  /** Whether the next token is this bare word. */
  isWord(text: string, place: Place = COMMAND): boolean {
    const token = this.peek(place);
    return token.kind === 'word' && token.isBare === true && token.text === text;
  }

  /** Whether the next token is this operator. */
  isOperator(text: string, place: Place = COMMAND): boolean {
    const token = this.peek(place);
    return token.kind === 'operator' && token.text === text;
  }

  /** Takes a keyword or fails. */
  expectWord(text: string, place: Place = COMMAND): Token {
    if (!this.isWord(text, place)) throw this.lexer.unexpected(this.peek());
    return this.take();
  }

  /** A list of commands over several lines, as compound commands hold it. */
  parseBody(): Command {
    this.skipNewlines();
    return this.parseList('body');
  }

  /** Commands joined by `;`, `&` and, in a body, newlines. */
  private parseList(extent: 'line' | 'body'): Command {
    this.enter();
    const items: ListItem[] = [];
    const line = this.peek(COMMAND).line;
    for (;;) {
      const command = this.parseAndOr();
      const token = this.peek(COMMAND);
      const separator =
        token.kind === 'newline' && extent === 'body'
          ? '\n'
          : token.kind === 'operator' && (token.text === ';' || token.text === '&')
            ? token.text
            : undefined;
      if (separator === undefined) {
        items.push({ command, operator: '' });
        break;
      }
      this.take();
      if (extent === 'body') this.skipNewlines();
      const more = this.startsCommand(extent);
      const shown = separator === '\n' && this.inSubstitution === 0 ? ';' : separator;
      items.push({ command, operator: more || separator === '&' ? shown : '' });
      if (!more) break;
    }
    this.depth -= 1;
    const only = items.length === 1 ? items[0] : undefined;
    if (only !== undefined && only.operator === '') return only.command;
    return { kind: 'list', line, redirects: [], items };
  }

  private enter(): void {
    this.depth += 1;
    if (this.depth > MAX_NESTING) {
      const { line } = this.lexer.input;
      throw new ShellSyntaxError(
        'maximum nesting level exceeded',
        line,
        this.lexer.input.currentLine(),
        false,
      );
    }
  }

  /** Whether another command follows in this list. */
  private startsCommand(extent: 'line' | 'body'): boolean {
    const token = this.peek(COMMAND);
    if (token.kind === 'end') return false;
    if (token.kind === 'newline') return false;
    if (token.kind === 'operator') {
      if (extent === 'line') return true;
      return !(token.text === ')' || token.text === ';;' || token.text === ';&' || token.text === ';;&');
    }
    return !(extent === 'body' && token.isBare === true && ENDING_WORDS.has(token.text));
  }

  private parseAndOr(): Command {
    const first = this.parsePipeline();
    const rest: { operator: '&&' | '||'; command: Command }[] = [];
    for (;;) {
      const token = this.peek(COMMAND);
      if (token.kind !== 'operator' || (token.text !== '&&' && token.text !== '||')) break;
      this.take();
      this.skipNewlines();
      rest.push({ operator: token.text, command: this.parsePipeline() });
    }
    if (rest.length === 0) return first;
    return { kind: 'and-or', line: first.line, redirects: [], first, rest };
  }

  private parsePipeline(): Command {
    let negated = false;
    let isMarked = false;
    let timed: false | 'time' | 'time -p' = false;
    const { line } = this.peek(COMMAND);
    for (;;) {
      if (this.isWord('!')) {
        this.take();
        negated = !negated;
        isMarked = true;
      } else if (this.isWord('time')) {
        this.take();
        timed = 'time';
        if (this.isWord('-p')) {
          this.take();
          timed = 'time -p';
        }
        if (this.isWord('--')) this.take();
      } else break;
    }
    if ((timed !== false || isMarked) && this.endsEmpty())
      return { kind: 'pipeline', line, redirects: [], commands: [], negated, timed };
    const commands: Command[] = [];
    for (;;) {
      const command = this.parseCommand();
      const token = this.peek(COMMAND);
      if (token.kind !== 'operator' || (token.text !== '|' && token.text !== '|&')) {
        commands.push(command);
        break;
      }
      commands.push(token.text === '|&' ? withErrorOutput(command) : command);
      this.take();
      this.skipNewlines();
    }
    const only = commands[0];
    if (commands.length === 1 && only !== undefined && !negated && timed === false) return only;
    return { kind: 'pipeline', line, redirects: [], commands, negated, timed };
  }

  private endsEmpty(): boolean {
    const token = this.peek(COMMAND);
    return (
      token.kind === 'newline' || token.kind === 'end' || (token.kind === 'operator' && token.text === ';')
    );
  }

  /** One command with its redirections. */
  parseCommand(): Command {
    const token = this.peek(COMMAND);
    if (token.kind === 'word' && token.isBare === true) {
      if (OPENING_WORDS.has(token.text)) return this.withRedirects(parseCompound(this));
      if (ENDING_WORDS.has(token.text)) throw this.lexer.unexpected(token);
    }
    if (token.kind === 'operator' && token.text === '(') return this.withRedirects(parseCompound(this));
    if (token.kind === 'end' || token.kind === 'newline') throw this.lexer.unexpected(token);
    if (token.kind === 'operator' && !REDIRECTIONS.has(token.text)) throw this.lexer.unexpected(token);
    return this.parseSimple();
  }

  /** Adds the redirections that follow a compound command. */
  private withRedirects(command: Command): Command {
    if (command.kind === 'function' || command.kind === 'coproc') return command;
    const redirects: Redirect[] = [];
    for (;;) {
      const redirect = this.parseRedirect();
      if (redirect === undefined) break;
      redirects.push(redirect);
    }
    return redirects.length === 0 ? command : { ...command, redirects };
  }

  /** A simple command or a function definition; `first` is a word that was taken already. */
  parseSimple(first?: Token): Command {
    const words: Word[] = [];
    const redirects: Redirect[] = [];
    let { line } = first ?? this.peek(COMMAND);
    let place = COMMAND;
    if (first?.word !== undefined) {
      words.push(first.word);
      place = DECLARATIONS.has(first.text) ? DECLARED : ARGUMENT;
    }
    for (;;) {
      const redirect = this.parseRedirect(place);
      if (redirect !== undefined) {
        redirects.push(redirect);
        continue;
      }
      const token = this.peek(place);
      if (token.kind !== 'word' || token.word === undefined) break;
      this.take();
      words.push(token.word);
      if (words.length === 1)
        line = this.lineAhead(token.word.assignment === undefined ? nextPlace(token) : COMMAND);
      if (place === COMMAND && token.word.assignment === undefined) {
        place = nextPlace(token);
        if (words.length === 1 && redirects.length === 0 && this.isOperator('(', place))
          return parseFunctionTail(this, token);
      }
    }
    if (words.length === 0 && redirects.length === 0) throw this.lexer.unexpected(this.peek(COMMAND));
    const command: SimpleCommand = { kind: 'simple', line, redirects, words };
    return command;
  }

  /** bash gives a simple command the line where it stands after reading the token behind the first word. */
  private lineAhead(place: Place): number {
    const next = this.peek(place);
    return next.kind === 'newline' || next.kind === 'end' ? next.line : this.lexer.input.line;
  }

  /** A redirection, when one comes next. */
  parseRedirect(place: Place = COMMAND): Redirect | undefined {
    let token = this.peek(place);
    let fd: number | undefined;
    let variable: string | undefined;
    if (token.kind === 'number') fd = Number(token.text);
    else if (token.kind === 'variable') variable = token.text.slice(1, -1);
    if (fd !== undefined || variable !== undefined) {
      this.take();
      token = this.peek();
    }
    if (token.kind !== 'operator' || !REDIRECTIONS.has(token.text)) return undefined;
    this.take();
    const operator = token.text as RedirectOperator;
    const target = this.take();
    // `>&` and a number is a descriptor; the lexer sees it as one when a redirection follows.
    if (target.word === undefined) {
      if (target.kind === 'number') throw this.lexer.unexpected(this.peek());
      throw this.lexer.unexpected(target);
    }
    const redirect: Redirect = {
      operator,
      target: target.word,
      ...(fd === undefined ? {} : { fd }),
      ...(variable === undefined ? {} : { variable }),
    };
    if (operator === '<<' || operator === '<<-') {
      const { text, quoted } = unquotedDelimiter(target.text);
      redirect.heredoc = { body: '', delimiter: text, quoted };
      this.lexer.pending.push(redirect);
    }
    return redirect;
  }

  /** Reads commands up to the parenthesis that closes them, behind which reading stands afterwards. */
  parseUpToParenthesis(): Command | undefined {
    this.skipNewlines();
    const command = this.isOperator(')') ? undefined : this.parseList('body');
    if (!this.isOperator(')')) throw this.lexer.unexpected(this.peek());
    this.take();
    return command;
  }

  /** Inside `$(`, `<(` or `>(`: checks the commands up to `)` and returns them printed. */
  private parseSubstitution(): string {
    const { lexer } = this;
    const outer = this.ahead;
    const pending = lexer.pending;
    this.ahead = undefined;
    lexer.pending = [];
    lexer.aliasesOff += 1;
    this.inSubstitution += 1;
    this.enter();
    let text = '';
    this.skipNewlines();
    if (this.peek(COMMAND).kind === 'end') throw this.missingParenthesis();
    if (!this.isOperator(')')) {
      const command = this.insideParenthesis(() => this.parseList('body'));
      if (this.peek(COMMAND).kind === 'end') throw this.missingParenthesis();
      if (!this.isOperator(')')) throw lexer.unexpected(this.peek());
      text = printCommandText(command, true);
    }
    // The closing parenthesis is the last character read: the token holds nothing beyond it.
    this.depth -= 1;
    this.inSubstitution -= 1;
    lexer.aliasesOff -= 1;
    lexer.pending = pending;
    this.ahead = outer;
    return `${text.startsWith('(') ? ' ' : ''}${text})`;
  }

  private missingParenthesis(): ShellSyntaxError {
    const message = "unexpected EOF while looking for matching `)'";
    return new ShellSyntaxError(message, this.lexer.endLine(), undefined, true);
  }

  /** A text that ends inside `$(…` lacks the parenthesis, whatever else it lacks. */
  private insideParenthesis<T>(read: () => T): T {
    try {
      return read();
    } catch (error) {
      if (error instanceof ShellSyntaxError && error.message.endsWith('unexpected end of file'))
        throw this.missingParenthesis();
      throw error;
    }
  }

  /** Inside `name=(`: the words up to `)`. */
  private parseItems(): { items: Word[]; text: string } {
    const { lexer } = this;
    const outer = this.ahead;
    const line = lexer.input.line;
    this.ahead = undefined;
    const items: Word[] = [];
    for (;;) {
      const token = this.take(ITEM);
      if (token.kind === 'newline') continue;
      if (token.kind === 'operator' && token.text === ')') break;
      if (token.kind === 'end') {
        const message = "unexpected EOF while looking for matching `)'";
        throw new ShellSyntaxError(message, line, undefined, true, 'next-line');
      }
      if (token.word === undefined) {
        const { message } = lexer.unexpected(token);
        throw new ShellSyntaxError(message, token.line, lexer.input.currentLine(), false, 'next-line');
      }
      items.push(token.word);
    }
    this.ahead = outer;
    return { items, text: items.map((item) => item.text).join(' ') };
  }
}

/** Where the word behind a command's name stands. */
function nextPlace(name: Token): Place {
  return DECLARATIONS.has(name.text) ? DECLARED : ARGUMENT;
}

/** `a |& b`: standard error goes where standard output goes. */
function withErrorOutput(command: Command): Command {
  const redirect: Redirect = { fd: 2, operator: '>&', target: { text: '1' } };
  return { ...command, redirects: [...command.redirects, redirect] };
}
