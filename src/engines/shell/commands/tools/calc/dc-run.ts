/**
 * The machine of `dc`: a stack of numbers and texts, registers, macros.
 *
 * Source: dc(1), GNU dc 1.4.1. Not covered, told as bc's machine would: `!` with a shell command, `?` on a terminal.
 */
import type { Process, Running } from '../../../kernel/index.js';
import {
  add,
  compare,
  type Decimal,
  DivideByZero,
  divide,
  lengthOf,
  multiply,
  power,
  readNumber,
  remainder,
  rescale,
  showNumber,
  squareRoot,
  subtract,
  whole,
  ZERO,
} from './decimal.js';
import type { WrappedOutput } from './wrapped-output.js';

type Value = Decimal | string;

interface Register {
  readonly stack: Value[];
  readonly array: Map<bigint, Value>;
}

/** Ends dc. */
export class DcQuit extends Error {}

/** A command of this dc that is not computed. */
export class DcForeign extends Error {}

const MAX_POWER_DIGITS = 200_000;

/** The state of one dc. */
export class DcRun {
  private stack: Value[] = [];
  private readonly registers = new Map<string, Register>();
  private scale = 0;
  private ibase = 10;
  private obase = 10;
  /** How many macros are still to be left; set by `q` and `Q`. */
  private leave = 0;
  private depth = 0;

  constructor(
    private readonly proc: Process,
    private readonly output: WrappedOutput,
    private readonly say: (message: string) => void,
    private readonly readLine: () => Running<string | null>,
    private readonly unimplemented: (message: string) => void,
  ) {}

  /** Runs a text. Raises {@link DcQuit}, {@link DcForeign}. */
  *run(text: string): Running<void> {
    this.depth += 1;
    for (let at = 0; at < text.length; ) {
      if (this.proc.tick(1)) yield* this.proc.pause();
      const number = /^(?:_?[0-9A-F]*\.?[0-9A-F]+|_?[0-9A-F]+\.?)/.exec(text.slice(at, at + 4096));
      if (number !== null) {
        this.stack.push(readNumber(number[0], this.ibase));
        at += number[0].length;
        continue;
      }
      at = yield* this.command(text, at);
      if (this.leave > 0) break;
    }
    this.depth -= 1;
    if (this.leave > 0) this.leave -= 1;
  }

  /** Runs the command at a place; returns the place behind it. */
  private *command(text: string, at: number): Running<number> {
    const letter = text[at] as string;
    if (/\s/.test(letter)) return at + 1;
    if (letter === '#') {
      const end = text.indexOf('\n', at);
      return end < 0 ? text.length : end + 1;
    }
    if (letter === '[') return this.string(text, at);
    if ('slSL:;'.includes(letter)) {
      this.register(letter, text[at + 1] ?? '');
      return at + 2;
    }
    if ('<>='.includes(letter)) {
      yield* this.conditional(letter, { isNegated: false, name: text[at + 1] ?? '' });
      return at + 2;
    }
    if (letter === '!') {
      if (!/[<>=]/.test(text[at + 1] ?? '')) throw new DcForeign();
      yield* this.conditional(text[at + 1] ?? '', { isNegated: true, name: text[at + 2] ?? '' });
      return at + 3;
    }
    if (letter === 'x') yield* this.execute();
    else if (letter === '?') yield* this.run((yield* this.readLine()) ?? '');
    else this.plain(letter);
    return at + 1;
  }

  private string(text: string, at: number): number {
    let depth = 0;
    for (let end = at; end < text.length; end++) {
      if (text[end] === '[') depth += 1;
      if (text[end] === ']') depth -= 1;
      if (depth === 0) {
        this.stack.push(text.slice(at + 1, end));
        return end + 1;
      }
    }
    this.stack.push(text.slice(at + 1));
    return text.length;
  }

  private *execute(): Running<void> {
    const value = this.pop();
    if (value === undefined) return;
    if (typeof value === 'string') yield* this.run(value);
    else this.stack.push(value);
  }

  private pop(): Value | undefined {
    const value = this.stack.pop();
    if (value === undefined) this.say('stack empty');
    return value;
  }

  private at(name: string): Register {
    let register = this.registers.get(name);
    if (register === undefined) {
      register = { stack: [], array: new Map() };
      this.registers.set(name, register);
    }
    return register;
  }

