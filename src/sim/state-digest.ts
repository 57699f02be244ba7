/**
 * The part of the state that a model needs for one operation, as bounded text.
 *
 * Rows that hold a value of the call come first, then the first rows of each collection, within a budget of UTF-16
 * units; what is left out is counted, never hidden. Not covered: choosing by meaning.
 */
import { isJsonObject, type Json, type Operation, renderJson } from '../core/index.js';

/** Default budget of a digest, UTF-16 units. */
const DIGEST_CHARS = 12_000;

/** Renders the state's relevant part. `view` is the state as rules see it: `data` holds lists of rows. */
export function renderStateDigest(view: Json, op: Operation, budgetChars = DIGEST_CHARS): string {
  const data = isJsonObject(view) && isJsonObject(view.data) ? view.data : undefined;
  if (data === undefined) return renderJson(view).slice(0, budgetChars);
  const words = wordsOf(op.args);
  const names = Object.keys(data);
  const share = Math.floor(budgetChars / Math.max(1, names.length));
  return names.map((name) => renderCollection(name, data[name] ?? null, { words, share })).join('\n');
}

function renderCollection(
  name: string,
  rows: Json,
  how: { readonly words: readonly string[]; readonly share: number },
): string {
  if (!Array.isArray(rows)) return `${name}: ${renderJson(rows).slice(0, how.share)}`;
  const texts = rows.map((row: Json) => renderJson(row));
  const near = texts.filter((text) => how.words.some((word) => text.includes(word)));
  const shown: string[] = [];
  let used = 0;
  for (const text of new Set([...near, ...texts])) {
    if (used + text.length > how.share) break;
    shown.push(text);
    used += text.length;
  }
  const rest = texts.length - shown.length;
  const note = rest > 0 ? [`(${rest} more not shown)`] : [];
  return [`${name} (${texts.length} rows):`, ...shown, ...note].join('\n');
}

/** The scalar values of the arguments as JSON texts; short ones say too little to choose by. */
function wordsOf(args: Json): string[] {
  if (isJsonObject(args)) return Object.values(args).flatMap(wordsOf);
  if (Array.isArray(args)) return args.flatMap((value: Json) => wordsOf(value));
  return typeof args === 'string' || typeof args === 'number' ? [renderJson(args)] : [];
}
