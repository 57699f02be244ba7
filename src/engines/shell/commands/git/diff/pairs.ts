/**
 * Which files differ between two states of a tree: added, deleted, changed, renamed.
 *
 * The idea: a state is a map from path to mode and content, whether it comes from a commit, the index or the work tree;
 * so every comparison is one function. Source: gitdiffcore(7), "diffcore-rename". Not covered: copies from unchanged
 * files, breaking of rewrites.
 */
import { compareBytes } from '../store/files.js';

/** One file of a state. */
export interface StateFile {
  /** `100644`, `100755`, `120000`, `160000`. */
  readonly mode: string;
  readonly oid: string;
  read(): Uint8Array;
}

/** A state of a tree. */
export type State = ReadonlyMap<string, StateFile>;

/** One difference. */
export interface Pair {
  readonly status: 'A' | 'D' | 'M' | 'T' | 'R' | 'C' | 'U';
  /** The path before; the same as `path` but for renames. */
  readonly oldPath: string;
  readonly path: string;
  readonly old: StateFile | undefined;
  readonly now: StateFile | undefined;
  /** Likeness of a rename, 0–60000. */
  readonly score?: number;
}

/** What counts as the same file under another name. */
export interface RenameOptions {
  /** 0–60000. Default 30000 (50 %). */
  readonly least?: number;
  /** Copies of changed files too. */
  readonly copies?: boolean;
}

/** The differences of two states, by path. */
export function compareStates(before: State, after: State, renames: RenameOptions | false = {}): Pair[] {
  const pairs: Pair[] = [];
  const paths = [...new Set([...before.keys(), ...after.keys()])].sort(compareBytes);
  for (const path of paths) {
    const [old, now] = [before.get(path), after.get(path)];
    if (old !== undefined && now !== undefined) {
      if (old.oid === now.oid && old.mode === now.mode) continue;
      const status = old.mode.slice(0, 2) === now.mode.slice(0, 2) ? 'M' : 'T';
      pairs.push({ status, oldPath: path, path, old, now });
    } else pairs.push({ status: old === undefined ? 'A' : 'D', oldPath: path, path, old, now });
  }
  return renames === false ? pairs : findRenames(pairs, renames);
}

const MAX_SCORE = 60_000;
const MAX_MATRIX = 400 * 400;

/** Joins deleted and added files that are alike. */
function findRenames(pairs: readonly Pair[], options: RenameOptions = {}): Pair[] {
  const least = options.least ?? MAX_SCORE / 2;
  const gone = pairs.filter((pair) => pair.status === 'D');
  const made = pairs.filter((pair) => pair.status === 'A' && pair.now?.mode !== '160000');
  const copied = options.copies === true ? pairs.filter((pair) => pair.status === 'M') : [];
  if (made.length === 0 || gone.length + copied.length === 0) return [...pairs];
  const sources = new Map<Pair, { from: Pair; score: number }>();
  const used = new Set<Pair>();
  const take = (to: Pair, from: Pair, score: number): void => {
    sources.set(to, { from, score });
    used.add(from);
  };
  for (const to of made) {
    if (isEmptyFile(to)) continue;
    const same = gone.filter(
      (from) => !used.has(from) && from.old?.oid === to.now?.oid && kindOf(from.old) === kindOf(to.now),
    );
    const best = same.find((from) => baseName(from.path) === baseName(to.path)) ?? same[0];
    if (best !== undefined) take(to, best, MAX_SCORE);
  }
  joinByBaseName(made, gone, { least, sources, used, take });
  const left = made.filter((to) => !sources.has(to) && !isEmptyFile(to));
  const from = [...gone.filter((one) => !used.has(one)), ...copied];
  if (left.length * from.length <= MAX_MATRIX) {
    const scored = left.flatMap((to) =>
      from.flatMap((one) => {
        const score = likeness(one.old, to.now, least);
        return score < least
          ? []
          : [{ to, one, score, sameName: baseName(one.path) === baseName(to.path) ? 1 : 0 }];
      }),
    );
    scored.sort((x, y) => y.score - x.score || y.sameName - x.sameName);
    for (const { to, one, score } of scored)
      if (!sources.has(to) && !(used.has(one) && one.status === 'D')) take(to, one, score);
  }
  const out: Pair[] = [];
  for (const pair of pairs) {
    if (pair.status === 'D' && used.has(pair)) continue;
    const source = sources.get(pair);
    if (source === undefined) out.push(pair);
    else {
      const status = source.from.status === 'D' ? 'R' : 'C';
      out.push({
        status,
        oldPath: source.from.path,
        path: pair.path,
        old: source.from.old,
        now: pair.now,
        score: source.score,
      });
    }
  }
  return out;
}

