/**
 * Functions on numbers and lists of numbers.
 *
 * Sums and means use the language's arithmetic, so totals of money-like decimals look real. Not covered:
 * trigonometry, logarithms, anything random.
 */
import type { Json } from '../core/index.js';
import { compute, finish, type Numeric, roundTo } from './arithmetic.js';
import {
  type Arguments,
  type FunctionTable,
  integerAt,
  numberAt,
  type RuleFunction,
  wrongArgument,
} from './function-arguments.js';
import type { Run } from './run.js';
import { isList, isNumber, order, show } from './values.js';

const NUMBER_TEXT = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;
const MAX_DIGITS = 400;

function numbersOf(run: Run, args: Arguments): readonly Json[] {
  const [list] = args;
  if (list === undefined || !isList(list))
    throw wrongArgument(run, args, { index: 0, wanted: 'a list of numbers' });
  run.spend(list.length);
  const at = list.findIndex((item) => !isNumber(item));
  if (at < 0) return list;
  const { calling } = run;
  throw run.error(() => `${calling}() needs a list of numbers; element ${at} is ${show(list[at])}`);
}

function total(run: Run, list: readonly Json[]): Numeric {
  let sum: Numeric = 0;
  for (const item of list) sum = compute(run, '+', [sum, item]);
  return sum;
}

/** The least (sign −1) or greatest (sign 1) of a list, or of several arguments. */
function extreme(form: string, sign: 1 | -1): RuleFunction {
  return {
    form,
    arity: [1, 100],
    apply: (run, args) => {
      const list = args.length === 1 && args[0] !== undefined && isList(args[0]) ? args[0] : args;
      const [first] = list;
      if (first === undefined) {
        const { calling } = run;
        throw run.error(() => `${calling}() of an empty list has no value; check size(list) > 0 first`);
      }
      let best = first;
      for (const item of list) {
        run.spend(1);
        if (order(run, item, best) * sign > 0) best = item;
      }
      // A single argument must be comparable too.
      order(run, best, best);
      return best;
    },
  };
}

function onNumber(form: string, apply: (value: number) => number): RuleFunction {
  return {
    form,
    arity: [1, 1],
    apply: (run, args) => {
      const value = numberAt(run, args, 0);
      return typeof value === 'bigint' ? finish(run, value) : finish(run, apply(value));
    },
  };
}

/** Reads a number as JSON writes it, or an integer only. */
function readNumber(run: Run, args: Arguments, wanted: string): Numeric {
  const [value] = args;
  if (value !== undefined && isNumber(value)) return value;
  if (typeof value !== 'string') throw wrongArgument(run, args, { index: 0, wanted });
  run.spendText(value.length);
  const text = value.trim();
  if (text.length > MAX_DIGITS || !NUMBER_TEXT.test(text))
    throw wrongArgument(run, args, { index: 0, wanted });
  const number = Number(text);
  return /^-?\d+$/.test(text) && !Number.isSafeInteger(number) ? BigInt(text) : number;
}

/** The functions on numbers. */
export const NUMBER_FUNCTIONS: FunctionTable = {
  sum: { form: 'sum(list)', arity: [1, 1], apply: (run, args) => total(run, numbersOf(run, args)) },
  avg: {
    form: 'avg(list)',
    arity: [1, 1],
    apply: (run, args) => {
      const list = numbersOf(run, args);
      if (list.length === 0)
        throw run.error(() => 'avg() of an empty list has no value; check size(list) > 0 first');
      return compute(run, '/', [total(run, list), list.length]);
    },
  },
  min: extreme('min(list) or min(a, b, …)', -1),
  max: extreme('max(list) or max(a, b, …)', 1),
  round: {
    form: 'round(x, digits)',
    arity: [1, 2],
    apply: (run, args) => {
      const value = numberAt(run, args, 0);
      const digits = integerAt(run, args, { index: 1, min: 0, max: 15, missing: 0 });
      return typeof value === 'bigint' ? finish(run, value) : finish(run, roundTo(value, digits));
    },
  },
  abs: {
    form: 'abs(x)',
    arity: [1, 1],
    apply: (run, args) => {
      const value = finish(run, numberAt(run, args, 0));
      return value < 0 ? -value : value;
    },
  },
  floor: onNumber('floor(x)', Math.floor),
  ceil: onNumber('ceil(x)', Math.ceil),
  number: {
    form: 'number(x)',
    arity: [1, 1],
    apply: (run, args) => finish(run, readNumber(run, args, 'a number or the text of one')),
  },
  int: {
    form: 'int(x)',
    arity: [1, 1],
    apply: (run, args) => {
      const value = readNumber(run, args, 'a number or the text of one');
      return finish(run, typeof value === 'bigint' ? value : Math.trunc(value));
    },
  },
};
