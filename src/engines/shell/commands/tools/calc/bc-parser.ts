/**
 * The grammar of `bc`: comparisons bind weaker than assignments, a minus sign stronger than a power.
 *
 * Source: bc(1). Addresses count as GNU bc's byte code does, for its messages. Not covered: `read()`.
 */
import type { BcArgument, BcExpression, BcFunction, BcParameter, BcPlace, BcStatement } from './bc-ast.js';
import { type BcToken, KEYWORDS } from './bc-lexer.js';

/** A text that is no bc; the message is what bc says behind the place. */
export class BcSyntaxError extends Error {
  constructor(
    readonly line: number,
    message = 'syntax error',
  ) {
    super(message);
  }
}

const RELATIONS = ['==', '!=', '<', '<=', '>', '>='];
const ASSIGNMENTS = ['=', '+=', '-=', '*=', '/=', '%=', '^='];
const SPECIAL = ['scale', 'ibase', 'obase', 'last'];
const JUMP_BYTES = 3;

/** Parses one chunk. */
export class BcParser {
  private position = 0;
  /** Bytes of code so far. */
  private size = 0;
  private loops = 0;
  private isInFunction = false;

  constructor(private readonly tokens: readonly BcToken[]) {}

  /** The statements of the chunk up to its line feed, or a function. Raises {@link BcSyntaxError}. */
  line(): BcStatement[] | BcFunction {
    this.size = 0;
    if (this.peek().text === 'define' && this.peek().kind === 'name') return this.definition();
    const body: BcStatement[] = [];
    for (;;) {
      while (this.take(';'));
      if (this.peek().kind === 'newline' || this.peek().kind === 'end') {
        this.position++;
        return body;
      }
      body.push(this.statement());
      if (!this.is(';') && this.peek().kind !== 'newline' && this.peek().kind !== 'end') this.fail();
    }
  }

  /** Whether all tokens were read. */
  get isAtEnd(): boolean {
    return this.position >= this.tokens.length - 1;
  }

  private peek(): BcToken {
    return this.tokens[this.position] ?? (this.tokens.at(-1) as BcToken);
  }

  private is(text: string): boolean {
    return this.peek().text === text && (this.peek().kind === 'operator' || this.peek().kind === 'name');
  }

  private take(text: string): boolean {
    if (!this.is(text)) return false;
    this.position++;
    return true;
  }

  private need(text: string): void {
    if (!this.take(text)) this.fail();
  }

  private fail(message?: string): never {
    if (this.peek().kind === 'illegal')
      throw new BcSyntaxError(this.peek().line, `illegal character: ${this.peek().text}`);
    throw new BcSyntaxError(this.peek().line, message);
  }

  private skipLines(): void {
    while (this.peek().kind === 'newline') this.position++;
  }

  // ---- functions ----

  private definition(): BcFunction {
    this.position++;
    const isVoid = this.take('void');
    const name = this.name();
    this.need('(');
    const parameters = this.parameters(')');
    this.need(')');
    this.skipLines();
    this.need('{');
    while (this.peek().kind === 'newline' || this.is(';')) this.position++;
    let autos: BcParameter[] = [];
    if (this.take('auto')) {
      autos = this.parameters(';');
      if (!this.take(';') && this.peek().kind !== 'newline') this.fail();
    }
    this.isInFunction = true;
    this.size = 0;
    const body = this.blockBody();
    this.isInFunction = false;
    if (this.peek().kind === 'newline') this.position++;
    return { name, isVoid, parameters, autos, body };
  }

  private parameters(end: string): BcParameter[] {
    const out: BcParameter[] = [];
    while (!this.is(end) && this.peek().kind !== 'newline') {
      const isReference = this.take('*') || this.take('&');
      const name = this.name();
      const isArray = this.take('[');
      if (isArray) this.need(']');
      out.push({ name, isArray, isReference });
      if (!this.take(',')) break;
    }
    return out;
  }

  private name(): string {
    const token = this.peek();
    if (token.kind !== 'name' || KEYWORDS.has(token.text)) this.fail();
    this.position++;
    return token.text;
  }

  // ---- statements ----

  private blockBody(): BcStatement[] {
    const body: BcStatement[] = [];
    for (;;) {
      while (this.peek().kind === 'newline' || this.is(';')) this.position++;
      if (this.take('}')) return body;
      body.push(this.statement());
      if (!this.is(';') && !this.is('}') && this.peek().kind !== 'newline') this.fail();
    }
  }

