/**
 * A guest's end of the wire: system calls with time and signals.
 *
 * Between calls the guest counts its own work, so that its clock goes on and an endless loop comes back to the engine:
 * the engine lets others run, sends signals, or never answers again.
 */
import type { Json } from '../core/index.js';
import type { Channel, GuestReply } from './channel.js';

/** Thrown through the interpreter when the guest is not wanted any more. */
export class GuestStopped extends Error {}

/** Thrown through the interpreter by `_exit`. */
export class GuestExit extends Error {
  constructor(readonly status: number) {
    super(`exit ${status}`);
  }
}

/** A system call that failed; `code` is a name such as `ENOENT`. */
export class CallFailed extends Error {
  constructor(readonly code: string) {
    super(code);
  }
}

/** Work after which the engine is told, in microseconds of the machine. */
const SLICE_US = 10_000;

/** Makes calls. */
export class Caller {
  private nowUs = 0;
  private cpuUs = 0;
  private signal = 0;
  private isStopped = false;
  /** Without an engine (while the interpreter is prepared) there are no calls and time stands still. */
  private isLive = false;

  constructor(private readonly channel: Channel) {}

  /** Begins a run. */
  begin(nowUs: number): void {
    this.nowUs = nowUs;
    this.cpuUs = 0;
    this.signal = 0;
    this.isStopped = false;
    this.isLive = true;
  }

  /** Ends it. */
  finish(): void {
    this.isLive = false;
  }

  get isRunning(): boolean {
    return this.isLive;
  }

  /** The clock now, microseconds since 1970. */
  clockUs(): number {
    return this.nowUs + this.cpuUs;
  }

  /** A call; raises {@link CallFailed} and {@link GuestStopped}. */
  call(name: string, args: readonly Json[], bytes?: Uint8Array): GuestReply {
    if (this.isStopped) throw new GuestStopped();
    if (!this.isLive) throw new CallFailed('ENOENT');
    const { cpuUs } = this;
    this.nowUs += cpuUs;
    this.cpuUs = 0;
    const reply = this.channel.call({ call: name, args, cpuUs, ...(bytes !== undefined && { bytes }) });
    if (reply.stop === true) {
      this.isStopped = true;
      throw new GuestStopped();
    }
    if (reply.nowUs !== undefined) this.nowUs = reply.nowUs;
    if (reply.signal !== undefined) this.signal = reply.signal;
    if (reply.error !== undefined) throw new CallFailed(reply.error);
    return reply;
  }

  /** Counts work; now and then the engine is told. */
  work(us: number): void {
    this.cpuUs += us;
    if (this.cpuUs >= SLICE_US && this.isLive) this.call('tick', []);
    else if (this.isStopped) throw new GuestStopped();
  }

  /** A signal that waits to be handled, or 0; asked once for each. */
  takeSignal(): number {
    const { signal } = this;
    this.signal = 0;
    return signal;
  }
}
