/**
 * Checks that a world is worth playing: it opens, resets to the same state, is not solved at the start or by its
 * wrong scripts, is solved by its oracle, is not solved by chance, and its facts can be found out.
 *
 * Every check passes, fails or is skipped with a reason; a check that could not run never counts as passed.
 * Source: the definition of `world check`. Not covered: whether the task is interesting.
 */
import { canonicalJson, randomStream, UmweltError } from '../core/index.js';
import { ToolChecks } from '../engines/index.js';
import { compileGlob } from '../rules/index.js';
import { openEpisode } from '../sim/index.js';
import type { World } from '../worlds/index.js';
import { createRandomPlayer, type RandomPolicyReport, runRandomPolicy } from './run-random-policy.js';
import { failedVerifiers, runOracle, runScript, type ScriptRun } from './run-script.js';

/** One check. */
export interface CheckItem {
  /** Short name, for example `oracle` or `wrong:closes-look-alikes`. */
  readonly id: string;
  readonly status: 'pass' | 'fail' | 'skipped';
  /** What was seen, or why the check was skipped. */
  readonly message: string;
}

/** All checks of one world. */
export interface CheckReport {
  readonly world: string;
  readonly hash: string;
  /** True if no check failed. */
  readonly passed: boolean;
  readonly items: readonly CheckItem[];
  /** Actions of the oracle that were played; null where there is no oracle. */
  readonly oracleSteps: number | null;
  /** What the random policy reached; null where it did not run. */
  readonly random: RandomPolicyReport | null;
}

/** How to check. */
export interface CheckOptions {
  /** Episodes of the random policy; 0 leaves it out. Default: 50. */
  readonly randomEpisodes?: number;
  /** Controls the random policy. Default: 0. */
  readonly seed?: number;
}

/** The random policy may solve at most this share of episodes. */
export const RANDOM_LIMIT_FRACTION = 0.05;
/** Random calls tried to find out a fact that the oracle does not meet. */
const FACT_CALLS = 200;
/** Random steps by which two resets are compared where there is no oracle. */
const RESET_STEPS = 20;

/** Runs all checks. Never raises for what a world does; a world that cannot be opened has one failed check. */
export async function checkWorld(world: World, options: CheckOptions = {}): Promise<CheckReport> {
  const items: CheckItem[] = [loadItem(world)];
  const report = (more: Partial<CheckReport> = {}): CheckReport => ({
    world: world.name,
    hash: world.hash,
    passed: items.every(({ status }) => status !== 'fail'),
    items,
    oracleSteps: null,
    random: null,
    ...more,
  });
  const opened = await attempt('open', async () => {
    await openEpisode(world);
    return { status: 'pass', message: 'an episode opens' };
  });
  items.push(opened);
  if (opened.status === 'fail') return report();
  items.push(await attempt('reset', () => checkReset(world, options.seed ?? 0)));
  items.push(await attempt('start', () => checkStart(world)));
  const oracle = world.oracle.length === 0 ? null : await attemptRun(() => runOracle(world));
  items.push(oracleItem(world, oracle));
  for (const script of wrongScripts(world)) items.push(await attempt(script.id, script.check));
  const random = await randomItem(world, options);
  items.push(random.item, ...(await factItems(world, oracle)));
  const oracleSteps = oracle !== null && 'steps' in oracle ? oracle.steps.length : null;
  return report({ oracleSteps, random: random.report });
}

type Verdict = Omit<CheckItem, 'id'>;

async function attempt(id: string, check: () => Promise<Verdict>): Promise<CheckItem> {
  try {
    return { id, ...(await check()) };
  } catch (error) {
    if (!UmweltError.isInstance(error)) throw error;
    return { id, status: 'fail', message: `${error.code}: ${error.message}` };
  }
}

async function attemptRun(run: () => Promise<ScriptRun>): Promise<ScriptRun | UmweltError> {
  try {
    return await run();
  } catch (error) {
    if (!UmweltError.isInstance(error)) throw error;
    return error;
  }
}

function loadItem(world: World): CheckItem {
  const odd = world.warnings.map(
    ({ line, column, path, message }) => `${line}:${column} ${path}: ${message}`,
  );
  if (world.spec !== null) odd.push(...new ToolChecks(world.spec.tools).allNotes());
  const message = odd.length === 0 ? 'the file is valid' : `the file is valid; odd: ${odd.join('; ')}`;
  return { id: 'load', status: 'pass', message };
}

/** Two resets: the same state, the same tools, the same observations and the same state afterwards. */
async function checkReset(world: World, seed: number): Promise<Verdict> {
  const lives: string[][] = [];
  for (let run = 0; run < 2; run++) {
    const episode = await openEpisode(world);
    const seen = [canonicalJson(episode.view()), canonicalJson(episode.actionSpace())];
    const player = createRandomPlayer(episode, randomStream(seed, 'reset-check'));
    const budget = Math.min(world.file.budget.maxTurns ?? RESET_STEPS, RESET_STEPS);
    const actions =
      world.oracle.length > 0 ? world.oracle : Array.from({ length: budget }, () => player.next());
    for (const action of actions) {
      if (action === null || episode.done) break;
      const { status, observation, clock } = await episode.step(action);
      seen.push(`${status} ${observation ?? '(null)'} ${clock}`);
    }
    seen.push(canonicalJson(episode.view()));
    lives.push(seen);
  }
  const [first = [], second = []] = lives;
  const at = first.findIndex((text, index) => text !== second[index]);
  if (at === -1 && first.length === second.length) {
    return { status: 'pass', message: `two resets agree over ${first.length - 3} steps` };
  }
  const where = at < 2 ? 'in the start state' : `at step ${at - 1}`;
  return { status: 'fail', message: `two resets with one seed differ ${where}` };
}

