/**
 * The shape of one entry of the fault catalogue.
 *
 * The idea: a kind is data plus pure functions. The data says what a person can choose (parameters, phases,
 * operations) and what can be expected of an agent; `strike` says what should happen to one operation or at the
 * beginning of one turn, and `sim` carries it out. A new kind is an entry of a file in `catalogue/` and a place in
 * `catalogue.ts`. Not covered: when a fault fires; that is the schedule's.
 */
import type { z } from 'zod';
import {
  type Answer,
  type Domain,
  type FaultNote,
  type ForeignChange,
  type Json,
  type JsonObject,
  type Operation,
  type OperationKind,
  type RandomStream,
  traced,
} from '../core/index.js';
import type { ErrorBody } from '../domains/index.js';
import type { FaultSpec } from './fault-spec.js';
import type { ServiceRefusal } from './service-words.js';
import type { ToolChange, ToolEntry } from './tool-changes.js';

/** Before the operation happens, or after it did. */
export type FaultPhase = 'before' | 'after';

/** The families of the catalogue, in the order of docs/FAULTS.md. */
export const FAULT_FAMILIES = [
  'errors',
  'access',
  'lists',
  'consistency',
  'bodies',
  'fields',
  'values',
  'tools',
  'world',
  'hostile',
  'shell',
  'search',
  'screen',
] as const;

/** One of {@link FAULT_FAMILIES}. */
export type FaultFamily = (typeof FAULT_FAMILIES)[number];

/** What a kind knows when it strikes an operation. */
export interface FaultStrike {
  readonly op: Operation;
  readonly phase: FaultPhase;
  /** The turn, from 1. */
  readonly turn: number;
  /** Simulated milliseconds since the episode began. */
  readonly elapsedMs: number;
  /** The simulated clock, milliseconds since 1970 UTC. */
  readonly nowMs: number;
  /** A seeded yes or no with the given probability (fraction 0–1), one of its own for each operation. */
  readonly chance: (fraction: number) => boolean;
  /** Seeded chance of this strike, for choices such as a field. */
  readonly random: () => RandomStream;
  /** After: what the operation answered, as altered by the faults before this one. */
  readonly answer?: Answer;
  /** After: the call wrote something. */
  readonly wrote: boolean;
  /** What this fault remembered; a plain JSON value. */
  readonly memory: Json | undefined;
  /** Arguments of the call that only the changed list of tools knows. */
  readonly extra: JsonObject;
  /** What the service itself says when it refuses, in the world's own style; undefined where it has none. */
  readonly says?: (refusal: ServiceRefusal) => ErrorBody | undefined;
  /** After: what the same call answers over the state of so many turns ago; undefined where nobody knows. */
  readonly past?: (turns: number) => Answer | undefined;
}

/** What a kind wants to happen. */
export type FaultAction = { readonly note?: FaultNote; readonly memory?: Json } & (
  | /** The operation ends with this answer: before, it does not happen; after, the answer gets lost. */
  { readonly do: 'answer'; readonly answer: Answer; readonly delayMs?: number }
  /** The operation takes longer. */
  | { readonly do: 'delay'; readonly delayMs: number }
  /** After: the answer is another one; faults that follow see it. */
  | { readonly do: 'alter'; readonly answer: Answer }
  /** After: what becomes of the call's write, once the call has ended. */
  | { readonly do: 'session'; readonly effect: SessionEffect }
  /** It fires and has nothing to work on; counted as a match, not as applied. */
  | { readonly do: 'skip'; readonly why: string }
);

/** `forget` the write is not kept · `repeat` the call is carried out twice · `overwrite` somebody writes over it. */
export type SessionEffect =
  | { readonly kind: 'forget' }
  | { readonly kind: 'repeat' }
  | { readonly kind: 'overwrite'; readonly set: JsonObject };

/** What a kind knows when it strikes at the beginning of a turn. */
export interface TurnStrike {
  /** The turn that begins, from 1. */
  readonly turn: number;
  /** The state as rules see it. */
  readonly view: () => Json;
  /** The tools as the agent sees them now. */
  readonly tools: readonly ToolEntry[];
  /** The fault's `on` holds for this tool. */
  readonly matches: (tool: string) => boolean;
  readonly random: () => RandomStream;
}

/** What a kind wants to happen at the beginning of a turn. */
export type TurnAction =
  | { readonly do: 'world'; readonly changes: readonly ForeignChange[]; readonly note?: FaultNote }
  | { readonly do: 'clock'; readonly jumpMs: number; readonly note?: FaultNote }
  | { readonly do: 'tools'; readonly changes: readonly ToolChange[]; readonly note?: FaultNote }
  | { readonly do: 'skip'; readonly why: string };

/** What the test of a strike sees: the step with the fault, and the same step of a fork without faults. */
export interface FaultEvidence {
  readonly note: FaultNote;
  readonly seen: SeenAnswer;
  readonly clean: SeenAnswer;
  /** The state after the step, with the fault and without. */
  readonly view: Json;
  readonly cleanView: Json;
  /** The tools an agent sees, with the fault and without. */
  readonly tools: Json;
  readonly cleanTools: Json;
}

/** An answer as an agent gets it. */
export interface SeenAnswer {
  readonly text: string;
  readonly value?: Json;
  readonly isError: boolean;
  readonly durationMs: number;
}

