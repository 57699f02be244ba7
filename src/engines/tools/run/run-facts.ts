/**
 * What a plan found out or did, before it is shaped into an answer.
 *
 * `result.ts` turns facts into the structured form and the text, with or without an output schema.
 */
import type { Json, JsonObject, TracedText } from '../../../core/index.js';
import type { Collection, Plan, PlanOp } from '../service.js';
import type { PageInfo } from './paging.js';

/** What an operation works with: the plan, its collection and the arguments of this call or item. */
export interface Task {
  readonly plan: Plan;
  readonly collection: Collection;
  readonly args: JsonObject;
}

/** How one item of a batch went. */
export interface ItemResult {
  /** What the caller gave for the item. */
  readonly item: Json;
  /** The part of it that names it, by argument; empty where nothing does. */
  readonly name: JsonObject;
  /** `ok`, or the kind of failure: `not-found`, `exists`, `already`, `refused`, `failed`. */
  readonly status: string;
  readonly error?: string;
  readonly facts?: Facts;
}

/** What a plan found out or did. */
export interface Facts {
  readonly op: PlanOp;
  readonly collection?: Collection;
  /** The row meant, complete with computed fields. */
  readonly row?: JsonObject;
  /** The rows listed, complete with computed fields. */
  readonly rows?: readonly JsonObject[];
  /** How many rows there are in all, beyond this page. */
  readonly total?: number;
  readonly page?: PageInfo;
  /** Per collection, for a dump. */
  readonly groups?: Readonly<Record<string, readonly JsonObject[]>>;
  /** Rows of other collections that belong to the answered rows, where the output schema has a list for them. */
  readonly related?: Readonly<Record<string, readonly JsonObject[]>>;
  readonly items?: readonly ItemResult[];
  /** The one field asked for. */
  readonly only?: string;
  /** What an append added or a remove took away. */
  readonly changed?: readonly Json[];
  /** The structured answer, where a rule gave it. */
  readonly value?: Json;
  /** The text answer, where a template gave it. */
  readonly text?: TracedText;
  /** The content blocks, where a rule gave them. */
  readonly content?: Json;
  /** Further facts that rules of shapes see in `result`. */
  readonly more?: JsonObject;
  /** Why the engine cannot tell the answer, although it knows the tool. */
  readonly lacking?: string;
  /** What happened, as a sentence. */
  readonly message: string;
}
