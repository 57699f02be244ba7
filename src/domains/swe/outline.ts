/**
 * Results of coding tools as parts with places, and which parts can be demanded exactly.
 *
 * Numbers of lines, exit codes, counts and notes follow from action and state; lines that the action or the state
 * holds are known; other contents are content of the environment; times, durations, process numbers, temporary paths,
 * hashes and addresses are runtime metadata. Source: content types of AgentWorldBench (arXiv 2606.24597).
 */
import { knownLeaves, spansOfMarks, textMarks } from '../content-spans.js';
import type {
  ContentContext,
  ContentSpan,
  ObservationOutline,
  ObservationPart,
  PartValue,
} from '../domain-format.js';
import { jsonOutline, markerLength } from '../outline-text.js';
import { parseSweResult } from './observation.js';
import { linesOfBlock, type ResultBlock } from './result-block.js';

/** A result as parts: one for each line that is not blank, a diff as one part with its lines. */
export function outlineSweResult(text: string): ObservationOutline {
  const json = jsonOutline(text);
  if (json !== null) return json;
  const offset = markerLength(text);
  const body = text.slice(offset);
  // The marker may stand inside the text, too; places then count on the lines as they are.
  const parts: ObservationPart[] = [];
  let at = offset;
  for (const block of parseSweResult(body).blocks) {
    const lines = linesOfBlock(block);
    const made = lines.map((line, index) => {
      const part = partOfLine(block, { line, index, start: at });
      at += line.length + 1;
      return part;
    });
    const shown = made.filter((part) => part !== null && part.end <= text.length);
    if (block.kind !== 'diff') parts.push(...(shown as ObservationPart[]));
    else if (shown.length > 0) parts.push(wrapped(shown as ObservationPart[], block.paths[0]));
  }
  return { parts, problems: [] };
}

function wrapped(parts: readonly ObservationPart[], id: string | undefined): ObservationPart {
  const start = parts[0]?.start ?? 0;
  return {
    kind: 'diff',
    ...(id !== undefined && { id }),
    start,
    end: parts.at(-1)?.end ?? start,
    values: [],
    parts,
  };
}

interface PlacedLine {
  readonly line: string;
  readonly index: number;
  readonly start: number;
}

function partOfLine(block: ResultBlock, { line, index, start }: PlacedLine): ObservationPart | null {
  const end = start + line.length;
  if (line.trim() === '') return null;
  const value = (
    name: string,
    from: number,
    to: number,
    compared = line.slice(from, to).trimEnd(),
  ): PartValue => ({
    name,
    value: compared,
    start: start + from,
    end: start + to,
  });
  const part = (kind: string, values: readonly PartValue[], id?: string): ObservationPart => ({
    kind,
    ...(id !== undefined && { id }),
    start,
    end,
    values,
    parts: [],
  });
  if (block.kind === 'lines') {
    const read = block.lines[index];
    if (read === undefined) return null;
    const from = read.before.length;
    const digits = String(read.number);
    const text = line.length - read.text.length;
    return part(
      'line',
      [value('number', from, from + digits.length), value('text', text, line.length)],
      digits,
    );
  }
  if (block.kind === 'matches') {
    const read = block.matches[index];
    if (read === undefined) return null;
    const number = read.path.length + 1;
    const text = line.length - read.text.length;
    const digits = String(read.number);
    const values = [
      value('path', 0, read.path.length),
      value('number', number, number + digits.length),
      value('text', text, line.length),
    ];
    return part('match', values, `${read.path}:${digits}`);
  }
  if (block.kind === 'exit') {
    const digits = String(block.code);
    const at = line.lastIndexOf(digits);
    return part('exit', [value('code', Math.max(at, 0), at < 0 ? line.length : at + digits.length, digits)]);
  }
  const names: Readonly<Partial<Record<ResultBlock['kind'], string>>> = {
    paths: 'path',
    error: 'error',
    note: 'note',
    diff: 'change',
  };
  const kind = names[block.kind] ?? 'text';
  const isPath = block.kind === 'paths';
  return part(kind, [value(isPath ? 'path' : 'text', 0, line.length)], isPath ? line.trimEnd() : undefined);
}

/** Numbers and words that follow from action and state. */
const DETERMINED: ReadonlySet<string> = new Set(['number', 'code']);

