/**
 * A program of another language as a program of the machine: the guest's system calls are the process's own.
 *
 * The guest is a coroutine. Between its calls nothing of the machine runs; while it works for long the driver gets the
 * processor back, and the machine's clock goes on by the work that the guest counts. So a program's run depends on the
 * machine alone. A guest that hangs inside one operation for seconds of real time is killed, as Linux kills what takes
 * all memory; that is the one thing that depends on the host.
 */
import type { Json, JsonObject } from '../../../../core/index.js';
import {
  type GuestCall,
  type GuestKind,
  type GuestReply,
  GuestRun,
  whyMissing,
} from '../../../../guests/index.js';
import { type Process, type Running, SIG, SystemError } from '../../kernel/index.js';
import { SLICE } from '../../kernel/wait.js';
import { carryOut } from './guest-calls.js';

/** What became of a guest: its status, or what it needs and nobody computes. */
export type GuestEnd = { readonly status: number } | { readonly lacks: string };

const BREATH = { kind: 'breath' } as const;
/** Work of one program after which each further second costs less real time. */
const DEAR_AFTER_US = 1_000_000;
const DEAR_FACTOR = 20;
/** What a system call costs, so that a loop of them ends a run of the machine in bounded real time. */
const CALL_US = 20;

/** Runs a guest to its end. `facts` are told to it at its start. */
export function* runGuest(proc: Process, kind: GuestKind, facts: JsonObject): Running<GuestEnd> {
  const guest = new GuestRun(kind, { nowUs: proc.now() }, () => proc.state !== 'zombie');
  const signals: number[] = [];
  const handle = (signal: number): 'interrupt' => {
    signals.push(signal);
    return 'interrupt';
  };
  proc.onSignal(SIG.PIPE, 'ignore');
  if (!proc.isIgnored(SIG.INT)) proc.onSignal(SIG.INT, handle);
  let workUs = 0;
  try {
    for (;;) {
      const call = guest.next();
      if (call === 'busy') {
        yield BREATH;
        continue;
      }
      if (call === 'dead') {
        const why = whyMissing(kind);
        return why === null ? yield* killed(proc) : { lacks: why };
      }
      const us = (call.cpuUs ?? 0) + CALL_US;
      workUs += us;
      const cost = us * (workUs > DEAR_AFTER_US ? DEAR_FACTOR : 1);
      if (cost > 0 && proc.tick(cost)) yield SLICE;
      if (call.call === 'exit') return { status: yield* leave(proc, call.args[0]) };
      if (call.call === 'lacking') return { lacks: String(call.args[0]) };
      guest.answer({
        ...(yield* answerTo(proc, call, { facts, handle })),
        ...signalled(signals),
        nowUs: proc.now(),
      });
    }
  } finally {
    guest.end();
  }
}

function signalled(signals: number[]): { readonly signal?: number } {
  const signal = signals.shift();
  return signal === undefined ? {} : { signal };
}

function* answerTo(
  proc: Process,
  call: GuestCall,
  { facts, handle }: { readonly facts: JsonObject; readonly handle: (signal: number) => 'interrupt' },
): Running<GuestReply> {
  if (call.call === 'start') return { value: facts };
  if (call.call === 'tick') return {};
  if (call.call === 'sigaction') {
    const how = call.args[1];
    const disposition = how === 'ignore' ? 'ignore' : how === 'default' ? 'default' : handle;
    proc.onSignal(Number(call.args[0]), disposition);
    return {};
  }
  try {
    return (yield* carryOut(proc, call)) ?? {};
  } catch (error) {
    if (error instanceof SystemError) return { error: error.code };
    throw error;
  }
}

/** Ends by a status or a signal. */
function* leave(proc: Process, end: Json | undefined): Running<number> {
  const { code, signal } = end as { readonly code?: number; readonly signal?: number };
  if (signal === undefined) return code ?? 0;
  proc.onSignal(signal, 'default');
  proc.kernel.post(proc, signal);
  yield SLICE;
  return 128 + signal;
}

/** It took more than there is. */
function* killed(proc: Process): Running<GuestEnd> {
  return { status: yield* leave(proc, { signal: SIG.KILL }) };
}

/** What every guest is told of the process it is. */
export function processFacts(proc: Process): JsonObject {
  const { pid, ppid, uid, gid, realUid, realGid, groups, pgid, argv } = proc;
  return {
    argv: [...argv],
    env: Object.fromEntries(proc.env),
    pid,
    ppid,
    uid: realUid,
    euid: uid,
    gid: realGid,
    egid: gid,
    groups: [...groups],
    pgid,
    login: proc.env.get('LOGNAME') ?? 'root',
    host: hostName(proc),
    seed: Math.floor(proc.random() * 2 ** 48),
    nowUs: proc.now(),
  };
}

function hostName(proc: Process): string {
  const content = proc.find('/etc/hostname')?.content;
  const bytes = content?.read(0, content.size) ?? new Uint8Array(0);
  return String.fromCharCode(...bytes).trim() || 'localhost';
}
