/**
 * Functions of jq that are computed here; those written in jq are in `library.ts`.
 */
import type { JqNode } from './ast.js';
import { BUILTIN_VALUES } from './builtin-values.js';
import { JqHalt, type JqMachine, type Result, type Scope } from './machine.js';
import { type MatchFound, matches, replaced } from './matching.js';
import { getPath } from './paths.js';
import { described, isArray, JqError, type JqValue, toJson } from './values.js';

/** One call: its arguments as filters, where they stand, and the input. */
export interface BuiltinCall {
  readonly args: readonly JqNode[];
  readonly scope: Scope;
  readonly input: Result;
}

const IDENTITY: JqNode = { kind: 'identity' };

type Builtin = (machine: JqMachine, call: BuiltinCall) => Iterable<Result>;

/** True for a name with its number of arguments that is computed here. */
export function isBuiltin(key: string): boolean {
  return Object.hasOwn(BUILTINS, key) || Object.hasOwn(BUILTIN_VALUES, key);
}

/** Calls a function by name and number of arguments. Raises {@link JqError}. */
export function* callBuiltin(machine: JqMachine, key: string, call: BuiltinCall): Generator<Result> {
  const builtin = Object.hasOwn(BUILTINS, key) ? BUILTINS[key] : undefined;
  if (builtin !== undefined) {
    yield* builtin(machine, call);
    return;
  }
  const simple = Object.hasOwn(BUILTIN_VALUES, key) ? BUILTIN_VALUES[key] : undefined;
  if (simple === undefined) throw new JqError(`${key} is not defined`);
  for (const values of argumentsOf(machine, call, 0)) yield result(simple(call.input.value, values), call);
}

/** All combinations of the arguments' values, the last one slowest. */
function* argumentsOf(machine: JqMachine, call: BuiltinCall, from: number): Generator<JqValue[]> {
  const arg = call.args[from];
  if (arg === undefined) {
    yield [];
    return;
  }
  for (const rest of argumentsOf(machine, call, from + 1))
    for (const value of machine.values(arg, call.scope, call.input.value)) yield [value, ...rest];
}

function result(value: JqValue, { input }: BuiltinCall): Result {
  return { value, path: input.path === undefined ? undefined : [] };
}

function* one(value: JqValue, call: BuiltinCall): Generator<Result> {
  yield result(value, call);
}

