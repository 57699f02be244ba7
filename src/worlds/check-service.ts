/**
 * Checks the rules of the service of a world file: expressions and globs, arguments that must exist, entries that
 * could never do anything, and given rows that the world's own uniqueness and limits forbid.
 */
import { canonicalJson, isJsonObject, type Json, type JsonObject } from '../core/index.js';
import { compileGlob, compileRule } from '../rules/index.js';
import type { CheckContext, Placed } from './check-context.js';
import { checkEffect, glob, rule, template } from './check-expressions.js';
import { checkFields } from './check-fields.js';
import type { PathPart } from './world-problem.js';

const CALL = ['args', 'session', 'state', 'clock'] as const;
const TRIGGER = [...CALL, 'row', 'result', 'old'] as const;
const ENTITY_ERROR = [...CALL, 'row'] as const;

/** Runs the checks. */
export function checkService(context: CheckContext): void {
  for (const entity of context.members(['entities'])) checkEntity(context, entity);
  checkFields(context);
  for (const login of context.items(['logins'])) checkLogin(context, login.path);
  for (const quota of context.items(['quotas'])) {
    glob(context, [...quota.path, 'on']);
    rule(context, [...quota.path, 'by'], CALL);
    template(context, [...quota.path, 'error'], [...CALL, 'retryAfter']);
  }
  for (const trigger of context.items(['effects'])) {
    rule(context, [...trigger.path, 'when'], TRIGGER);
    for (const effect of context.items([...trigger.path, 'do'])) {
      checkEffect(context, effect.path, TRIGGER);
      checkRowsNamed(context, effect.path);
    }
  }
  for (const entry of context.items(['idempotency'])) {
    glob(context, [...entry.path, 'on']);
    rule(context, [...entry.path, 'by'], CALL);
    template(context, [...entry.path, 'error'], CALL);
    checkArgument(context, entry.path, 'argument');
  }
  checkAnswers(context);
  for (const entry of context.items(['transactions'])) glob(context, [...entry.path, 'on']);
}

/** Templates of errors; names of tools that are no globs exist. */
function checkAnswers(context: CheckContext): void {
  const tools = context.items(['tools']).flatMap((tool) => context.text([...tool.path, 'name']) ?? []);
  for (const tool of context.members(['answers', 'tools'])) {
    for (const one of context.members(tool.path)) template(context, one.path, FAILURE);
    const isGlob = /[*?]/.test(tool.name);
    if (!isGlob && tools.length > 0 && !tools.includes(tool.name))
      context.unknownName(tool.path, tool.name, { noun: 'tool', known: tools, atKey: true });
  }
}

const FAILURE = [
  'args',
  'session',
  'clock',
  'message',
  'tool',
  'field',
  'id',
  'resource',
  'retryAfter',
] as const;

function checkEntity(context: CheckContext, entity: Placed<Json> & { readonly name: string }): void {
  for (const list of ['unique', 'limits'] as const) {
    for (const item of context.items([...entity.path, list])) {
      rule(context, [...item.path, 'among'], ['row']);
      template(context, [...item.path, 'error'], ENTITY_ERROR);
      checkGivenRows(context, entity.name, { item, list });
    }
  }
  template(context, [...entity.path, 'version', 'error'], ENTITY_ERROR);
  for (const item of context.items([...entity.path, 'transitions'])) {
    for (const key of ['at', 'when']) rule(context, [...item.path, key], ['row']);
    for (const set of context.members([...item.path, 'set']))
      rule(context, set.path, ['row', 'state', 'clock']);
    if (context.at([...item.path, 'set']) !== undefined || context.at([...item.path, 'delete']) === true)
      continue;
    context.error(item.path, 'does nothing; give it `set` or `delete: true`', { wanted: 'set or delete' });
  }
}

