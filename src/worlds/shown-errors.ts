/**
 * Error templates learned from a world's demonstrations: a tool that was shown to refuse in certain words refuses in
 * them (hard case P-SIM-2).
 *
 * A demonstrated answer counts as an error if its words name a cause (not found, already exists, forbidden …) and it
 * is short, or starts as errors do. Values of the demonstrated arguments become places for the caller's own; of two
 * demonstrations of one cause the first counts. What the author writes under `answers.tools` wins.
 */
import { isJsonObject, type Json, type JsonObject, parseJson } from '../core/index.js';
import type { ErrorCause } from '../domains/index.js';
import type { WorldFile } from './world-file.js';

const SIGNS: readonly (readonly [ErrorCause, RegExp])[] = [
  ['rate-limit', /\b(?:rate.?limit|too many requests|429|quota exceeded)/i],
  [
    'unauthenticated',
    /\b(?:unauthenticated|unauthorized|401|not logged in|invalid (?:token|credentials))\b/i,
  ],
  ['permission', /\b(?:forbidden|permission denied|not allowed|access denied|403|not permitted)\b/i],
  ['conflict', /\b(?:already|conflict|duplicate|409)\b/i],
  ['not-found', /\b(?:not found|does not exist|doesn't exist|no such|404|unknown id|could not find)\b/i],
  ['validation', /\b(?:missing|required|invalid|must be|validation|400|422)\b/i],
];

const STARTS =
  /^\s*(?:\{\s*"?(?:error|errors|message|code|ok"?\s*:\s*false)|error\b|failed\b|mcp error|exception\b|input validation)/i;
const SHORT = 300;

/** Tool → cause → template, from the demonstrations of a file. */
export function shownErrors(file: WorldFile): Record<string, Partial<Record<ErrorCause, string>>> {
  const found = new Map<string, Map<ErrorCause, string>>();
  for (const one of file.demonstrations) {
    if (typeof one === 'string') continue;
    const call = callOf(one.action as Json);
    const cause = call === undefined ? undefined : causeOf(one.observation);
    if (call === undefined || cause === undefined) continue;
    const mine = found.get(call.name) ?? new Map<ErrorCause, string>();
    if (!mine.has(cause)) mine.set(cause, templateOf(one.observation, call.args));
    found.set(call.name, mine);
  }
  return Object.fromEntries([...found].map(([tool, causes]) => [tool, Object.fromEntries(causes)]));
}

function callOf(action: Json): { readonly name: string; readonly args: JsonObject } | undefined {
  const parsed = typeof action === 'string' ? parseJson(action) : undefined;
  const value = parsed === undefined ? action : parsed.ok ? parsed.value : undefined;
  if (!isJsonObject(value) || typeof value.name !== 'string') return undefined;
  return { name: value.name, args: isJsonObject(value.arguments) ? value.arguments : {} };
}

function causeOf(text: string): ErrorCause | undefined {
  if (text.length > SHORT && !STARTS.test(text)) return undefined;
  // a short answer that lists data may speak of an "invalid" order; only what reads as an error is one
  const reads = STARTS.test(text) || !/^\s*[[{]/.test(text);
  return reads ? SIGNS.find(([, sign]) => sign.test(text))?.[0] : undefined;
}

/** The text with places for the values of arguments; longer values first, so that parts do not hide wholes. */
function templateOf(text: string, args: JsonObject): string {
  const values = Object.entries(args)
    .filter(([, value]) => (typeof value === 'string' && value.length > 1) || typeof value === 'number')
    .map(([name, value]) => ({ name, shown: String(value) }))
    .sort((a, b) => b.shown.length - a.shown.length);
  let pieces: readonly (string | { readonly place: string })[] = [text];
  for (const { name, shown } of values) {
    pieces = pieces.flatMap((piece) => {
      if (typeof piece !== 'string') return [piece];
      return piece
        .split(shown)
        .flatMap((part, at) => (at === 0 ? [part] : [{ place: `{get(args, '${name}', '')}` }, part]));
    });
  }
  return pieces
    .map((piece) =>
      typeof piece === 'string' ? piece.replaceAll(/[{}]/g, (brace) => brace + brace) : piece.place,
    )
    .join('');
}
