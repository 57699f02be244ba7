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
  if (data === undefined) return renderParts(view, budgetChars);
  const words = new Set(scalarsOf(op.args));
  const names = Object.keys(data);
  const share = Math.floor(budgetChars / Math.max(1, names.length));
  return names.map((name) => renderCollection(name, data[name] ?? null, { words, share })).join('\n');
}

/** A state of other form: its members one a line, each with a share of the room; `start` stands in the system prompt. */
function renderParts(view: Json, budgetChars: number): string {
  if (!isJsonObject(view) || !('start' in view || 'screen' in view))
    return renderJson(view).slice(0, budgetChars);
  const parts = Object.entries(view).filter(([name]) => name !== 'start' && name !== 'turns');
  const texts = parts.map(([name, value]) => ({
    name,
    text: typeof value === 'string' ? value : renderJson(value as Json),
  }));
  // Short parts leave their room to the long ones.
  let left = budgetChars;
  const ordered = [...texts].sort((a, b) => a.text.length - b.text.length);
  const shown = new Map<string, string>();
  for (const [index, { name, text }] of ordered.entries()) {
    const room = Math.floor(left / (ordered.length - index));
    const part =
      text.length <= room ? text : `${text.slice(0, room)} (${text.length - room} characters left out)`;
    left -= Math.min(text.length, room);
    shown.set(name, part);
  }
  return texts.map(({ name }) => `${name}:\n${shown.get(name) ?? ''}`).join('\n');
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
