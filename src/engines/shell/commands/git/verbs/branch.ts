/**
 * `branch` and `tag`: names for commits.
 */

import { matchGlob } from '../../tools/glob-match.js';
import type { Git } from '../git.js';
import { aheadBehind, isAncestor } from '../merge/ancestry.js';
import { changeSection } from '../store/config.js';
import { subjectOf } from '../store/objects.js';
import { isRefName } from '../store/refs.js';
import { needCommit, upstreamOf } from '../store/revisions.js';
import { type Parsed, parseOptions, usageError } from '../work/options.js';
import { stateOfWork } from '../work/progress.js';
import { detachedName } from '../work/status.js';
import { setConfig } from './config.js';
import { sortRows } from './ref-rows.js';
import { refFormat } from './references.js';

const BRANCH_OPTIONS =
  'v|verbose q|quiet t|track=? u|set-upstream-to= unset-upstream color=? r|remotes contains=+ no-contains=+ abbrev=? a|all d|delete D m|move M c|copy C ' +
  'l|list show-current create-reflog edit-description f|force merged=+ no-merged=+ column=? sort= points-at= i|ignore-case format=';

/** `git branch`. Returns the exit status. */
export function branch(git: Git, args: readonly string[]): number {
  const { repo } = git;
  const line = parseOptions(git, args, BRANCH_OPTIONS);
  if (line.has('show-current')) {
    if (repo.branch !== undefined) git.out(`${repo.branch}\n`);
    return 0;
  }
  if (line.has('delete') || line.has('D')) return deleteBranches(git, line);
  if (line.has('move') || line.has('M')) return renameBranch(git, line, line.has('M') || line.has('force'));
  if (line.has('copy') || line.has('C')) return copyBranch(git, line);
  const upstream = line.value('set-upstream-to');
  if (upstream !== undefined) return setUpstream(git, line.operands[0], upstream);
  if (line.has('unset-upstream')) return unsetUpstream(git, line.operands[0] ?? repo.branch ?? '');
  const lists =
    ['list', 'all', 'remotes', 'verbose'].some((name) => line.has(name)) ||
    ['contains', 'no-contains', 'merged', 'no-merged', 'sort', 'points-at', 'format'].some((name) =>
      line.hits.some((hit) => hit.name === name),
    );
  if (lists || line.operands.length === 0) return listBranches(git, line);
  if (line.operands.length > 2) usageError(git);
  const [name = '', start] = line.operands;
  createBranch(git, name, {
    start,
    force: line.has('force'),
    track: trackingOf(line),
    quiet: line.has('quiet'),
  });
  return 0;
}

function trackingOf(line: Parsed): 'yes' | 'no' | 'auto' {
  if (line.hits.some((hit) => hit.name === 'no-track')) return 'no';
  return line.hits.some((hit) => hit.name === 'track') ? 'yes' : 'auto';
}

/** Makes a branch. Ends the command where it may not be. */
export function createBranch(
  git: Git,
  name: string,
  how: {
    readonly start?: string | undefined;
    readonly force: boolean;
    readonly track: 'yes' | 'no' | 'auto';
    readonly quiet: boolean;
  },
): string {
  const { repo } = git;
  if (!isRefName(name) || name === 'HEAD') git.die(`'${name}' is not a valid branch name`);
  const full = `refs/heads/${name}`;
  const existing = repo.refs.resolve(full);
  if (existing !== undefined && !how.force) git.die(`a branch named '${name}' already exists`);
  if (existing !== undefined && repo.headRef === full && !repo.isBare)
    git.die(`cannot force update the branch '${name}' checked out at '${repo.root}'`);
  const start = how.start ?? 'HEAD';
  if (how.start === undefined && repo.head === undefined)
    git.die(`not a valid object name: '${repo.branch ?? 'HEAD'}'`);
  const oid = needCommit(git, start, `not a valid object name: '${start}'`);
  const conflict = repo.refs
    .list('refs/heads/')
    .find((ref) => ref.name.startsWith(`${full}/`) || full.startsWith(`${ref.name}/`));
  if (conflict !== undefined)
    git.die(`cannot lock ref '${full}': '${conflict.name}' exists; cannot create '${full}'`);
  repo.refs.update(
    full,
    oid,
    git.logNote(existing === undefined ? `branch: Created from ${start}` : `branch: Reset to ${start}`),
  );
  const remote = remoteBranch(git, start);
  const isLocal = repo.refs.resolve(`refs/heads/${start}`) !== undefined;
  const auto = git.config('branch.autosetupmerge') ?? 'true';
  if (
    how.track === 'yes' ||
    (how.track === 'auto' && remote !== undefined && auto !== 'false') ||
    (how.track === 'auto' && auto === 'always' && isLocal)
  ) {
    if (remote !== undefined)
      track(
        git,
        name,
        {
          remote: remote.remote,
          merge: `refs/heads/${remote.branch}`,
          shown: `'${remote.remote}/${remote.branch}'`,
        },
        how.quiet,
      );
    else if (isLocal)
      track(git, name, { remote: '.', merge: `refs/heads/${start}`, shown: `'${start}'` }, how.quiet);
    else if (how.track === 'yes')
      git.die(`cannot set up tracking information; starting point '${start}' is not a branch`);
  }
  return oid;
}

