/**
 * `checkout`, `switch`, `restore`, `reset`: moving HEAD, the index and the work tree.
 */

import { toBytes, toText } from '../../../kernel/index.js';
import type { State } from '../diff/pairs.js';
import type { Git } from '../git.js';
import { mergeStyle } from '../merge/apply-merge.js';
import { mergeTexts } from '../merge/merge-text.js';
import { subjectOf } from '../store/objects.js';
import { ambiguous, needCommit, previousBranch, resolveRevision } from '../store/revisions.js';
import {
  findObstacles,
  forceTo,
  moveTo,
  placeFile,
  removeFromDisk,
  tellObstacles,
  writeToDisk,
} from '../work/checkout.js';
import { type Parsed, parseOptions } from '../work/options.js';
import { stateOfWork } from '../work/progress.js';
import { diskFile, treeState } from '../work/states.js';
import { trackingText } from '../work/status.js';
import { createBranch } from './branch.js';
import { checkoutPaths } from './checkout-paths.js';
import { detachedAdvice, leaveDetached, tellKept } from './leave-head.js';

const CHECKOUT_OPTIONS =
  'b= B= l guess overlay q|quiet recurse-submodules=? progress m|merge conflict= d|detach t|track=? f|force orphan= overwrite-ignore ' +
  '2|ours 3|theirs p|patch ignore-skip-worktree-bits ignore-other-worktrees pathspec-from-file=';

/** `git checkout`. Returns the exit status. */
export function checkout(git: Git, args: readonly string[]): number {
  const { work: repo } = git;
  const line = parseOptions(git, args, CHECKOUT_OPTIONS);
  if (line.has('patch')) git.die('interactive use is not possible here');
  const create = line.value('b') ?? line.value('B');
  const [first] = line.before;
  const rest = line.before.slice(1);
  if (create !== undefined || line.value('orphan') !== undefined || line.has('detach'))
    return moveHead(git, line, { target: first, create, force: line.value('B') !== undefined });
  if (first === undefined && line.after === undefined) {
    tellKept(git);
    if (repo.branch !== undefined && repo.head !== undefined) git.out(trackingText(git, repo.branch));
    return 0;
  }
  if (line.after !== undefined && line.after.length > 0) {
    if (first !== undefined && rest.length > 0)
      git.die(`only one reference expected, ${line.before.length} given.`);
    if (first !== undefined && resolveRevision(git, first) === undefined)
      git.die(`invalid reference: ${first}`);
    return checkoutPaths(git, line, first, line.after);
  }
  const isRevision = first !== undefined && (first === '-' || resolveRevision(git, first) !== undefined);
  if (isRevision && rest.length === 0) {
    if (line.has('ours') || line.has('theirs'))
      git.die(`'--ours/--theirs' cannot be used with switching branches`);
    return moveHead(git, line, { target: first, create: undefined, force: false });
  }
  if (isRevision) return checkoutPaths(git, line, first, rest);
  if (
    first !== undefined &&
    rest.length === 0 &&
    !git.files.look(git.absolute(first)) &&
    line.after === undefined
  ) {
    const guessed = guessRemote(git, first);
    if (guessed !== undefined)
      return moveHead(git, line, { target: guessed, create: first, force: false, tracks: true });
  }
  return checkoutPaths(git, line, undefined, line.before);
}

/** The remote branch that a name without a local branch means, where only one remote has it. */
function guessRemote(git: Git, name: string): string | undefined {
  const found = git.repo.refs
    .list('refs/remotes/')
    .filter((ref) => ref.name.split('/').slice(3).join('/') === name);
  return found.length === 1 ? found[0]?.name.slice(13) : undefined;
}

const SWITCH_OPTIONS =
  'c|create= C|force-create= guess discard-changes q|quiet recurse-submodules=? progress m|merge conflict= d|detach t|track=? f|force orphan= overwrite-ignore ignore-other-worktrees';

