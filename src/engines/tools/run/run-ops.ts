/**
 * What tools do to single rows: create, get, update, upsert, delete, append to a list, remove from a list.
 *
 * Each operation reads and writes through the Host, answers facts, and raises a {@link ToolFailure} for what a
 * service would refuse: no such row, a row that is there already, a reference to nothing, a state reached already.
 */
import type { Json, JsonObject } from '../../../core/index.js';
import { alreadyMessage, keyText, missingMessage, shown } from '../check/messages.js';
import { mintId } from '../engine-ids.js';
import { checkVersion, nextVersion } from '../policy/versions.js';
import { overwrites, passesOver } from '../result/result-shape.js';
import type { Collection, Field, StoredRow } from '../service.js';
import { changeRow, deepEqual, makeRow, own } from '../store/store.js';
import { type Call, type Steps, ToolFailure } from './run-call.js';
import type { Facts, Task } from './run-facts.js';
import { readMatching } from './run-match.js';
import { listOf, type Meant, meantText, readExisting, readRow, removeRow, writeRow } from './run-rows.js';

/**
 * Which row the arguments mean: key fields from `plan.key`, scope and references from `plan.filters`, key and scope
 * fields of like-named arguments, and the fixed values of `plan.where`.
 */
export function meantBy(task: Task): Meant {
  const { plan, collection, args } = task;
  const values = new Map<string, Json>();
  const argumentOf = new Map<string, string>();
  const take = (argument: string, field: string): void => {
    const value = own(args, argument);
    if (value === undefined || value === null || values.has(field)) return;
    values.set(field, value);
    argumentOf.set(field, argument);
  };
  for (const [argument, field] of Object.entries(plan.key ?? {})) take(argument, field);
  for (const [argument, field] of Object.entries(plan.filters ?? {})) take(argument, field);
  const written = Object.keys(plan.writes ?? {});
  for (const field of [...collection.key, ...collection.scope])
    if (!written.includes(field)) take(field, field);
  for (const [field, value] of Object.entries(plan.where ?? {}))
    if (!values.has(field)) values.set(field, value);
  return { values: Object.fromEntries(values), argumentOf: Object.fromEntries(argumentOf) };
}

/** Which existing row the arguments mean; a failure that names the argument when its key is not given. */
function existingMeant(task: Task): Meant {
  const meant = meantBy(task);
  const given = Object.keys(meant.argumentOf);
  const named = given.some((field) => !task.collection.scope.includes(field));
  const lacks = Object.entries(task.plan.key ?? {}).find(
    ([, field]) => own(meant.values, field) === undefined,
  );
  if (named || (given.length > 0 && lacks === undefined)) return meant;
  if (task.collection.singleton === true) return meant;
  throw new ToolFailure(missingMessage(lacks?.[0] ?? task.collection.key[0] ?? 'id'), 'refused');
}

/** The values that the arguments and the plan write, by field, with the argument each came from. */
function written(task: Task): Meant {
  const values = new Map<string, Json>();
  const argumentOf = new Map<string, string>();
  for (const [argument, field] of Object.entries(task.plan.writes ?? {})) {
    const value = own(task.args, argument);
    if (value === undefined) continue;
    values.set(field, value);
    argumentOf.set(field, argument);
  }
  for (const [field, value] of Object.entries(task.plan.sets ?? {})) values.set(field, value);
  return { values: Object.fromEntries(values), argumentOf: Object.fromEntries(argumentOf) };
}

/** Makes a new row from given values; the rest comes from ids, the clock and initial values. */
export function* createRow(call: Call, collection: Collection, given: Meant): Steps<StoredRow> {
  const values = new Map(Object.entries(given.values));
  for (const field of Object.values(collection.fields)) {
    if (field.computed !== undefined) values.delete(field.name);
    else if (!values.has(field.name)) {
      const value = startValue(call, field);
      if (value !== undefined) values.set(field.name, value);
    }
  }
  const [idField] = collection.key;
  if (idField !== undefined && (values.get(idField) ?? null) === null) {
    const minted = mintId(call.state, collection, {
      seed: call.world.seed,
      values: Object.fromEntries(values),
    });
    call.state = minted.state;
    values.set(idField, minted.id);
  }
  const version = nextVersion(call, collection, { old: undefined, row: Object.fromEntries(values) });
  if (version !== undefined) values.set(...version);
  const row = makeRow(inFieldOrder(collection, values), { base: 'computed' });
  yield* writeRow(call, collection, {
    op: 'create',
    row,
    changed: Object.keys(row.data),
    argumentOf: given.argumentOf,
  });
  return row;
}

function startValue(call: Call, field: Field): Json | undefined {
  return field.stamp === undefined ? field.initial : stampOf(call, field);
}

