/**
 * `restore` and `reset`.
 */

import type { Git } from '../git.js';
import { subjectOf } from '../store/objects.js';
import { ambiguous, needCommit, resolveRevision } from '../store/revisions.js';
import {
  findObstacles,
  forceTo,
  indexTo,
  moveTo,
  placeFile,
  removeFromDisk,
  writeToDisk,
} from '../work/checkout.js';
import { type Parsed, parseOptions } from '../work/options.js';
import { stateOfWork } from '../work/progress.js';
import { entryFile, Pathspec, treeState } from '../work/states.js';
import { readStatus } from '../work/status.js';
import { remakeConflict, tellUnmatched } from './checkout-paths.js';
import { resetMerge } from './merge.js';

/** `git restore`. Returns the exit status. */
export function restore(git: Git, args: readonly string[]): number {
  const { work: repo } = git;
  const line = parseOptions(
    git,
    args,
    's|source= S|staged W|worktree ignore-unmerged overlay q|quiet recurse-submodules=? progress m|merge conflict= 2|ours 3|theirs p|patch pathspec-from-file=',
  );
  if (line.operands.length === 0) git.die('you must specify path(s) to restore');
  const paths = new Pathspec(git, line.operands);
  const staged = line.has('staged');
  const worktree = line.has('worktree') || !staged;
  const source = line.value('source');
  if (source !== undefined && resolveRevision(git, source) === undefined)
    git.die(`could not resolve ${source}`);
  if (!staged && source === undefined) return restoreFromIndex(git, line, paths);
  if (source === undefined && repo.head === undefined) git.die('could not resolve HEAD');
  const state = treeState(repo, source === undefined ? repo.head : resolveRevision(git, source));
  const names = new Set(
    [...state.keys(), ...(staged || worktree ? repo.index.paths() : [])].filter((path) =>
      paths.matches(path),
    ),
  );
  tellUnmatched(git, paths);
  for (const path of [...names].sort()) {
    const file = state.get(path);
    if (worktree) {
      if (file !== undefined) writeToDisk(repo, path, file);
      else removeFromDisk(repo, path);
    }
    if (!staged) continue;
    if (file === undefined) repo.index.remove(path);
    else
      repo.index.set({
        path,
        oid: file.oid,
        mode: Number.parseInt(file.mode, 8),
        stage: 0,
        sizeBytes: 0,
        mtimeUs: 0,
        ino: 0,
      });
  }
  repo.saveIndex();
  return 0;
}

function restoreFromIndex(git: Git, line: Parsed, paths: Pathspec): number {
  const { repo } = git;
  const conflicts = repo.index.conflicts();
  const known = repo.index.paths().filter((path) => paths.matches(path));
  tellUnmatched(git, paths);
  const stage = line.has('ours') ? 2 : line.has('theirs') ? 3 : 0;
  const broken = known.filter(
    (path) => conflicts.has(path) && stage === 0 && !line.has('merge') && !line.has('ignore-unmerged'),
  );
  for (const path of broken) git.error(`path '${path}' is unmerged`);
  if (broken.length > 0) return 1;
  for (const path of known) {
    if (conflicts.has(path)) {
      const entry = stage === 0 ? undefined : repo.index.get(path, stage);
      if (entry !== undefined) writeToDisk(repo, path, entryFile(repo, entry));
      else if (line.has('merge')) remakeConflict(git, path, line.value('conflict'));
      continue;
    }
    const entry = repo.index.get(path);
    if (entry !== undefined) placeFile(repo, path, entryFile(repo, entry));
  }
  repo.saveIndex();
  return 0;
}

