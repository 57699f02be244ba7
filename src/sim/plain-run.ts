/**
 * Runs a call on a session with nobody in between: no fault, no fact, no model. What cannot be computed is abstained.
 */
import type {
  EngineOutcome,
  EngineSession,
  HostCall,
  HostReply,
  ParsedAction,
  RunContext,
} from '../core/index.js';

/** The outcome of the call; the session is changed by it, so give a fork. */
export function runPlainly(session: EngineSession, action: ParsedAction, context: RunContext): EngineOutcome {
  const run = session.run(action, context);
  let next = run.next();
  while (next.done !== true) next = run.next(replyTo(next.value.phase));
  return next.value;
}

function replyTo(phase: HostCall['phase']): HostReply {
  if (phase !== 'unknown') return { do: 'proceed' };
  return { do: 'abstain', status: 'abstained', reason: 'only computed answers count' };
}
