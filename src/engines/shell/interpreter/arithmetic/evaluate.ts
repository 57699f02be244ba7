/**
 * Shell arithmetic: `$(( ))`, `(( ))`, `let`, subscripts, slices and integer variables.
 *
 * The idea: evaluation goes along with reading, operator by operator, because bash tells an error by the text that is
 * left at the last token. Numbers are 64-bit integers that wrap. Variables hold expressions, evaluated in turn, to
 * a bounded depth. Source: bash manual, Shell Arithmetic; error texts as observed in bash 5.2.
 */
import { numberOfText } from './number-text.js';

/** An expression that cannot be evaluated; the message is in bash's words, without a command's name. */
export class ArithmeticError extends Error {
  override readonly name = 'ArithmeticError';
}

/** Where variables come from. Both may raise the errors of the shell. */
export interface ArithmeticScope {
  /** The text of a variable or element; undefined when unset (counts as 0). */
  read(name: string, subscript: string | undefined): string | undefined;
  write(name: string, subscript: string | undefined, value: string): void;
}

const MAX_DEPTH = 128;
const MAX_PARENTHESES = 400;

type Token = {
  readonly kind: 'number' | 'name' | 'operator' | 'end';
  readonly text: string;
  readonly at: number;
};

const OPERATORS = [
  '<<=',
  '>>=',
  '**',
  '++',
  '--',
  '<<',
  '>>',
  '<=',
  '>=',
  '==',
  '!=',
  '&&',
  '||',
  '+=',
  '-=',
  '*=',
  '/=',
  '%=',
  '&=',
  '^=',
  '|=',
  '+',
  '-',
  '*',
  '/',
  '%',
  '<',
  '>',
  '=',
  '!',
  '~',
  '&',
  '|',
  '^',
  '?',
  ':',
  ',',
  '(',
  ')',
];
const ASSIGNMENTS: ReadonlySet<string> = new Set([
  '=',
  '+=',
  '-=',
  '*=',
  '/=',
  '%=',
  '<<=',
  '>>=',
  '&=',
  '^=',
  '|=',
]);

/** Binary operators by strength, weakest first. */
const LEVELS: readonly (readonly string[])[] = [
  ['||'],
  ['&&'],
  ['|'],
  ['^'],
  ['&'],
  ['==', '!='],
  ['<', '<=', '>', '>='],
  ['<<', '>>'],
  ['+', '-'],
  ['*', '/', '%'],
];

/** Evaluates an expression. @throws ArithmeticError */
export function evaluateArithmetic(text: string, scope: ArithmeticScope, depth = 0): bigint {
  const trimmed = text.trim();
  if (trimmed === '') return 0n;
  if (/^[1-9]\d{0,14}$/.test(trimmed)) return BigInt(trimmed);
  return new Evaluation(text, scope, depth).run();
}

/** A variable or element that a value was read from. */
interface Place {
  readonly name: string;
  readonly subscript: string | undefined;
}

/** One evaluation of one text. */
class Evaluation {
  private at = 0;
  private lastAt = 0;
  private token: Token = { kind: 'end', text: '', at: 0 };
  /** Above zero: operands are read but nothing happens (`0 && x++`). */
  private skipping = 0;
  private nesting = 0;

  constructor(
    private readonly text: string,
    private readonly scope: ArithmeticScope,
    private readonly depth: number,
  ) {}

  run(): bigint {
    if (this.depth > MAX_DEPTH) {
      throw new ArithmeticError(
        `${this.text}: expression recursion level exceeded (error token is "${this.text.trimStart()}")`,
      );
    }
    this.advance();
    const value = this.comma();
    if (this.token.kind !== 'end') throw this.error('syntax error in expression');
    return value;
  }

  private error(message: string, at = this.lastAt): ArithmeticError {
    return new ArithmeticError(
      `${this.text.trimStart()}: ${message} (error token is "${this.text.slice(at)}")`,
    );
  }

