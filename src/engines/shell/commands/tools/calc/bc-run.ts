/**
 * Runs the tree of a `bc` program.
 *
 * Names are dynamic, as bc's are: a function's parameters and automatic variables hide those outside while it runs.
 * Source: bc(1). Steps are bounded by the machine's time slices.
 */
import type { Process, Running } from '../../../kernel/index.js';
import type { BcArgument, BcExpression, BcFunction, BcParameter, BcPlace, BcStatement } from './bc-ast.js';
import {
  add,
  compare,
  type Decimal,
  DivideByZero,
  divide,
  lengthOf,
  multiply,
  ONE,
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
import { mathFunction } from './math-library.js';
import type { WrappedOutput } from './wrapped-output.js';

/** What ends a line or the program. */
export class BcStop extends Error {
  constructor(readonly why: 'halt' | 'error') {
    super(why);
  }
}

type Flow = 'break' | 'continue' | 'return' | undefined;
type Values = Map<string, Decimal>;
type Arrays = Map<string, Map<bigint, Decimal>>;

const PRINT_ESCAPES: Readonly<Record<string, string>> = {
  a: '\x07',
  b: '\b',
  f: '\f',
  n: '\n',
  q: '"',
  r: '\r',
  t: '\t',
  '\\': '\\',
};
const MAX_DEPTH = 1000;
const MAX_EXPONENT_DIGITS = 200_000;

/** The state of one bc. */
export class BcRun {
  private readonly values: Values = new Map();
  private readonly arrays: Arrays = new Map();
  private readonly functions = new Map<string, BcFunction>();
  private scale = 0;
  private ibase = 10;
  private obase = 10;
  private last: Decimal = ZERO;
  private returned: Decimal = ZERO;
  private running = '(main)';
  private depth = 0;

  constructor(
    private readonly proc: Process,
    private readonly output: WrappedOutput,
    private readonly say: (message: string) => void,
    private readonly hasLibrary: boolean,
  ) {
    if (hasLibrary) this.scale = 20;
  }

  /** Takes a function. */
  define(one: BcFunction): void {
    this.functions.set(one.name, one);
  }

  /** Runs the statements of a line. Raises {@link BcStop} at `halt` only. */
  *line(body: readonly BcStatement[]): Running<void> {
    this.running = '(main)';
    this.depth = 0;
    try {
      for (const one of body) yield* this.statement(one);
    } catch (error) {
      if (!(error instanceof BcStop) || error.why === 'halt') throw error;
    }
  }

  private error(at: number, message: string): never {
    this.say(`Runtime error (func=${this.running}, adr=${at}): ${message}`);
    throw new BcStop('error');
  }

  private warn(at: number, message: string): void {
    this.say(`Runtime warning (func=${this.running}, adr=${at}): ${message}`);
  }

  // ---- statements ----

  private *statement(one: BcStatement): Running<Flow> {
    if (this.proc.tick(2)) yield* this.proc.pause();
    switch (one.kind) {
      case 'expression':
        yield* this.shown(one.value, one.isPrinted);
        return undefined;
      case 'string':
        this.output.text(one.text);
        return undefined;
      case 'print':
        yield* this.print(one.items);
        return undefined;
      case 'if': {
        const isTrue = (yield* this.value(one.test)).value !== 0n;
        const branch = isTrue ? one.then : one.otherwise;
        return branch === undefined ? undefined : yield* this.statement(branch);
      }
      case 'while':
        return yield* this.loop({ first: undefined, test: one.test, next: undefined, body: one.body });
      case 'for':
        return yield* this.loop(one);
      case 'block':
        return yield* this.block(one.body);
      case 'return':
        this.returned = one.value === undefined ? ZERO : yield* this.value(one.value);
        return 'return';
      case 'break':
      case 'continue':
        return one.kind;
      case 'halt':
        throw new BcStop('halt');
      default:
        return undefined;
    }
  }

  private *block(body: readonly BcStatement[]): Running<Flow> {
    for (const one of body) {
      const flow = yield* this.statement(one);
      if (flow !== undefined) return flow;
    }
    return undefined;
  }

  private *loop(one: {
    readonly first: BcExpression | undefined;
    readonly test: BcExpression | undefined;
    readonly next: BcExpression | undefined;
    readonly body: BcStatement;
  }): Running<Flow> {
    if (one.first !== undefined) yield* this.value(one.first);
    while (one.test === undefined || (yield* this.value(one.test)).value !== 0n) {
      const flow = yield* this.statement(one.body);
      if (flow === 'break') return undefined;
      if (flow === 'return') return flow;
      if (one.next !== undefined) yield* this.value(one.next);
      if (this.proc.tick(1)) yield* this.proc.pause();
    }
    return undefined;
  }

  private *shown(value: BcExpression, isPrinted: boolean): Running<void> {
    if (value.kind === 'call' && this.functions.get(value.name)?.isVoid === true) {
      yield* this.value(value);
      return;
    }
    const result = yield* this.value(value);
    if (!isPrinted) return;
    this.last = result;
    this.output.number(showNumber(result, this.obase));
    this.output.text('\n');
  }

  private *print(
    items: readonly (BcExpression | { readonly kind: 'string'; readonly text: string })[],
  ): Running<void> {
    for (const item of items) {
      if (item.kind === 'string')
        this.output.text(item.text.replace(/\\(.)/g, (_, letter: string) => PRINT_ESCAPES[letter] ?? ''));
      else {
        this.last = yield* this.value(item);
        this.output.number(showNumber(this.last, this.obase));
      }
    }
  }

  // ---- values ----

  private *value(one: BcExpression): Running<Decimal> {
    switch (one.kind) {
      case 'number':
        return readNumber(one.text, this.ibase);
      case 'variable':
        return this.variable(one.name);
      case 'element':
        return this.arrays.get(one.name)?.get(yield* this.index(one.index)) ?? ZERO;
      case 'group':
        return yield* this.value(one.value);
      case 'assign':
        return yield* this.assign(one);
      case 'step':
        return yield* this.step(one);
      case 'unary': {
        const value = yield* this.value(one.value);
        if (one.op === '-') return { value: -value.value, scale: value.scale };
        return value.value === 0n ? ONE : ZERO;
      }
      case 'built-in':
        return this.builtIn(one.name, yield* this.value(one.value), one.at);
      case 'call':
        return yield* this.call(one);
      default:
        return yield* this.binary(one);
    }
  }

  private *binary(one: Extract<BcExpression, { kind: 'binary' }>): Running<Decimal> {
    const left = yield* this.value(one.left);
    if (one.op === '&&' && left.value === 0n) return ZERO;
    if (one.op === '||' && left.value !== 0n) return ONE;
    return this.operation(one.op, { left, right: yield* this.value(one.right), at: one.at });
  }

  private operation(op: string, { left, right, at }: { left: Decimal; right: Decimal; at: number }): Decimal {
    switch (op) {
      case '+':
        return add(left, right);
      case '-':
        return subtract(left, right);
      case '*':
        return multiply(left, right, this.scale);
      case '/':
        return this.guarded(() => divide(left, right, this.scale), at, 'Divide by zero');
      case '%':
        return this.guarded(() => remainder(left, right, this.scale), at, 'Modulo by zero');
      case '^':
        return this.raised(left, right, at);
      case '&&':
      case '||':
        return right.value === 0n ? ZERO : ONE;
      default: {
        const order = compare(left, right);
        const holds = {
          '==': order === 0,
          '!=': order !== 0,
          '<': order < 0,
          '<=': order <= 0,
          '>': order > 0,
          '>=': order >= 0,
        };
        return holds[op as '=='] ? ONE : ZERO;
      }
    }
  }

  private raised(left: Decimal, right: Decimal, at: number): Decimal {
    if (right.scale > 0 && rescale(right, 0).value * 10n ** BigInt(right.scale) !== right.value)
      this.warn(at, 'non-zero scale in exponent');
    const times = Number(rescale(right, 0).value);
    if (Math.abs(times) * Math.max(1, left.value.toString().length) > MAX_EXPONENT_DIGITS)
      this.error(at, 'exponent too large in raise');
    this.proc.tick(Math.abs(times) >> 4);
    return this.guarded(() => power(left, right, this.scale), at, 'divide by zero');
  }

  private guarded(compute: () => Decimal, at: number, message: string): Decimal {
    try {
      return compute();
    } catch (error) {
      if (error instanceof DivideByZero) return this.error(at, message);
      throw error;
    }
  }

  private builtIn(name: string, value: Decimal, at: number): Decimal {
    if (name === 'length') return whole(lengthOf(value));
    if (name === 'scale') return whole(value.scale);
    return squareRoot(value, this.scale) ?? this.error(at, 'Square root of a negative number');
  }

  private *index(one: BcExpression): Running<bigint> {
    return rescale(yield* this.value(one), 0).value;
  }

  private variable(name: string): Decimal {
    if (name === 'scale') return whole(this.scale);
    if (name === 'ibase') return whole(this.ibase);
    if (name === 'obase') return whole(this.obase);
    if (name === 'last') return this.last;
    return this.values.get(name) ?? ZERO;
  }

  private *assign(one: Extract<BcExpression, { kind: 'assign' }>): Running<Decimal> {
    const index = one.place.kind === 'element' ? yield* this.index(one.place.index) : 0n;
    const value = yield* this.value(one.value);
    const result =
      one.op === ''
        ? value
        : this.operation(one.op, { left: this.read(one.place, index), right: value, at: one.at - 2 });
    this.store(one.place, { index, value: result, at: one.at });
    return result;
  }

  private read(place: BcPlace, index: bigint): Decimal {
    return place.kind === 'variable'
      ? this.variable(place.name)
      : (this.arrays.get(place.name)?.get(index) ?? ZERO);
  }

  private *step(one: Extract<BcExpression, { kind: 'step' }>): Running<Decimal> {
    const index = one.place.kind === 'element' ? yield* this.index(one.place.index) : 0n;
    const before = this.read(one.place, index);
    const after = add(before, whole(one.by));
    this.store(one.place, { index, value: after, at: 0 });
    return one.isPrefix ? after : before;
  }

  private store(place: BcPlace, { index, value, at }: { index: bigint; value: Decimal; at: number }): void {
    if (place.kind === 'element') {
      const array = this.arrays.get(place.name) ?? new Map<bigint, Decimal>();
      this.arrays.set(place.name, array);
      array.set(index, value);
    } else if (place.name === 'scale')
      this.scale = this.within(value, { least: 0, most: 2_147_483_647, name: 'scale', at });
    else if (place.name === 'ibase')
      this.ibase = this.within(value, { least: 2, most: 36, name: 'ibase', at });
    else if (place.name === 'obase')
      this.obase = this.within(value, { least: 2, most: 2_147_483_647, name: 'obase', at });
    else if (place.name === 'last') this.last = value;
    else this.values.set(place.name, value);
  }

  private within(
    value: Decimal,
    {
      least,
      most,
      name,
      at,
    }: { readonly least: number; readonly most: number; readonly name: string; readonly at: number },
  ): number {
    const number = Number(rescale(value, 0).value);
    if (number < least) {
      this.warn(at, name === 'scale' ? 'negative scale, set to 0' : `${name} too small, set to ${least}`);
      return least;
    }
    if (number > most) {
      this.warn(
        at,
        name === 'scale' ? `scale too large, set to ${most}` : `${name} too large, set to ${most}`,
      );
      return most;
    }
    return number;
  }

  // ---- calls ----

  private *call(one: Extract<BcExpression, { kind: 'call' }>): Running<Decimal> {
    const args: (Decimal | Map<bigint, Decimal>)[] = [];
    for (const argument of one.args) args.push(yield* this.argument(argument));
    const known = this.functions.get(one.name);
    if (known === undefined) return this.builtFunction(one, args);
    if (args.length !== known.parameters.length)
      this.error(one.at + args.length, 'Parameter number mismatch');
    if (this.depth >= MAX_DEPTH) this.error(one.at, 'Function call nested too deeply');
    const saved = [...known.parameters, ...known.autos].map((one) => this.hide(one));
    known.parameters.forEach((parameter, at) => {
      const value = args[at];
      if (parameter.isArray && value instanceof Map)
        this.arrays.set(parameter.name, parameter.isReference ? value : new Map(value));
      else if (!(value instanceof Map) && value !== undefined) this.values.set(parameter.name, value);
    });
    const outer = this.running;
    this.running = one.name;
    this.depth += 1;
    this.returned = ZERO;
    yield* this.block(known.body);
    this.depth -= 1;
    this.running = outer;
    for (const restore of saved.reverse()) restore();
    const result = this.returned;
    this.returned = ZERO;
    return result;
  }

  private *argument(argument: BcArgument): Running<Decimal | Map<bigint, Decimal>> {
    if (argument.kind !== 'array') return yield* this.value(argument);
    const array = this.arrays.get(argument.name) ?? new Map<bigint, Decimal>();
    this.arrays.set(argument.name, array);
    return array;
  }

  /** Sets a name aside; what it returns brings it back. */
  private hide({ name, isArray }: BcParameter): () => void {
    const table: Map<string, unknown> = isArray ? this.arrays : this.values;
    const old = table.get(name);
    table.delete(name);
    return () => {
      if (old === undefined) table.delete(name);
      else table.set(name, old);
    };
  }

  private builtFunction(
    one: Extract<BcExpression, { kind: 'call' }>,
    args: readonly (Decimal | Map<bigint, Decimal>)[],
  ): Decimal {
    const [first] = args;
    if (!this.hasLibrary || !/^[acels]$/.test(one.name) || first === undefined || first instanceof Map)
      return this.error(one.at, `Function ${one.name} not defined.`);
    if (args.length !== 1) this.error(one.at + args.length, 'Parameter number mismatch');
    this.proc.tick(this.scale * 4);
    if (one.name === 'l' && first.value <= 0n)
      return divide(subtract(ONE, { value: 10n ** BigInt(this.scale), scale: 0 }), ONE, this.scale);
    return mathFunction(one.name, first, this.scale);
  }
}
