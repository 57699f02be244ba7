/**
 * One episode that lives in a service: its steps one after another, none carried out twice, none answered before it
 * is stored.
 *
 * The idea: a step runs on a fork; only when the store has its turn does the fork become the episode. A commit that
 * fails therefore fails the step and leaves the episode as it was. A step sent again under the same request id is
 * answered with what it was answered then.
 */
import { type Action, LIMITS, ServiceError, type StepResult, type Turn, UmweltError } from '../core/index.js';
import type { Episode } from '../sim/index.js';
import type { World } from '../worlds/index.js';
import type { EpisodeStore, StoredEpisode, StoredEvent } from './episode-store.js';
import type { Metrics } from './metrics.js';
import type { Quotas } from './quotas.js';

/** What a step may say beside its action. */
export interface StepOptions {
  /** The same id never acts twice. */
  readonly requestId?: string;
  /** The number that this turn must get; another is `service/conflict`. */
  readonly turn?: number;
}

/** Called after each turn that was stored. */
export type HostedListener = (event: StoredEvent) => void;

/** What a hosted episode needs from its service. */
export interface HostContext {
  readonly store: EpisodeStore;
  /** The wall clock, milliseconds since 1970. */
  readonly nowMs: () => number;
  readonly metrics: Metrics;
  readonly quotas: Quotas;
}

/** How an episode begins its life in a service. */
export interface HostedStart extends HostContext {
  /** May be let go when the service is full. */
  readonly transient: boolean;
  /** The turns that the store has already. */
  readonly events: readonly StoredEvent[];
  /** Stays in memory until it is closed: somebody in this process holds it. Default false. */
  readonly keepAwake?: boolean;
}

/** A step that was sent under a request id: under way, or the number of its turn in the store. */
type Sent = { readonly action: Action; readonly answer: Promise<StepResult> } | number;

/** An episode that lives in a service. Made by `Episodes`. */
export class HostedEpisode {
  readonly stored: StoredEpisode;
  /** May be let go when the service is full. */
  readonly transient: boolean;
  readonly #context: HostContext;
  readonly #sent = new Map<string, Sent>();
  readonly #listeners = new Set<HostedListener>();
  #episode: Episode;
  #queue: Promise<unknown> = Promise.resolve();
  #waiting = 0;
  #closed = false;
  /** Set once the episode sleeps: brings back what took this object's place. */
  #wake: (() => Promise<HostedEpisode>) | null = null;
  readonly #keepAwake: boolean;
  /** When the last answer was given; null before the first. */
  #answeredAtMs: number | null = null;
  #seenMs: number;

  constructor(stored: StoredEpisode, episode: Episode, start: HostedStart) {
    this.stored = stored;
    this.transient = start.transient;
    this.#episode = episode;
    this.#context = start;
    this.#seenMs = start.nowMs();
    this.#keepAwake = start.keepAwake ?? false;
    for (const { requestId, turn } of start.events) {
      if (requestId !== null) this.#sent.set(requestId, turn);
    }
  }

  /** Its id, as it stands in addresses. */
  get id(): string {
    return this.stored.id;
  }

  /** When somebody acted in it last, or opened it; milliseconds since 1970. */
  get seenMs(): number {
    return this.#seenMs;
  }

  /** The world that is lived in. */
  get world(): World {
    return this.#episode.world;
  }

  /** The episode as it is now. Read it, fork it; never step it. */
  get episode(): Episode {
    return this.#episode;
  }

