/**
 * Result lists of a search engine: `[1] url`, then `Title:`, `Snippet:`, `Date:` lines, one result after another.
 *
 * Also read: a title behind the number with a `URL:` line, other labels (`Source:`, `Content:`), values over several lines,
 * and numbered Markdown links under a `… found 10 results:` heading. Results of several queries stand one after another; a
 * number that does not grow, or words between two results, begin the next query's. Source: contracts.md, published
 * prompts of the search domain.
 */
import { type Kept, keptPieces, renderPieces } from '../kept-pieces.js';
import type { Placed } from './placed.js';

/** One result. */
export interface SearchResult {
  readonly number: number;
  readonly url: string | null;
  readonly title: string | null;
  readonly snippet: string | null;
  /** As written, for example `Jun 18, 2024` or `N/A`. */
  readonly date: string | null;
  /** Lines with other labels, in order. */
  readonly more: readonly (readonly [label: string, value: string])[];
}

/** A list of results as it stands in an observation; what is between two results is kept where it is not an empty line. */
export interface ResultList {
  readonly kind: 'results';
  readonly results: readonly Kept<SearchResult>[];
  /** Text behind the last result. */
  readonly tail?: string;
}

/** The results of one query. */
export interface SearchBatch {
  /** Words in front of the batch, where there are any. */
  readonly heading: string | null;
  readonly results: readonly SearchResult[];
}

/** A result with places, as it was read. */
export interface ReadResult {
  readonly start: number;
  readonly end: number;
  readonly number: Placed<number>;
  readonly url: Placed<string> | null;
  readonly title: Placed<string> | null;
  readonly snippet: Placed<string> | null;
  readonly date: Placed<string> | null;
  readonly more: readonly (readonly [label: string, value: Placed<string>])[];
}

interface Line {
  readonly start: number;
  readonly text: string;
}

const HEAD = /^[ \t]*\[(\d{1,4})\][ \t]*(.*)$/;
const LINK = /^[ \t]*(\d{1,4})[.)] +\[(.*)\]\((\S*)\)[ \t]*$/;
const LINK_HEADING = /\bfound \d+ results?\b|^#+ web results/im;
const LABEL =
  /^[ \t]*(?:\*\*)?(title|url|link|snippet|date|content|summary|source|description|published|date published|site|score)(?:\*\*)?[ \t]*:(?:\*\*)?[ \t]?(.*)$/i;
