/**
 * What of a search observation can be demanded exactly.
 *
 * Numbers and labels of results, and answers of the memory, follow from the call and what was stored. Addresses, titles,
 * snippets and pages are content of the web, but what the call or the known state hold (a page that an earlier result
 * showed, the address that was asked for) is determined. A date of a result is content; times and request ids are runtime
 * metadata. Which results come, and in which order, is content too: it is judged, not compared word for word.
 */
import { knownLeaves, spansOfMarks, textMarks } from '../content-spans.js';
import type { ContentContext, ContentSpan } from '../domain-format.js';
import { toolContentTypes } from '../mcp/content-types.js';
import { markerLength } from '../outline-text.js';
import { parseMemory } from './memory.js';
import type { Placed } from './placed.js';
import { readResults } from './result-list.js';

/** Classifies an observation. The spans cover the text, in order. */
export function searchContentTypes(text: string, context: ContentContext = {}): readonly ContentSpan[] {
  const offset = markerLength(text);
  const body = text.slice(offset);
  const memory = parseMemory(body);
  if (memory?.kind === 'memory') return spansOfMarks(text.length, [], 'deterministic');
  // Stored pairs are what earlier calls stored: known where the state is given, as in any tool's answer.
  if (memory !== null) return toolContentTypes(text, context);
  const known = knownLeaves(context);
  const results = readResults(body);
  if (results.length === 0) return spansOfMarks(text.length, textMarks(text, known), 'pre-existing');
  const marks: ContentSpan[] = [];
  const content = (placed: Placed<string> | null): void => {
    if (placed === null) return;
    const start = placed.start + offset;
    const end = placed.end + offset;
    const inner = textMarks(text.slice(start, end), known, start);
    for (const span of spansOfMarks(
      end - start,
      inner.map((one) => shifted(one, -start)),
      'pre-existing',
    )) {
      marks.push(shifted(span, start));
    }
  };
  for (const result of results) {
    for (const placed of [result.url, result.title, result.snippet, result.date]) content(placed);
    for (const [, placed] of result.more) content(placed);
  }
  return spansOfMarks(text.length, marks, 'deterministic');
}

function shifted(span: ContentSpan, by: number): ContentSpan {
  return { ...span, start: span.start + by, end: span.end + by };
}
