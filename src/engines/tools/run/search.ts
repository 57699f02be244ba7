/**
 * Filters, sorts and searches rows; plain, stable and the same in every locale.
 *
 * A search splits the query into words (letters and digits of any script) and wants each of them somewhere in the
 * row's texts, in any case. `"quoted words"` are one phrase; `field:value` words filter by a field of that name.
 * Ranking: hits in the label first, then how often the words occur, then the order of the rows. A tool whose override
 * has `operators` also knows those; there `-` before a word, a phrase or an operator turns it round, and `OR` between two
 * takes either. Not covered: stemming, fuzzy words, parentheses.
 */
import type { Json, JsonObject } from '../../../core/index.js';
import { shown } from '../check/messages.js';
import type { Collection, Sorting } from '../service.js';
import { own, sameValue } from '../store/store.js';
import { ToolFailure } from './run-call.js';

const EVERYTHING = ['all', 'any', '*'];

/** Words of a query that count; the rest are ignored, as search services do. */
const MOST_TERMS = 32;

/** One equality filter: a field and the value an argument gave. */
export interface Filter {
  readonly field: string;
  readonly value: Json;
}

/** The filters that the arguments set; null, empty and "all" (where it is no value of the field) set none. */
export function filtersOf(
  collection: Collection,
  names: Readonly<Record<string, string>>,
  args: JsonObject,
): readonly Filter[] {
  return Object.entries(names).flatMap(([argument, field]) => {
    const value = own(args, argument);
    if (value === undefined || value === null || value === '') return [];
    if (Array.isArray(value) && value.length === 0) return [];
    return isEverything(collection, field, value) ? [] : [{ field, value }];
  });
}

function isEverything(collection: Collection, field: string, value: Json): boolean {
  if (typeof value !== 'string' || !EVERYTHING.includes(value.toLowerCase())) return false;
  const schema = Object.hasOwn(collection.fields, field) ? collection.fields[field]?.schema : undefined;
  const values = schema === undefined ? undefined : own(schema, 'enum');
  return !(Array.isArray(values) && values.includes(value)) || value === '*';
}

/** True if a row passes a filter: equal, or one of several wanted, or in the row's own list. */
export function passesFilter(row: JsonObject, filter: Filter): boolean {
  const has = own(row, filter.field);
  const wanted = Array.isArray(filter.value) ? (filter.value as readonly Json[]) : [filter.value];
  const values = Array.isArray(has) ? (has as readonly Json[]) : [has];
  if (sameValue(has, filter.value)) return true;
  return wanted.some((one) => values.some((value) => sameValue(value, one)));
}

/** Whether the arguments ask for an order of their own. */
export function isSorted(how: { readonly sorting: Sorting; readonly args: JsonObject }): boolean {
  const { sorting, args } = how;
  const given = [sorting.by, sorting.direction].map((name) => (name === undefined ? '' : own(args, name)));
  return given.some((value) => typeof value === 'string' && value !== '');
}

/** Sorts rows as the arguments say; rows without the field last; equal rows keep their order. */
export function sortRows<T extends JsonObject>(
  rows: readonly T[],
  collection: Collection,
  how: { readonly sorting: Sorting; readonly args: JsonObject },
): readonly T[] {
  const { sorting, args } = how;
  const by = sorting.by === undefined ? undefined : own(args, sorting.by);
  const direction = sorting.direction === undefined ? undefined : own(args, sorting.direction);
  const down = typeof direction === 'string' && /^(desc|-|down)/i.test(direction);
  if (typeof by !== 'string' || by === '')
    return down && typeof direction === 'string' ? rows.toReversed() : rows;
  const minus = by.startsWith('-');
  const field = fieldNamed(collection, rows, minus ? by.slice(1) : by);
  if (field === undefined) return rows;
  const sign = down || minus ? -1 : 1;
  return rows.toSorted((a, b) => compareMissingLast(own(a, field), own(b, field), sign));
}

/** Sorts rows by one field, with `-` before it the largest first; rows without it last; equal rows keep their order. */
export function sortRowsBy<T extends JsonObject>(rows: readonly T[], by: string): readonly T[] {
  const field = by.replace(/^-/, '');
  const sign = field === by ? 1 : -1;
  return rows.toSorted((a, b) => compareMissingLast(own(a, field), own(b, field), sign));
}

