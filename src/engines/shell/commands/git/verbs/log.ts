/**
 * `log`, `show`, `rev-list`, `shortlog`: histories and single objects.
 */

import type { Pair } from '../diff/pairs.js';
import { compareStates } from '../diff/pairs.js';
import { DIFF_OPTIONS, type DiffShape, diffShape, filterPairs, renderPairs } from '../diff/show-diff.js';
import type { Git } from '../git.js';
import { type CommitForm, renderEntry } from '../log/format.js';
import { LogGraph } from '../log/graph.js';
import { type Walked, walkCommits } from '../log/walk.js';
import { ancestors } from '../merge/ancestry.js';
import { parseRevisions, resolveRevision } from '../store/revisions.js';
import { formatDate } from '../work/dates.js';
import { type Parsed, parseOptions } from '../work/options.js';
import { Pathspec, treeState } from '../work/states.js';
import { commitPairs, LOG_OPTIONS, readForm, readWalk } from './walk-options.js';

/** `git log`. Returns the exit status. */
export function log(git: Git, args: readonly string[]): number {
  const counts: string[] = [];
  const line = parseOptions(git, args, `${LOG_OPTIONS} ${DIFF_OPTIONS}`, {
    unknown: (argument) => {
      if (/^-\d+$/.test(argument)) {
        counts.push(argument.slice(1));
        return true;
      }
      git.die(`unrecognized argument: ${argument}`);
    },
  });
  const limit = line.value('max-count') ?? counts[counts.length - 1];
  if (limit !== undefined && !/^-?\d+$/.test(limit)) git.die(`'${limit}': not an integer`);
  if (line.has('walk-reflogs')) return reflogWalk(git, line, limit);
  const form = readForm(git, line);
  const shape = diffShape(git, line, 'nothing');
  const { walk, paths, isFollowing } = readWalk(git, line);
  let commits = walkCommits(git.repo, walk);
  const showsDiff = shape.isGiven && !line.has('no-patch');
  const isPicking = shape.pickaxe !== undefined || shape.filter !== '';
  if (isPicking)
    commits = commits.filter(
      ({ commit }) => commit.parents.length < 2 && commitPairs(git, commit, shape, paths).length > 0,
    );
  const follow = isFollowing
    ? followPath(git, commits, line.operands[line.operands.length - 1] ?? '', shape)
    : undefined;
  if (follow !== undefined) commits = commits.filter(({ oid }) => follow.has(oid));
  commits = commits.slice(Number(line.value('skip') ?? 0));
  if (limit !== undefined && Number(limit) >= 0) commits = commits.slice(0, Number(limit));
  if (line.has('reverse')) commits = commits.reverse();
  const graph = line.has('graph') ? new LogGraph(commits) : undefined;
  const pairsFor = ({ oid, commit }: Walked): Pair[] =>
    !showsDiff || (commit.parents.length > 1 && !line.has('first-parent') && !line.has('m'))
      ? []
      : (follow?.get(oid) ?? commitPairs(git, commit, shape, paths));
  const left = line.has('left-right') ? leftSide(git, line) : undefined;
  const markOf = (oid: string): string => (left === undefined ? '' : left.has(oid) ? '< ' : '> ');
  printEntries(git, commits, { form, shape, graph, pairsFor, markOf });
  return 0;
}

/** The commits of the left side of `A...B`. */
function leftSide(git: Git, line: Parsed): ReadonlySet<string> {
  const { symmetric } = parseRevisions(git, line.before, line.after);
  return symmetric === undefined ? new Set() : ancestors(git.repo, [symmetric[0]]);
}

interface Printing {
  readonly form: CommitForm;
  readonly shape: DiffShape;
  readonly graph: LogGraph | undefined;
  readonly pairsFor: (walked: Walked) => readonly Pair[];
  readonly markOf: (oid: string) => string;
}

