/**
 * Permissions: which tools the caller may call, and on which rows.
 *
 * An entry holds when the caller has one of its roles and its `when` holds. Entries with `allow: false` forbid where
 * they hold; a tool that entries with `allow: true` name may only be called where one of them holds. Forbidding wins.
 * With `rows` an entry is about rows: one row that may not be seen is refused (or not found, `hidden`), lists leave it
 * out, and a row must be one that may be seen as it is before a change and after it. Side effects of the service are not bound by the caller's rights.
 */
import type { Json, JsonObject } from '../../../core/index.js';
import { evaluateTemplate, holds } from '../run/overrides-rules.js';
import { type Call, type RowGuard, ToolFailure } from '../run/run-call.js';
import type { Collection, StoredRow } from '../service.js';
import type { PermissionSpec } from '../spec-service.js';
import { own } from '../store/store.js';

/** Checks the entries that are about whole tools and gives the guard of rows; raises a {@link ToolFailure} `permission`. */
export function checkPermissions(
  call: Call,
  entries: readonly PermissionSpec[],
  main: string | undefined,
): RowGuard | undefined {
  const held = entries.filter((entry) => isHeld(call, entry));
  const denied = held.find((entry) => !entry.allow && entry.rows === undefined);
  if (denied !== undefined) throw forbidden(call, denied);
  const allows = entries.filter(({ allow }) => allow);
  const granted = held.filter(({ allow }) => allow);
  if (allows.length > 0 && granted.length === 0) throw forbidden(call, allows[0]);
  const guards = [
    ...held.filter((entry) => !entry.allow && entry.rows !== undefined),
    ...(granted.some(({ rows }) => rows === undefined) ? [] : granted),
  ];
  return guards.length === 0 ? undefined : rowGuard(call, guards, main);
}

function isHeld(call: Call, entry: PermissionSpec): boolean {
  if (entry.roles !== undefined && !entry.roles.some((role) => rolesOf(call.session).includes(role)))
    return false;
  return entry.when === undefined || holds(call, entry.when, { args: call.args });
}

function rolesOf(session: JsonObject): readonly Json[] {
  return ['role', 'roles'].flatMap((name) => {
    const value = own(session, name);
    return Array.isArray(value) ? (value as readonly Json[]) : value === undefined ? [] : [value];
  });
}

function rowGuard(call: Call, entries: readonly PermissionSpec[], main: string | undefined): RowGuard {
  const about = (entry: PermissionSpec, collection: Collection): boolean =>
    (entry.collection ?? main) === collection.name;
  return {
    refusal: (collection, row) => {
      const mine = entries.filter((entry) => about(entry, collection));
      const complete = call.world.completeRow(call, collection, row);
      const fits = ({ rows }: PermissionSpec): boolean =>
        rows === undefined || holds(call, rows, { args: call.itemArgs, row: complete });
      const denied = mine.find((entry) => !entry.allow && fits(entry));
      const allows = mine.filter(({ allow }) => allow);
      const refusing = denied ?? (allows.length > 0 && !allows.some(fits) ? allows[0] : undefined);
      if (refusing === undefined) return undefined;
      return refusing.hidden ? 'hidden' : forbidden(call, refusing, row);
    },
  };
}

function forbidden(call: Call, entry: PermissionSpec | undefined, row?: StoredRow): ToolFailure {
  const scope = { args: call.args, ...(row === undefined ? {} : { row: row.data }) };
  const message =
    entry?.error === undefined ? 'permission denied' : evaluateTemplate(call, entry.error, scope);
  return new ToolFailure(message, 'permission');
}
