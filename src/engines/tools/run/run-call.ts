/**
 * One call in progress: its draft of the state, its time, and its way to the Host.
 *
 * The draft starts as the session's state and is only kept when the run ends well. Each operation is yielded before
 * and after it happens. A reply that ends the call travels as a {@link StopCall}, a failure that the tool itself
 * answers as a {@link ToolFailure}; both are caught by `run.ts` (or per item by `run-batch.ts`) and never leave
 * the engine.
 */
import {
  type Answer,
  type HostCall,
  type HostReply,
  type Json,
  type JsonObject,
  LIMITS,
  type Operation,
  type OperationKind,
  type RunContext,
  traced,
} from '../../../core/index.js';
import type { ToolDefinition } from '../../../domains/index.js';
import type { Meter } from '../../../rules/index.js';
import type { ToolWorld } from '../engine-world.js';
import type { Collection, StoredRow } from '../service.js';
import type { StoreState } from '../store/store.js';
import type { Facts } from './run-facts.js';

/** A part of a run: yields to the Host, returns T. */
export type Steps<T> = Generator<HostCall, T, HostReply>;

/** How the Host ended a call early. */
export type Stop =
  | { readonly kind: 'answer'; readonly answer: Answer; readonly written: boolean }
  | {
      readonly kind: 'null';
      readonly status: 'abstained' | 'limit' | 'model-failed';
      readonly reason: string;
    };

/** Carries a {@link Stop} up to whoever runs the call. */
export class StopCall {
  constructor(readonly stop: Stop) {}
}

/** The tool answers an error. */
export class ToolFailure {
  constructor(
    readonly message: string,
    /**
     * One word for lists of results: `not-found`, `exists`, `already`, `refused`, `failed`, `conflict`, `permission`,
     * `unauthenticated`, `rate-limit`, `precondition`, `unavailable`.
     */
    readonly kind: string = 'failed',
    readonly flags: readonly string[] = [],
    /** What the form of the error may show. */
    readonly details: FailureDetails = {},
    /** The message is the tool's own already. */
    readonly isWorded = false,
  ) {}
}

/** What is known of a failure beside its sentence. */
export interface FailureDetails {
  /** The argument or field that it is about. */
  readonly field?: string;
  /** The kind of thing, for example `issue`, and which one. */
  readonly resource?: string;
  readonly id?: string;
  /** What a template of the tool's own may show beside the arguments. */
  readonly row?: JsonObject;
  /** Whole seconds after which a new try may do better. */
  readonly retryAfterSeconds?: number;
}

/** Which rows the caller of a tool may see and change. */
export interface RowGuard {
  /** Undefined where the row may be seen, else how it is refused. */
  refusal(collection: Collection, row: StoredRow): ToolFailure | 'hidden' | undefined;
}

/** A call in progress. */
export class Call {
  /** The draft of the state. */
  state: StoreState;
  /** Simulated milliseconds added by the Host's replies. */
  delayMs = 0;
  /** Marks for the turn. */
  readonly flags: string[] = [];
  /** What the plan found out, and how the tool failed; for whoever looks into a trial of a call. */
  facts: Facts | undefined;
  failure: ToolFailure | undefined;
  /** What its rules may still take, all together. */
  readonly meter: Meter = { left: LIMITS.stepWork };
  /** The state that a failure goes back to: as it was, with time gone by and quotas charged. */
  base: StoreState;
  /** Who calls. */
  session: JsonObject;
  /** The arguments of the batch item that runs, or of the call. */
  itemArgs: JsonObject;
  /** Rows that the caller may not see; none outside the tool's own reading and writing. */
  guard: RowGuard | undefined;
  /** How deep in side effects the call is; 0 in what the tool itself does. */
  depth = 0;
  /** The call is of a kind that the recording of the service never showed. */
  isUnsure = false;
  /** Rows that the tool itself created. */
  created = 0;
  /** The moment that a scheduled transition happens at, while it does. */
  momentMs: number | undefined;
  /** The value of \`state\` in rules, made when a rule first asks for it. */
  readonly stateBinding = (): JsonObject => this.world.view.ruleView(this.state, this);
  private readonly paid = new WeakSet<object>();
  private operations = 0;
  private text: { readonly ms: number; readonly text: string } | undefined;

