/**
 * Merging three texts line by line, with conflict markers.
 *
 * The idea: the changes of both sides from the common text are walked together; what overlaps is a conflict, which is
 * then cut down to what really differs, and conflicts at most three lines apart are joined. Source: the behaviour of
 * git 2.39 (`merge.conflictStyle` merge, diff3, zdiff3 as diff3).
 */
import type { Change } from '../../tools/diff/edit-script.js';
import { diffLines, linesOf } from '../diff/line-diff.js';

/** What stands behind the markers. */
export interface MergeLabels {
  readonly ours: string;
  readonly base: string;
  readonly theirs: string;
}

/** A merged text, and how many conflicts it holds. */
export interface TextMerge {
  readonly text: string;
  readonly conflicts: number;
}

/** A stretch where a side differs: 0 conflict, 1 ours, 2 theirs, 4 the same on both sides. */
interface Piece {
  mode: 0 | 1 | 2 | 4;
  baseAt: number;
  baseCount: number;
  oursAt: number;
  oursCount: number;
  theirsAt: number;
  theirsCount: number;
}

/** How conflicts are written, or which side wins them. */
export interface MergeStyle {
  readonly style?: 'merge' | 'diff3';
  readonly favor?: 'ours' | 'theirs' | 'union' | undefined;
  readonly markerSize?: number;
}

/** Merges two texts that come from a third. */
export function mergeTexts(
  base: string,
  [ours, theirs]: readonly [string, string],
  labels: MergeLabels,
  style: MergeStyle = {},
): TextMerge {
  const [b, o, t] = [linesOf(base), linesOf(ours), linesOf(theirs)];
  const [mine, other] = [diffLines(b, o, { slides: false }), diffLines(b, t, { slides: false })];
  let pieces = joinChanges([mine, other], [o, t]);
  if (style.style !== 'diff3') pieces = joinNear(refine(pieces, o, t));
  let out = '';
  let conflicts = 0;
  let at = 0;
  for (const piece of pieces) {
    if (piece.mode === 4) continue;
    out += o.slice(at, piece.oursAt).join('');
    at = piece.oursAt + piece.oursCount;
    const own = o.slice(piece.oursAt, at);
    const foreign = t.slice(piece.theirsAt, piece.theirsAt + piece.theirsCount);
    if (piece.mode === 1 || (piece.mode === 0 && style.favor === 'ours')) out += own.join('');
    else if (piece.mode === 2 || style.favor === 'theirs') out += foreign.join('');
    else if (style.favor === 'union') out += ended(own) + foreign.join('');
    else {
      conflicts++;
      const common = b.slice(piece.baseAt, piece.baseAt + piece.baseCount);
      const mark = (sign: string, label: string): string =>
        `${sign.repeat(style.markerSize ?? 7)}${label === '' ? '' : ` ${label}`}\n`;
      out += `${mark('<', labels.ours)}${ended(own)}`;
      if (style.style === 'diff3') out += `${mark('|', labels.base)}${ended(common)}`;
      out += `${mark('=', '')}${ended(foreign)}${mark('>', labels.theirs)}`;
    }
  }
  return { text: out + o.slice(at).join(''), conflicts };
}

function ended(lines: readonly string[]): string {
  const text = lines.join('');
  return text === '' || text.endsWith('\n') ? text : `${text}\n`;
}

