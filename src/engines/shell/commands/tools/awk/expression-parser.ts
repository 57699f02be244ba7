/**
 * Reads the expressions of awk programs; `parser.ts` reads what is around them.
 *
 * Precedence from loose to tight: `?:`, `||`, `&&`, `in`, `~`, comparison, concatenation, `+`, `*`, unary, `^`, `++`, `$`.
 */
import type { AwkExpression, AwkTarget } from './ast.js';
import { AwkLexer, type AwkToken, isKeyword } from './lexer.js';
import { AwkSyntaxError } from './syntax-error.js';

/** How many arguments each builtin takes. */
const BUILTINS: Readonly<Record<string, readonly [number, number]>> = {
  length: [0, 1],
  substr: [2, 3],
  index: [2, 2],
  split: [2, 3],
  sub: [2, 3],
  gsub: [2, 3],
  match: [2, 2],
  sprintf: [1, 255],
  sin: [1, 1],
  cos: [1, 1],
  atan2: [2, 2],
  exp: [1, 1],
  log: [1, 1],
  sqrt: [1, 1],
  int: [1, 1],
  rand: [0, 0],
  srand: [0, 1],
  tolower: [1, 1],
  toupper: [1, 1],
  close: [1, 1],
  system: [1, 1],
  fflush: [0, 1],
  mktime: [1, 1],
  strftime: [0, 3],
  systime: [0, 0],
};

const ASSIGNMENTS = new Set(['=', '+=', '-=', '*=', '/=', '%=', '^=']);
const COMPARISONS = new Set(['<', '<=', '==', '!=', '>', '>=']);

/** The tokens of a program and its expressions. */
export class AwkExpressionParser {
  protected readonly lexer: AwkLexer;
  protected token: AwkToken;
  /** Functions that are called, to be looked for at the end. */
  protected readonly calls: { readonly name: string }[] = [];
  protected noIn = 0;
  protected noGreater = 0;
  /** Braces that are open. */
  protected depth = 0;

  constructor(text: string) {
    this.lexer = new AwkLexer(text);
    this.token = this.lexer.next(true);
  }

  // ---- tokens ----

  /** The line number that mawk has when it has read everything. */
  protected lastLine(): number {
    return this.token.line + 1;
  }

  protected advance(): AwkToken {
    const taken = this.token;
    this.token = this.lexer.next(this.regexMayFollow(taken));
    return taken;
  }

  protected regexMayFollow(taken: AwkToken): boolean {
    if (taken.kind === 'operator') return ![')', ']', '$', '++', '--'].includes(taken.text);
    if (taken.kind === 'word') return isKeyword(taken.text) && taken.text !== 'getline';
    return taken.kind === 'newline';
  }

  protected is(text: string): boolean {
    const { kind } = this.token;
    return (kind === 'operator' || kind === 'word' || kind === 'call') && this.token.text === text;
  }

  protected accept(text: string): boolean {
    if (!this.is(text)) return false;
    this.advance();
    return true;
  }

  protected expect(text: string): void {
    if (!this.accept(text)) this.unexpected();
  }

  protected unexpected(): never {
    const { kind, text, line } = this.token;
    if (kind === 'end') {
      if (this.depth > 0)
        throw new AwkSyntaxError(`line ${this.lastLine()}: missing } near end of file`, undefined);
      throw new AwkSyntaxError(`line ${this.lastLine()}: syntax error at or near end of file`, undefined);
    }
    if (kind === 'newline')
      throw new AwkSyntaxError(`line ${line}: syntax error at or near end of line`, undefined);
    const shown = kind === 'string' ? `"${text}"` : kind === 'regex' ? `/${text}/` : text;
    throw new AwkSyntaxError(`line ${line}: syntax error at or near ${shown}`, undefined);
  }

  protected skipNewlines(): void {
    while (this.token.kind === 'newline') this.advance();
  }

  protected skipTerminators(): void {
    while (this.token.kind === 'newline' || this.is(';')) this.advance();
  }

  // ---- expressions ----

  /** An expression inside parentheses, where `>` and `in` are free again. */
  protected nested(): AwkExpression {
    const [noIn, noGreater] = [this.noIn, this.noGreater];
    this.noIn = 0;
    this.noGreater = 0;
    this.skipNewlines();
    const value = this.expression();
    this.skipNewlines();
    this.noIn = noIn;
    this.noGreater = noGreater;
    return value;
  }

  protected list(end: string): AwkExpression[] {
    const items: AwkExpression[] = [];
    if (this.is(end)) return items;
    do {
      items.push(this.nested());
    } while (this.accept(','));
    return items;
  }

