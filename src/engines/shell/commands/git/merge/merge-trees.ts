/**
 * Merging three trees: which side's file counts, what is merged line by line, what is a conflict.
 *
 * Source: git-merge(1), the words of its `ort` strategy. Renames of files are followed on both sides. Not covered:
 * renames of folders, a file against a folder, more than one common ancestor (the youngest counts).
 */
import { toBytes, toText } from '../../../kernel/index.js';
import { compareStates, isBinary, type StateFile } from '../diff/pairs.js';
import { compareBytes } from '../store/files.js';
import type { IndexEntry } from '../store/index-file.js';
import { oidOf } from '../store/objects.js';
import type { Repository } from '../store/repository.js';
import { treeState } from '../work/states.js';
import { type MergeLabels, type MergeStyle, mergeTexts } from './merge-text.js';

/** What a merge of trees gives. */
export interface TreeMerge {
  /** What the work tree holds afterwards, conflicts with their markers included. */
  readonly files: ReadonlyMap<string, StateFile>;
  /** The versions of each conflict, for the index. */
  readonly conflicts: ReadonlyMap<string, readonly Pick<IndexEntry, 'mode' | 'oid' | 'stage'>[]>;
  /** `Auto-merging …` and `CONFLICT …`, by path. */
  readonly messages: readonly string[];
}

interface Three {
  base: StateFile | undefined;
  ours: StateFile | undefined;
  theirs: StateFile | undefined;
  /** The name it had before, where a side renamed it. */
  readonly from?: string;
  readonly by?: 'ours' | 'theirs';
}

/** Merges the trees of three commits or trees. */
export function mergeTrees(
  repo: Repository,
  trees: { readonly base: string | undefined; readonly ours: string; readonly theirs: string },
  labels: MergeLabels,
  style: MergeStyle = {},
): TreeMerge {
  const [base, ours, theirs] = [
    treeState(repo, trees.base),
    treeState(repo, trees.ours),
    treeState(repo, trees.theirs),
  ];
  const all = gather([base, ours, theirs]);
  const files = new Map<string, StateFile>();
  const conflicts = new Map<string, Pick<IndexEntry, 'mode' | 'oid' | 'stage'>[]>();
  const messages: string[] = [];
  for (const path of [...all.keys()].sort(compareBytes)) {
    const three = all.get(path);
    if (three === undefined) continue;
    const { file, isConflict, told } = mergeFile(repo, path, three, { labels, style });
    messages.push(...told);
    if (file !== undefined) files.set(path, file);
    if (isConflict)
      conflicts.set(
        path,
        ([three.base, three.ours, three.theirs] as const).flatMap((one, at) =>
          one === undefined ? [] : [{ mode: Number.parseInt(one.mode, 8), oid: one.oid, stage: at + 1 }],
        ),
      );
  }
  return { files, conflicts, messages };
}

function gather([base, ours, theirs]: readonly Map<string, StateFile>[]): Map<string, Three> {
  const all = new Map<string, Three>();
  const [b, o, t] = [base ?? new Map(), ours ?? new Map(), theirs ?? new Map()];
  for (const path of new Set([...b.keys(), ...o.keys(), ...t.keys()]))
    all.set(path, { base: b.get(path), ours: o.get(path), theirs: t.get(path) });
  for (const [side, other, by] of [
    [o, t, 'ours'],
    [t, o, 'theirs'],
  ] as const) {
    for (const pair of compareStates(b, side)) {
      if (pair.status !== 'R') continue;
      const had = all.get(pair.oldPath);
      const now = all.get(pair.path);
      if (had === undefined || now === undefined) continue;
      const foreign = other.get(pair.oldPath);
      const sameName = other.get(pair.path);
      if (foreign === undefined && sameName === undefined) {
        all.set(pair.path, { ...now, base: had.base, from: pair.oldPath, by });
        all.delete(pair.oldPath);
        continue;
      }
      if (foreign === undefined) {
        if (now.base === undefined) now.base = had.base;
        all.delete(pair.oldPath);
        continue;
      }
      if (sameName !== undefined) continue;
      all.delete(pair.oldPath);
      all.set(
        pair.path,
        by === 'ours'
          ? { base: had.base, ours: pair.now, theirs: foreign, from: pair.oldPath, by }
          : { base: had.base, ours: foreign, theirs: pair.now, from: pair.oldPath, by },
      );
    }
  }
  return all;
}

