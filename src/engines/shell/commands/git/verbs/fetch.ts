/**
 * `fetch` and `pull`: bringing what a remote has.
 */

import { Exit, type Running } from '../../../kernel/index.js';
import type { Git } from '../git.js';
import { ancestors, isAncestor } from '../merge/ancestry.js';
import type { Repository } from '../store/repository.js';
import { upstreamOf } from '../store/revisions.js';
import { type Parsed, parseOptions } from '../work/options.js';
import { intoText, mergeCommit } from './merge.js';
import { copyObjects, openRemote, remoteNames } from './open-remote.js';
import { rebase } from './rebase.js';

const FETCH_OPTIONS =
  'v|verbose q|quiet all set-upstream a|append atomic upload-pack= f|force m|multiple t|tags n|no-tags j|jobs= prefetch p|prune P|prune-tags recurse-submodules=? dry-run write-fetch-head k|keep u|update-head-ok progress depth= unshallow refmap= 4 6 filter=';

/** `git fetch`. Returns the exit status. */
export function fetch(git: Git, args: readonly string[]): number {
  const line = parseOptions(git, args, FETCH_OPTIONS);
  if (line.has('all')) {
    let status = 0;
    for (const name of remoteNames(git)) {
      if (!line.has('quiet')) git.out(`Fetching ${name}\n`);
      status = Math.max(status, fetchFrom(git, name, line, []));
    }
    return status;
  }
  const branch = git.repo.branch;
  const [name, ...specs] = line.operands;
  const remoteName =
    name ?? (branch === undefined ? undefined : git.config(`branch.${branch}.remote`)) ?? 'origin';
  if (name === undefined && git.config(`remote.${remoteName}.url`) === undefined) return 0;
  return fetchFrom(git, remoteName, line, specs);
}

interface FetchRow {
  readonly flag: string;
  readonly summary: string;
  readonly from: string;
  readonly to: string;
  readonly note?: string;
}

