/**
 * `rebase`: commits made again on another base.
 *
 * Source: git-rebase(1). Not covered: rebasing merges, `--exec`, `--autosquash`.
 */

import type { Running } from '../../../kernel/index.js';
import { DIFF_OPTIONS, diffShape, pairsOf, renderPairs } from '../diff/show-diff.js';
import type { Git } from '../git.js';
import { walkCommits } from '../log/walk.js';
import { ancestors, isAncestor, mergeBases } from '../merge/ancestry.js';
import { subjectOf } from '../store/objects.js';
import { needCommit, resolveRevision, upstreamOf } from '../store/revisions.js';
import { findObstacles, moveTo, tellObstacles } from '../work/checkout.js';
import { parseOptions } from '../work/options.js';
import { stateOfWork } from '../work/progress.js';
import { treeState } from '../work/states.js';
import { readStatus } from '../work/status.js';
import { checkout } from './checkout.js';
import { abortRebase, continueRebase, editTodo, runTodo } from './rebase-steps.js';

const REBASE_OPTIONS =
  'onto= keep-base no-verify q|quiet v|verbose n|no-stat stat signoff committer-date-is-author-date reset-author-date C= ignore-whitespace whitespace= f|force-rebase no-ff ' +
  'continue skip abort quit edit-todo show-current-patch apply m|merge i|interactive rerere-autoupdate empty= autosquash S|gpg-sign=? autostash x|exec= ' +
  'r|rebase-merges=? fork-point s|strategy= X|strategy-option= root reschedule-failed-exec reapply-cherry-picks k|keep-empty p|preserve-merges';

/** `git rebase`. Returns the exit status. */
export function* rebase(git: Git, args: readonly string[]): Running<number> {
  const { work: repo } = git;
  const line = parseOptions(git, args, REBASE_OPTIONS);
  const progress = stateOfWork(repo).rebase;
  const isStep = ['continue', 'skip', 'abort', 'quit', 'edit-todo', 'show-current-patch'].find((name) =>
    line.has(name),
  );
  if (isStep !== undefined) {
    if (progress === undefined) git.die('No rebase in progress?');
    if (isStep === 'abort') return abortRebase(git);
    if (isStep === 'quit') {
      git.files.removeTree(`${repo.gitDir}/rebase-merge`);
      return 0;
    }
    return yield* continueRebase(git, isStep === 'skip');
  }
  if (progress !== undefined)
    git.die(
      `It seems that there is already a rebase-merge directory, and\nI wonder if you are in the middle of another rebase.  If that is the\ncase, please try\n\tgit rebase (--continue | --abort | --skip)\nIf that is not the case, please\n\trm -fr "${repo.gitDir.startsWith(git.cwd) ? '.git' : repo.gitDir}/rebase-merge"\nand run me again.  I am stopping in case you still have something\nvaluable there.\n`,
    );
  const [upstreamText, branchText] = line.has('root') ? [undefined, line.operands[0]] : line.operands;
  const dirty = readStatus(git, { untracked: 'no' });
  const autostash = line.has('autostash') || git.bool('rebase.autostash') === true;
  if (!autostash && dirty.staged.length + dirty.changed.length + dirty.conflicts.size > 0) {
    if (dirty.changed.length + dirty.conflicts.size > 0)
      git.error('cannot rebase: You have unstaged changes.');
    if (dirty.staged.length > 0)
      git.error(
        dirty.changed.length > 0
          ? 'additionally, your index contains uncommitted changes.'
          : 'cannot rebase: Your index contains uncommitted changes.',
      );
    git.error('Please commit or stash them.');
    return 1;
  }
  if (repo.head === undefined) git.die(`invalid upstream '${upstreamText ?? ''}'`);
  const upstream = upstreamText === undefined && !line.has('root') ? defaultUpstream(git) : upstreamText;
  const upstreamOid = upstream === undefined ? undefined : needUpstream(git, upstream);
  const ontoText = line.value('onto') ?? upstream;
  const onto =
    line.value('onto') === undefined
      ? upstreamOid
      : needCommit(git, ontoText ?? '', `Does not point to a valid commit '${ontoText}'`);
  if (onto === undefined) git.die('rebasing the root needs --onto here');
  if (branchText !== undefined) {
    if (resolveRevision(git, branchText) === undefined) git.die(`no such branch/commit '${branchText}'`);
    const status = checkout(git, ['-q', branchText]);
    if (status !== 0) return status;
  }
  const head = repo.head ?? '';
  const branch = repo.branch;
  const base = mergeBases(repo, upstreamOid ?? onto, head)[0];
  const exclude = upstreamOid === undefined ? [] : [upstreamOid];
  const todo = walkCommits(repo, { include: [head], exclude, order: 'topo' })
    .filter(({ commit }) => commit.parents.length < 2)
    .map(({ oid }) => oid)
    .reverse();
  const isForced = line.has('force-rebase') || line.has('no-ff') || line.has('interactive');
  if (!isForced && base === onto && isLinear(git, onto, head)) {
    if (!line.has('quiet')) git.out(`Current branch ${branch ?? 'HEAD'} is up to date.\n`);
    return 0;
  }
  const known = patchIds(
    git,
    upstreamOid === undefined
      ? []
      : [...ancestors(repo, [upstreamOid])].filter((oid) => !isAncestor(repo, oid, head)),
  );
  const picks = todo.filter((oid) => !known.has(patchId(git, oid)));
  const skipped = todo.filter((oid) => known.has(patchId(git, oid)));
  for (const oid of skipped) git.warning(`skipped previously applied commit ${repo.objects.abbreviate(oid)}`);
  if (skipped.length > 0)
    git.hint(
      'use --reapply-cherry-picks to include skipped commits\nDisable this message with "git config advice.skippedCherryPicks false"',
    );
  writeProgress(git, { onto, branch, head, picks });
  if (line.has('interactive')) {
    const status = yield* editTodo(git, picks);
    if (status !== 0) return status;
  }
  const [from, to] = [treeState(repo, head), treeState(repo, onto)];
  if (tellObstacles(git, findObstacles(git, from, to), { by: 'checkout', before: 'switch branches' })) {
    git.err('Aborting\nerror: could not detach HEAD\n');
    git.files.removeTree(`${repo.gitDir}/rebase-merge`);
    return 1;
  }
  moveTo(repo, from, to);
  repo.saveIndex();
  repo.refs.detach(onto);
  repo.refs.note('HEAD', {
    from: head,
    to: onto,
    ...git.logNote(`rebase (start): checkout ${ontoText ?? ''}`),
  });
  return yield* runTodo(git, line.has('quiet'));
}