function checkLogin(context: CheckContext, path: readonly PathPart[]): void {
  glob(context, [...path, 'on']);
  rule(context, [...path, 'match'], ['args', 'row', 'state', 'clock', 'session']);
  template(context, [...path, 'error'], CALL);
  for (const set of context.members([...path, 'set']))
    rule(context, set.path, ['args', 'row', 'state', 'clock', 'session']);
  checkArgument(context, path, 'as');
  const does = ['set', 'clear', 'collection'].some((key) => context.at([...path, key]) !== undefined);
  if (!does) context.error(path, 'sets nobody; give it `set`, `collection` or `clear`', { wanted: 'set' });
  if (context.at([...path, 'match']) !== undefined && context.at([...path, 'collection']) === undefined)
    context.error([...path, 'match'], 'needs a `collection` whose rows it is about', {
      wanted: 'collection',
    });
}

/** An update or deletion that names no rows would never do anything. */
function checkRowsNamed(context: CheckContext, path: readonly PathPart[]): void {
  if (context.text([...path, 'op']) === 'create') return;
  if (['key', 'match'].some((key) => context.at([...path, key]) !== undefined)) return;
  context.error(path, 'names no rows; give it `key` or `match`', { wanted: 'key or match' });
}

/** An argument that no tool of the glob has could never be given. */
function checkArgument(context: CheckContext, path: readonly PathPart[], key: string): void {
  const name = context.text([...path, key]);
  const on = compileGlob(context.text([...path, 'on']) ?? '');
  if (name === undefined || !on.ok) return;
  const tools = context.items(['tools']).filter((tool) => {
    const called = context.text([...tool.path, 'name']);
    return called !== undefined && on.value.matches(called);
  });
  const properties = tools.map((tool) => context.at([...tool.path, 'inputSchema', 'properties']));
  if (tools.length === 0 || properties.some((one) => !isJsonObject(one))) return;
  const known = new Set(properties.flatMap((one) => (isJsonObject(one) ? Object.keys(one) : [])));
  if (!known.has(name)) context.unknownName([...path, key], name, { noun: 'argument', known: [...known] });
}

/** Rows that are written in the file keep to what the file says of them. */
function checkGivenRows(
  context: CheckContext,
  collection: string,
  of: { readonly item: Placed<Json>; readonly list: 'unique' | 'limits' },
): void {
  const { item, list } = of;
  const named = context.at([...item.path, list === 'unique' ? 'fields' : 'by']) ?? [];
  const max = list === 'unique' ? 1 : context.at([...item.path, 'max']);
  if (!Array.isArray(named) || typeof max !== 'number') return;
  const fields = named.filter((name): name is string => typeof name === 'string');
  const fold = context.at([...item.path, 'ignoreCase']) === true;
  const among = compileRule(context.text([...item.path, 'among']) ?? 'true');
  const counts = new Map<string, number>();
  for (const row of context.items(['state', 'data', collection])) {
    if (!isJsonObject(row.value)) continue;
    const { value } = row;
    const held = among.ok ? among.value.test({ row: value }) : undefined;
    const [first] = fields;
    if ((held?.ok === true && !held.value) || (first !== undefined && own(value, first) === null)) continue;
    const text = canonicalJson(fields.map((field) => folded(own(value, field), fold)));
    const count = (counts.get(text) ?? 0) + 1;
    counts.set(text, count);
    if (count <= max) continue;
    const what = fields.length === 0 ? '' : ` with this ${fields.join(', ')}`;
    context.error(row.path, `is row ${count} of ${collection}${what}; ${list} allows ${max}`, {
      wanted: list === 'unique' ? `another ${fields.join(', ')}` : `at most ${max}`,
    });
  }
}

function own(row: JsonObject, name: string): Json {
  return (Object.hasOwn(row, name) ? row[name] : undefined) ?? null;
}

function folded(value: Json, fold: boolean): Json {
  return fold && typeof value === 'string' ? value.normalize('NFC').toLowerCase() : value;
}
