/**
 * Conditions that a world sets on a tool beside its plan: permissions, services that are down, quotas.
 *
 * They hold for inferred plans and overrides alike and are checked before the plan acts. `row` is the existing row
 * that the arguments mean, where there is exactly one; a condition on `row` where there is none is not checked, so
 * that the tool itself can say what it did not find.
 */
import type { JsonObject } from '../../../core/index.js';
import { mayDoubt, noteDoubt } from '../result/result-shape.js';
import type { Plan } from '../service.js';
import { collectionNamed } from '../store/store-integrity.js';
import { evaluateTemplate, holds } from './overrides-rules.js';
import type { RuleScope } from './rule-scope.js';
import { type Call, ToolFailure } from './run-call.js';
import { meantBy } from './run-ops.js';
import { findRow } from './run-rows.js';

/** Checks the world's conditions on a tool; raises a {@link ToolFailure} with the condition's error. */
export function checkConditions(call: Call, plan: Plan | undefined, args: JsonObject): void {
  const { requires } = call.world.spec;
  const conditions =
    requires !== undefined && Object.hasOwn(requires, call.tool.name) ? requires[call.tool.name] : [];
  const isDoubted = mayDoubt(call);
  if ((conditions === undefined || conditions.length === 0) && !isDoubted) return;
  const row = rowMeant(call, plan, args);
  const scope: RuleScope = { args, ...(row === undefined ? {} : { row }) };
  if (isDoubted) noteDoubt(call, scope);
  for (const { expr, error, cause } of conditions ?? []) {
    if (row === undefined && call.world.rules.names(expr).includes('row')) continue;
    if (!holds(call, expr, scope)) {
      throw new ToolFailure(evaluateTemplate(call, error, scope), cause ?? 'refused');
    }
  }
}

function rowMeant(call: Call, plan: Plan | undefined, args: JsonObject): JsonObject | undefined {
  const collection = collectionNamed(call.world.model, plan?.override?.collection ?? plan?.collection);
  if (plan === undefined || collection === undefined || plan.op === 'create') return undefined;
  const key = plan.override?.key ?? plan.key;
  const meant = meantBy({ plan: { ...plan, ...(key === undefined ? {} : { key }) }, collection, args });
  if (!collection.key.some((field) => Object.hasOwn(meant.values, field)) && key === undefined)
    return undefined;
  try {
    const row = findRow(call, collection, meant);
    return row === undefined ? undefined : call.world.completeRow(call, collection, row);
  } catch (thrown) {
    if (thrown instanceof ToolFailure && thrown.kind === 'ambiguous') return undefined;
    throw thrown;
  }
}