function printEntries(
  git: Git,
  commits: readonly Walked[],
  { form, shape, graph, pairsFor, markOf }: Printing,
): void {
  const isEmpty = form.name === 'user' && form.template === '';
  let missing = false;
  commits.forEach((walked, number) => {
    graph?.start(walked);
    if (number > 0 && !form.isTerminated && !isEmpty)
      git.out(graph === undefined || missing ? '\n' : graph.gap());
    const entry = isEmpty ? '' : renderEntry(git, walked.oid, walked.commit, form, markOf(walked.oid));
    const drawn = graph === undefined ? entry : graph.entry(entry);
    missing = form.name === 'user' && !form.isTerminated;
    git.out(`${drawn}${form.isTerminated && !isEmpty ? '\n' : ''}`);
    const pairs = pairsFor(walked);
    const diff = pairs.length === 0 ? '' : renderPairs(shape, pairs, git.repo);
    if (diff === '') return;
    const both = shape.stat && shape.patch;
    const lead = form.name === 'oneline' || isEmpty ? '' : both ? '---\n' : '\n';
    git.out(graph === undefined ? lead + diff : graph.block(lead + diff));
    missing = false;
  });
  if (missing && git.proc.isatty(1)) git.out('\n');
}

/** The commits that changed one file, through its renames; newest first, with what each did. */
function followPath(
  git: Git,
  commits: readonly Walked[],
  operand: string,
  shape: DiffShape,
): Map<string, Pair[]> {
  const found = new Map<string, Pair[]>();
  let path = new Pathspec(git, [operand]).isEmpty ? operand : `${git.prefix}${operand}`;
  for (const { oid, commit } of commits) {
    if (commit.parents.length > 1) continue;
    const parent = commit.parents[0];
    const pairs = compareStates(treeState(git.repo, parent), treeState(git.repo, commit.tree));
    const pair = pairs.find((one) => one.path === path);
    if (pair === undefined) continue;
    found.set(oid, filterPairs(shape, [pair]));
    path = pair.oldPath;
  }
  return found;
}

/** `log -g`, `reflog`: where a reference was, newest first. */
export function reflogWalk(git: Git, line: Parsed, limit: string | undefined): number {
  const { repo } = git;
  const name = line.operands[0] ?? 'HEAD';
  const base = name.replace(/@\{.*\}$/, '');
  const full =
    base === 'HEAD' || repo.refs.hasLog(base)
      ? base
      : [`refs/heads/${base}`, `refs/${base}`, `refs/remotes/${base}`].find((one) => repo.refs.hasLog(one));
  if (full === undefined) {
    if (resolveRevision(git, base) === undefined)
      git.die(
        `ambiguous argument '${name}': unknown revision or path not in the working tree.\nUse '--' to separate paths from revisions, like this:\n'git <command> [<revision>...] -- [<file>...]'`,
      );
    return 0;
  }
  const form = { ...readForm(git, line) };
  const isPlain = !line.hits.some((hit) => ['pretty', 'format', 'oneline'].includes(hit.name));
  const entries = repo.refs
    .log(full)
    .reverse()
    .slice(0, limit === undefined ? undefined : Number(limit));
  const shown = base === 'HEAD' ? 'HEAD' : base;
  entries.forEach((entry, at) => {
    if (!repo.objects.has(entry.to)) return;
    const selector =
      line.value('date') === undefined
        ? `${shown}@{${at}}`
        : `${shown}@{${formatDate(entry.who, form.dateMode, git.nowSeconds, (when) => git.zoneAt(when))}}`;
    const names = form.decorations?.get(entry.to);
    const decoration = names === undefined ? '' : ` (${names.join(', ')})`;
    if (isPlain || line.has('oneline'))
      git.out(`${repo.objects.abbreviate(entry.to)}${decoration} ${selector}: ${entry.message}\n`);
    else {
      const template = form.template
        .replace(/%gd/g, selector)
        .replace(/%gs/g, entry.message.replace(/%/g, '%%'))
        .replace(/%gD/g, selector);
      git.out(`${renderEntry(git, entry.to, repo.objects.commit(entry.to), { ...form, template })}\n`);
    }
  });
  return 0;
}
