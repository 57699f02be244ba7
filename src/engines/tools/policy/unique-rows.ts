/**
 * Uniqueness and limits: how many rows may share the same values.
 *
 * Unique is a limit of one. Both are answered by an index of the rows by their values (`group-index.ts`), so a check
 * costs the same in a small collection and a large one. A row whose first field is absent or null is in no group, as
 * in SQL; the other fields count as they are, null included. Rows for which `among` does not hold do not count.
 */
import { type Json, type JsonObject, LIMITS } from '../../../core/index.js';
import { capital, shown } from '../check/messages.js';
import { evaluateTemplate, holds, type RuleBook } from '../run/overrides-rules.js';
import { type Call, ToolFailure } from '../run/run-call.js';
import type { Collection, StoredRow } from '../service.js';
import type { EntitySpec } from '../spec.js';
import { type IndexRule, keysLike, valuesText } from '../store/group-index.js';
import { own, type Rows, rowsOf } from '../store/store.js';

/** Rows that are counted together, and how many of them there may be. */
export interface GroupRule extends IndexRule {
  readonly fields: readonly string[];
  readonly max: number;
  readonly isUnique: boolean;
  readonly among?: string;
  readonly error?: string;
}

/** The groups that an entity speaks of. */
export function groupRules(entity: EntitySpec, book: RuleBook): readonly GroupRule[] {
  const unique = (entity.unique ?? []).map((one) => ({ ...one, max: 1, isUnique: true }));
  const limits = (entity.limits ?? []).map(({ by, ...one }) => ({ ...one, fields: by, isUnique: false }));
  return [...unique, ...limits].map(({ fields, max, isUnique, ignoreCase, among, error }): GroupRule => {
    const counts = (row: JsonObject): boolean => {
      const [first] = fields;
      if (first !== undefined && (own(row, first) ?? null) === null) return false;
      if (among === undefined) return true;
      // a rule that fails for a stored row lets it count; for a row being written the failure is told
      const held = book.test(among, { row }, { left: LIMITS.ruleSteps });
      return !held.ok || held.value;
    };
    return {
      fields,
      max,
      isUnique,
      ...(among === undefined ? {} : { among }),
      ...(error === undefined ? {} : { error }),
      textOf: (row) => (counts(row) ? valuesText(row, fields, ignoreCase) : undefined),
    };
  });
}

/** Refuses a row whose group is full; raises a {@link ToolFailure}. */
export function checkGroups(
  call: Call,
  collection: Collection,
  write: { readonly row: StoredRow; readonly old?: StoredRow },
): void {
  const groups = call.world.policy.collections.get(collection.name)?.groups;
  if (groups === undefined) return;
  const { data } = write.row;
  for (const group of groups) {
    call.spend(1);
    if (group.among !== undefined) holds(call, group.among, { args: call.itemArgs, row: data });
    const text = group.textOf(data);
    if (text === undefined || (write.old !== undefined && group.textOf(write.old.data) === text)) continue;
    const same = keysLike(rowsOf(call.state, collection.name), group, data);
    if (same === undefined || same.size < group.max) continue;
    const message =
      group.error === undefined
        ? fullMessage(collection, group, data)
        : evaluateTemplate(call, group.error, { args: call.itemArgs, row: data });
    throw new ToolFailure(message, group.isUnique ? 'exists' : 'refused', [], {
      field: group.fields[0] ?? '',
    });
  }
}

/** The first group with more rows than it may have because this row is in it, in words; undefined where there is none. */
export function overfullGroup(
  groups: readonly GroupRule[] | undefined,
  collection: Collection,
  at: { readonly rows: Rows; readonly data: JsonObject },
): string | undefined {
  const full = groups?.find((group) => (keysLike(at.rows, group, at.data)?.size ?? 0) > group.max);
  return full === undefined ? undefined : fullMessage(collection, full, at.data);
}

function fullMessage(collection: Collection, group: GroupRule, data: JsonObject): string {
  const values = group.fields.map((field) => `${field} ${shown(own(data, field) as Json | undefined)}`);
  if (group.isUnique) return `${capital(collection.singular)} already exists with ${values.join(', ')}`;
  const of = values.length === 0 ? '' : ` with ${values.join(', ')}`;
  return `Limit reached: there may be at most ${group.max} ${collection.name}${of}`;
}
