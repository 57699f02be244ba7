/**
 * What method and path of an operation say by the habits of REST: which collection, which row, what is done.
 *
 * `/owners/{ownerId}/pets` with GET lists pets, with POST makes one; `/pets/{petId}` is one of them; a word behind a
 * row (`/pets/{petId}/close`) is an action on it. Pure reading of paths: a word counts as a collection when the
 * document shows that it holds rows. Source: the habit of public services; RFC 9110 for methods. Not covered:
 * rows named by several segments (`/repos/{owner}/{repo}`), RPC over POST; these are left to their names.
 */
import { pluralize, singularize } from 'inflection';
import { isJsonObject, type Json } from '../core/index.js';
import type { Operation } from './openapi-operations.js';
import { lookThrough, newVisits, type Visits } from './openapi-schema.js';
import type { OpenApiSource } from './openapi-source.js';

/** What an operation does as far as method and path say it. */
export type RestKind = 'list' | 'create' | 'get' | 'update' | 'delete' | 'action' | 'other';

/** The REST reading of one operation. */
export interface RestReading {
  readonly kind: RestKind;
  /** Words of the collection as in the path, for example `pets`; empty where there is none. */
  readonly collection: string;
  /** The path parameter that names the row, for kinds that mean one. */
  readonly key: string | undefined;
  /** Path parameters before it, with the collection of each: `ownerId` → `owners`. */
  readonly parents: readonly { readonly parameter: string; readonly collection: string }[];
  /** The word of an action. */
  readonly action: string | undefined;
  /** Two ways of change are there (PUT and PATCH) and this is the PUT. */
  readonly replaces: boolean;
}

interface Segment {
  /** The word, or the parameter's name. */
  readonly word: string;
  readonly parameter: boolean;
}

/** Reads all operations together: whether a word holds rows shows elsewhere in the document. */
export function readRest(source: OpenApiSource, operations: readonly Operation[]): RestReading[] {
  const split = operations.map(({ path }) => segmentsOf(path));
  const skip = sharedPrefix(split);
  const paths = split.map((segments) => segments.slice(skip));
  const holders = new Set<string>();
  for (const segments of paths) {
    for (const [i, segment] of segments.entries()) {
      if (segment.parameter && i > 0) holders.add(shape(segments.slice(0, i)));
    }
  }
  for (const [i, operation] of operations.entries()) {
    const segments = paths[i] ?? [];
    if (operation.method === 'get' && segments.at(-1)?.parameter === false && answersList(source, operation))
      holders.add(shape(segments));
  }
  const patched = new Set(
    operations.flatMap(({ method }, i) => (method === 'patch' ? [shape(paths[i] ?? [])] : [])),
  );
  return operations.map((operation, i) => {
    const segments = paths[i] ?? [];
    const reading = readOne(operation, segments, holders);
    return { ...reading, replaces: operation.method === 'put' && patched.has(shape(segments)) };
  });
}

function segmentsOf(path: string): Segment[] {
  return path
    .split('/')
    .filter((part) => part !== '')
    .flatMap((part): Segment[] => {
      const row = /^\{([^{}]+)\}(?:[:.]([\w-]+))?$/.exec(part);
      if (row === null) return [{ word: part, parameter: false }];
      const parameter = { word: row[1] ?? '', parameter: true };
      // `{id}:close` is an action; `{id}.json` says only how the answer is written
      return row[2] === undefined || part.includes('}.')
        ? [parameter]
        : [parameter, { word: row[2], parameter: false }];
    });
}

function shape(segments: readonly Segment[]): string {
  return segments.map(({ word, parameter }) => (parameter ? '{}' : word)).join('/');
}

