/**
 * One run: an agent in a world with a set of faults, from its first turn to its record.
 *
 * The runner watches every turn whoever made it, stops the agent when a budget is used up, gives its answer to the
 * world, and writes down what was there. It judges nothing; a run that could not take place at all is a record too,
 * of class `infrastructure`. Not covered: the order of runs, pairs and files (`run-suite.ts`).
 */
import { hashJson, isNullStatus, type Json, type JsonObject, renderJson, type Score } from '../core/index.js';
import type { ToolDefinition } from '../domains/index.js';
import type { Episode, EpisodeEnd } from '../sim/index.js';
import type { World } from '../worlds/index.js';
import {
  type Agent,
  AgentFailure,
  type AgentReport,
  type AgentSession,
  AgentStopped,
  type CallResult,
} from './agent.js';
import { calledBy } from './called-tool.js';
import type { FaultSet } from './fault-sets.js';
import { createEffectLog, type RowEffect } from './row-effects.js';
import { BudgetWatch, type RunBudget } from './run-budget.js';
import type { PlaceOpener, RunPlace } from './run-place.js';
import { type OutcomeClass, RUN_RECORD_VERSION, type RunEndReason, type RunRecord } from './run-record.js';
import { startHashOf, stateHash } from './state-hash.js';
import { withoutSecrets } from './without-secrets.js';

/** What is to be run. */
export interface RunPlan {
  readonly id: string;
  readonly pair: string;
  /** The place in the suite's plan, from 1. */
  readonly number: number;
  readonly world: World;
  readonly faults: FaultSet;
  readonly agent: Agent;
  /** From 1. */
  readonly trial: number;
  readonly seed: number;
  readonly budget: RunBudget;
}

/** What a run needs from outside. */
export interface RunSetting {
  /** For agents that act in this process. */
  readonly local: PlaceOpener;
  /** For agents that reach the run over MCP. */
  readonly hosted: PlaceOpener;
  /** The package's version, for the record. */
  readonly version: string;
  /** What must not be in a record, see `without-secrets.ts`. */
  readonly secrets?: readonly string[];
}

/** A finished run: its record (not judged yet) and the tools that its `tools` hash stands for. */
export interface FinishedRun {
  readonly record: RunRecord;
  readonly tools: readonly ToolDefinition[];
}

/** How long a process that was stopped may take to end, and a function in this process to notice. */
const STOP_GRACE_MS = { process: 5_000, function: 100 } as const;
/** Actions after the end that are answered with the reason; an agent that goes on gets no answer any more. */
const LATE_ACTIONS = 100;

/** Runs once. Rejects only for bugs of this package. */
export async function runOne(plan: RunPlan, setting: RunSetting): Promise<FinishedRun> {
  const startedAt = new Date().toISOString();
  const began = performance.now();
  const lived = await live(plan, setting);
  const wall = { startedAt, durationMs: Math.round(performance.now() - began) };
  const record = recordOf(plan, lived, { wall, version: setting.version });
  const secrets = SCRIPTED.has(plan.agent.kind)
    ? []
    : [...(setting.secrets ?? []), ...(plan.agent.secrets ?? []), ...lived.tokens];
  return {
    record: withoutSecrets(record as unknown as JsonObject, secrets) as unknown as RunRecord,
    tools: lived.tools,
  };
}

/** Agents that can say nothing that they were not told. */
const SCRIPTED: ReadonlySet<string> = new Set(['careless', 'careful', 'scripted']);

interface Ending {
  readonly reason: RunEndReason;
  readonly detail: string;
}

interface Lived {
  readonly episode: Episode | null;
  readonly tools: readonly ToolDefinition[];
  readonly startHash: string | null;
  readonly startClock: string | null;
  readonly watch: BudgetWatch;
  readonly effects: readonly RowEffect[];
  readonly ending: Ending;
  readonly answer: string | null;
  readonly log: string | null;
  /** Open this run, or opened it. */
  readonly tokens: readonly string[];
}