  /** `( … )` with its items; several are a list. */
  protected parenthesised(): AwkExpression[] {
    this.expect('(');
    const items = this.list(')');
    this.expect(')');
    if (items.length === 0) this.unexpected();
    if (items.length > 1 && this.is('in')) {
      this.advance();
      const name = this.token.text;
      if (this.token.kind !== 'word') this.unexpected();
      this.advance();
      return [{ kind: 'in', name, keys: items }];
    }
    return items;
  }

  protected expression(): AwkExpression {
    return this.rest(this.or());
  }

  /** Goes on with an expression whose first operand was read already. */
  protected continued(first: AwkExpression): AwkExpression {
    this.started = first;
    return this.expression();
  }
  protected started: AwkExpression | undefined;

  /** Assignment and `?:` behind an operand. */
  protected rest(left: AwkExpression): AwkExpression {
    if (this.token.kind === 'operator' && ASSIGNMENTS.has(this.token.text) && isTarget(left)) {
      const operator = this.advance().text;
      this.skipNewlines();
      return { kind: 'assign', operator, target: left, value: this.expression() };
    }
    if (!this.is('?')) return left;
    this.advance();
    this.skipNewlines();
    const yes = this.expression();
    this.skipNewlines();
    this.expect(':');
    this.skipNewlines();
    return { kind: 'conditional', test: left, yes, no: this.expression() };
  }

  protected or(): AwkExpression {
    let left = this.and();
    while (this.accept('||')) {
      this.skipNewlines();
      left = { kind: 'or', left, right: this.and() };
    }
    return left;
  }

  protected and(): AwkExpression {
    let left = this.membership();
    while (this.accept('&&')) {
      this.skipNewlines();
      left = { kind: 'and', left, right: this.membership() };
    }
    return left;
  }

  protected membership(): AwkExpression {
    let left = this.matching();
    while (this.noIn === 0 && this.accept('in')) {
      const name = this.token.text;
      if (this.token.kind !== 'word') this.unexpected();
      this.advance();
      left = { kind: 'in', name, keys: [left] };
    }
    return left;
  }

  protected matching(): AwkExpression {
    let left = this.comparison();
    for (;;) {
      const negated = this.is('!') && this.lexerNextIs('~');
      if (this.is('~')) {
        this.advance();
        left = { kind: 'match', left, right: this.comparison(), negated: false };
      } else if (negated) {
        this.advance();
        this.advance();
        left = { kind: 'match', left, right: this.comparison(), negated: true };
      } else return left;
    }
  }

  protected lexerNextIs(text: string): boolean {
    return this.lexer.startsWith(text);
  }

  protected comparison(): AwkExpression {
    let left = this.piped(this.concatenation());
    while (this.token.kind === 'operator' && COMPARISONS.has(this.token.text)) {
      if (this.is('>') && this.noGreater > 0) return left;
      const operator = this.advance().text;
      left = { kind: 'binary', operator, left, right: this.piped(this.concatenation()) };
    }
    return left;
  }

  /** `command | getline`. */
  protected piped(left: AwkExpression): AwkExpression {
    let value = left;
    while (this.is('|') && this.lexer.startsWith('getline')) {
      this.advance();
      this.advance();
      const target = this.optionalTarget();
      value = { kind: 'getline', from: 'command', source: value, ...(target !== undefined && { target }) };
    }
    return value;
  }

  protected concatenation(): AwkExpression {
    let left = this.additive();
    while (this.startsOperand()) left = { kind: 'binary', operator: ' ', left, right: this.additive() };
    return left;
  }

  protected startsOperand(): boolean {
    const { kind, text } = this.token;
    if (kind === 'number' || kind === 'string' || kind === 'call' || kind === 'regex') return true;
    if (kind === 'word') return !isKeyword(text);
    return kind === 'operator' &&
      ['$', '!', '(', '++', '--', '-', '+'].includes(text) &&
      text !== '-' &&
      text !== '+'
      ? !(text === '!' && this.lexer.startsWith('~')) && text !== '!'
      : false;
  }

  protected additive(): AwkExpression {
    let left = this.multiplicative();
    while (this.is('+') || this.is('-')) {
      const operator = this.advance().text;
      left = { kind: 'binary', operator, left, right: this.multiplicative() };
    }
    return left;
  }

  protected multiplicative(): AwkExpression {
    let left = this.unary();
    while (this.is('*') || this.is('/') || this.is('%')) {
      const operator = this.advance().text;
      left = { kind: 'binary', operator, left, right: this.unary() };
    }
    return left;
  }