  private register(letter: string, name: string): void {
    const register = this.at(name);
    if (letter === 'l') this.stack.push(register.stack.at(-1) ?? ZERO);
    else if (letter === 'L') {
      const value = register.stack.pop();
      if (value === undefined)
        this.say(`stack register '${name}' (0${name.charCodeAt(0).toString(8)}) is empty`);
      else this.stack.push(value);
    } else if (letter === ';') {
      const index = this.pop();
      if (index === undefined) return;
      if (typeof index === 'string') this.say('array index must be a nonnegative integer');
      else this.stack.push(register.array.get(rescale(index, 0).value) ?? ZERO);
    } else this.keep(letter, register);
  }

  private keep(letter: string, register: Register): void {
    const value = this.pop();
    if (value === undefined) return;
    if (letter === 'S') register.stack.push(value);
    else if (letter === 's') {
      register.stack.pop();
      register.stack.push(value);
    } else {
      const kept = this.pop();
      if (kept === undefined) return;
      if (typeof value === 'string') this.say('array index must be a nonnegative integer');
      else register.array.set(rescale(value, 0).value, kept);
    }
  }

  private *conditional(op: string, { isNegated, name }: { isNegated: boolean; name: string }): Running<void> {
    const pair = this.pair();
    if (pair === undefined) return;
    const order = compare(pair[1], pair[0]);
    const holds = op === '<' ? order < 0 : op === '>' ? order > 0 : order === 0;
    if (holds === isNegated) return;
    const macro = this.at(name).stack.at(-1);
    if (typeof macro === 'string') yield* this.run(macro);
    else if (macro !== undefined) this.stack.push(macro);
  }

  /** The two upper numbers, the lower first; they stay where one is missing or a text. */
  private pair(): [Decimal, Decimal] | undefined {
    const [left, right] = this.stack.slice(-2);
    if (left === undefined || right === undefined) {
      this.say('stack empty');
      return undefined;
    }
    if (typeof left === 'string' || typeof right === 'string') {
      this.say('non-numeric value');
      return undefined;
    }
    this.stack.length -= 2;
    return [left, right];
  }

  private plain(letter: string): void {
    if ('+-*/%~^'.includes(letter)) this.arithmetic(letter);
    else if ('pnPf'.includes(letter)) this.print(letter);
    else if ('kio'.includes(letter)) this.setting(letter);
    else if ('KIOz'.includes(letter))
      this.stack.push(
        whole({ K: this.scale, I: this.ibase, O: this.obase, z: this.stack.length }[letter as 'K']),
      );
    else if ('cdrR'.includes(letter)) this.shuffle(letter);
    else if ('vZXa|'.includes(letter)) this.function(letter);
    else if (letter === 'q') {
      if (this.depth <= 2) throw new DcQuit();
      this.leave = 2;
    } else if (letter === 'Q') this.quitLevels();
    else this.unimplemented(`'${letter}' (0${letter.charCodeAt(0).toString(8)}) unimplemented\n`);
  }

  private quitLevels(): void {
    const value = this.pop();
    if (value === undefined) return;
    if (typeof value === 'string' || value.value <= 0n) {
      this.say('Q command requires a number >= 1');
      return;
    }
    this.leave = Math.min(Number(rescale(value, 0).value), Math.max(0, this.depth - 1));
  }

  private arithmetic(op: string): void {
    const pair = this.pair();
    if (pair === undefined) return;
    const [left, right] = pair;
    try {
      this.stack.push(...this.result(op, left, right));
    } catch (error) {
      if (!(error instanceof DivideByZero)) throw error;
      this.stack.push(left, right);
      this.say(op === '%' ? 'remainder by zero' : 'divide by zero');
    }
  }

  private result(op: string, left: Decimal, right: Decimal): Decimal[] {
    switch (op) {
      case '+':
        return [add(left, right)];
      case '-':
        return [subtract(left, right)];
      case '*':
        return [multiply(left, right, this.scale)];
      case '/':
        return [divide(left, right, this.scale)];
      case '%':
        return [remainder(left, right, this.scale)];
      case '~':
        return [divide(left, right, this.scale), remainder(left, right, this.scale)];
      default: {
        const times = Math.abs(Number(rescale(right, 0).value));
        if (times * left.value.toString().length > MAX_POWER_DIGITS) throw new DcForeign();
        return left.value === 0n && right.value < 0n ? [ZERO] : [power(left, right, this.scale)];
      }
    }
  }

