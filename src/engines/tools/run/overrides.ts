/**
 * Tools as a world file gives them: which rows, what must hold, what is set, what else happens, what is answered.
 *
 * Order: the row is found (or `notFound` is answered), `require` is checked in order, the main effect happens, then
 * the further effects (`also`) in order, then `returns` and `text` are computed over the new state. Rules see
 * `args`, `row` (before the effect in `match`, `require` and `set`; after it in `also.when`, `returns` and `text`;
 * in a further effect's `match` and `set` the row it may touch), `rows`, `state`, `clock` and `result` (the row or
 * rows of the main effect). A rule that fails makes the tool answer an error and changes nothing.
 */
import { z } from 'zod';
import {
  isJsonObject,
  type Json,
  type JsonObject,
  type TracedText,
  TracedTextBuilder,
  traced,
} from '../../../core/index.js';
import { ContentBlockSchema, renderToolResult } from '../../../domains/index.js';
import { missingMessage, notFoundMessage } from '../check/messages.js';
import { isVersionArgument } from '../policy/versions.js';
import { noteDoubt } from '../result/result-shape.js';
import { RuleOrigins } from '../result/rule-origins.js';
import type { Collection, StoredRow } from '../service.js';
import type { OverrideSpec } from '../spec.js';
import type { EffectSpec } from '../spec-service.js';
import { keyOf, own, rowsOf } from '../store/store.js';
import { isIndexed, rowsLike } from '../store/store-index.js';
import { collectionNamed, isComputed } from '../store/store-integrity.js';
import { keyArgument } from './idempotency.js';
import { evaluate, evaluateParts, evaluateTemplate, holds, tryEvaluate } from './overrides-rules.js';
import type { RuleScope } from './rule-scope.js';
import { type Call, type Steps, ToolFailure } from './run-call.js';
import type { Facts, Task } from './run-facts.js';
import { runList } from './run-list.js';
import { createRow, meantBy, updateRow } from './run-ops.js';
import { type Meant, meantText, readRow, readRows, removeRow } from './run-rows.js';
import { type Operators, plainName } from './search.js';

/** An override being run: the specification, its collection where it has one, and the arguments. */
export interface OverrideTask {
  readonly task: Omit<Task, 'collection'> & { readonly collection?: Collection };
  readonly override: OverrideSpec;
}

/** Runs an override for one call or one item of a batch. */
export function* runOverride(call: Call, given: OverrideTask): Steps<Facts> {
  const { override } = given;
  const { collection } = given.task;
  if (override.op !== 'compute' && collection === undefined) {
    const message = `${call.tool.name}: the override names no known collection (${String(override.collection)})`;
    throw new ToolFailure(message, 'failed', ['rule-error']);
  }
  const main =
    collection === undefined
      ? yield* runComputeOnly(call, given)
      : yield* runMain(call, { ...given, task: { ...given.task, collection } });
  const result: Json = main.row ?? main.rows ?? null;
  const scope: RuleScope = {
    args: given.task.args,
    result,
    ...(main.row === undefined ? {} : { row: main.row }),
    ...(main.rows === undefined ? {} : { rows: main.rows }),
  };
  for (const effect of override.also ?? []) yield* runEffect(call, effect, scope);
  return answered(call, override, { facts: main, scope });
}

/** The facts with the answers that `returns` and `text` give. */
export function answered(
  call: Call,
  override: OverrideSpec,
  of: { readonly facts: Facts; readonly scope: RuleScope },
): Facts {
  const { facts, scope } = of;
  const value = override.returns === undefined ? undefined : returned(call, override.returns, scope);
  const text = override.text === undefined ? undefined : tracedTemplate(call, override.text, scope);
  return {
    ...facts,
    ...(value === undefined ? {} : value),
    ...(override.content === undefined ? {} : blocks(call, override.content, scope)),
    ...(text === undefined ? {} : { text }),
  };
}

