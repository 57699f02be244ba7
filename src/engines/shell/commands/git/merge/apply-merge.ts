/**
 * Bringing the result of a merge to index and work tree; the common part of merge, cherry-pick, revert, rebase, stash.
 */

import { compareStates } from '../diff/pairs.js';
import type { Git } from '../git.js';
import { findObstacles, moveTo, tellObstacles, writeToDisk, writeTree } from '../work/checkout.js';
import { indexState, treeState } from '../work/states.js';
import type { MergeLabels, MergeStyle } from './merge-text.js';
import { mergeTrees } from './merge-trees.js';

/** What came of it. */
export interface Applied {
  /** The merged tree where there were no conflicts. */
  readonly tree: string | undefined;
  readonly conflicts: readonly string[];
  readonly messages: readonly string[];
}

/** The style of conflicts that settings ask for. */
export function mergeStyle(git: Git): MergeStyle {
  const style = git.config('merge.conflictstyle');
  return style === 'diff3' || style === 'zdiff3' ? { style: 'diff3' } : {};
}

/** Merges and applies; undefined where the user's changes stand in the way (which was told). */
export function applyMerge(
  git: Git,
  trees: { readonly base: string | undefined; readonly ours: string; readonly theirs: string },
  labels: MergeLabels,
  how: { readonly style?: MergeStyle; readonly by: string; readonly before: string },
): Applied | undefined {
  const { work: repo } = git;
  const ours = treeState(repo, trees.ours);
  const merged = mergeTrees(repo, trees, labels, { ...mergeStyle(git), ...how.style });
  if (tellObstacles(git, findObstacles(git, ours, merged.files), how)) {
    git.err('Aborting\n');
    return undefined;
  }
  const clean = new Map([...merged.files].filter(([path]) => !merged.conflicts.has(path)));
  const before = new Map([...ours].filter(([path]) => !merged.conflicts.has(path)));
  moveTo(repo, before, clean);
  for (const [path, entries] of merged.conflicts) {
    repo.index.remove(path);
    const file = merged.files.get(path);
    if (file !== undefined) writeToDisk(repo, path, file);
    for (const { mode, oid, stage } of entries)
      repo.index.set({ path, mode, oid, stage, sizeBytes: 0, mtimeUs: 0, ino: 0 });
  }
  repo.saveIndex();
  const conflicts = [...merged.conflicts.keys()];
  const tree =
    conflicts.length > 0
      ? undefined
      : writeTree(
          repo,
          [...merged.files].map(([path, { mode, oid }]) => ({ path, mode, oid })),
        );
  return { tree, conflicts, messages: merged.messages };
}

/** True where index and HEAD differ; what was staged stands in the way of a merge. */
export function hasStaged(git: Git): readonly string[] {
  const { work: repo } = git;
  return compareStates(treeState(repo, repo.head), indexState(repo), false).map((pair) => pair.path);
}