const BUILTINS: Readonly<Record<string, Builtin>> = {
  'empty/0': () => [],
  'not/0': (_, call) => one(call.input.value === null || call.input.value === false, call),
  'error/0': (_, call) => {
    throw new JqError(call.input.value);
  },
  *'error/1'(machine, call) {
    for (const value of machine.values(call.args[0] ?? { kind: 'identity' }, call.scope, call.input.value))
      throw new JqError(value);
    yield* [];
  },
  *'path/1'(machine, call) {
    for (const path of machine.paths(call.args[0] ?? { kind: 'identity' }, call.scope, call.input.value))
      yield result(path, call);
  },
  *'getpath/1'(machine, call) {
    for (const [path = null] of argumentsOf(machine, call, 0)) {
      if (!isArray(path)) throw new JqError('Path must be specified as an array');
      const { input } = call;
      let value: JqValue = null;
      try {
        value = getPath(input.value, path);
      } catch (error) {
        if (!(error instanceof JqError) || input.path === undefined) throw error;
      }
      yield { value, path: input.path === undefined ? undefined : [...input.path, ...path] };
    }
  },
  *'range/2'(machine, call) {
    for (const [from = null, to = null] of argumentsOf(machine, call, 0)) {
      if (typeof from !== 'number' || typeof to !== 'number')
        throw new JqError('Range bounds must be numeric');
      for (let value = from; value < to; value++) yield result(value, call);
    }
  },
  *'range/3'(machine, call) {
    for (const [from = null, to = null, by = null] of argumentsOf(machine, call, 0)) {
      if (typeof from !== 'number' || typeof to !== 'number' || typeof by !== 'number')
        throw new JqError('Range bounds must be numeric');
      if (by > 0) for (let value = from; value < to; value += by) yield result(value, call);
      else if (by < 0) for (let value = from; value > to; value += by) yield result(value, call);
    }
  },
  // Loops that jq writes as recursion, whose depth is bounded here.
  *'until/2'(machine, call) {
    const [test = IDENTITY, update = IDENTITY] = call.args;
    let states: JqValue[] = [call.input.value];
    for (let state = states.shift(); state !== undefined; state = states.shift()) {
      for (const done of machine.values(test, call.scope, state)) {
        if (done !== null && done !== false) yield result(state, call);
        else states = [...machine.values(update, call.scope, state), ...states];
      }
    }
  },
  *'while/2'(machine, call) {
    const [test = IDENTITY, update = IDENTITY] = call.args;
    let states: JqValue[] = [call.input.value];
    for (let state = states.shift(); state !== undefined; state = states.shift()) {
      for (const goes of machine.values(test, call.scope, state)) {
        if (goes === null || goes === false) continue;
        yield result(state, call);
        states = [...machine.values(update, call.scope, state), ...states];
      }
    }
  },
  *'repeat/1'(machine, call) {
    const [update = IDENTITY] = call.args;
    let states: JqValue[] = [call.input.value];
    for (let state = states.shift(); state !== undefined; state = states.shift()) {
      yield result(state, call);
      states = [...machine.values(update, call.scope, state), ...states];
    }
  },
  *'input/0'(machine, call) {
    const value = machine.host.nextInput();
    if (value === undefined) throw new JqError('break');
    yield result(value, call);
  },
  'debug/0': (machine, call) => {
    machine.host.message(`["DEBUG:",${toJson(call.input.value)}]\n`);
    return [call.input];
  },
  'stderr/0': (machine, call) => {
    machine.host.message(toJson(call.input.value));
    return [call.input];
  },
  'now/0': (machine, call) => one(machine.host.nowSeconds, call),
  'input_filename/0': (machine, call) => one(machine.host.fileName, call),
  '_input_line/0': (machine, call) => one(machine.host.lineNumber(), call),
  'halt/0': () => {
    throw new JqHalt(undefined, 0);
  },
  *'halt_error/1'(machine, call) {
    for (const [status = 5] of argumentsOf(machine, call, 0)) {
      if (typeof status !== 'number') throw new JqError('halt_error/1: number required');
      throw new JqHalt(call.input.value, status & 0xff);
    }
    yield* [];
  },
  *'match/2'(machine, call) {
    for (const found of found_(machine, call))
      for (const one_ of found) yield result(matchObject(one_), call);
  },
  *'test/2'(machine, call) {
    for (const found of found_(machine, call, true)) yield result(found.length > 0, call);
  },
  *'split/2'(machine, call) {
    for (const [pattern = null, flags = null] of argumentsOf(machine, call, 0)) {
      const text = subject(call.input.value, 'matched');
      const all = matches(text, pattern, `${flags === null ? '' : String(flags)}g`);
      const parts: string[] = [];
      let at = 0;
      for (const { start, end } of all) {
        parts.push(text.slice(at, start));
        at = end;
      }
      parts.push(text.slice(at));
      yield result(parts, call);
    }
  },
  *'sub/3'(machine, call) {
    const [pattern, by = { kind: 'identity' }, flags] = call.args;
    const text = subject(call.input.value, 'matched');
    for (const [wanted = null, modes = null] of argumentsOf(
      machine,
      { ...call, args: [pattern, flags].flatMap((arg) => (arg === undefined ? [] : [arg])) },
      0,
    )) {
      const all = matches(text, wanted, modes === null ? '' : String(modes));
      yield result(
        replaced(text, all, (captures) => {
          const made = machine.values(by, call.scope, captures).next();
          const value = made.done === true ? '' : made.value;
          if (typeof value !== 'string') throw new JqError(`${described(value)} cannot be added to a string`);
          return value;
        }),
        call,
      );
    }
  },
};

function subject(value: JqValue, what: string): string {
  if (typeof value !== 'string')
    throw new JqError(`${described(value)} cannot be ${what}, as it is not a string`);
  return value;
}

function* found_(machine: JqMachine, call: BuiltinCall, isTest = false): Generator<readonly MatchFound[]> {
  for (const [given = null, modes = null] of argumentsOf(machine, call, 0)) {
    const [pattern, flags] = isArray(given) ? [given[0] ?? null, given[1] ?? null] : [given, modes];
    if (flags !== null && typeof flags !== 'string') throw new JqError(`${described(flags)} is not a string`);
    const text = subject(call.input.value, 'matched');
    yield matches(text, pattern, isTest ? (flags ?? '').replace('g', '') : (flags ?? ''));
  }
}

function matchObject({ start, end, text, groups }: MatchFound): JqValue {
  const offset = (at: number): number => [...text.slice(0, at)].length;
  const part = (from: number, to: number): readonly (readonly [string, JqValue])[] => {
    if (from < 0)
      return [
        ['offset', -1],
        ['length', 0],
        ['string', null],
      ];
    const string = text.slice(from, to);
    return [
      ['offset', offset(from)],
      ['length', [...string].length],
      ['string', string],
    ];
  };
  const captures = groups.map(
    (group): JqValue => new Map([...part(group.start, group.end), ['name', group.name]]),
  );
  return new Map<string, JqValue>([...part(start, end), ['captures', captures]]);
}
