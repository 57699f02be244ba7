/**
 * Runs jq programs: every filter is a generator of results, and each result may carry the path that led to it.
 *
 * One function serves values and paths: where paths are asked for, a filter that is no path raises jq's error. Steps are
 * counted, so that an endless program ends. Source: the manual of jq 1.6.
 */
import type { JqDefinition, JqNode, JqPattern } from './ast.js';
import { callBuiltin } from './builtins.js';
import { namesOf } from './check-names.js';
import { JqComputer } from './compute.js';
import { library } from './library.js';
import { indexValue, sliceValue } from './paths.js';
import { described, isArray, isObject, JqError, type JqValue, toJson } from './values.js';

/** A result: its value, and its path where paths are followed. */
export interface Result {
  readonly value: JqValue;
  readonly path: readonly JqValue[] | undefined;
}

/** A filter given as an argument, with the place it was written in. */
export interface Closure {
  readonly body: JqNode;
  readonly scope: Scope;
}

/** What names mean at a place. */
export interface Scope {
  readonly parent: Scope | undefined;
  readonly variables?: ReadonlyMap<string, JqValue>;
  readonly definition?: JqDefinition;
  readonly closures?: ReadonlyMap<string, Closure>;
  /** A label and what `break` to it throws. */
  readonly label?: { readonly name: string; readonly token: object };
}

/** What a program asks of the world around it. */
export interface JqHost {
  /** The next input; undefined at the end. Raises {@link JqError}. */
  nextInput(): JqValue | undefined;
  readonly environment: ReadonlyMap<string, string>;
  readonly nowSeconds: number;
  readonly fileName: JqValue;
  readonly lineNumber: () => number;
  /** `debug` and `stderr`. */
  message(text: string): void;
}

/** A program that takes more steps than it may. */
export class JqBudgetError extends Error {}

/** `halt` and `halt_error`. */
export class JqHalt extends Error {
  constructor(
    readonly value: JqValue | undefined,
    readonly status: number,
  ) {
    super('halt');
  }
}

class Break extends Error {
  constructor(readonly token: object) {
    super('break');
  }
}

const MAX_STEPS = 4_000_000;
const MAX_DEPTH = 1_000;

/** Runs one program. */
export class JqMachine {
  private steps = 0;
  private depth = 0;
  private readonly root: Scope;
  private readonly computer = new JqComputer(this);

  constructor(
    readonly host: JqHost,
    variables: ReadonlyMap<string, JqValue>,
  ) {
    this.root = { parent: undefined, variables };
  }

  /** The results of a program for an input. Raises {@link JqError}, {@link JqSyntaxError}, {@link JqHalt}. */
  *results(program: JqNode, input: JqValue): Generator<JqValue> {
    for (const { value } of this.run(program, this.root, { value: input, path: undefined })) yield value;
  }

  private tick(): void {
    if (++this.steps > MAX_STEPS) throw new JqBudgetError('the program takes too many steps');
  }

  // ---- names ----

  /** The value of a variable. */
  variable(name: string, scope: Scope): JqValue {
    for (let here: Scope | undefined = scope; here !== undefined; here = here.parent) {
      const found = here.variables?.get(name);
      if (found !== undefined) return found;
    }
    if (name === 'ENV') return new Map(this.host.environment);
    throw new JqError(`$${name} is not defined`);
  }

  // ---- running ----

  /** The results of a filter. */
  *run(node: JqNode, scope: Scope, input: Result): Generator<Result> {
    this.tick();
    if (++this.depth > MAX_DEPTH) throw new JqBudgetError('the program nests too deeply');
    try {
      yield* this.step(node, scope, input);
    } finally {
      this.depth--;
    }
  }

  private *step(node: JqNode, scope: Scope, input: Result): Generator<Result> {
    switch (node.kind) {
      case 'identity':
        yield input;
        return;
      case 'recurse':
        yield* this.recurse(input);
        return;
      case 'literal':
        yield this.plain(node.value, input);
        return;
      case 'pipe':
        for (const one of this.run(node.left, scope, input)) yield* this.run(node.right, scope, one);
        return;
      case 'comma':
        yield* this.run(node.left, scope, input);
        yield* this.run(node.right, scope, input);
        return;
      case 'index':
      case 'slice':
      case 'iterate':
        yield* this.access(node, scope, input);
        return;
      case 'if':
        for (const test of this.values(node.test, scope, input.value))
          yield* this.run(test !== null && test !== false ? node.yes : node.no, scope, input);
        return;
      case 'alternative':
        yield* this.alternative(node, scope, input);
        return;
      case 'try':
        yield* this.attempt(node, scope, input);
        return;
      case 'reduce':
      case 'foreach':
        yield* this.fold(node, scope, input);
        return;
      case 'bind':
        for (const value of this.values(node.source, scope, input.value))
          for (const bound of this.bindings(node.pattern, value, scope))
            yield* this.run(node.body, { parent: scope, variables: bound }, input);
        return;
      case 'label':
        yield* this.labelled(node, scope, input);
        return;
      case 'break':
        throw new Break(this.labelToken(node.name, scope));
      case 'call':
        yield* this.call(node, scope, input);
        return;
      case 'define':
        yield* this.run(node.body, { parent: scope, definition: node.definition }, input);
        return;
      default:
        yield* this.compute(node, scope, input);
    }
  }

