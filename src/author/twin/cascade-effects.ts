/**
 * Writes rows that go with others as side effects of a deletion.
 *
 * A row that went in the recording shows in which of its fields the other's key stood; fields that always held such
 * keys do the same. Where a tool's own description says that "all its chunks" go too, they do, by the field that is
 * named after the deleted thing, within the same scope. Not covered: descriptions in other languages than English.
 */
import { type JsonObject, renderJson } from '../../core/index.js';
import type { ToolDefinition } from '../../domains/index.js';
import { inferService, type ServiceModel, type ToolWorldSpec } from '../../engines/index.js';
import type { LearnedState } from './learned-state.js';

interface Tie {
  readonly of: string;
  readonly collection: string;
  readonly fields: readonly string[];
  /** Fields that both rows have alike. */
  readonly scope: readonly string[];
}

/** The side effects of deletions that a recording or a description shows, as a world file says them. */
export function cascadeEffects(spec: ToolWorldSpec, state: LearnedState): readonly JsonObject[] {
  const model = inferService(spec);
  const seen = seenTies(model, state);
  const told = spec.tools.flatMap((tool) => toldTies(model, tool));
  const isSeen = (one: Tie) =>
    seen.some(({ of, collection }) => of === one.of && collection === one.collection);
  return [...seen, ...told.filter((one) => !isSeen(one))].map(({ of, collection, fields, scope }) => {
    const key = model.collections[of]?.key[0] ?? 'id';
    const same = (field: string, other: string): string =>
      `get(row, ${JSON.stringify(field)}, null) == get(result, ${JSON.stringify(other)}, null)`;
    const named = fields.map((field) => same(field, key)).join(' || ');
    const within = scope.map((field) => ` && ${same(field, field)}`).join('');
    const match = within === '' ? named : `(${named})${within}`;
    return { collection: of, after: ['delete'], do: [{ op: 'delete', collection, match }] };
  });
}

function seenTies({ collections }: ServiceModel, state: LearnedState): readonly Tie[] {
  const pairs = new Map<string, { of: string; collection: string; fields: string[]; scope: string[] }>();
  const keyOf = (name: string): string => collections[name]?.key[0] ?? 'id';
  const rowsOf = rowsSeen(state);
  for (const { of, collection, field } of state.cascades) {
    const known = pairs.get(`${of} ${collection}`) ?? { of, collection, fields: [], scope: [] };
    const keys = new Set((rowsOf.get(of) ?? []).map((row) => renderJson(row[keyOf(of)] ?? null)));
    const rows = rowsOf.get(collection) ?? [];
    // One row that went shows one field; a field that always held such keys does the same.
    const like = Object.keys(rows[0] ?? {}).filter((name) =>
      rows.every((row) => keys.has(renderJson(row[name] ?? null))),
    );
    for (const name of [field, ...like]) if (!known.fields.includes(name)) known.fields.push(name);
    pairs.set(`${of} ${collection}`, known);
  }
  return [...pairs.values()];
}

/** Every row that the recording shows, by collection. */
function rowsSeen({ start, sessions }: LearnedState): ReadonlyMap<string, readonly JsonObject[]> {
  const rows = new Map<string, JsonObject[]>(Object.entries(start).map(([name, list]) => [name, [...list]]));
  for (const { after } of sessions.flat()) {
    for (const [name, list] of after)
      rows.set(name, [...(rows.get(name) ?? []), ...list.values()].slice(0, 1_000));
  }
  return rows;
}

const ALONG =
  /\b(?:and|with|along with|including|also deletes?|removes?)\s+(?:all\s+)?(?:of\s+)?(?:its|their|the|associated|related)?\s*(?:associated|related)?\s*([a-z]+)/gi;
const EVERYTHING = /^(?:data|contents?|everything|children|descendants|items)$/i;

/** What the description of a tool that deletes says goes along. */
function toldTies({ collections, plans }: ServiceModel, tool: ToolDefinition): readonly Tie[] {
  const plan = plans[tool.name];
  const own = collections[plan?.collection ?? ''];
  if (plan?.op !== 'delete' || own === undefined || plan.file !== undefined) return [];
  const words = [...(tool.description ?? '').matchAll(ALONG)].map((match) => plain(match[1] ?? ''));
  return Object.values(collections).flatMap((other): Tie[] => {
    const isTold = words.some((word) => EVERYTHING.test(word) || word === plain(other.name));
    if (other.name === own.name || !isTold) return [];
    const key = own.key[0] ?? 'id';
    const names = [own.singular, `${own.singular} ${key}`, `${own.singular} id`].map(plain);
    const fields = [...new Set([...other.scope, ...Object.keys(other.fields)])].filter((name) =>
      names.includes(plain(name)),
    );
    const scope = own.scope.filter((name) => other.scope.includes(name) && !fields.includes(name));
    return fields.length === 0 ? [] : [{ of: own.name, collection: other.name, fields, scope }];
  });
}

function plain(text: string): string {
  return text.toLowerCase().replace(/[^a-z0-9]/g, '');
}