/** The content blocks of `content`, and what an observation shows of them. */
function blocks(call: Call, rule: string, scope: RuleScope): Pick<Facts, 'content' | 'text'> {
  const value = evaluate(call, rule, scope);
  const read = z.array(ContentBlockSchema).safeParse(value);
  if (!read.success) {
    const [issue] = read.error.issues;
    const where = issue === undefined ? '' : `: ${issue.path.join('.')} ${issue.message}`;
    const message = `${call.tool.name}: rule ${JSON.stringify(rule)} gives no content blocks${where}`;
    throw new ToolFailure(message, 'failed', ['rule-error']);
  }
  const origins = new RuleOrigins(call, scope, call.world.rules.names(rule).includes('state'));
  const shown = renderToolResult({ content: read.data });
  return { content: value, text: traced(shown, origins.of(shown)) };
}

/** The structured answer of `returns`, its parts marked with their origins; a text also as the text answer. */
function returned(call: Call, rule: string, scope: RuleScope): Pick<Facts, 'value' | 'text'> {
  const value = evaluate(call, rule, scope);
  const origins = new RuleOrigins(call, scope, call.world.rules.names(rule).includes('state'));
  if (typeof value !== 'string' || call.tool.outputSchema !== undefined)
    return { value: origins.mark(value) };
  return { value, text: traced(value, origins.of(value)) };
}

function tracedTemplate(call: Call, template: string, scope: RuleScope): TracedText {
  const builder = new TracedTextBuilder();
  const origins = new RuleOrigins(call, scope, /\bstate\b/.test(template));
  for (const { text, computed } of evaluateParts(call, template, scope).parts)
    builder.add(text, computed ? origins.of(text) : 'computed');
  return builder.done();
}

function* runComputeOnly(call: Call, given: OverrideTask): Steps<Facts> {
  yield* [];
  requireAll(call, given.override, { args: given.task.args });
  return { op: 'override', message: `${call.tool.name} done` };
}

const PAGE_STARTS = [
  ['cursor', 'cursor after pagetoken nexttoken nextcursor startcursor'],
  ['page', 'page pagenumber'],
  ['offset', 'offset skip start'],
] as const;

interface MainTask {
  readonly task: Task;
  readonly override: OverrideSpec;
}

function* runMain(call: Call, given: MainTask): Steps<Facts> {
  const { override, task } = given;
  const { collection, args } = task;
  if (override.op === 'list' || override.op === 'search') return yield* runMainList(call, given);
  const needsRow = override.op === 'get' || override.op === 'update' || override.op === 'delete';
  const optional = override.op === 'upsert' || (override.op === 'compute' && meansRow(given));
  const old = needsRow || optional ? yield* locate(call, given) : undefined;
  if (old === undefined && needsRow) throw notFound(call, given);
  const before = old === undefined ? undefined : call.world.completeRow(call, collection, old);
  const scope: RuleScope = { args, ...(before === undefined ? {} : { row: before }) };
  requireAll(call, override, scope);
  const row = yield* applyMain(call, given, { scope, old });
  const complete = row === undefined ? undefined : call.world.completeRow(call, collection, row);
  const shown = override.op === 'delete' ? before : complete;
  return {
    op: override.op === 'compute' ? 'override' : override.op,
    collection,
    ...(shown === undefined ? {} : { row: shown }),
    message: `${call.tool.name} done`,
  };
}

function* applyMain(
  call: Call,
  given: MainTask,
  at: { readonly scope: RuleScope; readonly old: StoredRow | undefined },
): Steps<StoredRow | undefined> {
  const { override, task } = given;
  const { collection } = task;
  const { old } = at;
  if (override.op === 'get') return old;
  if (override.op === 'compute' && (old === undefined || override.set === undefined)) return old;
  if (override.op === 'delete' && old !== undefined) {
    yield* removeRow(call, collection, old);
    return undefined;
  }
  const set = evaluateSet(call, override.set, at.scope);
  if (old === undefined) return yield* createRow(call, collection, withArguments(call, given, set));
  const values = override.set === undefined ? argumentsAsFields(task, old) : { values: set, argumentOf: {} };
  return yield* updateRow(call, collection, { old, values });
}

