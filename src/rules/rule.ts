/**
 * A rule: an expression of the rules language, compiled once, evaluated on any bindings.
 *
 * Total by construction: every evaluation ends within its steps with a value or an error value, never throws for
 * what a rule or its data say, changes nothing, and gives the same for the same. See docs/RULES.md.
 */
import { fail, type Json, LIMITS, ok, type Result, type RuleError } from '../core/index.js';
import { compileNode } from './compile.js';
import { detach } from './detach.js';
import { type RuleFault, syntaxFault, toRuleError } from './fault.js';
import { KeptPrograms } from './kept-programs.js';
import { boolOf } from './logic.js';
import { parseExpression } from './parser.js';
import { type Bindings, Run } from './run.js';
import { type Code, topScope } from './scope.js';

/** What compiling may be told. */
export interface CompileOptions {
  /** All names that will have a value. When given, any other name is a `rules/syntax` error. Default: not checked. */
  readonly names?: readonly string[];
}

/** What one evaluation may be told. */
export interface EvaluateOptions {
  /** Steps that it may take. Default and usual: `LIMITS.ruleSteps`. */
  readonly steps?: number;
  /** A budget shared with other evaluations; this one takes at most what is left and lowers it by what it took. */
  readonly meter?: Meter;
}

/** Steps that several evaluations share. Below zero it is as used up as at zero. */
export interface Meter {
  left: number;
}

/** A compiled rule. Has no state; may be used any number of times. */
export interface Rule {
  /** The source text. */
  readonly source: string;
  /** The free names it uses, in order of appearance. */
  readonly names: readonly string[];
  /**
   * Computes the value on the bindings. A binding that is a function is called when its name is first used, at most
   * once. The result is fresh JSON. Errors: `rules/evaluation` (missing field, wrong kind, division by zero …) and
   * `rules/budget` (steps, sizes, depth), with line and column.
   */
  evaluate(bindings: Bindings, options?: EvaluateOptions): Result<Json, RuleError>;
  /** Like `evaluate`, for a condition: anything but a bool is a `rules/evaluation` error that shows the value. */
  test(bindings: Bindings, options?: EvaluateOptions): Result<boolean, RuleError>;
}

/**
 * Compiles a rule. Errors: `rules/syntax` (also unknown functions, unknown names when `names` is given, and source
 * longer than `LIMITS.ruleChars` or nested deeper than `LIMITS.ruleDepth`), `rules/budget` (a too large pattern).
 */
export function compileRule(source: string, options: CompileOptions = {}): Result<Rule, RuleError> {
  const kept = KEPT.get(source, options.names);
  if (kept !== undefined) return ok(kept);
  return guarded(source, () => {
    checkLength(source);
    const scope = topScope(options.names);
    const node = parseExpression(source);
    const code = compileNode(node, scope);
    const program = makeRule(source, Object.freeze([...scope.found]), code);
    KEPT.put(source, options.names, { program, more: PATTERN_UNITS * scope.patterns.size });
    return program;
  });
}

const KEPT = new KeptPrograms<Rule>();

/** What one instruction of a pattern counts among the programs that are kept, in characters of source. */
export const PATTERN_UNITS = 4;

/** Evaluates a rule as a condition: a bool, or the error (`rules/evaluation` for another kind, with the value). */
export function evaluateCondition(
  rule: Rule,
  bindings: Bindings,
  options?: EvaluateOptions,
): Result<boolean, RuleError> {
  return rule.test(bindings, options);
}

function makeRule(source: string, names: readonly string[], code: Code): Rule {
  return Object.freeze({
    source,
    names,
    evaluate: (bindings: Bindings, options?: EvaluateOptions) =>
      metered(source, new Run(bindings, stepsOf(options)), {
        ...options,
        work: (run: Run) => detach(run, code(run)),
      }),
    test: (bindings: Bindings, options?: EvaluateOptions) =>
      metered(source, new Run(bindings, stepsOf(options)), {
        ...options,
        work: (run: Run) => boolOf(run, code(run), { at: 0, end: source.length }),
      }),
  });
}

/** The steps that one evaluation may take: its own limit, or what is left of the shared one. */
export function stepsOf(options: EvaluateOptions | undefined): number | undefined {
  if (options?.meter === undefined) return options?.steps;
  return Math.max(0, Math.min(options.steps ?? LIMITS.ruleSteps, options.meter.left));
}

/** Runs work like {@link guarded} and takes what it spent from the shared budget. */
export function metered<T>(
  source: string,
  run: Run,
  how: EvaluateOptions & { readonly work: (run: Run) => T },
): Result<T, RuleError> {
  const result = guarded(source, () => how.work(run));
  if (how.meter !== undefined) how.meter.left -= run.spent;
  return result;
}

/** Runs work that throws faults and gives its result or its error as a value. */
export function guarded<T>(source: string, work: () => T): Result<T, RuleError> {
  try {
    return ok(work());
  } catch (thrown) {
    return fail(toRuleError(thrown, source));
  }
}

/** Refuses source text beyond the limit, as a thrown fault. */
export function checkLength(source: string): void {
  if (source.length > LIMITS.ruleChars) throw tooLong(source.length);
}

function tooLong(length: number): RuleFault {
  const message = `the text has ${length} characters; the limit is ${LIMITS.ruleChars} (ruleChars)`;
  return syntaxFault({ at: 0, end: 20 }, message);
}
