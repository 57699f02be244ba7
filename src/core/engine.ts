/**
 * The ports between an executable world and what drives it: `Engine` and `Host`.
 *
 * An engine's run is a generator that yields {@link HostCall}s. The driver (room `sim`) asks the Host and sends the
 * reply back in; it may answer later, while the episode's clock stands still. Engines are pure: no clock, no
 * network, no model, no faults of their own. The order of a run's calls depends on state and action only.
 */
import type { ParsedAction } from './action.js';
import type { Json, JsonObject } from './json.js';
import type { Operation, OperationKind } from './operation.js';
import type { Origin, TracedText } from './origin.js';
import type { Result } from './result.js';
import type { StepStatus } from './turn.js';
import type { FaultedRow } from './world-model.js';

/** What an operation or a whole action answered. */
export interface Answer {
  /** The text an agent sees, with origins. */
  readonly text: TracedText;
  /** The structured form (for tools the `structuredContent`), where there is one. */
  readonly value?: Json;
  /** The environment marks this answer as an error. */
  readonly isError: boolean;
  /** The MCP content blocks, where the answer is more than one text block. */
  readonly content?: Json;
  /** State changes that come with an answer given from outside; the engine validates them before use. */
  readonly effects?: Json;
  /** Where the effects came from; rows taken in carry it. Default `predicted`. */
  readonly effectsOrigin?: Origin;
}

/** What an engine asks the Host. */
export type HostCall =
  /** Before an operation happens; nothing is written yet. */
  | { readonly phase: 'before'; readonly op: Operation }
  /** After an operation happened; writes stand, whatever the reply. */
  | { readonly phase: 'after'; readonly op: Operation; readonly answer: Answer }
  /** An operation the engine cannot compute; `fallback` is seeded filler it could use, if the world allows. */
  | { readonly phase: 'unknown'; readonly op: Operation; readonly fallback?: Answer }
  /** Nothing is asked: a long run lets others have the processor. The reply is to proceed. */
  | { readonly phase: 'breath' };

/** What the Host replies. */
export type HostReply =
  /** Go on: do the operation, pass the answer, or (for `unknown`) use the fallback. */
  | { readonly do: 'proceed'; readonly delayMs?: number }
  /** Use this answer. In phase `before` the operation does not happen. */
  | { readonly do: 'answer'; readonly answer: Answer; readonly delayMs?: number }
  /** No answer: the step ends with this status, a null observation and the state as before. */
  | {
      readonly do: 'abstain';
      readonly status: 'abstained' | 'limit' | 'model-failed';
      readonly reason: string;
    };

/** The outcome of one run. */
export interface EngineOutcome {
  readonly status: StepStatus;
  /** Null exactly for `abstained`, `limit` and `model-failed`. */
  readonly answer: Answer | null;
  /** Why there is no answer, or why the action was refused. */
  readonly reason?: string;
  /** Simulated milliseconds that the action took, delays included. */
  readonly durationMs: number;
  /** Marks for the turn, for example `unknown-tool` or `protocol-error`. */
  readonly flags: readonly string[];
}

/** What a run may know of the world outside the engine. */
export interface RunContext {
  /** The episode's simulated clock, milliseconds since 1970 UTC. */
  readonly nowMs: number;
  /** The number of this turn, from 1. */
  readonly turn: number;
  /** Who decides the small operations inside an action; absent where nobody listens, and then nothing is asked. */
  readonly consult?: Consultant;
}

/** What a {@link Consultant} says: go on (and, with `watch`, show what came of it), or this is the answer. */
export type ConsultReply =
  | { readonly do: 'proceed'; readonly delayMs?: number; readonly watch?: boolean }
  | { readonly do: 'answer'; readonly answer: Answer; readonly delayMs?: number };

/**
 * The Host's side of operations that happen by the thousand inside one action and cannot wait: starts of programs, reads
 * and writes of files. It answers at once, because faults are decided at once; the engine asks only for the kinds that
 * somebody listens to.
 */
export interface Consultant {
  /** The kinds of operations that are asked about. */
  readonly listens: readonly OperationKind[];
  /** Before the operation happens. */
  before(op: Operation): ConsultReply;
  /** After it happened; asked only where `before` wanted to `watch`. */
  after(op: Operation, answer: Answer): ConsultReply;
}

