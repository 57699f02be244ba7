/**
 * The answer of a call that failed: the engine's sentence.
 */
import type { Answer } from '../../../core/index.js';
import { type Call, errorAnswer, type ToolFailure } from './run-call.js';

/** The error answer of a failure. */
export function failureAnswer(_call: Call, failure: ToolFailure): Answer {
  const { retryAfterSeconds } = failure.details;
  const after = retryAfterSeconds === undefined ? '' : `\nRetry-After: ${retryAfterSeconds}`;
  return errorAnswer(`${failure.message}${after}`);
}
