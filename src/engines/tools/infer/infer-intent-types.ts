/**
 * What a tool means to do, before its arguments are bound to fields: the types.
 *
 * Made by `infer-intent`, used by `entities` and `plan`. Nothing here decides anything.
 */

import type { PlanOp } from '../service.js';
import type { Nouns } from './infer-nouns.js';
import type { Property } from './infer-schema.js';
import type { ToolFacts } from './infer-tool.js';
import type { Verb } from './words-verbs.js';

/** The list argument of a batch and the properties of its items. */
export interface BatchIntent {
  readonly argument: Property;
  readonly items: 'objects' | 'keys';
  readonly properties: readonly Property[];
}

/** What a tool means to do. */
export interface Intent {
  readonly facts: ToolFacts;
  readonly op: PlanOp;
  /** Singular words of what it acts on. */
  readonly noun?: readonly string[];
  /** The argument that names the row, when it is already known. */
  readonly keyArgument?: Property;
  /** The field that the key argument speaks of, when not the collection's key. */
  readonly keyField?: string;
  readonly batch?: BatchIntent;
  /** For append and remove. */
  readonly listField?: string;
  readonly value?: Property;
  readonly only?: string;
  readonly transition?: Verb;
  /** Acts on every row that the filters match. */
  readonly all?: boolean;
  /** A folder argument: rows below it. */
  readonly under?: { readonly argument: string; readonly deep: boolean };
  readonly files?: boolean;
  /** Fixed values. */
  readonly sets?: Readonly<Record<string, string>>;
  /** Argument → field, where the argument names a row of another kind: the e-mail that is replied to. */
  readonly renames?: Readonly<Record<string, string>>;
  /** A state that all rows meant have. */
  readonly state?: Verb;
  /** A read of the one row there is. */
  readonly singleton?: boolean;
  readonly why: string;
}

/** What intents are decided with. */
export interface IntentContext {
  readonly nouns: Nouns;
  /** Arguments that most tools of the server require (owner, repo, org). */
  readonly shared: ReadonlySet<string>;
  readonly tools: readonly ToolFacts[];
}
