/**
 * Values that jq computes: arithmetic, strings, arrays, objects, assignments. What follows paths is in `machine.ts`.
 */
import { addValues, divideValues, moduloValues, multiplyValues, subtractValues } from './arithmetic.js';
import type { JqNode } from './ast.js';
import { formatValue } from './formats.js';
import type { JqMachine, Result, Scope } from './machine.js';
import { deletePaths, getPath, setPath } from './paths.js';
import { compareValues, described, JqError, type JqValue } from './values.js';

/** Computes for one machine. */
export class JqComputer {
  constructor(private readonly machine: JqMachine) {}

  /** The values of a filter that is no path. */
  *computed(node: JqNode, scope: Scope, input: Result): Generator<JqValue> {
    switch (node.kind) {
      case 'format':
        yield formatValue(node.name, input.value);
        return;
      case 'string':
        yield* this.text(node, scope, input.value);
        return;
      case 'array':
        yield node.body === undefined ? [] : [...this.machine.values(node.body, scope, input.value)];
        return;
      case 'object':
        yield* this.object(node.entries, { at: 0, made: new Map(), scope, value: input.value });
        return;
      case 'negate':
        for (const value of this.machine.values(node.of, scope, input.value)) {
          if (typeof value !== 'number') throw new JqError(`${described(value)} cannot be negated`);
          yield -value;
        }
        return;
      case 'and':
      case 'or':
        for (const left of this.machine.values(node.left, scope, input.value)) {
          const truth = left !== null && left !== false;
          if (truth === (node.kind === 'or')) yield truth;
          else
            for (const right of this.machine.values(node.right, scope, input.value))
              yield right !== null && right !== false;
        }
        return;
      case 'binary':
        for (const right of this.machine.values(node.right, scope, input.value))
          for (const left of this.machine.values(node.left, scope, input.value))
            yield operate(node.operator, left, right);
        return;
      case 'assign':
        yield* this.assign(node, scope, input.value);
        return;
      case 'variable':
        yield this.machine.variable(node.name, scope);
        return;
      case 'location':
        yield new Map<string, JqValue>([
          ['file', '<top-level>'],
          ['line', node.line ?? 1],
        ]);
        return;
      default:
        throw new JqError(`${node.kind} cannot be computed`);
    }
  }

  private *text(node: JqNode & { kind: 'string' }, scope: Scope, value: JqValue): Generator<string> {
    const build = function* (this: JqComputer, at: number, before: string): Generator<string> {
      const part = node.parts[at];
      if (part === undefined) {
        yield before;
        return;
      }
      if (typeof part === 'string') {
        yield* build.call(this, at + 1, before + part);
        return;
      }
      for (const one of this.machine.values(part, scope, value))
        yield* build.call(this, at + 1, before + formatValue(node.format ?? '@text', one));
    };
    yield* build.call(this, 0, '');
  }

  private *object(
    entries: readonly { readonly key: JqNode; readonly value: JqNode }[],
    {
      at,
      made,
      scope,
      value,
    }: {
      readonly at: number;
      readonly made: ReadonlyMap<string, JqValue>;
      readonly scope: Scope;
      readonly value: JqValue;
    },
  ): Generator<JqValue> {
    const entry = entries[at];
    if (entry === undefined) {
      yield made;
      return;
    }
    for (const key of this.machine.values(entry.key, scope, value)) {
      if (typeof key !== 'string') throw new JqError(`Object keys must be strings`);
      for (const one of this.machine.values(entry.value, scope, value))
        yield* this.object(entries, { at: at + 1, made: new Map([...made, [key, one]]), scope, value });
    }
  }

  private *assign(node: JqNode & { kind: 'assign' }, scope: Scope, value: JqValue): Generator<JqValue> {
    const { operator, left, right } = node;
    if (operator === '|=') {
      let result = value;
      const gone: (readonly JqValue[])[] = [];
      for (const path of this.machine.paths(left, scope, value)) {
        const next = this.machine.values(right, scope, getPath(result, path)).next();
        if (next.done === true) gone.push(path);
        else result = setPath(result, path, next.value);
      }
      yield deletePaths(result, gone);
      return;
    }
    for (const change of this.machine.values(right, scope, value)) {
      let result = value;
      for (const path of this.machine.paths(left, scope, value)) {
        const before = getPath(result, path);
        const isSet = before !== null && before !== false;
        const after =
          operator === '='
            ? change
            : operator === '//='
              ? isSet
                ? before
                : change
              : operate(operator.slice(0, -1), before, change);
        result = setPath(result, path, after);
      }
      yield result;
    }
  }
}

function operate(operator: string, left: JqValue, right: JqValue): JqValue {
  switch (operator) {
    case '+':
      return addValues(left, right);
    case '-':
      return subtractValues(left, right);
    case '*':
      return multiplyValues(left, right);
    case '/':
      return divideValues(left, right);
    case '%':
      return moduloValues(left, right);
    default: {
      const order = compareValues(left, right);
      const tests: Readonly<Record<string, boolean>> = {
        '==': order === 0,
        '!=': order !== 0,
        '<': order < 0,
        '<=': order <= 0,
        '>': order > 0,
        '>=': order >= 0,
      };
      return tests[operator] ?? false;
    }
  }
}
