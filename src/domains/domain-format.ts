/**
 * The frame of a domain: what every domain gives to the rooms above it.
 *
 * A format is pure text work: the action grammar, the observation format, what of an observation can be demanded
 * exactly, and the system prompt. It never calls a model and never throws for what an agent or a model said. Source:
 * arXiv 2606.24597, sections on domains and on the benchmark's content types. Each domain's test runs the suite in
 * `domain-format.contract.ts`.
 */
import type { Domain, Finish, Json, ParsedAction, SystemPrompt, ToolCall } from '../core/index.js';

/**
 * How exactly a part of an observation can be predicted: `deterministic` it follows from action and state and must
 * match exactly · `pre-existing` content of the environment, to be right in format and plausible · `runtime-metadata`
 * times, ids of processes and requests, durations: format and range only.
 */
export const CONTENT_TYPES = ['deterministic', 'pre-existing', 'runtime-metadata'] as const;

/** One of {@link CONTENT_TYPES}. */
export type ContentType = (typeof CONTENT_TYPES)[number];

/** A span of an observation with its content type; offsets in UTF-16 units. */
export interface ContentSpan {
  readonly start: number;
  readonly end: number;
  readonly type: ContentType;
}

/** What is known when an observation's content is classified. */
export interface ContentContext {
  /** The action that the observation answers. */
  readonly action?: ParsedAction;
  /** What is known of the state, for example earlier observations' values; its leaves count as determined. */
  readonly state?: Json;
}

/** One example turn for a prompt. */
export interface Demonstration {
  readonly action: string;
  readonly observation: string;
}

/** The facts of a system prompt, from which any template can render. Every list keeps its order. */
export interface PromptFacts {
  readonly domain: Domain;
  /** What the model has to do, one sentence each. */
  readonly task: readonly string[];
  /** What the agent may do: a line that says the form, then one entry per tool or action. */
  readonly actionSpace: { readonly form: string; readonly entries: readonly string[] };
  /** How state behaves from turn to turn. */
  readonly stateRules: readonly string[];
  /** How an observation has to be written. */
  readonly outputRules: readonly string[];
  readonly initialState?: string;
  readonly demonstrations: readonly Demonstration[];
  /** The world author's simulation instruction. */
  readonly instruction?: string;
}

/** What prompt facts are made from. `actionSpace` is the domain's own (for mcp: the list of tools). */
export interface PromptInput<ActionSpace = unknown> {
  readonly actionSpace: ActionSpace;
  /** State at the start: text as it is, or a value shown as JSON. */
  readonly initialState?: Json;
  readonly demonstrations?: readonly Demonstration[];
  readonly instruction?: string;
}

/** What may be known about an observation beside its text. */
export interface ObservationFacts {
  /** The environment marked it as an error. */
  readonly isError?: boolean;
}

/** Everything a domain knows about its texts. */
export interface DomainFormat<Parsed = unknown, ActionSpace = unknown> {
  readonly domain: Domain;
  /** Reads an action, also out of benchmark-style text. A text that is no action becomes `malformed`. */
  parseAction(text: string): ParsedAction;
  /** Writes an action in the domain's first form; `parseAction` reads it back to an equal value. */
  renderAction(action: ToolCall | Finish): string;
  /** True where an action, sent right after the other, ends the episode (a terminal's second `[]`). Absent: never. */
  confirmsEnd?(action: ParsedAction, before: ParsedAction): boolean;
  /** Reads an observation's structure. Every text is some observation. */
  parseObservation(text: string, facts?: ObservationFacts): Parsed;
  /** Writes an observation as the agent sees it. */
  renderObservation(observation: Parsed): string;
  /** The text in the form in which two observations are compared; equal meaning gives equal text. */
  normaliseObservation(text: string): string;
  /** Spans that cover the whole text, in order, without overlap; neighbours differ in type. */
  contentTypes(text: string, context?: ContentContext): readonly ContentSpan[];
  /** The facts of a system prompt for a world model of this domain. */
  promptFacts(input: PromptInput<ActionSpace>): PromptFacts;
  /** Renders facts in this package's plain style, with all five parts filled where they are known. */
  renderSystemPrompt(facts: PromptFacts): SystemPrompt;
}