  constructor(
    readonly world: ToolWorld,
    /** The state before the call. */
    readonly root: StoreState,
    readonly tool: ToolDefinition,
    readonly args: JsonObject,
    readonly context: RunContext,
  ) {
    this.state = root;
    this.base = root;
    this.session = root.session;
    this.itemArgs = args;
  }

  /** The simulated clock, milliseconds since 1970 UTC. */
  get nowMs(): number {
    return this.momentMs ?? this.context.nowMs;
  }

  /** The simulated clock as ISO 8601 text. */
  get nowText(): string {
    const ms = this.nowMs;
    if (this.text?.ms !== ms) this.text = { ms, text: new Date(ms).toISOString() };
    return this.text.text;
  }

  /** Pays for work; raises a {@link StopCall} with status `limit` when the step's budget is used up. */
  spend(work: number): void {
    this.meter.left -= work;
    if (this.meter.left >= 0) return;
    const reason = `${this.tool.name} takes more than ${LIMITS.stepWork} steps of rules and rows (limit stepWork)`;
    throw new StopCall({ kind: 'null', status: 'limit', reason });
  }

  /** Pays for something that is kept, once a call, so that it costs the same whether it had to be made or not. */
  spendOnce(kept: object, work: number): void {
    if (this.paid.has(kept)) return;
    this.paid.add(kept);
    this.spend(work);
  }

  /** An operation of this tool. */
  operation(kind: OperationKind, args: Json, more: { target?: string; index?: number } = {}): Operation {
    return { kind, name: this.tool.name, args, ...more };
  }

  /** Asks before an operation. Returns when it may happen; otherwise raises a {@link StopCall}. */
  *before(op: Operation): Steps<void> {
    this.count(op);
    const reply = yield { phase: 'before', op };
    this.take(reply, false);
  }

  /** Tells what an operation gave. Returns when the answer passes; otherwise raises a {@link StopCall}. */
  *after(op: Operation, answer: Answer): Steps<void> {
    const reply = yield { phase: 'after', op, answer };
    this.take(reply, true);
  }

  /** Asks for what the engine cannot compute. Undefined: the fallback is to be used. */
  *unknown(op: Operation, fallback: Answer | undefined): Steps<Answer> {
    this.count(op);
    const reply = yield { phase: 'unknown', op, ...(fallback === undefined ? {} : { fallback }) };
    if (reply.do === 'answer') {
      this.delay(reply.delayMs);
      return reply.answer;
    }
    this.take(reply, false);
    if (fallback !== undefined) return fallback;
    const reason = `nobody can compute the answer of ${op.name}, and this world allows no generated text`;
    throw new StopCall({ kind: 'null', status: 'abstained', reason });
  }

  private count(op: Operation): void {
    this.operations += 1;
    if (this.operations <= LIMITS.operationsPerStep) return;
    const reason = `${op.name} takes more than ${LIMITS.operationsPerStep} operations (limit operationsPerStep)`;
    throw new StopCall({ kind: 'null', status: 'limit', reason });
  }

  private delay(ms: number | undefined): void {
    if (ms !== undefined && ms > 0) this.delayMs += ms;
  }

  private take(reply: HostReply, written: boolean): void {
    if (reply.do === 'abstain') {
      throw new StopCall({ kind: 'null', status: reply.status, reason: reply.reason });
    }
    this.delay(reply.delayMs);
    if (reply.do === 'answer') throw new StopCall({ kind: 'answer', answer: reply.answer, written });
  }
}

/** The answer of a data operation, as the Host sees it: how many rows, and their data. */
export function dataAnswer(text: string, value: Json): Answer {
  return { text: traced(text, 'computed'), value, isError: false };
}

/** Runs steps to their end with a Host that lets everything pass. */
export function runAlone<T>(steps: Steps<T>): T {
  let next: IteratorResult<HostCall, T> = steps.next();
  const proceed: HostReply = { do: 'proceed' };
  while (next.done !== true) next = steps.next(proceed);
  return next.value;
}

/** An error answer of one text. */
export function errorAnswer(text: string): Answer {
  return { text: traced(text, 'computed'), isError: true };
}
