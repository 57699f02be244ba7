/**
 * Errors that an agent in this process throws where nobody waits for them: in a timer, in a call that it never awaited.
 *
 * The idea: the runtime remembers for each callback in which run it began (`AsyncLocalStorage`), so such an error ends
 * the run that it came from and not the suite. The program that runs a suite asks {@link takeStrayError} in its handlers
 * of `unhandledRejection` and `uncaughtException`. Not covered: `queueMicrotask`, whose callbacks have lost their run.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import { AgentFailure, AgentStopped } from '../agent.js';

interface LivingRun {
  /** Null when the run is over. */
  fail: ((error: AgentFailure) => void) | null;
}

const RUNS = new AsyncLocalStorage<LivingRun>();

/** Runs an agent's function; rejects also with what it throws outside of it. */
export function runWatched<T>(work: () => Promise<T>): Promise<T> {
  const run: LivingRun = { fail: null };
  return new Promise<T>((resolve, reject) => {
    run.fail = reject;
    RUNS.run(run, () => Promise.resolve().then(work)).then(resolve, reject);
  }).finally(() => {
    run.fail = null;
  });
}

/** Gives an error to the run that it came from. False where it came from no agent: then it is somebody else's. */
export function takeStrayError(error: unknown): boolean {
  // An action after the end of its run, which the agent did not wait for.
  if (error instanceof AgentStopped) return true;
  const run = RUNS.getStore();
  if (run === undefined) return false;
  const why = error instanceof Error ? error.message : String(error);
  run.fail?.(new AgentFailure('agent-crashed', `the agent threw where nobody waited for it: ${why}`));
  return true;
}