  /** A value that is no path: an error where paths are followed, unless nothing was reached yet. */
  private plain(value: JqValue, input: Result): Result {
    return { value, path: input.path === undefined ? undefined : NO_PATH };
  }

  /** The values of a filter, paths left out. */
  *values(node: JqNode, scope: Scope, value: JqValue): Generator<JqValue> {
    for (const one of this.run(node, scope, { value, path: undefined })) yield one.value;
  }

  private *recurse(input: Result): Generator<Result> {
    yield input;
    const { value, path } = input;
    if (isArray(value)) {
      for (const [at, one] of value.entries())
        yield* this.recurse({ value: one, path: path && [...path, at] });
    } else if (isObject(value)) {
      for (const key of value.keys())
        yield* this.recurse({ value: value.get(key) ?? null, path: path && [...path, key] });
    }
  }

  private *access(
    node: JqNode & { kind: 'index' | 'slice' | 'iterate' },
    scope: Scope,
    input: Result,
  ): Generator<Result> {
    if (node.kind === 'iterate') {
      for (const of of this.run(node.of, scope, input)) yield* this.iterate(of);
      return;
    }
    if (node.kind === 'index') {
      for (const key of this.values(node.key, scope, input.value))
        for (const of of this.run(node.of, scope, input)) yield this.at(of, key);
      return;
    }
    const end = (bound: JqNode | undefined): Iterable<JqValue> =>
      bound === undefined ? [null] : this.values(bound, scope, input.value);
    for (const to of end(node.to))
      for (const from of end(node.from))
        for (const of of this.run(node.of, scope, input)) {
          const key: JqValue = new Map<string, JqValue>([
            ['start', from],
            ['end', to],
          ]);
          yield { value: sliceValue(of.value, from, to), path: this.longer(of, key) };
        }
  }

  private longer(of: Result, key: JqValue): readonly JqValue[] | undefined {
    if (of.path === undefined) return undefined;
    if (of.path === NO_PATH) throw new JqError(`Invalid path expression with result ${shortened(of.value)}`);
    return [...of.path, key];
  }

  private at(of: Result, key: JqValue): Result {
    if (of.path === NO_PATH) throw new JqError(`Invalid path expression with result ${shortened(of.value)}`);
    return { value: indexValue(of.value, key), path: this.longer(of, key) };
  }

  private *iterate(of: Result): Generator<Result> {
    const { value } = of;
    if (of.path === NO_PATH) throw new JqError(`Invalid path expression with result ${shortened(value)}`);
    if (isArray(value))
      for (const [at, one] of value.entries()) yield { value: one, path: this.longer(of, at) };
    else if (isObject(value))
      for (const [key, one] of value) yield { value: one, path: this.longer(of, key) };
    else throw new JqError(`Cannot iterate over ${value === null ? 'null' : described(value)}`);
  }

  private *alternative(
    node: { readonly left: JqNode; readonly right: JqNode },
    scope: Scope,
    input: Result,
  ): Generator<Result> {
    let any = false;
    try {
      for (const one of this.run(node.left, scope, input)) {
        if (one.value === null || one.value === false) continue;
        any = true;
        yield one;
      }
    } catch (error) {
      if (!(error instanceof JqError)) throw error;
    }
    if (!any) yield* this.run(node.right, scope, input);
  }

  private *attempt(node: JqNode & { kind: 'try' }, scope: Scope, input: Result): Generator<Result> {
    const results = this.run(node.body, scope, input);
    for (;;) {
      let next: IteratorResult<Result>;
      try {
        next = results.next();
      } catch (error) {
        if (!(error instanceof JqError)) throw error;
        if (node.handler !== undefined)
          yield* this.run(node.handler, scope, { value: error.value, path: undefined });
        return;
      }
      if (next.done === true) return;
      yield next.value;
    }
  }

  private *fold(
    node: JqNode & { kind: 'reduce' | 'foreach' },
    scope: Scope,
    input: Result,
  ): Generator<Result> {
    for (const start of this.run(node.start, scope, input)) {
      let state: Result | undefined = start;
      for (const value of this.values(node.source, scope, input.value)) {
        for (const bound of this.bindings(node.pattern, value, scope)) {
          const inner: Scope = { parent: scope, variables: bound };
          let last: Result | undefined;
          for (const next of this.run(node.update, inner, state ?? { value: null, path: undefined })) {
            last = next;
            if (node.kind !== 'foreach') continue;
            if (node.extract === undefined) yield next;
            else yield* this.run(node.extract, inner, next);
          }
          state = last;
          if (state === undefined && node.kind === 'reduce') state = { value: null, path: undefined };
        }
      }
      if (node.kind === 'reduce' && state !== undefined) yield state;
    }
  }