  /**
   * Answers one action. Rejects with `service/conflict` for another turn than expected or a request id that named
   * another action, `service/busy` when too many wait, `service/not-found` after it was closed,
   * `usage/episode-done` after the end, `service/store-failed` when the turn could not be kept.
   */
  async step(action: Action, options: StepOptions = {}): Promise<StepResult> {
    if (this.#wake !== null) return (await this.#wake()).step(action, options);
    return this.#once({ action, options, isFinish: false, run: (fork) => fork.step(action) });
  }

  /** Ends the episode, with the agent's answer where there is one. Rejects like `step`. */
  async finish(answer?: string, options: StepOptions = {}): Promise<StepResult> {
    if (this.#wake !== null) return (await this.#wake()).finish(answer, options);
    const action = JSON.stringify({ answer: answer ?? null });
    return this.#once({ action, options, isFinish: true, run: (fork) => fork.finish(answer) });
  }

  /** Calls the listener after each stored turn. Returns what takes it off again. */
  onTurn(listener: HostedListener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Nobody waits for it, listens to it or holds it: it may leave memory. */
  get canSleep(): boolean {
    return (
      !this.#keepAwake &&
      !this.#closed &&
      this.#wake === null &&
      this.#waiting === 0 &&
      this.#listeners.size === 0
    );
  }

  /**
   * Leaves memory: from now on this object passes steps on to what `wake` brings back. Only while {@link canSleep}.
   */
  sleep(wake: () => Promise<HostedEpisode>): void {
    this.#wake = wake;
    this.#sent.clear();
  }

  /** Takes no further steps; the one that runs is waited for. */
  async close(): Promise<void> {
    this.#closed = true;
    await this.#queue;
    this.#listeners.clear();
  }

  async #once(step: Step): Promise<StepResult> {
    const { requestId } = step.options;
    if (requestId === undefined) return this.#enqueue(step);
    const before = this.#sent.get(requestId);
    if (before !== undefined) return this.#again(before, step.action, requestId);
    const answer = this.#enqueue(step);
    this.#sent.set(requestId, { action: step.action, answer });
    try {
      const result = await answer;
      this.#sent.set(requestId, result.turn);
      return result;
    } catch (error) {
      // What was not carried out may be tried again under the same id.
      this.#sent.delete(requestId);
      throw error;
    }
  }

  /** The answer that a step got before, where it is the same step. */
  async #again(sent: Sent, action: Action, requestId: string): Promise<StepResult> {
    if (typeof sent !== 'number') {
      if (sent.action !== action) throw reused(requestId);
      return sent.answer;
    }
    const [event] = await this.#context.store.events(this.id, sent - 1, 1);
    if (event === undefined) throw gone(this.id);
    if (event.entry.action !== action) throw reused(requestId);
    return event.result;
  }

  #enqueue(step: Step): Promise<StepResult> {
    if (this.#waiting > LIMITS.waitingSteps) return Promise.reject(tooManyWaiting(this.#waiting));
    try {
      this.#context.quotas.take('steps');
    } catch (error) {
      return Promise.reject(error);
    }
    const arrivedMs = this.#context.nowMs();
    this.#seenMs = arrivedMs;
    this.#waiting++;
    const next = this.#queue.then(() => this.#measured(step, arrivedMs)).finally(() => this.#waiting--);
    this.#queue = next.catch(() => undefined);
    return next;
  }

  async #measured(step: Step, arrivedMs: number): Promise<StepResult> {
    const { metrics } = this.#context;
    const startMs = performance.now();
    const seconds = (): number => (performance.now() - startMs) / 1000;
    try {
      const result = await this.#run(step, arrivedMs);
      metrics.step(result.status, seconds());
      return result;
    } catch (error) {
      metrics.step('failed', seconds());
      throw error;
    }
  }

  async #run(step: Step, arrivedMs: number): Promise<StepResult> {
    if (this.#closed) throw gone(this.id);
    const { store, nowMs } = this.#context;
    const turn = this.#episode.turnCount + 1;
    const wanted = step.options.turn;
    if (wanted !== undefined && wanted !== turn) throw otherTurn(wanted, turn);
    const fork = this.#episode.fork();
    await this.#passTime(fork, arrivedMs);
    let entry: Turn | undefined;
    const off = fork.onTurn((made) => {
      entry = made;
    });
    const { thinking: _thinking, ...result } = await step.run(fork);
    off();
    if (entry === undefined) throw new Error('a step came back without its turn');
    const recordedAt = new Date(nowMs()).toISOString();
    const event: StoredEvent = {
      turn,
      requestId: step.options.requestId ?? null,
      recordedAt,
      entry,
      result,
      ...(step.isFinish && { isFinish: true }),
    };
    await keep(store, this.id, event);
    this.#episode = fork;
    this.#answeredAtMs = nowMs();
    for (const listener of this.#listeners) listener(event);
    return result;
  }

  /** With a live clock the simulated time goes on while the agent thinks: from the last answer to this arrival. */
  async #passTime(fork: Episode, arrivedMs: number): Promise<void> {
    if (this.stored.clock !== 'live' || this.#answeredAtMs === null || fork.done) return;
    const passedMs = arrivedMs - this.#answeredAtMs;
    // Calls that were sent together have waited for one another, not for the agent.
    if (passedMs > 0) await fork.wait(passedMs);
  }
}

interface Step {
  readonly action: Action;
  readonly options: StepOptions;
  readonly isFinish: boolean;
  readonly run: (fork: Episode) => Promise<StepResult>;
}

async function keep(store: EpisodeStore, id: string, event: StoredEvent): Promise<void> {
  try {
    await store.append(id, event);
  } catch (cause) {
    if (UmweltError.isInstance(cause)) throw cause;
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new ServiceError(
      `turn ${event.turn} of episode ${id} could not be stored: ${why}. The episode is as before; send the step again`,
      {
        code: 'service/store-failed',
        cause,
      },
    );
  }
}

function reused(requestId: string): ServiceError {
  return new ServiceError(
    `request_id ${JSON.stringify(requestId.slice(0, 100))} was sent before with another action; give each step an id of its own`,
    { code: 'service/conflict', data: { requestId } },
  );
}

function otherTurn(wanted: number, next: number): ServiceError {
  return new ServiceError(
    `the next turn is ${next}; turn ${wanted} was expected. Read the turns after ${Math.min(wanted, next) - 1} and go on from there`,
    { code: 'service/conflict', data: { wanted, next } },
  );
}

function tooManyWaiting(waiting: number): ServiceError {
  return new ServiceError(
    `${waiting} steps of this episode wait already (limit waitingSteps); send steps one after another`,
    { code: 'service/busy', data: { waiting } },
  );
}

function gone(id: string): ServiceError {
  return new ServiceError(`the episode ${id} was closed`, { code: 'service/not-found', data: { id } });
}