/** A field by the name that an argument uses: same letters, or the start (`created` means `created_at`). */
function fieldNamed(collection: Collection, rows: readonly JsonObject[], name: string): string | undefined {
  const names = [...new Set([...Object.keys(collection.fields), ...Object.keys(rows[0] ?? {})])];
  const plain = plainName(name);
  return (
    names.find((field) => plainName(field) === plain) ??
    names.find((field) => plainName(field).startsWith(plain))
  );
}

/** Names are few and asked for with every answer; what is kept of them is bounded. */
const PLAIN = new Map<string, string>();
const KEPT_NAMES = 4096;
const KEPT_CHARS = 64;

/** A name without case, dashes and underscores. */
export function plainName(name: string): string {
  const known = PLAIN.get(name);
  if (known !== undefined) return known;
  const plain = name.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, '');
  if (PLAIN.size < KEPT_NAMES && name.length <= KEPT_CHARS) PLAIN.set(name, plain);
  return plain;
}

function compareMissingLast(a: Json | undefined, b: Json | undefined, sign: number): number {
  const missingA = a === undefined || a === null;
  const missingB = b === undefined || b === null;
  if (missingA || missingB) return Number(missingA) - Number(missingB);
  return sign * compareValues(a, b);
}

/** Orders two values: numbers by size, everything else by its text in UTF-16 units. */
export function compareValues(a: Json, b: Json): number {
  const numeric = (value: Json): boolean => typeof value === 'number' || typeof value === 'bigint';
  if (numeric(a) && numeric(b))
    return (a as number) < (b as number) ? -1 : Number((a as number) > (b as number));
  const textA = typeof a === 'string' ? a : JSON.stringify(a, bigintText);
  const textB = typeof b === 'string' ? b : JSON.stringify(b, bigintText);
  return textA < textB ? -1 : Number(textA > textB);
}

function bigintText(_key: string, value: unknown): unknown {
  return typeof value === 'bigint' ? value.toString() : value;
}

/** The operators of one search: whether a row passes `name:value`; undefined for a name that is none. */
export interface Operators {
  readonly names: readonly string[];
  readonly passes: (name: string, value: string, row: JsonObject) => boolean;
}

/** The rows that a query finds, best first. An empty query finds all. */
export function searchRows<T extends JsonObject>(
  rows: readonly T[],
  collection: Collection,
  search: { readonly query: string; readonly operators?: Operators },
): readonly T[] {
  const { query, operators } = search;
  const groups = groupsOf(query, operators);
  if (groups.length === 0) {
    if (query.trim() === '' || query.trim() === '*') return rows;
    throw new ToolFailure(`Invalid query: ${shown(query)}; it has no words to look for`, 'refused');
  }
  const kept = rows.length <= KEPT_TEXTS;
  const scored: { readonly row: T; readonly score: number; readonly index: number }[] = [];
  for (let index = 0; index < rows.length; index++) {
    const row = rows[index] as T;
    const score = scoreOf(row, { about: aboutOf(row, collection, kept), groups, operators });
    if (score !== undefined) scored.push({ row, score, index });
  }
  scored.sort((a, b) => b.score - a.score || a.index - b.index);
  return scored.map((hit) => hit.row);
}

interface Term {
  readonly text: string;
  readonly field?: string;
  /** The name of an operator; `text` is then its value as written. */
  readonly operator?: string;
  readonly not?: boolean;
}

const TERM = /(?<minus>-)?(?:(?<field>[\p{L}\p{N}_]+):)?(?:"(?<phrase>[^"]*)"|(?<word>[^\s"]+))/gu;

/** What must be met: of each group one alternative, of an alternative every term. */
type Group = readonly (readonly Term[])[];

function groupsOf(query: string, operators: Operators | undefined): readonly Group[] {
  const groups: Term[][][] = [];
  let either = false;
  let count = 0;
  for (const match of query.slice(0, 10_000).matchAll(TERM)) {
    if (operators !== undefined && match[0] === 'OR' && groups.length > 0) {
      either = true;
      continue;
    }
    const terms = termsOf(match.groups ?? {}, operators);
    if (terms.length === 0) continue;
    const last = groups.at(-1);
    if (either && last !== undefined) last.push(terms);
    else groups.push([terms]);
    either = false;
    count += terms.length;
    if (count >= MOST_TERMS) break;
  }
  return groups;
}

