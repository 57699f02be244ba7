/**
 * One thread with an interpreter in it, as the engine's side holds it.
 *
 * The thread is used by one run after the other: it says `idle`, is told what to run, says system calls and at last
 * `exit`. It never keeps the process alive.
 */
import { CHANNEL_BYTES, Channel, type GuestCall, type GuestReply } from './channel.js';
import { type GuestKind, nodeModules } from './guest-kind.js';

interface WorkerLike {
  unref(): void;
  terminate(): unknown;
  on(event: 'error', listener: (error: unknown) => void): unknown;
}

/** How long a thread may take to load its interpreter, in waits of 50 ms. */
const LOAD_WAITS = 2400;
const WAIT_MS = 50;

/** A thread. */
export class GuestThread {
  private readonly worker: WorkerLike;
  private readonly channel: Channel;
  /** The call that waits for an answer. */
  private pending: GuestCall | null = null;
  isEnded = false;
  /** Why the interpreter did not load; null where it did, or is still loading. */
  failure: string | null = null;

  constructor(kind: GuestKind) {
    const block = new SharedArrayBuffer(CHANNEL_BYTES);
    this.channel = new Channel(block);
    const { Worker } = nodeModules().threads;
    const url = new URL(`./${kind}/${kind}-worker.js`, import.meta.url);
    this.worker = new Worker(url, { workerData: block, ...OPTIONS[kind] }) as WorkerLike;
    this.worker.on('error', () => {
      this.isEnded = true;
    });
    this.worker.unref();
  }

  /** The call that waits for an answer, or null where the guest still works after a while. */
  call(timeoutMs = WAIT_MS): GuestCall | null {
    this.pending ??= this.channel.next(timeoutMs);
    return this.pending;
  }

  /** Answers the waiting call. */
  answer(reply: GuestReply): void {
    this.pending = null;
    this.channel.answer(reply);
  }

  /** Waits until the thread has nothing to do. False where it does not come to that in time: it is ended then. */
  settle(waits = LOAD_WAITS): boolean {
    for (let count = 0; count < waits; count++) {
      const call = this.call();
      if (call?.call === 'idle') return true;
      if (call?.call === 'failed') this.failure = String(call.args[0]).split('\n')[0] ?? '';
      if (call?.call === 'spent' || call?.call === 'failed') break;
      if (call !== null) this.answer({ stop: true });
    }
    this.end();
    return false;
  }

  /** Ends the thread, whatever it does. */
  end(): void {
    this.isEnded = true;
    void this.worker.terminate();
  }
}

const OPTIONS = {
  python: { resourceLimits: { stackSizeMb: 64, maxOldGenerationSizeMb: 2048 }, stdout: false },
  node: { resourceLimits: { stackSizeMb: 32, maxOldGenerationSizeMb: 1024 }, stdout: false },
} as const;