  /** Reads the next token. */
  private advance(): void {
    const { text } = this;
    while (this.at < text.length && /\s/.test(text[this.at] as string)) this.at += 1;
    const at = this.at;
    const char = text[at];
    if (char === undefined) {
      this.token = { kind: 'end', text: '', at };
      return;
    }
    this.lastAt = at;
    if (/[0-9]/.test(char)) {
      const found = /^[\w#@]+/.exec(text.slice(at))?.[0] ?? char;
      this.at += found.length;
      this.token = { kind: 'number', text: found, at };
    } else if (/[A-Za-z_]/.test(char)) {
      const found = /^\w+/.exec(text.slice(at))?.[0] ?? char;
      this.at += found.length;
      this.token = { kind: 'name', text: found, at };
    } else {
      const operator = OPERATORS.find((one) => text.startsWith(one, at));
      if (operator === undefined) {
        const after = this.token;
        const operand = this.at === 0 || after.text === '' || after.kind === 'operator';
        throw this.error(
          operand ? 'syntax error: operand expected' : 'syntax error: invalid arithmetic operator',
        );
      }
      // `x++` and `++x` only beside a variable; elsewhere `++` is two signs.
      if ((operator === '++' || operator === '--') && !this.isStep(at)) {
        this.at += 1;
        this.token = { kind: 'operator', text: char, at };
        return;
      }
      this.at += operator.length;
      this.token = { kind: 'operator', text: operator, at };
    }
  }

  private isStep(at: number): boolean {
    if (this.token.kind === 'name' || (this.token.kind === 'operator' && this.token.text === ']'))
      return true;
    return /^\s*[A-Za-z_]/.test(this.text.slice(at + 2));
  }

  private atEnd(): boolean {
    return this.token.kind === 'end';
  }

  private isOperator(text: string): boolean {
    return this.token.kind === 'operator' && this.token.text === text;
  }

  private comma(): bigint {
    let value = this.assignment();
    while (this.isOperator(',')) {
      this.advance();
      value = this.assignment();
    }
    return value;
  }

  /** The place that the last primary was, while nothing but it was read. */
  private place: Place | undefined;

  private assignment(): bigint {
    const value = this.conditional();
    if (this.token.kind !== 'operator' || !ASSIGNMENTS.has(this.token.text)) return value;
    const { place } = this;
    if (place === undefined) throw this.error('attempted assignment to non-variable');
    const operator = this.token.text.slice(0, -1);
    this.advance();
    const right = this.assignment();
    const result = operator === '' ? right : this.combine(operator, value, right, this.lastAt);
    this.store(place, result);
    this.place = undefined;
    return result;
  }

  private store(place: Place, value: bigint): void {
    if (this.skipping === 0) this.scope.write(place.name, place.subscript, value.toString());
  }

  private conditional(): bigint {
    const test = this.binary(0);
    if (!this.isOperator('?')) return test;
    this.advance();
    if (this.atEnd() || this.isOperator(':')) throw this.error('expression expected');
    const isTrue = test !== 0n;
    if (!isTrue) this.skipping += 1;
    const first = this.comma();
    if (!isTrue) this.skipping -= 1;
    if (!this.isOperator(':')) throw this.error("`:' expected for conditional expression");
    this.advance();
    if (this.atEnd()) throw this.error('expression expected');
    if (isTrue) this.skipping += 1;
    const second = this.conditional();
    if (isTrue) this.skipping -= 1;
    this.place = undefined;
    return isTrue ? first : second;
  }

  private binary(level: number): bigint {
    const operators = LEVELS[level];
    if (operators === undefined) return this.power();
    let left = this.binary(level + 1);
    while (this.token.kind === 'operator' && operators.includes(this.token.text)) {
      const operator = this.token.text;
      this.advance();
      const decided = (operator === '&&' && left === 0n) || (operator === '||' && left !== 0n);
      if (decided) this.skipping += 1;
      const start = this.token.at;
      const right = this.binary(level + 1);
      if (decided) this.skipping -= 1;
      left = decided ? (left !== 0n ? 1n : 0n) : this.combine(operator, left, right, start);
      this.place = undefined;
    }
    return left;
  }

  private combine(operator: string, left: bigint, right: bigint, rightAt: number): bigint {
    switch (operator) {
      case '||':
      case '&&':
        return right !== 0n ? 1n : 0n;
      case '|':
        return left | right;
      case '^':
        return left ^ right;
      case '&':
        return left & right;
      case '==':
        return left === right ? 1n : 0n;
      case '!=':
        return left !== right ? 1n : 0n;
      case '<':
        return left < right ? 1n : 0n;
      case '<=':
        return left <= right ? 1n : 0n;
      case '>':
        return left > right ? 1n : 0n;
      case '>=':
        return left >= right ? 1n : 0n;
      case '<<':
        return BigInt.asIntN(64, left << (right & 63n));
      case '>>':
        return left >> (right & 63n);
      case '+':
        return BigInt.asIntN(64, left + right);
      case '-':
        return BigInt.asIntN(64, left - right);
      case '*':
        return BigInt.asIntN(64, left * right);
      default:
        if (right === 0n) {
          if (this.skipping > 0) return 0n;
          throw this.error('division by 0', rightAt);
        }
        return operator === '/' ? BigInt.asIntN(64, left / right) : left % right;
    }
  }

  private power(): bigint {
    const left = this.unary();
    if (!this.isOperator('**')) return left;
    this.advance();
    const right = this.power();
    this.place = undefined;
    if (right < 0n) throw this.error('exponent less than 0');
    let result = 1n;
    let factor = left;
    for (let rest = right; rest > 0n; rest >>= 1n) {
      if ((rest & 1n) === 1n) result = BigInt.asIntN(64, result * factor);
      factor = BigInt.asIntN(64, factor * factor);
    }
    return result;
  }

  private unary(): bigint {
    if (this.token.kind !== 'operator') return this.primary();
    const operator = this.token.text;
    if (operator !== '!' && operator !== '~' && operator !== '-' && operator !== '+') return this.primary();
    this.enter();
    this.advance();
    const value = this.unary();
    this.nesting -= 1;
    this.place = undefined;
    if (operator === '!') return value === 0n ? 1n : 0n;
    if (operator === '~') return ~value;
    return operator === '-' ? BigInt.asIntN(64, -value) : value;
  }

  private enter(): void {
    this.nesting += 1;
    if (this.nesting > MAX_PARENTHESES) throw this.error('expression recursion level exceeded');
  }

  private primary(): bigint {
    const { token } = this;
    this.place = undefined;
    if (token.kind === 'number') {
      const value = numberOfText(token.text);
      if (typeof value !== 'bigint')
        throw new ArithmeticError(
          `${this.text.slice(0, this.at).trimStart()}: ${value} (error token is "${token.text}")`,
        );
      this.advance();
      return value;
    }
    if (token.kind === 'name') return this.variable();
    if (this.isOperator('(')) {
      this.enter();
      this.advance();
      const value = this.comma();
      if (!this.isOperator(')')) throw this.error("missing `)'");
      this.advance();
      this.nesting -= 1;
      this.place = undefined;
      return value;
    }
    if (this.isOperator('++') || this.isOperator('--')) {
      const step = token.text === '++' ? 1n : -1n;
      this.advance();
      if (this.token.kind !== 'name')
        throw this.error('identifier expected after pre-increment or pre-decrement');
      const place = this.readPlace();
      const value = BigInt.asIntN(64, this.valueOf(place) + step);
      this.store(place, value);
      this.advance();
      return value;
    }
    throw this.error('syntax error: operand expected');
  }

  private variable(): bigint {
    const place = this.readPlace();
    const restart = this.at;
    this.advance();
    // A plain assignment does not read what it overwrites.
    if (this.isOperator('=')) {
      this.place = place;
      return 0n;
    }
    const tokenAt = this.lastAt;
    this.lastAt = restart;
    const value = this.valueOf(place);
    this.lastAt = tokenAt;
    if (this.isOperator('++') || this.isOperator('--')) {
      this.store(place, BigInt.asIntN(64, value + (this.token.text === '++' ? 1n : -1n)));
      this.advance();
      return value;
    }
    this.place = place;
    return value;
  }

  /** The variable at the current token; reading stands behind it afterwards, the next token is not read. */
  private readPlace(): Place {
    const name = this.token.text;
    if (this.text[this.at] !== '[') return { name, subscript: undefined };
    let depth = 0;
    for (let end = this.at; end < this.text.length; end += 1) {
      const char = this.text[end];
      if (char === '[') depth += 1;
      else if (char === ']') {
        depth -= 1;
        if (depth === 0) {
          const subscript = this.text.slice(this.at + 1, end);
          this.at = end + 1;
          return { name, subscript };
        }
      }
    }
    throw this.error('bad array subscript');
  }

  private valueOf(place: Place): bigint {
    if (this.skipping > 0) return 0n;
    const value = this.scope.read(place.name, place.subscript);
    if (value === undefined || value === '') return 0n;
    return evaluateArithmetic(value, this.scope, this.depth + 1);
  }
}