function meansRow(given: MainTask): boolean {
  return given.override.match !== undefined || given.override.key !== undefined;
}

/** The row meant: the first that `match` holds for, or by key; undefined where there is none. */
function* locate(call: Call, given: MainTask): Steps<StoredRow | undefined> {
  const { override, task } = given;
  const { match } = override;
  const meant = meantBy({
    ...task,
    plan: { ...task.plan, ...(override.key === undefined ? {} : { key: override.key }) },
  });
  const byKey = Object.keys(meant.values).length > 0;
  if (match === undefined) {
    if (byKey) return yield* readRow(call, task.collection, meant);
    if (override.op === 'upsert' || override.op === 'compute') return undefined;
    throw new ToolFailure(
      missingMessage(Object.keys(override.key ?? {})[0] ?? task.collection.key[0] ?? 'id'),
      'refused',
    );
  }
  const found = yield* readRows(call, task.collection, {
    args: task.args,
    held: heldBy(call, task.collection, { match, scope: { args: task.args } }),
    test: (row) => matches(call, task.collection, { match, row, scope: { args: task.args } }),
  });
  return found[0];
}

/**
 * Values that the rows must hold for `match` to be true, as far as they are stored in every row: a row without the
 * field makes the rule fail, and then each row is looked at, so that the failure is seen.
 */
function heldBy(
  call: Call,
  collection: Collection,
  at: { readonly match: string; readonly scope: RuleScope },
): readonly (readonly [string, Json])[] {
  const rows = rowsOf(call.state, collection.name);
  for (const { field, value } of call.world.rules.equalities(at.match)) {
    if (isComputed(collection, field) || !isIndexed(rows) || rowsLike(rows, [field], {}).size > 0) continue;
    const known = tryEvaluate(call, value, at.scope);
    if (known !== undefined && known !== null) return [[field, known]];
  }
  return [];
}

function matches(
  call: Call,
  collection: Collection,
  at: { readonly match: string; readonly row: StoredRow; readonly scope: RuleScope },
): boolean {
  return holds(call, at.match, { ...at.scope, row: call.world.completeRow(call, collection, at.row) });
}

function notFound(call: Call, given: MainTask): ToolFailure {
  const { override, task } = given;
  if (override.notFound !== undefined) {
    return new ToolFailure(evaluateTemplate(call, override.notFound, { args: task.args }), 'not-found');
  }
  const meant = meantBy({
    ...task,
    plan: { ...task.plan, ...(override.key === undefined ? {} : { key: override.key }) },
  });
  return new ToolFailure(notFoundMessage(task.collection, meantText(task.collection, meant)), 'not-found');
}

function requireAll(call: Call, override: OverrideSpec, scope: RuleScope): void {
  noteDoubt(call, scope);
  for (const requirement of override.require ?? []) {
    if (holds(call, requirement.expr, scope)) continue;
    const message = evaluateTemplate(call, requirement.error, scope);
    throw new ToolFailure(message, requirement.cause ?? 'refused');
  }
}

function* runMainList(call: Call, given: MainTask): Steps<Facts> {
  const { override, task } = given;
  const { match } = override;
  requireAll(call, override, { args: task.args });
  const filters = match === undefined ? (task.plan.filters ?? likeNamed(call, task)) : {};
  const query =
    task.plan.query ??
    ['query', 'q', 'text', 'search', 'keyword'].find((name) => Object.hasOwn(task.args, name));
  const plan = {
    ...task.plan,
    op: override.op === 'search' ? ('search' as const) : ('list' as const),
    key: {},
    filters,
    ...pagingLike(call, task),
    ...(override.op === 'search' && query !== undefined ? { query } : {}),
  };
  const test = (row: StoredRow): boolean =>
    match === undefined || matches(call, task.collection, { match, row, scope: { args: task.args } });
  const { sort } = override;
  const operators = operatorsOf(call, given);
  return yield* runList(
    call,
    { ...task, plan },
    { test, ...(sort === undefined ? {} : { sort }), ...(operators === undefined ? {} : { operators }) },
  );
}

