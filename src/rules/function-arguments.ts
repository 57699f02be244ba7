/**
 * What a function of the rules language is, and how it checks its arguments.
 *
 * A wrong kind is an error that names the function, the position, the kind wanted and the value seen.
 */
import type { Json, JsonObject } from '../core/index.js';
import type { Run } from './run.js';
import { isList, isMap, isNumber, kindOf, show } from './values.js';

/** The arguments of a call; for a method call the receiver is the first. */
export type Arguments = readonly Json[];

/** A function of the rules language. */
export interface RuleFunction {
  /** How it is called, for messages and documentation. */
  readonly form: string;
  /** Fewest and most arguments. */
  readonly arity: readonly [number, number];
  /** Computes the value; pays before it works; throws faults. */
  readonly apply: (run: Run, args: Arguments) => Json;
}

/** A table of functions by name. */
export type FunctionTable = Readonly<Record<string, RuleFunction>>;

/** The fault of an argument of the wrong kind. */
export function wrongArgument(run: Run, args: Arguments, how: { index: number; wanted: string }) {
  const { calling } = run;
  const value = args[how.index] as Json;
  return run.error(
    () =>
      `${calling}() needs ${how.wanted} as argument ${how.index + 1}; here is ${kindOf(value)} ${show(value)}`,
  );
}

/** The argument as a string. */
export function textAt(run: Run, args: Arguments, index: number): string {
  const value = args[index];
  if (typeof value !== 'string') throw wrongArgument(run, args, { index, wanted: 'a string' });
  return value;
}

/** The argument as a list. */
export function listAt(run: Run, args: Arguments, index: number): readonly Json[] {
  const value = args[index];
  if (value === undefined || !isList(value)) throw wrongArgument(run, args, { index, wanted: 'a list' });
  return value;
}

/** The argument as a map. */
export function mapAt(run: Run, args: Arguments, index: number): JsonObject {
  const value = args[index];
  if (value === undefined || !isMap(value)) throw wrongArgument(run, args, { index, wanted: 'a map' });
  return value;
}

/** The argument as a number of either representation. */
export function numberAt(run: Run, args: Arguments, index: number): number | bigint {
  const value = args[index];
  if (value === undefined || !isNumber(value)) throw wrongArgument(run, args, { index, wanted: 'a number' });
  return value;
}

/** The argument as an integer within bounds, or the default when it was left out. */
export function integerAt(
  run: Run,
  args: Arguments,
  how: { index: number; min: number; max: number; missing?: number },
): number {
  const { index, min, max, missing } = how;
  if (args.length <= index && missing !== undefined) return missing;
  const value = args[index];
  if (typeof value !== 'number' || !Number.isInteger(value) || value < min || value > max) {
    throw wrongArgument(run, args, { index, wanted: `an integer from ${min} to ${max}` });
  }
  return value;
}
