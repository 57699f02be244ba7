/**
 * From seed worlds to as many checked children as wanted.
 *
 * Candidates are numbered for each seed world and taken in one fixed order, a round over the seed worlds for each
 * number; workers run ahead of it, but what is kept, what is a duplicate and when it is enough is decided in that
 * order alone. So a seed gives the same bytes with any number of workers, and after a stop.
 * Memory: the fingerprints of what was kept and the candidates under way.
 */
import type { JsonObject } from '../../core/index.js';
import { UsageError } from '../../core/index.js';
import type { World } from '../../worlds/index.js';
import { type CandidatePool, createRunners, openLocalPool, openWorkerPool } from './candidate-pool.js';
import { candidateKey, ExpandFolder } from './expand-folder.js';
import { ExpandTally } from './expand-tally.js';
import type { CandidateOptions, CandidateResult } from './run-candidate.js';

/** Version of how children are made; a change here means other bytes for the same seed. */
const EXPAND_VERSION = 1;
/** Candidates of one seed world that may be rejected in a row until it counts as used up. */
const PATIENCE = 100;
/** Every so many candidates of a seed world the random policy plays too. */
const RANDOM_EVERY = 100;

/** How to expand. */
export interface ExpandOptions {
  /** Children wanted, of all seed worlds together. */
  readonly count: number;
  /** Controls everything. Default: 0. */
  readonly seed?: number;
  /** The folder to write. */
  readonly out: string;
  /** Only these levels of difficulty, where a world has levels. */
  readonly difficulty?: readonly string[];
  /** Worker threads; 0 works in this one. Default: 0. */
  readonly workers?: number;
  /** The compiled worker; needed where `workers` is above 0. */
  readonly workerUrl?: URL;
  /** Called after every candidate. */
  readonly onProgress?: (progress: { readonly kept: number; readonly tried: number }) => void;
}

/** What came of it; also in `summary.json`. */
export interface ExpandSummary extends JsonObject {
  readonly wanted: number;
  readonly kept: number;
  readonly tried: number;
  readonly duplicates: number;
}

/**
 * Expands seed worlds into a folder. Goes on where an earlier run with the same settings stopped. Raises
 * `usage/bad-argument` for worlds that cannot be expanded, two of one name, or a folder that holds something else.
 */
export async function expandWorlds(worlds: readonly World[], options: ExpandOptions): Promise<ExpandSummary> {
  const { count, seed = 0, workers = 0, difficulty } = options;
  checkNames(worlds);
  const how: CandidateOptions = {
    seed,
    ...(difficulty !== undefined && { difficulty }),
    randomEvery: RANDOM_EVERY,
  };
  const runners = await createRunners(worlds, how);
  const folder = new ExpandFolder(options.out, {
    expand: EXPAND_VERSION,
    seed,
    count,
    difficulty: difficulty ?? null,
    worlds: worlds.map(({ name, hash }) => ({ name, hash })),
  });
  const known = runners.map(({ seedWorld, facts }) => ({ expand: seedWorld.expand, facts }));
  const paths = worlds.flatMap(({ path }) => path ?? []);
  const pool =
    workers > 0 && options.workerUrl !== undefined && paths.length === worlds.length
      ? openWorkerPool(workers, options.workerUrl, { paths, options: how, known })
      : openLocalPool(runners);
  try {
    const run = new Expansion(worlds, { pool, folder, count });
    const summary = await run.finish(options.onProgress);
    folder.put('summary.json', `${JSON.stringify(summary, null, 2)}\n`);
    folder.finish();
    return summary;
  } finally {
    await pool.close();
  }
}

function checkNames(worlds: readonly World[]): void {
  const names = worlds.map(({ name }) => name);
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice === undefined) return;
  throw new UsageError(`two of the worlds are called '${twice}'; children are named after their world`, {
    code: 'usage/bad-argument',
    data: { name: twice },
  });
}

interface Parent {
  readonly name: string;
  next: number;
  rejectedInRow: number;
}

interface Expanding {
  readonly pool: CandidatePool;
  readonly folder: ExpandFolder;
  readonly count: number;
}

