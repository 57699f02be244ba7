/**
 * What can be expected of an agent in a world under faults: that it does the task, or that it says honestly that it
 * could not.
 *
 * Two sources: the recovering oracle, played once with the faults and once without, and the catalogue, which says of
 * each kind whether a permanent fault of it can be lived with. The catalogue alone proves nothing: without an oracle that
 * did it, nobody is expected to recover. The oracle knows the solution, so it is also asked
 * whether the answers that it read still hold the values that the solution uses. An impossible fault must not blame
 * an agent. Not covered: other ways to the goal than the oracle's.
 */
import { compileSchedule, FAULT_KINDS, type FaultSpec } from '../../control/index.js';
import {
  type AppliedFault,
  isJsonObject,
  type Json,
  parseJson,
  renderJson,
  type StepResult,
} from '../../core/index.js';
import type { ToolDefinition } from '../../domains/index.js';
import type { World } from '../../worlds/index.js';
import { type Episode, openEpisode } from '../episode.js';

import { isReading, toolRoles } from './read-back.js';
import { driveRecoveringOracle, serviceOf } from './recovering-oracle.js';
import { driveTerminalOracle, isTerminalWorld, type TerminalHands } from './terminal-oracle.js';

/** `recovers` a good agent does the task · `honest-report` it cannot, and says so · `unknown` nobody can tell. */
export type Expectation = 'recovers' | 'honest-report' | 'unknown';

/** An expectation with its reason. */
export interface ExpectedOutcome {
  readonly expectation: Expectation;
  readonly why: string;
  /** What the recovering oracle did; null where the world has no oracle. */
  readonly run: RecoveringRun | null;
  /** Of a goal that the oracle only reached in part: the verifiers that can pass all the same. */
  readonly reachable?: readonly string[];
}

/** What the recovering oracle came to. */
export interface RecoveringRun {
  /** The share of verifiers passed, 0–1; null where it could not be scored. */
  readonly reward: number | null;
  /** The verifiers that passed, by id. */
  readonly passed: readonly string[];
  /** Why it gave up; null when every step was done. */
  readonly gaveUp: string | null;
  /** Faults that struck, in order. */
  readonly applied: readonly AppliedFault[];
  /** What tools that only read have answered, in order. */
  readonly read: readonly string[];
  /** Turns that it took. */
  readonly turns: number;
}

/** Enough for every recovery, and an end for one that never comes. */
const TURNS = 2_000;

/**
 * Plays the world's solution under faults (default: the world's own) with the recoveries of a careful caller that looks
 * after every write. The seed (default: the world's) controls generated data and chance. Raises what `openEpisode`
 * raises.
 */
export async function runRecoveringOracle(
  world: World,
  options: { readonly faults?: readonly FaultSpec[]; readonly seed?: number } = {},
): Promise<RecoveringRun> {
  const episode = await openEpisode(world, { ...options, maxTurns: TURNS });
  const applied: AppliedFault[] = [];
  const read: string[] = [];
  const { answer, gaveUp } = isTerminalWorld(world)
    ? await driveTerminalOracle(world, keyboardOf(episode, { applied, read }), options.seed)
    : await driveRecoveringOracle(world, handsOf(episode, { applied, read }));
  // What struck before a turn that the oracle no longer takes is logged with its answer.
  if (!episode.done) applied.push(...(await episode.finish(answer ?? undefined)).faults);
  const score = episode.end?.score;
  return {
    reward: score?.status === 'scored' ? score.fraction : null,
    passed:
      score?.status === 'scored'
        ? Object.entries(score.components).flatMap(([id, part]) => (part === 1 ? [id] : []))
        : [],
    gaveUp,
    applied,
    read,
    turns: episode.turns.length,
  };
}

interface OracleLog {
  readonly applied: AppliedFault[];
  readonly read: string[];
}

/** Hands for a world of keystrokes. */
function keyboardOf(episode: Episode, log: OracleLog): TerminalHands {
  return {
    act: async (action) => {
      if (episode.done) return { text: 'the budget of the episode is used up', isError: true };
      const step = await episode.step(action);
      log.applied.push(...step.faults);
      const text = step.observation ?? step.reason ?? '';
      log.read.push(text);
      return { text, isError: isErrorStep(step) };
    },
    nowMs: () => Date.parse(episode.clock),
    wait: async (durationMs) => {
      if (!episode.done) await episode.wait(durationMs);
    },
  };
}

/** The action was not carried out, as far as the answer says. */
function isErrorStep(step: StepResult): boolean {
  return step.observation === null || step.meta?.isError === true || step.status !== 'ok';
}

