/**
 * What does the state itself say of a call? Used where a model answers in the engine's place.
 *
 * The engine tries the call on a fork. Models want to please: they return an object for an id nobody made, confirm a second
 * close, and forget what was there; what the engine can decide, it decides (hard cases P-SIM-1 and P-SIM-2). Not covered:
 * calls that the engine cannot compute.
 */
import {
  type Answer,
  canonicalJson,
  type EngineSession,
  type JsonObject,
  type RunContext,
  traced,
} from '../core/index.js';
import { TERMINAL_TOOL } from '../domains/index.js';
import type { Draft } from './guard/agreement.js';
import type { ScreenFrame } from './guard/form-check.js';
import { runPlainly } from './plain-run.js';

/** A call as an operation has it. */
export interface TriedCall {
  readonly name: string;
  readonly arguments: JsonObject;
}

/** What the engine alone makes of a call: an error that must be, or an answer with the state after it. */
export interface TriedDraft {
  /** The error that the engine computes. */
  readonly refusal?: string;
  readonly draft?: Draft;
  /** What of a screen is computed although programs in it are not. */
  readonly frame?: ScreenFrame;
  /** The session after the call. Never run: fork it. */
  readonly session: EngineSession;
}

/** Tries the call on a fork; null where the engine cannot compute all of it. */
export function tryDraft(session: EngineSession, call: TriedCall, context: RunContext): TriedDraft | null {
  const after = session.fork();
  const before = session.view();
  const { status, answer, flags } = runPlainly(after, { kind: 'tool-call', ...call }, context);
  if (status === 'abstained' && call.name === TERMINAL_TOOL) return tryFrame(session, call, context);
  // A broken rule of the world says nothing about the call.
  if (status !== 'ok' || answer === null || flags.includes('rule-error')) return null;
  if (answer.isError) return { refusal: answer.text.text, session: after };
  // Filler and what a model said before are no knowledge of the engine.
  if (answer.text.origins.some(({ origin }) => origin === 'generated')) return null;
  const wrote = canonicalJson(after.view()) !== canonicalJson(before);
  return { draft: { answer, wrote, before, args: call.arguments }, session: after };
}

/** Stands where a program would have printed something. */
const ASKED = '\u29fcasked\u29fd';

/** A screen with programs that nobody computes: what they print is open, the prompt behind them is not. */
function tryFrame(session: EngineSession, call: TriedCall, context: RunContext): TriedDraft | null {
  const after = session.fork();
  const unknown: Answer = { text: traced(ASKED, 'generated'), isError: false };
  const { answer } = runPlainly(after, { kind: 'tool-call', ...call }, { ...context, unknown });
  const rows = answer?.text.text.split('\n') ?? [];
  const last = rows.at(-1) ?? '';
  // A prompt ends the screen only where everything has ended.
  if (rows.length < 2 || !/[$#%>]$/.test(last.trimEnd()) || last.includes(ASKED)) return null;
  return { frame: { prompt: last.trimEnd() }, session: after };
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
