/**
 * `show`: single objects.
 */

import { toText } from '../../../kernel/index.js';
import { DIFF_OPTIONS, type DiffShape, diffShape, renderPairs } from '../diff/show-diff.js';
import { type Git, quotePath } from '../git.js';
import { type CommitForm, renderEntry } from '../log/format.js';
import { walkCommits } from '../log/walk.js';
import { type Commit, parseTag } from '../store/objects.js';
import { parseRevisions } from '../store/revisions.js';
import { formatDate } from '../work/dates.js';
import { parseOptions } from '../work/options.js';
import { limited, Pathspec, treeState } from '../work/states.js';
import { combinedText } from './diff.js';
import { commitPairs, LOG_OPTIONS, readForm } from './walk-options.js';

/** `git show`. Returns the exit status. */
export function show(git: Git, args: readonly string[]): number {
  const line = parseOptions(git, args, `${LOG_OPTIONS} ${DIFF_OPTIONS}`, {
    unknown: (argument) => git.die(`unrecognized argument: ${argument}`),
  });
  const { repo } = git;
  const operands = line.before.length === 0 ? ['HEAD'] : line.before;
  if (repo.head === undefined && line.before.length === 0)
    git.die(`your current branch '${repo.branch ?? 'HEAD'}' does not have any commits yet`);
  const revisions = parseRevisions(git, operands, line.after);
  const form = readForm(git, line);
  const shape = diffShape(git, line);
  const paths = new Pathspec(git, revisions.paths);
  let isFirst = true;
  const entries =
    revisions.range !== undefined
      ? walkCommits(repo, {
          include: revisions.include.map(({ oid }) => repo.objects.peel(oid)),
          exclude: revisions.exclude,
          order: 'date',
        }).map(({ oid }) => ({ oid, text: oid }))
      : revisions.include.length === 0 && repo.head !== undefined
        ? [{ oid: repo.head, text: 'HEAD' }]
        : revisions.include;
  for (const { oid, text } of entries) {
    const object = repo.objects.get(oid);
    if (object.type === 'blob') git.out(toText(object.bytes));
    else if (object.type === 'tree') {
      if (!isFirst) git.out('\n');
      git.out(
        `tree ${text}\n\n${repo.objects
          .tree(oid)
          .map((entry) => `${quotePath(entry.name)}${entry.mode === '40000' ? '/' : ''}\n`)
          .join('')}`,
      );
    } else {
      let at = oid;
      if (object.type === 'tag') {
        const tag = parseTag(object.bytes);
        if (!isFirst) git.out('\n');
        const when =
          tag.tagger === undefined
            ? ''
            : `Tagger: ${tag.tagger.name} <${tag.tagger.email}>\nDate:   ${formatDate(tag.tagger, form.dateMode, git.nowSeconds, (one) => git.zoneAt(one))}\n`;
        git.out(`tag ${tag.tag}\n${when}\n${tag.message}\n`);
        at = repo.objects.peel(oid);
        isFirst = true;
        if (repo.objects.find(at)?.type !== 'commit') continue;
      }
      showCommit(git, at, { form, shape, paths, isFirst });
    }
    isFirst = false;
  }
  return 0;
}

function showCommit(
  git: Git,
  oid: string,
  {
    form,
    shape,
    paths,
    isFirst,
  }: {
    readonly form: CommitForm;
    readonly shape: DiffShape;
    readonly paths: Pathspec;
    readonly isFirst: boolean;
  },
): void {
  const { repo } = git;
  const commit = repo.objects.commit(oid);
  const isMerge = commit.parents.length > 1;
  const entry = renderEntry(git, oid, commit, form);
  const isEmpty = form.name === 'user' && form.template === '';
  let text = !isFirst && !form.isTerminated && !isEmpty ? '\n' : '';
  if (!isEmpty) text += entry + (form.isTerminated ? '\n' : '');
  const pairs = commitPairs(git, commit, shape, paths);
  const diff = isMerge && shape.patch ? mergeDiff(git, commit, paths) : renderPairs(shape, pairs, repo);
  if (diff !== '' || (isMerge ? shape.patch : shape.summary && pairs.length > 0)) {
    if (form.name !== 'oneline' && !isEmpty) text += shape.stat && shape.patch ? '---\n' : '\n';
    text += diff;
  }
  git.out(text);
  if (form.name === 'user' && !form.isTerminated && diff === '') git.out('\n');
}

/** What a merge changed against all its parents. */
function mergeDiff(git: Git, commit: Commit, paths: Pathspec): string {
  const { repo } = git;
  const sides = commit.parents.map((parent) => limited(treeState(repo, parent), paths));
  const now = limited(treeState(repo, commit.tree), paths);
  const names = new Set([...now.keys(), ...sides.flatMap((side) => [...side.keys()])]);
  return [...names]
    .sort()
    .filter((path) =>
      sides.every(
        (side) => side.get(path)?.oid !== now.get(path)?.oid || side.get(path)?.mode !== now.get(path)?.mode,
      ),
    )
    .map((path) => {
      const text = combinedText(
        git,
        path,
        sides.map((side) => side.get(path)),
        now.get(path),
      );
      return text.includes('@@@') || text.includes('Binary') ? text : '';
    })
    .join('');
}
