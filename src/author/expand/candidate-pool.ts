/**
 * Where candidates run: in this thread, or in worker threads that each hold all seed worlds.
 *
 * A worker that dies fails the whole run, because a candidate without a result would be a gap in the order.
 */
import { Worker } from 'node:worker_threads';
import { EngineError } from '../../core/index.js';
import type { ExpandSpec, World } from '../../worlds/index.js';
import { prepareSeed } from './make-child.js';
import { type CandidateOptions, type CandidateResult, CandidateRunner } from './run-candidate.js';
import { readySeed } from './seed-worlds.js';

/** Runs candidates; results may come in any order. */
export interface CandidatePool {
  /** Candidates that may be under way at once. */
  readonly width: number;
  run(seedWorld: number, candidate: number): Promise<CandidateResult>;
  close(): Promise<void>;
}

/** What is known of a seed world once it was made ready. */
export interface KnownSeed {
  readonly expand: ExpandSpec;
  readonly facts: readonly string[];
}

/** What a worker is started with. */
export interface WorkerStart {
  /** Paths of the seed worlds. */
  readonly paths: readonly string[];
  /** What varies in each and what its oracle finds out, so that no worker has to see for itself. */
  readonly known: readonly KnownSeed[];
  readonly options: CandidateOptions;
}

/** A task for a worker, and its answer. */
export interface WorkerTask {
  readonly id: number;
  readonly seedWorld: number;
  readonly candidate: number;
}

/** A worker's answer. */
export type WorkerAnswer =
  | { readonly id: number; readonly result: CandidateResult }
  | { readonly id: number; readonly failed: string };

/** Makes runners for all seed worlds. Raises what {@link readySeed} raises. */
export async function createRunners(
  worlds: readonly World[],
  options: CandidateOptions,
): Promise<CandidateRunner[]> {
  const runners: CandidateRunner[] = [];
  for (const world of worlds) {
    const { seedWorld, facts } = await readySeed(world);
    runners.push(new CandidateRunner(seedWorld, facts, options));
  }
  return runners;
}

/** Makes runners for seed worlds that were made ready before. */
export function knownRunners(
  worlds: readonly World[],
  known: readonly KnownSeed[],
  options: CandidateOptions,
): CandidateRunner[] {
  return worlds.map((world, index) => {
    const { expand, facts } = known[index] as KnownSeed;
    const seedWorld = prepareSeed(world, expand, world.file.expand !== undefined);
    return new CandidateRunner(seedWorld, facts, options);
  });
}

/** A pool in this thread. */
export function openLocalPool(runners: readonly CandidateRunner[]): CandidatePool {
  return {
    width: 1,
    run: (seedWorld, candidate) => (runners[seedWorld] as CandidateRunner).run(candidate),
    close: async () => undefined,
  };
}

/** A child is tens of megabytes of values that live shortly; with room for a few they are never copied about. */
const ROOM = { maxYoungGenerationSizeMb: 192 };

interface Waiting {
  readonly resolve: (result: CandidateResult) => void;
  readonly reject: (error: Error) => void;
}

/** A pool of worker threads. `workerUrl` is the compiled `expand-worker.js`. */
export function openWorkerPool(workers: number, workerUrl: URL, start: WorkerStart): CandidatePool {
  const waiting = new Map<number, Waiting>();
  const queue: WorkerTask[] = [];
  const idle: Worker[] = [];
  let closing = false;
  let next = 0;
  const failAll = (error: Error): void => {
    for (const { reject } of waiting.values()) reject(error);
    waiting.clear();
  };
  const feed = (): void => {
    while (idle.length > 0 && queue.length > 0) idle.pop()?.postMessage(queue.shift());
  };
  const all = Array.from({ length: workers }, () => {
    const worker = new Worker(workerUrl, { workerData: start, resourceLimits: ROOM });
    worker.on('message', (answer: WorkerAnswer) => {
      const one = waiting.get(answer.id);
      waiting.delete(answer.id);
      idle.push(worker);
      if ('failed' in answer) one?.reject(new EngineError(answer.failed, { code: 'engine/bug' }));
      else one?.resolve(answer.result);
      feed();
    });
    worker.on('error', (cause) =>
      failAll(new EngineError(`a worker failed: ${String(cause)}`, { code: 'engine/bug', cause })),
    );
    worker.on('exit', (code) => {
      if (!closing) failAll(new EngineError(`a worker ended with code ${code}`, { code: 'engine/bug' }));
    });
    idle.push(worker);
    return worker;
  });
  return {
    width: workers,
    run: (seedWorld, candidate) =>
      new Promise((resolve, reject) => {
        const id = next++;
        waiting.set(id, { resolve, reject });
        queue.push({ id, seedWorld, candidate });
        feed();
      }),
    close: async () => {
      closing = true;
      await Promise.all(all.map((worker) => worker.terminate()));
    },
  };
}
