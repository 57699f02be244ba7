/**
 * Reads awk programs as mawk 1.3.4 does, with its messages: `line 1: syntax error at or near }`.
 *
 * Source: POSIX awk, its grammar, and mawk's wording. Precedence from loose to tight: `?:`, `||`, `&&`, `in`, `~`,
 * comparison, concatenation, `+`, `*`, unary, `^`, `++`, `$`. Not covered: mawk's check of types of names.
 */
import type {
  AwkExpression,
  AwkFunction,
  AwkProgram,
  AwkRedirect,
  AwkRule,
  AwkStatement,
  AwkTarget,
} from './ast.js';
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

/** Reads a program. Raises {@link AwkSyntaxError}. */
export function parseAwk(text: string): AwkProgram {
  return new AwkParser(text).parse();
}

const ASSIGNMENTS = new Set(['=', '+=', '-=', '*=', '/=', '%=', '^=']);
const COMPARISONS = new Set(['<', '<=', '==', '!=', '>', '>=']);

class AwkParser {
  private readonly lexer: AwkLexer;
  private token: AwkToken;
  private previous: AwkToken | undefined;
  private readonly functions = new Map<string, AwkFunction>();
  private readonly calls: { readonly name: string }[] = [];
  private noIn = 0;
  private noGreater = 0;
  private depth = 0;
  private inFunction = false;
  private inRule = false;
  private loops = 0;

  constructor(text: string) {
    this.lexer = new AwkLexer(text);
    this.token = this.lexer.next(true);
  }

  parse(): AwkProgram {
    const begin: AwkStatement[] = [];
    const end: AwkStatement[] = [];
    const rules: AwkRule[] = [];
    this.skipTerminators();
    while (this.token.kind !== 'end') {
      this.item({ begin, end, rules });
      this.skipTerminators();
    }
    for (const { name } of this.calls)
      if (!this.functions.has(name))
        throw new AwkSyntaxError(`line ${this.lastLine()}: function ${name} never defined`, undefined);
    return { begin, rules, end, functions: this.functions };
  }

  /** The line number that mawk has when it has read everything. */
  private lastLine(): number {
    return this.token.line + 1;
  }

  // ---- tokens ----

  private advance(): AwkToken {
    const taken = this.token;
    this.previous = taken;
    this.token = this.lexer.next(this.regexMayFollow(taken));
    return taken;
  }

  private regexMayFollow(taken: AwkToken): boolean {
    if (taken.kind === 'operator') return ![')', ']', '$', '++', '--'].includes(taken.text);
    if (taken.kind === 'word') return isKeyword(taken.text) && taken.text !== 'getline';
    return taken.kind === 'newline';
  }

  private is(text: string): boolean {
    const { kind } = this.token;
    return (kind === 'operator' || kind === 'word' || kind === 'call') && this.token.text === text;
  }

  private accept(text: string): boolean {
    if (!this.is(text)) return false;
    this.advance();
    return true;
  }

  private expect(text: string): void {
    if (!this.accept(text)) this.unexpected();
  }

