/**
 * Compiles awk's statements, functions and rules.
 *
 * A statement ends in a signal: nothing, or where to go (`break`, `next`, `return` …). Every round of a loop counts as
 * work, so that an endless one lets others run.
 */
import type { Running } from '../../../kernel/index.js';
import type { AwkExpression, AwkFunction, AwkRedirect, AwkStatement } from './ast.js';
import { formatted } from './builtins.js';
import { type Code, map, mapAll, plain, runCode } from './code.js';
import { ExpressionCompiler, type Machine } from './expressions.js';
import { type AwkRuntime, Slot } from './runtime.js';
import { AwkFatal } from './syntax-error.js';
import { type AwkValue, toNumber } from './values.js';

/** How a statement ended. */
export type Signal = 'break' | 'continue' | 'next' | 'nextfile' | 'return' | 'exit' | undefined;

/** Calls inside calls, at most. */
const MAX_DEPTH = 1_500;

/** Compiles statements. */
export class StatementCompiler implements Machine {
  parameters: readonly string[] = [];
  /** What `exit` was given. */
  exitStatus: number | undefined;
  private returned: AwkValue;
  private readonly expressions: ExpressionCompiler;
  private readonly bodies = new Map<string, Code<Signal>>();

  constructor(
    readonly runtime: AwkRuntime,
    private readonly functions: ReadonlyMap<string, AwkFunction>,
    readonly nextRecord: () => Running<string | undefined>,
  ) {
    this.expressions = new ExpressionCompiler(this);
  }

  /** Compiles the functions; the rest may call them afterwards. */
  prepare(): void {
    for (const [name, { parameters, body }] of this.functions) {
      this.parameters = parameters;
      this.bodies.set(name, this.statement(body));
    }
    this.parameters = [];
  }

  /** A condition. */
  condition(node: AwkExpression): Code<boolean> {
    return this.expressions.boolean(node);
  }

  call(name: string, args: readonly AwkExpression[]): Code<AwkValue> {
    const { runtime } = this;
    const prepared = args.map((one) => this.argument(one));
    const target = this.functions.get(name);
    const size = target?.parameters.length ?? 0;
    if (args.length > size) throw new AwkFatal(`line 1: too many arguments in call to ${name}`);
    const self = this;
    return {
      *waits() {
        const frame: Slot[] = [];
        for (const one of prepared) frame.push(yield* runCode(one));
        while (frame.length < size) frame.push(new Slot());
        if (runtime.depth >= MAX_DEPTH) throw new AwkFatal('function call nesting too deep');
        const before = runtime.frame;
        runtime.frame = frame;
        runtime.depth++;
        self.returned = undefined;
        const body = self.bodies.get(name);
        if (runtime.proc.tick()) yield* runtime.proc.pause();
        const signal = body === undefined ? undefined : yield* runCode(body);
        runtime.depth--;
        runtime.frame = before;
        const value = signal === 'return' ? self.returned : undefined;
        self.returned = undefined;
        if (signal === 'exit' || signal === 'next' || signal === 'nextfile') throw new Unwind(signal);
        return value;
      },
    };
  }

  /** A slot for an argument: names pass arrays by reference. */
  private argument(node: AwkExpression): Code<Slot> {
    if (node.kind === 'variable') {
      const from = this.expressions.slot(node.name);
      return plain(() => {
        const slot = new Slot();
        const given = from();
        slot.array = given.array;
        slot.value = given.get();
        if (given.array === undefined && slot.value === undefined) slot.origin = given;
        return slot;
      });
    }
    return map(this.expressions.value(node), (value) => {
      const slot = new Slot();
      slot.value = value;
      return slot;
    });
  }

  statement(node: AwkStatement): Code<Signal> {
    const { expressions } = this;
    switch (node.kind) {
      case 'block':
        return this.block(node.body.map((one) => this.statement(one)));
      case 'expression':
        return map(expressions.value(node.value), () => undefined);
      case 'print':
        return this.print(node);
      case 'printf':
        return this.output(
          mapAll(
            node.args.map((one) => expressions.value(one)),
            (values) => formatted(this.runtime, values, 'printf'),
          ),
          node.to,
        );
      case 'if':
        return this.branch(node);
      case 'while':
        return this.loop(node);
      case 'do':
        return this.loop({ ...node, late: true });
      case 'for':
        return this.forLoop(node);
      case 'forIn':
        return this.forIn(node);
      case 'delete':
        return this.deletion(node);
      case 'exit':
      case 'return':
        return this.leaving(node);
      default: {
        const { kind } = node;
        return plain(() => kind);
      }
    }
  }

