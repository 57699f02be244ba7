/**
 * Verifiers as data: what must be true of a finished episode.
 *
 * A verifier is `{id, expr}` in the rules language over `state`, `start` (the state when the episode began), `turns`,
 * `answer` and `clock`; in shells also `{id, run, exitCode, stdout?}`. Each is passed, failed or unscored with a reason; a verifier that could not be
 * decided is never counted as failed or passed, and then the whole has no number. Not covered: how a shell runs.
 */
import { z } from 'zod';
import { fail, LIMITS, ok, type Result, type RuleError, type Score } from '../core/index.js';
import { compileRule, type EvaluateOptions, type Rule } from './rule.js';
import type { Bindings } from './run.js';

/** The names that a verifier's expression sees. */
export const VERIFIER_NAMES = ['state', 'start', 'turns', 'answer', 'clock'] as const;

/** Schema of an expression verifier. */
export const ExpressionVerifierSchema = z.strictObject({
  id: z.string().min(1),
  /** A condition in the rules language over {@link VERIFIER_NAMES}. */
  expr: z.string().min(1),
});

/** Schema of a shell verifier. */
export const ShellVerifierSchema = z.strictObject({
  id: z.string().min(1),
  /** The command line. */
  run: z.string().min(1),
  /** The exit code that passes. Default 0. */
  exitCode: z.int().min(0).max(255).default(0),
  /** The standard output that passes; not looked at when left out. */
  stdout: z.string().optional(),
});

/** Schema of {@link Verifier}. */
export const VerifierSchema = z.union([ExpressionVerifierSchema, ShellVerifierSchema]);

/** A verifier by expression. */
export type ExpressionVerifier = z.infer<typeof ExpressionVerifierSchema>;
/** A verifier by a command in the world's shell. */
export type ShellVerifier = z.infer<typeof ShellVerifierSchema>;
/** A condition on a finished episode, as data. */
export type Verifier = z.infer<typeof VerifierSchema>;

/** What became of one verifier. */
export type VerifierOutcome =
  | { readonly id: string; readonly passed: boolean }
  | { readonly id: string; readonly passed: 'unscored'; readonly reason: string };

/** What became of all verifiers, in their order, and the score. */
export interface VerifierReport {
  readonly outcomes: readonly VerifierOutcome[];
  /** The share passed, one component (0 or 1) per verifier; unscored with the reasons when any is unscored. */
  readonly score: Score;
}

/** Runs the command of a shell verifier: whether it passed, or why that cannot be said. */
export type ShellVerifierRunner = (verifier: ShellVerifier) => Result<boolean, string>;

/** How verifiers are run. */
export interface VerifierOptions extends EvaluateOptions {
  /** Runs shell verifiers; without it they are unscored ("not supported in this domain"). */
  readonly shell?: ShellVerifierRunner;
}

/**
 * Runs verifiers on the bindings of {@link VERIFIER_NAMES} (functions allowed, called when used). Never throws for
 * what verifiers say: mistakes in an expression, missing values and used-up budgets are unscored with their reason;
 * so is a second verifier of the same id, and a list without verifiers. All verifiers share `options.meter`
 * (default: `LIMITS.stepWork` steps), beside each one's own limit.
 */
export function runVerifiers(
  verifiers: readonly Verifier[],
  bindings: Bindings,
  options: VerifierOptions = {},
): VerifierReport {
  const ids = new Set<string>();
  const shared = { ...options, meter: options.meter ?? { left: LIMITS.stepWork } };
  const outcomes = verifiers.map((verifier): VerifierOutcome => {
    const { id } = verifier;
    const repeated = ids.has(id);
    ids.add(id);
    const passed = repeated
      ? fail('another verifier has the same id')
      : runVerifier(verifier, bindings, shared);
    return passed.ok ? { id, passed: passed.value } : { id, passed: 'unscored', reason: passed.error };
  });
  return { outcomes, score: scoreOf(outcomes) };
}

/** Checks a verifier's expression without running it; a shell verifier has nothing to check. */
export function checkVerifier(verifier: Verifier): Result<void, RuleError> {
  if (!('expr' in verifier)) return ok(undefined);
  const rule = compileRule(verifier.expr, { names: VERIFIER_NAMES });
  return rule.ok ? ok(undefined) : rule;
}

function runVerifier(
  verifier: Verifier,
  bindings: Bindings,
  options: VerifierOptions,
): Result<boolean, string> {
  if (!('expr' in verifier)) {
    return options.shell?.(verifier) ?? fail('commands are not supported in this domain; use expr');
  }
  if (options.meter !== undefined && options.meter.left <= 0) {
    return fail(
      `the verifiers before it used up the ${LIMITS.stepWork} steps of all together (limit stepWork)`,
    );
  }
  const rule = compiledOf(verifier);
  if (!rule.ok) return fail(rule.error.message);
  const result = rule.value.test(bindings, options);
  return result.ok ? result : fail(result.error.message);
}

/** Compiled verifiers by the object they are; a world is scored many times. */
const COMPILED = new WeakMap<ExpressionVerifier, Result<Rule, RuleError>>();

function compiledOf(verifier: ExpressionVerifier): Result<Rule, RuleError> {
  const known = COMPILED.get(verifier);
  if (known?.ok === true && known.value.source === verifier.expr) return known;
  const made = compileRule(verifier.expr, { names: VERIFIER_NAMES });
  COMPILED.set(verifier, made);
  return made;
}

function scoreOf(outcomes: readonly VerifierOutcome[]): Score {
  if (outcomes.length === 0) return { status: 'unscored', reason: 'there are no verifiers' };
  const reasons = outcomes.flatMap((o) => (o.passed === 'unscored' ? [`${o.id}: ${o.reason}`] : []));
  if (reasons.length > 0) {
    return {
      status: 'unscored',
      reason: `${reasons.length} of ${outcomes.length} verifiers: ${reasons.join('; ')}`,
    };
  }
  const points = outcomes.map((o) => [o.id, o.passed === true ? 1 : 0] as const);
  const passed = points.filter(([, point]) => point === 1).length;
  return { status: 'scored', fraction: passed / outcomes.length, components: Object.fromEntries(points) };
}
