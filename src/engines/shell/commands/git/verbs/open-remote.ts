/**
 * Other repositories of the world by their address, and what goes between two. Addresses with a host are refused in
 * the words of a machine without a network.
 */
import type { Git } from '../git.js';
import { parseTag } from '../store/objects.js';
import { gitDirAt, isGitDir, Repository } from '../store/repository.js';

/** The repository that an address means. Ends the command where there is none or it is not of this machine. */
export function openRemote(git: Git, address: string, shown = address): Repository {
  const host = /^(?:[a-z+]+:\/\/(?:[^/@]*@)?([^/:]+)|(?:[^/@:]+@)?([^/:]+):(?!\/\/))/.exec(
    address.startsWith('file://') ? '' : address,
  );
  if (host !== null && !address.startsWith('/') && !address.startsWith('.')) {
    const name = host[1] ?? host[2] ?? '';
    if (/^https?:/.test(address))
      git.die(`unable to access '${address.replace(/\/?$/, '/')}': Could not resolve host: ${name}`);
    git.err(
      `ssh: Could not resolve hostname ${name}: Temporary failure in name resolution\nfatal: Could not read from remote repository.\n\nPlease make sure you have the correct access rights\nand the repository exists.\n`,
    );
    git.exit(128);
  }
  const path = git.absolute(address.replace(/^file:\/\//, ''));
  const base = path.replace(/\/$/, '');
  const gitDir =
    gitDirAt(git.files, base) ??
    (isGitDir(git.files, base) ? base : isGitDir(git.files, `${base}.git`) ? `${base}.git` : undefined);
  if (gitDir === undefined) {
    git.err(
      `fatal: '${shown}' does not appear to be a git repository\nfatal: Could not read from remote repository.\n\nPlease make sure you have the correct access rights\nand the repository exists.\n`,
    );
    git.exit(128);
  }
  const isBare = /^\s*bare\s*=\s*true\s*$/m.test(git.files.textIfThere(`${gitDir}/config`) ?? '');
  return new Repository(
    git.files,
    { gitDir, workTree: isBare ? null : gitDir.replace(/\/\.git$/, '') },
    (bare) => !bare,
  );
}

/** Copies what the objects lead to from one repository to another. */
export function copyObjects(from: Repository, to: Repository, oids: readonly string[]): number {
  const waiting = [...oids];
  const seen = new Set<string>();
  let count = 0;
  for (let oid = waiting.pop(); oid !== undefined; oid = waiting.pop()) {
    if (seen.has(oid)) continue;
    seen.add(oid);
    const object = from.objects.find(oid);
    if (object === undefined) continue;
    const known = to.objects.has(oid);
    if (!known) {
      to.objects.write(object.type, object.bytes);
      count++;
    } else if (object.type !== 'commit') continue;
    if (object.type === 'commit') {
      const commit = from.objects.commit(oid);
      if (known) continue;
      waiting.push(commit.tree, ...commit.parents);
    } else if (object.type === 'tree')
      waiting.push(
        ...from.objects
          .tree(oid)
          .filter((entry) => entry.mode !== '160000')
          .map((entry) => entry.oid),
      );
    else if (object.type === 'tag') waiting.push(parseTag(object.bytes).object);
  }
  return count;
}

/** The names of the remotes in the settings, in order. */
export function remoteNames(git: Git): string[] {
  git.repo;
  const found = new Set<string>();
  for (const { key } of git.allSettings()) {
    const match = /^remote\.(.+)\.[^.]+$/.exec(key);
    if (match !== null) found.add(match[1] ?? '');
  }
  return [...found].sort();
}
