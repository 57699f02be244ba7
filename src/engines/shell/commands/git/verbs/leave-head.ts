/**
 * What is told when HEAD moves: changes that go along, advice about a detached HEAD, commits left behind.
 */
import { compareStates } from '../diff/pairs.js';
import type { Git } from '../git.js';
import { isAncestor } from '../merge/ancestry.js';
import { subjectOf } from '../store/objects.js';
import { diskFile, indexState, treeState } from '../work/states.js';

/** The advice of a checkout that leaves all branches. */
export function detachedAdvice(name: string): string {
  return `Note: switching to '${name}'.

You are in 'detached HEAD' state. You can look around, make experimental
changes and commit them, and you can discard any commits you make in this
state without impacting any branches by switching back to a branch.

If you want to create a new branch to retain commits you create, you may
do so (now or later) by using -c with the switch command. Example:

  git switch -c <new-branch-name>

Or undo this operation with:

  git switch -

Turn off this advice by setting config variable advice.detachedHead to false

`;
}

/** Leaving a HEAD without a branch: where it was, or what would be lost. */
export function leaveDetached(
  git: Git,
  { from, to, quiet }: { readonly from: string | undefined; readonly to: string; readonly quiet: boolean },
): void {
  const { repo } = git;
  if (quiet || repo.branch !== undefined || from === undefined || from === to) return;
  const short = repo.objects.abbreviate(from);
  const line = (oid: string): string =>
    `${repo.objects.abbreviate(oid)} ${subjectOf(repo.objects.commit(oid).message)}`;
  const tips = [...repo.refs.list().map(({ oid }) => repo.objects.peel(oid)), to];
  const lost: string[] = [];
  for (
    let at: string | undefined = from;
    at !== undefined && !tips.some((tip) => isAncestor(repo, at as string, tip));
    at = repo.objects.commit(at).parents[0]
  )
    lost.push(at);
  if (lost.length === 0) {
    git.err(`Previous HEAD position was ${line(from)}\n`);
    return;
  }
  const shown = lost
    .slice(0, 4)
    .map((oid) => `  ${line(oid)}\n`)
    .join('');
  const more = lost.length > 4 ? ` ... and ${lost.length - 4} more.\n` : '';
  git.err(
    `Warning: you are leaving ${lost.length} commit${lost.length === 1 ? '' : 's'} behind, not connected to\nany of your branches:\n\n${shown}${more}\n`,
  );
  git.err(
    `If you want to keep ${lost.length === 1 ? 'it' : 'them'} by creating a new branch, this may be a good time\nto do so with:\n\n git branch <new-branch-name> ${short}\n\n`,
  );
}

/** The changes that go along when HEAD moves. */
export function tellKept(git: Git, at = git.repo.head): void {
  const { repo } = git;
  const head = treeState(repo, at);
  const disk = new Map(
    repo.index.paths().flatMap((path) => {
      const file = diskFile(repo, path, repo.index.get(path));
      return file === undefined ? [] : [[path, file] as const];
    }),
  );
  const index = indexState(repo);
  for (const [path] of head) if (!index.has(path)) disk.delete(path);
  for (const pair of compareStates(head, disk, false)) git.out(`${pair.status}\t${pair.path}\n`);
}