/** Leading words that all paths share and that hold nothing themselves: `/api/v1`. */
function sharedPrefix(paths: readonly (readonly Segment[])[]): number {
  const [first] = paths;
  let skip = 0;
  for (;;) {
    const word = first?.[skip];
    if (word === undefined || word.parameter) return skip;
    const next = skip + 1;
    const shared = paths.every(
      (segments) =>
        segments[skip]?.parameter === false &&
        segments[skip]?.word === word.word &&
        segments[next] !== undefined &&
        !segments[next].parameter,
    );
    // one collection alone shares its own name with its actions
    const several = new Set(paths.map((segments) => segments[next]?.word)).size > 1;
    const version = /^(v\d[\w.]*|api|rest|public)$/i.test(word.word);
    if (!shared || !(several || version)) return skip;
    skip = next;
  }
}

function readOne(
  operation: Operation,
  segments: readonly Segment[],
  holders: ReadonlySet<string>,
): RestReading {
  const none: RestReading = {
    kind: 'other',
    collection: '',
    key: undefined,
    parents: [],
    action: undefined,
    replaces: false,
  };
  const last = segments.at(-1);
  const before = segments.at(-2);
  if (last === undefined) return none;
  if (last.parameter) {
    if (before === undefined || before.parameter) return none;
    const parents = parentsOf(segments.slice(0, -2));
    return {
      ...none,
      kind: ITEM[operation.method] ?? 'other',
      collection: before.word,
      key: last.word,
      parents,
    };
  }
  const parents = parentsOf(segments.slice(0, -1));
  if (holders.has(shape(segments)) || (makesRows(operation, last) && before?.parameter !== false)) {
    const kind = COLLECTION[operation.method] ?? 'other';
    if (kind !== 'other') return { ...none, kind, collection: last.word, parents };
  }
  if (before?.parameter === true && segments.length > 2 && segments.at(-3)?.parameter === false) {
    const kind = ['post', 'put', 'patch'].includes(operation.method) ? 'action' : 'other';
    const collection = segments.at(-3)?.word ?? '';
    return { ...none, kind, collection, key: before.word, parents: parents.slice(0, -1), action: last.word };
  }
  return { ...none, collection: before?.parameter === false ? before.word : '', action: last.word };
}

const ITEM: Readonly<Partial<Record<string, RestKind>>> = {
  get: 'get',
  put: 'update',
  patch: 'update',
  delete: 'delete',
};
const COLLECTION: Readonly<Partial<Record<string, RestKind>>> = { get: 'list', post: 'create' };

function parentsOf(segments: readonly Segment[]): { parameter: string; collection: string }[] {
  return segments.flatMap((segment, i) => {
    const holder = segments[i - 1];
    return segment.parameter && holder !== undefined && !holder.parameter
      ? [{ parameter: segment.word, collection: holder.word }]
      : [];
  });
}

/** A POST with a body to a word in the plural makes one of them. */
function makesRows(operation: Operation, last: Segment): boolean {
  const words = wordsOf(last.word);
  const noun = words.at(-1) ?? '';
  return (
    operation.method === 'post' &&
    operation.body !== undefined &&
    pluralize(singularize(noun)) === noun &&
    singularize(noun) !== noun
  );
}

function answersList(source: OpenApiSource, operation: Operation): boolean {
  return rowsSchema(source, operation) !== undefined;
}

/** The schema of one row of a list answer, with its place: of a list, or of the only list of objects in an object. */
export function rowsSchema(
  source: OpenApiSource,
  operation: Operation,
): { readonly value: Json; readonly property: string | undefined } | undefined {
  const schema = lookThrough(source, operation.answer?.schema?.value);
  if (schema.items !== undefined) return { value: schema.items, property: undefined };
  const lists = propertiesThrough(source, schema).flatMap(([name, value]) => {
    const { items } = lookThrough(source, value);
    return items !== undefined && looksObject(source, items) ? [{ value: items, property: name }] : [];
  });
  const named = lists.find(({ property }) =>
    /^(data|items|results?|records|entries|values|content)$/i.test(property),
  );
  const [only] = lists;
  // an object with one list among many other properties is more likely one row
  const few =
    propertiesThrough(source, schema).length <= 8 &&
    !Object.hasOwn(Object.fromEntries(propertiesThrough(source, schema)), 'id');
  return few ? (named ?? (lists.length === 1 ? only : undefined)) : undefined;
}