async function live(plan: RunPlan, setting: RunSetting): Promise<Lived> {
  const { world, seed, faults, budget, agent } = plan;
  const watch = new BudgetWatch(budget);
  let place: RunPlace;
  try {
    place = await (agent.hosted === true ? setting.hosted : setting.local).open(world, {
      seed,
      faults: [...world.file.faults, ...faults.specs],
      maxTurns: budget.maxTurns,
    });
  } catch (error) {
    const ending: Ending = {
      reason: 'world-failed',
      detail: `the world could not be opened: ${messageOf(error)}`,
    };
    return {
      episode: null,
      tools: [],
      startHash: null,
      startClock: null,
      watch,
      effects: [],
      ending,
      answer: null,
      log: null,
      tokens: [],
    };
  }
  const tools = toolsOf(place.episode);
  const startHash = startHashOf(world, seed, () => place.episode.view());
  const startClock = place.episode.clock;
  const log = createEffectLog(world, place.episode.view());
  let turn = place.episode.turnCount;
  // The episode may be another object after each turn, so it is looked at anew.
  place.onTurn(() => log.saw(++turn, place.episode.view()));
  const run = new LiveRun(plan, place, watch);
  try {
    const { report, ending } = await run.live();
    return {
      episode: place.episode,
      tools,
      startHash,
      startClock,
      watch,
      effects: log.effects,
      ending,
      ...report,
      tokens: agent.hosted === true ? [place.exposed().token] : [],
    };
  } finally {
    await place.close();
  }
}

/** What the agent left behind, with null for what is missing. */
interface Left {
  readonly answer: string | null;
  readonly log: string | null;
  readonly note: string | null;
}

/** One run under way: the session that the agent acts through, and what stops it. */
class LiveRun {
  private readonly stopper = new AbortController();
  private readonly off: () => void;
  /** When the last answer went to the agent, by the host's clock; null before the first. */
  private answeredAt = performance.now();
  private lateActions = 0;
  private afterAnswer: NodeJS.Timeout | undefined;

  constructor(
    private readonly plan: RunPlan,
    private readonly place: RunPlace,
    private readonly watch: BudgetWatch,
  ) {
    const startMs = Date.parse(place.episode.clock);
    this.off = place.onTurn((turn, result) => {
      const isError = result.status !== 'ok' || turn.meta?.isError === true;
      this.stop(this.watch.see(calledBy(plan.world, turn.action, isError), result, isError));
      if (plan.agent.hosted === true) this.seeEnd();
      const seconds = (Date.parse(result.clock) - startMs) / 1000;
      if (seconds > plan.budget.maxSimulatedSeconds) this.stop(overSimulated(plan.budget));
    });
  }

  /** Lets the agent live to its end and gives its answer to the world. */
  async live(): Promise<{ report: Left; ending: Ending }> {
    const { agent, budget, world } = this.plan;
    const { signal } = this.stopper;
    const timer = setTimeout(() => this.stop(overTime(budget)), budget.maxSeconds * 1000);
    const access = { world, expose: async () => this.place.exposed() };
    let report: Left = { answer: null, log: null, note: null };
    let ending: Ending | null = null;
    const running = Promise.resolve().then(() => agent.run(this.session(), access));
    try {
      const done = await Promise.race([running, rejectedBy(signal)]);
      report = leftBy(done);
    } catch (error) {
      ending = endingOf(error);
      report = {
        answer: null,
        note: null,
        log: await logOf(
          running,
          error,
          agent.hosted === true ? STOP_GRACE_MS.process : STOP_GRACE_MS.function,
        ),
      };
    } finally {
      clearTimeout(timer);
      clearTimeout(this.afterAnswer);
      this.off();
    }
    return this.close(report, ending);
  }

  private async close(report: Left, failed: Ending | null): Promise<{ report: Left; ending: Ending }> {
    const { place } = this;
    // An agent that swallowed its stop was stopped all the same.
    const stopped = this.stopper.signal.aborted ? endingOf(this.stopper.signal.reason) : null;
    const before = await this.finish(failed === null ? report.answer : null);
    const said = report.note === null ? '' : `; ${report.note}`;
    const own: Ending = failed ?? { reason: 'finished', detail: `the agent ended by itself${said}` };
    const ending = stopped ?? (before === null ? own : endOfEpisode(before, failed));
    return { report: { ...report, answer: place.episode.end?.answer ?? report.answer }, ending };
  }

  /** Ends the episode; the end that it had come to before, by calls that the agent did not wait for too, or null. */
  private async finish(answer: string | null): Promise<EpisodeEnd | null> {
    const { place } = this;
    if (place.episode.end !== null) return place.episode.end;
    try {
      await place.finish(answer);
      return null;
    } catch (error) {
      if (place.episode.end === null) throw error;
      return place.episode.end;
    }
  }

