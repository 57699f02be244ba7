/**
 * How a program waits: it yields a {@link Wait} to the scheduler and is resumed with a {@link WaitReply}.
 *
 * Programs do not make these themselves: the blocking system calls of `Process` do, and are called with `yield*`.
 */
import type { HostCall, HostReply } from '../../../core/index.js';
import type { Process } from './process.js';

/** A program's body: a synchronous generator; its return value is the exit status (0–255). */
export type Program = (proc: Process) => Running<number>;

/** A running program, or a blocking system call inside one. */
export type Running<T> = Generator<Wait, T, WaitReply>;

/** What a process waits for. */
export type Wait =
  /** Lets others run; it is ready at once. */
  | { readonly kind: 'slice' }
  /** Ready when one of the queues is woken, or at a moment of the virtual clock (microseconds since 1970). */
  | { readonly kind: 'block'; readonly on: readonly WaitQueue[]; readonly untilUs?: number }
  /** Asks the world's Host. */
  | { readonly kind: 'host'; readonly call: HostCall }
  /** Lets the driver have the processor; nothing else of the machine runs meanwhile. */
  | { readonly kind: 'breath' }
  /** Goes on as another program; the yielding generator is never resumed. */
  | { readonly kind: 'become'; readonly program: Program };

/** Why a process goes on. `signal`: a signal was handled meanwhile. */
export type WaitReply = 'ready' | 'timeout' | 'signal' | HostReply;

/** Gives up the rest of the time slice. */
export const SLICE: Wait = { kind: 'slice' };

/** Processes that wait for the same thing. */
export class WaitQueue {
  private readonly waiting = new Set<Process>();

  /** Adds a process; the scheduler calls this. */
  add(proc: Process): void {
    this.waiting.add(proc);
  }

  /** Takes a process off; the scheduler calls this. */
  remove(proc: Process): void {
    this.waiting.delete(proc);
  }

  /** Makes everybody who waits here ready. */
  wake(): void {
    if (this.waiting.size === 0) return;
    for (const proc of [...this.waiting]) proc.kernel.makeReady(proc, 'ready');
  }
}
