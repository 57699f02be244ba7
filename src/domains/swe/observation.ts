/**
 * Results of coding tools as typed blocks: numbered lines of files, hits of searches, lists of paths, diffs, exit codes,
 * errors, notes of the harness, and text.
 *
 * The idea: every line belongs to exactly one block and is written back as it was, whatever it is. What looks like a
 * numbered line or a hit only counts in company (numbers that go up), so that clocks and ports in an output stay text.
 */
import { canonicalJson, isJsonObject, parseJson, stripObservationMarker } from '../../core/index.js';
import { normaliseScreen } from '../terminal/observation.js';
import { harnessLine } from './harness-lines.js';
import type { MatchLine, NumberedLine, NumberStyle, ResultBlock, SweResult } from './result-block.js';

/** Reads a result. Never throws; every text is one. */
export function parseSweResult(given: string): SweResult {
  const lines = stripObservationMarker(given).split('\n');
  const blocks: ResultBlock[] = [];
  let text: string[] = [];
  const flush = (): void => {
    if (text.length > 0) blocks.push({ kind: 'text', lines: text });
    text = [];
  };
  for (let at = 0; at < lines.length; ) {
    const found = blockAt(lines, at);
    if (found === null) {
      text.push(lines[at] ?? '');
      at += 1;
      continue;
    }
    flush();
    blocks.push(found.block);
    at = found.next;
  }
  flush();
  return { blocks };
}

interface Found {
  readonly block: ResultBlock;
  /** The first line behind the block. */
  readonly next: number;
}

function blockAt(lines: readonly string[], at: number): Found | null {
  return (
    diffAt(lines, at) ??
    numberedAt(lines, at) ??
    matchesAt(lines, at) ??
    harnessAt(lines, at) ??
    pathsAt(lines, at)
  );
}

function harnessAt(lines: readonly string[], at: number): Found | null {
  const line = lines[at] ?? '';
  const read = harnessLine(line);
  return read === null ? null : { block: { ...read, line }, next: at + 1 };
}

const HUNK = /^@@ -\d{1,9}(?:,(\d{1,9}))? \+\d{1,9}(?:,(\d{1,9}))? @@/;
const DIFF_HEAD =
  /^(?:diff --git |index [0-9a-f]{4,40}\.\.|(?:new|deleted) file mode |old mode |new mode |similarity index |rename (?:from|to) |Index: |={60,}$|--- |\+\+\+ )/;

/** A unified diff from its head to the end of its last hunk; a hunk ends where its counts are used up. */
function diffAt(lines: readonly string[], start: number): Found | null {
  const first = lines[start] ?? '';
  const isHead =
    first.startsWith('diff --git ') ||
    (first.startsWith('--- ') && (lines[start + 1] ?? '').startsWith('+++ '));
  const isIndex = first.startsWith('Index: ') && /^={60,}/.test(lines[start + 1] ?? '');
  if (!isHead && !isIndex) return null;
  const paths: string[] = [];
  let at = start;
  for (; at < lines.length; at++) {
    const line = (lines[at] ?? '').replace(/\r$/, '');
    const hunk = HUNK.exec(line.slice(0, 200));
    if (hunk !== null) {
      at = endOfHunk(lines, at + 1, { old: Number(hunk[1] ?? 1), new: Number(hunk[2] ?? 1) }) - 1;
      continue;
    }
    if (!DIFF_HEAD.test(line.slice(0, 200)) && !/^\\ No newline/.test(line)) break;
    const path = /^(?:--- a\/|\+\+\+ b\/|Index: )([^\t\r]{1,1000})/.exec(line)?.[1];
    if (path !== undefined && !paths.includes(path)) paths.push(path);
  }
  return { block: { kind: 'diff', paths, lines: lines.slice(start, at) }, next: at };
}

function endOfHunk(
  lines: readonly string[],
  start: number,
  counts: { readonly old: number; readonly new: number },
): number {
  let { old, new: added } = counts;
  let at = start;
  for (; at < lines.length && (old > 0 || added > 0); at++) {
    const sign = (lines[at] ?? '')[0] ?? ' ';
    if (sign === '+') added -= 1;
    else if (sign === '-') old -= 1;
    else if (sign === ' ' || sign === '\r') {
      old -= 1;
      added -= 1;
    } else if (sign !== '\\') break;
  }
  return (lines[at] ?? '').startsWith('\\ No newline') ? at + 1 : at;
}

const NUMBERED = /^( {0,10}|L)(\d{1,9})(\t|→|\| |:|-)([\s\S]*)$/;
const STYLES: readonly string[] = ['\t', '→', ':', '| '];

function numberedLine(line: string): NumberedLine | null {
  const found = line.length > 0 && line.length < 100_000 ? NUMBERED.exec(line) : null;
  if (found === null || /^0\d/.test(found[2] ?? '')) return null;
  const [, before = '', digits = '', mark = '', text = ''] = found;
  return { before, number: Number(digits), mark: mark as NumberedLine['mark'], text };
}

