/**
 * The differences of two texts' lines, as git finds them.
 *
 * The idea: the same search as GNU diff's (Myers' divide and conquer), but git first trims equal ends, sets aside
 * lines that have no partner, and at the end slides each run of changes to where a reader would cut: by the
 * indentation and blank lines around. Source: E. Myers, "An O(ND) difference algorithm and its variations"; the
 * behaviour of git 2.39 with its default `diff.indentHeuristic`. Not covered: patience and histogram, the short cuts
 * for huge files.
 */
import { type Change, compareSequences } from '../../tools/diff/edit-script.js';

/** A text's lines, each with its newline; the last may have none. */
export function linesOf(text: string): string[] {
  if (text === '') return [];
  const lines = text.split('\n').map((line) => `${line}\n`);
  const last = lines.pop() ?? '';
  if (last !== '\n') lines.push(last.slice(0, -1));
  return lines;
}

/** How lines are compared. */
export interface LineOptions {
  readonly ignoreSpace?: 'all' | 'change' | 'at-eol' | undefined;
  /** Slide runs by indentation. Default true. */
  readonly slides?: boolean;
}

function keyOf(line: string, options: LineOptions): string {
  switch (options.ignoreSpace) {
    case 'all':
      return line.replace(/\s+/g, '');
    case 'change':
      return line.replace(/\s+/g, ' ').trimEnd();
    case 'at-eol':
      return line.trimEnd();
    default:
      return line;
  }
}

/** The changes from one list of lines to another, in order. */
export function diffLines(
  one: readonly string[],
  other: readonly string[],
  options: LineOptions = {},
): Change[] {
  const ids = new Map<string, number>();
  const numbered = (lines: readonly string[]): Int32Array =>
    Int32Array.from(lines, (line) => {
      const key = keyOf(line, options);
      const known = ids.get(key) ?? ids.size;
      ids.set(key, known);
      return known;
    });
  const a: Side = { ids: numbered(one), lines: one, changed: new Uint8Array(one.length + 2) };
  const b: Side = { ids: numbered(other), lines: other, changed: new Uint8Array(other.length + 2) };
  let start = 0;
  const shorter = Math.min(a.ids.length, b.ids.length);
  while (start < shorter && a.ids[start] === b.ids[start]) start++;
  let tail = 0;
  while (tail < shorter - start && a.ids[a.ids.length - 1 - tail] === b.ids[b.ids.length - 1 - tail]) tail++;
  const [keptA, keptB] = [setAside(a, b, start, tail), setAside(b, a, start, tail)];
  compareSequences(
    Int32Array.from(keptA, (at) => a.ids[at] ?? -1),
    Int32Array.from(keptB, (at) => b.ids[at] ?? -1),
    (side, at) => {
      if (side === 'old') a.changed[keptA[at] ?? 0] = 1;
      else b.changed[keptB[at] ?? 0] = 1;
    },
  );
  slideRuns(a, b, options.slides !== false);
  slideRuns(b, a, options.slides !== false);
  return collect(a, b);
}

interface Side {
  readonly ids: Int32Array;
  readonly lines: readonly string[];
  readonly changed: Uint8Array;
}

/** Twice the power of two near a square root. */
function roughRoot(value: number): number {
  let root = 1;
  for (let left = value; left > 0; left >>= 2) root <<= 1;
  return root;
}

const MAX_PARTNERS = 1024;
const WINDOW = 100;

/** Marks lines without a partner (and frequent ones among such); gives the places of the others. */
function setAside(own: Side, other: Side, start: number, tail: number): number[] {
  const end = own.ids.length - tail;
  const counts = new Map<number, number>();
  for (const id of other.ids) counts.set(id, (counts.get(id) ?? 0) + 1);
  const limit = Math.min(roughRoot(own.ids.length), MAX_PARTNERS);
  const kinds = new Uint8Array(own.ids.length);
  for (let at = start; at < end; at++) {
    const partners = counts.get(own.ids[at] ?? -1) ?? 0;
    kinds[at] = partners === 0 ? 0 : partners >= limit ? 2 : 1;
  }
  const kept: number[] = [];
  for (let at = start; at < end; at++) {
    if (kinds[at] === 1 || (kinds[at] === 2 && !isLost(kinds, at, [start, end - 1]))) kept.push(at);
    else own.changed[at] = 1;
  }
  return kept;
}

/** True for a frequent line among lines without partners, where matching it would only cut runs apart. */
function isLost(kinds: Uint8Array, at: number, [first, last]: readonly [number, number]): boolean {
  let [alone, frequent] = [0, 0];
  for (const step of [-1, 1]) {
    let [aloneHere, frequentHere] = [0, 1];
    for (let reach = 1; reach <= WINDOW; reach++) {
      const place = at + step * reach;
      if (place < first || place > last) break;
      if (kinds[place] === 0) aloneHere++;
      else if (kinds[place] === 2) frequentHere++;
      else break;
    }
    if (aloneHere === 0) return false;
    alone += aloneHere;
    frequent += frequentHere;
  }
  return frequent * 4 < frequent + alone;
}

/** A run of changed lines of one side, which may be empty. */
interface Run {
  start: number;
  end: number;
}

function nextRun({ changed, ids }: Side, run: Run): boolean {
  if (run.end >= ids.length) return false;
  run.start = run.end + 1;
  run.end = run.start;
  while (changed[run.end] === 1) run.end++;
  return true;
}

