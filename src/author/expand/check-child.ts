/**
 * Checks a child: it loads, resets identically, its oracle passes, its start and wrong scripts do not, and what its
 * seed's oracle finds out can still be found out.
 *
 * The same questions as `umwelt world check`, asked with as few episodes as they need. The first that fails rejects
 * the child, with a reason that the summary counts.
 */
import { type Json, type JsonObject, type Score, UmweltError } from '../../core/index.js';
import type { ToolWorldSpec } from '../../engines/index.js';
import { openEpisode } from '../../sim/index.js';
import { loadWorld, type World } from '../../worlds/index.js';
import { RANDOM_LIMIT_FRACTION } from '../check-world.js';
import { runRandomPolicy } from '../run-random-policy.js';
import { failedVerifiers, runOracle, type ScriptRun } from '../run-script.js';
import { playScripts } from './play-scripts.js';

/** What became of a checked child. */
export type ChildVerdict =
  | {
      readonly kept: true;
      readonly world: World;
      readonly oracleSteps: number;
      readonly startReward: number;
      readonly wrongRewards: Readonly<Record<string, number>>;
      /** Share of random episodes that solve it; null where none was played. */
      readonly randomFraction: number | null;
    }
  | { readonly kept: false; readonly reason: string; readonly message: string };

/** How a child is checked. */
export interface ChildCheckOptions {
  /** The tools of the seed world, which its children share; so their schemas are compiled once. */
  readonly tools: ToolWorldSpec['tools'];
  /** Facts that the seed's own oracle reveals. */
  readonly facts: readonly string[];
  /** Plays the oracle in a second episode too, and compares all that it sees. */
  readonly secondLife: boolean;
  /** Episodes of the random policy; 0 plays none. */
  readonly randomEpisodes: number;
}

/** Checks a child's file text. Never raises for what the file says. */
export async function checkChild(text: string, options: ChildCheckOptions): Promise<ChildVerdict> {
  const loaded = loadWorld(text);
  if (!loaded.ok) return rejected('load', loaded.error.message);
  try {
    return await checkLoaded(sharing(loaded.value, options.tools), options);
  } catch (error) {
    if (!UmweltError.isInstance(error)) throw error;
    return rejected('open', `${error.code}: ${error.message}`);
  }
}

/** The world with the seed's list of tools in the place of its own, where they are equal. */
function sharing(world: World, tools: ToolWorldSpec['tools']): World {
  const { spec } = world;
  const same = spec !== null && sameJson(spec.tools as unknown as Json, tools as unknown as Json);
  return same ? { ...world, spec: { ...spec, tools } } : world;
}

function rejected(reason: string, message: string): ChildVerdict {
  return { kept: false, reason, message: message.slice(0, 500) };
}

async function checkLoaded(world: World, options: ChildCheckOptions): Promise<ChildVerdict> {
  const scripts = [world.oracle, [], ...world.wrong.map(({ actions }) => actions)];
  const opened = await openEpisode(world);
  const [first, start, ...wrong] = await playScripts(opened, scripts);
  if (first === undefined || start === undefined) return rejected('oracle', 'nothing was played');
  const solved = oracleProblem(world, first);
  if (solved !== null) return rejected('oracle', solved);
  const again = await openEpisode(world);
  if (!sameJson(opened.view(), again.view())) return rejected('reset', 'two resets with one seed differ');
  if (options.secondLife && !sameLife(first, await runOracle(world)))
    return rejected('reset', 'two lives with one seed differ');
  if (start.reward === null) return rejected('start', unscored(start.score));
  if (start.reward === 1) return rejected('start', 'the start state already satisfies `success`');
  const wrongRewards: Record<string, number> = {};
  for (const [index, { id }] of world.wrong.entries()) {
    const { reward, score } = wrong[index] as ScriptRun;
    if (reward === null) return rejected('wrong', `${id}: ${unscored(score)}`);
    if (reward === 1) return rejected('wrong', `${id} solves the task`);
    wrongRewards[id] = reward;
  }
  const met = new Set(first.episode.revealedFacts.map(([id]) => id));
  const hidden = options.facts.find((id) => !met.has(id));
  if (hidden !== undefined) return rejected('fact', `the oracle does not find out ${hidden}`);
  let randomFraction: number | null = null;
  if (options.randomEpisodes > 0) {
    randomFraction = (await runRandomPolicy(world, { episodes: options.randomEpisodes })).fraction;
    if (randomFraction === null || randomFraction >= RANDOM_LIMIT_FRACTION)
      return rejected('random', `random episodes solve ${String(randomFraction)}`);
  }
  return {
    kept: true,
    world,
    oracleSteps: first.steps.length,
    startReward: start.reward,
    wrongRewards,
    randomFraction,
  };
}

function oracleProblem(world: World, run: ScriptRun): string | null {
  if (world.oracle.length === 0) return 'the world has no oracle';
  if (run.reward !== 1) return `reward ${String(run.reward)}; not passed: ${failedVerifiers(run.score)}`;
  const odd = run.steps.find(({ status }) => status !== 'ok');
  if (odd !== undefined) return `step ${odd.turn} is ${odd.status}`;
  return run.unplayed > 0 ? `${run.unplayed} actions after the end` : null;
}

/** Two lives showed the same, and left the same state. */
function sameLife(one: ScriptRun, other: ScriptRun): boolean {
  const same = one.steps.every(({ status, observation, clock }, index) => {
    const step = other.steps[index];
    return status === step?.status && observation === step.observation && clock === step.clock;
  });
  if (!same || one.steps.length !== other.steps.length) return false;
  return sameJson(one.episode.view(), other.episode.view());
}

/** The same text as JSON. Rows that no step touched are one object in both lives. */
function sameJson(one: Json, other: Json): boolean {
  if (one === other) return true;
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null) return false;
  if (Array.isArray(one) !== Array.isArray(other)) return false;
  const [names, others] = [Object.keys(one), Object.keys(other)];
  return (
    names.length === others.length &&
    names.every((name, index) => {
      if (name !== others[index]) return false;
      return sameJson((one as JsonObject)[name] as Json, (other as JsonObject)[name] as Json);
    })
  );
}

function unscored(score: Score): string {
  return `cannot be scored: ${failedVerifiers(score)}`;
}
