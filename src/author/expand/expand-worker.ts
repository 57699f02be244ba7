/**
 * The body of a worker thread of `umwelt world expand`: loads the seed worlds, then runs the candidates it is sent.
 *
 * Started by `candidate-pool.ts` only; it is a program, not a module to import.
 */
import { parentPort, workerData } from 'node:worker_threads';
import { loadWorldFile } from '../../worlds/index.js';
import { knownRunners, type WorkerAnswer, type WorkerStart, type WorkerTask } from './candidate-pool.js';

const { paths, options, known } = workerData as WorkerStart;

function open() {
  const worlds = paths.map((path) => {
    const loaded = loadWorldFile(path);
    if (!loaded.ok) throw loaded.error;
    return loaded.value;
  });
  return knownRunners(worlds, known, options);
}

const runners = open();

parentPort?.on('message', async ({ id, seedWorld, candidate }: WorkerTask) => {
  let answer: WorkerAnswer;
  try {
    const runner = runners[seedWorld];
    if (runner === undefined) throw new RangeError(`there is no seed world ${seedWorld}`);
    answer = { id, result: await runner.run(candidate) };
  } catch (error) {
    answer = { id, failed: error instanceof Error ? (error.stack ?? error.message) : String(error) };
  }
  parentPort?.postMessage(answer);
});