const ADDRESS = /^(?:[a-z][a-z+.-]{1,20}:\/\/\S+|www\.\S+|[\w-]+(?:\.[\w-]+)+(?:[/?#]\S*)?)$/i;

/** The results of a text with their places; empty where it is no result list. */
export function readResults(text: string): readonly ReadResult[] {
  const lines = linesOf(text);
  const links = LINK_HEADING.test(text.slice(0, 2_000));
  const starts = lines.flatMap((_, i) => (startsResult(lines, i, links) ? [i] : []));
  return starts.map((from, i) => readResult(lines.slice(from, starts[i + 1] ?? lines.length), links));
}

function linesOf(text: string): Line[] {
  const lines: Line[] = [];
  for (let start = 0; start <= text.length; ) {
    const newline = text.indexOf('\n', start);
    const end = newline < 0 ? text.length : newline;
    lines.push({ start, text: text.slice(start, end).replace(/\r$/, '') });
    start = end + 1;
  }
  return lines;
}

/** A number with an address, or with a label on the next line. */
function startsResult(lines: readonly Line[], at: number, links: boolean): boolean {
  const line = lines[at]?.text ?? '';
  if (links && LINK.test(line)) return true;
  const head = HEAD.exec(line);
  if (head === null) return false;
  const next = lines[at + 1]?.text ?? '';
  const hasLabel = LABEL.test(next);
  return (
    hasLabel || (ADDRESS.test((head[2] ?? '').trim()) && (lines[at + 2] === undefined || next.trim() === ''))
  );
}

function readResult(lines: readonly Line[], links: boolean): ReadResult {
  const [first] = lines as readonly [Line, ...Line[]];
  const values = new Map<string, Placed<string>>();
  const more: [string, Placed<string>][] = [];
  const link = links ? LINK.exec(first.text) : null;
  const head = link ?? HEAD.exec(first.text);
  const number = head?.[1] ?? '0';
  const add = (label: string, value: Placed<string>): void => {
    const name = FIELDS.get(label.toLowerCase());
    if (name !== undefined && !values.has(name)) values.set(name, value);
    else more.push([label, value]);
  };
  if (link !== null) {
    add('title', placed(first, link[2] ?? '', first.text.indexOf('[') + 1));
    add('url', placed(first, link[3] ?? '', first.text.lastIndexOf('](') + 2));
  } else {
    const said = (head?.[2] ?? '').trim();
    if (said !== '')
      add(ADDRESS.test(said) ? 'url' : 'title', placed(first, said, first.text.indexOf(']') + 1));
  }
  const end = readLabels(lines, { add, isLink: link !== null });
  const get = (name: string): Placed<string> | null => values.get(name) ?? null;
  return {
    start: first.start,
    end,
    number: placed(first, Number(number), first.text.indexOf(number)),
    url: get('url'),
    title: get('title'),
    snippet: get('snippet'),
    date: get('date'),
    more,
  };
}

const FIELDS: ReadonlyMap<string, string> = new Map([
  ['title', 'title'],
  ['url', 'url'],
  ['link', 'url'],
  ['snippet', 'snippet'],
  ['date', 'date'],
]);

/** The labelled lines of a result; a line without a label goes on with the value above. Gives the result's end. */
function readLabels(
  lines: readonly Line[],
  how: { readonly add: (label: string, value: Placed<string>) => void; readonly isLink: boolean },
): number {
  let open = null as OpenLabel | null;
  const [first] = lines as readonly [Line, ...Line[]];
  let end = first.start + first.text.length;
  for (const [i, line] of lines.entries()) {
    if (i === 0) continue;
    const label = LABEL.exec(line.text);
    const isBlank = line.text.trim() === '';
    if (isBlank && LABEL.test(lines[i + 1]?.text ?? '')) continue;
    if (isBlank) break;
    if (open !== null && label !== null) how.add(open.label, open.value);
    if (label !== null) {
      const said = (label[2] ?? '').trimEnd();
      open = { label: label[1] ?? '', value: placed(line, said, line.text.length - (label[2] ?? '').length) };
    } else {
      open = goOn(open, placed(line, line.text.trim(), 0));
    }
    end = line.start + line.text.length;
  }
  if (open !== null) how.add(open.label, open.value);
  return end;
}

interface OpenLabel {
  readonly label: string;
  readonly value: Placed<string>;
}

/** A line without a label goes on with the value above; without one it is the snippet. */
function goOn(open: OpenLabel | null, line: Placed<string>): OpenLabel {
  if (open === null) return { label: 'Snippet', value: line };
  const value = { value: `${open.value.value}\n${line.value}`, start: open.value.start, end: line.end };
  return { label: open.label, value };
}

/** A value at the first place in its line at or after `from`. */
function placed<T extends string | number>(line: Line, value: T, from: number): Placed<T> {
  const text = String(value);
  const at = text === '' ? from : Math.max(from, line.text.indexOf(text, from));
  const start = line.start + Math.min(at, line.text.length);
  return { value, start, end: Math.min(line.start + line.text.length, start + text.length) };
}

/** Reads a result list; null where the text is none. */
export function parseResultList(text: string): ResultList | null {
  const read = readResults(text);
  if (read.length === 0) return null;
  const pieces = read.map(({ start, end, ...said }) => ({ start, end, value: plainResult(said) }));
  const { kept, tail } = keptPieces(text, pieces, resultText);
  return { kind: 'results', results: kept, ...(tail === '' ? {} : { tail }) };
}

function plainResult(read: Omit<ReadResult, 'start' | 'end'>): SearchResult {
  return {
    number: read.number.value,
    url: read.url?.value ?? null,
    title: read.title?.value ?? null,
    snippet: read.snippet?.value ?? null,
    date: read.date?.value ?? null,
    more: read.more.map(([label, value]) => [label, value.value] as const),
  };
}

/** Writes a result list. */
export function renderResultList(list: ResultList): string {
  return renderPieces(list.results, resultText) + (list.tail ?? '');
}

/** One result the usual way. */
export function resultText(result: SearchResult): string {
  const labelled = [
    ['Title', result.title],
    ['Snippet', result.snippet],
    ['Date', result.date],
    ...result.more,
  ] as const;
  const lines = labelled.flatMap(([label, value]) =>
    value === null ? [] : [`${label}: ${value}`.trimEnd()],
  );
  return [`[${result.number}] ${result.url ?? ''}`.trimEnd(), ...lines].join('\n');
}

/** Queries' results one by one: a number that does not grow, or words between two results, begin the next. */
export function searchBatches(list: ResultList): readonly SearchBatch[] {
  const batches: { heading: string | null; results: SearchResult[] }[] = [];
  let last = 0;
  for (const { gap, written: _written, ...result } of list.results) {
    const words = (gap ?? '').replace(/[-=*_#\s]+/g, ' ').trim();
    const open = batches.at(-1);
    if (open === undefined || words !== '' || result.number <= last) {
      batches.push({ heading: words === '' ? null : words, results: [result] });
    } else open.results.push(result);
    last = result.number;
  }
  return batches;
}
