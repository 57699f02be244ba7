/**
 * The service model: what an engine believes a list of tools does, as data.
 *
 * `infer.ts` derives it from names, descriptions and schemas; a world file corrects it (`entities`, `overrides`);
 * the runtime executes it; a person can print and read it. It holds no state.
 */
import type { Json, JsonObject, Origin } from '../../core/index.js';
import type { FileToolSpec } from './files/spec-files.js';
import type { OverrideSpec } from './spec.js';

/** How ids of new rows are made. `given`: the caller names the row (a path, a name); nothing is minted. */
export type IdStyle =
  | { readonly kind: 'counter'; readonly start: number; readonly prefix: string; readonly width: number }
  | { readonly kind: 'number'; readonly start: number }
  | { readonly kind: 'uuid' }
  | { readonly kind: 'hex'; readonly length: number }
  | {
      readonly kind: 'token';
      readonly prefix: string;
      readonly length: number;
      /** Which letters it is made of beside digits; default: both cases. */
      readonly letters?: 'lower' | 'upper';
    }
  | { readonly kind: 'given' };

/** One field of a collection. */
export interface Field {
  readonly name: string;
  /** JSON Schema of the value as far as it is known; `{}` if nothing is. */
  readonly schema: JsonObject;
  readonly description?: string;
  /** The collection whose id this field holds. */
  readonly refersTo?: string;
  readonly required: boolean;
  /** Value of a new row when the caller gives none: a JSON value. */
  readonly initial?: Json;
  /** No two rows share a value. */
  readonly unique?: boolean;
  /** A rule over `row` and `state` that gives the value; never stored, always computed. */
  readonly computed?: string;
  /** Set from the clock when the row is made, or on every change. */
  readonly stamp?: 'created' | 'updated';
  /** How a stamp is written; default ISO 8601 UTC with milliseconds. */
  readonly stampAs?: 'iso' | 'iso-s' | 'iso-offset' | 'sql' | 'date' | 'epoch-ms' | 'epoch-s';
}

/** One kind of thing that the service keeps. */
export interface Collection {
  /** Plural, snake_case or as the world file says, for example `pull_requests`. */
  readonly name: string;
  /** One of them, for messages, for example `pull request`. */
  readonly singular: string;
  /**
   * The fields that name a row. Usually one (`id`, `number`, `path`); several make a natural key, for example
   * from, to and relationType of an edge.
   */
  readonly key: readonly string[];
  readonly idStyle: IdStyle;
  /** Fields that scope a row, for example owner and repo; ids count within a scope, lists filter by it. */
  readonly scope: readonly string[];
  /**
   * The scope fields that are part of a row's identity. Set by the engine when it opens a world: a scope field that
   * some tool meaning one row cannot give does not count. Default: all of `scope` where ids may repeat.
   */
  readonly identityScope?: readonly string[];
  readonly fields: Readonly<Record<string, Field>>;
  /** The field a person would call it by, for example `title`. */
  readonly label?: string;
  /** There is exactly one row, which tools read without naming it (the signed-in user, a balance). */
  readonly singleton?: boolean;
}

/** How a list is cut into pages. Argument names are the tool's own; sizes are rows. */
export interface Paging {
  readonly style: 'cursor' | 'page' | 'offset' | 'limit';
  /** Name of the argument that says where to start (cursor, page number from 1, or offset from 0). */
  readonly at?: string;
  /** Name of the argument that says how many. */
  readonly size?: string;
  readonly defaultSize: number;
  readonly maxSize: number;
}

/** How a list is sorted by arguments. */
export interface Sorting {
  readonly by?: string;
  readonly direction?: string;
}

/** What one tool does. */
export type PlanOp =
  | 'create'
  | 'get'
  | 'list'
  | 'search'
  | 'update'
  | 'upsert'
  | 'delete'
  /** Adds to a list field of a row. */
  | 'append'
  /** Takes away from a list field of a row. */
  | 'remove'
  | 'count'
  /** Whole state of several collections at once. */
  | 'dump'
  /** Tells the simulated time. */
  | 'clock'
  /** Given by a world file's override. */
  | 'override'
  /** Nobody can compute it. */
  | 'unknown';

/** How one tool acts on the collections. Argument names are the tool's own; field names are the collection's. */
export interface Plan {
  readonly tool: string;
  readonly op: PlanOp;
  readonly collection?: string;
  /** Argument → key field: which row is meant. */
  readonly key?: Readonly<Record<string, string>>;
  /** Argument → field: values written (create, update, upsert) or appended. */
  readonly writes?: Readonly<Record<string, string>>;
  /** Argument → field: equality filters (list, search, count) and scope. */
  readonly filters?: Readonly<Record<string, string>>;
  /** Fixed values that the rows meant have, besides the filters: completed todos. */
  readonly where?: JsonObject;
  /** Argument → a bound on a field: rows at or above (`min`), at or below (`max`) the given value. */
  readonly ranges?: Readonly<Record<string, { readonly field: string; readonly test: 'min' | 'max' }>>;
  /**
   * Argument that names a folder: rows whose key (a path) lies in it; `deep` at any depth, else directly. A folder
   * that ends in a slash, `.` and an empty text are taken as they are meant.
   */
  readonly under?: { readonly argument: string; readonly deep: boolean };
  /** For update and delete: every row that the filters match is meant, none is named. */
  readonly all?: boolean;
  /** Argument that holds a free-text query. */
  readonly query?: string;
  readonly paging?: Paging;
  readonly sorting?: Sorting;
  /** The list argument of a batch tool, and what its items are. */
  readonly batch?: { readonly argument: string; readonly items: 'objects' | 'keys' };
  /** For update: the argument that, when it is true, takes the row away instead. */
  readonly deletes?: string;
  /** Fixed values that the tool writes, for example `{ status: 'closed' }`. */
  readonly sets?: JsonObject;
  /** The tool fails when the row already has all of `sets`; the word for the message, for example `closed`. */
  readonly already?: string;
  /** For append and remove: the list field. */
  readonly listField?: string;
  /** For get: the one field to answer instead of the whole row, for example `content` of a file. */
  readonly only?: string;
  /** For dump: the collections. */
  readonly collections?: readonly string[];
  /** Argument of an idempotency key. */
  readonly idempotencyKey?: string;
  /** The tool chooses by an argument's value, for example `method: create | update`. */
  readonly cases?: { readonly argument: string; readonly plans: Readonly<Record<string, Plan>> };
  /** Arguments that make the call one that nobody can compute, where they are given: formulas, query languages. */
  readonly unless?: readonly string[];
  readonly override?: OverrideSpec;
  /** What the tool does to files, in a world that says so. */
  readonly file?: FileToolSpec;
  /** Why this plan, in words, for `world show`. */
  readonly why: string;
}

/** What an engine believes a list of tools does. */
export interface ServiceModel {
  readonly collections: Readonly<Record<string, Collection>>;
  readonly plans: Readonly<Record<string, Plan>>;
}

/** Origins of a row's values: one for most, others by field. */
export interface RowOrigins {
  readonly base: Origin;
  readonly fields?: Readonly<Record<string, Origin>>;
}

/** A row with where its values came from. */
export interface StoredRow {
  readonly data: JsonObject;
  readonly origins: RowOrigins;
}