/** Whether an agent can do well under the fault, or the right thing is to say that it could not be done. */
export type FaultOutlook = 'recovers' | 'honest-report';

interface FaultKindData<Parameters> {
  /** kebab-case, as world files write it. */
  readonly name: string;
  readonly family: FaultFamily;
  /** One or two sentences for people: what breaks and what an agent sees. */
  readonly description: string;
  /** What a good agent does, in a few words. */
  readonly remedy: string;
  /** Schema of `with`; strict, every parameter documented with its unit. */
  readonly parameters: z.ZodType<Parameters>;
  /** The phases it allows; the first is the default. */
  readonly phases: readonly [FaultPhase, ...FaultPhase[]];
  /** The operations it can hit; the first is what it hits when `on` names none. */
  readonly operations: readonly [OperationKind, ...OperationKind[]];
  /** The domains it makes sense in. */
  readonly domains: readonly Domain[];
  /** What to expect of a good agent when nothing in the schedule ends the fault; a bounded fault can be outlived. */
  readonly permanently: FaultOutlook;
  /** Runnable in the worlds of this package: a fault and the calls that meet it. */
  readonly example: FaultExample;
}

/**
 * A fault and what meets it in an example world of docs/FAULTS.md: calls in the world of tools, or lines that are typed in
 * the terminal; none for what has no engine yet.
 */
export type FaultExample = { readonly fault: Omit<FaultSpec, 'kind'> } & (
  | { readonly calls: readonly { readonly name: string; readonly arguments: JsonObject }[] }
  | { readonly keys: readonly string[] }
);

/** A kind that strikes operations. */
export interface OperationFaultKind<Parameters> extends FaultKindData<Parameters> {
  readonly strikes: 'operation';
  /** Whether it looks at this operation at all, beyond what `on` says; what it does not look at is not counted. */
  readonly looksAt?: (parameters: Parameters, op: Operation) => boolean;
  /** What should happen, or null where this operation is spared. Pure. */
  readonly strike: (parameters: Parameters, strike: FaultStrike) => FaultAction | null;
  /** It ends the operation or loses its answer, only takes time, changes the answer (see `stage`), or concerns the call's write. Default `ends`. */
  readonly works?: 'ends' | 'delays' | 'alters' | 'defers';
  /** Words (lower case) of which a failure of this kind says one; without them its text is word for word. */
  readonly says?: readonly string[];
  /** `text` faults work on the whole text and come after those on values. Default `value`. */
  readonly stage?: 'value' | 'text';
  /** The fault goes on, whatever the schedule says. */
  readonly holds?: (parameters: Parameters, memory: Json, elapsedMs: number) => boolean;
  /** What to remember of an answer that the fault looked at, struck or not; the answer is the true one. */
  readonly remember?: (parameters: Parameters, seen: FaultStrike) => Json | undefined;
  /** How many turns of earlier states it looks at. */
  readonly pastTurns?: (parameters: Parameters) => number;
  /** Changes of the list of tools that belong to it from the beginning on. */
  readonly tools?: (parameters: Parameters, strike: TurnStrike) => readonly ToolChange[];
  /** True if the strike took effect. */
  readonly tookEffect: (evidence: FaultEvidence, parameters: Parameters) => boolean;
}

/** A kind that strikes between two turns; `on` names the tools it changes, `when` counts turns. */
export interface TurnFaultKind<Parameters> extends FaultKindData<Parameters> {
  readonly strikes: 'turn';
  readonly strike: (parameters: Parameters, strike: TurnStrike) => TurnAction;
  /** It changes the list of tools and lasts until the end. */
  readonly changesTools?: boolean;
  readonly tookEffect: (evidence: FaultEvidence, parameters: Parameters) => boolean;
}

/** A kind whose engine does not exist yet: it is named with its parameters and refused in every world. */
export interface PlannedFaultKind<Parameters> extends Omit<FaultKindData<Parameters>, 'example'> {
  readonly strikes: 'planned';
  readonly example: Pick<FaultExample, 'fault'>;
}

/** One kind of fault. */
export type FaultKind<Parameters = never> =
  | OperationFaultKind<Parameters>
  | TurnFaultKind<Parameters>
  | PlannedFaultKind<Parameters>;

/**
 * Declares a kind that strikes operations. Returns it with its parameter type hidden, as the catalogue keeps it; the
 * schedule only calls its functions with what `parameters` accepted.
 */
export function defineOperationFault<Parameters>(
  kind: Omit<OperationFaultKind<Parameters>, 'strikes'>,
): FaultKind {
  return { ...kind, strikes: 'operation' } as unknown as FaultKind;
}

/** Declares a kind that strikes between turns; like {@link defineOperationFault}. */
export function defineTurnFault<Parameters>(kind: Omit<TurnFaultKind<Parameters>, 'strikes'>): FaultKind {
  return { ...kind, strikes: 'turn' } as unknown as FaultKind;
}

/** Declares a kind whose engine does not exist yet. */
export function definePlannedFault<Parameters>(
  kind: Omit<PlannedFaultKind<Parameters>, 'strikes'>,
): FaultKind {
  return { ...kind, strikes: 'planned' } as unknown as FaultKind;
}

/** An answer that a fault gives: an error of origin `fault`, with the kind as its reference. */
export function faultAnswer(kind: string, text: string): Answer {
  return { text: traced(text, 'fault', kind), isError: true };
}