/** One run: the fixed order, and the candidates under way. */
class Expansion {
  private readonly parents: Parent[];
  private readonly underWay = new Map<string, Promise<CandidateResult>>();
  private readonly contents = new Set<string>();
  private readonly meanings = new Set<string>();
  private readonly tally: ExpandTally;

  constructor(
    worlds: readonly World[],
    private readonly how: Expanding,
  ) {
    this.parents = worlds.map(({ name }) => ({ name, next: 0, rejectedInRow: 0 }));
    this.tally = new ExpandTally(
      how.count,
      worlds.map(({ name }) => name),
    );
  }

  async finish(onProgress: ExpandOptions['onProgress']): Promise<ExpandSummary> {
    for (let going = true; going && this.tally.kept < this.how.count; ) {
      going = false;
      for (const [index, parent] of this.parents.entries()) {
        if (parent.rejectedInRow >= PATIENCE || this.tally.kept >= this.how.count) continue;
        going = true;
        this.runAhead(index);
        await this.take(index, parent);
        onProgress?.({ kept: this.tally.kept, tried: this.tally.tried });
      }
    }
    return this.tally.summary();
  }

  /** Takes the next candidate of a seed world: kept, rejected, or known from an earlier run. */
  private async take(index: number, parent: Parent): Promise<void> {
    const candidate = parent.next++;
    const key = candidateKey(parent.name, candidate);
    const known = this.known(key);
    if (known !== undefined) {
      this.decide(parent, known);
      return;
    }
    const result = await (this.underWay.get(key) ?? this.how.pool.run(index, candidate));
    this.underWay.delete(key);
    const { folder } = this.how;
    const line = this.lineOf(result, { parent: parent.name, candidate });
    const isNew = !folder.known.has(key);
    if (line.reason === undefined && result.kept) {
      folder.put(String(line.file), result.text);
      if (isNew) folder.note('kept', line);
    } else if (isNew) folder.note('rejected', line);
    this.decide(parent, line);
  }

  /** The line of an earlier run, if its file is still there. */
  private known(key: string): JsonObject | undefined {
    const line = this.how.folder.known.get(key);
    if (line === undefined || line.reason !== undefined) return line;
    return this.how.folder.has(String(line.file)) ? line : undefined;
  }

  private lineOf(result: CandidateResult, at: { parent: string; candidate: number }): JsonObject {
    if (!result.kept) return { ...at, reason: result.reason, message: result.message };
    if (this.contents.has(result.content)) return { ...at, reason: 'duplicate', message: 'equal content' };
    if (this.meanings.has(result.meaning)) return { ...at, reason: 'duplicate', message: 'equal meaning' };
    return result.line;
  }

  private decide(parent: Parent, line: JsonObject): void {
    const kept = line.reason === undefined;
    parent.rejectedInRow = kept ? 0 : parent.rejectedInRow + 1;
    if (kept) {
      this.contents.add(String(line.content));
      this.meanings.add(String(line.meaning));
    }
    this.tally.add(parent.name, line);
  }

  /** Starts the candidates that come next in the order, as if all were kept. */
  private runAhead(from: number): void {
    const { pool, folder, count } = this.how;
    if (pool.width === 1) return;
    const room = Math.min(3 * pool.width, count - this.tally.kept);
    const offsets = this.parents.map(() => 0);
    let planned = 0;
    for (let at = from; planned < room; at = (at + 1) % this.parents.length) {
      const parent = this.parents[at];
      if (parent === undefined || this.parents.every(({ rejectedInRow }) => rejectedInRow >= PATIENCE))
        return;
      if (parent.rejectedInRow >= PATIENCE) continue;
      const candidate = parent.next + (offsets[at] ?? 0);
      offsets[at] = (offsets[at] ?? 0) + 1;
      planned++;
      const key = candidateKey(parent.name, candidate);
      if (this.underWay.has(key) || (folder.known.has(key) && this.known(key) !== undefined)) continue;
      const result = pool.run(at, candidate);
      // a failure is met when its turn comes; until then it must not end the process
      result.catch(() => undefined);
      this.underWay.set(key, result);
    }
  }
}
