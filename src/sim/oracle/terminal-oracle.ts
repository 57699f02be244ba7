/**
 * The recovering oracle of a terminal: a world's own keystrokes, typed by somebody who reads what comes back.
 *
 * The solution is first played without faults, and what each step then shows is what is expected. Words of failure that
 * were not there then, or a prompt that does not come back, are trouble: the careful caller interrupts what hangs, pauses
 * and types the step again, a few times, and then says what was not done. Repeating a step that was done in part may
 * fail by itself (`No such file` after a removal); on a repeat such words count as done. Where the call itself is refused
 * it waits as long as it is asked to; where its answer was lost it looks first whether the line stands on the screen.
 * Deterministic. Not covered:
 * other ways to the same end, so what this cannot do is never held against an agent.
 */
import { isJsonObject, type Json, parseJson } from '../../core/index.js';
import type { World } from '../../worlds/index.js';
import { openEpisode } from '../episode.js';
import { failureKind } from './failure-kind.js';
import type { RecoveredOracle } from './recovering-oracle.js';

/** What an action gave: a screen, or the service's words where the call was refused. */
interface Screen {
  readonly text: string;
  readonly isError: boolean;
}

/** What a terminal is lived in with. */
export interface TerminalHands {
  /** Types one action; gives the screen. */
  act(action: string): Promise<Screen>;
  /** The simulated clock, milliseconds since 1970 UTC. */
  nowMs(): number;
  /** Lets simulated time pass. */
  wait(durationMs: number): Promise<void>;
}

/** Tries at one step, the first included. */
const ATTEMPTS = 4;
const FIRST_PAUSE_MS = 1_000;
/** Seconds that a step which hangs is waited for before it is interrupted. */
const PATIENCE_SECONDS = 5;
const LOOK = `{"keystrokes":"","duration":${PATIENCE_SECONDS}}`;
const INTERRUPT = '{"keystrokes":"C-c","duration":1}';

/** True where the solution of a world is keystrokes. */
export function isTerminalWorld(world: World): boolean {
  return world.domain === 'terminal';
}

/** Carries out the solution of a terminal world. Rejects only with what the hands reject with. */
export async function driveTerminalOracle(
  world: World,
  hands: TerminalHands,
  seed = world.file.seed,
): Promise<RecoveredOracle> {
  const expected = await cleanScreens(world, seed);
  for (const [index, action] of world.oracle.entries()) {
    const answer = answerOf(action);
    if (answer !== null) return { answer, gaveUp: null };
    const problem = await perform(action, expected[index] ?? '', hands);
    if (problem === null) continue;
    const report = `I could not complete the task. Not done: ${problem}. ${index} steps before it were done.`;
    return { answer: report, gaveUp: problem };
  }
  return { answer: null, gaveUp: null };
}

async function perform(action: string, clean: string, hands: TerminalHands): Promise<string | null> {
  const typed = firstLine(action);
  const wanted = lastPart(clean, typed);
  let trouble: string | null = null;
  for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
    const reached = await reach(action, typed, hands);
    if (typeof reached === 'string') return reached;
    const screen = await returned(wanted, reached, hands);
    trouble = troubleOf(lastPart(screen, typed), wanted);
    if (trouble === null || (attempt > 1 && DONE_BEFORE.test(trouble))) return null;
    if (hangs(screen, wanted)) await hands.act(INTERRUPT);
    if (attempt < ATTEMPTS) await hands.wait(FIRST_PAUSE_MS * 2 ** (attempt - 1));
  }
  return `'${typed}' showed: ${trouble ?? ''}`;
}

