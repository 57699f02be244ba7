/**
 * Statistics of trajectories: how many, how long, from where, under which licence, and what the stages decided.
 *
 * Lengths are kept as histograms over powers of two and as exact sums, so memory does not grow with the input; medians
 * are therefore the bounds of a bin and said as such. Tokens are estimates unless a tokenizer is given.
 */
import type { JsonObject, Trajectory } from '../../core/index.js';
import { systemText } from '../samples/system-text.js';
import { estimatingCounter, messageTokens, type TokenCounter } from '../samples/token-counter.js';
import { type Stage, Tally } from '../stages/stage.js';
import { isTarget, trainingOf } from '../stages/turn-training.js';

/** Distinct sources and licences that are listed; more are counted together. */
const LISTED = 1_000;

/** A histogram over bins [0], [1], [2, 3], [4 … 7], … */
export class BinaryHistogram {
  private readonly bins: number[] = [];
  private sum = 0;
  private n = 0;
  private greatest = 0;

  add(value: number): void {
    const bin = value < 1 ? 0 : Math.floor(Math.log2(value)) + 1;
    while (this.bins.length <= bin) this.bins.push(0);
    this.bins[bin] = (this.bins[bin] ?? 0) + 1;
    this.sum += value;
    this.n += 1;
    this.greatest = Math.max(this.greatest, value);
  }

  /** Count, exact mean and greatest value, the bin of the median, and the bins by their lower bound. */
  toJson(): JsonObject {
    const bins = this.bins.map((count, bin) => ({ from: bin === 0 ? 0 : 2 ** (bin - 1), count }));
    let seen = 0;
    const middle = bins.find(({ count }) => {
      seen += count;
      return seen * 2 >= this.n;
    });
    return {
      n: this.n,
      mean: this.n === 0 ? null : Math.round((this.sum / this.n) * 100) / 100,
      greatest: this.greatest,
      medianAtLeast: middle?.from ?? null,
      bins,
    };
  }
}

class DomainStats {
  trajectories = 0;
  turns = 0;
  targets = 0;
  tokens = 0;
  readonly length = new BinaryHistogram();
  readonly actionCharacters = new BinaryHistogram();
  readonly observationCharacters = new BinaryHistogram();
  readonly trajectoryTokens = new BinaryHistogram();
  readonly categories = new Tally();
  readonly dropped = new Tally();
  readonly statuses = new Tally();

  add(trajectory: Trajectory, counter: TokenCounter): void {
    this.trajectories += 1;
    this.length.add(trajectory.turns.length);
    let tokens = messageTokens(counter, systemText(trajectory.system));
    for (const turn of trajectory.turns) {
      const { action, observation, status } = turn;
      const { dropped, mask } = trainingOf(turn);
      this.turns += 1;
      if (isTarget(turn)) this.targets += 1;
      this.actionCharacters.add(action.length);
      if (observation !== null) this.observationCharacters.add(observation.length);
      tokens +=
        messageTokens(counter, action) + (observation === null ? 0 : messageTokens(counter, observation));
      this.statuses.add(status);
      if (dropped !== undefined) this.dropped.add(dropped);
      if (mask !== undefined) this.categories.add(mask.category);
    }
    this.tokens += tokens;
    this.trajectoryTokens.add(tokens);
  }

  toJson(): JsonObject {
    return {
      trajectories: this.trajectories,
      turns: this.turns,
      targets: this.targets,
      tokens: this.tokens,
      turnsPerTrajectory: this.length.toJson(),
      tokensPerTrajectory: this.trajectoryTokens.toJson(),
      actionCharacters: this.actionCharacters.toJson(),
      observationCharacters: this.observationCharacters.toJson(),
      categories: this.categories.toJson(),
      droppedTurns: this.dropped.toJson(),
      statuses: this.statuses.toJson(),
    };
  }
}

/** A tally of at most {@link LISTED} names. */
class NameTally extends Tally {
  private readonly names = new Set<string>();

  override add(name: string): void {
    if (this.names.size < LISTED) this.names.add(name);
    super.add(this.names.has(name) ? name : '(others)');
  }
}

/** Opens the stage. It gives nothing; its report is the result. */
export function createStatsStage(counter: TokenCounter = estimatingCounter): Stage<Trajectory, never> {
  const domains = new Map<string, DomainStats>();
  const datasets = new NameTally();
  const licences = new NameTally();
  const pools = new NameTally();
  return {
    name: 'stats',
    parameters: { tokens: counter.name },
    take: (trajectory) => {
      const stats = domains.get(trajectory.domain) ?? new DomainStats();
      domains.set(trajectory.domain, stats);
      stats.add(trajectory, counter);
      datasets.add(trajectory.source.dataset ?? '(not said)');
      licences.add(trajectory.source.licence ?? '(not said)');
      if (typeof trajectory.meta.pool === 'string') pools.add(trajectory.meta.pool);
      return [];
    },
    end: () => [],
    report: () => ({
      tokensBy: counter.name,
      tokensExact: counter.isExact,
      domains: Object.fromEntries(
        [...domains].sort(([a], [b]) => (a < b ? -1 : 1)).map(([name, one]) => [name, one.toJson()]),
      ),
      datasets: datasets.toJson(),
      licences: licences.toJson(),
      pools: pools.toJson(),
    }),
  };
}