  private unexpected(): never {
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

  private skipNewlines(): void {
    while (this.token.kind === 'newline') this.advance();
  }

  private skipTerminators(): void {
    while (this.token.kind === 'newline' || this.is(';')) this.advance();
  }

  // ---- items ----

  private item(out: { begin: AwkStatement[]; end: AwkStatement[]; rules: AwkRule[] }): void {
    if (this.is('function')) {
      this.functionItem();
      return;
    }
    if (this.is('BEGIN') || this.is('END')) {
      const list = this.advance().text === 'BEGIN' ? out.begin : out.end;
      if (!this.is('{')) this.unexpected();
      this.inRule = false;
      list.push(this.block());
      return;
    }
    this.inRule = true;
    if (this.is('}')) {
      const { line } = this.token;
      const message = `line ${line}: extra '}'`;
      this.advance();
      const near =
        this.token.kind === 'end' || this.token.kind === 'newline' ? 'end of line' : this.token.text;
      throw new AwkSyntaxError(message, line, `line ${line}: syntax error at or near ${near}`);
    }
    if (this.is('{')) {
      out.rules.push({ body: this.block() });
      return;
    }
    const pattern = this.expression();
    let rangeEnd: AwkExpression | undefined;
    if (this.accept(',')) {
      this.skipNewlines();
      rangeEnd = this.expression();
    }
    const body = this.is('{') ? this.block() : undefined;
    if (body === undefined && this.token.kind !== 'newline' && this.token.kind !== 'end' && !this.is(';'))
      this.unexpected();
    out.rules.push({
      pattern,
      ...(rangeEnd !== undefined && { rangeEnd }),
      ...(body !== undefined && { body }),
    });
  }

  private functionItem(): void {
    this.advance();
    const { text, kind } = this.token;
    if (kind !== 'word' && kind !== 'call') this.unexpected();
    this.advance();
    this.expect('(');
    const parameters: string[] = [];
    while (!this.is(')')) {
      if (this.token.kind !== 'word' || isKeyword(this.token.text)) this.unexpected();
      const name = this.token.text;
      if (parameters.includes(name))
        throw new AwkSyntaxError(
          `line ${this.token.line}: ${name} is duplicated in argument list`,
          undefined,
        );
      parameters.push(name);
      this.advance();
      if (!this.accept(',')) break;
      this.skipNewlines();
    }
    this.expect(')');
    this.skipNewlines();
    this.inFunction = true;
    const body = this.block();
    this.inFunction = false;
    this.functions.set(text, { name: text, parameters, body });
  }

  private block(): AwkStatement {
    this.expect('{');
    this.depth++;
    const body: AwkStatement[] = [];
    this.skipTerminators();
    while (!this.is('}')) {
      body.push(this.statement());
      this.skipTerminators();
    }
    this.depth--;
    this.advance();
    return { kind: 'block', body };
  }

  // ---- statements ----

  private statement(): AwkStatement {
    if (this.is('{')) return this.block();
    switch (this.token.kind === 'word' ? this.token.text : '') {
      case 'if':
        return this.ifStatement();
      case 'while':
        return this.whileStatement();
      case 'do':
        return this.doStatement();
      case 'for':
        return this.forStatement();
      default: {
        const simple = this.simple();
        this.endStatement();
        return simple;
      }
    }
  }

  private endStatement(): void {
    if (this.accept(';') || this.token.kind === 'newline') return;
    if (!this.is('}')) this.unexpected();
  }

  /** A body: a statement, or `;` for nothing. */
  private body(): AwkStatement {
    this.skipNewlines();
    if (this.accept(';') || this.is('}')) return { kind: 'block', body: [] };
    return this.statement();
  }

  private ifStatement(): AwkStatement {
    this.advance();
    this.expect('(');
    const test = this.nested();
    this.expect(')');
    const yes = this.body();
    this.skipTerminators();
    if (!this.is('else')) return { kind: 'if', test, yes };
    this.advance();
    return { kind: 'if', test, yes, no: this.body() };
  }

  private loopBody(): AwkStatement {
    this.loops++;
    const body = this.body();
    this.loops--;
    return body;
  }

  private whileStatement(): AwkStatement {
    this.advance();
    this.expect('(');
    const test = this.nested();
    this.expect(')');
    if (this.accept(';')) return { kind: 'while', test, body: { kind: 'block', body: [] } };
    return { kind: 'while', test, body: this.loopBody() };
  }

  private doStatement(): AwkStatement {
    this.advance();
    const body = this.loopBody();
    this.skipTerminators();
    this.expect('while');
    this.expect('(');
    const test = this.nested();
    this.expect(')');
    this.endStatement();
    return { kind: 'do', body, test };
  }

  private forStatement(): AwkStatement {
    this.advance();
    this.expect('(');
    const start = this.is(';') ? undefined : this.simpleOrIn();
    if (start !== undefined && 'array' in start) {
      this.expect(')');
      return { kind: 'forIn', ...start, body: this.loopBody() };
    }
    this.expect(';');
    this.skipNewlines();
    const test = this.is(';') ? undefined : this.nested();
    this.expect(';');
    this.skipNewlines();
    const step = this.is(')') ? undefined : this.simple();
    this.expect(')');
    const body = this.is(';') ? (this.advance(), { kind: 'block', body: [] } as const) : this.loopBody();
    return {
      kind: 'for',
      ...(start !== undefined && { start }),
      ...(test !== undefined && { test }),
      ...(step !== undefined && { step }),
      body,
    };
  }

  /** The head of a for: a simple statement, or `name in array`. */
  private simpleOrIn(): AwkStatement | { readonly variable: string; readonly array: string } {
    const first = this.simple();
    if (first.kind !== 'expression' || !this.is(')')) return first;
    const { value } = first;
    const key = value.kind === 'in' ? value.keys[0] : undefined;
    if (value.kind !== 'in' || value.keys.length !== 1 || key?.kind !== 'variable') return this.unexpected();
    return { variable: key.name, array: value.name };
  }

  private simple(): AwkStatement {
    const { text, kind, line } = this.token;
    const word = kind === 'word' ? text : '';
    switch (word) {
      case 'print':
      case 'printf':
        return this.print(word);
      case 'break':
      case 'continue':
        this.advance();
        if (this.loops === 0)
          throw new AwkSyntaxError(`line ${line}: ${word} statement outside of loop`, undefined);
        return { kind: word };
      case 'next':
      case 'nextfile':
        this.advance();
        if (!this.inRule && !this.inFunction)
          throw new AwkSyntaxError(`line ${line}: improper use of ${word}`, undefined);
        return { kind: word };
      case 'exit':
      case 'return': {
        this.advance();
        if (word === 'return' && !this.inFunction)
          throw new AwkSyntaxError(`line ${line}: return outside function body`, undefined);
        const ends =
          this.token.kind === 'newline' || this.token.kind === 'end' || this.is(';') || this.is('}');
        return ends ? { kind: word } : { kind: word, value: this.expression() };
      }
      case 'delete':
        return this.deletion();
      default:
        return { kind: 'expression', value: this.expression() };
    }
  }

  private deletion(): AwkStatement {
    this.advance();
    const name = this.token.text;
    if (this.token.kind !== 'word') this.unexpected();
    this.advance();
    if (!this.accept('[')) return { kind: 'delete', name };
    const keys = this.list(']');
    this.expect(']');
    return { kind: 'delete', name, keys };
  }

  private print(word: 'print' | 'printf'): AwkStatement {
    const { line } = this.advance();
    let args: readonly AwkExpression[] = [];
    const empty =
      this.token.kind === 'newline' ||
      this.token.kind === 'end' ||
      ['}', ';', '>', '>>', '|'].some((one) => this.is(one));
    if (!empty) args = this.printArguments();
    if (word === 'printf' && args.length === 0)
      throw new AwkSyntaxError(`line ${line}: no arguments in call to printf`, undefined);
    const to = this.redirect();
    return { kind: word, args, ...(to !== undefined && { to }) };
  }

  /** Expressions without a bare `>`; a list in parentheses is the arguments themselves. */
  private printArguments(): readonly AwkExpression[] {
    this.noGreater++;
    const first = this.is('(') ? this.parenthesised() : undefined;
    if (first !== undefined && first.length > 1) {
      this.noGreater--;
      return first;
    }
    const [only] = first ?? [];
    const args = [only === undefined ? this.expression() : this.continued({ kind: 'group', inner: only })];
    while (this.accept(',')) {
      this.skipNewlines();
      args.push(this.expression());
    }
    this.noGreater--;
    return args;
  }

  private redirect(): AwkRedirect | undefined {
    for (const how of ['>', '>>', '|'] as const) {
      if (!this.is(how)) continue;
      this.advance();
      this.noGreater++;
      const target = this.concatenation();
      this.noGreater--;
      return { how, target };
    }
    return undefined;
  }

  // ---- expressions ----

  /** An expression inside parentheses, where `>` and `in` are free again. */
  private nested(): AwkExpression {
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

  private list(end: string): AwkExpression[] {
    const items: AwkExpression[] = [];
    if (this.is(end)) return items;
    do {
      items.push(this.nested());
    } while (this.accept(','));
    return items;
  }

  /** `( … )` with its items; several are a list. */
  private parenthesised(): AwkExpression[] {
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

  private expression(): AwkExpression {
    return this.rest(this.or());
  }

  /** Goes on with an expression whose first operand was read already. */
  private continued(first: AwkExpression): AwkExpression {
    this.started = first;
    return this.expression();
  }
  private started: AwkExpression | undefined;

  /** Assignment and `?:` behind an operand. */
  private rest(left: AwkExpression): AwkExpression {
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

  private or(): AwkExpression {
    let left = this.and();
    while (this.accept('||')) {
      this.skipNewlines();
      left = { kind: 'or', left, right: this.and() };
    }
    return left;
  }

  private and(): AwkExpression {
    let left = this.membership();
    while (this.accept('&&')) {
      this.skipNewlines();
      left = { kind: 'and', left, right: this.membership() };
    }
    return left;
  }

  private membership(): AwkExpression {
    let left = this.matching();
    while (this.noIn === 0 && this.accept('in')) {
      const name = this.token.text;
      if (this.token.kind !== 'word') this.unexpected();
      this.advance();
      left = { kind: 'in', name, keys: [left] };
    }
    return left;
  }

  private matching(): AwkExpression {
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

  private lexerNextIs(text: string): boolean {
    return this.lexer.startsWith(text);
  }

  private comparison(): AwkExpression {
    let left = this.piped(this.concatenation());
    while (this.token.kind === 'operator' && COMPARISONS.has(this.token.text)) {
      if (this.is('>') && this.noGreater > 0) return left;
      const operator = this.advance().text;
      left = { kind: 'binary', operator, left, right: this.piped(this.concatenation()) };
    }
    return left;
  }

  /** `command | getline`. */
  private piped(left: AwkExpression): AwkExpression {
    let value = left;
    while (this.is('|') && this.lexer.startsWith('getline')) {
      this.advance();
      this.advance();
      const target = this.optionalTarget();
      value = { kind: 'getline', from: 'command', source: value, ...(target !== undefined && { target }) };
    }
    return value;
  }

  private concatenation(): AwkExpression {
    let left = this.additive();
    while (this.startsOperand()) left = { kind: 'binary', operator: ' ', left, right: this.additive() };
    return left;
  }

  private startsOperand(): boolean {
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

  private additive(): AwkExpression {
    let left = this.multiplicative();
    while (this.is('+') || this.is('-')) {
      const operator = this.advance().text;
      left = { kind: 'binary', operator, left, right: this.multiplicative() };
    }
    return left;
  }

  private multiplicative(): AwkExpression {
    let left = this.unary();
    while (this.is('*') || this.is('/') || this.is('%')) {
      const operator = this.advance().text;
      left = { kind: 'binary', operator, left, right: this.unary() };
    }
    return left;
  }

  private unary(): AwkExpression {
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

  private powered(base: AwkExpression): AwkExpression {
    if (!this.accept('^')) return base;
    return { kind: 'binary', operator: '^', left: base, right: this.unaryPower() };
  }

  private unaryPower(): AwkExpression {
    if (this.is('-') || this.is('+') || this.is('!')) {
      const operator = this.advance().text as '!' | '-' | '+';
      return { kind: 'unary', operator, operand: this.unaryPower() };
    }
    return this.powered(this.postfix(this.primary()));
  }

  private postfix(value: AwkExpression): AwkExpression {
    if (isTarget(value) && (this.is('++') || this.is('--')))
      return { kind: 'step', target: value, by: this.advance().text === '++' ? 1 : -1, prefix: false };
    return value;
  }

  private primary(): AwkExpression {
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

  private signed(): AwkExpression {
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

  private prefixStep(): AwkExpression {
    const by = this.advance().text === '++' ? 1 : -1;
    const target = this.primary();
    if (!isTarget(target)) return this.unexpected();
    return { kind: 'step', target, by, prefix: true };
  }

  private named(): AwkExpression {
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

  private call(): AwkExpression {
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

  private getline(): AwkExpression {
    this.advance();
    const target = this.optionalTarget();
    const shared = target === undefined ? {} : { target };
    if (!this.accept('<')) return { kind: 'getline', from: 'main', ...shared };
    return { kind: 'getline', from: 'file', source: this.postfix(this.primary()), ...shared };
  }

  private optionalTarget(): AwkTarget | undefined {
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
