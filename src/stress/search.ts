/**
 * The smallest schedule of faults that breaks an agent in a world.
 *
 * First the suite's sets one by one, over a few seeds, then all together, until a run fails that is the agent's doing.
 * Then the strikes of that run, each pinned to its turn, are shrunk by delta debugging, and what is left is tried under
 * the world's own seed. What is found is a schedule without chance, so it can be played again. Bounded by a number of
 * runs. Not covered: smaller parameters of a fault; agents that act differently each time give what held once.
 */
import type { FaultSpec } from '../control/index.js';
import type { AppliedFault } from '../core/index.js';
import type { World } from '../worlds/index.js';
import type { Agent } from './agent.js';
import { type FaultSet, NO_FAULTS } from './fault-sets.js';
import { minimise } from './minimise.js';
import type { RunBudget } from './run-budget.js';
import { type RunPlan, type RunSetting, runOne } from './run-one.js';
import type { RunRecord } from './run-record.js';
import { runStatus } from './run-status.js';
import { type JudgeRecord, runId } from './run-suite.js';

/** What is to be broken, and with what. */
export interface SearchSubject {
  readonly world: World;
  readonly agent: Agent;
  readonly sets: readonly FaultSet[];
  /** The first seed. */
  readonly seed: number;
  readonly budget: RunBudget;
}

/** How far to look. */
export interface SearchOptions extends RunSetting {
  readonly judge: JudgeRecord;
  /** Runs at most. Default 200. */
  readonly maxRuns?: number;
  /** Seeds that each set is tried with. Default 3. */
  readonly seeds?: number;
}

/** What a search came to. `runs` says what it took. */
export type SearchResult =
  | {
      readonly kind: 'broken';
      readonly specs: readonly FaultSpec[];
      readonly seed: number;
      /** The run under the smallest schedule, judged. */
      readonly record: RunRecord;
      readonly why: string;
      readonly runs: number;
    }
  /** It fails without any fault; a schedule would show nothing. */
  | { readonly kind: 'fails-clean'; readonly why: string; readonly runs: number }
  | { readonly kind: 'survived'; readonly runs: number };

const MAX_RUNS = 200;
const SEEDS = 3;

/** Searches. Rejects only for bugs of this package. */
export async function searchBreak(subject: SearchSubject, options: SearchOptions): Promise<SearchResult> {
  const search = new Search(subject, options);
  const clean = await search.clean(subject.seed);
  if (clean === null || runStatus(clean).status !== 'survived') {
    const why = clean === null ? 'no runs are left' : runStatus(clean).why;
    return { kind: 'fails-clean', why, runs: search.runs };
  }
  const first = await search.firstBreak();
  if (first === null) return { kind: 'survived', runs: search.runs };
  const smallest = await search.shrink(first);
  const { specs, seed, record } = smallest;
  return { kind: 'broken', specs, seed, record, why: runStatus(record).why, runs: search.runs };
}

interface Broken {
  readonly specs: readonly FaultSpec[];
  readonly expects: FaultSet['expects'];
  readonly seed: number;
  readonly record: RunRecord;
}

/** One strike of a fault, pinned to the turn it was seen in. */
interface Strike {
  readonly index: number;
  readonly turn: number;
}

class Search {
  runs = 0;
  private readonly cleans = new Map<number, RunRecord>();

  constructor(
    private readonly subject: SearchSubject,
    private readonly options: SearchOptions,
  ) {}

  /** The clean run of a seed, made once; null when no runs are left. */
  async clean(seed: number): Promise<RunRecord | null> {
    const known = this.cleans.get(seed);
    if (known !== undefined) return known;
    const made = await this.run(NO_FAULTS, seed, null);
    if (made !== null) this.cleans.set(seed, made);
    return made;
  }

  async firstBreak(): Promise<Broken | null> {
    const { sets, seed: from } = this.subject;
    const all: FaultSet = { id: 'all', specs: sets.flatMap(({ specs }) => specs), expects: 'unknown' };
    for (const set of sets.length > 1 ? [...sets, all] : sets) {
      for (let seed = from; seed < from + (this.options.seeds ?? SEEDS); seed++) {
        const record = await this.broken(set, seed);
        if (record === null) return null;
        if (record !== undefined) return { specs: set.specs, expects: set.expects, seed, record };
      }
    }
    return null;
  }

  async shrink(first: Broken): Promise<Broken> {
    let best = first;
    const test = async (specs: readonly FaultSpec[], seed: number): Promise<boolean | null> => {
      if (specs.length === 0) return false;
      const record = await this.broken({ id: 'search', specs, expects: first.expects }, seed);
      if (record === null) return null;
      if (record === undefined) return false;
      best = { ...first, specs, seed, record };
      return true;
    };
    const strikes = strikesOf(first.record, this.subject.world.file.faults.length);
    const pinned = (part: readonly Strike[]): FaultSpec[] => pinnedSpecs(first.specs, part);
    if (strikes.length > 0 && (await test(pinned(strikes), first.seed)) === true) {
      await minimise(strikes, (part) => test(pinned(part), first.seed));
    } else await minimise(first.specs, (part) => test(part, first.seed));
    const own = this.subject.world.file.seed;
    if (best.seed !== own) await test(best.specs, own);
    return best;
  }

  /** The record of a run that the agent failed; undefined where it did not; null when no runs are left. */
  private async broken(set: FaultSet, seed: number): Promise<RunRecord | null | undefined> {
    const clean = await this.clean(seed);
    if (clean === null) return null;
    if (runStatus(clean).status !== 'survived') return undefined;
    const record = await this.run(set, seed, clean);
    if (record === null) return null;
    return runStatus(record).status === 'failed' ? record : undefined;
  }

  private async run(faults: FaultSet, seed: number, clean: RunRecord | null): Promise<RunRecord | null> {
    if (this.runs >= (this.options.maxRuns ?? MAX_RUNS)) return null;
    this.runs++;
    const { world, agent, budget } = this.subject;
    const trial = seed - this.subject.seed + 1;
    const plan: RunPlan = {
      id: runId({ world: world.name, faults: faults.id, agent: agent.id, trial }),
      pair: `${world.name}/${agent.id}/${trial}`,
      number: this.runs,
      ...{ world, faults, agent, trial: Math.max(1, trial), seed, budget },
    };
    const { record } = await runOne(plan, this.options);
    return { ...record, ...(await this.options.judge({ plan, record, clean })) };
  }
}

/** The strikes of a run; `offset` is how many faults of the world itself stand before the schedule's. */
function strikesOf(record: RunRecord, offset: number): Strike[] {
  const seen = new Set<string>();
  return record.turns.flatMap((turn, at) => {
    const faults = (Array.isArray(turn.meta?.faults) ? turn.meta.faults : []) as readonly AppliedFault[];
    return faults.flatMap(({ index }): Strike[] => {
      const strike = { index: index - offset, turn: at + 1 };
      const key = `${strike.index} ${strike.turn}`;
      if (strike.index < 0 || seen.has(key)) return [];
      seen.add(key);
      return [strike];
    });
  });
}

/** The schedule with each fault striking in these turns only. */
function pinnedSpecs(specs: readonly FaultSpec[], strikes: readonly Strike[]): FaultSpec[] {
  return specs.flatMap((spec, index) => {
    const turns = strikes.filter((strike) => strike.index === index).map(({ turn }) => turn);
    if (turns.length === 0) return [];
    const { max: _max, ...rest } = spec;
    return [{ ...rest, when: { turns: turns.join(',') } }];
  });
}
