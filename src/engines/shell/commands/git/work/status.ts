/**
 * What is staged, changed, in conflict and untracked; and git's long form of telling it.
 *
 * Source: git-status(1), the texts of git 2.39.
 */
import { compareStates, type Pair } from '../diff/pairs.js';
import { type Git, quotePath } from '../git.js';
import { aheadBehind } from '../merge/ancestry.js';
import type { Repository } from '../store/repository.js';
import { fullRefName, upstreamOf } from '../store/revisions.js';
import { stateOfWork } from './progress.js';
import { diskState, findUntracked, indexState, limited, Pathspec, treeState } from './states.js';

/** What differs between the last commit, the index and the work tree. */
export interface WorkStatus {
  readonly staged: readonly Pair[];
  readonly changed: readonly Pair[];
  readonly conflicts: ReadonlyMap<string, readonly number[]>;
  readonly untracked: readonly string[];
  readonly ignored: readonly string[];
}

/** Looks at index and work tree. */
export function readStatus(
  git: Git,
  how: {
    readonly untracked?: 'no' | 'normal' | 'all';
    readonly paths?: Pathspec;
    readonly renames?: boolean;
    readonly base?: string | undefined;
  } = {},
): WorkStatus {
  const { work: repo } = git;
  const paths = how.paths ?? new Pathspec(git, []);
  const conflicts = new Map([...repo.index.conflicts()].filter(([path]) => paths.matches(path)));
  const head = new Map(limited(treeState(repo, 'base' in how ? how.base : repo.head), paths));
  for (const path of conflicts.keys()) head.delete(path);
  const index = limited(indexState(repo), paths);
  const disk = limited(diskState(repo), paths);
  const changed = compareStates(index, new Map([...disk].filter(([path]) => index.has(path))), false);
  const intents = repo.index.all().filter((entry) => entry.isIntent === true && paths.matches(entry.path));
  const added = intents.flatMap((entry): Pair[] => {
    const file = disk.get(entry.path);
    return file === undefined
      ? []
      : [{ status: 'A', oldPath: entry.path, path: entry.path, old: undefined, now: file }];
  });
  const mode = how.untracked ?? 'normal';
  const found =
    mode === 'no'
      ? { untracked: [], ignored: [] }
      : findUntracked(git, mode, paths.isEmpty ? undefined : paths);
  return {
    staged: compareStates(head, index, how.renames === false ? false : {}),
    changed: [...changed, ...added],
    conflicts,
    untracked: found.untracked,
    ignored: found.ignored,
  };
}

const CONFLICT_WORDS: Readonly<Record<string, readonly [string, string]>> = {
  '1': ['both deleted:', 'DD'],
  '2': ['added by us:', 'AU'],
  '12': ['deleted by them:', 'UD'],
  '3': ['added by them:', 'UA'],
  '13': ['deleted by us:', 'DU'],
  '23': ['both added:', 'AA'],
  '123': ['both modified:', 'UU'],
};

/** The two letters of a conflict's stages. */
function conflictLetters(stages: readonly number[]): string {
  return CONFLICT_WORDS[stages.join('')]?.[1] ?? 'UU';
}

const PAIR_WORDS: Readonly<Record<string, string>> = {
  A: 'new file:',
  D: 'deleted:',
  M: 'modified:',
  T: 'typechange:',
  R: 'renamed:',
  C: 'copied:',
};

function pairLine(git: Git, pair: Pair): string {
  const word = (PAIR_WORDS[pair.status] ?? 'modified:').padEnd(12);
  const name =
    pair.status === 'R' || pair.status === 'C'
      ? `${git.shown(pair.oldPath)} -> ${git.shown(pair.path)}`
      : git.shown(pair.path);
  return `\t${word}${name}\n`;
}

/** The line(s) about HEAD that open a long status. */
function branchLine(repo: Repository): string {
  const progress = stateOfWork(repo);
  if (progress.rebase !== undefined) {
    const onto = repo.objects.abbreviate(progress.rebase.onto);
    return `interactive rebase in progress; onto ${onto}\n`;
  }
  if (repo.branch !== undefined) return `On branch ${repo.branch}\n`;
  const { word, name } = detachedName(repo);
  return `HEAD detached ${word} ${name}\n`;
}

