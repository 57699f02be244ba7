/**
 * `rev-list` and `shortlog`.
 */

import { type Running, toText } from '../../../kernel/index.js';
import { DIFF_OPTIONS } from '../diff/show-diff.js';
import type { Git } from '../git.js';
import { renderEntry } from '../log/format.js';
import { walkCommits } from '../log/walk.js';
import { subjectOf } from '../store/objects.js';
import { parseOptions } from '../work/options.js';
import { LOG_OPTIONS, readForm, readWalk } from './walk-options.js';

/** A log as text, put together by author. */
function shortlogOf(git: Git, text: string): number {
  const groups = new Map<string, string[]>();
  const entries = text.split(/^commit [0-9a-f]{7,40}.*\n/m).slice(1);
  for (const entry of entries) {
    const name = /^Author: (.*?) </m.exec(entry)?.[1];
    const subject = /\n\n {4}(.*)/.exec(entry)?.[1];
    if (name !== undefined) groups.set(name, [subject ?? '', ...(groups.get(name) ?? [])]);
  }
  for (const [name, subjects] of [...groups].sort(([one], [other]) => (one < other ? -1 : 1)))
    git.out(`${name} (${subjects.length}):\n${subjects.map((subject) => `      ${subject}\n`).join('')}\n`);
  return 0;
}

/** `git rev-list`. Returns the exit status. */
export function revList(git: Git, args: readonly string[]): number {
  const counts: string[] = [];
  const line = parseOptions(git, args, `${LOG_OPTIONS} ${DIFF_OPTIONS}`, {
    unknown: (argument) => {
      if (!/^-\d+$/.test(argument)) git.die(`unrecognized argument: ${argument}`);
      counts.push(argument.slice(1));
      return true;
    },
  });
  if (
    line.operands.length === 0 &&
    !line.hits.some((hit) => ['all', 'branches', 'tags', 'remotes'].includes(hit.name))
  ) {
    git.err('usage: git rev-list [<options>] <commit>... [--] [<path>...]\n');
    return 129;
  }
  const { walk } = readWalk(git, line);
  let commits = walkCommits(git.repo, walk);
  const limit = line.value('max-count') ?? counts.pop();
  commits = commits.slice(Number(line.value('skip') ?? 0));
  if (limit !== undefined) commits = commits.slice(0, Number(limit));
  if (line.has('reverse')) commits.reverse();
  if (line.has('count')) {
    git.out(`${commits.length}\n`);
    return 0;
  }
  const form = line.hits.some((hit) => ['pretty', 'format', 'oneline'].includes(hit.name))
    ? readForm(git, line)
    : undefined;
  for (const { oid, commit } of commits) {
    if (form !== undefined)
      git.out(`${form.name === 'oneline' ? '' : `commit ${oid}\n`}${renderEntry(git, oid, commit, form)}\n`);
    else {
      const shown = line.has('abbrev-commit') ? git.repo.objects.abbreviate(oid) : oid;
      git.out(
        `${line.has('timestamp') ? `${commit.committer.when} ` : ''}${shown}${line.has('parents') ? commit.parents.map((parent) => ` ${parent}`).join('') : ''}\n`,
      );
    }
  }
  return 0;
}

const SHORTLOG_OPTIONS =
  's|summary n|numbered e|email c|committer group= w=? format= all branches=? since= until= no-merges';

/** `git shortlog`. Returns the exit status. */
export function* shortlog(git: Git, args: readonly string[]): Running<number> {
  let line = parseOptions(git, args, SHORTLOG_OPTIONS);
  if (line.before.length === 0 && !line.has('all')) {
    // Without a revision and without a terminal a log is read.
    if (!git.proc.isatty(0)) return shortlogOf(git, toText(yield* git.proc.readAll(0)));
    line = parseOptions(git, [...args, 'HEAD'], SHORTLOG_OPTIONS);
  }
  const { walk } = readWalk(git, line);
  const groups = new Map<string, string[]>();
  for (const { commit } of walkCommits(git.repo, walk)) {
    const who = line.has('committer') ? commit.committer : commit.author;
    const name = line.has('email') ? `${who.name} <${who.email}>` : who.name;
    groups.set(name, [subjectOf(commit.message), ...(groups.get(name) ?? [])]);
  }
  const rows = [...groups].sort(([one, a], [other, b]) =>
    line.has('numbered') && a.length !== b.length ? b.length - a.length : one < other ? -1 : 1,
  );
  for (const [name, subjects] of rows) {
    if (line.has('summary')) git.out(`${String(subjects.length).padStart(6)}\t${name}\n`);
    else
      git.out(`${name} (${subjects.length}):\n${subjects.map((subject) => `      ${subject}\n`).join('')}\n`);
  }
  return 0;
}