/** Files that alone have their name on both sides and are rather alike are joined first. */
function joinByBaseName(
  made: readonly Pair[],
  gone: readonly Pair[],
  {
    least,
    sources,
    used,
    take,
  }: {
    readonly least: number;
    readonly sources: ReadonlyMap<Pair, unknown>;
    readonly used: ReadonlySet<Pair>;
    readonly take: (to: Pair, from: Pair, score: number) => void;
  },
): void {
  const single = (pairs: readonly Pair[]): Map<string, Pair | null> => {
    const found = new Map<string, Pair | null>();
    for (const pair of pairs) found.set(baseName(pair.path), found.has(baseName(pair.path)) ? null : pair);
    return found;
  };
  const [to, from] = [
    single(made.filter((one) => !sources.has(one))),
    single(gone.filter((one) => !used.has(one))),
  ];
  for (const [name, pair] of to) {
    const source = from.get(name);
    if (pair === null || source === null || source === undefined || isEmptyFile(pair)) continue;
    const score = likeness(source.old, pair.now, least);
    if (score >= least + (MAX_SCORE - least) / 2) take(pair, source, score);
  }
}

function isEmptyFile(pair: Pair): boolean {
  return pair.now?.oid === 'e69de29bb2d1d6434b8b29ae775ad8c2e48c5391';
}

function kindOf(file: StateFile | undefined): string {
  return file?.mode.slice(0, 3) ?? '';
}

function baseName(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

/** How much of one file is in the other, 0–60000: the bytes of pieces (lines, at most 64 bytes) that both have. */
function likeness(old: StateFile | undefined, now: StateFile | undefined, least: number): number {
  if (old === undefined || now === undefined || kindOf(old) !== kindOf(now) || kindOf(old) !== '100')
    return 0;
  const [a, b] = [old.read(), now.read()];
  const [larger, smaller] = [Math.max(a.length, b.length), Math.min(a.length, b.length)];
  if (larger === 0 || larger * (MAX_SCORE - least) < (larger - smaller) * MAX_SCORE) return 0;
  const [piecesA, piecesB] = [piecesOf(a), piecesOf(b)];
  let copied = 0;
  for (const [piece, bytes] of piecesA) copied += Math.min(bytes, piecesB.get(piece) ?? 0);
  return Math.floor((copied * MAX_SCORE) / larger);
}

function piecesOf(bytes: Uint8Array): Map<string, number> {
  const isText = !isBinary(bytes);
  const pieces = new Map<string, number>();
  let piece = '';
  const end = (): void => {
    if (piece !== '') pieces.set(piece, (pieces.get(piece) ?? 0) + piece.length);
    piece = '';
  };
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at] ?? 0;
    if (isText && byte === 13 && bytes[at + 1] === 10) continue;
    piece += String.fromCharCode(byte);
    if (byte === 10 || piece.length >= 64) end();
  }
  end();
  return pieces;
}

/** True for bytes that git does not show as text: a zero byte among the first 8000. */
export function isBinary(bytes: Uint8Array): boolean {
  const at = bytes.subarray(0, 8000).indexOf(0);
  return at >= 0;
}