  private session(): AgentSession {
    const { world, seed } = this.plan;
    const act = (action: string): Promise<CallResult> => this.act(action);
    return {
      task: taskOf(world),
      seed,
      signal: this.stopper.signal,
      tools: () => toolsOf(this.place.episode),
      act,
      call: (name, args) => act(callText(name, args)),
      wait: (durationMs) => this.wait(durationMs),
      nowMs: () => Date.parse(this.place.episode.clock),
      spend: (usage) => {
        const stop = this.watch.spend(usage);
        this.stop(stop);
        if (stop !== null) throw stop;
      },
    };
  }

  private async act(action: string): Promise<CallResult> {
    if (this.isStopped()) await this.refuse();
    if (this.plan.agent.live) await this.place.wait(performance.now() - this.answeredAt);
    try {
      const { status, observation, reason, value, meta } = await this.place.step(action);
      const isError = status !== 'ok' || meta?.isError === true;
      const text = observation ?? reason ?? status;
      return { status, text, isError, ...(value !== undefined && { value }) };
    } catch (error) {
      // Of calls that were sent together the first may have ended the episode; that is no failure of the world.
      if (this.isStopped()) await this.refuse();
      const stop = new AgentStopped('world-failed', messageOf(error));
      this.stop(stop);
      throw stop;
    } finally {
      this.answeredAt = performance.now();
    }
  }

  private async wait(durationMs: number): Promise<void> {
    if (this.isStopped()) await this.refuse();
    await this.place.wait(durationMs);
  }

  /** True once the run was stopped, or its episode has ended. */
  private isStopped(): boolean {
    const { end } = this.place.episode;
    if (end !== null) {
      const { reason, detail } = endOfEpisode(end, null);
      this.stop(new AgentStopped(reason, detail));
    }
    return this.stopper.signal.aborted;
  }

  /** Rejects with what stopped the run. */
  private async refuse(): Promise<never> {
    const { signal } = this.stopper;
    // An agent that swallows its stop in a loop would keep this process from doing anything else.
    if (++this.lateActions > LATE_ACTIONS) await new Promise(() => undefined);
    throw signal.reason;
  }

  /** Nothing that a process does after the end of its episode counts, so it is stopped; after its answer, in a while. */
  private seeEnd(): void {
    const { end } = this.place.episode;
    if (end === null) return;
    const { reason, detail } = endOfEpisode(end, null);
    const stop = (): void => this.stop(new AgentStopped(reason, detail));
    if (end.reason === 'finished') this.afterAnswer ??= setTimeout(stop, STOP_GRACE_MS.process);
    else stop();
  }

  private stop(why: AgentStopped | null): void {
    if (why !== null && !this.stopper.signal.aborted) this.stopper.abort(why);
  }
}

function rejectedBy(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
}

function leftBy({ answer, log, note }: AgentReport): Left {
  return { answer, log: log ?? null, note: note ?? null };
}

/** The log of an agent that did not end well: waits a while for it to notice that it was stopped. */
async function logOf(running: Promise<AgentReport>, error: unknown, graceMs: number): Promise<string | null> {
  if (error instanceof AgentFailure) return error.log;
  let timer: NodeJS.Timeout | undefined;
  const patience = new Promise<null>((resolve) => {
    timer = setTimeout(() => resolve(null), graceMs);
  });
  const ended = running.then(
    ({ log }) => log ?? null,
    (failure: unknown) => (failure instanceof AgentFailure ? failure.log : null),
  );
  const log = await Promise.race([ended, patience]);
  clearTimeout(timer);
  return log;
}

function endingOf(error: unknown): Ending {
  if (error instanceof AgentStopped || error instanceof AgentFailure) {
    return { reason: error.reason, detail: error.message };
  }
  return { reason: 'agent-crashed', detail: `the agent threw: ${messageOf(error)}` };
}

