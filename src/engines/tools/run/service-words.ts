/**
 * What a service says when it refuses, for whoever makes it refuse from outside (injected faults).
 *
 * The idea: one place decides how refusals read, so that an injected 403 cannot be told from the service's own.
 * Source: the world file's `answers`. Not covered: refusals that the engine itself finds (`failure-answer`).
 */
import type { JsonObject } from '../../../core/index.js';
import { type ErrorBody, type ErrorCause, errorBody } from '../../../domains/index.js';
import type { AnswersSpec } from '../spec-answers.js';
import { formText, type Refusal, templateText } from './failure-answer.js';
import { RuleBook } from './overrides-rules.js';

/** What is known of a refusal. */
export interface WordedRefusal {
  readonly tool: string;
  readonly args: JsonObject;
  readonly session: JsonObject;
  /** The time as an ISO text. */
  readonly clock: string;
  readonly cause: ErrorCause;
  /** One sentence. */
  readonly message: string;
  readonly field?: string;
  readonly retryAfterSeconds?: number;
}

/** Says a refusal; undefined where the service has no words of its own for it. */
export type ServiceWords = (refusal: WordedRefusal) => ErrorBody | undefined;

/** The words of a service; undefined where it has none of its own. */
export function createServiceWords(answers: AnswersSpec | undefined): ServiceWords | undefined {
  const family = answers?.errors ?? 'plain';
  if (answers === undefined || (family === 'plain' && answers.tools === undefined)) return undefined;
  const source = { rules: new RuleBook(), spec: { answers } };
  return ({ cause, field, retryAfterSeconds, ...known }) => {
    const details = {
      ...(field !== undefined && { field }),
      ...(retryAfterSeconds !== undefined && { retryAfterSeconds }),
    };
    const refusal: Refusal = { ...known, details };
    const { status } = errorBody('plain', cause, { message: known.message });
    const template = templateText(source, cause, refusal);
    if (template !== undefined) return { status, text: template };
    const form = formText(source, cause, refusal);
    if (form === undefined) return undefined;
    return { status: errorBody(family, cause, { message: known.message }).status, text: form };
  };
}