/** The search operators of an override: rules over the row and the value written after the colon. */
function operatorsOf(call: Call, { override, task }: MainTask): Operators | undefined {
  const { operators } = override;
  if (operators === undefined) return undefined;
  return {
    names: Object.keys(operators),
    passes: (name, value, row) =>
      holds(call, operators[name] ?? 'false', { args: { ...task.args, value }, row }),
  };
}

/** Paging by the usual argument names, where the plan has none and the tool has such arguments. */
function pagingLike(call: Call, task: Task): Pick<Task['plan'], 'paging'> {
  if (task.plan.paging !== undefined) return {};
  const { properties } = call.tool.inputSchema;
  const arguments_ = isJsonObject(properties) ? Object.keys(properties) : [];
  const named = (names: string): string | undefined =>
    arguments_.find((name) => names.split(' ').includes(plainName(name)));
  const size = named('limit perpage pagesize maxresults count first');
  const common = { ...(size === undefined ? {} : { size }), defaultSize: 50, maxSize: 1000 };
  for (const [style, names] of PAGE_STARTS) {
    const at = named(names);
    if (at !== undefined) return { paging: { style, at, ...common } };
  }
  if (size === undefined) return {};
  return { paging: { style: 'limit', ...common } };
}

/** Arguments that have the name of a field filter by it. */
function likeNamed(call: Call, task: Task): Readonly<Record<string, string>> {
  const paging = [task.plan.paging?.at, task.plan.paging?.size, task.plan.query];
  const names = Object.keys(task.args).filter((name) => !paging.includes(name));
  const fields = task.collection.fields;
  const [sample] = rowsOf(call.state, task.collection.name).values();
  const known = names.filter(
    (name) => Object.hasOwn(fields, name) || (sample !== undefined && Object.hasOwn(sample.data, name)),
  );
  return Object.fromEntries(known.map((name): [string, string] => [name, name]));
}

/** The values of a `set`: field → the value of its rule. */
export function evaluateSet(call: Call, set: OverrideSpec['set'], scope: RuleScope): JsonObject {
  return Object.fromEntries(
    Object.entries(set ?? {}).map(([field, rule]): [string, Json] => [field, evaluate(call, rule, scope)]),
  );
}

/**
 * A new row's values: what `set` gives, then the arguments under their own names, whether their field is declared or
 * not. Left out are those that are no values: the list of a batch with its `item`, an idempotency key, and an
 * argument that stands for a key field of another name.
 */
function withArguments(call: Call, given: MainTask, set: JsonObject): Meant {
  const { override, task } = given;
  const keys = Object.entries(override.key ?? task.plan.key ?? {});
  const renamed = keys.filter(([argument, field]) => argument !== field);
  const keyName = task.plan.idempotencyKey ?? keyArgument(task.plan, task.args);
  const apart = new Set([
    ...(override.batch === undefined ? [] : [override.batch, 'item']),
    ...(keyName === undefined ? [] : [keyName]),
    ...apartOf(call, task.collection),
    ...renamed.map(([argument]) => argument),
  ]);
  const named = fieldsOf(
    task.args,
    Object.keys(task.args).filter((name) => !apart.has(name) || isDeclared(task.collection, name)),
  );
  const keyed = renamed.flatMap(([argument, field]): [string, Json, string][] => {
    const value = own(task.args, argument);
    return value === undefined ? [] : [[field, value, argument]];
  });
  const keyValues = Object.fromEntries(keyed.map(([field, value]): [string, Json] => [field, value]));
  const keyNames = Object.fromEntries(
    keyed.map(([field, , argument]): [string, string] => [field, argument]),
  );
  return {
    values: { ...keyValues, ...named.values, ...set },
    argumentOf: { ...keyNames, ...named.argumentOf },
  };
}

/** Arguments that the rules of the service take: callers, idempotency keys, versions. */
function apartOf(call: Call, collection: Collection): readonly string[] {
  const { policy } = call.world;
  const version = policy.collections.get(collection.name)?.version;
  const versions =
    version === undefined
      ? []
      : Object.keys(call.itemArgs).filter((name) => isVersionArgument(version, name));
  return [...(policy.tools.get(call.tool.name)?.apart ?? []), ...versions];
}