/** The terms of one word, phrase or operator; a word with signs in it is several. */
function termsOf(
  { minus, field, phrase, word }: Readonly<Record<string, string | undefined>>,
  operators: Operators | undefined,
): Term[] {
  const written = phrase ?? word ?? '';
  const text = written.toLowerCase();
  const operator = operators?.names.find((name) => name === field?.toLowerCase());
  const not = operators !== undefined && minus !== undefined ? { not: true } : {};
  if (operator !== undefined && written !== '') return [{ text: written, operator, ...not }];
  if (field !== undefined && text !== '') return [{ text, field, ...not }];
  if (phrase !== undefined && text.trim() !== '') return [{ text: text.trim(), ...not }];
  return (text.match(/[\p{L}\p{N}]+/gu) ?? []).map((one) => ({ text: one, ...not }));
}

/** What a search looks at in a row, in lower case. */
interface About {
  readonly label: string;
  readonly whole: string;
}

/** Rows of a search up to which their texts are kept: beyond, the texts would weigh as much as the rows. */
const KEPT_TEXTS = 10_000;

/** By row; rows that are frozen never change, and each search asks for all of them. */
const ABOUT = new WeakMap<JsonObject, { readonly collection: Collection; readonly about: About }>();

function aboutOf(row: JsonObject, collection: Collection, kept: boolean): About {
  const known = ABOUT.get(row);
  if (known !== undefined && known.collection === collection) return known.about;
  const label = collection.label === undefined ? undefined : own(row, collection.label);
  const about = {
    label: typeof label === 'string' ? label.toLowerCase() : '',
    whole: textOf(row).toLowerCase(),
  };
  if (kept && Object.isFrozen(row)) ABOUT.set(row, { collection, about });
  return about;
}

interface Search {
  readonly about: About;
  readonly groups: readonly Group[];
  readonly operators: Operators | undefined;
}

/** The score of a row that meets every group. Operators are asked for all of them, because asking is work that is paid. */
function scoreOf(row: JsonObject, search: Search): number | undefined {
  const { about, operators } = search;
  if (operators === undefined) {
    // Without operators a group is one alternative, and the first that is not met decides; most rows lack a word.
    for (const [terms = []] of search.groups) {
      for (const term of terms) {
        if (term.field === undefined && !about.whole.includes(term.text)) return undefined;
      }
    }
    let sum = 0;
    for (const [terms = []] of search.groups) {
      const score = scoreOfTerms(row, { terms, about, operators });
      if (score === undefined) return undefined;
      sum += score;
    }
    return sum;
  }
  const scores = search.groups.map((group) => {
    const met = group.map((terms) => scoreOfTerms(row, { terms, about, operators }));
    return met.reduce<number | undefined>(
      (best, one) => (one === undefined ? best : Math.max(best ?? 0, one)),
      undefined,
    );
  });
  return scores.reduce<number | undefined>(
    (sum, one) => (sum === undefined || one === undefined ? undefined : sum + one),
    0,
  );
}

function scoreOfTerms(
  row: JsonObject,
  of: {
    readonly terms: readonly Term[];
    readonly about: About;
    readonly operators: Operators | undefined;
  },
): number | undefined {
  let score = 0;
  for (const term of of.terms) {
    const hits =
      term.operator === undefined
        ? hitsOf(row, term, of.about)
        : Number(of.operators?.passes(term.operator, term.text, row) === true);
    if ((hits === 0) !== (term.not === true)) return undefined;
    score += hits;
  }
  return score;
}

/** How well a row fits one term; 0 for not at all. */
function hitsOf(row: JsonObject, term: Term, about: About): number {
  const named = term.field === undefined ? undefined : memberNamed(row, term.field);
  if (named !== undefined) return Number(textOf(named).toLowerCase().includes(term.text));
  const times = countOf(about.whole, term.text);
  return times === 0 ? 0 : Math.min(times, 5) + (about.label.includes(term.text) ? 10 : 0);
}

function memberNamed(row: JsonObject, name: string): Json | undefined {
  const plain = plainName(name);
  const field = Object.keys(row).find((key) => plainName(key) === plain);
  return field === undefined ? undefined : row[field];
}

/** The texts and numbers of a value, one a line. */
function textOf(value: Json): string {
  if (typeof value === 'string') return value;
  if (value === null || typeof value === 'boolean') return '';
  if (typeof value === 'object')
    return Object.values(value)
      .map((part) => textOf(part as Json))
      .join('\n');
  return String(value);
}

function countOf(text: string, word: string): number {
  let times = 0;
  for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + word.length)) times += 1;
  return times;
}
