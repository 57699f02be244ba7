/**
 * Side effects: what else happens when a row is created, changed or deleted, whichever tool did it.
 *
 * They run inside the call that made the change, in the order of the world file, and are undone with it. Their own
 * changes have side effects too, up to a depth. Rules see `result` (the row as it is now; the deleted row as it was),
 * `old` (before the change, null for a new row), `row` (in `key`, `when` and new rows the same as `result`; in the
 * `match` and `set` of an update or delete the row it touches), `args` and `session`.
 */
import type { Json, JsonObject } from '../../../core/index.js';
import { runEffect } from '../run/overrides.js';
import { holds } from '../run/overrides-rules.js';
import type { RuleScope } from '../run/rule-scope.js';
import { type Call, type Steps, ToolFailure } from '../run/run-call.js';
import type { Collection, StoredRow } from '../service.js';
import type { TriggerSpec } from '../spec-service.js';

/** Side effects of side effects, at most. */
const DEEPEST = 16;

/** A change of one row. */
export interface RowChange {
  readonly collection: Collection;
  readonly kind: 'create' | 'update' | 'delete';
  /** The row after the change; of a deletion, before it. */
  readonly row: StoredRow;
  readonly old?: StoredRow;
}

/** Runs the side effects of a change. */
export function* runTriggers(call: Call, change: RowChange, triggers: readonly TriggerSpec[]): Steps<void> {
  const mine = triggers.filter(({ after }) => after.includes(change.kind));
  if (mine.length === 0) return;
  if (call.depth >= DEEPEST) {
    const message = `${call.tool.name}: side effects of ${change.collection.name} cause each other more than ${DEEPEST} deep`;
    throw new ToolFailure(message, 'failed', ['rule-error']);
  }
  const scope = scopeOf(call, change);
  for (const trigger of mine) {
    if (trigger.when !== undefined && !holds(call, trigger.when, scope)) continue;
    for (const effect of trigger.do) yield* runEffect(call, effect, scope);
  }
}

function scopeOf(call: Call, { collection, row, old }: RowChange): RuleScope {
  const complete = (one: StoredRow): JsonObject => call.world.completeRow(call, collection, one);
  const now = complete(row);
  return {
    args: call.itemArgs,
    row: now,
    result: now as Json,
    old: old === undefined ? null : complete(old),
  };
}