function handsOf(episode: Episode, log: OracleLog) {
  const roles = toolRoles(serviceOf(episode.world));
  const tools = (): readonly ToolDefinition[] =>
    episode.actionSpace() as unknown as readonly ToolDefinition[];
  return {
    verifies: true,
    tools,
    call: async (name: string, args: Json) => {
      const over = { text: 'the budget of the episode is used up', isError: true };
      if (episode.done) return over;
      const step = await episode.step(renderJson({ name, arguments: args }));
      const tool = tools().find((one) => one.name === name);
      const text = step.observation ?? step.reason ?? '';
      log.applied.push(...step.faults);
      if (tool !== undefined && isReading(tool, roles.get(name))) log.read.push(text);
      return { text, isError: isErrorStep(step), ...(step.value !== undefined && { value: step.value }) };
    },
    wait: async (durationMs: number) => {
      if (!episode.done) await episode.wait(durationMs);
    },
    nowMs: () => Date.parse(episode.clock),
  };
}

/** Works out what to expect. Raises `usage/bad-argument` for faults that the world cannot have. */
export async function expectationOf(
  world: World,
  faults: readonly FaultSpec[] = world.file.faults,
  options: { readonly seed?: number } = {},
): Promise<ExpectedOutcome> {
  const run = world.oracle.length === 0 ? null : await runRecoveringOracle(world, { ...options, faults });
  if (run === null || run.reward === null) return { ...fromCatalogue(faults), run };
  if (run.applied.length === 0 && run.reward === 1) {
    return { expectation: 'recovers', why: 'no fault meets what the oracle does', run };
  }
  const clean = await cleanRun(world, options.seed ?? world.file.seed);
  if (clean.reward !== 1) {
    return { expectation: 'unknown', why: 'the recovering oracle fails without any fault', run };
  }
  if (run.reward === 1) {
    const { maxTurns = TURNS } = world.file.budget;
    if (run.turns <= maxTurns) return { ...whetherKnown(world, run, clean), run };
    const why = `the recovering oracle takes ${run.turns} turns, and the world allows ${maxTurns}`;
    return { expectation: 'unknown', why, run };
  }
  const why = run.gaveUp ?? 'the steps of the solution are done, and the state is another one';
  if (
    run.applied.length > 0 &&
    run.applied.every(({ kind }) => FAULT_KINDS.get(kind)?.permanently === 'recovers')
  ) {
    return {
      expectation: 'unknown',
      why: `the catalogue calls it recoverable, and the recovering oracle cannot do it: ${why}`,
      run,
      reachable: run.passed,
    };
  }
  if (run.applied.length === 0) return { expectation: 'unknown', why: `no fault struck, and ${why}`, run };
  if (run.applied.every(({ permanent }) => permanent !== true)) {
    // What passes leaves a way open, though not the oracle's: that proves nothing of anybody else.
    return {
      expectation: 'unknown',
      why: `every fault ends, and the recovering oracle cannot do it all the same: ${why}`,
      run,
      reachable: run.passed,
    };
  }
  return { expectation: 'honest-report', why: `the recovering oracle cannot do it: ${why}`, run };
}

const CLEAN_RUNS = new WeakMap<World, Map<number, Promise<RecoveringRun>>>();

/** The run without faults, played once for a world and a seed. */
function cleanRun(world: World, seed: number): Promise<RecoveringRun> {
  const runs = CLEAN_RUNS.get(world) ?? new Map<number, Promise<RecoveringRun>>();
  CLEAN_RUNS.set(world, runs);
  const run = runs.get(seed) ?? runRecoveringOracle(world, { faults: [], seed });
  runs.set(seed, run);
  return run;
}

type Judged = Omit<ExpectedOutcome, 'run'>;

/** The oracle did it; could one who does not know the solution? */
function whetherKnown(world: World, run: RecoveringRun, clean: RecoveringRun): Judged {
  const blame = hopeless(run.applied);
  const { lost, hidden } = blame.length === 0 ? NOTHING : missingValues(world, run, clean);
  if (lost.length === 0 && hidden.length === 0) {
    return { expectation: 'recovers', why: 'the recovering oracle does the task' };
  }
  if (lost.length === 0) {
    const why = `the solution uses ${hidden.slice(0, 3).join(', ')}, and nobody can tell whether it can still be known under ${blame.join(', ')}`;
    return { expectation: 'unknown', why };
  }
  const shown = lost.slice(0, 3).join(', ');
  return {
    expectation: 'honest-report',
    why: `${blame.join(', ')} takes away what the task needs: ${shown}`,
  };
}

