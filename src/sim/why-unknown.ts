/**
 * Why a step has no observation where nobody can compute an operation, with the next step where one is known.
 */
import { isJsonObject, type Operation } from '../core/index.js';

/** The reason in words. An operation may carry a `hint` in its arguments. */
export function whyUnknown(op: Operation, isStrict: boolean): string {
  const why = isStrict ? 'the world is strict' : 'no model was given';
  const hint = isJsonObject(op.args) && typeof op.args.hint === 'string' ? ` (${op.args.hint})` : '';
  return `nobody can compute the answer of '${op.name}'${hint}, and ${why}`;
}
