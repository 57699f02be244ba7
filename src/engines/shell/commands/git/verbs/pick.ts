/**
 * `cherry-pick`, `revert`, `rebase`: commits made again elsewhere.
 *
 * Source: git-cherry-pick(1), git-revert(1), git-rebase(1). Not covered: rebasing merges, `--exec`, `--autosquash`.
 * `rebase -i` runs the sequence editor where one is set.
 */
import type { Running } from '../../../kernel/index.js';
import type { Git } from '../git.js';
import { walkCommits } from '../log/walk.js';
import { type Applied, applyMerge } from '../merge/apply-merge.js';
import { type Commit, subjectOf } from '../store/objects.js';
import { parseRevisions } from '../store/revisions.js';
import { forceTo, moveTo, writeIndexTree } from '../work/checkout.js';
import { cleanMessage, commitSummary, writeCommit } from '../work/commits.js';
import { type Parsed, parseOptions, usageError } from '../work/options.js';
import { stateOfWork, todoLines } from '../work/progress.js';
import { treeState } from '../work/states.js';
import { longStatus, readStatus } from '../work/status.js';
import { commit as commitVerb, runEditor } from './commit.js';
import { resetMerge } from './merge.js';

type Kind = 'cherry-pick' | 'revert';

/** `git cherry-pick`. Returns the exit status. */
export function* cherryPick(git: Git, args: readonly string[]): Running<number> {
  const line = parseOptions(
    git,
    args,
    'quit continue abort skip cleanup= n|no-commit e|edit s|signoff m|mainline= rerere-autoupdate strategy= X|strategy-option= S|gpg-sign=? x ff allow-empty allow-empty-message keep-redundant-commits',
  );
  return yield* pick(git, 'cherry-pick', line);
}

/** `git revert`. Returns the exit status. */
export function* revert(git: Git, args: readonly string[]): Running<number> {
  const line = parseOptions(
    git,
    args,
    'quit continue abort skip cleanup= n|no-commit e|edit s|signoff m|mainline= rerere-autoupdate strategy= X|strategy-option= S|gpg-sign=? reference',
  );
  return yield* pick(git, 'revert', line);
}

function* pick(git: Git, kind: Kind, line: Parsed): Running<number> {
  const { work: repo } = git;
  if (line.has('abort')) return abortPick(git, kind);
  if (line.has('quit')) {
    clearPick(git);
    return 0;
  }
  if (line.has('continue') || line.has('skip')) return yield* goOn(git, kind, line);
  if (line.operands.length === 0) usageError(git);
  const revisions = parseRevisions(git, line.operands, []);
  const isRange = revisions.exclude.length > 0;
  const list = isRange
    ? walkCommits(repo, {
        include: revisions.include.map(({ oid }) => repo.objects.peel(oid)),
        exclude: revisions.exclude,
        order: 'topo',
      }).map(({ oid }) => oid)
    : revisions.include.map(({ oid }) => repo.objects.peel(oid));
  if (isRange && kind === 'cherry-pick') list.reverse();
  if (list.length === 0) git.fail('empty commit set passed', 128);
  const status = readStatus(git, { untracked: 'no' });
  if (
    !line.hits.some((hit) => hit.name === 'no-commit') &&
    (status.staged.length > 0 || repo.index.conflicts().size > 0)
  ) {
    git.error(`your local changes would be overwritten by ${kind}.`);
    git.hint('commit your changes or stash them to proceed.');
    git.err(`fatal: ${kind} failed\n`);
    return 128;
  }
  if (list.length > 1) {
    repo.writeNote('sequencer/head', `${repo.head}\n`);
    repo.writeNote(
      'sequencer/todo',
      list
        .map(
          (oid) =>
            `${kind === 'revert' ? 'revert' : 'pick'} ${oid} ${subjectOf(repo.objects.commit(oid).message)}\n`,
        )
        .join(''),
    );
    repo.writeNote('sequencer/abort-safety', `${repo.head}\n`);
  }
  return yield* pickAll(git, kind, line, list);
}

function* pickAll(git: Git, kind: Kind, line: Parsed, list: readonly string[]): Running<number> {
  const { repo } = git;
  for (const [at, oid] of list.entries()) {
    if (list.length > 1 || repo.note('sequencer/todo') !== undefined)
      repo.writeNote(
        'sequencer/todo',
        list
          .slice(at)
          .map(
            (one) =>
              `${kind === 'revert' ? 'revert' : 'pick'} ${one} ${subjectOf(repo.objects.commit(one).message)}\n`,
          )
          .join(''),
      );
    const status = yield* pickOne(git, kind, line, oid);
    if (status !== 0) return status;
  }
  git.files.removeTree(`${repo.gitDir}/sequencer`);
  return 0;
}