/** Numbered lines of one style, with numbers that go up one by one, or, of a search in one file, that go up. */
function numberedAt(lines: readonly string[], start: number): Found | null {
  const first = numberedLine(lines[start] ?? '');
  if (first === null) return null;
  const isSearch = first.mark === ':' || first.mark === '-' || first.before === 'L';
  const found = [first];
  for (let at = start + 1; at < lines.length; at++) {
    const next = numberedLine(lines[at] ?? '');
    const last = found.at(-1) ?? first;
    if (next === null || !isSameStyle(first, next)) break;
    if (isSearch ? next.number <= last.number : next.number !== last.number + 1) break;
    found.push(next);
  }
  const isFile = STYLES.includes(first.mark) && isPadded(first);
  const isFileHead = /^\[File: |^\(\d+ more lines above\)|^File: /.test(lines[start - 1] ?? '');
  if (found.length < 2 && !isFile && !isFileHead) return null;
  return { block: { kind: 'lines', lines: found }, next: start + found.length };
}

/** A number that stands at the right of a column of its own, as `cat -n` writes it. */
function isPadded({ before, number, mark }: NumberedLine): boolean {
  const width = before.length + String(number).length;
  if (mark === '→') return true;
  return (
    before === 'L' || (mark === ('\t' as NumberStyle) && width >= 6) || (mark === '| ' && before.length > 0)
  );
}

function isSameStyle(a: NumberedLine, b: NumberedLine): boolean {
  const isSearch = (one: NumberedLine): boolean => one.mark === ':' || one.mark === '-';
  return a.mark === b.mark || (isSearch(a) && isSearch(b) && a.before === b.before);
}

const MATCH = /^([^\s:][^\s:]{0,400}):(\d{1,9}):([\s\S]*)$/;
const CONTEXT = /-(\d{1,9})-/g;

function matchLine(line: string): MatchLine | null {
  const found = line.length < 100_000 ? MATCH.exec(line) : null;
  if (found === null || !/[./]/.test(found[1] ?? '') || /^0\d/.test(found[2] ?? '')) return null;
  return { path: found[1] ?? '', number: Number(found[2]), mark: ':', text: found[3] ?? '' };
}

/** A line around a hit: `path-12-text`, where the path is one of a hit near it. */
function contextLine(line: string, near: readonly MatchLine[]): MatchLine | null {
  for (const found of line.slice(0, 600).matchAll(CONTEXT)) {
    const path = line.slice(0, found.index);
    if (!near.some((match) => match.path === path) || /^0\d/.test(found[1] ?? '')) continue;
    return { path, number: Number(found[1]), mark: '-', text: line.slice(found.index + found[0].length) };
  }
  return null;
}

/** Lines of context in front of a first hit that are looked at. */
const CONTEXT_LINES = 20;

function matchesAt(lines: readonly string[], start: number): Found | null {
  const near: MatchLine[] = [];
  for (let at = start; at < Math.min(lines.length, start + CONTEXT_LINES) && near.length === 0; at++) {
    const match = matchLine(lines[at] ?? '');
    if (match !== null) near.push(match);
    else if (!/-\d{1,9}-/.test((lines[at] ?? '').slice(0, 600))) break;
  }
  if (near.length === 0) return null;
  const matches: MatchLine[] = [];
  for (let at = start; at < lines.length; at++) {
    const line = lines[at] ?? '';
    const match = matchLine(line) ?? contextLine(line, near.slice(-3));
    if (match === null) break;
    if (match.mark === ':' && match.path !== near.at(-1)?.path) near.push(match);
    matches.push(match);
  }
  return matches.length === 0 ? null : { block: { kind: 'matches', matches }, next: start + matches.length };
}

const PATH = /^(?:\.{0,2}\/|~\/|[A-Za-z]:\\)?[\w@+.,()[\] -]{1,200}(?:[/\\][\w@+.,()[\] -]{1,200}){1,40}\/?$/;

/** Paths, one a line: at least one with a root, or two. */
function pathsAt(lines: readonly string[], start: number): Found | null {
  const paths: string[] = [];
  for (let at = start; at < lines.length; at++) {
    const line = lines[at] ?? '';
    if (line.length > 1_000 || !PATH.test(line) || / {2}|^\s|: /.test(line)) break;
    paths.push(line);
  }
  const isRooted = /^(?:\.{0,2}\/|~\/)\S+$/.test(paths[0] ?? '');
  if (paths.length < 2 && !isRooted) return null;
  return { block: { kind: 'paths', paths }, next: start + paths.length };
}

/** Rounds after which a text that still changes is taken as it is. */
const ROUNDS = 4;

/** The text of a result for comparing: what a screen shows of it, JSON in its canonical form. */
export function normaliseSweResult(text: string): string {
  let now = text;
  for (let round = 0; round < ROUNDS; round++) {
    const clean = normaliseScreen(stripObservationMarker(now).replaceAll('\r\n', '\n'));
    const json = /^\s*[[{]/.test(clean) ? parseJson(clean) : null;
    const next =
      json?.ok === true && (isJsonObject(json.value) || Array.isArray(json.value))
        ? canonicalJson(json.value)
        : clean;
    if (next === now) return now;
    now = next;
  }
  return now;
}
