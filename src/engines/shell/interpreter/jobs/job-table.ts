/**
 * The jobs of a shell: pipelines in the background and stopped ones.
 *
 * Source: bash manual, Job Control; the columns as bash 5.2 prints them.
 */
import { type ExitStatus, shellStatus, signalText } from '../../kernel/index.js';

/** One process of a job. */
export interface JobProcess {
  readonly pid: number;
  readonly text: string;
  status: ExitStatus | undefined;
}

/** A job. */
export interface Job {
  readonly number: number;
  readonly pgid: number;
  readonly processes: readonly JobProcess[];
  /** The whole command as text. */
  readonly text: string;
  isForeground: boolean;
  isStopped: boolean;
  /** Its state was told to the user. */
  isTold: boolean;
  /** The shell sends it no SIGHUP. */
  noHangup: boolean;
  /** The folder it was started in, when that is not the current one. */
  readonly folder: string;
}

/** What a new job consists of. */
export interface JobSpec {
  readonly pgid: number;
  readonly processes: readonly JobProcess[];
  readonly text: string;
  readonly folder: string;
  readonly isForeground?: boolean;
}

/** All jobs of one shell. */
export class JobTable {
  readonly jobs: Job[] = [];
  /** The jobs of the shell that this subshell comes from; only shown. */
  parent: JobTable | undefined;
  /** Numbers by importance, the current job last. */
  private order: number[] = [];
  /**
   * Processes that this shell's own `kill` has struck: what becomes of them is seen after the next prompt, or once the
   * shell has waited for something, as a real shell sees it.
   */
  readonly struck = new Set<number>();
  /** Statuses of ended background processes, for `wait PID`. */
  readonly ended = new Map<number, number>();

  add(spec: JobSpec): Job {
    const number = this.jobs.reduce((most, job) => Math.max(most, job.number), 0) + 1;
    const job: Job = {
      number,
      ...spec,
      isForeground: spec.isForeground === true,
      isStopped: false,
      isTold: false,
      noHangup: false,
    };
    this.jobs.push(job);
    this.order.push(number);
    return job;
  }

  remove(job: Job): void {
    this.jobs.splice(this.jobs.indexOf(job), 1);
    this.order = this.order.filter((number) => number !== job.number);
  }

  /** Makes a job the current one. */
  touch(job: Job): void {
    this.order = [...this.order.filter((number) => number !== job.number), job.number];
  }

  count(): number {
    return this.jobs.length;
  }

  /** The current job (`%+`): the last stopped one, else the last one. */
  current(): Job | undefined {
    return this.ranked()[0];
  }

  /** The job before it (`%-`). */
  previous(): Job | undefined {
    const ranked = this.ranked();
    return ranked[1] ?? ranked[0];
  }

  private ranked(): Job[] {
    const newest = [...this.order].reverse();
    const found = newest.flatMap((number) =>
      this.jobs.filter((job) => job.number === number && !job.isForeground),
    );
    return [...found.filter((job) => job.isStopped), ...found.filter((job) => !job.isStopped)];
  }

  /** `+`, `-` or a space. */
  mark(job: Job): string {
    if (job === this.current()) return '+';
    return job === this.previous() ? '-' : ' ';
  }

  byPid(pid: number): Job | undefined {
    return this.jobs.find((job) => job.processes.some((one) => one.pid === pid));
  }

  /** Takes note of a change of a child; the job it belongs to. */
  note(pid: number, status: ExitStatus): Job | undefined {
    const job = this.byPid(pid);
    const one = job?.processes.find((member) => member.pid === pid);
    if (job === undefined || one === undefined) {
      if (status.code !== undefined || status.signal !== undefined) this.ended.set(pid, shellStatus(status));
      return undefined;
    }
    if (status.continued === true) {
      job.isStopped = false;
      one.status = undefined;
      return job;
    }
    one.status = status;
    // The second process of a stopped pipeline is no news.
    if (status.stopped === undefined || !job.isStopped) job.isTold = false;
    if (status.stopped !== undefined) job.isStopped = true;
    else this.ended.set(pid, shellStatus(status));
    return job;
  }
}

/** Whether all processes of a job have ended. */
export function isDone(job: Job): boolean {
  return job.processes.every((one) => one.status !== undefined && one.status.stopped === undefined);
}

/** The status of a job: that of its last process. */
export function jobStatus(job: Job): number {
  const last = job.processes[job.processes.length - 1]?.status;
  return last === undefined ? 0 : shellStatus(last);
}

/** `Running`, `Done`, `Exit 3`, `Stopped`, `Killed` … */
function stateText(job: Job, long: boolean): string {
  if (isDone(job)) {
    const last = job.processes[job.processes.length - 1]?.status ?? {};
    if (last.signal !== undefined) return signalText(last.signal);
    return last.code === 0 ? 'Done' : `Exit ${last.code}`;
  }
  if (job.isStopped) {
    const stopped = job.processes.find((one) => one.status?.stopped !== undefined)?.status?.stopped;
    return !long || stopped === 20 || stopped === undefined ? 'Stopped' : signalText(stopped);
  }
  return 'Running';
}

/** The line of a job as `jobs` and notices show it. */
export function jobLine(
  table: JobTable,
  job: Job,
  options: { readonly folder: string; readonly pids?: boolean },
): string {
  const head = `[${job.number}]${table.mark(job)} `;
  const state = stateText(job, options.pids === true);
  const background = state === 'Running' ? ' &' : '';
  const where = job.folder === options.folder ? '' : `  (wd: ${job.folder})`;
  if (options.pids !== true) return `${head} ${state.padEnd(24)}${job.text}${background}${where}\n`;
  return job.processes
    .map((one, index) => {
      const isLast = index === job.processes.length - 1;
      const tail = isLast ? `${background}${where}` : '';
      if (index === 0) return `${head}${String(one.pid).padStart(5)} ${state.padEnd(24)}${one.text}${tail}\n`;
      return `     ${String(one.pid).padStart(5)} ${''.padEnd(23)}| ${one.text}${tail}\n`;
    })
    .join('');
}
