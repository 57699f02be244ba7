/**
 * `clone`.
 */

import type { Git } from '../git.js';
import { gitDirAt, isGitDir, type Repository } from '../store/repository.js';
import { moveTo } from '../work/checkout.js';
import { type Parsed, parseOptions, usageError } from '../work/options.js';
import { treeState } from '../work/states.js';
import { setConfig } from './config.js';
import { copyObjects, openRemote } from './open-remote.js';
import { layRepository, openAt } from './start.js';

/** `git clone`. Returns the exit status. */
export function clone(git: Git, args: readonly string[]): number {
  const line = parseOptions(
    git,
    args,
    'v|verbose q|quiet progress n|no-checkout bare mirror l|local no-hardlinks s|shared recurse-submodules=? j|jobs= template= reference= o|origin= b|branch= u|upload-pack= depth= shallow-since= single-branch no-tags filter= c|config= 4 6 sparse dissociate separate-git-dir=',
  );
  const [address, given] = line.operands;
  if (address === undefined) {
    git.err('fatal: You must specify a repository to clone.\n\n');
    usageError(git);
  }
  if (line.operands.length > 2) {
    git.err('fatal: Too many arguments.\n\n');
    usageError(git);
  }
  const isBare = line.has('bare') || line.has('mirror');
  const base = address.replace(/\/+$/, '').replace(/\/?\.git$/, '');
  const name =
    given ??
    `${base.slice(Math.max(base.lastIndexOf('/'), base.lastIndexOf(':')) + 1)}${isBare ? '.git' : ''}`;
  const target = git.absolute(name);
  const local = !/^[a-z+]+:\/\/|^[^/]+@[^/]+:/.test(address);
  if (
    local &&
    gitDirAt(git.files, git.absolute(address)) === undefined &&
    !isGitDir(git.files, git.absolute(address)) &&
    !isGitDir(git.files, `${git.absolute(address)}.git`)
  )
    git.die(`repository '${address}' does not exist`);
  if (
    git.files.look(target) !== undefined &&
    (!git.files.isFolder(target) || git.files.list(target).length > 0)
  )
    git.die(`destination path '${name}' already exists and is not an empty directory.`);
  if (!line.has('quiet')) git.err(`Cloning into ${isBare ? 'bare repository ' : ''}'${name}'...\n`);
  const source = openRemote(git, address);
  const origin = line.value('origin') ?? git.config('clone.defaultremotename') ?? 'origin';
  const branch = line.value('branch') ?? source.branch ?? git.config('init.defaultbranch') ?? 'master';
  const gitDir = isBare ? target : `${target}/.git`;
  layRepository(git, gitDir, { isBare, branch: source.branch ?? branch });
  const url = local
    ? (address.startsWith('/') ? address : `${git.cwd}/${address}`).replace(/\/$/, '')
    : address;
  const repo = openAt(git, gitDir, isBare ? null : target);
  git.use(repo);
  setConfig(git, `remote.${origin}.url`, url);
  if (!isBare)
    setConfig(
      git,
      `remote.${origin}.fetch`,
      line.has('single-branch')
        ? `+refs/heads/${branch}:refs/remotes/${origin}/${branch}`
        : `+refs/heads/*:refs/remotes/${origin}/*`,
    );
  for (const setting of line.values('config'))
    setConfig(git, setting.split('=')[0] ?? '', setting.split('=').slice(1).join('='));
  const heads = source.refs.list('refs/heads/');
  const tags = line.hits.some((hit) => hit.name === 'no-tags') ? [] : source.refs.list('refs/tags/');
  if (source.head === undefined && heads.length === 0) {
    git.warning('You appear to have cloned an empty repository.');
    if (!isBare) {
      setConfig(git, `branch.${branch}.remote`, origin);
      setConfig(git, `branch.${branch}.merge`, `refs/heads/${branch}`);
    }
    if (!line.has('quiet')) git.err('done.\n'.repeat(local ? 1 : 0));
    return 0;
  }
  copyObjects(source, repo, [...heads, ...tags].map(({ oid }) => oid).concat(source.head ?? []));
  for (const { name: ref, oid } of heads)
    if (!line.has('single-branch') || ref === `refs/heads/${branch}`)
      repo.refs.update(
        isBare ? ref : `refs/remotes/${origin}/${ref.slice(11)}`,
        oid,
        isBare ? undefined : git.logNote(`clone: from ${url}`),
      );
  for (const { name: ref, oid } of tags) repo.refs.update(ref, oid, undefined);
  if (isBare) {
    if (!line.has('quiet')) git.err('done.\n');
    return 0;
  }
  return checkOutClone(git, line, { source, target, origin, branch, url });
}

/** The work tree of a new clone. */
function checkOutClone(
  git: Git,
  line: Parsed,
  {
    source,
    target,
    origin,
    branch,
    url,
  }: {
    readonly source: Repository;
    readonly target: string;
    readonly origin: string;
    readonly branch: string;
    readonly url: string;
  },
): number {
  const { repo } = git;
  const wanted = line.value('branch');
  const start =
    source.refs.resolve(`refs/heads/${branch}`) ??
    (wanted === undefined ? undefined : source.refs.resolve(`refs/tags/${wanted}`));
  if (wanted !== undefined && start === undefined) {
    git.warning(`Could not find remote branch ${wanted} to clone.`);
    git.files.removeTree(target);
    git.die(`Remote branch ${wanted} not found in upstream ${origin}`);
  }
  if (source.branch !== undefined && source.refs.resolve(`refs/heads/${source.branch}`) !== undefined)
    repo.refs.point(`refs/remotes/${origin}/HEAD`, `refs/remotes/${origin}/${source.branch}`);
  if (start === undefined) {
    git.warning('remote HEAD refers to nonexistent ref, unable to checkout.\n');
    return 0;
  }
  if (source.refs.resolve(`refs/heads/${branch}`) !== undefined) {
    repo.refs.point('HEAD', `refs/heads/${branch}`);
    repo.refs.update('HEAD', start, git.logNote(`clone: from ${url}`));
    setConfig(git, `branch.${branch}.remote`, origin);
    setConfig(git, `branch.${branch}.merge`, `refs/heads/${branch}`);
  } else {
    repo.refs.detach(repo.objects.peel(start));
  }
  if (!line.has('no-checkout')) {
    moveTo(repo, new Map(), treeState(repo, start));
    repo.saveIndex();
  }
  if (!line.has('quiet')) git.err('done.\n');
  return 0;
}
