/**
 * Row shapes in answer schemas: which properties the rows of a noun have, as the server itself says.
 *
 * A list of objects under a property named like the noun (`entities: [{name, …}]`), a list that is the tool's only
 * answer, or an object that answers one row. Wrappers (`result`, `data`, `items`) are looked through.
 */

import type { Intent } from './infer-intent-types.js';
import { itemPropertiesOf, type Property, propertiesOf } from './infer-schema.js';
import { singularWords, splitWords } from './words.js';

const WRAPPERS = new Set([
  'result',
  'data',
  'response',
  'item',
  'record',
  'output',
  'value',
  'structured content',
]);
const LISTS = new Set([
  'items',
  'results',
  'data',
  'records',
  'result',
  'rows',
  'entries',
  'list',
  'values',
  'nodes',
  'objects',
]);

/** Operations whose answers are rows; those of a list change or a delete are reports. */
const SHOWS_ROWS = new Set(['create', 'get', 'list', 'search', 'update', 'upsert']);

/** Properties that answers show for rows of the intent's noun; empty if they show none. */
export function answerProperties(intent: Intent): readonly Property[] {
  const root = intent.facts.outputSchema;
  if (root === undefined || intent.noun === undefined || !SHOWS_ROWS.has(intent.op)) return [];
  const noun = intent.noun.join(' ');
  const top = propertiesOf(root, root);
  for (const property of [...top, ...top.flatMap((one) => inner(one, root))]) {
    const words = singularWords(splitWords(property.name)).join(' ');
    if (words !== noun && words !== intent.noun.at(-1)) continue;
    const shape = property.types.includes('array')
      ? itemPropertiesOf(property.schema, root)
      : inner(property, root);
    if (shape !== undefined && shape.length > 0) return shape;
  }
  const lists = top.filter(
    (property) => property.types.includes('array') && LISTS.has(property.name.toLowerCase()),
  );
  const many = intent.op === 'list' || intent.op === 'search' || intent.batch !== undefined;
  if (many) return lists.flatMap((list) => itemPropertiesOf(list.schema, root) ?? []);
  return one(intent, top, root);
}

function inner(property: Property, root: Intent['facts']['inputRoot']): Property[] {
  return property.types.includes('object') ? propertiesOf(property.schema, root) : [];
}

/** An object answer that is the row itself: it has the noun's id or several of the values written. */
function one(
  intent: Intent,
  top: readonly Property[],
  root: Intent['facts']['inputRoot'],
): readonly Property[] {
  if (intent.op !== 'get' && intent.op !== 'create' && intent.op !== 'update' && intent.op !== 'upsert')
    return [];
  if (intent.only !== undefined) return [];
  const wrapped = top.length === 1 ? top[0] : undefined;
  const row =
    wrapped !== undefined && WRAPPERS.has(splitWords(wrapped.name).join(' ')) ? inner(wrapped, root) : top;
  const noun = intent.noun?.at(-1) ?? '';
  const names = row.map((property) => splitWords(property.name).join(' '));
  const identified = names.some((name) =>
    ['id', 'uuid', 'number', 'name', 'key', `${noun} id`].includes(name),
  );
  const repeated = intent.facts.args.filter((argument) =>
    row.some((property) => property.name === argument.name),
  );
  return row.length >= 2 && (identified || repeated.length >= 2) ? row : [];
}
