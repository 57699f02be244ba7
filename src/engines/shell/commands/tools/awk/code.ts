/**
 * Compiled pieces of an awk program: functions that give a value, plain where nothing in them can wait.
 *
 * The idea: most expressions never read, run a command or call a function, so they are ordinary functions and fast; a
 * piece that may wait is a generator, and whatever contains it becomes one. The combinators below keep one body for both.
 */
import type { Running } from '../../../kernel/index.js';

/** A compiled expression. Exactly one of the two is there. */
export type Code<T> =
  | { readonly plain: () => T; readonly waits?: undefined }
  | { readonly plain?: undefined; readonly waits: () => Running<T> };

/** Runs a compiled expression. */
export function* runCode<T>(code: Code<T>): Running<T> {
  return code.plain !== undefined ? code.plain() : yield* code.waits();
}

/** A function of no expression. */
export function plain<T>(body: () => T): Code<T> {
  return { plain: body };
}

/** A function of one expression's value. */
export function map<A, T>(one: Code<A>, body: (value: A) => T): Code<T> {
  const { plain: a } = one;
  if (a !== undefined) return { plain: () => body(a()) };
  return {
    *waits() {
      return body(yield* runCode(one));
    },
  };
}

/** A function of two expressions' values, evaluated in order. */
export function map2<A, B, T>(one: Code<A>, two: Code<B>, body: (a: A, b: B) => T): Code<T> {
  const [{ plain: a }, { plain: b }] = [one, two];
  if (a !== undefined && b !== undefined) return { plain: () => body(a(), b()) };
  return {
    *waits() {
      const first = yield* runCode(one);
      return body(first, yield* runCode(two));
    },
  };
}

/** A function of a list of expressions' values, evaluated in order. */
export function mapAll<A, T>(list: readonly Code<A>[], body: (values: A[]) => T): Code<T> {
  const plains = list.flatMap((one) => (one.plain === undefined ? [] : [one.plain]));
  if (plains.length === list.length) return { plain: () => body(plains.map((one) => one())) };
  return {
    *waits() {
      const values: A[] = [];
      for (const one of list) values.push(yield* runCode(one));
      return body(values);
    },
  };
}

/** One of two expressions, as a third decides. */
export function choose<T>(test: Code<boolean>, yes: Code<T>, no: Code<T>): Code<T> {
  const [{ plain: t }, { plain: y }, { plain: n }] = [test, yes, no];
  if (t !== undefined && y !== undefined && n !== undefined) return { plain: () => (t() ? y() : n()) };
  return {
    *waits() {
      return (yield* runCode(test)) ? yield* runCode(yes) : yield* runCode(no);
    },
  };
}
