/**
 * A policy that knows nothing: random tools with random arguments that fit their schemas.
 *
 * How often it solves a world says how much of the world's reward comes for free. Ids are drawn from what it has seen
 * so far and from the state, so it meets real rows and not only "not found".
 */
import { isJsonObject, type Json, type RandomStream, randomStream, renderJson } from '../core/index.js';
import { type Episode, openEpisode } from '../sim/index.js';
import type { World } from '../worlds/index.js';
import { randomArguments } from './random-arguments.js';
import { ValuePool } from './value-pool.js';

/** How the policy plays. */
export interface RandomPolicyOptions {
  /** Default: 100. */
  readonly episodes?: number;
  /** Controls the policy; episode n is always the same. The world keeps its own seed. Default: 0. */
  readonly seed?: number;
  /** Actions per episode at most. Default: twice the oracle's, at least 20, within the world's own budget. */
  readonly maxSteps?: number;
}

/** What the policy reached. */
export interface RandomPolicyReport {
  readonly episodes: number;
  readonly stepsPerEpisode: number;
  /** Episodes with reward 1. */
  readonly successes: number;
  /** Successes divided by scored episodes, 0–1; null where none was scored. */
  readonly fraction: number | null;
  /** Mean reward of the scored episodes, 0–1; null where none was scored. */
  readonly meanReward: number | null;
  /** Episodes without a number. */
  readonly unscored: number;
  /** Share of the calls that a tool answered without an error, 0–1; null where no call was made. */
  readonly okFraction: number | null;
  /** The best episode's actions, to look at when it succeeded. */
  readonly best: readonly string[];
}

/** Plays random episodes one after another. Raises what opening an episode raises. */
export async function runRandomPolicy(
  world: World,
  options: RandomPolicyOptions = {},
): Promise<RandomPolicyReport> {
  const { episodes = 100, seed = 0 } = options;
  const budget = world.file.budget.maxTurns ?? Number.POSITIVE_INFINITY;
  const steps = Math.min(options.maxSteps ?? Math.max(20, 2 * world.oracle.length), budget);
  const rewards: (number | null)[] = [];
  const calls = { all: 0, ok: 0 };
  let best: { reward: number; actions: readonly string[] } = { reward: -1, actions: [] };
  for (let index = 0; index < episodes; index++) {
    const run = await playRandomly(world, {
      stream: randomStream(seed, 'random-policy', String(index)),
      steps,
    });
    rewards.push(run.reward);
    calls.all += run.calls;
    calls.ok += run.okCalls;
    if (run.reward !== null && run.reward > best.reward) best = { reward: run.reward, actions: run.actions };
  }
  const scored = rewards.filter((reward) => reward !== null);
  const successes = scored.filter((reward) => reward === 1).length;
  return {
    episodes,
    stepsPerEpisode: steps,
    successes,
    fraction: scored.length === 0 ? null : successes / scored.length,
    meanReward: scored.length === 0 ? null : scored.reduce((a, b) => a + b, 0) / scored.length,
    unscored: rewards.length - scored.length,
    okFraction: calls.all === 0 ? null : calls.ok / calls.all,
    best: best.actions,
  };
}

interface RandomRun {
  readonly reward: number | null;
  readonly actions: readonly string[];
  readonly calls: number;
  readonly okCalls: number;
}

async function playRandomly(world: World, how: { stream: RandomStream; steps: number }): Promise<RandomRun> {
  const { stream } = how;
  const episode = await openEpisode(world);
  const player = createRandomPlayer(episode, stream);
  const actions: string[] = [];
  let okCalls = 0;
  for (let step = 0; step < how.steps && !episode.done; step++) {
    const action = player.next();
    if (action === null) break;
    actions.push(action);
    const result = await episode.step(action);
    if (result.status === 'ok' && result.meta?.isError !== true) okCalls += 1;
    if (result.observation !== null) player.see(result.observation);
  }
  const end = episode.done ? episode.end?.score : (await episode.finish(player.answer())).score;
  const reward = end?.status === 'scored' ? end.fraction : null;
  return { reward, actions, calls: actions.length, okCalls };
}

/** Makes random actions for an episode, out of what it has seen. */
export interface RandomPlayer {
  /** The next action; null where the world has no tools that `only` allows. */
  next(): string | null;
  /** Takes in an observation. */
  see(observation: string): void;
  /** A random final answer. */
  answer(): string;
}

/** Makes a player. `only` restricts the tools by name; default: all. */
export function createRandomPlayer(
  episode: Episode,
  stream: RandomStream,
  only: (tool: string) => boolean = () => true,
): RandomPlayer {
  const pool = new ValuePool();
  pool.addValue(episode.view());
  const tools = (episode.world.spec?.tools ?? []).filter(({ name }) => only(name));
  return {
    next() {
      if (tools.length === 0) return null;
      const { name, inputSchema } = stream.pick(tools);
      return renderJson({ name, arguments: randomArguments(inputSchema, { stream, pool }) });
    },
    see: (observation) => pool.addObservation(observation),
    answer() {
      const value: Json = pool.draw(stream, 'answer', (seen) => !isJsonObject(seen)) ?? '';
      return String(value);
    },
  };
}