  private statement(): BcStatement {
    const token = this.peek();
    if (token.kind === 'string') {
      this.position++;
      this.size += token.text.length + 2;
      return { kind: 'string', text: token.text };
    }
    if (this.take('{')) return { kind: 'block', body: this.blockBody() };
    if (token.kind === 'name') {
      const word = this.keyword(token);
      if (word !== undefined) return word;
    }
    const value = this.expression();
    this.size += 1;
    return { kind: 'expression', value, isPrinted: value.kind !== 'assign' };
  }

  private keyword(token: BcToken): BcStatement | undefined {
    const { text } = token;
    switch (text) {
      case 'break':
      case 'continue':
        if (this.loops === 0)
          throw new BcSyntaxError(
            token.line,
            text === 'break' ? 'Break outside a for/while' : 'Continue outside a for',
          );
        this.position++;
        this.size += JUMP_BYTES;
        return { kind: text };
      case 'halt':
      case 'quit':
      case 'limits':
      case 'warranty':
        this.position++;
        return { kind: text };
      case 'print':
        return this.print();
      case 'return':
        return this.returned();
      case 'if':
        return this.condition();
      case 'while':
      case 'for':
        this.position++;
        this.need('(');
        return text === 'while' ? this.whileLoop() : this.forLoop();
      default:
        return undefined;
    }
  }

  private print(): BcStatement {
    this.position++;
    const items: (BcExpression | { kind: 'string'; text: string })[] = [];
    do {
      const token = this.peek();
      if (token.kind === 'string') {
        this.position++;
        items.push({ kind: 'string', text: token.text });
        this.size += token.text.length + 2;
      } else {
        items.push(this.expression());
        this.size += 1;
      }
    } while (this.take(','));
    return { kind: 'print', items };
  }

  private returned(): BcStatement {
    this.position++;
    const isEnd =
      this.is(';') || this.is('}') || this.peek().kind === 'newline' || this.peek().kind === 'end';
    const value = isEnd ? undefined : this.expression();
    if (!this.isInFunction) this.fail('Return outside of a function.');
    this.size += 1;
    return { kind: 'return', value };
  }

  private condition(): BcStatement {
    this.position++;
    this.need('(');
    const test = this.expression();
    this.need(')');
    this.size += JUMP_BYTES;
    this.skipLines();
    const then = this.statement();
    const before = this.position;
    if (this.is(';')) this.position++;
    if (!this.is('else')) {
      this.position = before;
      return { kind: 'if', test, then, otherwise: undefined };
    }
    this.position++;
    this.size += JUMP_BYTES;
    this.skipLines();
    return { kind: 'if', test, then, otherwise: this.statement() };
  }

  private whileLoop(): BcStatement {
    const test = this.expression();
    this.need(')');
    this.size += JUMP_BYTES;
    const body = this.loopBody();
    this.size += JUMP_BYTES;
    return { kind: 'while', test, body };
  }

  private forLoop(): BcStatement {
    const part = (end: string): BcExpression | undefined => {
      const value = this.is(end) ? undefined : this.expression();
      this.need(end);
      return value;
    };
    const first = part(';');
    const test = part(';');
    const next = part(')');
    this.size += 4 * JUMP_BYTES;
    return { kind: 'for', first, test, next, body: this.loopBody() };
  }

  private loopBody(): BcStatement {
    this.loops += 1;
    this.skipLines();
    const body: BcStatement = this.is(';') ? { kind: 'block', body: [] } : this.statement();
    this.loops -= 1;
    return body;
  }

  // ---- expressions ----

  private expression(): BcExpression {
    return this.either();
  }

  private either(): BcExpression {
    let left = this.both();
    while (this.take('||')) left = this.binary('||', left, this.both());
    return left;
  }

  private both(): BcExpression {
    let left = this.negation();
    while (this.take('&&')) left = this.binary('&&', left, this.negation());
    return left;
  }

  private negation(): BcExpression {
    if (!this.take('!')) return this.relation();
    const value = this.negation();
    this.size += 1;
    return { kind: 'unary', op: '!', value };
  }

  private relation(): BcExpression {
    let left = this.assignment();
    while (RELATIONS.some((one) => this.is(one))) {
      const op = this.peek().text;
      this.position++;
      left = this.binary(op, left, this.assignment());
    }
    return left;
  }