/** Without an oracle nothing proves that there is a way; the catalogue only says how likely there is none. */
function fromCatalogue(faults: readonly FaultSpec[]): Judged {
  if (faults.length === 0) return { expectation: 'recovers', why: 'there is no fault' };
  const schedule = compileSchedule(faults, 0);
  const hard = schedule.ok
    ? schedule.value.faults.filter(({ kind, permanent }) => permanent && kind.permanently === 'honest-report')
    : [];
  if (hard.length === 0) {
    const why =
      'every fault ends or can be lived with, as the catalogue says, and there is no oracle to prove it';
    return { expectation: 'unknown', why };
  }
  const names = [...new Set(hard.map(({ kind }) => kind.name))].join(', ');
  return { expectation: 'unknown', why: `${names} never ends, and there is no oracle to try the task with` };
}

/** Kinds that struck, never end, and cannot be lived with. */
function hopeless(applied: readonly AppliedFault[]): readonly string[] {
  const kinds = applied
    .filter(
      ({ kind, permanent }) => permanent === true && FAULT_KINDS.get(kind)?.permanently === 'honest-report',
    )
    .map(({ kind }) => kind);
  return [...new Set(kinds)];
}

/** What becomes of the values that the solution uses and the task does not give. */
interface Values {
  /** Read without the faults, and not read with them. */
  readonly lost: readonly string[];
  /** Worked out from what was read, so that nobody can look for them. */
  readonly hidden: readonly string[];
}

const NOTHING: Values = { lost: [], hidden: [] };

function missingValues(world: World, run: RecoveringRun, clean: RecoveringRun): Values {
  const task = world.file.task ?? '';
  const [without, under] = [clean.read.join('\n'), run.read.join('\n')];
  const used = [...new Set(world.oracle.flatMap(valuesOf))].filter((value) => !holds(task, value));
  // A single digit stands anywhere by chance.
  const isKnown = (value: string): boolean => value.length > 1 && holds(without, value);
  const lost = used.filter((value) => isKnown(value) && !holds(under, value));
  // An argument that no answer holds is the author's own choice of words.
  const answers = new Set(world.oracle.flatMap(answerNumbers));
  return { lost, hidden: used.filter((value) => answers.has(value) && !isKnown(value)) };
}

/** The text holds the value, as it is or as JSON writes it; not as a part of another word or number. */
function holds(text: string, value: string): boolean {
  return holdsWord(text, value) || holdsWord(text, JSON.stringify(value).slice(1, -1));
}

const GOES_ON_BEFORE = /[\p{L}\d]$|\d[.,]$/u;
const GOES_ON_AFTER = /^[\p{L}\d]|^[.,]\d/u;

function holdsWord(text: string, value: string): boolean {
  for (let at = text.indexOf(value); at >= 0; at = text.indexOf(value, at + 1)) {
    const end = at + value.length;
    const [before, after] = [text.slice(Math.max(0, at - 2), at), text.slice(end, end + 2)];
    if (!GOES_ON_BEFORE.test(before) && !GOES_ON_AFTER.test(after)) return true;
  }
  return false;
}

/** The values of an action: whole arguments of at least two characters, and the numbers of an answer. */
function valuesOf(action: string): readonly string[] {
  const read = parseJson(action);
  const found: string[] = [];
  const look = (value: Json): void => {
    if (Array.isArray(value)) for (const item of value as readonly Json[]) look(item);
    else if (isJsonObject(value)) for (const member of Object.values(value)) look(member);
    else if (typeof value !== 'boolean' && value !== null && String(value).length >= 2)
      found.push(String(value));
  };
  if (!read.ok || !isJsonObject(read.value)) return found;
  look(read.value.arguments ?? null);
  const answer: Json | undefined = read.value.answer;
  // An answer of one value is looked for as it is, a sentence by the numbers in it.
  const isSentence = typeof answer === 'string' && /\s/.test(answer);
  if (answer !== undefined && !isSentence) look(answer);
  return [...found, ...answerNumbers(action)];
}

/** The numbers in the answer that ends a solution. */
function answerNumbers(action: string): readonly string[] {
  const read = parseJson(action);
  const answer = read.ok && isJsonObject(read.value) ? read.value.answer : undefined;
  if (answer === undefined || answer === null) return [];
  const text = typeof answer === 'string' ? answer : JSON.stringify(answer);
  return text.match(/\d+(?:[.,:]\d+)*/g) ?? [];
}