  private shown(value: Value): void {
    if (typeof value === 'string') this.output.text(value);
    else this.output.number(showNumber(value, this.obase));
  }

  private print(letter: string): void {
    if (letter === 'f') {
      for (const value of [...this.stack].reverse()) {
        this.shown(value);
        this.output.text('\n');
      }
      return;
    }
    const value = letter === 'p' ? this.stack.at(-1) : this.pop();
    if (value === undefined) {
      if (letter === 'p') this.say('stack empty');
      return;
    }
    if (letter === 'P' && typeof value !== 'string') this.bytes(value);
    else this.shown(value);
    if (letter === 'p') this.output.text('\n');
  }

  /** A number as its base-256 digits. */
  private bytes(value: Decimal): void {
    let rest = rescale(value, 0).value;
    if (rest < 0n) rest = -rest;
    const out: number[] = [];
    for (; rest > 0n; rest /= 256n) out.unshift(Number(rest % 256n));
    this.output.bytes(Uint8Array.from(out));
  }

  private setting(letter: string): void {
    const value = this.pop();
    if (value === undefined) return;
    const number = typeof value === 'string' ? Number.NaN : Number(rescale(value, 0).value);
    if (letter === 'k') {
      if (!(number >= 0)) this.say('scale must be a nonnegative integer');
      else this.scale = number;
    } else if (letter === 'i') {
      if (!(number >= 2 && number <= 16))
        this.say('input base must be a number between 2 and 16 (inclusive)');
      else this.ibase = number;
    } else if (!(number >= 2)) this.say('output base must be a number greater than 1');
    else this.obase = number;
  }

  private shuffle(letter: string): void {
    if (letter === 'c') this.stack = [];
    else if (letter === 'd') {
      const top = this.stack.at(-1);
      if (top === undefined) this.say('stack empty');
      else this.stack.push(top);
    } else if (letter === 'r') {
      if (this.stack.length < 2) this.say('stack empty');
      else this.stack.push(...this.stack.splice(-2, 1));
    } else this.rotate();
  }

  private rotate(): void {
    const value = this.pop();
    if (value === undefined || typeof value === 'string') return;
    const count = Number(rescale(value, 0).value);
    const size = Math.min(Math.abs(count), this.stack.length);
    if (size < 2) return;
    const part = this.stack.splice(-size);
    const moved =
      count > 0 ? [...part.slice(1), part[0] as Value] : [part.at(-1) as Value, ...part.slice(0, -1)];
    this.stack.push(...moved);
  }

  private function(letter: string): void {
    if (letter === '|') {
      this.modularPower();
      return;
    }
    const value = this.pop();
    if (value === undefined) return;
    if (letter === 'Z') this.stack.push(whole(typeof value === 'string' ? value.length : lengthOf(value)));
    else if (letter === 'X') this.stack.push(whole(typeof value === 'string' ? 0 : value.scale));
    else if (letter === 'a')
      this.stack.push(
        typeof value === 'string'
          ? value.slice(0, 1)
          : String.fromCharCode(Number(rescale(value, 0).value & 255n)),
      );
    else if (typeof value === 'string') {
      this.stack.push(value);
      this.say('square root of nonnumeric attempted');
    } else {
      const root = squareRoot(value, this.scale);
      if (root === undefined) {
        this.stack.push(value);
        this.say('square root of negative number');
      } else this.stack.push(root);
    }
  }

  private modularPower(): void {
    const parts = this.stack.slice(-3);
    const [base, exponent, modulus] = parts;
    if (base === undefined || exponent === undefined || modulus === undefined) {
      this.say('stack empty');
      return;
    }
    if (typeof base === 'string' || typeof exponent === 'string' || typeof modulus === 'string') {
      this.say('non-numeric value');
      return;
    }
    const by = rescale(modulus, 0).value;
    if (by === 0n) {
      this.say('remainder by zero');
      return;
    }
    this.stack.length -= 3;
    let result = 1n;
    let square = rescale(base, 0).value % by;
    for (let rest = rescale(exponent, 0).value; rest > 0n; rest >>= 1n) {
      if (rest & 1n) result = (result * square) % by;
      square = (square * square) % by;
    }
    this.stack.push(whole(result));
  }
}
