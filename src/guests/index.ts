/**
 * Guests: interpreters of other languages, compiled to WebAssembly, in threads with a hard stop.
 *
 * An engine runs a program of Python or JavaScript as a coroutine: the guest makes system calls, the engine answers them
 * on the simulated machine. A guest has no clock, chance, file or network of its own, so the answers alone decide what
 * it does. This room is below the engines, which stay free of the platform; the threads are here.
 */
export type { GuestCall, GuestReply } from './channel.js';
export { type GuestKind, whyMissing } from './guest-kind.js';
export { GuestRun } from './guest-pool.js';
