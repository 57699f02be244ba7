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

/** What a domain calls its things; a style puts these words into its headings. */
export interface PromptWords {
  /** What the agent may do, for example `Tools` or `Keystrokes`. */
  readonly actions: string;
  /** One observation, for example `Answer` or `Screen`. */
  readonly observation: string;
  /** How observations are written, for example `Answers` or `Screen`. */
  readonly outputRules: string;
}

/** The facts of a system prompt, from which any style can render. Every list keeps its order. */
export interface PromptFacts {
  readonly domain: Domain;
  readonly words: PromptWords;
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

/** What an ending action leaves as the episode's answer. */
export interface EndingAnswer {
  readonly answer: string | null;
}

/** What may be known about an observation beside its text. */
export interface ObservationFacts {
  /** The environment marked it as an error. */
  readonly isError?: boolean;
}

/** One value of a part of an observation. */
export interface PartValue {
  /** For example `name`, `url`, `checked`, `bounds`. Names may repeat within a part. */
  readonly name: string;
  /** In the form for comparing: decoded, white space and spelling of the variant taken off. */
  readonly value: string;
  /** Where it stands in the text, in UTF-16 units; empty (`start` equals `end`) where the text only implies it. */
  readonly start: number;
  readonly end: number;
}

/**
 * One part of an observation: a node of a tree, a result of a list, a row of a screen, a member of an object. What is
 * the same thing in two observations has the same `kind` and, where the format gives one, the same `id`.
 */
export interface ObservationPart {
  /** For example `button`, `result`, `row`, `field`: roles and kinds in the domain's own words. */
  readonly kind: string;
  /** The format's own name for it (bid, url, key, resource id), unique among its siblings where the text is well-formed. */
  readonly id?: string;
  /** Where it stands, its parts included. */
  readonly start: number;
  readonly end: number;
  readonly values: readonly PartValue[];
  readonly parts: readonly ObservationPart[];
}

/** A place that could not be read as the domain's format. Its text stays; nothing is guessed. */
export interface OutlineProblem {
  readonly start: number;
  readonly end: number;
  /** What was seen and what is wanted. */
  readonly message: string;
}

/**
 * An observation as structure with places: what comparing, checking and content types look at. Parts stand in order
 * and lie inside their parent; what is neither white space, part nor problem is syntax of the format.
 */
export interface ObservationOutline {
  readonly parts: readonly ObservationPart[];
  readonly problems: readonly OutlineProblem[];
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
  /**
   * The answer with which an action ends its episode although it is a call (`send_msg_to_user`, `DONE`, `answer`);
   * null where it does not end. Absent: no call ends.
   */
  ending?(action: ToolCall): EndingAnswer | null;
  /**
   * Reads an observation's structure. Every text is some observation: what does not keep to the format is kept as
   * text in the value and is a problem of the outline.
   */
  parseObservation(text: string, facts?: ObservationFacts): Parsed;
  /** Writes an observation as the agent sees it. */
  renderObservation(observation: Parsed): string;
  /** The text in the form in which two observations are compared; equal meaning gives equal text. */
  normaliseObservation(text: string): string;
  /** The text as parts with places, and what could not be read. Problems are only told where the format has rules. */
  outline(text: string): ObservationOutline;
  /** Spans that cover the whole text, in order, without overlap; neighbours differ in type. */
  contentTypes(text: string, context?: ContentContext): readonly ContentSpan[];
  /** The facts of a system prompt for a world model of this domain. */
  promptFacts(input: PromptInput<ActionSpace>): PromptFacts;
  /** Renders facts in this package's plain style, with all five parts filled where they are known. */
  renderSystemPrompt(facts: PromptFacts): SystemPrompt;
}
