/**
 * Making commits, and telling what was made.
 */

import { compareStates } from '../diff/pairs.js';
import { DIFF_OPTIONS, diffShape } from '../diff/show-diff.js';
import { shortStat, statsOf, summaryText } from '../diff/stat.js';
import type { Git } from '../git.js';
import { type Commit, type Ident, renderCommit, subjectOf } from '../store/objects.js';
import { formatDate } from './dates.js';
import { parseOptions } from './options.js';
import { treeState } from './states.js';

/** Writes a commit and gives its name. */
export function writeCommit(git: Git, commit: Commit): string {
  return git.repo.objects.write('commit', renderCommit(commit));
}

/** A message cleaned as `git stripspace` does: no blanks at line ends, no double blank lines, one newline at the end. */
export function cleanMessage(text: string, dropsComments = false): string {
  const out: string[] = [];
  for (const line of text.split('\n')) {
    if (dropsComments && line.startsWith('#')) continue;
    const trimmed = line.trimEnd();
    if (trimmed === '' && (out.length === 0 || out[out.length - 1] === '')) continue;
    out.push(trimmed);
  }
  while (out.length > 0 && out[out.length - 1] === '') out.pop();
  return out.length === 0 ? '' : `${out.join('\n')}\n`;
}

/** `[main abc1234] subject` and what changed. */
export function commitSummary(
  git: Git,
  oid: string,
  how: { readonly showsDate: boolean; readonly showsStat?: boolean; readonly isRoot?: boolean },
): string {
  const { repo } = git;
  const commit = repo.objects.commit(oid);
  const place = repo.branch ?? 'detached HEAD';
  const root = how.isRoot === true ? ' (root-commit)' : '';
  let out = `[${place}${root} ${repo.objects.abbreviate(oid)}] ${subjectOf(commit.message)}\n`;
  const same = (one: Ident, other: Ident): boolean => one.name === other.name && one.email === other.email;
  if (!same(commit.author, commit.committer))
    out += ` Author: ${commit.author.name} <${commit.author.email}>\n`;
  if (how.showsDate)
    out += ` Date: ${formatDate(commit.author, 'default', git.nowSeconds, (at) => git.zoneAt(at))}\n`;
  if (how.showsStat === false || commit.parents.length > 1) return out;
  const pairs = compareStates(treeState(repo, commit.parents[0]), treeState(repo, commit.tree));
  const shape = diffShape(git, parseOptions(git, [], DIFF_OPTIONS));
  out += shortStat(statsOf(pairs, { ...shape.options, quotesPaths: git.quotesPaths }));
  return out + summaryText(pairs, git.quotesPaths);
}
