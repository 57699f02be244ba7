/**
 * `test` and `[`: by the number of arguments where POSIX says so, by precedence for more.
 */
import type { Shell } from '../shell.js';
import { type Builtin, fail } from './call.js';
import { BINARY_OPERATORS, binaryTest, UNARY_OPERATORS, unaryTest } from './test-operators.js';

/** A test that cannot be understood. */
class TestError extends Error {
  override readonly name = 'TestError';
}

function numberOf(text: string): bigint {
  const match = /^\s*([+-]?)(\d+)\s*$/.exec(text);
  if (match === null) throw new TestError(`${text}: integer expression expected`);
  return BigInt(match[2] as string) * (match[1] === '-' ? -1n : 1n);
}

/** One evaluation. */
class TestRun {
  private at = 0;

  constructor(
    private readonly shell: Shell,
    private readonly args: readonly string[],
  ) {}

  run(): boolean {
    const { args } = this;
    if (args.length === 0) return false;
    if (args.length <= 4) {
      const known = this.byCount(args);
      if (known !== undefined) return known;
    }
    const value = this.or();
    if (this.at < args.length)
      throw new TestError(args[this.at] === ')' ? 'too many arguments' : 'too many arguments');
    return value;
  }

  private byCount(args: readonly string[]): boolean | undefined {
    const [a = '', b = '', c = '', d = ''] = args;
    if (args.length === 1) return a !== '';
    if (args.length === 2) {
      if (a === '!') return b === '';
      if (UNARY_OPERATORS.test(a)) return this.unary(a, b);
      if (/^-.$/.test(a)) throw new TestError(`${a}: unary operator expected`);
      throw new TestError(`${a}: unary operator expected`);
    }
    if (args.length === 3) {
      if (BINARY_OPERATORS.test(b) && b !== '=~') return this.binary(a, b, c);
      if (b === '-a') return a !== '' && c !== '';
      if (b === '-o') return a !== '' || c !== '';
      if (a === '!') return !(this.byCount([b, c]) ?? false);
      if (a === '(' && c === ')') return b !== '';
      throw new TestError(`${b}: binary operator expected`);
    }
    if (a === '!') return !(this.byCount([b, c, d]) ?? false);
    if (a === '(' && d === ')') return this.byCount([b, c]);
    return undefined;
  }

  private unary(operator: string, operand: string): boolean {
    if (operator === '-t' && !/^\s*\d+\s*$/.test(operand))
      throw new TestError(`${operand}: integer expression expected`);
    return unaryTest(this.shell, operator, operand);
  }

  private binary(left: string, operator: string, right: string): boolean {
    return binaryTest(this.shell, { operator, left, right, number: numberOf });
  }

  private or(): boolean {
    let value = this.and();
    while (this.args[this.at] === '-o') {
      this.at += 1;
      const right = this.and();
      value = value || right;
    }
    return value;
  }

  private and(): boolean {
    let value = this.term();
    while (this.args[this.at] === '-a') {
      this.at += 1;
      const right = this.term();
      value = value && right;
    }
    return value;
  }

  private term(): boolean {
    const { args } = this;
    const token = args[this.at];
    if (token === undefined) throw new TestError('argument expected');
    if (token === '!') {
      this.at += 1;
      return !this.term();
    }
    const operator = args[this.at + 1];
    if (
      operator !== undefined &&
      args[this.at + 2] !== undefined &&
      BINARY_OPERATORS.test(operator) &&
      operator !== '=~'
    ) {
      this.at += 3;
      return this.binary(token, operator, args[this.at - 1] as string);
    }
    if (token === '(') {
      this.at += 1;
      const value = this.or();
      if (args[this.at] !== ')') {
        throw new TestError(
          args[this.at] === undefined ? "`)' expected" : `\`)' expected, found ${args[this.at]}`,
        );
      }
      this.at += 1;
      return value;
    }
    if (
      UNARY_OPERATORS.test(token) &&
      args[this.at + 1] !== undefined &&
      !/^-[ao]$/.test(args[this.at + 1] as string)
    ) {
      this.at += 2;
      return this.unary(token, args[this.at - 1] as string);
    }
    this.at += 1;
    return token !== '';
  }
}

/** `test` and `[`. */
export const testBuiltin: Builtin = (call) => {
  let { args } = call;
  if (call.name === '[') {
    if (args[args.length - 1] !== ']') return fail(call, "missing `]'", 2);
    args = args.slice(0, -1);
  }
  try {
    return new TestRun(call.shell, args).run() ? 0 : 1;
  } catch (error) {
    if (!(error instanceof TestError)) throw error;
    return fail(call, error.message, 2);
  }
};
