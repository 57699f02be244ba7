/**
 * Drives one engine run through a Host.
 *
 * The generator stands still until the Host has replied, so a reply may take as long as a model needs; order is the
 * engine's. Nothing is kept between calls, so runs of other episodes may go on meanwhile.
 */
import type { EngineOutcome, EngineRun, Host, HostCall, HostReply } from '../core/index.js';

/** Runs to the end and gives the outcome. Rejects only for a bug of the engine or the Host. */
export async function driveRun(run: EngineRun, host: Host): Promise<EngineOutcome> {
  let next = run.next();
  while (next.done !== true) {
    if (next.value.phase === 'breath') {
      await new Promise(setImmediate);
      next = run.next({ do: 'proceed' });
      continue;
    }
    const reply = ask(host, next.value);
    // Most replies are there at once; awaiting them would cost a turn of the event loop for each operation.
    next = run.next(reply instanceof Promise ? await reply : reply);
  }
  return next.value;
}

function ask(host: Host, call: Exclude<HostCall, { phase: 'breath' }>): HostReply | Promise<HostReply> {
  if (call.phase === 'before') return host.before(call.op);
  if (call.phase === 'after') return host.after(call.op, call.answer);
  return host.unknown(call.op, call.fallback);
}
