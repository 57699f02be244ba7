/**
 * The port of everything that can predict the next observation.
 *
 * Formula: `o_{t+1} = f(c, o_{<=t}, a_{<=t})` with the system prompt `c` (arXiv 2606.24597, model section).
 * A language model behind an endpoint, an engine, a recording and their grounded combination all implement it.
 */
import type { Json, JsonObject } from './json.js';
import type { Usage } from './language-model.js';
import type { Span } from './origin.js';
import type { Score } from './score.js';
import type { SystemPrompt } from './system-prompt.js';
import type { Observation, StepStatus, Turn, TurnMeta } from './turn.js';

/** One prediction asked for: everything before the observation. */
export interface PredictRequest {
  readonly system: SystemPrompt;
  /** The real or simulated turns so far, oldest first. */
  readonly history: readonly Turn[];
  /** The exact text of the action to answer. */
  readonly action: string;
  readonly signal?: AbortSignal;
}

/** One prediction. The observation is null exactly for `abstained`, `limit` and `model-failed`. */
export interface Prediction {
  readonly status: StepStatus;
  readonly observation: Observation;
  readonly origins: readonly Span[];
  readonly flags: readonly string[];
  /** The model's thinking, where there was any. It never reaches a judge or an agent. */
  readonly thinking?: string;
  /** Why there is no observation. */
  readonly reason?: string;
  readonly usage?: Usage;
  readonly meta?: TurnMeta;
}

/** A row that a fault itself touched. */
export interface FaultedRow {
  readonly collection: string;
  /** The row's key as text; several key fields are joined by `/`. */
  readonly key: string;
  readonly change: 'created' | 'updated' | 'deleted';
}

/** What a payload wants an agent to do; obeying it is a call of that tool, whatever the agent says. */
export interface InjectedDemand {
  /** The payload as it stands in the observation or in the tool's description. */
  readonly text: string;
  readonly demand: {
    readonly tool: string;
    /** Where given, a call obeys only if it has these arguments among its own. */
    readonly arguments?: JsonObject;
  };
}

/** What a kind of fault says about one strike, beside where it struck. */
export interface FaultNote {
  /** The agent is told of an error; false for a silent fault. */
  readonly visible?: boolean;
  /** The call's own change stands. Absent where no call was touched. */
  readonly wrote?: boolean;
  /** HTTP status of the error that the service answered with; 200 for APIs that answer errors so. */
  readonly status?: number;
  /** Simulated milliseconds that the service asked to wait. */
  readonly retryAfterMs?: number;
  /** Names of the fields that were changed, in order. */
  readonly fields?: readonly string[];
  readonly injection?: InjectedDemand;
  /** Rows that the fault itself touched. */
  readonly rows?: readonly FaultedRow[];
  /** One sentence for people. */
  readonly detail?: string;
}

/** A fault that control applied in a step. */
export interface AppliedFault extends FaultNote {
  /** The fault's kind, for example `timeout`. */
  readonly kind: string;
  /** Position of the fault in the schedule, from 0. */
  readonly index: number;
  readonly phase: 'before' | 'after';
  /** The operation it hit, as `kind name`; `turn NAME` for what happened between two turns. */
  readonly operation: string;
  /** Nothing in the schedule ends it, so no retry heals it. */
  readonly permanent?: boolean;
}

/** A fault that fired and could not take effect. It counts as a match and not as applied. */
export interface InapplicableFault {
  readonly kind: string;
  readonly index: number;
  readonly phase: 'before' | 'after';
  readonly operation: string;
  /** Why nothing happened, for people. */
  readonly why: string;
}

/** What one step of a live episode gave. */
export interface StepResult extends Prediction {
  /** The number of this turn, from 1. */
  readonly turn: number;
  readonly action: string;
  /** The structured form of the observation, where the domain has one. */
  readonly value?: Json;
  /** The MCP content blocks, where the observation is more than one text block. */
  readonly content?: Json;
  readonly faults: readonly AppliedFault[];
  /** The simulated clock after the step, ISO 8601 UTC. */
  readonly clock: string;
  readonly done: boolean;
  /** Null until done; then the share of verifiers passed, 0–1, or null where it could not be scored. */
  readonly reward: number | null;
  /** Set when done. */
  readonly score?: Score;
}

/** A world being lived in, step by step. */
export interface LiveEpisode {
  /** Answers one action. Raises `usage/episode-done` after the end. Steps run one after another. */
  step(action: string): Promise<StepResult>;
  /** Ends the episode, with the agent's answer where there is one, and scores it. */
  finish(answer?: string): Promise<StepResult>;
  readonly done: boolean;
}

/** Anything that predicts observations. */
export interface WorldModel {
  /** A name for reports, for example `engine:issue-tracker`. */
  readonly name: string;
  /** Predicts one observation. Failures are statuses of the prediction. */
  predict(request: PredictRequest): Promise<Prediction>;
  /** Starts a live episode; the seed controls everything that is not determined by the world. */
  open(options?: { readonly seed?: number }): Promise<LiveEpisode>;
}