/** The remote and branch that a name such as `origin/main` means. */
function remoteBranch(
  git: Git,
  name: string,
): { readonly remote: string; readonly branch: string } | undefined {
  const text = name.replace(/^(refs\/)?remotes\//, '');
  if (git.repo.refs.resolve(`refs/remotes/${text}`) === undefined) return undefined;
  const slash = text.indexOf('/');
  return slash < 0 ? undefined : { remote: text.slice(0, slash), branch: text.slice(slash + 1) };
}

/** Notes which branch a branch follows, and says so. */
export function track(
  git: Git,
  name: string,
  { remote, merge, shown }: { readonly remote: string; readonly merge: string; readonly shown: string },
  quiet: boolean,
): void {
  setConfig(git, `branch.${name}.remote`, remote);
  setConfig(git, `branch.${name}.merge`, merge);
  const rebase = git.config('branch.autosetuprebase');
  if (rebase === 'always' || rebase === 'remote') setConfig(git, `branch.${name}.rebase`, 'true');
  if (!quiet) git.out(`branch '${name}' set up to track ${shown}.\n`);
}

function setUpstream(git: Git, name: string | undefined, upstream: string): number {
  const { repo } = git;
  const own = name ?? repo.branch;
  if (own === undefined)
    git.die(`could not set upstream of HEAD to ${upstream} when it does not point to any branch.`);
  if (repo.refs.resolve(`refs/heads/${own}`) === undefined)
    git.die(name === undefined ? `no commit on branch '${own}' yet` : `branch '${own}' does not exist`);
  const remote = remoteBranch(git, upstream);
  if (remote !== undefined)
    track(
      git,
      own,
      { remote: remote.remote, merge: `refs/heads/${remote.branch}`, shown: `'${upstream}'` },
      false,
    );
  else if (repo.refs.resolve(`refs/heads/${upstream}`) !== undefined)
    track(git, own, { remote: '.', merge: `refs/heads/${upstream}`, shown: `'${upstream}'` }, false);
  else {
    git.err(`fatal: the requested upstream branch '${upstream}' does not exist\n`);
    git.hint(
      '\nIf you are planning on basing your work on an upstream\nbranch that already exists at the remote, you may need to\nrun "git fetch" to retrieve it.\n\nIf you are planning to push out a new local branch that\nwill track its remote counterpart, you may want to use\n"git push -u" to set the upstream config as you push.\nDisable this message with "git config advice.setUpstreamFailure false"',
    );
    git.exit(128);
  }
  return 0;
}

function unsetUpstream(git: Git, name: string): number {
  if (upstreamOf(git, name) === undefined) git.die(`Branch '${name}' has no upstream information`);
  const path = `${git.repo.gitDir}/config`;
  const text = changeSection(git.files.readText(path), `branch.${name}`);
  if (text !== undefined) git.files.write(path, text);
  git.reloadSettings();
  return 0;
}

function deleteBranches(git: Git, line: Parsed): number {
  const { repo } = git;
  const isRemote = line.has('remotes');
  const force = line.has('D') || line.has('force');
  let status = 0;
  if (line.operands.length === 0) git.die('branch name required');
  for (const name of line.operands) {
    const full = `${isRemote ? 'refs/remotes/' : 'refs/heads/'}${name}`;
    const oid = repo.refs.resolve(full);
    if (oid === undefined) {
      git.error(`${isRemote ? 'remote-tracking branch' : 'branch'} '${name}' not found.`);
      status = 1;
      continue;
    }
    if (!isRemote && repo.headRef === full && !repo.isBare) {
      git.error(`Cannot delete branch '${name}' checked out at '${repo.root}'`);
      status = 1;
      continue;
    }
    if (!force && !isRemote && !isMerged(git, name, oid)) {
      git.error(
        `The branch '${name}' is not fully merged.\nIf you are sure you want to delete it, run 'git branch -D ${name}'.`,
      );
      status = 1;
      continue;
    }
    repo.refs.remove(full);
    const config = `${repo.gitDir}/config`;
    const changed = isRemote
      ? undefined
      : changeSection(git.files.textIfThere(config) ?? '', `branch.${name}`);
    if (changed !== undefined) git.files.write(config, changed);
    git.reloadSettings();
    if (!line.has('quiet'))
      git.out(
        `Deleted ${isRemote ? 'remote-tracking ' : ''}branch ${name} (was ${repo.objects.abbreviate(oid)}).\n`,
      );
  }
  return status;
}

function isMerged(git: Git, name: string, oid: string): boolean {
  const { repo } = git;
  const upstream = upstreamOf(git, name);
  const reference = upstream === undefined ? undefined : repo.refs.resolve(upstream.ref);
  const inHead = repo.head !== undefined && isAncestor(repo, oid, repo.head);
  if (reference === undefined) return inHead;
  const inReference = isAncestor(repo, oid, reference);
  if (inReference && !inHead)
    git.warning(
      `deleting branch '${name}' that has been merged to\n         'refs/remotes/${upstream?.short}', but not yet merged to HEAD.`,
    );
  else if (!inReference && inHead)
    git.warning(
      `not deleting branch '${name}' that is not yet merged to\n         'refs/remotes/${upstream?.short}', even though it is merged to HEAD.`,
    );
  return inReference;
}

function renameBranch(git: Git, line: Parsed, force: boolean): number {
  const { repo } = git;
  const [first, second] = line.operands;
  if (first === undefined) git.die('branch name required');
  const from = second === undefined ? repo.branch : first;
  const to = second ?? first;
  if (from === undefined) git.die('cannot rename the current branch while not on any.');
  const [oldRef, newRef] = [`refs/heads/${from}`, `refs/heads/${to}`];
  const oid = repo.refs.resolve(oldRef);
  if (!isRefName(to)) git.die(`'${to}' is not a valid branch name`);
  if (oid === undefined) {
    if (repo.headRef !== oldRef || repo.head !== undefined) git.die(`no branch named '${from}'`);
    repo.refs.point('HEAD', newRef);
    return 0;
  }
  if (from !== to && repo.refs.resolve(newRef) !== undefined && !force)
    git.die(`a branch named '${to}' already exists`);
  if (from === to) return 0;
  const note = git.logNote(`Branch: renamed ${oldRef} to ${newRef}`);
  const isHead = repo.headRef === oldRef;
  const log = repo.refs.log(oldRef);
  const hadLog = repo.refs.hasLog(oldRef);
  repo.refs.remove(oldRef);
  if (repo.refs.resolve(newRef) !== undefined) repo.refs.remove(newRef);
  repo.refs.update(newRef, oid, undefined);
  if (hadLog) repo.refs.writeLog(newRef, log);
  repo.refs.note(newRef, { from: oid, to: oid, ...note });
  if (isHead) {
    repo.refs.point('HEAD', newRef);
    repo.refs.note('HEAD', { from: oid, to: '0'.repeat(40), ...note });
    repo.refs.note('HEAD', { from: '0'.repeat(40), to: oid, ...note });
  }
  const config = `${repo.gitDir}/config`;
  const changed = changeSection(git.files.textIfThere(config) ?? '', `branch.${from}`, `branch.${to}`);
  if (changed !== undefined) git.files.write(config, changed);
  git.reloadSettings();
  return 0;
}

function copyBranch(git: Git, line: Parsed): number {
  const { repo } = git;
  const [first, second] = line.operands;
  const from = second === undefined ? (repo.branch ?? '') : (first ?? '');
  const to = second ?? first ?? '';
  const oid = repo.refs.resolve(`refs/heads/${from}`);
  if (oid === undefined) git.die(`no branch named '${from}'`);
  if (repo.refs.resolve(`refs/heads/${to}`) !== undefined && !line.has('C'))
    git.die(`a branch named '${to}' already exists`);
  repo.refs.update(
    `refs/heads/${to}`,
    oid,
    git.logNote(`Branch: copied refs/heads/${from} to refs/heads/${to}`),
  );
  return 0;
}

function listBranches(git: Git, line: Parsed): number {
  const { repo } = git;
  const kinds = line.has('all')
    ? ['refs/heads/', 'refs/remotes/']
    : line.has('remotes')
      ? ['refs/remotes/']
      : ['refs/heads/'];
  const said = (name: string): { value: string | undefined } | undefined =>
    line.hits.filter((hit) => hit.name === name).pop();
  const commitOf = (name: string): string | undefined => {
    const hit = said(name);
    return hit === undefined
      ? undefined
      : needCommit(git, hit.value ?? 'HEAD', `malformed object name ${hit.value ?? 'HEAD'}`);
  };
  const [contains, without, merged, unmerged, points] = [
    'contains',
    'no-contains',
    'merged',
    'no-merged',
    'points-at',
  ].map(commitOf);
  const accepts = (oid: string): boolean =>
    (contains === undefined || isAncestor(repo, contains, oid)) &&
    (without === undefined || !isAncestor(repo, without, oid)) &&
    (merged === undefined || isAncestor(repo, oid, merged)) &&
    (unmerged === undefined || !isAncestor(repo, oid, unmerged)) &&
    (points === undefined || oid === points);
  let rows: { shown: string; oid: string; mark: string; ref: string; target?: string | undefined }[] = [];
  const rebase = stateOfWork(repo).rebase;
  if (
    repo.branch === undefined &&
    repo.head !== undefined &&
    kinds.includes('refs/heads/') &&
    accepts(repo.head) &&
    line.operands.length === 0
  ) {
    const { word, name } = detachedName(repo);
    const shown =
      rebase === undefined
        ? `(HEAD detached ${word} ${name})`
        : rebase.branch === undefined
          ? `(no branch, rebasing detached HEAD ${repo.objects.abbreviate(rebase.origHead)})`
          : `(no branch, rebasing ${rebase.branch})`;
    rows.push({ shown, oid: repo.head, mark: '*', ref: 'HEAD' });
  }
  for (const prefix of kinds)
    for (const { name, oid } of repo.refs.list(prefix)) {
      const plain = name.slice(prefix.length);
      if (line.operands.length > 0 && !line.operands.some((pattern) => matchGlob(pattern, plain))) continue;
      if (!accepts(oid)) continue;
      const shown = prefix === 'refs/remotes/' && line.has('all') ? `remotes/${plain}` : plain;
      const target =
        prefix === 'refs/remotes/' ? repo.refs.symbolic(name)?.replace(/^refs\/remotes\//, '') : undefined;
      rows.push({ shown, oid, mark: name === repo.headRef ? '*' : ' ', ref: name, target });
    }
  rows = sortRows(git, rows, line.value('sort') ?? git.config('branch.sort'));
  const format = line.value('format');
  if (format !== undefined) {
    for (const row of rows)
      git.out(`${refFormat(git, format, { name: row.ref, oid: row.oid, shown: row.shown })}\n`);
    return 0;
  }
  const width = Math.max(0, ...rows.map((row) => row.shown.length));
  const verbosity = line.hits.filter((hit) => hit.name === 'verbose').length;
  for (const row of rows) {
    if (verbosity === 0)
      git.out(`${row.mark} ${row.shown}${row.target === undefined ? '' : ` -> ${row.target}`}\n`);
    else if (row.target !== undefined) git.out(`${row.mark} ${row.shown.padEnd(width)} -> ${row.target}\n`);
    else
      git.out(
        `${row.mark} ${row.shown.padEnd(width)} ${repo.objects.abbreviate(row.oid)} ${trackingMark(git, row, verbosity)}${subjectOf(repo.objects.commit(row.oid).message)}\n`,
      );
  }
  return 0;
}

function trackingMark(
  git: Git,
  row: { readonly ref: string; readonly oid: string },
  verbosity: number,
): string {
  const name = row.ref.replace(/^refs\/heads\//, '');
  const upstream = row.ref.startsWith('refs/heads/') ? upstreamOf(git, name) : undefined;
  if (upstream === undefined) return '';
  const other = git.repo.refs.resolve(upstream.ref);
  const parts: string[] = [];
  if (other === undefined) parts.push('gone');
  else {
    const { ahead, behind } = aheadBehind(git.repo, row.oid, other);
    if (ahead > 0) parts.push(`ahead ${ahead}`);
    if (behind > 0) parts.push(`behind ${behind}`);
  }
  if (verbosity > 1) return `[${upstream.short}${parts.length === 0 ? '' : `: ${parts.join(', ')}`}] `;
  return parts.length === 0 ? '' : `[${parts.join(', ')}] `;
}
