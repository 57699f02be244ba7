/**
 * Calls in Python's syntax as data: `click('a51')`, `pyautogui.click(420, 300)`, one or several.
 *
 * A call is a dotted name and its arguments; arguments are literals. Nothing is run, no name is looked up. Used by the
 * domains whose actions are written as code. Not covered: expressions, assignments, control flow; a domain that allows
 * some reads them beside this.
 */
import { fail, type Json, ok, type Result } from '../core/index.js';
import { type PythonProblem, readPythonValue, skipPythonSpace } from './python-literals.js';

/** One call. */
export interface PythonCall {
  /** Dotted, for example `click` or `pyautogui.moveTo`. */
  readonly name: string;
  readonly positional: readonly Json[];
  /** In order; a name that comes twice is a problem of reading. */
  readonly keywords: ReadonlyMap<string, Json>;
  readonly start: number;
  readonly end: number;
}

const NAME = /[\p{L}_][\p{L}\p{N}_]*(?:\.[\p{L}_][\p{L}\p{N}_]*)*/uy;
const KEYWORD = /([\p{L}_][\p{L}\p{N}_]*)[ \t\r\n]*=(?!=)/uy;
/** Calls taken from one text. */
const CALLS = 10_000;

/** Reads a call that begins at `at`: a name with its argument list. */
export function readPythonCall(text: string, at: number): Result<PythonCall, PythonProblem> {
  NAME.lastIndex = at;
  const name = NAME.exec(text)?.[0];
  if (name === undefined)
    return fail({ at, message: `${JSON.stringify(text.slice(at, at + 30))} is no call` });
  let next = at + name.length;
  while (text[next] === ' ' || text[next] === '\t') next++;
  if (text[next] !== '(') return fail({ at, message: `"${name.slice(0, 60)}" has no argument list` });
  const positional: Json[] = [];
  const keywords = new Map<string, Json>();
  next = skipPythonSpace(text, next + 1);
  while (text[next] !== ')') {
    const keyword = keywordAt(text, next);
    if (keyword === null && keywords.size > 0)
      return fail({ at: next, message: 'an argument without a name stands after one with a name' });
    if (keyword !== null && keywords.has(keyword.name))
      return fail({ at: next, message: `the argument "${keyword.name}" is given twice` });
    const value = readPythonValue(text, keyword?.end ?? next);
    if (!value.ok) return value;
    if (keyword === null) positional.push(value.value.value);
    else keywords.set(keyword.name, value.value.value);
    next = skipPythonSpace(text, value.value.end);
    if (text[next] === ',') next = skipPythonSpace(text, next + 1);
    else if (text[next] !== ')') return fail({ at: next, message: afterValue(text, next) });
  }
  return ok({ name, positional, keywords, start: at, end: next + 1 });
}

function keywordAt(text: string, at: number): { readonly name: string; readonly end: number } | null {
  KEYWORD.lastIndex = at;
  const match = KEYWORD.exec(text);
  return match === null ? null : { name: match[1] ?? '', end: at + match[0].length };
}

function afterValue(text: string, at: number): string {
  const seen = at >= text.length ? 'the text ends' : JSON.stringify(text.slice(at, at + 20));
  return `${seen} where "," or ")" is wanted`;
}

/** Reads a text that is calls and nothing else: one below the other, or separated by semicolons; comments are skipped. */
export function readPythonCalls(text: string): Result<readonly PythonCall[], PythonProblem> {
  const calls: PythonCall[] = [];
  for (let at = skipPythonSpace(text, 0); at < text.length; ) {
    if (calls.length >= CALLS) return fail({ at, message: `more than ${CALLS} calls in one text` });
    const call = readPythonCall(text, at);
    if (!call.ok) return call;
    calls.push(call.value);
    const after = skipSeparator(text, call.value.end);
    if (after === null) {
      return fail({
        at: call.value.end,
        message: `${JSON.stringify(text.slice(call.value.end, call.value.end + 20))} stands behind a call`,
      });
    }
    at = after;
  }
  return ok(calls);
}

/** Where the next call may begin; null where something else stands in between. */
function skipSeparator(text: string, at: number): number | null {
  const next = skipPythonSpace(text, at);
  if (next >= text.length) return next;
  if (text[next] === ';') return skipPythonSpace(text, next + 1);
  return text.slice(at, next).includes('\n') || text[next] === '#' ? next : null;
}