/** Sends an action until the terminal takes it: the screen, or what was in the way. */
async function reach(action: string, typed: string, hands: TerminalHands): Promise<Screen | string> {
  let seen = await hands.act(action);
  for (let attempt = 1; seen.isError; attempt++) {
    const failure = failureKind(seen.text, hands.nowMs());
    const report = `'${typed}' was answered: ${(seen.text.split('\n')[0] ?? '').slice(0, 200)}`;
    if (failure.kind === 'permanent' || attempt === ATTEMPTS) return report;
    await hands.wait(Math.max(failure.retryAfterMs ?? 0, FIRST_PAUSE_MS * 2 ** (attempt - 1)));
    if (failure.kind === 'lost') {
      const look = await hands.act(LOOK);
      if (!look.isError && isTyped(look.text, typed)) return look;
    }
    seen = await hands.act(action);
  }
  return seen;
}

/** The line stands on the screen, and no line was typed after it. */
function isTyped(screen: string, typed: string): boolean {
  if (typed === '') return false;
  const prompts = screen.split('\n').filter((line) => /[$#%>] \S/.test(line));
  return prompts.at(-1)?.includes(typed) === true;
}

/** The screen once the prompt is back, or after some patience. */
async function returned(wanted: string, seen: Screen, hands: TerminalHands): Promise<string> {
  if (!hangs(seen.text, wanted)) return seen.text;
  return (await hands.act(LOOK)).text;
}

const PROMPT = /[$#%>]\s*$/;

/** Without faults the prompt was back, and now it is not. */
function hangs(screen: string, wanted: string): boolean {
  return PROMPT.test(wanted) && !PROMPT.test(screen);
}

const TROUBLE =
  /no space left|read-only file system|permission denied|input\/output error|cannot allocate|out of memory|\bkilled\b|\bterminated\b|segmentation fault|\baborted\b|bus error|command not found|not found$|error while loading|no such file|cannot open|address already in use|connection refused|timed? ?out|\berror\b|\bfailed\b|\bfatal\b|file exists/i;
const DONE_BEFORE = /no such file|file exists|nothing to (do|commit)|already/i;

/** The first line that tells of a failure and was not shown without faults, or that nothing came back; else null. */
function troubleOf(part: string, wanted: string): string | null {
  if (hangs(part, wanted)) return 'the prompt did not come back';
  const known = new Set(wanted.split('\n').map((line) => line.trim()));
  const line = part.split('\n').find((one) => TROUBLE.test(one) && !known.has(one.trim()));
  return line === undefined ? null : line.trim().slice(0, 200);
}

/** What stands on a screen behind the last place where a line was typed. */
function lastPart(screen: string, typed: string): string {
  const at = typed === '' ? -1 : screen.lastIndexOf(typed);
  return at < 0 ? screen : screen.slice(at + typed.length);
}

/** Longer lines are broken by the screen. */
const SHOWN_WHOLE = 40;

/** The beginning of the first line that an action types, or the empty text. */
function firstLine(action: string): string {
  const read = parseJson(action);
  const value: Json = read.ok ? read.value : action;
  const first = Array.isArray(value) ? ((value as readonly Json[])[0] ?? '') : value;
  const keys = isJsonObject(first) ? first.keystrokes : first;
  return typeof keys === 'string' ? (keys.split('\n')[0] ?? '').slice(0, SHOWN_WHOLE) : '';
}

function answerOf(action: string): string | null {
  const read = parseJson(action);
  return read.ok && isJsonObject(read.value) && typeof read.value.answer === 'string'
    ? read.value.answer
    : null;
}

const SCREENS = new WeakMap<World, Map<number, Promise<readonly string[]>>>();

/** What each step of the solution shows without faults, played once for a world and a seed. */
function cleanScreens(world: World, seed: number): Promise<readonly string[]> {
  const known = SCREENS.get(world) ?? new Map<number, Promise<readonly string[]>>();
  SCREENS.set(world, known);
  const found = known.get(seed) ?? playClean(world, seed);
  known.set(seed, found);
  return found;
}

async function playClean(world: World, seed: number): Promise<readonly string[]> {
  const episode = await openEpisode(world, { seed, faults: [], route: 'engine' });
  const screens: string[] = [];
  for (const action of world.oracle) {
    if (episode.done) break;
    screens.push((await episode.step(action)).observation ?? '');
  }
  return screens;
}