/** `git switch`. Returns the exit status. */
export function switchBranch(git: Git, args: readonly string[]): number {
  const { work: repo } = git;
  const line = parseOptions(git, args, SWITCH_OPTIONS);
  const create = line.value('create') ?? line.value('force-create');
  const [target] = line.operands;
  if (line.operands.length > 1) git.die(`only one reference expected, ${line.operands.length} given.`);
  if (create !== undefined || line.value('orphan') !== undefined || line.has('detach'))
    return moveHead(git, line, { target, create, force: line.value('force-create') !== undefined });
  if (target === undefined) git.die('missing branch or commit argument');
  const progress = stateOfWork(repo);
  if (progress.isMerging)
    git.die('cannot switch branch while merging\nConsider "git merge --quit" or "git worktree add".');
  if (progress.rebase !== undefined)
    git.die('cannot switch branch while rebasing\nConsider "git rebase --quit" or "git worktree add".');
  if (progress.cherryPick !== undefined)
    git.die(
      'cannot switch branch while cherry-picking\nConsider "git cherry-pick --quit" or "git worktree add".',
    );
  const back = target === '-' ? '1' : /^@\{-(\d+)\}$/.exec(target)?.[1];
  const previous = back === undefined ? undefined : previousBranch(repo, Number(back));
  if (previous !== undefined && repo.refs.resolve(`refs/heads/${previous}`) === undefined)
    return refuseDetached(git, previous);
  if (back !== undefined || repo.refs.resolve(`refs/heads/${target}`) !== undefined)
    return moveHead(git, line, { target, create: undefined, force: false });
  const guessed = guessRemote(git, target);
  if (guessed !== undefined && resolveRevision(git, target) === undefined)
    return moveHead(git, line, { target: guessed, create: target, force: false, tracks: true });
  if (resolveRevision(git, target) === undefined) git.die(`invalid reference: ${target}`);
  return refuseDetached(git, target);
}

/** `switch` goes to branches only, unless it is told to leave them. */
function refuseDetached(git: Git, target: string): number {
  const { repo } = git;
  const kind =
    repo.refs.resolve(`refs/tags/${target}`) !== undefined
      ? 'tag'
      : repo.refs.resolve(`refs/remotes/${target}`) !== undefined
        ? 'remote branch'
        : 'commit';
  git.err(`fatal: a branch is expected, got ${kind} '${target}'\n`);
  if (git.bool('advice.suggestdetachinghead') !== false)
    git.hint('If you want to detach HEAD at the commit, try again with the --detach option.');
  return 128;
}

interface Move {
  readonly target: string | undefined;
  readonly create: string | undefined;
  readonly force: boolean;
  readonly tracks?: boolean;
}

function moveHead(git: Git, line: Parsed, { target, create, force, tracks }: Move): number {
  const { work: repo } = git;
  const quiet = line.has('quiet');
  const orphan = line.value('orphan');
  const text = namedBefore(git, target);
  if (create !== undefined && repo.refs.resolve(`refs/heads/${create}`) !== undefined && !force)
    git.die(`a branch named '${create}' already exists`);
  if (text === undefined && create !== undefined && repo.head === undefined) {
    repo.refs.point('HEAD', `refs/heads/${create}`);
    if (!quiet) git.err(`Switched to a new branch '${create}'\n`);
    return 0;
  }
  const from = repo.head;
  const oid =
    text === undefined
      ? from
      : needCommit(
          git,
          text,
          create === undefined
            ? ambiguous(text)
            : `'${text}' is not a commit and a branch '${create}' cannot be created from it`,
        );
  const isForced = line.has('force') || line.has('discard-changes');
  if (!isForced && repo.index.conflicts().size > 0) {
    for (const path of repo.index.conflicts().keys()) git.err(`${path}: needs merge\n`);
    git.err('error: you need to resolve your current index first\n');
    return 1;
  }
  const isMoving = oid !== from || isForced;
  if (isForced) forceTo(repo, oid);
  else if (
    isMoving ||
    (orphan !== undefined && line.hits.every((hit) => hit.name !== 'orphan' || git.verb !== 'switch'))
  ) {
    const [before, after] = [treeState(repo, from), treeState(repo, oid)];
    const obstacles = findObstacles(git, before, after);
    if (line.has('merge')) moveKeeping(git, before, after, text ?? '');
    else {
      if (tellObstacles(git, obstacles, { by: 'checkout', before: 'switch branches' })) {
        git.err('Aborting\n');
        return 1;
      }
      moveTo(repo, before, after);
    }
  }
  repo.saveIndex();
  const oldName = repo.branch ?? from ?? '';
  if (orphan !== undefined) {
    if (git.verb === 'switch') {
      for (const path of repo.index.paths()) removeFromDisk(repo, path);
      repo.index.clear();
      repo.saveIndex();
    }
    repo.refs.point('HEAD', `refs/heads/${orphan}`);
    if (!quiet) git.err(`Switched to a new branch '${orphan}'\n`);
    return 0;
  }
  if (oid === undefined) return git.die('You are on a branch yet to be born');
  const branch = create ?? (line.has('detach') ? undefined : branchOf(git, text ?? ''));
  if (create !== undefined) {
    const existed = repo.refs.resolve(`refs/heads/${create}`) !== undefined;
    const isTracking = line.hits.some((hit) => hit.name === 'track') || tracks === true;
    if (!(existed && repo.branch === create))
      createBranch(git, create, {
        start: text,
        force,
        track: line.hits.some((hit) => hit.name === 'no-track') ? 'no' : isTracking ? 'yes' : 'auto',
        quiet,
      });
    if (!quiet && !isForced) tellKept(git, oid);
    leaveDetached(git, { from, to: oid, quiet });
    setHead(git, { oid, branch: create, from: oldName, to: create });
    if (!quiet)
      git.err(
        existed ? `Switched to and reset branch '${create}'\n` : `Switched to a new branch '${create}'\n`,
      );
    return 0;
  }
  if (!quiet && !isForced) tellKept(git, oid);
  if (text === 'HEAD' && !line.has('detach')) return 0;
  if (branch !== undefined) {
    const isSame = repo.branch === branch;
    if (!isSame) leaveDetached(git, { from, to: oid, quiet });
    setHead(git, { oid, branch, from: oldName, to: branch });
    if (!quiet) git.err(isSame ? `Already on '${branch}'\n` : `Switched to branch '${branch}'\n`);
    if (!quiet) git.out(trackingText(git, branch));
    return 0;
  }
  const wasDetached = repo.branch === undefined;
  if (wasDetached && from !== undefined && from !== oid) leaveDetached(git, { from, to: oid, quiet });
  else if (!quiet && !wasDetached && !line.has('detach') && git.bool('advice.detachedhead') !== false)
    git.err(detachedAdvice(text ?? ''));
  setHead(git, { oid, branch: undefined, from: oldName, to: text ?? oid });
  if (!quiet)
    git.err(
      `HEAD is now at ${repo.objects.abbreviate(oid)} ${subjectOf(repo.objects.commit(oid).message)}\n`,
    );
  return 0;
}

