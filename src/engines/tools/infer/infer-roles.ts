/**
 * What each argument of a tool is for: paging, sorting, a query, an idempotency key, a shape of the answer, or a
 * value.
 *
 * Decided by the argument's words first, then by its type and description. Default and largest page sizes are read
 * from the schema, or out of sentences such as "default 100, max 200".
 */

import type { Paging, Sorting } from '../service.js';
import { own, type Property } from './infer-schema.js';
import { splitWords } from './words.js';

/** What an argument is for; `value` is everything that belongs to a row. */
export type ArgumentRole =
  | 'value'
  | 'query'
  | 'cursor'
  | 'page'
  | 'offset'
  | 'size'
  | 'sortBy'
  | 'sortDirection'
  | 'idempotency'
  | 'shape';

const NAMES: Readonly<Record<Exclude<ArgumentRole, 'value'>, readonly string[]>> = {
  query: [
    'query',
    'q',
    'search',
    'keyword',
    'keywords',
    'search term',
    'search query',
    'search text',
    'term',
    'query string',
    'pattern',
    'search string',
    'full text',
    'text query',
  ],
  cursor: [
    'cursor',
    'page token',
    'next token',
    'next cursor',
    'start cursor',
    'starting after',
    'after',
    'continuation token',
    'next page token',
    'page cursor',
    'pagination token',
    'continuation',
  ],
  page: ['page', 'page number', 'page no', 'page index', 'current page', 'pg'],
  offset: ['offset', 'skip', 'start index', 'start at', 'start offset', 'from index', 'page offset'],
  size: [
    'limit',
    'per page',
    'page size',
    'max results',
    'count',
    'top',
    'first',
    'take',
    'max count',
    'num results',
    'number of results',
    'max items',
    'max',
    'size',
    'top k',
    'result limit',
    'pagesize',
    'perpage',
    'n',
    'num',
    'rows',
    'max entries',
    'max records',
    'max rows',
    'max documents',
    'max matches',
    'max hits',
    'limit count',
    'page limit',
  ],
  sortBy: ['sort', 'sort by', 'order by', 'sort field', 'sort key', 'sort column', 'orderby', 'sortby'],
  sortDirection: [
    'direction',
    'order',
    'sort order',
    'sort direction',
    'sort dir',
    'ascending',
    'descending',
    'desc',
    'reverse',
    'order direction',
  ],
  idempotency: [
    'idempotency key',
    'idempotency token',
    'idempotent key',
    'idempotence key',
    'client token',
    'client request token',
    'request id',
    'client request id',
    'dedupe key',
    'deduplication id',
    'deduplication key',
  ],
  shape: [
    'fields',
    'verbose',
    'minimal output',
    'output format',
    'response format',
    'expand',
    'dry run',
    'raw',
    'detailed',
    'pretty',
    'confirm',
    'force',
    'field names',
    'select',
    'response type',
    'view',
    'summary only',
    'compact',
    'exclude patterns',
    'head',
    'tail',
    'max length',
    'detail level',
    'level of detail',
    'output',
  ],
};

const ROLE_BY_NAME = new Map<string, ArgumentRole>();
for (const [role, names] of Object.entries(NAMES)) {
  for (const name of names) ROLE_BY_NAME.set(name, role as ArgumentRole);
}

/** True for operations that answer several rows, where paging and sorting words mean what they say. */
export type RoleContext = 'many' | 'one' | 'write';

/** The role of one argument in a tool that answers many rows, answers one, or writes. */
export function roleOf(argument: Property, context: RoleContext): ArgumentRole {
  const words = splitWords(argument.name);
  const role = ROLE_BY_NAME.get(words.join(' '));
  if (role === 'idempotency') return isIdempotency(argument, words) ? role : 'value';
  if (words[0] === 'include' || words[0] === 'with' || words[0] === 'show') {
    if (argument.types.includes('boolean')) return 'shape';
  }
  if (context === 'write' && deletesBy(argument)) return 'shape';
  if (words.at(-1) === 'only' && argument.types.includes('boolean')) return 'shape';
  if (role === undefined)
    return context !== 'write' && words.length > 1 && STEERS.has(words.at(-1) ?? '') ? 'shape' : 'value';
  if (context === 'write') return role === 'shape' && isSwitch(argument, words) ? 'shape' : 'value';
  if (role === 'shape') return 'shape';
  if (fits(argument, role)) return role;
  // An offset that is a text comes from the answer before: Airtable's `offset`.
  return role === 'offset' && fits(argument, 'cursor') ? 'cursor' : 'value';
}

