/**
 * Spans with content types: how a domain's rules mark an observation.
 *
 * A rule says of a place in the text what type it has; what no rule marks gets the type of the gap. Values that the
 * action or the known state hold are deterministic wherever they stand; shapes of times, ids and durations are runtime
 * metadata. Source: content types of AgentWorldBench (arXiv 2606.24597).
 */
import { isJsonObject, type Json } from '../core/index.js';
import type { ContentContext, ContentSpan, ContentType } from './domain-format.js';
import { findRuntimeText } from './runtime-metadata.js';

/** Leaves taken from arguments and state; bounds the work on huge states. */
const KNOWN_LEAVES = 20_000;
/** Shorter texts are found everywhere by chance. */
const ECHO_CHARS = 3;
/** Known texts looked for inside free text. */
const ECHOES = 500;
/** Places of all known texts that are marked in one text. */
const ECHO_PLACES = 100_000;

/** Builds spans in order; what is not marked gets the type given for the gap. */
export class SpanList {
  private readonly spans: ContentSpan[] = [];
  private at = 0;

  /** What is not marked has the type `gap`. */
  constructor(private readonly gap: ContentType = 'deterministic') {}

  /** Marks a place. Empty ones, and ones that begin before the end of the last, are left out. */
  mark(start: number, end: number, type: ContentType): void {
    if (end <= start || start < this.at) return;
    this.push(this.at, start, this.gap);
    this.push(start, end, type);
    this.at = end;
  }

  /** The spans of a text of this length. */
  done(length: number): readonly ContentSpan[] {
    this.push(this.at, length, this.gap);
    this.at = length;
    return this.spans;
  }

  private push(start: number, end: number, type: ContentType): void {
    if (end <= start) return;
    const last = this.spans.at(-1);
    if (last?.type === type) this.spans[this.spans.length - 1] = { start: last.start, end, type };
    else this.spans.push({ start, end, type });
  }
}

/** Spans made of marks in any order; of marks that overlap, the one that begins first, then the longest, counts. */
export function spansOfMarks(
  length: number,
  marks: readonly ContentSpan[],
  gap: ContentType,
): readonly ContentSpan[] {
  const spans = new SpanList(gap);
  const sorted = [...marks].sort((a, b) => a.start - b.start || b.end - a.end);
  for (const { start, end, type } of sorted) spans.mark(start, end, type);
  return spans.done(length);
}

/** Several texts are classified under one context: what it holds is taken out once. */
const TAKEN = new WeakMap<ContentContext, ReadonlySet<string>>();

/** The scalar values that the action's arguments and the known state hold, as texts. */
export function knownLeaves(context: ContentContext): ReadonlySet<string> {
  const taken = TAKEN.get(context) ?? takeLeaves(context);
  TAKEN.set(context, taken);
  return taken;
}

function takeLeaves(context: ContentContext): ReadonlySet<string> {
  const leaves = new Set<string>();
  const todo: Json[] = [];
  if (context.state !== undefined) todo.push(context.state);
  if (context.action?.kind === 'tool-call') todo.push(context.action.arguments);
  for (let value = todo.pop(); value !== undefined && leaves.size < KNOWN_LEAVES; value = todo.pop()) {
    if (Array.isArray(value)) todo.push(...(value as readonly Json[]).slice(0, KNOWN_LEAVES));
    else if (isJsonObject(value)) todo.push(...Object.values(value).slice(0, KNOWN_LEAVES));
    else if (value !== null && typeof value !== 'boolean') leaves.add(String(value));
  }
  return leaves;
}

/** Marks in free text: runtime shapes, and whole words or phrases that are known. `offset` is added to every place. */
export function textMarks(text: string, known: ReadonlySet<string>, offset = 0): ContentSpan[] {
  const marks: ContentSpan[] = findRuntimeText(text).map(({ start, end }) => ({
    start: start + offset,
    end: end + offset,
    type: known.has(text.slice(start, end)) ? 'deterministic' : 'runtime-metadata',
  }));
  const echoes = [...known].filter((leaf) => leaf.length >= ECHO_CHARS).sort((a, b) => b.length - a.length);
  for (const echo of echoes.slice(0, ECHOES)) {
    for (let at = text.indexOf(echo); at >= 0; at = text.indexOf(echo, at + echo.length)) {
      if (marks.length >= ECHO_PLACES) return marks;
      if (!isWholeWord(text, at, at + echo.length)) continue;
      marks.push({ start: at + offset, end: at + echo.length + offset, type: 'deterministic' });
    }
  }
  return marks;
}

function isWholeWord(text: string, start: number, end: number): boolean {
  const word = /[\p{L}\p{N}_]/u;
  return !word.test(text[start - 1] ?? '') && !word.test(text[end] ?? '');
}
