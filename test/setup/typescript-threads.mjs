/**
 * Lets threads that tests start read the TypeScript source, as the test runner does for the tests themselves.
 *
 * Test processes are given it by `execArgv`, which threads inherit; it does nothing but in a thread.
 */
import { register } from 'node:module';
import { isMainThread } from 'node:worker_threads';

if (!isMainThread) register('./typescript-hooks.mjs', import.meta.url);