/** Notes what a rebase is about to do. */
function writeProgress(
  git: Git,
  {
    onto,
    branch,
    head,
    picks,
  }: {
    readonly onto: string;
    readonly branch: string | undefined;
    readonly head: string;
    readonly picks: readonly string[];
  },
): void {
  const { repo } = git;
  repo.writeNote('rebase-merge/onto', `${onto}\n`);
  repo.writeNote(
    'rebase-merge/head-name',
    `${branch === undefined ? 'detached HEAD' : `refs/heads/${branch}`}\n`,
  );
  repo.writeNote('rebase-merge/orig-head', `${head}\n`);
  repo.writeNote('rebase-merge/interactive', '');
  repo.writeNote('rebase-merge/done', '');
  repo.writeNote(
    'rebase-merge/git-rebase-todo',
    picks.map((oid) => `pick ${oid} ${subjectOf(repo.objects.commit(oid).message)}\n`).join(''),
  );
  repo.writeNote('rebase-merge/end', `${picks.length}\n`);
  repo.writeNote('ORIG_HEAD', `${head}\n`);
}

function isLinear(git: Git, from: string, to: string): boolean {
  for (let at: string | undefined = to; at !== undefined; at = git.repo.objects.commit(at).parents[0]) {
    if (at === from) return true;
    if (git.repo.objects.commit(at).parents.length > 1) return false;
  }
  return false;
}

function defaultUpstream(git: Git): string {
  const { branch } = git.repo;
  const upstream = branch === undefined ? undefined : upstreamOf(git, branch);
  if (upstream !== undefined) return upstream.short;
  if (branch === undefined)
    git.err(
      "You are not currently on a branch.\nPlease specify which branch you want to rebase against.\nSee git-rebase(1) for details.\n\n    git rebase '<branch>'\n\n",
    );
  else
    git.err(
      `There is no tracking information for the current branch.\nPlease specify which branch you want to rebase against.\nSee git-rebase(1) for details.\n\n    git rebase '<branch>'\n\nIf you wish to set tracking information for this branch you can do so with:\n\n    git branch --set-upstream-to=<remote>/<branch> ${branch}\n\n`,
    );
  return git.exit(1);
}

function needUpstream(git: Git, text: string): string {
  const oid = resolveRevision(git, text);
  const peeled = oid === undefined ? undefined : git.repo.objects.peel(oid);
  if (peeled === undefined || git.repo.objects.find(peeled)?.type !== 'commit')
    return git.die(`invalid upstream '${text}'`);
  return peeled;
}

/** What a commit changed, without where: two commits of the same change have the same. */
function patchId(git: Git, oid: string): string {
  const { repo } = git;
  const commit = repo.objects.commit(oid);
  const [before, after] = [treeState(repo, commit.parents[0]), treeState(repo, oid)];
  const shape = diffShape(git, parseOptions(git, [], DIFF_OPTIONS));
  const text = renderPairs(
    { ...shape, renames: false },
    pairsOf({ ...shape, renames: false }, before, after),
    repo,
  );
  return text.replace(/^@@.*$/gm, '@@').replace(/^index .*$/gm, '');
}

function patchIds(git: Git, oids: readonly string[]): Set<string> {
  return new Set(
    oids.filter((oid) => git.repo.objects.commit(oid).parents.length < 2).map((oid) => patchId(git, oid)),
  );
}
