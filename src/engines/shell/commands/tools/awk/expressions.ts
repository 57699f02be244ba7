/**
 * Compiles awk's expressions.
 */
import type { Running } from '../../../kernel/index.js';
import type { AwkExpression, AwkTarget } from './ast.js';
import { type BuiltinCompiler, compileBuiltin } from './builtins.js';
import { type Code, choose, map, map2, mapAll, plain, runCode } from './code.js';
import type { AwkRuntime, Slot } from './runtime.js';
import { AwkSyntaxError } from './syntax-error.js';
import { type AwkValue, compareValues, inputValue, toBoolean, toNumber } from './values.js';

/** What calls and input need from the rest of the machine. */
export interface Machine {
  readonly runtime: AwkRuntime;
  /** Parameters of the function that is compiled now. */
  parameters: readonly string[];
  /** Calls a function of the program. */
  call(name: string, args: readonly AwkExpression[]): Code<AwkValue>;
  /** The next record of the main input; undefined at the end. */
  nextRecord(): Running<string | undefined>;
}

/** Compiles expressions for one machine. */
export class ExpressionCompiler implements BuiltinCompiler {
  readonly runtime: AwkRuntime;

  constructor(private readonly machine: Machine) {
    this.runtime = machine.runtime;
  }

  /** The place a name means here: a parameter or a global variable. */
  slot(name: string): () => Slot {
    const at = this.machine.parameters.indexOf(name);
    const { runtime } = this;
    if (at < 0) {
      const slot = runtime.global(name);
      return () => slot;
    }
    const none = runtime.global('');
    return () => runtime.frame[at] ?? none;
  }

  value(node: AwkExpression): Code<AwkValue> {
    const { runtime } = this;
    switch (node.kind) {
      case 'number':
      case 'string': {
        const { value } = node;
        return plain(() => value);
      }
      case 'regex': {
        const regex = this.literal(node.source, node.line);
        return plain(() => (regex.test(runtime.recordText()) ? 1 : 0));
      }
      case 'group':
        return this.value(node.inner);
      case 'variable': {
        const slot = this.slot(node.name);
        return plain(() => slot().get());
      }
      case 'field':
        return map(this.number(node.index), (index) => runtime.field(Math.trunc(index)));
      case 'element': {
        const slot = this.slot(node.name);
        return map(this.key(node.keys), (key) => slot().asArray().get(key));
      }
      case 'and':
        return choose(
          this.boolean(node.left),
          map(this.boolean(node.right), bit),
          plain(() => 0),
        );
      case 'or':
        return choose(
          this.boolean(node.left),
          plain(() => 1),
          map(this.boolean(node.right), bit),
        );
      case 'conditional':
        return choose(this.boolean(node.test), this.value(node.yes), this.value(node.no));
      case 'unary':
        return this.unary(node.operator, node.operand);
      case 'binary':
        return this.binary(node);
      case 'match':
        return this.match(node);
      case 'in': {
        const slot = this.slot(node.name);
        return map(this.key(node.keys), (key) => (slot().asArray().has(key) ? 1 : 0));
      }
      case 'assign':
        return this.assign(node);
      case 'step':
        return this.step(node);
      case 'call':
        return this.machine.call(node.name, node.args);
      case 'builtin':
        return compileBuiltin(this, node);
      case 'getline':
        return this.getline(node);
    }
  }

  number(node: AwkExpression): Code<number> {
    return map(this.value(node), toNumber);
  }

  text(node: AwkExpression): Code<string> {
    const { runtime } = this;
    return map(this.value(node), (value) => runtime.text(value));
  }

  boolean(node: AwkExpression): Code<boolean> {
    return map(this.value(node), toBoolean);
  }

  key(nodes: readonly AwkExpression[]): Code<string | number> {
    const { runtime } = this;
    const [only] = nodes;
    if (nodes.length === 1 && only !== undefined) return map(this.value(only), (value) => runtime.key(value));
    return mapAll(
      nodes.map((node) => this.text(node)),
      (texts) => texts.join(runtime.special('SUBSEP')),
    );
  }

  /** A regular expression that stands in the program; a wrong one is told with its line. */
  literal(source: string, line: number): ReturnType<AwkRuntime['regex']> {
    try {
      return this.runtime.regex(source);
    } catch (error) {
      throw new AwkSyntaxError(`line ${line}: ${error instanceof Error ? error.message : ''}`, line);
    }
  }

