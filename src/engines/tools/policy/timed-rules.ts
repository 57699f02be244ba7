/**
 * Scheduled transitions as rules over a row: when a row is due, and what happens to it then.
 *
 * `at` and `when` look at the row alone, so that a queue of moments (`store-due.ts`) can be kept per version of the
 * rows. A row for which a rule cannot be evaluated (a field is missing) is not due.
 */
import { type Json, type JsonObject, LIMITS } from '../../../core/index.js';
import { parseIsoTime } from '../../../rules/index.js';
import type { RuleBook } from '../run/overrides-rules.js';
import type { TransitionSpec } from '../spec-service.js';
import type { DueRule } from '../store/store-due.js';

/** A transition with its moments. */
export interface TimedRule extends DueRule {
  readonly spec: TransitionSpec;
}

/** The transitions of an entity. */
export function timedRules(specs: readonly TransitionSpec[], book: RuleBook): readonly TimedRule[] {
  return specs.map((spec): TimedRule => ({ spec, dueMs: (row) => dueMs(spec, book, row) }));
}

function dueMs(spec: TransitionSpec, book: RuleBook, row: JsonObject): number | undefined {
  const meter = { left: LIMITS.ruleSteps };
  if (spec.when !== undefined) {
    const held = book.test(spec.when, { row }, meter);
    if (!held.ok || !held.value) return undefined;
  }
  const at = book.evaluate(spec.at, { row }, meter);
  return at.ok ? momentMs(at.value) : undefined;
}

/** Milliseconds since 1970 of a moment as a rule gives it; undefined for null and for what is no time. */
function momentMs(value: Json): number | undefined {
  if (typeof value === 'number') return value;
  return typeof value === 'string' ? parseIsoTime(value) : undefined;
}
