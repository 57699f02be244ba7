/**
 * Waiting for children and telling what became of them.
 *
 * As bash: a foreground process that a signal ended is told at once, except SIGINT and SIGPIPE; a background one is told
 * when the next command has ended (scripts) or before the next prompt (interactive shells).
 */
import {
  type ExitStatus,
  type Running,
  SIG,
  SystemError,
  shellStatus,
  signalText,
} from '../../kernel/index.js';
import { flushOutput } from '../run/output.js';
import type { Shell } from '../shell.js';
import { isDone, type Job, jobLine } from './job-table.js';

/** Waits for one child that is no job, such as that of `$(…)`; its status for `$?`. */
export function* waitForChild(shell: Shell, pid: number): Running<number> {
  for (;;) {
    try {
      const event = yield* shell.process.wait({ pid });
      if (event !== null) return shellStatus(event.status);
    } catch (error) {
      if (!(error instanceof SystemError)) throw error;
      if (error.code !== 'EINTR') return 127;
    }
  }
}

/** Waits for a job in the foreground until it has ended or stopped; its processes know their statuses then. */
export function* waitForJob(shell: Shell, job: Job): Running<void> {
  const { jobs } = shell;
  jobs.struck.clear();
  while (!isDone(job) && !job.isStopped) {
    const one = job.processes.find((member) => member.status === undefined);
    if (one === undefined) return;
    try {
      const event = yield* shell.process.wait({ pid: one.pid, stopped: shell.is('monitor') });
      if (event !== null) jobs.note(event.pid, event.status);
    } catch (error) {
      if (!(error instanceof SystemError)) throw error;
      if (error.code === 'ECHILD') one.status = { code: 127 };
    }
  }
}

/** The message about a foreground process that a signal ended. */
export function tellForegroundSignal(
  shell: Shell,
  status: ExitStatus,
  ended: { pid: number; text: string },
): void {
  const { signal } = status;
  if (signal === undefined || signal === SIG.INT || signal === SIG.PIPE) return;
  if (signal === SIG.TERM || shell.isInteractive) {
    shell.err(`${signalText(signal)}\n`);
    return;
  }
  shell.err(
    `${shell.errorPrefix()}${String(ended.pid).padStart(5)} ${signalText(signal).padEnd(23)} ${ended.text}\n`,
  );
}

/** Takes note of background children that changed, without waiting. */
export function* reapBackground(shell: Shell): Running<void> {
  const { jobs } = shell;
  if (jobs.jobs.length === 0) return;
  for (const job of [...jobs.jobs]) {
    for (const one of job.processes) {
      if (one.status !== undefined && one.status.stopped === undefined) continue;
      if (jobs.struck.has(one.pid)) continue;
      try {
        const event = yield* shell.process.wait({
          pid: one.pid,
          noHang: true,
          stopped: shell.is('monitor'),
          continued: true,
        });
        if (event !== null) jobs.note(event.pid, event.status);
      } catch (error) {
        if (!(error instanceof SystemError)) throw error;
        if (error.code === 'ECHILD' && one.status === undefined)
          one.status = { code: jobs.ended.get(one.pid) ?? 127 };
      }
    }
  }
}

/** After a command: reaps, and tells what scripts tell about background jobs. */
export function* afterCommand(shell: Shell): Running<void> {
  if (shell.jobs.jobs.length === 0 || shell.isInteractive) return;
  yield* reapBackground(shell);
  for (const job of [...shell.jobs.jobs]) {
    if (!isDone(job)) continue;
    if (!job.isTold) {
      job.isTold = true;
      const last = job.processes[job.processes.length - 1];
      const signal = last?.status?.signal;
      if (
        last !== undefined &&
        signal !== undefined &&
        signal !== SIG.INT &&
        signal !== SIG.PIPE &&
        signal !== SIG.TERM
      )
        shell.err(
          `${shell.errorPrefix()}${String(last.pid).padStart(5)} ${signalText(signal).padEnd(23)} ${job.text}\n`,
        );
    }
  }
  yield* flushOutput(shell);
}

/** After the shell waited for a process: an interactive one tells which jobs have ended or stopped. */
export function* afterWaiting(shell: Shell): Running<void> {
  if (shell.isInteractive && shell.subshellLevel === 0 && shell.jobs.jobs.length > 0) yield* tellJobs(shell);
}

/** Before a prompt: tells which jobs have ended or stopped. */
export function* tellJobs(shell: Shell): Running<void> {
  yield* reapBackground(shell);
  const folder = shell.variables.find('PWD')?.value ?? '';
  for (const job of [...shell.jobs.jobs]) {
    const changed = isDone(job) || job.isStopped;
    if (!changed || (job.isTold && !isDone(job))) continue;
    if (!job.isTold) shell.err(`${isDone(job) ? '' : '\n'}${jobLine(shell.jobs, job, { folder })}`);
    job.isTold = true;
    if (isDone(job)) shell.jobs.remove(job);
  }
  yield* flushOutput(shell);
}