function* pickOne(git: Git, kind: Kind, line: Parsed, oid: string): Running<number> {
  const { repo } = git;
  const commit = repo.objects.commit(oid);
  const head = repo.head;
  const short = repo.objects.abbreviate(oid);
  const mainline = line.value('mainline');
  if (commit.parents.length > 1 && mainline === undefined) {
    git.error(`commit ${oid} is a merge but no -m option was given.`);
    git.err(`fatal: ${kind} failed\n`);
    return 128;
  }
  if (commit.parents.length < 2 && mainline !== undefined && mainline !== '1') {
    git.error(`commit ${oid} does not have parent ${mainline}`);
    git.err(`fatal: ${kind} failed\n`);
    return 128;
  }
  const parent = commit.parents[Number(mainline ?? 1) - 1];
  const subject = subjectOf(commit.message);
  if (kind === 'cherry-pick' && parent === head && line.has('ff')) {
    moveTo(repo, treeState(repo, head), treeState(repo, oid));
    repo.saveIndex();
    repo.refs.update('HEAD', oid, git.logNote('cherry-pick: fast-forward'));
    return 0;
  }
  const parentLabel = `parent of ${short} (${subject})`;
  const applied =
    kind === 'cherry-pick'
      ? applyMerge(
          git,
          { base: parent, ours: oursOf(git, line), theirs: oid },
          { ours: 'HEAD', base: parentLabel, theirs: `${short} (${subject})` },
          { style: favorOf(line), by: 'merge', before: 'merge' },
        )
      : applyMerge(
          git,
          {
            base: oid,
            ours: oursOf(git, line),
            theirs: parent === undefined ? repo.objects.write('tree', new Uint8Array(0)) : parent,
          },
          { ours: 'HEAD', base: `${short} (${subject})`, theirs: parentLabel },
          { style: favorOf(line), by: 'merge', before: 'merge' },
        );
  if (applied === undefined) {
    git.err(`fatal: ${kind} failed\n`);
    return 128;
  }
  git.out(applied.messages.map((one) => `${one}\n`).join(''));
  let message =
    kind === 'revert'
      ? revertMessage(commit, oid, mainline === undefined ? undefined : parent)
      : commit.message;
  if (line.has('x') && kind === 'cherry-pick')
    message = withTrailer(message, `(cherry picked from commit ${oid})`);
  if (line.has('signoff'))
    message = withTrailer(
      message,
      `Signed-off-by: ${git.ident('COMMITTER').name} <${git.ident('COMMITTER').email}>`,
    );
  return yield* settlePick(git, kind, line, { oid, applied, message });
}

/** What comes of a picked commit: a commit, a conflict to solve, nothing. */
function* settlePick(
  git: Git,
  kind: Kind,
  line: Parsed,
  picked: { readonly oid: string; readonly applied: Applied; readonly message: string },
): Running<number> {
  const { repo } = git;
  const { oid, applied } = picked;
  let { message } = picked;
  const { head } = repo;
  const commit = repo.objects.commit(oid);
  const [short, subject] = [repo.objects.abbreviate(oid), subjectOf(commit.message)];
  if (applied.tree === undefined) {
    repo.writeNote(kind === 'revert' ? 'REVERT_HEAD' : 'CHERRY_PICK_HEAD', `${oid}\n`);
    repo.writeNote(
      'MERGE_MSG',
      `${message}\n# Conflicts:\n${applied.conflicts.map((path) => `#\t${path}\n`).join('')}`,
    );
    git.error(`could not ${kind === 'revert' ? 'revert' : 'apply'} ${short}... ${subject}`);
    git.hint(conflictHint(kind));
    return 1;
  }
  if (line.has('no-commit')) {
    repo.writeNote('MERGE_MSG', message);
    return 0;
  }
  if (
    head !== undefined &&
    applied.tree === repo.objects.commit(head).tree &&
    !line.has('allow-empty') &&
    !line.has('keep-redundant-commits')
  ) {
    repo.writeNote(kind === 'revert' ? 'REVERT_HEAD' : 'CHERRY_PICK_HEAD', `${oid}\n`);
    repo.writeNote('MERGE_MSG', message);
    if (kind === 'cherry-pick')
      git.err(
        "The previous cherry-pick is now empty, possibly due to conflict resolution.\nIf you wish to commit it anyway, use:\n\n    git commit --allow-empty\n\nOtherwise, please use 'git cherry-pick --skip'\n",
      );
    git.out(longStatus(git, readStatus(git), { untracked: 'normal', forCommit: true }));
    return 1;
  }
  if (line.has('edit') && git.env('GIT_EDITOR') !== undefined) {
    repo.writeNote('COMMIT_EDITMSG', message);
    yield* runEditor(git, `${repo.gitDir}/COMMIT_EDITMSG`);
    message = cleanMessage(repo.note('COMMIT_EDITMSG') ?? '', true);
  }
  const author = kind === 'cherry-pick' ? commit.author : git.ident('AUTHOR');
  const made = writeCommit(git, {
    tree: applied.tree,
    parents: head === undefined ? [] : [head],
    author,
    committer: git.ident('COMMITTER'),
    message: cleanMessage(message),
  });
  repo.refs.update(
    'HEAD',
    made,
    git.logNote(kind === 'cherry-pick' ? `cherry-pick: ${subject}` : `revert: ${subjectOf(message)}`),
  );
  git.out(commitSummary(git, made, { showsDate: true }));
  return 0;
}

