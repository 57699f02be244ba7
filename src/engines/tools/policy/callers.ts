/**
 * Who calls: the session of the world, an argument that names the caller for one call, tools that log in and out.
 *
 * The session is an object of the author's choice, part of the state (`state.session`, snapshots, forks); rules see
 * it as `session`. An argument (`as`) sets it for its call only. A tool that logs in sets it when it succeeds.
 */
import type { Json, JsonObject } from '../../../core/index.js';
import { evaluate, evaluateTemplate, holds } from '../run/overrides-rules.js';
import type { RuleScope } from '../run/rule-scope.js';
import { type Call, ToolFailure } from '../run/run-call.js';
import type { Collection } from '../service.js';
import type { LoginSpec } from '../spec-service.js';
import { frozenJson, keyOf, own, rowsOf, sameValue } from '../store/store.js';
import { collectionNamed } from '../store/store-integrity.js';

/** Sets the caller of this call from arguments that name one; raises a {@link ToolFailure} `unauthenticated`. */
export function actAs(call: Call, logins: readonly LoginSpec[]): void {
  for (const login of logins) {
    const value = login.as === undefined ? undefined : own(call.args, login.as);
    if (value === undefined || value === null) continue;
    const row = callerNamed(call, login, value);
    if (login.collection !== undefined && row === undefined) throw unknownCaller(call, login);
    call.session = sessionAfter(call, login, { args: call.args, ...(row === undefined ? {} : { row }) });
  }
}

/** The row of a caller that logs in by `match`; raises a {@link ToolFailure} `unauthenticated` where there is none. */
export function callerOf(call: Call, login: LoginSpec): JsonObject | undefined {
  if (login.match === undefined || login.as !== undefined) return undefined;
  const collection = collectionNamed(call.world.model, login.collection);
  const rows = collection === undefined ? undefined : rowsOf(call.state, collection.name);
  for (const row of rows?.values() ?? []) {
    if (collection === undefined) break;
    call.spend(1);
    const complete = call.world.completeRow(call, collection, row);
    if (holds(call, login.match, { args: call.args, row: complete })) return complete;
  }
  throw unknownCaller(call, login);
}

/** The session after a tool that logs in or out succeeded. */
export function sessionAfter(call: Call, login: LoginSpec, scope: RuleScope): JsonObject {
  const before = login.clear ? {} : call.session;
  if (login.set === undefined) {
    return login.collection === undefined || scope.row === undefined ? before : scope.row;
  }
  const set = Object.entries(login.set).map(([name, rule]): [string, Json] => [
    name,
    evaluate(call, rule, scope),
  ]);
  return frozenJson({ ...before, ...Object.fromEntries(set) }) as JsonObject;
}

function callerNamed(call: Call, login: LoginSpec, value: Json): JsonObject | undefined {
  const collection = collectionNamed(call.world.model, login.collection);
  if (collection === undefined) return undefined;
  const rows = rowsOf(call.state, collection.name);
  const [keyField = 'id'] = collection.key;
  const found = isOneKey(collection)
    ? rows.get(keyOf(collection, { [keyField]: value }))
    : rows.find((row) => sameValue(own(row.data, keyField), value));
  if (found === undefined) return undefined;
  const complete = call.world.completeRow(call, collection, found);
  const fits = login.match === undefined || holds(call, login.match, { args: call.args, row: complete });
  return fits ? complete : undefined;
}

function isOneKey(collection: Collection): boolean {
  return collection.key.length === 1 && (collection.identityScope ?? []).length === 0;
}

function unknownCaller(call: Call, login: LoginSpec): ToolFailure {
  const message =
    login.error === undefined
      ? 'authentication failed'
      : evaluateTemplate(call, login.error, { args: call.args });
  return new ToolFailure(message, 'unauthenticated');
}
