/**
 * The wire between an engine and a guest: one block of shared memory, written in turns.
 *
 * A guest (an interpreter in a thread of its own) makes system calls and waits for the answer; the engine waits for the
 * next call. Both wait on one number, so a call costs two wake-ups and no event loop. Calls and answers are JSON, with
 * bytes beside them.
 * Source: ECMAScript `Atomics.wait` on shared memory. Not covered: several guests on one block.
 */
import type { Json } from '../core/index.js';

/** A system call of a guest. */
export interface GuestCall {
  readonly call: string;
  readonly args: readonly Json[];
  readonly bytes?: Uint8Array;
  /** Processor time since the last call, in microseconds of the machine. */
  readonly cpuUs?: number;
}

/** What the engine answers. */
export interface GuestReply {
  /** What the call gave. */
  readonly value?: Json;
  /** The name of a Linux error, such as `ENOENT`; then there is no value. */
  readonly error?: string;
  readonly bytes?: Uint8Array;
  /** A signal that the guest shall handle now. */
  readonly signal?: number;
  /** The machine's clock, microseconds since 1970. */
  readonly nowUs?: number;
  /** The guest is not wanted any more: it gives up whatever it does. */
  readonly stop?: true;
}

/** The most bytes that one call or answer carries. */
export const MAX_BYTES = 1 << 20;
/** The most bytes of its JSON. */
const MAX_JSON = 1 << 20;
const HEAD = 64;

const TURN = 0;
const JSON_SIZE = 1;
const BYTES_SIZE = 2;
const GUEST = 0;
const ENGINE = 1;

/** The size of the shared block. */
export const CHANNEL_BYTES = HEAD + MAX_JSON + MAX_BYTES;

/** One side of the wire. */
export class Channel {
  private readonly head: Int32Array;
  private readonly json: Uint8Array;
  private readonly data: Uint8Array;

  constructor(block: SharedArrayBuffer) {
    this.head = new Int32Array(block, 0, HEAD / 4);
    this.json = new Uint8Array(block, HEAD, MAX_JSON);
    this.data = new Uint8Array(block, HEAD + MAX_JSON, MAX_BYTES);
  }

  /** The guest's side: says a call and waits for the answer. Raises a `RangeError` for a call that is too long. */
  call(call: GuestCall): GuestReply {
    const { bytes, ...rest } = call;
    this.write(rest, bytes);
    this.pass(ENGINE);
    // A late wake-up of the turn before may come while this one waits.
    while (Atomics.load(this.head, TURN) === ENGINE) Atomics.wait(this.head, TURN, ENGINE);
    return this.read<GuestReply>();
  }

  /** The engine's side: the guest's call, or null where it has said none within so many milliseconds. */
  next(timeoutMs: number): GuestCall | null {
    if (Atomics.load(this.head, TURN) === GUEST) Atomics.wait(this.head, TURN, GUEST, timeoutMs);
    if (Atomics.load(this.head, TURN) === GUEST) return null;
    return this.read<GuestCall>();
  }

  /** The engine's side: answers. */
  answer(reply: GuestReply): void {
    const { bytes, ...rest } = reply;
    this.write(rest, bytes);
    this.pass(GUEST);
  }

  private pass(turn: number): void {
    Atomics.store(this.head, TURN, turn);
    Atomics.notify(this.head, TURN);
  }

  private write(value: object, bytes: Uint8Array | undefined): void {
    // Text cannot be encoded into shared memory.
    const json = new TextEncoder().encode(JSON.stringify(value));
    if (json.length > MAX_JSON || (bytes?.length ?? 0) > MAX_BYTES) {
      throw new RangeError('a call of a guest is too long');
    }
    this.json.set(json);
    if (bytes !== undefined) this.data.set(bytes);
    Atomics.store(this.head, JSON_SIZE, json.length);
    Atomics.store(this.head, BYTES_SIZE, bytes === undefined ? -1 : bytes.length);
  }

  private read<T>(): T {
    const text = new TextDecoder().decode(this.json.slice(0, Atomics.load(this.head, JSON_SIZE)));
    const size = Atomics.load(this.head, BYTES_SIZE);
    const value = JSON.parse(text) as object;
    return (size < 0 ? value : { ...value, bytes: this.data.slice(0, size) }) as T;
  }
}
