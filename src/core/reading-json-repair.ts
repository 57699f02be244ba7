/**
 * Repair of almost-JSON that never changes a string that was already valid.
 *
 * The work is done by the jsonrepair library; this file decides when its answer may be believed. Every valid string
 * that stands where a string may stand must come back character for character and in order, otherwise there is no
 * repair. A text that stops inside a string or a number is not completed: what is missing is unknown.
 */
import { jsonrepair } from 'jsonrepair';
import { type Json, parseJson } from './json.js';
import { commentEnd, skipSpace, stringEnd, type TolerantSpan } from './reading-json-span.js';
import { fail, ok, type Result } from './result.js';

/** The longest text that a repair looks at, in UTF-16 units. */
const REPAIR_CHARS = 4 * 1024 * 1024;

/** Repairs one almost-JSON object or list; the error says why that is not possible. */
export function repairJson(text: string, span: TolerantSpan): Result<Json, string> {
  if (text.length > REPAIR_CHARS) return fail(`longer than ${REPAIR_CHARS} characters`);
  if (span.insideString) return fail('it stops inside a string');
  if (!span.closed && /[^\s}\]",]$/.test(text)) return fail('it stops inside a value');
  let repaired: string;
  try {
    repaired = jsonrepair(text);
  } catch (error) {
    return fail(error instanceof Error ? error.message : String(error));
  }
  const parsed = parseJson(repaired);
  if (!parsed.ok) return fail(parsed.error.message);
  if (!holdsInOrder(placedStrings(repaired), placedStrings(text))) {
    return fail('a repair would change the text of a valid string');
  }
  return ok(parsed.value);
}

/** The values of all valid strings that stand where JSON allows one, in order. */
function placedStrings(text: string): readonly string[] {
  const found: string[] = [];
  let previous = '';
  for (let i = 0; i < text.length; i++) {
    const char = text[i] ?? '';
    if (char === '/' && (text[i + 1] === '/' || text[i + 1] === '*')) {
      i = commentEnd(text, i) - 1;
      continue;
    }
    if (char === '"') {
      const end = stringEnd(text, i) ?? i + 1;
      const next = text[skipSpace(text, end)];
      const placed = '{[,:'.includes(previous) && (next === undefined || ',:}]/'.includes(next));
      if (end > i + 1 && placed) found.push(JSON.parse(text.slice(i, end)) as string);
      i = end - 1;
    }
    if (!' \n\r\t'.includes(char)) previous = char;
  }
  return found;
}

function holdsInOrder(all: readonly string[], wanted: readonly string[]): boolean {
  let at = 0;
  for (const text of wanted) {
    while (at < all.length && all[at] !== text) at++;
    if (at++ >= all.length) return false;
  }
  return true;
}
