/**
 * The order of branches and tags in a listing.
 */
import type { Git } from '../git.js';
import { compareBytes } from '../store/files.js';

/** Rows by a key of `--sort`; as they are without one. */
export function sortRows<T extends { readonly oid: string; readonly ref: string }>(
  git: Git,
  rows: readonly T[],
  key: string | undefined,
): T[] {
  if (key === undefined) return [...rows];
  const isReversed = key.startsWith('-');
  const name = key.replace(/^-/, '');
  const dateOf = (row: T): number => {
    const commit = git.repo.objects.commit(git.repo.objects.peel(row.oid));
    return name.startsWith('author') ? commit.author.when : commit.committer.when;
  };
  const order = (one: T, other: T): number => {
    if (/date$/.test(name)) return dateOf(one) - dateOf(other);
    if (/^(v:|version:)/.test(name)) return compareVersions(one.ref, other.ref);
    return compareBytes(one.ref, other.ref);
  };
  return [...rows].sort(
    (one, other) => (isReversed ? -1 : 1) * order(one, other) || compareBytes(one.ref, other.ref),
  );
}

function compareVersions(one: string, other: string): number {
  const [a, b] = [one.split(/(\d+)/), other.split(/(\d+)/)];
  for (let at = 0; at < Math.max(a.length, b.length); at++) {
    const [x = '', y = ''] = [a[at], b[at]];
    if (x === y) continue;
    return at % 2 === 1 ? Number(x) - Number(y) : compareBytes(x, y);
  }
  return 0;
}