/** True for a yes or no of a change that takes the row away instead: `delete`. A row may well have a `deleted`. */
export function deletesBy({ name, types }: Property): boolean {
  return types.includes('boolean') && ['delete', 'remove'].includes(name.toLowerCase());
}

/** Last words of arguments that say how to read the others, not what a row has: `labelsOperator`, `filterMode`. */
const STEERS = new Set(['operator', 'filtering', 'verbosity', 'granularity', 'mode', 'option']);

/** A `request_id` may be the id of a request; it keeps repeats apart if it may be left out or its words say so. */
function isIdempotency(argument: Property, words: readonly string[]): boolean {
  if (words.at(-1) !== 'id' || words.includes('deduplication')) return true;
  if (/idempot|retr(?:y|ies)|repeat|duplicat|exactly once|at most once/i.test(argument.description))
    return true;
  return !argument.required && argument.description === '';
}

function isSwitch(argument: Property, words: readonly string[]): boolean {
  return argument.types.includes('boolean') && !words.includes('raw');
}

function fits(argument: Property, role: ArgumentRole): boolean {
  const { types } = argument;
  const numeric = types.includes('number') || types.includes('integer') || types.length === 0;
  const text = types.includes('string') || types.length === 0;
  if (role === 'size' || role === 'page' || role === 'offset')
    return numeric || (text && looksNumeric(argument));
  if (role === 'cursor') return text && !/\b(?:date|time|timestamp|iso)\b/i.test(argument.description);
  if (role === 'query') return text;
  if (role === 'sortDirection') return text || types.includes('boolean');
  return text;
}

function looksNumeric(argument: Property): boolean {
  return /\b(?:number|how many|maximum|limit)\b/i.test(argument.description);
}

/** How the tool's answer is cut into pages; undefined if it has no paging arguments. */
export function pagingOf(roles: readonly (readonly [Property, ArgumentRole])[]): Paging | undefined {
  const find = (wanted: ArgumentRole) => roles.find(([, role]) => role === wanted)?.[0];
  const size = find('size');
  const styles = ['cursor', 'page', 'offset'] as const;
  const style = styles.find((candidate) => find(candidate) !== undefined);
  if (style === undefined && size === undefined) return undefined;
  const at = style === undefined ? undefined : find(style);
  const { defaultSize, maxSize } = sizesOf(size);
  return {
    style: style ?? 'limit',
    ...(at === undefined ? {} : { at: at.name }),
    ...(size === undefined ? {} : { size: size.name }),
    defaultSize,
    maxSize,
  };
}

/** Rows on a page when neither schema nor description says. */
const DEFAULT_PAGE = 30;
/** The most rows on a page when nothing says. */
const MAX_PAGE = 100;

function sizesOf(size: Property | undefined): { defaultSize: number; maxSize: number } {
  if (size === undefined) return { defaultSize: DEFAULT_PAGE, maxSize: MAX_PAGE };
  const said = size.description;
  const max = numberAt(size, 'maximum') ?? digitsAfter(said, MAX_WORDS) ?? digitsAfter(said, RANGE_WORDS);
  const given = numberAt(size, 'default') ?? digitsAfter(said, DEFAULT_WORDS);
  const maxSize = Math.max(1, max ?? Math.max(MAX_PAGE, given ?? 0));
  return { defaultSize: Math.max(1, Math.min(given ?? DEFAULT_PAGE, maxSize)), maxSize };
}

const MAX_WORDS =
  /\b(?:max(?:imum)?(?: value| allowed)?(?: of| is)?|up to|at most|no more than)[:= ]*(\d{1,7})/i;
const DEFAULT_WORDS = /\bdefaults?(?: value)?(?: to| is| of)?[:= ]*(\d{1,7})/i;
const RANGE_WORDS = /\b\d{1,3} ?(?:-|–|to) ?(\d{1,7})\b/;

function digitsAfter(text: string, words: RegExp): number | undefined {
  const digits = words.exec(text)?.[1];
  return digits === undefined ? undefined : Number(digits);
}

function numberAt(property: Property, key: string): number | undefined {
  const value = own(property.schema, key);
  return typeof value === 'number' && Number.isInteger(value) && value > 0 && value < 10_000_000
    ? value
    : undefined;
}

/** How the tool's answer is sorted by arguments; undefined if it is not. */
export function sortingOf(roles: readonly (readonly [Property, ArgumentRole])[]): Sorting | undefined {
  const by = roles.find(([, role]) => role === 'sortBy')?.[0];
  const direction = roles.find(([, role]) => role === 'sortDirection')?.[0];
  if (by === undefined && direction === undefined) return undefined;
  return {
    ...(by === undefined ? {} : { by: by.name }),
    ...(direction === undefined ? {} : { direction: direction.name }),
  };
}
