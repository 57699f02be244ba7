/**
 * Who descends from whom: common ancestors, counts of commits on each side.
 */
import type { Repository } from '../store/repository.js';

/** A commit and everything before it. */
export function ancestors(repo: Repository, from: readonly string[]): Set<string> {
  const seen = new Set<string>();
  const waiting = [...from];
  for (let oid = waiting.pop(); oid !== undefined; oid = waiting.pop()) {
    if (seen.has(oid) || repo.objects.find(oid)?.type !== 'commit') continue;
    seen.add(oid);
    waiting.push(...repo.objects.commit(oid).parents);
  }
  return seen;
}

/** True where the first commit is the second or before it. */
export function isAncestor(repo: Repository, oid: string, of: string): boolean {
  return ancestors(repo, [of]).has(oid);
}

/** How many commits each side has that the other has not. */
export function aheadBehind(
  repo: Repository,
  own: string,
  other: string,
): { readonly ahead: number; readonly behind: number } {
  const [a, b] = [ancestors(repo, [own]), ancestors(repo, [other])];
  return {
    ahead: [...a].filter((oid) => !b.has(oid)).length,
    behind: [...b].filter((oid) => !a.has(oid)).length,
  };
}

/** The best common ancestors, youngest first. */
export function mergeBases(repo: Repository, one: string, other: string): string[] {
  const [a, b] = [ancestors(repo, [one]), ancestors(repo, [other])];
  const common = [...a].filter((oid) => b.has(oid));
  const below = new Set<string>();
  for (const oid of common) {
    for (const older of ancestors(repo, repo.objects.commit(oid).parents)) below.add(older);
  }
  return common
    .filter((oid) => !below.has(oid))
    .sort((x, y) => repo.objects.commit(y).committer.when - repo.objects.commit(x).committer.when);
}
