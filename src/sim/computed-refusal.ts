/**
 * Does the state itself say that a call must fail? Used where a model answers in the engine's place.
 *
 * The engine tries the call on a fork that is thrown away, so nothing changes. Models want to please: they return an
 * object for an id nobody made and confirm a second close; what the engine can decide, it decides (hard case
 * P-SIM-2). Not covered: calls that the engine cannot compute, and whether a success says the right thing.
 */
import type { EngineSession, JsonObject, RunContext } from '../core/index.js';
import { runPlainly } from './plain-run.js';

/** A call as an operation has it. */
export interface TriedCall {
  readonly name: string;
  readonly arguments: JsonObject;
}

/** The error that the engine computes for this call, or undefined where it succeeds or cannot be computed. */
export function computedRefusal(
  session: EngineSession,
  call: TriedCall,
  context: RunContext,
): string | undefined {
  const outcome = runPlainly(session.fork(), { kind: 'tool-call', ...call }, context);
  const { status, answer, flags } = outcome;
  // A broken rule of the world says nothing about the call.
  if (status !== 'ok' || answer?.isError !== true || flags.includes('rule-error')) return undefined;
  return answer.text.text;
}

const BEGINS =
  /^\W*(?:\w+\W+)?(?:error|failed|failure|exception|traceback|refused|denied|cannot|could not)\b/i;
const SAYS =
  /\b(?:not found|does not exist|doesn't exist|no such|already|not allowed|forbidden|denied|unable|cannot|can't|could not|failed|invalid|missing|locked|conflict|unknown|refused|not enough|insufficient)\b/i;
const SHORT_CHARS = 500;

/** True for a text that reads like a failure, in a sentence or as an error object. */
export function soundsLikeFailure(text: string): boolean {
  if (BEGINS.test(text.slice(0, SHORT_CHARS))) return true;
  return text.length <= SHORT_CHARS && SAYS.test(text);
}