/** What only this run knows, by its form; the groups that are named `x` are the metadata. */
const RUN_FORMS: readonly RegExp[] = [
  /(?:\b(?:in|took|after|real|user|sys|time|elapsed|duration)[:= \t]+|[(\t])(?<x>\d+(?:\.\d+)?m?\d*(?:\.\d+)? ?(?:s|ms|us|µs|sec|secs|seconds|minutes)\b)/g,
  /\b(?:pids?|PIDs?|PGID|process id|session ID|Chunk ID|Shell ID|bash_\w{0,10})[:= ]+(?<x>[\w-]{1,40})/g,
  /(?<x>^\[\d{1,3}\] \d{2,8}$)/gm,
  /(?<x>\/(?:tmp|var\/folders|private\/tmp)\/(?:tmp|pytest|npm|pip|build|go-build|[a-z0-9]{2}\/)[\w./-]{2,200})/g,
  /(?<x>\b0x[0-9a-f]{6,16}\b)/g,
  /(?:\b(?:commit|index|Merge:|HEAD is now at|sha256|sha1|md5|sha512)[: ]+|^\[[\w/.-]{1,100}(?: \(root-commit\))? )(?<x>[0-9a-f]{7,128}(?:\.\.[0-9a-f]{7,40})?)\b/gm,
  /(?<x>^[0-9a-f]{7,40})(?= \S)/gm,
  /(?<x>\b[0-9a-f]{32,128}\b)/g,
  /(?<x>\b(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec) [ \d]\d {1,2}(?:\d{2}:\d{2}|\d{4})\b)/g,
];

/** Places of one form that are marked. */
const PLACES = 20_000;

function runMarks(text: string): ContentSpan[] {
  const marks: ContentSpan[] = [];
  for (const form of RUN_FORMS) {
    for (const found of text.matchAll(form)) {
      const inside = found.groups?.x ?? '';
      const start = found.index + found[0].lastIndexOf(inside);
      if (inside !== '') marks.push({ start, end: start + inside.length, type: 'runtime-metadata' });
      if (marks.length > PLACES) return marks;
    }
  }
  return marks;
}

/** What of a result can be demanded exactly. */
export function sweContentTypes(text: string, context: ContentContext = {}): readonly ContentSpan[] {
  const leaves = knownLeaves(context);
  const known = withLines(leaves);
  const marks: ContentSpan[] = [...textMarks(text, leaves), ...runMarks(text)];
  const { parts } = outlineSweResult(text);
  const todo = [...parts];
  for (let part = todo.pop(); part !== undefined; part = todo.pop()) {
    todo.push(...part.parts);
    if (part.kind === 'note' || part.kind === 'error') {
      // What a harness says follows from what happened; times and the like inside it do not.
      marks.push(...gapsOf(part, marks, text));
      continue;
    }
    for (const { name, value, start, end } of part.values) {
      const isKnown = DETERMINED.has(name) || (value !== '' && (known.has(value) || known.has(value.trim())));
      if (isKnown) marks.push({ start, end, type: 'deterministic' });
    }
  }
  return spansOfMarks(text.length, marks, 'pre-existing');
}

/** Lines of long known texts count as known, too. */
function withLines(leaves: ReadonlySet<string>): ReadonlySet<string> {
  const known = new Set(leaves);
  for (const leaf of leaves) {
    if (!leaf.includes('\n')) continue;
    for (const line of leaf.split('\n')) {
      const { text } = numberedText(line);
      if (text.trim().length > 2) known.add(text.trim());
    }
  }
  return known;
}

function numberedText(line: string): { readonly text: string } {
  return { text: line.replace(/^ {0,10}\d{1,9}(?:\t|→)/, '') };
}

/** A label behind which output stands on the same line. */
const OUTPUT_LABEL = /^(?:Output|Stdout|Stderr|Error): /;

/** The places of a part between the runtime metadata in it. */
function gapsOf(part: ObservationPart, marks: readonly ContentSpan[], text: string): readonly ContentSpan[] {
  const label = OUTPUT_LABEL.exec(text.slice(part.start, part.end))?.[0];
  if (label !== undefined)
    return [{ start: part.start, end: part.start + label.length, type: 'deterministic' }];
  const inside = marks
    .filter(({ start, end, type }) => type === 'runtime-metadata' && start >= part.start && end <= part.end)
    .sort((a, b) => a.start - b.start);
  const gaps: ContentSpan[] = [];
  let at = part.start;
  for (const { start, end } of inside) {
    if (start > at) gaps.push({ start: at, end: start, type: 'deterministic' });
    at = Math.max(at, end);
  }
  if (at < part.end) gaps.push({ start: at, end: part.end, type: 'deterministic' });
  return gaps;
}
