/**
 * Commands in the foreground: waiting for their processes, stopped jobs, statuses and messages.
 */
import { type Running, SIG, shellStatus } from '../../kernel/index.js';
import type { Command } from '../../syntax/ast.js';
import { printCommandText } from '../../syntax/printer.js';
import { jobLine } from '../jobs/job-table.js';
import { takeTerminal } from '../jobs/terminal.js';
import { afterWaiting, tellForegroundSignal, waitForJob } from '../jobs/waiting.js';
import type { Shell } from '../shell.js';
import { flushOutput } from './output.js';

/** A process of the foreground and the command that it runs. */
export interface Started {
  readonly pid: number;
  readonly command: Command;
}

/** Waits for processes in the foreground; `$?` and `PIPESTATUS` come from them. */
export function* foreground(shell: Shell, started: readonly Started[], whole: Command): Running<number> {
  const last = started[started.length - 1];
  if (last === undefined) return 0;
  const first = started[0] as Started;
  if (started.length === 1 && !shell.is('monitor')) return yield* waitForOne(shell, first);
  const monitor = shell.is('monitor');
  if (monitor) for (const one of started) setGroup(shell, one.pid, first.pid);
  const processes = started.map(({ pid, command }) => ({
    pid,
    text: printCommandText(command),
    status: undefined,
  }));
  const text = printCommandText(whole);
  const folder = shell.variables.find('PWD')?.value ?? '';
  const job = shell.jobs.add({
    pgid: monitor ? first.pid : shell.process.pgid,
    processes,
    text,
    folder,
    isForeground: true,
  });
  if (monitor) takeTerminal(shell, job.pgid);
  yield* waitForJob(shell, job);
  if (monitor) takeTerminal(shell, shell.process.pgid);
  shell.pipeStatus = job.processes.map((one) => (one.status === undefined ? 0 : shellStatus(one.status)));
  if (job.isStopped) {
    job.isForeground = false;
    job.isTold = true;
    shell.err(`\n${jobLine(shell.jobs, job, { folder })}`);
    yield* flushOutput(shell);
    const stopped = job.processes.find((one) => one.status?.stopped !== undefined)?.status;
    return stopped === undefined ? 148 : shellStatus(stopped);
  }
  shell.jobs.remove(job);
  const ended = job.processes[job.processes.length - 1];
  if (ended?.status !== undefined) yield* told(shell, ended.status, { pid: ended.pid, text });
  yield* afterWaiting(shell);
  const failing = shell.is('pipefail')
    ? [...shell.pipeStatus].reverse().find((status) => status !== 0)
    : undefined;
  return failing ?? shell.pipeStatus[shell.pipeStatus.length - 1] ?? 0;
}

function setGroup(shell: Shell, pid: number, pgid: number): void {
  const child = shell.process.kernel.processes.get(pid);
  if (child !== undefined && child.exit === null) child.pgid = pgid;
}

/** The common case: one process, no job control. */
function* waitForOne(shell: Shell, one: Started): Running<number> {
  for (;;) {
    const event = yield* shell.process.wait({ pid: one.pid });
    if (event === null) continue;
    const status = shellStatus(event.status);
    shell.pipeStatus = [status];
    if (event.status.signal !== undefined)
      yield* told(shell, event.status, { pid: one.pid, text: printCommandText(one.command) });
    return status;
  }
}

/** Tells of the signal that ended a command in the foreground; Ctrl-C on a command ends the line that an interactive shell runs. */
export function* told(
  shell: Shell,
  status: { signal?: number },
  ended: { pid: number; text: string },
): Running<void> {
  if (status.signal === undefined) return;
  if (status.signal === SIG.INT && shell.isInteractive) {
    shell.err('\n');
    shell.jump ??= { kind: 'discard' };
    shell.lastStatus = 130;
  }
  tellForegroundSignal(shell, status, ended);
  yield* flushOutput(shell);
}
