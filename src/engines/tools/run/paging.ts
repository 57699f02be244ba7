/**
 * Cuts a list into pages: by opaque cursor, page number, offset or a plain limit.
 *
 * A cursor names the last row given and its position, and carries a mark of the list it belongs to; it stays good
 * when rows are added or removed, and anything else is rejected. Format: base64url of JSON `[mark, key, position]`.
 */
import { hashJson, type Json, type JsonObject, LIMITS, parseJson } from '../../../core/index.js';
import { shown } from '../check/messages.js';
import type { Paging } from '../service.js';
import { own } from '../store/store.js';
import { ToolFailure } from './run-call.js';

/** Where a page stands in its list. */
export interface PageInfo {
  readonly style: Paging['style'];
  readonly hasMore: boolean;
  /** For cursors: how to ask for the next page. */
  readonly nextCursor?: string;
  /** For page numbers: this page, from 1, and how many there are. */
  readonly page?: number;
  readonly pages?: number;
  /** For offsets: where the next page starts. */
  readonly nextOffset?: number;
  readonly size: number;
}

/** One page of a list. */
export interface Page<T> {
  readonly items: readonly T[];
  readonly info: PageInfo;
}

/** A list of which any part can be had, and in which each item has a text that names it. */
export interface Listing<T> {
  readonly size: number;
  slice(start: number, count: number): readonly T[];
  keyAt(position: number): string | undefined;
  /** The position of the item of this name, or −1. */
  positionOf(key: string): number;
}

/** The list to cut, and what distinguishes it from others. */
export interface Paged<T> {
  readonly listing: Listing<T>;
  /** Filters and sorting; a cursor of another list is rejected. */
  readonly list: Json;
}

/** A list that is all there, as a listing. */
export function listingOf<T>(items: readonly T[], keyOf: (item: T) => string): Listing<T> {
  return {
    size: items.length,
    slice: (start, count) => items.slice(start, start + count),
    keyAt: (position) => {
      const item = items[position];
      return item === undefined ? undefined : keyOf(item);
    },
    positionOf: (key) => items.findIndex((item) => keyOf(item) === key),
  };
}

/** Cuts the page that the arguments ask for. Impossible sizes, pages and cursors are failures of the tool. */
export function pageOf<T>(paging: Paging, args: JsonObject, paged: Paged<T>): Page<T> {
  const size = sizeOf(paging, args);
  const start = startOf(paging, args, { size, paged });
  const { listing } = paged;
  const items = listing.slice(start, size);
  const end = start + items.length;
  const hasMore = end < listing.size;
  const info = { style: paging.style, hasMore, size };
  if (paging.style === 'page') {
    const pages = Math.ceil(listing.size / size);
    return { items, info: { ...info, page: Math.floor(start / size) + 1, pages } };
  }
  if (paging.style === 'offset' && hasMore) return { items, info: { ...info, nextOffset: end } };
  const last = listing.keyAt(end - 1);
  if (paging.style !== 'cursor' || !hasMore || items.length === 0 || last === undefined)
    return { items, info };
  return { items, info: { ...info, nextCursor: encodeCursor([markOf(paged.list), last, end]) } };
}

function sizeOf(paging: Paging, args: JsonObject): number {
  const given = argumentOf(args, paging.size);
  if (given === undefined) return Math.max(1, paging.defaultSize);
  const size = wholeNumber(given, { argument: paging.size ?? 'limit', least: 1 });
  return Math.min(size, Math.max(1, paging.maxSize), LIMITS.rowsPerCollection);
}

function argumentOf(args: JsonObject, name: string | undefined): Json | undefined {
  const value = name === undefined ? undefined : own(args, name);
  return value === null || value === '' ? undefined : value;
}

function wholeNumber(value: Json, want: { readonly argument: string; readonly least: number }): number {
  const isText = typeof value === 'string' && /^\d{1,15}$/.test(value);
  const number = isText || typeof value === 'bigint' ? Number(value) : value;
  // beyond what a list can hold, how much more is asked for makes no difference
  if (typeof number === 'number' && Number.isInteger(number) && number >= want.least)
    return Math.min(number, Number.MAX_SAFE_INTEGER);
  throw new ToolFailure(
    `Invalid ${want.argument}: ${shown(value)}; it must be a whole number of at least ${want.least}`,
    'refused',
  );
}

function startOf<T>(
  paging: Paging,
  args: JsonObject,
  how: { readonly size: number; readonly paged: Paged<T> },
): number {
  const at = argumentOf(args, paging.at);
  if (at === undefined || paging.style === 'limit') return 0;
  const argument = paging.at ?? 'page';
  if (paging.style === 'page') return (wholeNumber(at, { argument, least: 1 }) - 1) * how.size;
  if (paging.style === 'offset') return wholeNumber(at, { argument, least: 0 });
  const cursor = typeof at === 'string' ? decodeCursor(at) : undefined;
  if (cursor === undefined || cursor[0] !== markOf(how.paged.list)) {
    throw new ToolFailure(`Invalid ${argument}: ${shown(at)}`, 'refused');
  }
  const [, key, position] = cursor;
  const { listing } = how.paged;
  if (listing.keyAt(position - 1) === key) return position;
  const found = listing.positionOf(key);
  return found >= 0 ? found + 1 : Math.max(0, Math.min(position, listing.size) - 1);
}

type Cursor = readonly [mark: string, key: string, position: number];

function markOf(list: Json): string {
  return hashJson(list).slice(0, 12);
}

function encodeCursor(cursor: Cursor): string {
  const bytes = new TextEncoder().encode(JSON.stringify(cursor));
  const binary = Array.from(bytes, (byte) => String.fromCharCode(byte)).join('');
  return btoa(binary).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}

function decodeCursor(text: string): Cursor | undefined {
  if (!/^[A-Za-z0-9_-]{1,4096}$/.test(text)) return undefined;
  let json: string;
  try {
    const binary = atob(text.replaceAll('-', '+').replaceAll('_', '/'));
    json = new TextDecoder('utf-8', { fatal: true }).decode(Uint8Array.from(binary, (c) => c.charCodeAt(0)));
  } catch {
    return undefined;
  }
  const parsed = parseJson(json);
  if (!parsed.ok || !Array.isArray(parsed.value) || parsed.value.length !== 3) return undefined;
  const [mark, key, position] = parsed.value as readonly Json[];
  if (typeof mark !== 'string' || typeof key !== 'string' || !Number.isSafeInteger(position))
    return undefined;
  return [mark, key, Math.max(0, position as number)];
}