/** A run in progress: yields calls to the Host, returns the outcome. Never throws for what an agent said. */
export type EngineRun = Generator<HostCall, EngineOutcome, HostReply>;

/** What an absorption may know. */
export interface AbsorbContext extends RunContext {
  /** Where the observation came from; rows taken in carry it. Default `recorded`. */
  readonly origin?: Origin;
  /** The environment marked the observation as an error: what it answers did not happen. Default false. */
  readonly isError?: boolean;
}

/** What {@link EngineSession.absorb} did with a foreign observation. */
export interface AbsorbReport {
  /** Rows, files or facts taken into the state. */
  readonly absorbed: number;
  /** What the observation showed that contradicts the state, in words. */
  readonly conflicts: readonly string[];
}

/** One row that somebody other than the agent adds, changes or deletes. */
export interface ForeignChange {
  readonly collection: string;
  readonly change: 'created' | 'updated' | 'deleted';
  /** The new row, or the row that is meant (its key fields count). */
  readonly row: JsonObject;
  /** For `updated`: the fields that change. */
  readonly set?: JsonObject;
}

/** One world being lived in, as the engine sees it. */
export interface EngineSession {
  /** Starts the run of one parsed action. Finish it before starting another. */
  run(action: ParsedAction, context: RunContext): EngineRun;
  /** Takes in an observation that this engine did not produce and updates the state with what it shows. */
  absorb(action: ParsedAction, observation: string, context: AbsorbContext): AbsorbReport;
  /**
   * Carries out what time alone brings up to a moment (`nowMs`), without anybody calling. True where the state changed.
   * A run does the same first, so it is only needed where the state is looked at between runs or at the end.
   */
  advance(context: RunContext): boolean;
  /**
   * Carries out what another actor does to the state, checked like every write, all or nothing; values carry the
   * origin `fault`. Returns what was touched, or why nothing was.
   */
  change(changes: readonly ForeignChange[]): Result<readonly FaultedRow[], string>;
  /**
   * Sets the world's own clock by so many milliseconds (negative: backwards); what waits goes on waiting as long as
   * before. Absent where the clock of the run context is the only one.
   */
  jumpClock?(jumpMs: number): void;
  /** Who calls now, as rules see it as `session`; `{}` for nobody. */
  caller(): JsonObject;
  /** The state as the rules language sees it under the name `state`. */
  view(): Json;
  /** What an agent can do, as the domain describes it (for tools: the original definitions). */
  actionSpace(): Json;
  /**
   * Runs a command line in the world as it is, without changing it: what a verifier asks. Absent where the world has no
   * shell. Null where it did not end within its limits.
   */
  command?(line: string): { readonly exitCode: number; readonly stdout: string } | null;
  /** A versioned byte string of the whole state; restorable in another process. */
  snapshot(): Uint8Array;
  /** An independent session that shares structure; O(1). */
  fork(): EngineSession;
}

/** An executable world: makes sessions out of a specification it understands. */
export interface Engine<Spec> {
  /** Short name, for example `tools`. */
  readonly name: string;
  /** Opens a session in its start state. Raises `engine/bad-spec`. The seed controls generated data only. */
  open(spec: Spec, seed: number): EngineSession;
  /** Restores a session. Raises `engine/bad-snapshot` for other versions, other worlds and damaged bytes. */
  restore(spec: Spec, seed: number, snapshot: Uint8Array): EngineSession;
}

/**
 * Decides what becomes of each operation: routing, faults, pinned facts, the model. Replies may be late; the
 * episode's clock stands still meanwhile.
 */
export interface Host {
  /** Go on, or fail or delay the operation here (a fault before the write). */
  before(op: Operation): HostReply | Promise<HostReply>;
  /** Pass the answer on, or lose or alter it (a fault after the write). */
  after(op: Operation, answer: Answer): HostReply | Promise<HostReply>;
  /** Answer what the engine cannot compute, allow its fallback, or abstain. */
  unknown(op: Operation, fallback: Answer | undefined): HostReply | Promise<HostReply>;
}