  private binary(op: string, left: BcExpression, right: BcExpression): BcExpression {
    this.size += 1;
    return { kind: 'binary', op, left, right, at: this.size };
  }

  private assignment(): BcExpression {
    const start = this.position;
    const place = this.sum();
    const op = ASSIGNMENTS.find((one) => this.is(one));
    if (op === undefined) return place;
    if (place.kind !== 'variable' && place.kind !== 'element') this.fail();
    if (this.position - start < 1) this.fail();
    this.position++;
    // A plain assignment does not load its place.
    if (op === '=') this.size -= 2;
    const value = this.assignment();
    if (op !== '=') this.size += 1;
    this.size += 2;
    return { kind: 'assign', place, op: op.slice(0, -1), value, at: this.size };
  }

  private sum(): BcExpression {
    let left = this.product();
    while (this.is('+') || this.is('-')) {
      const op = this.peek().text;
      this.position++;
      left = this.binary(op, left, this.product());
    }
    return left;
  }

  private product(): BcExpression {
    let left = this.power();
    while (this.is('*') || this.is('/') || this.is('%')) {
      const op = this.peek().text;
      this.position++;
      left = this.binary(op, left, this.power());
    }
    return left;
  }

  private power(): BcExpression {
    const left = this.minus();
    if (!this.take('^')) return left;
    return this.binary('^', left, this.power());
  }

  private minus(): BcExpression {
    if (!this.take('-')) return this.primary();
    const value = this.minus();
    this.size += 1;
    return { kind: 'unary', op: '-', value };
  }

  private primary(): BcExpression {
    const token = this.peek();
    if (this.take('++') || this.take('--')) {
      const place = this.place();
      this.size += 3;
      return { kind: 'step', place, by: token.text === '++' ? 1 : -1, isPrefix: true };
    }
    if (token.kind === 'number') return this.number(token);
    if (this.take('(')) {
      const value = this.expression();
      this.need(')');
      return { kind: 'group', value };
    }
    if (
      token.kind === 'name' &&
      ['length', 'sqrt', 'scale'].includes(token.text) &&
      this.tokens[this.position + 1]?.text === '('
    )
      return this.builtIn(token.text);
    if (token.kind === 'name' && !KEYWORDS.has(token.text) && this.tokens[this.position + 1]?.text === '(')
      return this.call(token.text);
    const place = this.place();
    if (this.is('++') || this.is('--')) {
      const by = this.peek().text === '++' ? 1 : -1;
      this.position++;
      this.size += 3;
      return { kind: 'step', place, by, isPrefix: false };
    }
    return place;
  }

  private number(token: BcToken): BcExpression {
    this.position++;
    const bare = token.text.replace(/^0+(?=.)/, '');
    this.size += bare === '0' || bare === '1' ? 1 : bare.length + 2;
    return { kind: 'number', text: token.text };
  }

  private builtIn(name: string): BcExpression {
    this.position += 2;
    const value = this.expression();
    this.need(')');
    this.size += 2;
    return { kind: 'built-in', name, value, at: this.size };
  }

  private call(name: string): BcExpression {
    this.position += 2;
    const args: BcArgument[] = [];
    while (!this.is(')')) {
      const token = this.peek();
      if (
        token.kind === 'name' &&
        this.tokens[this.position + 1]?.text === '[' &&
        this.tokens[this.position + 2]?.text === ']'
      ) {
        args.push({ kind: 'array', name: token.text });
        this.position += 3;
        this.size += token.text.length + 2;
      } else args.push(this.expression());
      if (!this.take(',')) break;
    }
    this.need(')');
    this.size += 2;
    const at = this.size;
    this.size += args.length + 1;
    return { kind: 'call', name, args, at };
  }

  private place(): BcPlace {
    const token = this.peek();
    if (token.text === '.' && token.kind === 'operator') {
      this.position++;
      this.size += 2;
      return { kind: 'variable', name: 'last' };
    }
    if (token.kind !== 'name' || (KEYWORDS.has(token.text) && !SPECIAL.includes(token.text))) this.fail();
    this.position++;
    this.size += 2;
    if (!this.take('[')) return { kind: 'variable', name: token.text };
    const index = this.expression();
    this.need(']');
    return { kind: 'element', name: token.text, index };
  }
}
