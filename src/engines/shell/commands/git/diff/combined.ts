/**
 * Combined diffs: one result beside several parents (`diff --cc`), for conflicts and merges.
 *
 * The idea: each parent is compared with the result; every line of the result knows in which parents it is new, and
 * lost lines of the parents are joined before the place they were lost at. Only hunks that differ from all parents are
 * shown. Source: git-diff(1), "COMBINED DIFF FORMAT".
 */
import { toText } from '../../../kernel/index.js';
import { diffLines, linesOf } from './line-diff.js';

interface Lost {
  readonly text: string;
  /** Bits of the parents that had it. */
  parents: number;
}

interface Row {
  /** The line of the result; undefined at its end. */
  readonly text: string | undefined;
  /** Bits of the parents that do not have it. */
  flag: number;
  /** Lost lines that stood before it. */
  lost: Lost[];
  /** Its number in each parent, from 1. */
  readonly at: number[];
}

/** The hunks of a combined diff; empty where nothing differs from every parent. */
export function combinedHunks(parents: readonly Uint8Array[], result: Uint8Array, dense = true): string {
  const now = linesOf(toText(result));
  const rows: Row[] = [...now, undefined].map((text) => ({ text, flag: 0, lost: [], at: [] }));
  for (const [number, bytes] of parents.entries()) addParent(rows, linesOf(toText(bytes)), number);
  const all = (1 << parents.length) - 1;
  const isInteresting = (row: Row): boolean => row.flag !== 0 || row.lost.length > 0;
  const groups = findGroups(rows, isInteresting);
  const shown = dense ? groups.filter(([from, to]) => differsFromAll(rows.slice(from, to), all)) : groups;
  return joinGroups(shown, rows.length - 1)
    .map(([from, to]) => hunkText(rows, [from, to], parents.length))
    .join('');
}

function addParent(rows: Row[], old: readonly string[], number: number): void {
  const bit = 1 << number;
  const now = rows.slice(0, -1).map((row) => row.text ?? '');
  let place = 0;
  const changes = diffLines(old, now);
  let oldAt = 0;
  for (const change of [...changes, { oldAt: old.length, newAt: now.length, deleted: 0, inserted: 0 }]) {
    for (; place < change.newAt; place++) {
      const row = rows[place];
      if (row !== undefined) row.at[number] = ++oldAt;
    }
    const row = rows[change.newAt];
    if (row !== undefined && change.deleted > 0)
      row.lost = joinLost(row.lost, old.slice(change.oldAt, change.oldAt + change.deleted), bit);
    // A place before lost lines counts from the first of them.
    for (let added = 0; added < change.inserted; added++, place++) {
      const mine = rows[place];
      if (mine === undefined) continue;
      mine.flag |= bit;
      mine.at[number] = oldAt + 1;
    }
    const after = rows[change.newAt];
    if (after !== undefined && after.at[number] === undefined) after.at[number] = oldAt + 1;
    oldAt += change.deleted;
  }
  const end = rows[rows.length - 1];
  if (end !== undefined) end.at[number] = old.length + 1;
}

/** Joins one parent's lost lines with those that are known, equal lines once. */
function joinLost(known: readonly Lost[], lines: readonly string[], bit: number): Lost[] {
  const table = Array.from({ length: known.length + 1 }, () => new Array<number>(lines.length + 1).fill(0));
  for (let i = known.length - 1; i >= 0; i--)
    for (let j = lines.length - 1; j >= 0; j--) {
      const row = table[i] ?? [];
      row[j] =
        known[i]?.text === lines[j]
          ? (table[i + 1]?.[j + 1] ?? 0) + 1
          : Math.max(table[i + 1]?.[j] ?? 0, row[j + 1] ?? 0);
    }
  const out: Lost[] = [];
  let [i, j] = [0, 0];
  while (i < known.length || j < lines.length) {
    const had = known[i];
    if (had !== undefined && j < lines.length && had.text === lines[j]) {
      out.push({ text: had.text, parents: had.parents | bit });
      i++;
      j++;
    } else if (
      had !== undefined &&
      (j >= lines.length || (table[i + 1]?.[j] ?? 0) >= (table[i]?.[j + 1] ?? 0))
    ) {
      out.push(had);
      i++;
    } else {
      out.push({ text: lines[j] ?? '', parents: bit });
      j++;
    }
  }
  return out;
}

const CONTEXT = 3;

function findGroups(rows: readonly Row[], isInteresting: (row: Row) => boolean): [number, number][] {
  const groups: [number, number][] = [];
  for (let at = 0; at < rows.length; at++) {
    const row = rows[at];
    if (row === undefined || !isInteresting(row)) continue;
    const last = groups[groups.length - 1];
    if (last !== undefined && last[1] === at) last[1] = at + 1;
    else groups.push([at, at + 1]);
  }
  return groups;
}

function differsFromAll(rows: readonly Row[], all: number): boolean {
  let same: number | undefined;
  for (const row of rows) {
    if (row.flag !== 0) {
      if (same === undefined) same = row.flag;
      else if (same !== row.flag) return true;
    }
    for (const lost of row.lost) {
      if (same === undefined) same = lost.parents;
      else if (same !== lost.parents) return true;
    }
  }
  return same === all;
}

function joinGroups(groups: readonly [number, number][], end: number): [number, number][] {
  const joined: [number, number][] = [];
  for (const [from, to] of groups) {
    const [start, stop] = [Math.max(0, from - CONTEXT), Math.min(end, to + CONTEXT)];
    const last = joined[joined.length - 1];
    if (last !== undefined && start <= last[1]) last[1] = Math.max(stop, to);
    else joined.push([start, Math.max(stop, to)]);
  }
  return joined;
}

function hunkText(rows: readonly Row[], [from, to]: readonly [number, number], parents: number): string {
  const inside = rows.slice(from, to);
  const count = inside.filter((row) => row.text !== undefined).length;
  const marks = '@'.repeat(parents + 1);
  let head = marks;
  for (let number = 0; number < parents; number++) {
    const bit = 1 << number;
    let length = 0;
    for (const row of inside) {
      if (row.text !== undefined && (row.flag & bit) === 0) length++;
      length += row.lost.filter((lost) => (lost.parents & bit) !== 0).length;
    }
    head += ` -${spanText(inside[0]?.at[number] ?? 1, length)}`;
  }
  head += ` +${spanText(from + 1, count)} ${marks}`;
  let heading = '';
  for (let at = from - 1; at >= 0; at--) {
    const text = rows[at]?.text ?? '';
    if (!/^[A-Za-z_$]/.test(text)) continue;
    heading = ` ${text.trimEnd().slice(0, 40)}`;
    break;
  }
  let out = `${head}${heading}\n`;
  const line = (signs: string, text: string): string =>
    text.endsWith('\n') ? `${signs}${text}` : `${signs}${text}\n\\ No newline at end of file\n`;
  for (const row of inside) {
    for (const lost of row.lost) out += line(signsOf(lost.parents, parents, '-'), lost.text);
    if (row.text !== undefined) out += line(signsOf(row.flag, parents, '+'), row.text);
  }
  return out;
}

function spanText(start: number, count: number): string {
  return `${start},${count}`;
}

function signsOf(bits: number, parents: number, sign: string): string {
  let signs = '';
  for (let number = 0; number < parents; number++) signs += (bits & (1 << number)) !== 0 ? sign : ' ';
  return signs;
}