  private *labelled(node: JqNode & { kind: 'label' }, scope: Scope, input: Result): Generator<Result> {
    const token = {};
    try {
      yield* this.run(node.body, { parent: scope, label: { name: node.name, token } }, input);
    } catch (error) {
      if (!(error instanceof Break) || error.token !== token) throw error;
    }
  }

  private labelToken(name: string, scope: Scope): object {
    for (let here: Scope | undefined = scope; here !== undefined; here = here.parent)
      if (here.label?.name === name) return here.label.token;
    throw new JqError(`$*label-${name} is not defined`);
  }

  private *bindings(
    pattern: JqPattern,
    value: JqValue,
    scope: Scope,
  ): Generator<ReadonlyMap<string, JqValue>> {
    if (pattern.kind === 'name') {
      yield new Map([[pattern.name, value]]);
      return;
    }
    const parts: readonly {
      readonly key: Iterable<JqValue>;
      readonly name?: string | undefined;
      readonly pattern?: JqPattern | undefined;
    }[] =
      pattern.kind === 'array'
        ? pattern.items.map((one, at) => ({ key: [at], pattern: one }))
        : pattern.entries.map((one) => ({
            key: this.values(one.key, scope, value),
            name: one.name,
            pattern: one.value,
          }));
    if (pattern.kind === 'array' && value !== null && !isArray(value))
      throw new JqError(`Cannot index ${described(value).split(' ')[0]} with number`);
    let all: ReadonlyMap<string, JqValue>[] = [new Map(namesOf(pattern).map((name) => [name, null]))];
    for (const part of parts) {
      const next: ReadonlyMap<string, JqValue>[] = [];
      for (const key of part.key) {
        const inner = indexValue(value, key);
        const own: readonly (readonly [string, JqValue])[] =
          part.name === undefined ? [] : [[part.name, inner]];
        const found =
          part.pattern === undefined
            ? [new Map<string, JqValue>()]
            : [...this.bindings(part.pattern, inner, scope)];
        for (const before of all) for (const one of found) next.push(new Map([...before, ...own, ...one]));
      }
      all = next;
    }
    yield* all;
  }

  // ---- calls ----

  private *call(node: JqNode & { kind: 'call' }, scope: Scope, input: Result): Generator<Result> {
    const { name, args } = node;
    for (let here: Scope | undefined = scope; here !== undefined; here = here.parent) {
      const closure = args.length === 0 ? here.closures?.get(name) : undefined;
      if (closure !== undefined) return yield* this.run(closure.body, closure.scope, input);
      const { definition } = here;
      if (definition?.name === name && definition.parameters.length === args.length)
        return yield* this.enter(definition, { args, scope, home: here }, input);
    }
    const key = `${name}/${args.length}`;
    const known = library().get(key);
    if (known !== undefined)
      return yield* this.enter(known, { args, scope, home: this.homeOf(known) }, input);
    yield* callBuiltin(this, key, { args, scope, input });
  }

  private readonly homes = new Map<JqDefinition, Scope>();

  private homeOf(definition: JqDefinition): Scope {
    let scope = this.homes.get(definition);
    if (scope === undefined) {
      scope = { parent: this.root, definition };
      this.homes.set(definition, scope);
    }
    return scope;
  }

  private *enter(
    definition: JqDefinition,
    { args, scope, home }: { readonly args: readonly JqNode[]; readonly scope: Scope; readonly home: Scope },
    input: Result,
  ): Generator<Result> {
    const closures = new Map<string, Closure>();
    const byValue: { readonly name: string; readonly arg: JqNode }[] = [];
    definition.parameters.forEach((parameter, at) => {
      const arg = args[at] ?? { kind: 'identity' };
      if (parameter.startsWith('$')) byValue.push({ name: parameter.slice(1), arg });
      closures.set(parameter.replace('$', ''), { body: arg, scope });
    });
    const bind = function* (
      this: JqMachine,
      at: number,
      variables: ReadonlyMap<string, JqValue>,
    ): Generator<Result> {
      const one = byValue[at];
      if (one === undefined) {
        yield* this.run(definition.body, { parent: home, closures, variables }, input);
        return;
      }
      for (const value of this.values(one.arg, scope, input.value))
        yield* bind.call(this, at + 1, new Map([...variables, [one.name, value]]));
    };
    yield* bind.call(this, 0, new Map());
  }

  // ---- values ----

  private *compute(node: JqNode, scope: Scope, input: Result): Generator<Result> {
    for (const value of this.computer.computed(node, scope, input)) yield this.plain(value, input);
  }

  /** The paths of a filter. */
  *paths(node: JqNode, scope: Scope, value: JqValue): Generator<readonly JqValue[]> {
    for (const one of this.run(node, scope, { value, path: [] })) {
      if (one.path === NO_PATH || one.path === undefined)
        throw new JqError(`Invalid path expression with result ${shortened(one.value)}`);
      yield one.path;
    }
  }
}

/** Stands for "no path" where paths are followed. */
const NO_PATH: readonly JqValue[] = [];

function shortened(value: JqValue): string {
  const text = toJson(value);
  return text.length > 29 ? `${text.slice(0, 26)}...` : text;
}