/** True if a schema speaks of objects. */
export function looksObject(
  source: OpenApiSource,
  value: Json | undefined,
  visits: Visits = newVisits(),
): boolean {
  const schema = lookThrough(source, value);
  const types = Array.isArray(schema.type) ? schema.type : [schema.type];
  if (types.includes('object')) return true;
  if (types.some((type) => typeof type === 'string' && type !== 'null') || visits.left-- <= 0) return false;
  if (isJsonObject(schema.properties)) return true;
  const parts = (key: string): readonly Json[] => (Array.isArray(schema[key]) ? schema[key] : []);
  if (parts('allOf').some((part) => looksObject(source, part, visits))) return true;
  return ['oneOf', 'anyOf'].some(
    (key) => parts(key).length > 0 && parts(key).every((part) => looksObject(source, part, visits)),
  );
}

/** Properties of an object schema, those of `allOf` and of the branches of a union included. */
export function propertiesThrough(
  source: OpenApiSource,
  value: Json | undefined,
  visits: Visits = newVisits(),
): [string, Json][] {
  const found = new Map<string, Json>();
  const schema = lookThrough(source, value);
  if (visits.left-- <= 0) return [];
  for (const key of ['allOf', 'oneOf', 'anyOf']) {
    for (const part of Array.isArray(schema[key]) ? (schema[key] as readonly Json[]) : []) {
      for (const [name, property] of propertiesThrough(source, part, visits))
        if (!found.has(name)) found.set(name, property);
    }
  }
  for (const [name, property] of Object.entries(isJsonObject(schema.properties) ? schema.properties : {}))
    found.set(name, property);
  return [...found];
}

/** `petTypes`, `pet-types` and `pet_types` are the words pet, types. */
export function wordsOf(name: string): string[] {
  return name
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .replace(/([A-Z]+)([A-Z][a-z])/g, '$1_$2')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '');
}

/** The collection's words as one name in the plural: `pet_types`. */
export function pluralName(collection: string): string {
  const words = wordsOf(collection);
  const last = words.at(-1);
  return last === undefined ? '' : [...words.slice(0, -1), pluralize(singularize(last))].join('_');
}

/** One of the collection: `pet_type`. */
export function singularName(collection: string): string {
  const words = wordsOf(collection);
  const last = words.at(-1);
  return last === undefined ? '' : [...words.slice(0, -1), singularize(last)].join('_');
}

/** A tool's name for an operation that has no operationId, so that it says what method and path say. */
export function restName(operation: Operation, reading: RestReading): string {
  const one = singularName(reading.collection);
  const many = pluralName(reading.collection);
  const parent = reading.parents.at(-1);
  const of = parent === undefined ? '' : `_of_${singularName(parent.collection)}`;
  const action = wordsOf(reading.action ?? '').join('_');
  switch (reading.kind) {
    case 'list':
      return `list_${many}${of}`;
    case 'create':
      return `create_${one}${of}`;
    case 'get':
      return `get_${one}${of}`;
    case 'update':
      return `${reading.replaces ? 'replace' : 'update'}_${one}${of}`;
    case 'delete':
      return `delete_${one}${of}`;
    case 'action':
      return `${action}_${one}`;
    default: {
      const verb = VERBS[operation.method] ?? operation.method;
      if (one !== '' && action !== '') return `${verb}_${one}_${action}`;
      const words = operation.path.split('/').flatMap((part) => (part.includes('{') ? [] : wordsOf(part)));
      return [verb, ...words].join('_');
    }
  }
}

const VERBS: Readonly<Partial<Record<string, string>>> = {
  get: 'get',
  post: 'post',
  put: 'set',
  patch: 'update',
  delete: 'delete',
};