function previousRun({ changed }: Side, run: Run): boolean {
  if (run.start === 0) return false;
  run.end = run.start - 1;
  run.start = run.end;
  while (run.start > 0 && changed[run.start - 1] === 1) run.start--;
  return true;
}

function slideUp({ changed, ids }: Side, run: Run): boolean {
  if (run.start === 0 || ids[run.start - 1] !== ids[run.end - 1]) return false;
  changed[--run.start] = 1;
  changed[--run.end] = 0;
  while (run.start > 0 && changed[run.start - 1] === 1) run.start--;
  return true;
}

function slideDown({ changed, ids }: Side, run: Run): boolean {
  if (run.end >= ids.length || ids[run.start] !== ids[run.end]) return false;
  changed[run.start++] = 0;
  changed[run.end++] = 1;
  while (changed[run.end] === 1) run.end++;
  return true;
}

function slideRuns(own: Side, other: Side, byIndent: boolean): void {
  const first = (side: Side): Run => {
    let end = 0;
    while (side.changed[end] === 1) end++;
    return { start: 0, end };
  };
  const [run, facing] = [first(own), first(other)];
  do {
    if (run.end === run.start) continue;
    let size: number;
    let earliest: number;
    let matching: number;
    do {
      size = run.end - run.start;
      matching = -1;
      while (slideUp(own, run)) previousRun(other, facing);
      earliest = run.end;
      if (facing.end > facing.start) matching = run.end;
      while (slideDown(own, run)) {
        nextRun(other, facing);
        if (facing.end > facing.start) matching = run.end;
      }
    } while (size !== run.end - run.start);
    if (run.end === earliest) continue;
    if (matching !== -1) {
      while (facing.end === facing.start && slideUp(own, run)) previousRun(other, facing);
    } else if (byIndent) {
      const best = bestEnd(own.lines, { size, earliest, latest: run.end });
      while (run.end > best && slideUp(own, run)) previousRun(other, facing);
    }
  } while (nextRun(own, run) && (nextRun(other, facing) || true));
}

const MAX_SLIDE = 100;

function bestEnd(
  lines: readonly string[],
  { size, earliest, latest }: { readonly size: number; readonly earliest: number; readonly latest: number },
): number {
  let best = -1;
  let bestScore: Score = { indent: 0, penalty: 0 };
  for (let end = Math.max(earliest, latest - size - 1, latest - MAX_SLIDE); end <= latest; end++) {
    const score = { indent: 0, penalty: 0 };
    addCut(lines, end, score);
    addCut(lines, end - size, score);
    const order =
      60 * (Number(score.indent > bestScore.indent) - Number(score.indent < bestScore.indent)) +
      (score.penalty - bestScore.penalty);
    if (best === -1 || order <= 0) {
      best = end;
      bestScore = score;
    }
  }
  return best;
}

interface Score {
  indent: number;
  penalty: number;
}

const MAX_BLANKS = 20;
const MAX_INDENT = 200;

/** Columns before the first visible character; -1 for a blank line. */
function indentOf(line: string | undefined): number {
  let columns = 0;
  for (const c of line ?? '') {
    if (c === ' ') columns++;
    else if (c === '\t') columns += 8 - (columns % 8);
    else if (!/\s/.test(c)) return columns;
    if (columns >= MAX_INDENT) return MAX_INDENT;
  }
  return -1;
}

/** How bad it is to cut before a line. The weights are git's, found over a corpus of diffs that people rated. */
function addCut(lines: readonly string[], at: number, score: Score): void {
  const isEnd = at >= lines.length;
  const own = isEnd ? -1 : indentOf(lines[at]);
  const look = (from: number, step: number): { indent: number; blanks: number } => {
    let blanks = 0;
    for (let place = from; place >= 0 && place < lines.length; place += step) {
      const indent = indentOf(lines[place]);
      if (indent !== -1) return { indent, blanks };
      if (++blanks === MAX_BLANKS) return { indent: 0, blanks };
    }
    return { indent: -1, blanks };
  };
  const [before, after] = [look(at - 1, -1), look(at + 1, 1)];
  if (before.indent === -1 && before.blanks === 0) score.penalty += 1;
  if (isEnd) score.penalty += 21;
  const blanksAfter = own === -1 ? 1 + after.blanks : 0;
  const blanks = before.blanks + blanksAfter;
  score.penalty += -30 * blanks + 6 * blanksAfter;
  const indent = own !== -1 ? own : after.indent;
  score.indent += indent;
  if (indent === -1 || before.indent === -1 || indent === before.indent) return;
  if (indent > before.indent) score.penalty += blanks > 0 ? 10 : -4;
  else if (after.indent !== -1 && after.indent > indent) score.penalty += blanks > 0 ? 17 : 24;
  else score.penalty += blanks > 0 ? 17 : 23;
}

function collect(a: Side, b: Side): Change[] {
  const changes: Change[] = [];
  let [i, j] = [0, 0];
  while (i < a.ids.length || j < b.ids.length) {
    if (a.changed[i] !== 1 && b.changed[j] !== 1) {
      i++;
      j++;
      continue;
    }
    const [oldAt, newAt] = [i, j];
    while (a.changed[i] === 1) i++;
    while (b.changed[j] === 1) j++;
    changes.push({ oldAt, newAt, deleted: i - oldAt, inserted: j - newAt });
  }
  return changes;
}
