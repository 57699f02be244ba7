/**
 * One evaluation in progress: its fuel, its bindings, and where it is.
 *
 * Every closure of a compiled rule spends steps from here, in proportion to its work and before it does it: one per
 * node, one per element, one per {@link UNITS_PER_STEP} units of text. So no rule outlives its budget, and what it
 * can hold in memory is bounded by it too. The same rule and bindings always spend the same steps.
 */
import { type Json, LIMITS } from '../core/index.js';
import { type Range, RuleFault } from './fault.js';

/** A value under a name, or a function that makes it when a rule first uses it (once per evaluation). */
export type Binding = Json | (() => Json);
/** Names and their values, as own properties of a plain object. */
export type Bindings = Readonly<Record<string, Binding>>;

/** Units of text (UTF-16) that one step pays for. */
const UNITS_PER_STEP = 16;

const NOWHERE: Range = { at: 0, end: 0 };

/** The state of one evaluation. */
export class Run {
  /** The piece of source being worked on; set before anything that can fail. */
  where: Range = NOWHERE;
  /** The function being called, for messages. */
  calling = '';
  /** Values of macro variables, by slot. */
  readonly locals: Json[] = [];
  private readonly steps: number;
  private left: number;
  private readonly values = new Map<string, Json>();

  constructor(
    private readonly bindings: Bindings,
    steps: number = LIMITS.ruleSteps,
  ) {
    // A budget that is no number would never be used up.
    this.steps = Number.isFinite(steps) ? steps : LIMITS.ruleSteps;
    this.left = this.steps;
  }

  /** The steps taken so far. */
  get spent(): number {
    return Math.min(this.steps, this.steps - this.left);
  }

  /** Pays for work; throws `rules/budget` when the fuel is used up. Call it before the work. */
  spend(steps: number): void {
    this.left -= steps;
    if (this.left < 0) throw this.exhausted();
  }

  /** Pays for reading or making text of that many units. */
  spendText(units: number): void {
    this.spend(Math.ceil(units / UNITS_PER_STEP));
  }

  /** Checks the size of a list (elements), map (keys) or string (units) before it is made, and pays for it. */
  reserve(size: number, kind: 'list' | 'map' | 'string'): void {
    if (size > LIMITS.ruleValueSize) {
      const unit = { list: 'elements', map: 'keys', string: 'UTF-16 units' }[kind];
      throw this.fault(
        'rules/budget',
        () =>
          `this would build a ${kind} of ${size} ${unit}; the limit is ${LIMITS.ruleValueSize} (ruleValueSize)`,
      );
    }
    if (kind === 'string') this.spendText(size);
    else this.spend(size);
  }

  /** The value of a free name. */
  lookup(name: string): Json {
    const known = this.values.get(name);
    if (known !== undefined) return known;
    const binding = Object.hasOwn(this.bindings, name) ? this.bindings[name] : undefined;
    if (binding === undefined) throw this.error(() => `"${name}" has no value here`);
    const value = typeof binding === 'function' ? this.build(name, binding) : binding;
    this.values.set(name, value);
    return value;
  }

  /** A fault of evaluation at the current place. */
  error(describe: () => string, data?: Readonly<Record<string, unknown>>): RuleFault {
    return this.fault('rules/evaluation', describe, data);
  }

  /** A fault at the current place. */
  fault(
    code: RuleFault['code'],
    describe: () => string,
    data?: Readonly<Record<string, unknown>>,
  ): RuleFault {
    return new RuleFault(code, this.where, describe, data);
  }

  private build(name: string, make: () => Json): Json {
    let value: Json | undefined;
    try {
      value = make();
    } catch (cause) {
      const reason = cause instanceof Error ? cause.message : String(cause);
      throw this.error(() => `the value of "${name}" could not be made: ${reason}`);
    }
    if (value === undefined) throw this.error(() => `"${name}" has no value here`);
    return value;
  }

  private exhausted(): RuleFault {
    const { steps } = this;
    return this.fault(
      'rules/budget',
      () => `the rule used up its ${steps} steps; work on fewer elements, or nest fewer macros`,
    );
  }
}
