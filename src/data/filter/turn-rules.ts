/**
 * Rules about single turns: empty actions, garbage that was tried again, screens that did not change, simulated text,
 * observations that are not there or not whole, and turns whose history is missing.
 */
import {
  type Domain,
  isJsonObject,
  type Json,
  parseJson,
  type Trajectory,
  type Turn,
} from '../../core/index.js';
import { domainFormat, isDesktopCode } from '../../domains/index.js';
import {
  type FilterRule,
  type RuleVerdict,
  SCREEN_DOMAINS,
  TOOL_DOMAINS,
  type TurnVerdict,
  verdictsOn,
} from './filter-rule.js';
import { readCall } from './read-call.js';

/** What an action without keystrokes, wait or call is, in words; undefined for an action that does something. */
function emptiness(action: string, trajectory: Trajectory): string | undefined {
  const trimmed = action.trim();
  if (trajectory.domain === 'terminal') return emptyKeys(action);
  return trimmed === '' || trimmed === '{}' || trimmed === 'null' ? 'no action' : undefined;
}

function emptyKeys(action: string): string | undefined {
  const parsed = /^\s*[[{"]/.test(action) ? parseJson(action) : undefined;
  const value: Json = parsed?.ok === true ? parsed.value : action;
  if (typeof value === 'string') return value === '' ? 'no keystrokes and no wait' : undefined;
  const steps = Array.isArray(value) ? (value as readonly Json[]) : [value];
  if (steps.length === 0) return 'says that the task is done';
  const isEmpty = steps.every(
    (step) => isJsonObject(step) && (step.keystrokes ?? '') === '' && !(Number(step.duration ?? 0) > 0),
  );
  return isEmpty ? 'no keystrokes and no wait' : undefined;
}

/** Strips pauses and narration: they are no steps of an environment. A wait is one. */
export const emptyAction: FilterRule = {
  name: 'empty-action',
  about: 'turns without keystrokes, wait or call (stripped; a wait is an action)',
  check: (trajectory) => verdictsOn(trajectory, 'strip', ({ action }) => emptiness(action, trajectory)),
};

/** True for an action that its domain's grammar does not accept: the agent's garbage, not an environment's error. */
function isGarbage(turn: Turn, trajectory: Trajectory): boolean {
  if (turn.status === 'malformed') return true;
  if (TOOL_DOMAINS.includes(trajectory.domain)) return readCall(turn, trajectory.domain).kind === 'malformed';
  // Python that has to be run is malformed in a world, and was run where it was recorded.
  if (trajectory.domain === 'os' && isDesktopCode(turn.action)) return false;
  const format = domainFormat(trajectory.domain);
  return format.ok && format.value.parseAction(turn.action).kind === 'malformed';
}

/** Skips garbage that was tried again until it was an action; garbage that was given up stays as context. */
export const retryCycle: FilterRule = {
  name: 'retry-cycle',
  about: 'malformed actions that the agent then repeated well (stripped), or gave up (never a target)',
  check: (trajectory): RuleVerdict => {
    const garbage = trajectory.turns.map((turn) => isGarbage(turn, trajectory));
    const last = garbage.lastIndexOf(false);
    return garbage.flatMap((isBad, index): TurnVerdict[] => {
      if (!isBad) return [];
      return index < last
        ? [{ index, do: 'strip', detail: 'a malformed action that was tried again' }]
        : [{ index, do: 'drop', detail: 'a malformed action that was given up' }];
    });
  },
};

/** A screen without what changes by itself: white space, clocks, numbers of nodes, battery and signal. */
function settledScreen(screen: string): string {
  return screen
    .replace(/^(\s*)\[[\w-]+\]/gm, '$1')
    .replace(/\b([01]?\d|2[0-3]):[0-5]\d(:[0-5]\d)?(\s?[AP]M)?\b/gi, ':')
    .replace(/\b(battery|signal|wifi|wi-fi)\b[^,;"'\n]{0,40}/gi, '$1')
    .replace(/\s+/g, ' ')
    .trim();
}

/** The same of the domain's form for comparing, in which layout and order of attributes do not count. */
function settledForm(screen: string, domain: Domain): string {
  const format = domainFormat(domain);
  return settledScreen(format.ok ? format.value.normaliseObservation(screen) : screen);
}

/** Turns of screens that did not effectively change: a model would learn to copy. */
export const noChange: FilterRule = {
  name: 'no-change',
  about: 'screen turns whose screen did not effectively change (never a target)',
  domains: SCREEN_DOMAINS,
  check: (trajectory) => {
    let before: { readonly text: string; readonly form: string } | undefined;
    return verdictsOn(trajectory, 'drop', ({ observation }) => {
      if (observation === null) return undefined;
      const text = settledScreen(observation);
      if (text === before?.text) return 'the screen is as before';
      const form = settledForm(observation, trajectory.domain);
      const isSame = form === before?.form;
      before = { text, form };
      return isSame ? 'the screen is as before' : undefined;
    });
  },
};

/** Text that no real environment printed. */
export const simulatedText: FilterRule = {
  name: 'simulated',
  about: 'turns with simulated text (never a target; --allow-simulated lets them be)',
  check: (trajectory) =>
    verdictsOn(trajectory, 'drop', ({ origins = [] }) => {
      const kinds = new Set(origins.map(({ origin }) => origin).filter((origin) => origin !== 'recorded'));
      return kinds.size === 0 ? undefined : `origins: ${[...kinds].sort().join(', ')}`;
    }),
};

/** Flags of importers; `harness-text` is the words of the program around the agent. */
const NOT_WHOLE: ReadonlySet<string> = new Set(['truncated', 'external', 'image', 'harness-text']);

/** Flags of the guard over a world's model: the words contradict what is known, or are no observation. */
const DOUBTED = /^(?:inconsistent|guard:.+|output-schema)$/;

/** Observations that are not there, not whole, elsewhere, or not the environment's. */
export const incompleteObservation: FilterRule = {
  name: 'incomplete-observation',
  about: 'turns whose observation is missing, cut, in another file or marked by the guard (never a target)',
  check: (trajectory) =>
    verdictsOn(trajectory, 'drop', ({ observation, status, flags = [] }) => {
      if (observation === null) return `no observation (${status})`;
      const marks = flags.filter((flag) => NOT_WHOLE.has(flag) || DOUBTED.test(flag));
      return marks.length === 0 ? undefined : marks.join(', ');
    }),
};

/** Turns before which something is missing. */
export const missingHistory: FilterRule = {
  name: 'missing-history',
  about: 'turns right after a gap, whose history is not known (never a target)',
  check: ({ gaps = [], turns }) =>
    gaps
      .filter((index) => index < turns.length)
      .map((index) => ({ index, do: 'drop' as const, detail: 'something is missing before it' })),
};