  private block(list: readonly Code<Signal>[]): Code<Signal> {
    const plains = list.flatMap((one) => (one.plain === undefined ? [] : [one.plain]));
    if (plains.length === list.length)
      return plain(() => {
        for (const one of plains) {
          const signal = one();
          if (signal !== undefined) return signal;
        }
        return undefined;
      });
    return {
      *waits() {
        for (const one of list) {
          const signal = yield* runCode(one);
          if (signal !== undefined) return signal;
        }
        return undefined;
      },
    };
  }

  private print(node: AwkStatement & { kind: 'print' }): Code<Signal> {
    const { runtime } = this;
    const ends = (text: string): string => text + runtime.special('ORS');
    if (node.args.length === 0)
      return this.output(
        plain(() => ends(runtime.recordText())),
        node.to,
      );
    return this.output(
      mapAll(
        node.args.map((one) => this.expressions.value(one)),
        (values) =>
          ends(
            values
              .map((value) => runtime.printed(value))
              .join(values.length > 1 ? runtime.special('OFS') : ''),
          ),
      ),
      node.to,
    );
  }

  private output(text: Code<string>, to: AwkRedirect | undefined): Code<Signal> {
    const { streams } = this.runtime;
    if (to === undefined)
      return map(text, (given) => {
        streams.print(given);
        return undefined;
      });
    const target = this.expressions.text(to.target);
    return {
      *waits() {
        const given = yield* runCode(text);
        yield* streams.write(to.how, yield* runCode(target), given);
        return undefined;
      },
    };
  }

  private branch(node: AwkStatement & { kind: 'if' }): Code<Signal> {
    const test = this.condition(node.test);
    const yes = this.statement(node.yes);
    const no = node.no === undefined ? plain<Signal>(() => undefined) : this.statement(node.no);
    const [{ plain: t }, { plain: y }, { plain: n }] = [test, yes, no];
    if (t !== undefined && y !== undefined && n !== undefined) return plain(() => (t() ? y() : n()));
    return {
      *waits() {
        return (yield* runCode(test)) ? yield* runCode(yes) : yield* runCode(no);
      },
    };
  }

  private loop(
    node: { readonly test?: AwkExpression; readonly body: AwkStatement; readonly late?: boolean },
    step?: Code<Signal>,
  ): Code<Signal> {
    const test = node.test === undefined ? plain(() => true) : this.condition(node.test);
    const body = this.statement(node.body);
    const { proc } = this.runtime;
    return {
      *waits() {
        if (node.late !== true && !(yield* runCode(test))) return undefined;
        for (;;) {
          if (proc.tick()) yield* proc.pause();
          const signal = yield* runCode(body);
          if (signal === 'break') return undefined;
          if (signal !== undefined && signal !== 'continue') return signal;
          if (step !== undefined) yield* runCode(step);
          if (!(yield* runCode(test))) return undefined;
        }
      },
    };
  }

  private forLoop(node: AwkStatement & { kind: 'for' }): Code<Signal> {
    const start = node.start === undefined ? undefined : this.statement(node.start);
    const step = node.step === undefined ? undefined : this.statement(node.step);
    const loop = this.loop({ ...(node.test !== undefined && { test: node.test }), body: node.body }, step);
    return {
      *waits() {
        if (start !== undefined) yield* runCode(start);
        return yield* runCode(loop);
      },
    };
  }

  private forIn(node: AwkStatement & { kind: 'forIn' }): Code<Signal> {
    const variable = this.expressions.slot(node.variable);
    const array = this.expressions.slot(node.array);
    const body = this.statement(node.body);
    const { proc } = this.runtime;
    return {
      *waits() {
        for (const key of array().asArray().keys()) {
          if (proc.tick()) yield* proc.pause();
          variable().set(key);
          const signal = yield* runCode(body);
          if (signal === 'break') return undefined;
          if (signal !== undefined && signal !== 'continue') return signal;
        }
        return undefined;
      },
    };
  }

  private deletion(node: AwkStatement & { kind: 'delete' }): Code<Signal> {
    const slot = this.expressions.slot(node.name);
    if (node.keys === undefined)
      return plain(() => {
        slot().asArray().clear();
        return undefined;
      });
    return map(this.expressions.key(node.keys), (key) => {
      slot().asArray().delete(key);
      return undefined;
    });
  }

  private leaving(node: AwkStatement & { kind: 'exit' | 'return' }): Code<Signal> {
    const value =
      node.value === undefined ? plain<AwkValue>(() => undefined) : this.expressions.value(node.value);
    return map(value, (given) => {
      if (node.kind === 'return') this.returned = given;
      else if (node.value !== undefined) this.exitStatus = Math.trunc(toNumber(given)) & 0xff;
      return node.kind;
    });
  }
}

/** `exit` and `next` inside a function, on their way out. */
export class Unwind extends Error {
  constructor(readonly signal: 'exit' | 'next' | 'nextfile') {
    super(signal);
  }
}