/** The end that the episode came to by itself, while the agent lived or failed. */
function endOfEpisode(end: EpisodeEnd, failed: Ending | null): Ending {
  switch (end.reason) {
    case 'finished':
      return failed !== null && failed.reason !== 'finished'
        ? failed
        : { reason: 'finished', detail: 'the agent gave its answer' };
    case 'max-turns':
      return { reason: 'max-turns', detail: 'the budget of turns was used up (maxTurns)' };
    case 'max-seconds':
      return {
        reason: 'max-simulated-seconds',
        detail: "the world's budget of simulated seconds was used up",
      };
    case 'max-tokens':
      return { reason: 'max-tokens', detail: "the budget of the world's own model was used up" };
  }
}

function overTime(budget: RunBudget): AgentStopped {
  return new AgentStopped('max-seconds', `ran for ${budget.maxSeconds} seconds (budget maxSeconds)`);
}

function overSimulated({ maxSimulatedSeconds }: RunBudget): AgentStopped {
  return new AgentStopped(
    'max-simulated-seconds',
    `${maxSimulatedSeconds} seconds went by on the simulated clock (budget maxSimulatedSeconds)`,
  );
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

function callText(name: string, args: JsonObject): string {
  return renderJson({ name, arguments: args });
}

/** What an agent is told about a world. */
function taskOf(world: World): string {
  return world.file.task ?? (world.description === '' ? world.title : world.description);
}

function toolsOf(episode: Episode): readonly ToolDefinition[] {
  const space = episode.actionSpace();
  return Array.isArray(space) ? (space as unknown as readonly ToolDefinition[]) : [];
}

const SPACE_HASHES = new WeakMap<object, string>();

function toolsHash(tools: readonly ToolDefinition[]): string {
  const known = SPACE_HASHES.get(tools);
  if (known !== undefined) return known;
  const hash = hashJson(tools as unknown as Json);
  SPACE_HASHES.set(tools, hash);
  return hash;
}

const INFRASTRUCTURE: ReadonlySet<RunEndReason> = new Set([
  'not-started',
  'provider-failed',
  'world-failed',
  'server-failed',
]);

function classOf(reason: RunEndReason): OutcomeClass {
  if (reason === 'finished') return 'agent-finished';
  return INFRASTRUCTURE.has(reason) ? 'infrastructure' : 'agent-failed';
}

const NOT_PLAYED: Score = { status: 'unscored', reason: 'the run did not take place' };

function recordOf(
  plan: RunPlan,
  lived: Lived,
  made: { readonly wall: RunRecord['wall']; readonly version: string },
): RunRecord {
  const { world, faults, agent, budget: _budget, ...place } = plan;
  const { episode, ending, watch } = lived;
  return {
    run: RUN_RECORD_VERSION,
    ...place,
    world: { name: world.name, hash: world.hash, file: world.path, domain: world.domain },
    faults: {
      id: faults.id,
      specs: [...faults.specs],
      expects: faults.expects,
      ...(faults.reachable !== undefined && { reachable: [...faults.reachable] }),
    },
    agent: { id: agent.id, kind: agent.kind, spec: agent.spec },
    task: taskOf(world),
    tools: toolsHash(lived.tools),
    turns: [...(episode?.turns ?? [])],
    answer: lived.answer,
    end: ending,
    score: episode?.end?.score ?? NOT_PLAYED,
    state: { start: lived.startHash, end: episode === null ? null : stateHash(episode.view()) },
    effects: [...lived.effects],
    counts: countsOf(lived, watch),
    outcome: { class: classOf(ending.reason), evidence: `${ending.reason}: ${ending.detail}` },
    agentLog: lived.log,
    verdict: null,
    versions: { umwelt: made.version },
    wall: made.wall,
  };
}

function countsOf({ episode, startClock }: Lived, watch: BudgetWatch): RunRecord['counts'] {
  const turns = episode?.turns ?? [];
  const isError = (turn: (typeof turns)[number]): boolean =>
    turn.meta?.isError === true || isNullStatus(turn.status) || turn.status !== 'ok';
  const strikes = turns.map(({ meta }) => (Array.isArray(meta?.faults) ? meta.faults.length : 0));
  const ms = episode === null || startClock === null ? 0 : Date.parse(episode.clock) - Date.parse(startClock);
  return {
    turns: turns.length,
    errors: turns.filter(isError).length,
    faults: strikes.reduce((a, b) => a + b, 0),
    promptTokens: watch.promptTokens,
    completionTokens: watch.completionTokens,
    costUsd: watch.costUsd,
    simulatedMs: Math.max(0, ms),
    repeats: watch.repeats(),
  };
}
