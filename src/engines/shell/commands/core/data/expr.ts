/**
 * `expr` of coreutils 9.1: integers of any size, comparisons, basic regular expressions, strings.
 *
 * Source: expr(1).
 */
import { Exit } from '../../../kernel/index.js';
import { basicRegex, RegexError } from '../../program/basic-regex.js';
import { plainTool, type Tool } from '../../program/tool.js';

type Value = bigint | string;

const MAX_DIGITS = 4000;

function isNull(value: Value): boolean {
  return typeof value === 'bigint' ? value === 0n : value === '' || /^-?0+$/.test(value);
}

function integer(value: Value): bigint | undefined {
  if (typeof value === 'bigint') return value;
  return /^-?\d+$/.test(value) && value.length < MAX_DIGITS ? BigInt(value) : undefined;
}

/** A recursive-descent reader; `runs` is false in parts whose value does not matter. */
class Evaluator {
  private at = 0;

  constructor(
    private readonly tool: Tool,
    private readonly words: readonly string[],
  ) {}

  run(): Value {
    const value = this.or(true);
    const extra = this.words[this.at];
    if (extra !== undefined) this.syntax(`unexpected argument ${this.tool.quote(extra)}`);
    return value;
  }

  private syntax(message: string): never {
    return this.tool.die(`syntax error: ${message}`, 2);
  }

  private takes(...words: string[]): string | undefined {
    const word = this.words[this.at];
    if (word === undefined || !words.includes(word)) return undefined;
    this.at += 1;
    return word;
  }

  private or(runs: boolean): Value {
    let value = this.and(runs);
    while (this.takes('|') !== undefined) {
      const other = this.and(runs && isNull(value));
      if (isNull(value)) value = isNull(other) ? 0n : other;
    }
    return value;
  }

  private and(runs: boolean): Value {
    let value = this.comparison(runs);
    while (this.takes('&') !== undefined) {
      const other = this.comparison(runs && !isNull(value));
      if (isNull(value) || isNull(other)) value = 0n;
    }
    return value;
  }

  private comparison(runs: boolean): Value {
    let value = this.sum(runs);
    for (;;) {
      const operator = this.takes('<', '<=', '=', '==', '!=', '>=', '>');
      if (operator === undefined) return value;
      const other = this.sum(runs);
      const [a, b] = [integer(value), integer(other)];
      const order =
        a !== undefined && b !== undefined
          ? a < b
            ? -1
            : a > b
              ? 1
              : 0
          : compareText(String(value), String(other));
      const holds =
        operator === '<'
          ? order < 0
          : operator === '<='
            ? order <= 0
            : operator === '>'
              ? order > 0
              : operator === '>='
                ? order >= 0
                : operator === '!='
                  ? order !== 0
                  : order === 0;
      value = holds ? 1n : 0n;
    }
  }

  private number(value: Value, runs: boolean): bigint {
    if (!runs) return integer(value) ?? 0n;
    return integer(value) ?? this.tool.die('non-integer argument', 2);
  }

  private sum(runs: boolean): Value {
    let value = this.product(runs);
    for (;;) {
      const operator = this.takes('+', '-');
      if (operator === undefined) return value;
      const other = this.product(runs);
      const [a, b] = [this.number(value, runs), this.number(other, runs)];
      value = operator === '+' ? a + b : a - b;
    }
  }

  private product(runs: boolean): Value {
    let value = this.match(runs);
    for (;;) {
      const operator = this.takes('*', '/', '%');
      if (operator === undefined) return value;
      const other = this.match(runs);
      const [a, b] = [this.number(value, runs), this.number(other, runs)];
      if (operator !== '*' && b === 0n) {
        if (runs) this.tool.die('division by zero', 2);
        continue;
      }
      value = operator === '*' ? a * b : operator === '/' ? a / b : a % b;
    }
  }

  private match(runs: boolean): Value {
    let value = this.function(runs);
    while (this.takes(':') !== undefined) {
      const pattern = this.function(runs);
      if (runs) value = this.matched(String(value), String(pattern));
    }
    return value;
  }

  private matched(text: string, pattern: string): Value {
    try {
      const regex = basicRegex(pattern, 'u');
      const found = new RegExp(`^(?:${regex.source})`, 'u').exec(text);
      if (/\\\(/.test(pattern)) return found?.[1] ?? '';
      return BigInt(found === null ? 0 : this.length(found[0]));
    } catch (error) {
      if (error instanceof RegexError)
        return this.tool.die(
          error.message.startsWith('Unmatched [') ? 'Invalid regular expression' : error.message,
          2,
        );
      if (error instanceof SyntaxError) return this.tool.die('Invalid regular expression', 2);
      throw error;
    }
  }

  private length(text: string): number {
    return this.tool.isUtf8 ? [...text].length : new TextEncoder().encode(text).length;
  }

  private function(runs: boolean): Value {
    if (this.takes('+') !== undefined) return this.next('+');
    if (this.takes('length') !== undefined) return BigInt(this.length(String(this.function(runs))));
    if (this.takes('match') !== undefined) {
      const text = this.function(runs);
      const pattern = this.function(runs);
      return runs ? this.matched(String(text), String(pattern)) : '';
    }
    if (this.takes('index') !== undefined) {
      const text = [...String(this.function(runs))];
      const set = new Set(String(this.function(runs)));
      return BigInt(text.findIndex((one) => set.has(one)) + 1);
    }
    if (this.takes('substr') !== undefined) {
      const text = [...String(this.function(runs))];
      const position = integer(this.function(runs));
      const length = integer(this.function(runs));
      if (position === undefined || length === undefined || position <= 0n || length <= 0n) return '';
      return text.slice(Number(position) - 1, Number(position - 1n + length)).join('');
    }
    return this.primary(runs);
  }

  private next(after?: string): string {
    const word = this.words[this.at];
    if (word === undefined) {
      const last = after ?? this.words[this.at - 1] ?? '';
      return this.syntax(`missing argument after ${this.tool.quote(last)}`);
    }
    this.at += 1;
    return word;
  }

  private primary(runs: boolean): Value {
    if (this.takes('(') !== undefined) {
      const value = this.or(runs);
      if (this.words[this.at] === undefined)
        this.syntax(
          `expecting ${this.tool.named(')')} after ${this.tool.quote(this.words[this.at - 1] ?? '')}`,
        );
      if (this.takes(')') === undefined)
        this.syntax(
          `expecting ${this.tool.named(')')} instead of ${this.tool.quote(this.words[this.at] ?? '')}`,
        );
      return value;
    }
    const word = this.next();
    if (word === ')') this.syntax(`unexpected ${this.tool.named(')')}`);
    return word;
  }
}

function compareText(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0;
}

/** The command. */
export const expr = plainTool(
  'expr',
  (tool) => {
    if (tool.args.length === 1) {
      if (tool.args[0] === '--help') tool.help();
      if (tool.args[0] === '--version') tool.version();
    }
    const words = tool.args[0] === '--' ? tool.args.slice(1) : tool.args;
    if (words.length === 0) tool.usage('missing operand');
    const value = new Evaluator(tool, words).run();
    tool.out(`${value}\n`);
    throw new Exit(isNull(value) ? 1 : 0);
  },
  { failStatus: 2 },
);
