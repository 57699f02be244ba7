/**
 * Few threads for many runs.
 *
 * A run that waits (for input, for a child) may lose its thread to another: what it was answered so far is kept, and
 * answered again when it goes on, which gives the same since nothing else decides what a guest does. Thus any number of
 * programs may be alive with two threads of each kind.
 */
import type { Json } from '../core/index.js';
import type { GuestCall, GuestReply } from './channel.js';
import { type GuestKind, noteFailure } from './guest-kind.js';
import { GuestThread } from './guest-thread.js';

const THREADS = 2;
/** Answers of one run that are kept so that it can lose its thread; a run with more is ended instead. */
const KEPT_BYTES = 64 << 20;
/** How often a run may be found working without a call (50 ms each) before it is ended: it hangs in one operation. */
const MAX_WAITS = 400;

interface Seat {
  readonly thread: GuestThread;
  run: GuestRun | null;
  usedAt: number;
}

const seats: Record<GuestKind, Seat[]> = { python: [], node: [] };
let uses = 0;

/** Makes the threads of a kind start loading, so that the first program need not wait for all of it. */
function sit(kind: GuestKind, run: GuestRun): Seat | null {
  const all = seats[kind];
  for (let index = all.length - 1; index >= 0; index--) if (all[index]?.thread.isEnded) all.splice(index, 1);
  let seat = all.find((one) => one.run === null);
  if (seat === undefined && all.length < THREADS) {
    seat = { thread: new GuestThread(kind), run: null, usedAt: 0 };
    all.push(seat);
  }
  seat ??= all.find((one) => one.run?.isWanted() === false) ?? longestUnused(all);
  if (seat === undefined) return null;
  seat.run?.unseat();
  if (!seat.thread.settle(seat.run === null ? undefined : MAX_WAITS)) {
    all.splice(all.indexOf(seat), 1);
    if (seat.thread.failure !== null) noteFailure(kind, seat.thread.failure);
    return null;
  }
  seat.run = run;
  return seat;
}

/** The seat whose run waited longest; one that works only where all do. */
function longestUnused(all: readonly Seat[]): Seat | undefined {
  const byAge = [...all].sort((a, b) => a.usedAt - b.usedAt);
  return byAge.find((one) => one.thread.call(0) !== null) ?? byAge[0];
}

/** One program in an interpreter, as a coroutine: ask for the next call, answer it. */
export class GuestRun {
  private seat: Seat | null = null;
  private readonly log: GuestReply[] = [];
  private logBytes = 0;
  private answered = 0;
  private waits = 0;

  /** `isWanted` tells whether anybody still waits for the program. */
  constructor(
    private readonly kind: GuestKind,
    private readonly start: Json,
    readonly isWanted: () => boolean,
  ) {}

  /**
   * The next call; `busy` where it still works (ask again), `dead` where it was ended because it hung or there was no
   * room for it.
   */
  next(): GuestCall | 'busy' | 'dead' {
    if (this.seat === null && !this.takeSeat()) return 'dead';
    const seat = this.seat as Seat;
    seat.usedAt = ++uses;
    while (this.answered < this.log.length) {
      const call = seat.thread.call();
      if (call === null) return this.late(seat);
      seat.thread.answer(this.log[this.answered] as GuestReply);
      this.answered += 1;
    }
    const call = seat.thread.call();
    if (call === null) return this.late(seat);
    this.waits = 0;
    if (call.call === 'spent' || call.call === 'failed' || call.call === 'idle') {
      if (call.call !== 'idle') seat.thread.end();
      this.leave();
      return 'dead';
    }
    return call;
  }

  /** Answers the last call. */
  answer(reply: GuestReply): void {
    this.logBytes += 64 + (reply.bytes?.length ?? 0);
    this.log.push(reply);
    if (this.seat === null) return;
    this.seat.thread.answer(reply);
    this.answered += 1;
  }

  /** The program is over, or given up: its thread is free. */
  end(): void {
    const { seat } = this;
    if (seat === null) return;
    if (seat.thread.call(0) !== null) seat.thread.answer({ stop: true });
    else seat.thread.end();
    this.leave();
  }

  /** Loses the thread; the next `next` takes another. */
  unseat(): void {
    const { seat } = this;
    if (seat === null) return;
    if (seat.thread.call(0) !== null) seat.thread.answer({ stop: true });
    this.leave();
  }

  private takeSeat(): boolean {
    if (this.logBytes > KEPT_BYTES) return false;
    // A thread may turn out to be spent; the next one is fresh.
    this.seat = sit(this.kind, this) ?? sit(this.kind, this);
    if (this.seat === null) return false;
    this.answered = 0;
    this.seat.thread.answer({ value: this.start });
    return true;
  }

  private late(seat: Seat): 'busy' | 'dead' {
    this.waits += 1;
    if (this.waits < MAX_WAITS && !seat.thread.isEnded) return 'busy';
    seat.thread.end();
    this.leave();
    return 'dead';
  }

  private leave(): void {
    if (this.seat !== null) this.seat.run = null;
    this.seat = null;
  }
}