  protected unary(): AwkExpression {
    const { started } = this;
    if (started !== undefined) {
      this.started = undefined;
      return this.powered(this.postfix(started));
    }
    if (this.is('!') || this.is('-') || this.is('+')) {
      const operator = this.advance().text as '!' | '-' | '+';
      return { kind: 'unary', operator, operand: this.unary() };
    }
    return this.powered(this.postfix(this.primary()));
  }

  protected powered(base: AwkExpression): AwkExpression {
    if (!this.accept('^')) return base;
    return { kind: 'binary', operator: '^', left: base, right: this.unaryPower() };
  }

  protected unaryPower(): AwkExpression {
    if (this.is('-') || this.is('+') || this.is('!')) {
      const operator = this.advance().text as '!' | '-' | '+';
      return { kind: 'unary', operator, operand: this.unaryPower() };
    }
    return this.powered(this.postfix(this.primary()));
  }

  protected postfix(value: AwkExpression): AwkExpression {
    if (isTarget(value) && (this.is('++') || this.is('--')))
      return { kind: 'step', target: value, by: this.advance().text === '++' ? 1 : -1, prefix: false };
    return value;
  }

  protected primary(): AwkExpression {
    const { kind, text } = this.token;
    switch (kind) {
      case 'number':
        return { kind: 'number', value: this.advance().number ?? 0 };
      case 'string':
        return { kind: 'string', value: this.advance().text };
      case 'regex': {
        const { line } = this.advance();
        return { kind: 'regex', source: text, line };
      }
      case 'call':
        return this.call();
      case 'word':
        return this.named();
      case 'operator':
        return this.signed();
      default:
        return this.unexpected();
    }
  }

  protected signed(): AwkExpression {
    if (this.is('(')) {
      const items = this.parenthesised();
      const [only] = items;
      if (items.length !== 1 || only === undefined) return this.unexpected();
      return { kind: 'group', inner: only };
    }
    if (this.accept('$')) {
      if (this.is('++') || this.is('--')) return { kind: 'field', index: this.prefixStep() };
      const index = this.is('-') || this.is('+') || this.is('!') ? this.unary() : this.primary();
      return { kind: 'field', index };
    }
    if (this.is('++') || this.is('--')) return this.prefixStep();
    return this.unexpected();
  }

  protected prefixStep(): AwkExpression {
    const by = this.advance().text === '++' ? 1 : -1;
    const target = this.primary();
    if (!isTarget(target)) return this.unexpected();
    return { kind: 'step', target, by, prefix: true };
  }

  protected named(): AwkExpression {
    const { text } = this.token;
    if (text === 'getline') return this.getline();
    if (isKeyword(text)) return this.unexpected();
    const { line } = this.advance();
    if (text === 'length' || text === 'fflush' || text === 'systime')
      return { kind: 'builtin', name: text, args: [], line };
    if (Object.hasOwn(BUILTINS, text)) return this.unexpected();
    if (!this.accept('[')) return { kind: 'variable', name: text };
    const keys = this.list(']');
    this.expect(']');
    return { kind: 'element', name: text, keys };
  }

  protected call(): AwkExpression {
    const { text, line } = this.advance();
    this.expect('(');
    const args = this.list(')');
    this.skipNewlines();
    this.expect(')');
    const arity = Object.hasOwn(BUILTINS, text) ? BUILTINS[text] : undefined;
    if (arity === undefined) {
      this.calls.push({ name: text });
      return { kind: 'call', name: text, args, line };
    }
    if (args.length < arity[0] || args.length > arity[1])
      throw new AwkSyntaxError(`line ${line}: wrong number of arguments in call to ${text}`, undefined);
    return { kind: 'builtin', name: text, args, line };
  }

  protected getline(): AwkExpression {
    this.advance();
    const target = this.optionalTarget();
    const shared = target === undefined ? {} : { target };
    if (!this.accept('<')) return { kind: 'getline', from: 'main', ...shared };
    return { kind: 'getline', from: 'file', source: this.postfix(this.primary()), ...shared };
  }

  protected optionalTarget(): AwkTarget | undefined {
    const isName =
      this.token.kind === 'word' && !isKeyword(this.token.text) && !Object.hasOwn(BUILTINS, this.token.text);
    if (!isName && !this.is('$')) return undefined;
    const value = this.primary();
    return isTarget(value) ? value : this.unexpected();
  }
}

function isTarget(value: AwkExpression): value is AwkTarget {
  return value.kind === 'variable' || value.kind === 'field' || value.kind === 'element';
}
