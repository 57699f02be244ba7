/**
 * A trial of one call: what the engine would find out, do and answer, with nothing kept.
 *
 * For whoever learns a service from a recording and has to compare; an episode never uses it.
 */
import {
  EngineError,
  type EngineOutcome,
  type EngineSession,
  type JsonObject,
  type RunContext,
  type ToolCall,
} from '../../core/index.js';
import { ToolSession } from './engine-session.js';
import type { RuleScope } from './run/rule-scope.js';

/** What a trial found. */
export interface CallTrial {
  readonly outcome: EngineOutcome;
  /** What the tool's shape would see; null for a call that was refused before it ran, or that failed. */
  readonly scope: RuleScope | null;
  /** How the tool failed: `not-found`, `exists`, `already`, `refused`, …; null where it did not. */
  readonly failure: { readonly kind: string; readonly message: string; readonly row?: JsonObject } | null;
  /** The session after the call. The one given is as it was. */
  readonly after: EngineSession;
}

/** Tries a call on a session of the tools engine. Raises `engine/bug` for a session of another engine. */
export function tryCall(session: EngineSession, call: ToolCall, context: RunContext): CallTrial {
  if (session instanceof ToolSession) return session.trial(call, context);
  throw new EngineError('only sessions of the tools engine can be tried', { code: 'engine/bug' });
}