/** The time of the call, as the field writes times. */
function stampOf(call: Call, { stampAs = 'iso' }: Field): Json {
  const { nowText, context } = call;
  switch (stampAs) {
    case 'epoch-ms':
      return context.nowMs;
    case 'epoch-s':
      return Math.floor(context.nowMs / 1000);
    case 'iso-s':
      return `${nowText.slice(0, 19)}Z`;
    case 'iso-offset':
      return `${nowText.slice(0, 23)}+00:00`;
    case 'sql':
      return nowText.slice(0, 19).replace('T', ' ');
    default:
      return stampAs === 'date' ? nowText.slice(0, 10) : nowText;
  }
}

/** Key first, then the fields as the collection lists them, then whatever else was given. */
function inFieldOrder(collection: Collection, values: ReadonlyMap<string, Json>): JsonObject {
  const order = [...new Set([...collection.key, ...Object.keys(collection.fields), ...values.keys()])];
  return Object.fromEntries(
    order.flatMap((name): [string, Json][] => {
      const value = values.get(name);
      return value === undefined ? [] : [[name, value]];
    }),
  );
}

/** Changes some fields of a row; the updated stamp follows the clock. */
export function* updateRow(
  call: Call,
  collection: Collection,
  change: { readonly old: StoredRow; readonly values: Meant },
): Steps<StoredRow> {
  checkVersion(call, collection, change.old.data);
  const stamps = Object.values(collection.fields).filter((field) => field.stamp === 'updated');
  const kept = Object.entries(change.values.values).filter(
    ([field]) => !Object.hasOwn(collection.fields, field) || collection.fields[field]?.computed === undefined,
  );
  const version = nextVersion(call, collection, { old: change.old.data, row: change.old.data });
  const changes = Object.fromEntries([
    ...stamps.map((field): [string, Json] => [field.name, stampOf(call, field)]),
    ...kept,
    ...(version === undefined ? [] : [version]),
  ]);
  const row = changeRow(change.old, changes, 'computed');
  yield* writeRow(call, collection, {
    op: 'update',
    row,
    old: change.old,
    changed: Object.keys(changes),
    argumentOf: change.values.argumentOf,
  });
  return row;
}

function facts(call: Call, task: Task, done: { readonly row: StoredRow; readonly message: string }): Facts {
  const { plan, collection } = task;
  const row = call.world.completeRow(call, collection, done.row);
  return { op: plan.op, collection, row, message: done.message };
}

function sentence(collection: Collection, verb: string, row: StoredRow): string {
  const name = collection.singular.slice(0, 1).toUpperCase() + collection.singular.slice(1);
  return `${name} ${keyText(collection, row.data)} ${verb}`;
}

/** Creates a row. */
export function* runCreate(call: Call, task: Task): Steps<Facts> {
  if (overwrites(call)) return yield* runUpsert(call, task);
  return yield* runNew(call, task);
}

function* runNew(call: Call, task: Task): Steps<Facts> {
  const meant = meantBy(task);
  const writes = written(task);
  const given = {
    values: { ...meant.values, ...writes.values },
    argumentOf: { ...meant.argumentOf, ...writes.argumentOf },
  };
  const row = yield* createRow(call, task.collection, given);
  return facts(call, task, { row, message: sentence(task.collection, 'created', row) });
}

/** Answers one row, or one field of it. */
export function* runGet(call: Call, task: Task): Steps<Facts> {
  const row = yield* readExisting(call, task.collection, existingMeant(task));
  const found = facts(call, task, { row, message: sentence(task.collection, 'found', row) });
  return task.plan.only === undefined ? found : { ...found, only: task.plan.only };
}

/** Changes given fields of one row, or brings it into a state once. */
export function* runUpdate(call: Call, task: Task): Steps<Facts> {
  if (task.plan.all === true) return yield* runAll(call, task);
  const old = yield* readExisting(call, task.collection, existingMeant(task));
  refuseIfAlready(task, old);
  const row = yield* updateRow(call, task.collection, { old, values: written(task) });
  const verb = task.plan.already ?? 'updated';
  return facts(call, task, { row, message: sentence(task.collection, verb, row) });
}

function refuseIfAlready(task: Task, row: StoredRow): void {
  const { plan, collection } = task;
  if (plan.already === undefined) return;
  const sets = Object.entries(plan.sets ?? {});
  if (sets.length === 0) return;
  const has = sets.every(([field, value]) => deepEqual(own(row.data, field) ?? null, value));
  if (has)
    throw new ToolFailure(alreadyMessage(collection, keyText(collection, row.data), plan.already), 'already');
}

