/**
 * Tells an answer that reports a failure, whether it is marked as an error or not.
 *
 * Many services answer `{"status":"error","message":…}` or "No such note" as if all were well. Only the parts that speak
 * of the outcome are looked at, never data. Not covered: failures told in other languages than English.
 */
import { isJsonObject } from '../../core/index.js';
import { jsonOf } from './learn-entities.js';
import type { TwinCall } from './twin-source.js';

const BAD =
  /^(?:error|err|fail(?:ed|ure)?|invalid|denied|refused|rejected|forbidden|conflict|missing|unknown)$|not[_ -]?found|already[_ -]|^no[_ -]such/i;
const SENTENCE =
  /^(?:❌\s*)?(?:error\b|failed\b|cannot\b|can't\b|could not\b|no such\b|unknown\b|invalid\b)|\b(?:not found|does not exist|doesn't exist|already exists)\b/i;

/** True if an answer says that the call did not do what it asked. */
export function looksFailed({ isError, text, value }: TwinCall): boolean {
  if (isError) return true;
  const shown = value ?? jsonOf(text);
  if (isJsonObject(shown)) {
    if (shown.success === false || shown.ok === false) return true;
    if (typeof shown.error === 'string' && shown.error !== '') return true;
    return ['status', 'result', 'code', 'type'].some((name) => {
      const said = shown[name];
      return typeof said === 'string' && BAD.test(said);
    });
  }
  return typeof shown === 'string' || shown === undefined ? text.length < 200 && SENTENCE.test(text) : false;
}