interface FileMerge {
  readonly file: StateFile | undefined;
  readonly isConflict: boolean;
  readonly told: readonly string[];
}

function same(one: StateFile | undefined, other: StateFile | undefined): boolean {
  return (
    one === other ||
    (one !== undefined && other !== undefined && one.oid === other.oid && one.mode === other.mode)
  );
}

function mergeFile(
  repo: Repository,
  path: string,
  three: Three,
  { labels, style }: { readonly labels: MergeLabels; readonly style: MergeStyle },
): FileMerge {
  const { base, ours, theirs } = three;
  if (same(ours, theirs)) return { file: ours, isConflict: false, told: [] };
  if (three.from === undefined) {
    if (same(base, ours)) return { file: theirs, isConflict: false, told: [] };
    if (same(base, theirs)) return { file: ours, isConflict: false, told: [] };
  }
  if (ours === undefined || theirs === undefined) {
    const kept = ours ?? theirs;
    if (base === undefined || kept === undefined) return { file: kept, isConflict: false, told: [] };
    const [gone, has] = ours === undefined ? [labels.ours, labels.theirs] : [labels.theirs, labels.ours];
    if (three.from !== undefined) {
      const told = [
        `CONFLICT (rename/delete): ${three.from} renamed to ${path} in ${has}, but deleted in ${gone}.`,
      ];
      if (kept.oid !== base.oid)
        told.push(
          `CONFLICT (modify/delete): ${path} deleted in ${gone} and modified in ${has}.  Version ${has} of ${path} left in tree.`,
        );
      return { file: kept, isConflict: true, told };
    }
    return {
      file: kept,
      isConflict: true,
      told: [
        `CONFLICT (modify/delete): ${path} deleted in ${gone} and modified in ${has}.  Version ${has} of ${path} left in tree.`,
      ],
    };
  }
  return mergeContents(repo, path, { ...three, ours, theirs }, { labels, style });
}

function mergeContents(
  repo: Repository,
  path: string,
  { base, ours, theirs, from, by }: Three & { readonly ours: StateFile; readonly theirs: StateFile },
  { labels, style }: { readonly labels: MergeLabels; readonly style: MergeStyle },
): FileMerge {
  const mode = base === undefined || ours.mode !== base.mode ? ours.mode : theirs.mode;
  const kind = base === undefined ? 'add/add' : 'content';
  if (base !== undefined && (ours.oid === base.oid || theirs.oid === base.oid)) {
    const changed = ours.oid === base.oid ? theirs : ours;
    return {
      file: { ...changed, mode },
      isConflict: false,
      told: from === undefined || ours.oid === theirs.oid ? [] : [],
    };
  }
  if (ours.oid === theirs.oid) return { file: { ...ours, mode }, isConflict: false, told: [] };
  const [a, b, c] = [base?.read() ?? new Uint8Array(0), ours.read(), theirs.read()];
  const isLink = ours.mode === '120000' || theirs.mode === '120000';
  if (isBinary(a) || isBinary(b) || isBinary(c) || isLink) {
    if (style.favor === 'ours' || style.favor === 'theirs')
      return {
        file: style.favor === 'ours' ? ours : theirs,
        isConflict: false,
        told: [`Auto-merging ${path}`],
      };
    const told = isLink
      ? []
      : [`warning: Cannot merge binary files: ${path} (${labels.ours} vs. ${labels.theirs})`];
    return {
      file: ours,
      isConflict: true,
      told: [...told, `Auto-merging ${path}`, `CONFLICT (${kind}): Merge conflict in ${path}`],
    };
  }
  // Where a side renamed the file, the labels say which name each version had.
  const named =
    from === undefined
      ? labels
      : {
          ours: `${labels.ours}:${by === 'ours' ? path : from}`,
          base: `${labels.base}:${from}`,
          theirs: `${labels.theirs}:${by === 'theirs' ? path : from}`,
        };
  const merged = mergeTexts(toText(a), [toText(b), toText(c)], named, style);
  const bytes = toBytes(merged.text);
  const oid = oidOf({ type: 'blob', bytes });
  if (merged.conflicts === 0) repo.objects.write('blob', bytes);
  const told = [`Auto-merging ${path}`];
  if (merged.conflicts > 0) told.push(`CONFLICT (${kind}): Merge conflict in ${path}`);
  return { file: { mode, oid, read: () => bytes }, isConflict: merged.conflicts > 0, told };
}