/** The arguments that have the name of a field, declared or there in the row. */
function argumentsAsFields(task: Task, row: StoredRow): Meant {
  const { collection, args } = task;
  const known = Object.keys(args).filter(
    (name) => isDeclared(collection, name) || Object.hasOwn(row.data, name),
  );
  return fieldsOf(args, known);
}

function isDeclared(collection: Collection, name: string): boolean {
  return collection.key.includes(name) || Object.hasOwn(collection.fields, name);
}

function fieldsOf(args: JsonObject, names: readonly string[]): Meant {
  const values = names.flatMap((name): [string, Json][] => {
    const value = own(args, name);
    return value === undefined ? [] : [[name, value]];
  });
  return {
    values: Object.fromEntries(values),
    argumentOf: Object.fromEntries(values.map(([field]): [string, string] => [field, field])),
  };
}

/** Runs one further effect; what it does is the service's own doing, not bound by the caller's rights. */
export function* runEffect(call: Call, effect: EffectSpec, scope: RuleScope): Steps<void> {
  if (effect.when !== undefined && !holds(call, effect.when, scope)) return;
  const collection = collectionNamed(call.world.model, effect.collection);
  if (collection === undefined) {
    const message = `${call.tool.name}: a further effect names the unknown collection ${effect.collection}`;
    throw new ToolFailure(message, 'failed', ['rule-error']);
  }
  call.depth += 1;
  try {
    if (effect.op === 'create') {
      for (const made of madeBy(call, effect, scope)) {
        const values = evaluateSet(call, effect.set, made);
        yield* createRow(call, collection, { values, argumentOf: {} });
      }
      return;
    }
    const found = yield* effectRows(call, { effect, collection, scope });
    for (const row of found) yield* changeEffectRow(call, { effect, collection, scope }, row);
  } finally {
    call.depth -= 1;
  }
}

/** What the rules of each row to be made see: one row, or one for each item of `each`. */
function madeBy(call: Call, effect: EffectSpec, scope: RuleScope): readonly RuleScope[] {
  if (effect.each === undefined) return [scope];
  const list = evaluate(call, effect.each, scope);
  if (!Array.isArray(list)) {
    const message = `${call.tool.name}: rule ${JSON.stringify(effect.each)} gives no list`;
    throw new ToolFailure(message, 'failed', ['rule-error']);
  }
  return list.map((item: Json): RuleScope => ({ ...scope, args: { ...scope.args, item } }));
}

interface Effect {
  readonly effect: EffectSpec;
  readonly collection: Collection;
  readonly scope: RuleScope;
}

/** The rows that an effect is about: one by its key, or all that match. */
function* effectRows(call: Call, of: Effect): Steps<readonly StoredRow[]> {
  const { effect, collection, scope } = of;
  const { match } = effect;
  const fits = (row: StoredRow): boolean =>
    match === undefined || matches(call, collection, { match, row, scope });
  if (effect.key !== undefined) {
    const [keyField = 'id'] = collection.key;
    const value = evaluate(call, effect.key, scope);
    const row = yield* readRow(call, collection, { values: { [keyField]: value }, argumentOf: {} });
    return row !== undefined && fits(row) ? [row] : [];
  }
  if (match === undefined) return [];
  const held = heldBy(call, collection, { match, scope });
  return yield* readRows(call, collection, { args: scope.args, held, test: fits });
}

function* changeEffectRow(call: Call, of: Effect, row: StoredRow): Steps<void> {
  const { effect, collection, scope } = of;
  const current = rowsOf(call.state, collection.name).get(keyOf(collection, row.data));
  if (current === undefined) return;
  if (effect.op === 'delete') {
    yield* removeRow(call, collection, current);
    return;
  }
  const before = call.world.completeRow(call, collection, current);
  const values = evaluateSet(call, effect.set, { ...scope, row: before });
  yield* updateRow(call, collection, { old: current, values: { values, argumentOf: {} } });
}
