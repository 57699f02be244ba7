/**
 * The body of a thread with a JavaScript interpreter in it: load once, then run one program after the other.
 *
 * Started by `guest-thread.ts` only; it is a program, not a module to import.
 */
import { workerData } from 'node:worker_threads';
import type { JsonObject } from '../../core/index.js';
import { Channel } from '../channel.js';

const channel = new Channel(workerData as SharedArrayBuffer);

try {
  const { createNode } = await import('./quickjs-run.js');
  const node = await createNode(channel);
  for (;;) {
    const { value } = channel.call({ call: node.isSpent ? 'spent' : 'idle', args: [] });
    node.run(value as JsonObject);
  }
} catch (error) {
  const message = error instanceof Error ? (error.stack ?? error.message) : String(error);
  channel.call({ call: 'failed', args: [message] });
}
