/**
 * What a rule of a tool world is given to look at, beside what the call knows by itself.
 *
 * In a file of its own, so that the types of the package's door do not draw in the store's.
 */
import type { Json, JsonObject } from '../../../core/index.js';

/** The values of the names, beside `state`, `clock` and `session`, which the call knows. */
export interface RuleScope {
  readonly args: JsonObject;
  readonly row?: JsonObject;
  readonly rows?: readonly JsonObject[];
  readonly result?: Json;
  /** In the structured part of a shape: the text of the answer. */
  readonly text?: string;
  /** In side effects: the row before the change, null for a new one. */
  readonly old?: JsonObject | null;
  /** Beyond a quota: seconds until there is room. */
  readonly retryAfter?: number;
}