/** Brings what a remote has. */
export function fetchFrom(git: Git, name: string, line: Parsed, specs: readonly string[]): number {
  const { repo } = git;
  const url = git.config(`remote.${name}.url`) ?? name;
  const source = openRemote(git, url, name);
  const rows: FetchRow[] = [];
  const short = (oid: string): string => repo.objects.abbreviate(oid);
  const hasRemote = git.config(`remote.${name}.url`) !== undefined;
  const fetchHead: string[] = [];
  const wanted = specs.length > 0 ? specs.map((spec) => parseSpec(spec)) : undefined;
  const heads = [...source.refs.list('refs/heads/')];
  const merged = repo.branch === undefined ? undefined : git.config(`branch.${repo.branch}.merge`);
  // The branch that is followed comes first.
  heads.sort((one, other) => Number(other.name === merged) - Number(one.name === merged));
  const known = repo.refs.list().map(({ oid }) => oid);
  if (wanted !== undefined)
    for (const { from } of wanted) {
      if (
        from !== 'HEAD' &&
        source.refs.resolve(`refs/heads/${from}`) === undefined &&
        source.refs.resolve(`refs/tags/${from}`) === undefined &&
        source.refs.resolve(from) === undefined
      )
        git.die(`couldn't find remote ref ${from}`);
    }
  const chosen =
    wanted === undefined
      ? heads.map((ref) => ({ full: ref.name, oid: ref.oid, to: undefined as string | undefined }))
      : wanted.map(({ from, to }) => {
          const full =
            [`refs/heads/${from}`, `refs/tags/${from}`, from].find(
              (one) => source.refs.resolve(one) !== undefined,
            ) ?? from;
          return { full, oid: source.refs.resolve(full) ?? '', to };
        });
  copyObjects(
    source,
    repo,
    chosen.map(({ oid }) => oid),
  );
  for (const { full, oid, to } of chosen) {
    const plain = full.replace(/^refs\/(heads|tags)\//, '');
    const isForMerge = wanted !== undefined || full === merged;
    fetchHead[isForMerge ? 'unshift' : 'push'](
      `${oid}\t${isForMerge ? '' : 'not-for-merge'}\t${full.startsWith('refs/tags/') ? 'tag' : 'branch'} '${plain}' of ${url}\n`,
    );
    if (wanted !== undefined && to === undefined)
      rows.push({
        flag: '*',
        summary: full.startsWith('refs/tags/') ? 'tag' : 'branch',
        from: plain,
        to: 'FETCH_HEAD',
      });
    const target =
      to === undefined
        ? hasRemote && full.startsWith('refs/heads/')
          ? `refs/remotes/${name}/${plain}`
          : undefined
        : to.startsWith('refs/')
          ? to
          : `refs/heads/${to}`;
    if (target === undefined) continue;
    const before = repo.refs.resolve(target);
    const shown = target.replace(/^refs\/(heads|remotes|tags)\//, '');
    if (before === oid) {
      if (line.has('verbose')) rows.push({ flag: '=', summary: '[up to date]', from: plain, to: shown });
      continue;
    }
    const isForward = before === undefined || isAncestor(repo, before, oid);
    repo.refs.update(
      target,
      oid,
      git.logNote(
        `fetch${name === 'origin' && specs.length === 0 ? '' : ` ${[name, ...specs].join(' ')}`}: ${before === undefined ? 'storing head' : isForward ? 'fast-forward' : 'forced-update'}`,
      ),
    );
    if (before === undefined) rows.push({ flag: '*', summary: '[new branch]', from: plain, to: shown });
    else if (isForward)
      rows.push({ flag: ' ', summary: `${short(before)}..${short(oid)}`, from: plain, to: shown });
    else
      rows.push({
        flag: '+',
        summary: `${short(before)}...${short(oid)}`,
        from: plain,
        to: shown,
        note: '(forced update)',
      });
  }
  fetchTags(git, source, line, { rows, known: [...known, ...chosen.map(({ oid }) => oid)] });
  if (line.has('prune')) pruneRefs(git, name, new Set(heads.map((ref) => ref.name.slice(11))), rows);
  repo.writeNote('FETCH_HEAD', fetchHead.join(''));
  if (!line.has('quiet') && rows.length > 0) tellFetch(git, hasRemote ? url : name, rows);
  return 0;
}

function parseSpec(spec: string): { readonly from: string; readonly to: string | undefined } {
  const [from = '', to] = spec.replace(/^\+/, '').split(':');
  return { from: from.replace(/^refs\/heads\//, ''), to: to === '' ? undefined : to };
}

function fetchTags(
  git: Git,
  source: Repository,
  line: Parsed,
  { rows, known }: { readonly rows: FetchRow[]; readonly known: readonly string[] },
): void {
  const { repo } = git;
  if (line.hits.some((hit) => hit.name === 'no-tags')) return;
  const reachable = ancestors(
    repo,
    known.map((oid) => repo.objects.peel(oid)),
  );
  for (const { name, oid } of source.refs.list('refs/tags/')) {
    if (repo.refs.resolve(name) !== undefined) continue;
    if (!line.has('tags') && !reachable.has(source.objects.peel(oid))) continue;
    copyObjects(source, repo, [oid]);
    repo.refs.update(name, oid, undefined);
    rows.push({ flag: '*', summary: '[new tag]', from: name.slice(10), to: name.slice(10) });
  }
}

function pruneRefs(git: Git, name: string, there: ReadonlySet<string>, rows: FetchRow[]): void {
  for (const { name: ref } of git.repo.refs.list(`refs/remotes/${name}/`)) {
    const plain = ref.slice(`refs/remotes/${name}/`.length);
    if (plain === 'HEAD' || there.has(plain)) continue;
    git.repo.refs.remove(ref);
    rows.unshift({ flag: '-', summary: '[deleted]', from: '(none)', to: `${name}/${plain}` });
  }
}

function tellFetch(git: Git, url: string, rows: readonly FetchRow[]): void {
  const width = Math.max(10, ...rows.map((row) => row.from.length));
  const summary = 2 * 7 + 3;
  git.err(`From ${url.replace(/\/+$/, '').replace(/(?<=[^/])\.git$/, '')}\n`);
  for (const row of rows)
    git.err(
      ` ${row.flag} ${row.summary.padEnd(summary)} ${row.from.padEnd(width)} -> ${row.to}${row.note === undefined ? '' : `  ${row.note}`}\n`,
    );
}

/** `git pull`. Returns the exit status. */
export function* pull(git: Git, args: readonly string[]): Running<number> {
  const { work: repo } = git;
  const line = parseOptions(
    git,
    args,
    `${FETCH_OPTIONS} r|rebase=? stat no-stat squash commit no-commit e|edit ff ff-only no-ff s|strategy= X|strategy-option= autostash allow-unrelated-histories log=? signoff verify no-verify message=`,
  );
  const [remoteName, ...specs] = line.operands;
  const branch = repo.branch;
  if (repo.index.conflicts().size > 0) {
    git.error('Pulling is not possible because you have unmerged files.');
    git.hint(
      "Fix them up in the work tree, and then use 'git add/rm <file>'\nas appropriate to mark resolution and make a commit.",
    );
    git.die('Exiting because of an unresolved conflict.');
  }
  const upstream = branch === undefined ? undefined : upstreamOf(git, branch);
  const name =
    remoteName ?? (branch === undefined ? undefined : git.config(`branch.${branch}.remote`)) ?? 'origin';
  if (specs.length === 0 && git.config(`remote.${name}.url`) === undefined && remoteName === undefined)
    noUpstream(git, branch, name);
  try {
    fetchFrom(git, name, line, specs);
  } catch (error) {
    if (error instanceof Exit) return 1;
    throw error;
  }
  if (
    specs.length === 0 &&
    (upstream === undefined ||
      (remoteName !== undefined && git.config(`branch.${branch}.remote`) !== remoteName))
  )
    noUpstream(git, branch, name);
  const theirs = (repo.note('FETCH_HEAD') ?? '')
    .split('\n')
    .find((one) => one.length > 40 && !one.includes('\tnot-for-merge\t'))
    ?.slice(0, 40);
  if (theirs === undefined) {
    git.err(
      `Your configuration specifies to merge with the ref '${git.config(`branch.${branch}.merge`)}'\nfrom the remote, but no such ref was fetched.\n`,
    );
    return 1;
  }
  const head = repo.head;
  const rebaseHit = line.hits.filter((hit) => hit.name === 'rebase' || hit.name === 'no-rebase').pop();
  const setting = git.config(`branch.${branch}.rebase`) ?? git.config('pull.rebase');
  const rebases =
    rebaseHit === undefined
      ? setting !== undefined && setting !== 'false'
      : rebaseHit.name === 'rebase' && rebaseHit.value !== 'false';
  const ffSetting = git.config('pull.ff');
  const ffHit =
    line.hits.filter((hit) => ['ff', 'no-ff', 'ff-only'].includes(hit.name)).pop()?.name ??
    (ffSetting === 'only' ? 'ff-only' : undefined);
  const diverged = head !== undefined && !isAncestor(repo, theirs, head) && !isAncestor(repo, head, theirs);
  if (
    diverged &&
    rebaseHit === undefined &&
    setting === undefined &&
    ffHit === undefined &&
    ffSetting === undefined
  ) {
    git.hint(
      'You have divergent branches and need to specify how to reconcile them.\nYou can do so by running one of the following commands sometime before\nyour next pull:\n\n  git config pull.rebase false  # merge\n  git config pull.rebase true   # rebase\n  git config pull.ff only       # fast-forward only\n\nYou can replace "git config" with "git config --global" to set a default\npreference for all repositories. You can also pass --rebase, --no-rebase,\nor --ff-only on the command line to override the configured default per\ninvocation.',
    );
    git.die('Need to specify how to reconcile divergent branches.');
  }
  if (diverged && ffHit === 'ff-only' && !rebases) {
    git.hint(
      'Diverging branches can\'t be fast-forwarded, you need to either:\n\n\tgit merge --no-ff\n\nor:\n\n\tgit rebase\n\nDisable this message with "git config advice.diverging false"',
    );
    git.die('Not possible to fast-forward, aborting.');
  }
  if (rebases && diverged) {
    git.verb = 'rebase';
    return yield* rebase(git, [theirs]);
  }
  const url = git.config(`remote.${name}.url`) ?? name;
  const source =
    specs[0]?.split(':')[0] ?? (git.config(`branch.${branch}.merge`) ?? '').replace(/^refs\/heads\//, '');
  const message = `Merge branch '${source}' of ${url}${intoText(branch)}\n`;
  git.verb = 'merge';
  return yield* mergeCommit(git, {
    theirs,
    name: theirs,
    line,
    reflog: `pull${args.length === 0 ? '' : ` ${args.join(' ')}`}`,
    message,
  });
}

function noUpstream(git: Git, branch: string | undefined, name: string): never {
  if (branch === undefined)
    git.err(
      'You are not currently on a branch.\nPlease specify which branch you want to merge with.\nSee git-pull(1) for details.\n\n    git pull <remote> <branch>\n\n',
    );
  else
    git.err(
      `There is no tracking information for the current branch.\nPlease specify which branch you want to merge with.\nSee git-pull(1) for details.\n\n    git pull <remote> <branch>\n\nIf you wish to set tracking information for this branch you can do so with:\n\n    git branch --set-upstream-to=${git.config(`remote.${name}.url`) === undefined ? '<remote>' : name}/<branch> ${branch}\n\n`,
    );
  git.exit(1);
}
