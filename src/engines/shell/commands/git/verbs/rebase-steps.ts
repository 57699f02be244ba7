/**
 * The steps of a rebase: the list of what to do, one commit after the other, the end.
 */
import { type Running, runCommand, shellStatus } from '../../../kernel/index.js';
import type { Git } from '../git.js';
import { applyMerge } from '../merge/apply-merge.js';
import { subjectOf } from '../store/objects.js';
import { resolveRevision } from '../store/revisions.js';
import { forceTo, moveTo, writeIndexTree } from '../work/checkout.js';
import { cleanMessage, commitSummary, writeCommit } from '../work/commits.js';
import { todoLines } from '../work/progress.js';
import { treeState } from '../work/states.js';
import { readStatus } from '../work/status.js';
import { runEditor } from './commit.js';

/** `git editTodo`. Returns the exit status. */
export function* editTodo(git: Git, picks: readonly string[]): Running<number> {
  const { repo } = git;
  const editor =
    git.env('GIT_SEQUENCE_EDITOR') ??
    git.config('sequence.editor') ??
    git.env('GIT_EDITOR') ??
    git.config('core.editor') ??
    git.env('VISUAL') ??
    git.env('EDITOR');
  if (editor === undefined) {
    git.error('Terminal is dumb, but EDITOR unset');
    git.files.removeTree(`${repo.gitDir}/rebase-merge`);
    return 1;
  }
  const path = `${repo.gitDir}/rebase-merge/git-rebase-todo`;
  git.files.write(
    path,
    picks
      .map((oid) => `pick ${repo.objects.abbreviate(oid)} ${subjectOf(repo.objects.commit(oid).message)}\n`)
      .join(''),
  );
  if (editor !== ':') {
    yield* git.io.flush();
    const status = yield* runCommand(git.proc, ['/bin/sh', '-c', `${editor} "$@"`, editor, path]);
    if (shellStatus(status) !== 0) {
      git.error(`There was a problem with the editor '${editor}'.`);
      git.files.removeTree(`${repo.gitDir}/rebase-merge`);
      return 1;
    }
  }
  const lines = todoLines(git.files.readText(path)).map((one) =>
    one.replace(
      /^(\S+) (\S+)/,
      (_, verb: string, short: string) => `${verb} ${resolveRevision(git, short) ?? short}`,
    ),
  );
  git.files.write(path, lines.map((one) => `${one}\n`).join(''));
  if (lines.length === 0) {
    git.err('error: nothing to do\n');
    git.files.removeTree(`${repo.gitDir}/rebase-merge`);
    return 1;
  }
  return 0;
}

const VERBS: Readonly<Record<string, string>> = {
  p: 'pick',
  r: 'reword',
  e: 'edit',
  s: 'squash',
  f: 'fixup',
  d: 'drop',
  x: 'exec',
  b: 'break',
};

/** `git runTodo`. Returns the exit status. */
export function* runTodo(git: Git, quiet: boolean): Running<number> {
  const { repo } = git;
  const end = Number(repo.note('rebase-merge/end') ?? 0);
  for (;;) {
    const todo = todoLines(repo.note('rebase-merge/git-rebase-todo'));
    const [line] = todo;
    if (line === undefined) break;
    const [word = '', oid = ''] = line.split(' ');
    const verb = VERBS[word] ?? word;
    repo.writeNote(
      'rebase-merge/git-rebase-todo',
      todo
        .slice(1)
        .map((one) => `${one}\n`)
        .join(''),
    );
    repo.writeNote('rebase-merge/done', `${repo.note('rebase-merge/done') ?? ''}${line}\n`);
    const done = todoLines(repo.note('rebase-merge/done')).length;
    if (!quiet) git.err(`Rebasing (${done}/${Math.max(end, done + todo.length - 1)})\r`);
    if (verb === 'drop') continue;
    if (verb === 'break') return 0;
    const status = yield* rebaseOne(git, verb, oid);
    if (status !== 0) return status;
    if (verb === 'edit') {
      const short = repo.objects.abbreviate(oid);
      git.err(`Stopped at ${short}...  ${subjectOf(repo.objects.commit(oid).message)}\n`);
      git.err(
        `You can amend the commit now, with\n\n  git commit --amend \n\nOnce you are satisfied with your changes, run\n\n  git rebase --continue\n`,
      );
      return 0;
    }
  }
  return finishRebase(git, quiet);
}