async function checkStart(world: World): Promise<Verdict> {
  if (world.file.success.length === 0) return noSuccess();
  const { reward, score } = await runScript(world, []);
  if (reward === null)
    return { status: 'fail', message: `the start cannot be scored: ${failedVerifiers(score)}` };
  if (reward === 1) return { status: 'fail', message: 'the start state already satisfies `success`' };
  return { status: 'pass', message: `reward ${round(reward)} when nothing is done` };
}

function noSuccess(): Verdict {
  return { status: 'skipped', message: 'the world has no `success`' };
}

function oracleItem(world: World, run: ScriptRun | UmweltError | null): CheckItem {
  const id = 'oracle';
  if (run === null) return { id, status: 'skipped', message: 'the world has no `oracle`' };
  if (!('steps' in run)) return { id, status: 'fail', message: `${run.code}: ${run.message}` };
  if (world.file.success.length === 0) return { id, ...noSuccess() };
  const { reward, score, steps, unplayed } = run;
  const odd = steps.flatMap((step) => (step.status === 'ok' ? [] : [`step ${step.turn} is ${step.status}`]));
  const errors = steps.flatMap((step) =>
    step.meta?.isError === true ? [`step ${step.turn} is a tool error`] : [],
  );
  const notes = [...odd, ...errors, ...(unplayed > 0 ? [`${unplayed} actions after the end`] : [])];
  const tail = notes.length === 0 ? '' : ` (${notes.join(', ')})`;
  if (reward === 1 && odd.length === 0 && unplayed === 0) {
    return { id, status: 'pass', message: `reward 1 after ${steps.length} steps${tail}` };
  }
  const what = reward === 1 ? 'reward 1, but not every step went well' : `reward ${round(reward)}`;
  return { id, status: 'fail', message: `${what}; not passed: ${failedVerifiers(score)}${tail}` };
}

function wrongScripts(world: World): { id: string; check: () => Promise<Verdict> }[] {
  if (world.wrong.length === 0) {
    const message = 'the world has no `wrong` scripts';
    return [{ id: 'wrong', check: async () => ({ status: 'skipped', message }) }];
  }
  return world.wrong.map(({ id, actions }) => ({
    id: `wrong:${id}`,
    check: async () => {
      if (world.file.success.length === 0) return noSuccess();
      const { reward, score } = await runScript(world, actions);
      if (reward === null) return { status: 'fail', message: `cannot be scored: ${failedVerifiers(score)}` };
      if (reward === 1) return { status: 'fail', message: 'solves the task, and must not' };
      return { status: 'pass', message: `reward ${round(reward)}; not passed: ${failedVerifiers(score)}` };
    },
  }));
}

async function randomItem(
  world: World,
  options: CheckOptions,
): Promise<{ item: CheckItem; report: RandomPolicyReport | null }> {
  const id = 'random';
  const episodes = options.randomEpisodes ?? 50;
  const skipped = (message: string) => ({ item: { id, status: 'skipped', message } as const, report: null });
  if (world.file.success.length === 0) return skipped('the world has no `success`');
  if (episodes === 0) return skipped('no random episodes were asked for');
  let report: RandomPolicyReport | null = null;
  const item = await attempt(id, async () => {
    report = await runRandomPolicy(world, { episodes, seed: options.seed ?? 0 });
    const { successes, fraction, unscored, meanReward, okFraction, stepsPerEpisode } = report;
    const message =
      `${successes} of ${episodes} random episodes of ${stepsPerEpisode} steps succeed; ` +
      `mean reward ${round(meanReward)}, ${unscored} unscored, ${round(okFraction)} of calls without error`;
    return { status: fraction !== null && fraction < RANDOM_LIMIT_FRACTION ? 'pass' : 'fail', message };
  });
  return { item, report };
}

async function factItems(world: World, oracle: ScriptRun | UmweltError | null): Promise<CheckItem[]> {
  const met = new Set(
    oracle !== null && 'steps' in oracle ? oracle.episode.revealedFacts.map(([id]) => id) : [],
  );
  const items: CheckItem[] = [];
  for (const fact of world.file.facts) {
    const id = `fact:${fact.id}`;
    if (met.has(fact.id)) items.push({ id, status: 'pass', message: 'the oracle finds it out' });
    else items.push(await attempt(id, () => searchFact(world, fact.id, fact.reveal.on)));
  }
  return items;
}

/** Random calls of the tools that may reveal a fact, until it shows. */
async function searchFact(world: World, fact: string, on: string): Promise<Verdict> {
  const glob = compileGlob(on);
  if (!glob.ok) return { status: 'fail', message: glob.error.message };
  const episode = await openEpisode(world, { maxTurns: FACT_CALLS });
  const stream = randomStream(0, 'fact-search', fact);
  const player = createRandomPlayer(episode, stream, (tool) => glob.value.matches(tool));
  while (!episode.done) {
    const action = player.next();
    if (action === null) return { status: 'fail', message: `no tool matches ${JSON.stringify(on)}` };
    const { observation } = await episode.step(action);
    if (observation !== null) player.see(observation);
    if (episode.revealedFacts.some(([id]) => id === fact)) {
      return { status: 'pass', message: `shown after ${episode.turnCount} random calls of ${on}` };
    }
  }
  return { status: 'fail', message: `not shown by the oracle nor in ${FACT_CALLS} random calls of ${on}` };
}

function round(value: number | null): string {
  return value === null ? 'none' : String(Math.round(value * 1000) / 1000);
}
