/**
 * What `ps`, `top`, `pgrep` and others know of a process: the kernel's process in their words.
 *
 * Sizes are those that `/proc` tells. Source: proc(5), ps(1).
 */
import type { Process } from '../../../kernel/index.js';
import type { Accounts } from '../../program/accounts.js';

/** Memory of every process in KiB, as `/proc/PID/status` has it. */
export const VIRTUAL_KIB = 7700;
/** Resident memory in KiB. */
export const RESIDENT_KIB = 3600;

/** A process. */
export interface ProcessRow {
  readonly proc: Process;
  readonly user: string;
  /** `pts/0`, or `?` for none. */
  readonly tty: string;
  /** R, S, T or Z. */
  readonly state: string;
  /** The state with its marks: `Ss+`. */
  readonly stat: string;
  readonly args: string;
  readonly comm: string;
  /** Seconds of processor time. */
  readonly cpuSeconds: number;
  readonly elapsedSeconds: number;
}

/** The rows of all processes, by number. `asker` is the program that looks. */
export function processRows(asker: Process, accounts: Accounts): ProcessRow[] {
  return asker.processes().map((proc) => rowOf(proc, asker, accounts));
}

function rowOf(proc: Process, asker: Process, accounts: Accounts): ProcessRow {
  const state = stateOf(proc, asker);
  const { terminal } = proc;
  const leads = proc.sid === proc.pid ? 's' : '';
  const isForeground = terminal !== null && terminal.foreground === proc.pgid ? '+' : '';
  const isGone = state === 'Z';
  const comm = proc.exe === '' ? proc.comm : commOf(proc);
  return {
    proc,
    user: accounts.userName(proc.uid),
    tty: terminal === null ? '?' : 'pts/0',
    state,
    stat: `${state}${leads}${isForeground}`,
    comm: isGone ? `${comm} <defunct>` : comm,
    args: isGone ? `[${comm}] <defunct>` : proc.argv.join(' ').replace(/\p{Cc}/gu, '?'),
    cpuSeconds: Math.floor(proc.cpuUs / 1e6),
    elapsedSeconds: Math.max(0, Math.floor((asker.now() - proc.startUs) / 1e6)),
  };
}

/** Process 1 is systemd behind the name init. */
function commOf(proc: Process): string {
  return proc.pid === 1 ? 'systemd' : proc.comm;
}

function stateOf(proc: Process, asker: Process): string {
  if (proc.exit !== null || proc.state === 'zombie') return 'Z';
  if (proc.isStopped || proc.state === 'stopped') return 'T';
  return proc === asker || proc.state === 'running' ? 'R' : 'S';
}

/** Hours, minutes and seconds: `00:01:40`, with days before. */
export function clockText(seconds: number): string {
  const two = (value: number): string => String(value).padStart(2, '0');
  const days = Math.floor(seconds / 86_400);
  const text = `${two(Math.floor(seconds / 3600) % 24)}:${two(Math.floor(seconds / 60) % 60)}:${two(seconds % 60)}`;
  return days > 0 ? `${two(days)}-${text}` : text;
}
