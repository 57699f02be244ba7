/**
 * Which commits a log shows, in which order.
 *
 * Source: git-rev-list(1), "Commit Limiting", "History Simplification", "Commit Ordering". Paths simplify as by default:
 * a merge follows the parent it equals. Not covered: `--full-history`, `--ancestry-path`, bisection.
 */
import type { Commit } from '../store/objects.js';
import type { Repository } from '../store/repository.js';

/** What a walk wants. */
export interface WalkOptions {
  readonly include: readonly string[];
  readonly exclude: readonly string[];
  readonly order: 'date' | 'topo' | 'author-date';
  readonly firstParent?: boolean;
  /** True for a commit that differs from a parent in the paths that count; absent where all paths count. */
  readonly touches?: (tree: string, parentTree: string | undefined) => boolean;
  readonly since?: number | undefined;
  readonly until?: number | undefined;
  readonly accepts?: (oid: string, commit: Commit) => boolean;
  readonly simplifyMerges?: boolean;
}

/** One commit of a walk, with the parents it has among those that are shown. */
export interface Walked {
  readonly oid: string;
  readonly commit: Commit;
  readonly parents: readonly string[];
}

/** A queue by a number, the highest first; equal ones in order of arrival. */
class DateQueue {
  private readonly items: { oid: string; when: number; order: number }[] = [];
  private count = 0;

  get size(): number {
    return this.items.length;
  }

  push(oid: string, when: number): void {
    const item = { oid, when, order: this.count++ };
    let [low, high] = [0, this.items.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      const other = this.items[middle];
      if (other !== undefined && other.when >= when) low = middle + 1;
      else high = middle;
    }
    this.items.splice(low, 0, item);
  }

  shift(): string | undefined {
    return this.items.shift()?.oid;
  }
}

/** All commits of a walk. */
export function walkCommits(repo: Repository, options: WalkOptions): Walked[] {
  const { objects } = repo;
  const hidden = hiddenCommits(repo, options.exclude);
  const queue = new DateQueue();
  const seen = new Set<string>();
  const found: Walked[] = [];
  const kept = new Map<string, boolean>();
  const followed = new Map<string, readonly string[]>();
  const push = (oid: string): void => {
    if (seen.has(oid) || hidden.has(oid) || objects.find(oid)?.type !== 'commit') return;
    seen.add(oid);
    queue.push(oid, objects.commit(oid).committer.when);
  };
  for (const oid of options.include) push(oid);
  for (let oid = queue.shift(); oid !== undefined; oid = queue.shift()) {
    const commit = objects.commit(oid);
    const all = commit.parents.filter((parent) => objects.has(parent));
    const real = options.firstParent === true ? all.slice(0, 1) : all;
    const { parents, isKept } = simplify(repo, commit, real, options);
    followed.set(oid, parents);
    kept.set(oid, isKept);
    if (options.since !== undefined && commit.committer.when < options.since) {
      kept.set(oid, false);
      continue;
    }
    found.push({ oid, commit, parents });
    for (const parent of parents) push(parent);
  }
  const ordered = options.order === 'date' ? found : topological(found, options.order);
  const isShown = ({ oid, commit }: Walked): boolean =>
    kept.get(oid) === true &&
    (options.until === undefined || commit.committer.when <= options.until) &&
    (options.accepts === undefined || options.accepts(oid, commit));
  const shown = ordered.filter(isShown);
  if (options.touches === undefined) return shown;
  const names = new Set(shown.map(({ oid }) => oid));
  return shown.map((walked) => ({ ...walked, parents: nearestShown(walked.parents, names, followed) }));
}

function hiddenCommits(repo: Repository, exclude: readonly string[]): Set<string> {
  const hidden = new Set<string>();
  const waiting = [...exclude];
  for (let oid = waiting.pop(); oid !== undefined; oid = waiting.pop()) {
    if (hidden.has(oid) || repo.objects.find(oid)?.type !== 'commit') continue;
    hidden.add(oid);
    waiting.push(...repo.objects.commit(oid).parents);
  }
  return hidden;
}

function simplify(
  repo: Repository,
  commit: Commit,
  parents: readonly string[],
  { touches }: WalkOptions,
): { readonly parents: readonly string[]; readonly isKept: boolean } {
  if (touches === undefined) return { parents, isKept: true };
  if (parents.length === 0) return { parents, isKept: touches(commit.tree, undefined) };
  const same = parents.find((parent) => !touches(commit.tree, repo.objects.commit(parent).tree));
  return same === undefined ? { parents, isKept: true } : { parents: [same], isKept: false };
}

/** Parents in the picture: those shown, or the nearest shown ones behind them. */
function nearestShown(
  parents: readonly string[],
  shown: ReadonlySet<string>,
  followed: ReadonlyMap<string, readonly string[]>,
): string[] {
  const out: string[] = [];
  for (const parent of parents) {
    let at: string | undefined = parent;
    for (let depth = 0; at !== undefined && !shown.has(at) && depth < 100_000; depth++)
      at = followed.get(at)?.[0];
    if (at !== undefined && !out.includes(at)) out.push(at);
  }
  return out;
}

/** Children before parents; lines of history are not mixed. */
function topological(commits: readonly Walked[], order: 'topo' | 'author-date'): Walked[] {
  const byOid = new Map(commits.map((walked) => [walked.oid, walked]));
  const children = new Map<string, number>();
  for (const { parents } of commits)
    for (const parent of parents) children.set(parent, (children.get(parent) ?? 0) + 1);
  const out: Walked[] = [];
  if (order === 'author-date') {
    const queue = new DateQueue();
    for (const one of commits)
      if ((children.get(one.oid) ?? 0) === 0) queue.push(one.oid, one.commit.author.when);
    for (let oid = queue.shift(); oid !== undefined; oid = queue.shift()) {
      const walked = byOid.get(oid);
      if (walked === undefined) continue;
      out.push(walked);
      for (const parent of walked.parents) {
        const left = (children.get(parent) ?? 0) - 1;
        children.set(parent, left);
        const next = byOid.get(parent);
        if (left === 0 && next !== undefined) queue.push(parent, next.commit.author.when);
      }
    }
    return out;
  }
  const stack = commits.filter(({ oid }) => (children.get(oid) ?? 0) === 0).reverse();
  for (let walked = stack.pop(); walked !== undefined; walked = stack.pop()) {
    out.push(walked);
    for (const parent of walked.parents) {
      const left = (children.get(parent) ?? 0) - 1;
      children.set(parent, left);
      const next = byOid.get(parent);
      if (left === 0 && next !== undefined) stack.push(next);
    }
  }
  return out;
}