function joinChanges(
  [mine, other]: readonly [readonly Change[], readonly Change[]],
  [o, t]: readonly [readonly string[], readonly string[]],
): Piece[] {
  const pieces: Piece[] = [];
  const append = (piece: Piece): void => {
    const last = pieces[pieces.length - 1];
    if (
      last === undefined ||
      !(piece.oursAt <= last.oursAt + last.oursCount || piece.theirsAt <= last.theirsAt + last.theirsCount)
    ) {
      pieces.push(piece);
      return;
    }
    if (piece.mode !== last.mode) last.mode = 0;
    last.baseCount = piece.baseAt + piece.baseCount - last.baseAt;
    last.oursCount = piece.oursAt + piece.oursCount - last.oursAt;
    last.theirsCount = piece.theirsAt + piece.theirsCount - last.theirsAt;
  };
  let [i, j] = [0, 0];
  while (i < mine.length || j < other.length) {
    const [a, b] = [mine[i], other[j]];
    if (a !== undefined && (b === undefined || a.oldAt + a.deleted < b.oldAt)) {
      const theirsAt = a.oldAt + offset(other, j);
      append({
        mode: 1,
        baseAt: a.oldAt,
        baseCount: a.deleted,
        oursAt: a.newAt,
        oursCount: a.inserted,
        theirsAt,
        theirsCount: a.deleted,
      });
      i++;
      continue;
    }
    if (b !== undefined && (a === undefined || b.oldAt + b.deleted < a.oldAt)) {
      const oursAt = b.oldAt + offset(mine, i);
      append({
        mode: 2,
        baseAt: b.oldAt,
        baseCount: b.deleted,
        oursAt,
        oursCount: b.deleted,
        theirsAt: b.newAt,
        theirsCount: b.inserted,
      });
      j++;
      continue;
    }
    if (a === undefined || b === undefined) break;
    if (!isSame(a, b, [o, t])) append(conflictOf(a, b));
    const [endA, endB] = [a.oldAt + a.deleted, b.oldAt + b.deleted];
    if (endA >= endB) j++;
    if (endB >= endA) i++;
  }
  return pieces;
}

/** How far a side's lines are shifted before its next change. */
function offset(changes: readonly Change[], at: number): number {
  const next = changes[at];
  if (next !== undefined) return next.newAt - next.oldAt;
  const last = changes[changes.length - 1];
  return last === undefined ? 0 : last.newAt + last.inserted - last.oldAt - last.deleted;
}

function isSame(a: Change, b: Change, [o, t]: readonly [readonly string[], readonly string[]]): boolean {
  if (a.oldAt !== b.oldAt || a.deleted !== b.deleted || a.inserted !== b.inserted) return false;
  for (let at = 0; at < a.inserted; at++) if (o[a.newAt + at] !== t[b.newAt + at]) return false;
  return true;
}

function conflictOf(a: Change, b: Change): Piece {
  const before = a.oldAt - b.oldAt;
  const after = before + a.deleted - b.deleted;
  let [baseAt, oursAt, theirsAt] = [a.oldAt, a.newAt, b.newAt];
  if (before > 0) {
    baseAt -= before;
    oursAt -= before;
  } else theirsAt += before;
  let baseCount = a.oldAt + a.deleted - baseAt;
  let oursCount = a.newAt + a.inserted - oursAt;
  let theirsCount = b.newAt + b.inserted - theirsAt;
  if (after < 0) {
    baseCount -= after;
    oursCount -= after;
  } else theirsCount += after;
  return { mode: 0, baseAt, baseCount, oursAt, oursCount, theirsAt, theirsCount };
}

/** Cuts conflicts down to the lines in which the sides differ. */
function refine(pieces: readonly Piece[], o: readonly string[], t: readonly string[]): Piece[] {
  return pieces.flatMap((piece) => {
    if (piece.mode !== 0 || piece.oursCount === 0 || piece.theirsCount === 0) return [piece];
    const own = o.slice(piece.oursAt, piece.oursAt + piece.oursCount);
    const foreign = t.slice(piece.theirsAt, piece.theirsAt + piece.theirsCount);
    const changes = diffLines(own, foreign, { slides: false });
    if (changes.length === 0) return [{ ...piece, mode: 4 as const }];
    return changes.map(
      (change): Piece => ({
        ...piece,
        oursAt: piece.oursAt + change.oldAt,
        oursCount: change.deleted,
        theirsAt: piece.theirsAt + change.newAt,
        theirsCount: change.inserted,
      }),
    );
  });
}

const MAX_GAP = 3;

function joinNear(pieces: readonly Piece[]): Piece[] {
  const out: Piece[] = [];
  for (const piece of pieces) {
    const last = out[out.length - 1];
    if (
      last === undefined ||
      last.mode !== 0 ||
      piece.mode !== 0 ||
      piece.oursAt - (last.oursAt + last.oursCount) > MAX_GAP
    ) {
      out.push({ ...piece });
      continue;
    }
    last.oursCount = piece.oursAt + piece.oursCount - last.oursAt;
    last.theirsCount = piece.theirsAt + piece.theirsCount - last.theirsAt;
    last.baseCount = piece.baseAt + piece.baseCount - last.baseAt;
  }
  return out;
}