function oursOf(git: Git, line: Parsed): string {
  return line.has('no-commit') ? writeIndexTree(git.repo) : (git.repo.head ?? '');
}

function favorOf(line: Parsed): { favor?: 'ours' | 'theirs' | undefined } {
  const found = line
    .values('strategy-option')
    .filter((one) => one === 'ours' || one === 'theirs')
    .pop();
  return found === undefined ? {} : { favor: found as 'ours' | 'theirs' };
}

function conflictHint(kind: Kind): string {
  return `After resolving the conflicts, mark them with\n"git add/rm <pathspec>", then run\n"git ${kind} --continue".\nYou can instead skip this commit with "git ${kind} --skip".\nTo abort and get back to the state before "git ${kind}",\nrun "git ${kind} --abort".`;
}

function withTrailer(message: string, trailer: string): string {
  const body = message.trimEnd();
  const last = body.split('\n\n').pop() ?? '';
  const isTrailer =
    body.includes('\n\n') &&
    last.split('\n').every((one) => /^([A-Za-z-]+: |\(cherry picked from commit )/.test(one));
  return `${body}${isTrailer ? '\n' : '\n\n'}${trailer}\n`;
}

function revertMessage(commit: Commit, oid: string, parent: string | undefined): string {
  const subject = subjectOf(commit.message);
  const title = `Revert "${subject}"`;
  const rest = parent === undefined ? '.' : `, reversing\nchanges made to ${parent}.`;
  return `${title}\n\nThis reverts commit ${oid}${rest}\n`;
}

function clearPick(git: Git): void {
  for (const name of ['CHERRY_PICK_HEAD', 'REVERT_HEAD', 'MERGE_MSG', 'COMMIT_EDITMSG.tmp'])
    git.repo.removeNote(name);
  git.files.removeTree(`${git.repo.gitDir}/sequencer`);
}

function abortPick(git: Git, kind: Kind): number {
  const { repo } = git;
  const progress = stateOfWork(repo);
  const start = repo.note('sequencer/head')?.trim();
  if (progress.cherryPick === undefined && progress.revert === undefined && start === undefined) {
    git.error(`no cherry-pick or revert in progress`);
    git.err(`fatal: ${kind} failed\n`);
    return 128;
  }
  if (start !== undefined && start !== repo.head) {
    forceTo(repo, start);
    repo.saveIndex();
    repo.refs.update('HEAD', start, git.logNote(`reset: moving to ${start}`));
  } else resetMerge(git);
  clearPick(git);
  return 0;
}

function* goOn(git: Git, kind: Kind, line: Parsed): Running<number> {
  const { repo } = git;
  const progress = stateOfWork(repo);
  const current = kind === 'revert' ? progress.revert : progress.cherryPick;
  if (current === undefined && repo.note('sequencer/todo') === undefined) {
    git.error(line.has('skip') ? `no ${kind} in progress` : 'no cherry-pick or revert in progress');
    git.err(`fatal: ${kind} failed\n`);
    return 128;
  }
  const rest = todoLines(repo.note('sequencer/todo'))
    .slice(1)
    .map((one) => one.split(' ')[1] ?? '');
  if (line.has('skip')) resetMerge(git);
  else if (current !== undefined) {
    if (repo.index.conflicts().size > 0) {
      git.error(`Committing is not possible because you have unmerged files.`);
      git.hint(
        "Fix them up in the work tree, and then use 'git add/rm <file>'\nas appropriate to mark resolution and make a commit.",
      );
      for (const path of repo.index.conflicts().keys()) git.out(`U\t${path}\n`);
      git.die('Exiting because of an unresolved conflict.');
    }
    const status = yield* commitVerb(git, ['--edit']);
    if (status !== 0) return status;
  }
  clearPick(git);
  if (rest.length === 0) return 0;
  return yield* pickAll(git, kind, line, rest);
}

// ---- rebase ----
