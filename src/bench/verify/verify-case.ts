/**
 * A case of rule-based verification: a benchmark row with checks of its answer, as data.
 *
 * The row's `verify` member has the axis, the checks (conditions in the rules language over {@link CHECK_NAMES}) and
 * answers that must fail, each with the checks that must catch it. A case counts only where its checks accept what the
 * row says really happened and catch each wrong answer; others are invalid and told, never used. Source: rule axes of
 * AgentWorldBench (arXiv 2606.24597); docs/BENCH.md. Not covered: checks that need another model's opinion.
 */
import { z } from 'zod';
import { fail, ok, type Result } from '../../core/index.js';
import type { BenchRow } from '../../domains/index.js';
import { compileRule, type Rule } from '../../rules/index.js';
import { CHECK_NAMES, checkNames } from './check-names.js';

/**
 * What a case is about: `controllability` explicit instructions of the simulation are followed · `errors` real failures
 * are reproduced and not turned into success · `consistency` what was written long ago shows later.
 */
export const VERIFY_AXES = ['controllability', 'errors', 'consistency'] as const;

/** One of {@link VERIFY_AXES}. */
export type VerifyAxis = (typeof VERIFY_AXES)[number];

const CheckSchema = z.strictObject({ id: z.string().min(1), expr: z.string().min(1) });

const VerifySchema = z.strictObject({
  axis: z.enum(VERIFY_AXES),
  title: z.string().min(1),
  checks: z.array(CheckSchema).min(1),
  wrong: z.array(z.strictObject({ observation: z.string(), fails: z.array(z.string()).min(1) })).min(1),
});

/** A case, ready to check answers. */
export interface VerifyCase {
  readonly row: BenchRow;
  readonly axis: VerifyAxis;
  readonly title: string;
  readonly checks: readonly VerifyCheck[];
}

/** One check of a case. */
interface VerifyCheck {
  readonly id: string;
  readonly expr: string;
  readonly rule: Rule;
}

/** A check that an answer did not pass, and why. */
export interface BrokenCheck {
  readonly id: string;
  readonly expr: string;
  /** `it is false`, or why it has no value for this answer (a field that is missing, no JSON). */
  readonly why: string;
}

/** What the checks of a case say of an answer; `undecided` where their budget ran out. */
export interface CheckedAnswer {
  readonly broken: readonly BrokenCheck[];
  readonly undecided: string | null;
}

/** Checks one answer. A check without a value is broken: an answer that it cannot read is not the one it asks for. */
export function checkAnswer(
  { row, checks }: Pick<VerifyCase, 'row' | 'checks'>,
  answer: string,
): CheckedAnswer {
  const names = checkNames(row, answer);
  const broken: BrokenCheck[] = [];
  for (const { id, expr, rule } of checks) {
    const found = rule.test(names);
    if (found.ok && found.value) continue;
    if (!found.ok && found.error.code === 'rules/budget') {
      return { broken, undecided: `check ${id}: ${found.error.message}` };
    }
    broken.push({ id, expr, why: found.ok ? 'it is false' : found.error.message });
  }
  return { broken, undecided: null };
}

/** Reads a row's case. The error says in words why it is none. */
export function readVerifyCase(row: BenchRow): Result<VerifyCase, string> {
  const read = VerifySchema.safeParse(row.raw.verify);
  if (!read.success) {
    const [issue] = read.error.issues;
    return fail(`verify${(issue?.path ?? []).map((key) => `.${String(key)}`).join('')}: ${issue?.message}`);
  }
  const { axis, title, wrong } = read.data;
  const checks: VerifyCheck[] = [];
  for (const { id, expr } of read.data.checks) {
    if (checks.some((one) => one.id === id)) return fail(`two checks are called ${id}`);
    const rule = compileRule(expr, { names: CHECK_NAMES });
    if (!rule.ok) return fail(`check ${id}: ${rule.error.message}`);
    checks.push({ id, expr, rule: rule.value });
  }
  const one: VerifyCase = { row, axis, title, checks };
  const real = checkAnswer(one, row.truth);
  if (real.undecided !== null) return fail(real.undecided);
  const [refused] = real.broken;
  if (refused !== undefined) {
    return fail(`check ${refused.id} does not accept what really happened: ${refused.why}`);
  }
  for (const { observation, fails } of wrong) {
    const caught = checkAnswer(one, observation).broken.map(({ id }) => id);
    const missed = fails.find((id) => !caught.includes(id));
    if (missed === undefined) continue;
    return fail(
      `check ${missed} does not catch the wrong answer ${JSON.stringify(observation.slice(0, 80))}`,
    );
  }
  return ok(one);
}