/** A name as it is, or the branch that `-` and `@{-N}` mean. */
function namedBefore(git: Git, target: string | undefined): string | undefined {
  if (target === '-')
    return previousBranch(git.repo, 1) ?? git.fail("pathspec '-' did not match any file(s) known to git");
  const back = /^@\{-(\d+)\}$/.exec(target ?? '');
  return back === null ? target : (previousBranch(git.repo, Number(back[1])) ?? target);
}

function branchOf(git: Git, text: string): string | undefined {
  const name = text.replace(/^refs\/heads\//, '');
  if (git.repo.refs.resolve(`refs/heads/${name}`) !== undefined) return name;
  return undefined;
}

function setHead(
  git: Git,
  {
    oid,
    branch,
    from,
    to,
  }: {
    readonly oid: string;
    readonly branch: string | undefined;
    readonly from: string;
    readonly to: string;
  },
): void {
  const { repo } = git;
  const before = repo.head ?? '0'.repeat(40);
  if (branch === undefined) repo.refs.detach(oid);
  else repo.refs.point('HEAD', `refs/heads/${branch}`);
  repo.refs.note('HEAD', { from: before, to: oid, ...git.logNote(`checkout: moving from ${from} to ${to}`) });
  for (const name of ['MERGE_HEAD', 'MERGE_MSG', 'MERGE_MODE', 'CHERRY_PICK_HEAD', 'REVERT_HEAD'])
    repo.removeNote(name);
}

/** `checkout -m`: local changes are merged into the new state. */
function moveKeeping(git: Git, before: State, after: State, name: string): void {
  const { repo } = git;
  for (const [path, now] of after) {
    const old = before.get(path);
    const disk = diskFile(repo, path, repo.index.get(path));
    if (disk !== undefined && old !== undefined && disk.oid !== old.oid && now.oid !== old.oid) {
      const merged = mergeTexts(
        toText(old.read()),
        [toText(now.read()), toText(disk.read())],
        { ours: name, base: 'base', theirs: 'local' },
        mergeStyle(git),
      );
      placeFile(repo, path, now);
      const bytes = toBytes(merged.text);
      writeToDisk(repo, path, { mode: now.mode, oid: '', read: () => bytes });
    } else if (old === undefined || old.oid !== now.oid) placeFile(repo, path, now);
  }
  for (const path of before.keys())
    if (!after.has(path)) {
      removeFromDisk(repo, path);
      repo.index.remove(path);
    }
}