/** How a HEAD without a branch is called: what was checked out last, and whether it moved since. */
export function detachedName(repo: Repository): { readonly word: 'at' | 'from'; readonly name: string } {
  const { head } = repo;
  for (const entry of repo.refs.log('HEAD').reverse()) {
    const to = /^checkout: moving from \S+ to (\S+)/.exec(entry.message)?.[1];
    if (to === undefined) continue;
    const ref = fullRefName(repo, to);
    const isName =
      ref !== undefined && repo.objects.peel(repo.refs.resolve(ref) ?? '') === entry.to && ref !== 'HEAD';
    const name = isName
      ? ref.replace(/^refs\/(tags|heads|remotes)\//, '')
      : repo.objects.abbreviate(entry.to);
    return { word: head === entry.to ? 'at' : 'from', name };
  }
  return { word: 'at', name: head === undefined ? '' : repo.objects.abbreviate(head) };
}

/** What a branch says of the one it follows; empty where it follows none. */
export function trackingText(git: Git, branch: string): string {
  const { repo } = git;
  const upstream = upstreamOf(git, branch);
  const own = repo.refs.resolve(`refs/heads/${branch}`);
  if (upstream === undefined || own === undefined) return '';
  const other = repo.refs.resolve(upstream.ref);
  if (other === undefined)
    return `Your branch is based on '${upstream.short}', but the upstream is gone.\n  (use "git branch --unset-upstream" to fixup)\n`;
  const { ahead, behind } = aheadBehind(repo, own, other);
  if (ahead === 0 && behind === 0) return `Your branch is up to date with '${upstream.short}'.\n`;
  const commits = (count: number): string => `${count} commit${count === 1 ? '' : 's'}`;
  if (behind === 0)
    return `Your branch is ahead of '${upstream.short}' by ${commits(ahead)}.\n  (use "git push" to publish your local commits)\n`;
  if (ahead === 0)
    return `Your branch is behind '${upstream.short}' by ${commits(behind)}, and can be fast-forwarded.\n  (use "git pull" to update your local branch)\n`;
  return `Your branch and '${upstream.short}' have diverged,\nand have ${ahead} and ${behind} different commits each, respectively.\n  (use "git pull" to merge the remote branch into yours)\n`;
}

/** The long status. */
export function longStatus(
  git: Git,
  status: WorkStatus,
  how: {
    readonly untracked: 'no' | 'normal' | 'all';
    readonly ignored?: boolean;
    readonly forCommit?: boolean;
  },
): string {
  const { repo } = git;
  const isInitial = repo.head === undefined;
  const hints = git.bool('advice.statushints') ?? true;
  const hint = (text: string): string => (hints ? `  ${text}\n` : '');
  let out = branchLine(repo);
  const progress = stateOfWork(repo);
  if (!isInitial && repo.branch !== undefined && progress.rebase === undefined) {
    const tracking = trackingText(git, repo.branch);
    if (tracking !== '') out += `${tracking}\n`;
  }
  out += progressText(repo, status.conflicts.size > 0, hint);
  if (isInitial) out += how.forCommit === true ? '\nInitial commit\n\n' : '\nNo commits yet\n\n';
  const isPlain = !progress.isMerging && progress.cherryPick === undefined;
  if (status.staged.length > 0) {
    out += 'Changes to be committed:\n';
    if (isPlain)
      out += hint(
        isInitial
          ? '(use "git rm --cached <file>..." to unstage)'
          : '(use "git restore --staged <file>..." to unstage)',
      );
    out += `${status.staged.map((pair) => pairLine(git, pair)).join('')}\n`;
  }
  if (status.conflicts.size > 0) {
    out += 'Unmerged paths:\n';
    if (isPlain) out += hint('(use "git restore --staged <file>..." to unstage)');
    const kinds = [...status.conflicts.values()].map((stages) => stages.join(''));
    const [bothGone, halfGone] = [kinds.includes('1'), kinds.some((kind) => kind === '12' || kind === '13')];
    if (!bothGone && !halfGone) out += hint('(use "git add <file>..." to mark resolution)');
    else if (bothGone && !halfGone && kinds.every((kind) => kind === '1'))
      out += hint('(use "git rm <file>..." to mark resolution)');
    else out += hint('(use "git add/rm <file>..." as appropriate to mark resolution)');
    for (const [path, stages] of status.conflicts)
      out += `\t${(CONFLICT_WORDS[stages.join('')]?.[0] ?? '').padEnd(17)}${git.shown(path)}\n`;
    out += '\n';
  }
  if (status.changed.length > 0) {
    out += 'Changes not staged for commit:\n';
    const isGone = status.changed.some((pair) => pair.status === 'D');
    out += hint(`(use "git add${isGone ? '/rm' : ''} <file>..." to update what will be committed)`);
    out += hint('(use "git restore <file>..." to discard changes in working directory)');
    out += `${status.changed.map((pair) => pairLine(git, pair)).join('')}\n`;
  }
  if (how.untracked !== 'no') {
    out += fileList(
      git,
      'Untracked files:',
      hint('(use "git add <file>..." to include in what will be committed)'),
      status.untracked,
    );
    if (how.ignored === true)
      out += fileList(
        git,
        'Ignored files:',
        hint('(use "git add -f <file>..." to include in what will be committed)'),
        status.ignored,
      );
  } else if (status.staged.length > 0)
    out += `Untracked files not listed${hints ? ' (use -u option to show untracked files)' : ''}\n`;
  return out + lastLine(repo, status, { hints, isInitial, untracked: how.untracked });
}

function fileList(git: Git, title: string, hint: string, paths: readonly string[]): string {
  if (paths.length === 0) return '';
  return `${title}\n${hint}${paths.map((path) => `\t${git.shown(path)}\n`).join('')}\n`;
}

function lastLine(
  repo: Repository,
  status: WorkStatus,
  {
    hints,
    isInitial,
    untracked,
  }: { readonly hints: boolean; readonly isInitial: boolean; readonly untracked: string },
): string {
  const with_ = (text: string, hint: string): string => `${text}${hints ? ` (${hint})` : ''}\n`;
  if (status.staged.length > 0) return '';
  const progress = stateOfWork(repo);
  if (status.changed.length > 0 || status.conflicts.size > 0)
    return with_('no changes added to commit', 'use "git add" and/or "git commit -a"');
  if (progress.isMerging) return '';
  if (status.untracked.length > 0)
    return with_('nothing added to commit but untracked files present', 'use "git add" to track');
  if (isInitial) return with_('nothing to commit', 'create/copy files and use "git add" to track');
  if (untracked === 'no') return with_('nothing to commit', 'use -u to show untracked files');
  return 'nothing to commit, working tree clean\n';
}

/** What is under way: a merge, a rebase, a cherry-pick, a revert. */
function progressText(repo: Repository, hasConflicts: boolean, hint: (text: string) => string): string {
  const progress = stateOfWork(repo);
  if (progress.isMerging)
    return hasConflicts
      ? `You have unmerged paths.\n${hint('(fix conflicts and run "git commit")')}${hint('(use "git merge --abort" to abort the merge)')}\n`
      : `All conflicts fixed but you are still merging.\n${hint('(use "git commit" to conclude merge)')}\n`;
  if (progress.rebase !== undefined) {
    const { done, todo, branch, onto } = progress.rebase;
    let out = '';
    if (done.length > 0) {
      const shown = done.slice(-2);
      out += `Last command${done.length === 1 ? '' : 's'} done (${done.length} command${done.length === 1 ? '' : 's'} done):\n`;
      out += shown.map((line) => `   ${shortTodo(repo, line)}\n`).join('');
      if (done.length > 2) out += hint('(see more in file .git/rebase-merge/done)');
    } else out += 'No commands done.\n';
    if (todo.length === 0) out += 'No commands remaining.\n';
    else {
      out += `Next command${todo.length === 1 ? '' : 's'} to do (${todo.length} remaining command${todo.length === 1 ? '' : 's'}):\n`;
      out += todo
        .slice(0, 2)
        .map((line) => `   ${shortTodo(repo, line)}\n`)
        .join('');
      out += hint('(use "git rebase --edit-todo" to view and edit)');
    }
    out +=
      branch === undefined
        ? 'You are currently rebasing.\n'
        : `You are currently rebasing branch '${branch}' on '${repo.objects.abbreviate(onto)}'.\n`;
    out += hasConflicts
      ? hint('(fix conflicts and then run "git rebase --continue")') +
        hint('(use "git rebase --skip" to skip this patch)') +
        hint('(use "git rebase --abort" to check out the original branch)')
      : hint('(all conflicts fixed: run "git rebase --continue")');
    return `${out}\n`;
  }
  for (const [verb, word, oid] of [
    ['cherry-pick', 'cherry-picking', progress.cherryPick],
    ['revert', 'reverting', progress.revert],
  ] as const) {
    if (oid === undefined) continue;
    const noun = verb === 'revert' ? 'revert' : 'cherry-pick';
    return `You are currently ${word} commit ${repo.objects.abbreviate(oid)}.\n${hint(
      hasConflicts
        ? `(fix conflicts and run "git ${verb} --continue")`
        : `(all conflicts fixed: run "git ${verb} --continue")`,
    )}${hint(`(use "git ${verb} --skip" to skip this patch)`)}${hint(`(use "git ${verb} --abort" to cancel the ${noun} operation)`)}\n`;
  }
  return '';
}

function shortTodo(repo: Repository, line: string): string {
  return line.replace(/\b[0-9a-f]{40}\b/, (oid) => repo.objects.abbreviate(oid));
}

/** One line of `--short`: two letters and a path. */
export function shortLines(
  git: Git,
  status: WorkStatus,
  how: { readonly porcelain: boolean; readonly ignored: boolean; readonly ends: string },
): string[] {
  const nul = how.ends === '\0';
  const name = (path: string): string => {
    if (nul) return path;
    const shown = how.porcelain ? quotePath(path, git.quotesPaths) : git.shown(path);
    return shown.includes(' ') && !shown.startsWith('"') ? `"${shown}"` : shown;
  };
  const letters = new Map<string, { x: string; y: string; from?: string }>();
  for (const pair of status.staged)
    letters.set(pair.path, {
      x: pair.status,
      y: ' ',
      ...(pair.status === 'R' || pair.status === 'C' ? { from: pair.oldPath } : {}),
    });
  for (const pair of status.changed) {
    const had = letters.get(pair.path);
    letters.set(pair.path, { ...had, x: had?.x ?? ' ', y: pair.status });
  }
  for (const [path, stages] of status.conflicts) {
    const [x = 'U', y = 'U'] = conflictLetters(stages);
    letters.set(path, { x, y });
  }
  const rows = [...letters].sort(([one], [other]) => (one < other ? -1 : 1));
  const lines = rows.map(([path, { x, y, from }]) => {
    if (from === undefined) return `${x}${y} ${name(path)}${how.ends}`;
    return nul ? `${x}${y} ${path}\0${from}\0` : `${x}${y} ${name(from)} -> ${name(path)}${how.ends}`;
  });
  for (const path of status.untracked) lines.push(`?? ${name(path)}${how.ends}`);
  if (how.ignored) for (const path of status.ignored) lines.push(`!! ${name(path)}${how.ends}`);
  return lines;
}

/** The `##` line of `--short --branch`. */
export function shortBranch(git: Git): string {
  const { repo } = git;
  if (repo.branch === undefined) return '## HEAD (no branch)';
  if (repo.head === undefined) return `## No commits yet on ${repo.branch}`;
  const upstream = upstreamOf(git, repo.branch);
  if (upstream === undefined) return `## ${repo.branch}`;
  const other = repo.refs.resolve(upstream.ref);
  if (other === undefined) return `## ${repo.branch}...${upstream.short} [gone]`;
  const { ahead, behind } = aheadBehind(repo, repo.head, other);
  const parts = [...(ahead > 0 ? [`ahead ${ahead}`] : []), ...(behind > 0 ? [`behind ${behind}`] : [])];
  return `## ${repo.branch}...${upstream.short}${parts.length === 0 ? '' : ` [${parts.join(', ')}]`}`;
}
