/**
 * Runs a call on a session with nobody in between: no fault, no fact, no model. What cannot be computed is abstained.
 */
import type {
  Answer,
  EngineOutcome,
  EngineSession,
  HostCall,
  HostReply,
  ParsedAction,
  RunContext,
} from '../core/index.js';

/** The outcome of the call; the session is changed by it, so give a fork. */
export function runPlainly(
  session: EngineSession,
  action: ParsedAction,
  how: RunContext & { readonly unknown?: Answer },
): EngineOutcome {
  const { unknown, ...context } = how;
  const run = session.run(action, context);
  let next = run.next();
  while (next.done !== true) next = run.next(replyTo(next.value.phase, unknown));
  return next.value;
}

/** `unknown` stands in for what nobody computes; without it the run abstains there. */
function replyTo(phase: HostCall['phase'], unknown: Answer | undefined): HostReply {
  if (phase !== 'unknown') return { do: 'proceed' };
  if (unknown !== undefined) return { do: 'answer', answer: unknown };
  return { do: 'abstain', status: 'abstained', reason: 'only computed answers count' };
}
