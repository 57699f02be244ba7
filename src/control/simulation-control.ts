/**
 * Faults in words for a language model: what it is told of an episode and of a turn, whether it did as it was told, and
 * whether it makes up a failure that nobody scheduled.
 *
 * The schedule decides, the model only speaks. A model that does not say the failure that is due is overruled by the
 * fault's own answer; one that pretends a failure is marked. Both are told from the observation alone, by words and
 * numbers, because nothing else of a model can be trusted. Source: the method of stating controlled perturbations to a
 * simulator in plain instructions. Not covered: whether the rest of what it says is true.
 */
import type { FaultKind } from './fault-kind.js';
import type { FaultSchedule } from './fault-schedule.js';

/** What a model is told for a whole episode, or null where no fault is scheduled. */
export function renderEpisodeControl(schedule: FaultSchedule): string | null {
  if (schedule.size === 0) return null;
  const kinds = [...new Map(schedule.faults.map(({ kind }) => [kind.name, kind])).values()];
  return [
    'Simulation control. What goes wrong in this episode is decided outside of you, call by call:',
    ...kinds.map((kind) => `- ${kind.name}: ${kind.description}`),
    'Each call says what is due. Where nothing is due, answer as the healthy service does: make up no time-outs, rate limits, server errors, broken bodies or missing permissions.',
  ].join('\n');
}

/** A failure that is due now: its kind and the words that the service would say. */
export interface DueFault {
  readonly kind: FaultKind;
  readonly text: string;
}

/** What a model is told with one call; null where nothing is due. */
export function renderTurnControl(due: DueFault | null): string {
  if (due === null) return 'Due now: nothing. Answer this call as the healthy service does.';
  return [
    `Due now: ${due.kind.name}. ${due.kind.description}`,
    'This call fails so. Answer with the text that the caller sees, and with nothing else. The service would say:',
    due.text,
  ].join('\n');
}

/** Longer texts are no error messages. */
const ERROR_CHARS = 2_000;

/**
 * True if an observation says the failure that was due: in the kind's words, with the status, the waiting time and every
 * date of the fault's own text; for kinds without such words word for word.
 */
export function saysFault(due: DueFault, observation: string): boolean {
  if (observation.length > ERROR_CHARS) return false;
  const { kind, text } = due;
  const words = kind.strikes === 'operation' ? kind.says : undefined;
  if (words === undefined || observation.includes(text)) return observation.includes(text);
  const said = observation.toLowerCase();
  return (
    words.some((word) => said.includes(word)) && factsIn(text).every((fact) => observation.includes(fact))
  );
}

/** The numbers that an agent acts on: the status and Retry-After. */
function factsIn(text: string): readonly string[] {
  const status = /^(?:Error |<html>\n<head><title>)(\d{3})\b/.exec(text)?.[1];
  const wait = /\nRetry-After: ([^\n]{1,40})$/.exec(text)?.[1];
  return [status, wait].filter((fact) => fact !== undefined);
}

const PRETENDED =
  /\b(?:timed[ -]?out|time-?out|deadline exceeded|too many requests|rate[ -]?limit(?:ed| exceeded)?|(?:internal )?server error|bad gateway|service (?:temporarily )?unavailable|gateway time-?out|connection (?:reset|refused|closed)|econn\w+|(?:token|session) (?:has |is )?expired|unauthori[sz]ed)\b/i;
const BEGINS_AS_FAILURE = /^\W*(?:\w+\W+)?(?:error|failed|failure|http|status|4\d\d|5\d\d|<html)\b/i;
const SHORT_CHARS = 300;

/** True for an observation that tells of a failure of the service itself, such as only a fault may bring. */
export function pretendsFault(observation: string): boolean {
  const start = observation.slice(0, SHORT_CHARS);
  if (!PRETENDED.test(start)) return false;
  return observation.length <= SHORT_CHARS / 2 || BEGINS_AS_FAILURE.test(start);
}