  /** An expression used as a regular expression. */
  pattern(node: AwkExpression): Code<ReturnType<AwkRuntime['regex']>> {
    if (node.kind === 'regex') {
      const regex = this.literal(node.source, node.line);
      return plain(() => regex);
    }
    return map(this.text(node), (source) => this.runtime.regex(source));
  }

  /** Assigns a value that another expression gives. */
  store(target: AwkTarget, value: Code<AwkValue>): Code<AwkValue> {
    const { runtime } = this;
    if (target.kind === 'variable') {
      const slot = this.slot(target.name);
      return map(value, (given) => {
        slot().set(given);
        return given;
      });
    }
    if (target.kind === 'field')
      return map2(this.number(target.index), value, (index, given) => {
        runtime.setField(Math.trunc(index), given);
        return given;
      });
    const slot = this.slot(target.name);
    return map2(this.key(target.keys), value, (key, given) => {
      slot().asArray().set(key, given);
      return given;
    });
  }

  private unary(operator: '-' | '+' | '!', operand: AwkExpression): Code<AwkValue> {
    if (operator === '!') return map(this.boolean(operand), (value) => (value ? 0 : 1));
    return map(this.number(operand), (value) => (operator === '-' ? -value : value));
  }

  private binary(node: AwkExpression & { kind: 'binary' }): Code<AwkValue> {
    const { runtime } = this;
    const { operator, left, right } = node;
    if (operator === ' ') return map2(this.text(left), this.text(right), (a, b) => a + b);
    const arithmetic = ARITHMETIC[operator];
    if (arithmetic !== undefined) return map2(this.number(left), this.number(right), arithmetic);
    const text = (value: AwkValue): string => runtime.text(value);
    const test = COMPARE[operator] ?? (() => false);
    return map2(this.value(left), this.value(right), (a, b) => (test(compareValues(a, b, text)) ? 1 : 0));
  }

  private match(node: AwkExpression & { kind: 'match' }): Code<AwkValue> {
    return map2(this.text(node.left), this.pattern(node.right), (text, regex) =>
      regex.test(text) === node.negated ? 0 : 1,
    );
  }

  private assign(node: AwkExpression & { kind: 'assign' }): Code<AwkValue> {
    const value = this.value(node.value);
    if (node.operator === '=') return this.store(node.target, value);
    const arithmetic = ARITHMETIC[node.operator.slice(0, -1)] ?? (() => 0);
    return this.store(
      node.target,
      map2(map(value, toNumber), this.number(node.target), (change, before) => arithmetic(before, change)),
    );
  }

  private step(node: AwkExpression & { kind: 'step' }): Code<AwkValue> {
    const after = this.store(
      node.target,
      map(this.number(node.target), (value) => value + node.by),
    );
    return node.prefix ? after : map(after, (value) => toNumber(value) - node.by);
  }

  private getline(node: AwkExpression & { kind: 'getline' }): Code<AwkValue> {
    const { machine, runtime } = this;
    const { from, source, target } = node;
    const name = source === undefined ? undefined : this.text(source);
    let given: AwkValue;
    const store =
      target === undefined
        ? undefined
        : this.store(
            target,
            plain(() => given),
          );
    return {
      *waits() {
        let record: string | undefined;
        if (from === 'main') {
          record = yield* machine.nextRecord();
          if (record === undefined) return 0;
        } else {
          const reader = yield* runtime.streams.reader(from, name === undefined ? '' : yield* runCode(name));
          if (reader === undefined) return -1;
          record = yield* reader.next(runtime.recordSeparator());
          if (record === undefined) return 0;
        }
        if (store === undefined) runtime.setRecord(record);
        else {
          given = inputValue(record);
          yield* runCode(store);
        }
        return 1;
      },
    };
  }
}

const bit = (value: boolean): AwkValue => (value ? 1 : 0);

const ARITHMETIC: Readonly<Record<string, (a: number, b: number) => number>> = {
  '+': (a, b) => a + b,
  '-': (a, b) => a - b,
  '*': (a, b) => a * b,
  '/': (a, b) => a / b,
  '%': (a, b) => a % b,
  '^': (a, b) => a ** b,
};

const COMPARE: Readonly<Record<string, (order: number) => boolean>> = {
  '<': (order) => order < 0,
  '<=': (order) => order <= 0,
  '==': (order) => order === 0,
  '!=': (order) => order !== 0,
  '>': (order) => order > 0,
  '>=': (order) => order >= 0,
};