function* rebaseOne(git: Git, verb: string, oid: string): Running<number> {
  const { repo } = git;
  const commit = repo.objects.commit(oid);
  const head = repo.head ?? '';
  const short = repo.objects.abbreviate(oid);
  const subject = subjectOf(commit.message);
  const isJoined = verb === 'squash' || verb === 'fixup';
  if (commit.parents[0] === head && !isJoined && verb !== 'reword') {
    moveTo(repo, treeState(repo, head), treeState(repo, oid));
    repo.saveIndex();
    repo.refs.detach(oid);
    repo.refs.note('HEAD', { from: head, to: oid, ...git.logNote(`rebase (pick): ${subject}`) });
    return 0;
  }
  const applied = applyMerge(
    git,
    { base: commit.parents[0], ours: head, theirs: oid },
    { ours: 'HEAD', base: `parent of ${short} (${subject})`, theirs: `${short} (${subject})` },
    { by: 'merge', before: 'merge' },
  );
  if (applied === undefined) {
    git.err(`error: could not apply ${short}... ${subject}\n`);
    return 1;
  }
  git.out(applied.messages.map((one) => `${one}\n`).join(''));
  if (applied.tree === undefined) {
    repo.writeNote('REBASE_HEAD', `${oid}\n`);
    repo.writeNote('rebase-merge/stopped-sha', `${oid}\n`);
    repo.writeNote(
      'MERGE_MSG',
      `${commit.message}\n# Conflicts:\n${applied.conflicts.map((path) => `#\t${path}\n`).join('')}`,
    );
    git.error(`could not apply ${short}... ${subject}`);
    git.hint(
      'Resolve all conflicts manually, mark them as resolved with\n"git add/rm <conflicted_files>", then run "git rebase --continue".\nYou can instead skip this commit: run "git rebase --skip".\nTo abort and get back to the state before "git rebase", run "git rebase --abort".',
    );
    git.err(`Could not apply ${short}... ${subject}\n`);
    return 1;
  }
  if (
    applied.tree === repo.objects.commit(head).tree &&
    commit.parents[0] !== undefined &&
    repo.objects.commit(commit.parents[0]).tree !== commit.tree
  ) {
    git.err(`dropping ${oid} ${subject} -- patch contents already upstream\n`);
    return 0;
  }
  let parents = [head];
  let { message, author } = commit;
  if (isJoined) {
    const before = repo.objects.commit(head);
    parents = [...before.parents];
    author = before.author;
    message = verb === 'fixup' ? before.message : `${before.message.trimEnd()}\n\n${commit.message}`;
  }
  if (verb === 'reword' || verb === 'squash') {
    repo.writeNote('COMMIT_EDITMSG', message);
    yield* runEditor(git, `${repo.gitDir}/COMMIT_EDITMSG`);
    message = cleanMessage(repo.note('COMMIT_EDITMSG') ?? message, true);
  }
  const made = writeCommit(git, {
    tree: applied.tree,
    parents,
    author,
    committer: git.ident('COMMITTER'),
    message,
  });
  repo.refs.detach(made);
  repo.refs.note('HEAD', { from: head, to: made, ...git.logNote(`rebase (${verb}): ${subjectOf(message)}`) });
  return 0;
}

function finishRebase(git: Git, quiet: boolean): number {
  const { repo } = git;
  const name = (repo.note('rebase-merge/head-name') ?? '').trim();
  const onto = (repo.note('rebase-merge/onto') ?? '').trim();
  const head = repo.head ?? '';
  if (name.startsWith('refs/')) {
    const note = git.logNote(`rebase (finish): ${name} onto ${onto}`);
    const before = repo.refs.resolve(name) ?? '';
    repo.refs.update(name, head, undefined);
    repo.refs.note(name, { from: before, to: head, ...note });
    repo.refs.point('HEAD', name);
    repo.refs.note('HEAD', { from: head, to: head, ...git.logNote(`rebase (finish): returning to ${name}`) });
  }
  git.files.removeTree(`${repo.gitDir}/rebase-merge`);
  repo.removeNote('REBASE_HEAD');
  if (!quiet)
    git.err(
      `\r${' '.repeat(80)}\rSuccessfully rebased and updated ${name.startsWith('refs/') ? name : 'detached HEAD'}.\n`,
    );
  return 0;
}

/** `git continueRebase`. Returns the exit status. */
export function* continueRebase(git: Git, skips: boolean): Running<number> {
  const { repo } = git;
  if (repo.index.conflicts().size > 0 && !skips) {
    for (const path of repo.index.conflicts().keys()) git.out(`${path}: needs merge\n`);
    git.out('You must edit all merge conflicts and then\nmark them as resolved using git add\n');
    return 1;
  }
  if (skips) {
    forceTo(repo, repo.head);
    repo.saveIndex();
  } else {
    const picked = repo.note('REBASE_HEAD')?.trim();
    const tree = writeIndexTree(repo);
    const head = repo.head ?? '';
    if (picked !== undefined && tree !== repo.objects.commit(head).tree) {
      let message = cleanMessage(repo.note('MERGE_MSG') ?? repo.objects.commit(picked).message, true);
      repo.writeNote('COMMIT_EDITMSG', message);
      yield* runEditor(git, `${repo.gitDir}/COMMIT_EDITMSG`);
      message = cleanMessage(repo.note('COMMIT_EDITMSG') ?? message, true);
      const made = writeCommit(git, {
        tree,
        parents: [head],
        author: repo.objects.commit(picked).author,
        committer: git.ident('COMMITTER'),
        message,
      });
      repo.refs.detach(made);
      repo.refs.note('HEAD', {
        from: head,
        to: made,
        ...git.logNote(`rebase (continue): ${subjectOf(message)}`),
      });
      git.out(commitSummary(git, made, { showsDate: false }));
    } else {
      const status = readStatus(git, { untracked: 'no' });
      if (status.changed.length > 0) {
        git.error('cannot rebase: You have unstaged changes.');
        return 1;
      }
    }
  }
  for (const name of ['CHERRY_PICK_HEAD', 'MERGE_MSG', 'REBASE_HEAD']) repo.removeNote(name);
  return yield* runTodo(git, false);
}

/** `git abortRebase`. Returns the exit status. */
export function abortRebase(git: Git): number {
  const { repo } = git;
  const name = (repo.note('rebase-merge/head-name') ?? '').trim();
  const start = (repo.note('rebase-merge/orig-head') ?? '').trim();
  const before = repo.head ?? '';
  forceTo(repo, start);
  repo.saveIndex();
  if (name.startsWith('refs/')) repo.refs.point('HEAD', name);
  else repo.refs.detach(start);
  repo.refs.note('HEAD', { from: before, to: start, ...git.logNote(`rebase (abort): returning to ${name}`) });
  for (const one of ['CHERRY_PICK_HEAD', 'MERGE_MSG', 'REBASE_HEAD']) repo.removeNote(one);
  git.files.removeTree(`${repo.gitDir}/rebase-merge`);
  return 0;
}