/** Changes the row if it is there, else creates it. */
export function* runUpsert(call: Call, task: Task): Steps<Facts> {
  const meant = meantBy(task);
  const writes = written(task);
  const named = { ...pickKey(task.collection, writes.values), ...meant.values };
  const old =
    Object.keys(named).length === 0
      ? undefined
      : yield* readRow(call, task.collection, { ...meant, values: named });
  if (old === undefined) return yield* runNew(call, task);
  const row = yield* updateRow(call, task.collection, { old, values: writes });
  return facts(call, task, { row, message: sentence(task.collection, 'updated', row) });
}

function pickKey(collection: Collection, values: JsonObject): JsonObject {
  return Object.fromEntries(
    [...collection.key, ...collection.scope].flatMap((field): [string, Json][] => {
      const value = own(values, field);
      return value === undefined || value === null ? [] : [[field, value]];
    }),
  );
}

/** Takes one row away. */
export function* runDelete(call: Call, task: Task): Steps<Facts> {
  if (task.plan.all === true) return yield* runAll(call, task);
  const row = yield* readExisting(call, task.collection, existingMeant(task));
  const gone = facts(call, task, { row, message: sentence(task.collection, 'deleted', row) });
  yield* removeRow(call, task.collection, row);
  return gone;
}

/** Changes or takes away every row that the filters match. */
function* runAll(call: Call, task: Task): Steps<Facts> {
  const { plan, collection } = task;
  const found = yield* readMatching(call, task);
  const rows: JsonObject[] = [];
  for (const row of found) {
    if (plan.op === 'delete') {
      rows.push(call.world.completeRow(call, collection, row));
      yield* removeRow(call, collection, row);
    } else {
      const changed = yield* updateRow(call, collection, { old: row, values: written(task) });
      rows.push(call.world.completeRow(call, collection, changed));
    }
  }
  const verb = plan.op === 'delete' ? 'deleted' : 'updated';
  return {
    op: plan.op,
    collection,
    rows,
    total: rows.length,
    message: `${rows.length} ${collection.name} ${verb}`,
  };
}

/** Adds to a list field. Scalars that are there already are not added again. */
export function* runAppend(call: Call, task: Task): Steps<Facts> {
  const old = yield* readExisting(call, task.collection, existingMeant(task));
  const { field, list } = listField(task, old);
  const given = listValues(task);
  const added: Json[] = [];
  for (const value of given) {
    const known = typeof value !== 'object' && [...list, ...added].some((has) => deepEqual(has, value));
    if (!known) added.push(value);
  }
  const values = { values: { [field]: [...list, ...added] }, argumentOf: argumentsOf(task, field) };
  const row = added.length === 0 ? old : yield* updateRow(call, task.collection, { old, values });
  return {
    ...facts(call, task, { row, message: sentence(task.collection, 'updated', row) }),
    changed: added,
  };
}

/** Takes away from a list field. Values that are not there are a failure. */
export function* runRemove(call: Call, task: Task): Steps<Facts> {
  const old = yield* readExisting(call, task.collection, existingMeant(task));
  const { field, list } = listField(task, old);
  const given = listValues(task);
  const missing = given.find((value) => !list.some((has) => deepEqual(has, value)));
  if (missing !== undefined && !passesOver(call, 'not-found')) {
    const message = `${sentence(task.collection, `has no ${field} entry`, old)}: ${shown(missing)}`;
    throw new ToolFailure(message, 'not-found');
  }
  const kept = list.filter((has) => !given.some((value) => deepEqual(has, value)));
  const values = { values: { [field]: kept }, argumentOf: argumentsOf(task, field) };
  const row = yield* updateRow(call, task.collection, { old, values });
  return {
    ...facts(call, task, { row, message: sentence(task.collection, 'updated', row) }),
    changed: given,
  };
}

function listField(task: Task, row: StoredRow): { readonly field: string; readonly list: readonly Json[] } {
  const field = task.plan.listField ?? Object.values(task.plan.writes ?? {})[0] ?? '';
  const value = own(row.data, field);
  if (value === undefined || value === null || Array.isArray(value)) return { field, list: listOf(value) };
  throw new ToolFailure(`${meantText(task.collection, meantBy(task))}: ${field} is not a list`, 'failed');
}

function listValues(task: Task): readonly Json[] {
  const names = Object.keys(task.plan.writes ?? {});
  const values = names.flatMap((argument) => listOf(own(task.args, argument)));
  if (values.length > 0 || names.some((argument) => own(task.args, argument) !== undefined)) return values;
  throw new ToolFailure(missingMessage(names[0] ?? task.plan.listField ?? 'value'), 'refused');
}

function argumentsOf(task: Task, field: string): Readonly<Record<string, string>> {
  const argument = Object.keys(task.plan.writes ?? {})[0];
  return argument === undefined ? {} : { [field]: argument };
}
