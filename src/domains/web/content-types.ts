/**
 * What of a page can be demanded exactly.
 *
 * Roles, ids, structure, states, URL, tabs and focus follow from the page before and the action. Names, texts and titles
 * that the action or the known state hold (an earlier page, a value that was typed) do so too; others are content of the
 * site. Times, durations and session ids in them are runtime metadata, and so are values of nodes that say so (`timer`).
 */

import { knownLeaves, spansOfMarks, textMarks } from '../content-spans.js';
import type { ContentContext, ContentSpan, ObservationPart, PartValue } from '../domain-format.js';
import { isRuntimeText } from '../runtime-metadata.js';
import { plainName } from './normalise.js';
import { outlineWebPage } from './outline.js';

/** Values that are words of the site. Everything else follows from page and action. */
const CONTENT = new Set(['name', 'text', 'title', 'value', 'valuetext', 'description', 'placeholder']);

/** Classifies a page. The spans cover the text, in order. */
export function webContentTypes(text: string, context: ContentContext = {}): readonly ContentSpan[] {
  const leaves = knownLeaves(context);
  const known = new Set([...leaves].map(plainName));
  const seen = seenBefore(leaves);
  const marks: ContentSpan[] = [];
  const todo: ObservationPart[] = [...outlineWebPage(text).parts];
  for (let part = todo.pop(); part !== undefined; part = todo.pop()) {
    for (const value of part.values) marks.push(...valueMarks(text, { part, value, known, seen }));
    todo.push(...part.parts);
  }
  return spansOfMarks(text.length, marks, 'deterministic');
}

/** Names and texts of pages that the state holds as observations. */
function seenBefore(leaves: ReadonlySet<string>): ReadonlySet<string> {
  const seen = new Set<string>();
  for (const leaf of leaves) {
    if (!leaf.includes('\n')) continue;
    const todo: ObservationPart[] = [...outlineWebPage(leaf).parts];
    for (let part = todo.pop(); part !== undefined; part = todo.pop()) {
      for (const value of part.values) seen.add(value.value);
      todo.push(...part.parts);
    }
  }
  return seen;
}

interface Marked {
  readonly part: ObservationPart;
  readonly value: PartValue;
  readonly known: ReadonlySet<string>;
  readonly seen: ReadonlySet<string>;
}

function valueMarks(text: string, { part, value, known, seen }: Marked): readonly ContentSpan[] {
  const { start, end } = value;
  const isContent = CONTENT.has(value.name) && part.kind !== 'focused' && part.kind !== 'url';
  if (!isContent || end <= start) return [];
  if (part.kind === 'timer' || isRuntimeText(value.value)) return [{ start, end, type: 'runtime-metadata' }];
  if (seen.has(value.value) || known.has(value.value)) return [];
  const inner = textMarks(text.slice(start, end), known, start);
  const marks: ContentSpan[] = [];
  let at = start;
  for (const mark of [...inner].sort((a, b) => a.start - b.start || b.end - a.end)) {
    if (mark.start < at) continue;
    if (mark.start > at) marks.push({ start: at, end: mark.start, type: 'pre-existing' });
    marks.push(mark);
    at = mark.end;
  }
  if (at < end) marks.push({ start: at, end, type: 'pre-existing' });
  return marks;
}
