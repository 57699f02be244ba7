/**
 * Which turns of a trajectory become rows of a benchmark.
 *
 * Text domains: the first, the last and three between, drawn evenly. Domains with screens: the harder half, by how much
 * the screen changed, then a uniform half of these, five at most; a screen that stays is no target. A turn counts
 * only if something real answered it, and only before the first gap, since the history behind a gap is not whole.
 * Source: AgentWorldBench (arXiv 2606.24597, benchmark section). The seed decides the draws, trajectory by trajectory.
 */
import { type Domain, randomStream, type Trajectory, type Turn } from '../../core/index.js';
import { wordShares } from '../../text/index.js';

const BETWEEN = 3;
const MOST_SCREENS = 5;
const SCREENS: readonly Domain[] = ['android', 'web', 'os'];

/** How to sample. */
export interface SampleOptions {
  /** Default 0. */
  readonly seed?: number;
  /** Take turns that a model or an engine answered, too. Default false: a benchmark is about what is real. */
  readonly allowSimulated?: boolean;
}

/** The sampled turns, from 1, in order. */
export function sampleTurns(trajectory: Trajectory, options: SampleOptions = {}): readonly number[] {
  const end = Math.min(trajectory.turns.length, ...(trajectory.gaps ?? []));
  const fit: number[] = [];
  for (let i = 0; i < end; i++) {
    const turn = trajectory.turns[i];
    if (turn !== undefined && isTarget(turn, options.allowSimulated === true)) fit.push(i + 1);
  }
  const random = randomStream(options.seed ?? 0, 'sample-turns', trajectory.id);
  const drawn = (from: readonly number[], count: number): readonly number[] => {
    const left = [...from];
    const taken: number[] = [];
    while (taken.length < count && left.length > 0) {
      taken.push(...left.splice(random.integer(0, left.length - 1), 1));
    }
    return taken;
  };
  if (SCREENS.includes(trajectory.domain)) {
    const hard = harderHalf(trajectory, fit);
    return [...drawn(hard, Math.min(MOST_SCREENS, Math.ceil(hard.length / 2)))].sort((a, b) => a - b);
  }
  const [first] = fit;
  const last = fit.at(-1);
  if (first === undefined || last === undefined) return [];
  const ends = first === last ? [first] : [first, last];
  return [...ends, ...drawn(fit.slice(1, -1), BETWEEN)].sort((a, b) => a - b);
}

function isTarget(turn: Turn, allowSimulated: boolean): boolean {
  if (turn.observation === null || turn.status !== 'ok') return false;
  return allowSimulated || (turn.origins ?? []).every(({ origin }) => origin === 'recorded');
}

/** The half of the turns whose screens changed most; screens that stayed are left out. */
function harderHalf(trajectory: Trajectory, fit: readonly number[]): readonly number[] {
  const changes = fit
    .filter((turn) => turn > 1)
    .map((turn) => ({ turn, change: changeAt(trajectory, turn) }))
    .filter(({ change }) => change > 0)
    .sort((a, b) => b.change - a.change || a.turn - b.turn);
  return changes.slice(0, Math.ceil(changes.length / 2)).map(({ turn }) => turn);
}

function changeAt({ turns }: Trajectory, turn: number): number {
  const before = turns[turn - 2]?.observation ?? '';
  const now = turns[turn - 1]?.observation ?? '';
  if (before === now) return 0;
  return 1 - (wordShares(before, now).jaccard ?? 0);
}