/** `git reset`. Returns the exit status. */
export function reset(git: Git, args: readonly string[]): number {
  const { repo } = git;
  const line = parseOptions(
    git,
    args,
    'q|quiet no-refresh refresh mixed soft hard merge keep recurse-submodules=? p|patch N|intent-to-add pathspec-from-file=',
  );
  const mode = ['soft', 'hard', 'merge', 'keep', 'mixed'].find((name) => line.has(name));
  let [target, ...texts] = line.before;
  if (target !== undefined && resolveRevision(git, target) === undefined) {
    if (
      line.after === undefined &&
      git.files.look(git.absolute(target)) === undefined &&
      !repo.index.has(`${git.prefix}${target}`)
    )
      git.die(ambiguous(target));
    texts = [target, ...texts];
    target = undefined;
  }
  texts = [...texts, ...(line.after ?? [])];
  if (texts.length > 0) {
    if (mode !== undefined && mode !== 'mixed') git.die(`Cannot do ${mode} reset with paths.`);
    if (mode === 'mixed')
      git.warning("--mixed with paths is deprecated; use 'git reset -- <paths>' instead.");
    return resetPaths(git, line, target, texts);
  }
  if (repo.head === undefined && target === undefined) {
    if (mode === 'soft' || mode === 'hard') {
      if (mode === 'hard') forceTo(git.work, undefined);
    }
    git.work.index.clear();
    repo.saveIndex();
    return 0;
  }
  const oid = needCommit(
    git,
    target ?? 'HEAD',
    `Failed to resolve '${target ?? 'HEAD'}' as a valid revision.`,
  );
  const before = repo.head;
  if (mode === 'soft' && (stateOfWork(repo).isMerging || repo.index.conflicts().size > 0))
    git.die('Cannot do a soft reset in the middle of a merge.');
  if (mode !== 'soft') git.work;
  if (mode === 'hard') forceTo(repo, oid);
  else if (mode === 'merge') resetMerge(git);
  else if (mode === 'keep') {
    const [from, to] = [treeState(repo, before), treeState(repo, oid)];
    const { local } = findObstacles(git, from, to);
    if (local.length > 0) {
      git.err(
        `error: Entry '${local[0]}' not uptodate. Cannot merge.\nfatal: Could not reset index file to revision '${target ?? 'HEAD'}'.\n`,
      );
      return 128;
    }
    moveTo(repo, from, to);
  } else if (mode !== 'soft') indexTo(repo, oid);
  repo.saveIndex();
  if (before !== undefined) repo.writeNote('ORIG_HEAD', `${before}\n`);
  repo.refs.update('HEAD', oid, git.logNote(`reset: moving to ${target ?? 'HEAD'}`));
  for (const name of [
    'MERGE_HEAD',
    'MERGE_MSG',
    'MERGE_MODE',
    'CHERRY_PICK_HEAD',
    'REVERT_HEAD',
    'SQUASH_MSG',
  ])
    if (mode !== 'soft') repo.removeNote(name);
  if (line.has('quiet')) return 0;
  if (mode === 'hard')
    git.out(
      `HEAD is now at ${repo.objects.abbreviate(oid)} ${subjectOf(repo.objects.commit(oid).message)}\n`,
    );
  else if (mode === undefined || mode === 'mixed') tellUnstaged(git);
  return 0;
}

function tellUnstaged(git: Git): void {
  const { changed, conflicts } = readStatus(git, { untracked: 'no' });
  if (changed.length + conflicts.size === 0) return;
  git.out('Unstaged changes after reset:\n');
  for (const pair of changed) git.out(`${pair.status}\t${git.shown(pair.path)}\n`);
}

function resetPaths(git: Git, line: Parsed, target: string | undefined, texts: readonly string[]): number {
  const { work: repo } = git;
  const paths = new Pathspec(git, texts);
  const state = treeState(repo, target === undefined ? repo.head : resolveRevision(git, target));
  for (const path of new Set([...state.keys(), ...repo.index.paths()])) {
    if (!paths.matches(path)) continue;
    const file = state.get(path);
    if (file === undefined) repo.index.remove(path);
    else if (repo.index.get(path)?.oid !== file.oid || repo.index.get(path)?.mode.toString(8) !== file.mode)
      repo.index.set({
        path,
        oid: file.oid,
        mode: Number.parseInt(file.mode, 8),
        stage: 0,
        sizeBytes: 0,
        mtimeUs: 0,
        ino: 0,
      });
  }
  repo.saveIndex();
  if (!line.has('quiet')) tellUnstaged(git);
  return 0;
}
