/**
 * An action: the exact text an agent sent, and what a domain's grammar read in it.
 *
 * The text is the truth and is stored; parsed forms are derived. A text that no grammar accepts is a tagged value
 * (`malformed`), not an exception. Forms of domains that have no grammar yet are added with that grammar.
 */
import { z } from 'zod';
import type { JsonObject } from './json.js';

/** The exact text of an action. Never empty-means-nothing: each domain says what `""` is. */
export const ActionSchema = z.string();

/** The exact text of an action. */
export type Action = z.infer<typeof ActionSchema>;

/** A call of a named tool with JSON arguments (mcp, swe, search). */
export interface ToolCall {
  readonly kind: 'tool-call';
  readonly name: string;
  readonly arguments: JsonObject;
  /** The caller's own id for this call, where it gave one. */
  readonly callId?: string;
}

/** The agent says that it is done, with its final answer where there is one. */
export interface Finish {
  readonly kind: 'finish';
  readonly answer: string | null;
}

/** A text that is no action of the domain. */
export interface MalformedAction {
  readonly kind: 'malformed';
  /** What was wrong, naming the value seen and the forms wanted. */
  readonly reason: string;
}

/** What a domain's grammar read in an action text. */
export type ParsedAction = ToolCall | Finish | MalformedAction;
