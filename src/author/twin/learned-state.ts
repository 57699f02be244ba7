/**
 * What living through a recording gives: the rows at the start, and per call what it changed.
 */
import type { Json, JsonObject } from '../../core/index.js';
import type { CallTrial, Plan } from '../../engines/index.js';
import type { Rows } from './rows-of-view.js';
import type { TwinCall } from './twin-source.js';

/** What a call changed, as a world file says it. */
export interface Effects {
  readonly writes?: readonly { readonly collection: string; readonly row: JsonObject }[];
  readonly deletes?: readonly { readonly collection: string; readonly key: Json }[];
}

/** A recorded call with what was learned of it. */
export interface LearnedCall {
  readonly call: TwinCall;
  readonly plan: Plan | undefined;
  /** What the engine makes of the call in the same state. */
  readonly trial: CallTrial;
  /** Rows before and after. */
  readonly before: Rows;
  readonly after: Rows;
  readonly reads: readonly string[];
  readonly effects: Effects | undefined;
}

/** What the walk found. */
export interface LearnedState {
  readonly start: Readonly<Record<string, readonly JsonObject[]>>;
  readonly sessions: readonly (readonly LearnedCall[])[];
  readonly conflicts: readonly string[];
  /** Rows that went although nobody named them: with which row they went, by field of theirs. */
  readonly cascades: readonly Cascade[];
}

/** Rows of a collection that go when the row of another goes whose key a field of theirs holds. */
export interface Cascade {
  readonly collection: string;
  readonly field: string;
  readonly of: string;
}
