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
  const words = new Set(scalarsOf(op.args));
  const names = Object.keys(data);
  const share = Math.floor(budgetChars / Math.max(1, names.length));
  return names.map((name) => renderCollection(name, data[name] ?? null, { words, share })).join('\n');
}

function renderCollection(
  name: string,
  rows: Json,
  how: { readonly words: ReadonlySet<string>; readonly share: number },
): string {
  if (!Array.isArray(rows)) return `${name}: ${renderJson(rows).slice(0, how.share)}`;
  const marked = rows.map((row: Json) => ({
    text: renderJson(row),
    isNear: scalarsOf(row).some((value) => how.words.has(value)),
  }));
  const shown: string[] = [];
  let used = 0;
  for (const { text } of [...marked.filter((row) => row.isNear), ...marked.filter((row) => !row.isNear)]) {
    if (used + text.length > how.share) break;
    shown.push(text);
    used += text.length;
  }
  const rest = rows.length - shown.length;
  const note = rest > 0 ? [`(${rest} more not shown)`] : [];
  return [`${name} (${rows.length} rows):`, ...shown, ...note].join('\n');
}

/** The texts and numbers in a value, each as JSON. */
function scalarsOf(value: Json): string[] {
  if (isJsonObject(value)) return Object.values(value).flatMap(scalarsOf);
  if (Array.isArray(value)) return value.flatMap((item: Json) => scalarsOf(item));
  return value === null || typeof value === 'boolean' ? [] : [renderJson(value)];
}
