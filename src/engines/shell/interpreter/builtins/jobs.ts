/**
 * `jobs`, `fg`, `bg`, `wait`, `disown` and `suspend`.
 */
import { type Running, SIG, SIGNALS, SystemError, shellStatus } from '../../kernel/index.js';
import { writeName } from '../expand/names.js';
import { isDone, type Job, jobLine, jobStatus } from '../jobs/job-table.js';
import { takeTerminal } from '../jobs/terminal.js';
import { afterWaiting, reapBackground, tellForegroundSignal, waitForJob } from '../jobs/waiting.js';
import { told } from '../run/foreground.js';
import { flushOutput } from '../run/output.js';
import type { Shell } from '../shell.js';
import { type Builtin, type BuiltinCall, fail, isName, readOptions } from './call.js';

/** The job that `%1`, `%+`, `%-`, `%name` or `%?text` means. */
export function jobOf(shell: Shell, spec: string): Job | undefined {
  const { jobs } = shell;
  const text = spec.replace(/^%/, '');
  if (text === '' || text === '%' || text === '+') return jobs.current();
  if (text === '-') return jobs.previous();
  if (/^\d+$/.test(text)) return jobs.jobs.find((job) => job.number === Number(text));
  if (text.startsWith('?')) return jobs.jobs.find((job) => job.text.includes(text.slice(1)));
  return jobs.jobs.find((job) => job.text.startsWith(text));
}

function folderOf(shell: Shell): string {
  return shell.variables.find('PWD')?.value ?? '';
}

/** `jobs`. */
export const jobsBuiltin: Builtin = function* (call) {
  const { shell } = call;
  const read = readOptions(call, 'lnprsx');
  if (read === undefined) return 2;
  const has = (letter: string) => read.options.some((one) => one.letter === letter);
  yield* reapBackground(shell);
  if (shell.jobs.jobs.length === 0 && shell.jobs.parent !== undefined) return listParents(shell, has);
  let status = 0;
  const list: Job[] = [];
  for (const spec of read.rest) {
    const job = jobOf(shell, spec);
    if (job === undefined) status = fail(call, `${spec}: no such job`);
    else list.push(job);
  }
  for (const job of read.rest.length === 0 ? [...shell.jobs.jobs] : list) {
    if (has('r') && (job.isStopped || isDone(job))) continue;
    if (has('s') && !job.isStopped) continue;
    if (has('p')) shell.out(`${job.processes[0]?.pid}\n`);
    else shell.out(jobLine(shell.jobs, job, { folder: folderOf(shell), pids: has('l') }));
    job.isTold = true;
  }
  for (const job of [...shell.jobs.jobs]) if (isDone(job) && job.isTold) shell.jobs.remove(job);
  return status;
};

/** In a subshell: the jobs of the shell it comes from, as they were. */
function listParents(shell: Shell, has: (letter: string) => boolean): number {
  const table = shell.jobs.parent;
  for (const job of table?.jobs ?? []) {
    if (isDone(job) || job.isForeground || table === undefined) continue;
    if (has('p')) shell.out(`${job.processes[0]?.pid}\n`);
    else shell.out(jobLine(table, job, { folder: folderOf(shell), pids: has('l') }));
  }
  return 0;
}

/** The job of `fg` and `bg`; told when there is none. */
function wanted(call: BuiltinCall, spec: string | undefined): Job | undefined {
  const job =
    spec === undefined
      ? call.shell.jobs.current()
      : jobOf(call.shell, spec.startsWith('%') ? spec : `%${spec}`);
  if (job === undefined) fail(call, spec === undefined ? 'current: no such job' : `${spec}: no such job`);
  return job;
}

/** `fg`. */
export const foregroundBuiltin: Builtin = function* (call) {
  const { shell } = call;
  if (!shell.is('monitor')) return fail(call, 'no job control');
  yield* reapBackground(shell);
  const job = wanted(call, call.args[0] === '--' ? call.args[1] : call.args[0]);
  if (job === undefined) return 1;
  if (isDone(job)) {
    shell.jobs.remove(job);
    return fail(call, 'job has terminated');
  }
  shell.out(`${job.text}\n`);
  yield* flushOutput(shell);
  shell.jobs.touch(job);
  job.isForeground = true;
  takeTerminal(shell, job.pgid);
  yield* resume(shell, job);
  yield* waitForJob(shell, job);
  takeTerminal(shell, shell.process.pgid);
  job.isForeground = false;
  if (job.isStopped) {
    job.isTold = true;
    shell.err(`\n${jobLine(shell.jobs, job, { folder: folderOf(shell) })}`);
    return shellStatus({ stopped: SIG.TSTP });
  }
  shell.jobs.remove(job);
  const last = job.processes[job.processes.length - 1];
  if (last?.status !== undefined) yield* told(shell, last.status, { pid: last.pid, text: job.text });
  yield* afterWaiting(shell);
  return jobStatus(job);
};

/** Lets a stopped job go on. */
function* resume(shell: Shell, job: Job): Running<void> {
  job.isStopped = false;
  job.isTold = false;
  for (const one of job.processes) if (one.status?.stopped !== undefined) one.status = undefined;
  try {
    yield* shell.process.kill(-job.pgid, SIG.CONT);
  } catch (error) {
    if (!(error instanceof SystemError)) throw error;
  }
}

/** `bg`. */
export const backgroundBuiltin: Builtin = function* (call) {
  const { shell } = call;
  if (!shell.is('monitor')) return fail(call, 'no job control');
  yield* reapBackground(shell);
  const specs: (string | undefined)[] = call.args.length === 0 ? [undefined] : [...call.args];
  let status = 0;
  for (const spec of specs) {
    const job = wanted(call, spec);
    if (job === undefined) {
      status = 1;
      continue;
    }
    if (!job.isStopped) {
      fail(call, `job ${job.number} already in background`);
      continue;
    }
    shell.out(`[${job.number}]${shell.jobs.mark(job)} ${job.text} &\n`);
    yield* resume(shell, job);
  }
  return status;
};

/** `disown`. */
export const disownBuiltin: Builtin = function* (call) {
  const { shell } = call;
  const read = readOptions(call, 'ahr');
  if (read === undefined) return 2;
  const has = (letter: string) => read.options.some((one) => one.letter === letter);
  yield* reapBackground(shell);
  const apply = (job: Job) => {
    if (has('h')) job.noHangup = true;
    else shell.jobs.remove(job);
  };
  if (has('a') || (has('r') && read.rest.length === 0)) {
    for (const job of [...shell.jobs.jobs]) if (has('a') || !job.isStopped) apply(job);
    return 0;
  }
  let status = 0;
  for (const spec of read.rest.length === 0 ? ['%+'] : read.rest) {
    const job = /^\d+$/.test(spec) ? shell.jobs.byPid(Number(spec)) : jobOf(shell, spec);
    if (job === undefined) status = fail(call, `${read.rest.length === 0 ? 'current' : spec}: no such job`);
    else apply(job);
  }
  return status;
};

/** `suspend`. */
export const suspendBuiltin: Builtin = function* (call) {
  const { shell } = call;
  const read = readOptions(call, 'f');
  if (read === undefined) return 2;
  if (!shell.is('monitor')) return fail(call, 'cannot suspend: no job control');
  if (shell.isLogin && read.options.length === 0) return fail(call, 'cannot suspend a login shell');
  yield* shell.process.kill(shell.process.pid, SIG.STOP);
  return 0;
};

/** `wait`. */
export const waitBuiltin: Builtin = function* (call) {
  const { shell } = call;
  const read = readOptions(call, 'fnp:');
  if (read === undefined) return 2;
  const has = (letter: string) => read.options.some((one) => one.letter === letter);
  const variable = read.options.find((one) => one.letter === 'p')?.value;
  if (variable !== undefined && !isName(variable))
    return fail(call, `\`${variable}': not a valid identifier`);
  if (variable !== undefined) shell.variables.unset(variable);
  yield* flushOutput(shell);
  shell.interruptible = true;
  shell.jobs.struck.clear();
  try {
    if (has('n')) return yield* waitForNext(call, read.rest, variable);
    if (read.rest.length === 0) return yield* waitForAll(shell);
    let status = 0;
    for (const spec of read.rest) status = yield* waitForOne(call, spec, variable);
    return status;
  } catch (error) {
    if (!(error instanceof SystemError) || error.code !== 'EINTR') throw error;
    const name = shell.pendingTraps[0];
    return 128 + (name === undefined ? SIG.INT : (SIGNALS[name] ?? 0));
  } finally {
    shell.interruptible = false;
  }
};

function* waitForAll(shell: Shell): Running<number> {
  for (;;) {
    yield* reapBackground(shell);
    const job = shell.jobs.jobs.find((one) => !isDone(one) && !one.isStopped);
    if (job === undefined) break;
    yield* waitInterruptibly(shell, job);
  }
  for (const job of [...shell.jobs.jobs]) {
    if (!isDone(job)) continue;
    tellEnded(shell, job);
    if (!shell.is('monitor')) shell.jobs.remove(job);
  }
  yield* afterWaiting(shell);
  return 0;
}

/** Waits until one process of a job has changed. */
function* waitInterruptibly(shell: Shell, job: Job): Running<void> {
  while (!isDone(job) && !job.isStopped) {
    const one = job.processes.find((member) => member.status === undefined);
    if (one === undefined) return;
    try {
      const event = yield* shell.process.wait({ pid: one.pid, stopped: true });
      if (event !== null) shell.jobs.note(event.pid, event.status);
    } catch (error) {
      if (!(error instanceof SystemError) || error.code === 'EINTR') throw error;
      one.status = { code: shell.jobs.ended.get(one.pid) ?? 127 };
    }
  }
}

/** A job that a signal ended is told once in scripts. */
function tellEnded(shell: Shell, job: Job): void {
  if (job.isTold || shell.isInteractive) return;
  job.isTold = true;
  const last = job.processes[job.processes.length - 1];
  if (last?.status?.signal === undefined || last.status.signal === SIG.TERM) return;
  tellForegroundSignal(shell, last.status, { pid: last.pid, text: job.text });
}

function* waitForOne(call: BuiltinCall, spec: string, variable: string | undefined): Running<number> {
  const { shell } = call;
  let job: Job | undefined;
  if (spec.startsWith('%')) {
    job = jobOf(shell, spec);
    if (job === undefined) {
      fail(call, `${spec}: no such job`);
      return 127;
    }
  } else {
    if (!/^\d+$/.test(spec)) return fail(call, `\`${spec}': not a pid or valid job spec`);
    const pid = Number(spec);
    job = shell.jobs.byPid(pid);
    const known = shell.jobs.ended.get(pid);
    if (job === undefined && known !== undefined) return known;
    if (job === undefined) return yield* waitForStray(call, pid);
  }
  yield* waitInterruptibly(shell, job);
  const pid = /^\d+$/.test(spec) ? Number(spec) : job.processes[job.processes.length - 1]?.pid;
  const status = job.processes.find((one) => one.pid === pid)?.status;
  if (variable !== undefined) writeName(shell, { name: variable, value: String(pid) });
  tellEnded(shell, job);
  const result = status === undefined ? jobStatus(job) : shellStatus(status);
  yield* afterWaiting(shell);
  if (isDone(job) && shell.jobs.jobs.includes(job)) shell.jobs.remove(job);
  return result;
}

/** A child that is no job: that of a process substitution. */
function* waitForStray(call: BuiltinCall, pid: number): Running<number> {
  try {
    const event = yield* call.shell.process.wait({ pid });
    return event === null ? 127 : shellStatus(event.status);
  } catch (error) {
    if (!(error instanceof SystemError) || error.code === 'EINTR') throw error;
    fail(call, `pid ${pid} is not a child of this shell`);
    return 127;
  }
}

function* waitForNext(
  call: BuiltinCall,
  specs: readonly string[],
  variable: string | undefined,
): Running<number> {
  const { shell } = call;
  const { process: own } = shell;
  for (;;) {
    yield* reapBackground(shell);
    const all = shell.jobs.jobs.filter(
      (job) => specs.length === 0 || specs.some((spec) => jobOfSpec(shell, spec) === job),
    );
    if (all.length === 0) return 127;
    const done = all.find((job) => isDone(job));
    if (done !== undefined) {
      const last = done.processes[done.processes.length - 1];
      if (variable !== undefined) writeName(shell, { name: variable, value: String(last?.pid ?? '') });
      tellEnded(shell, done);
      const status = jobStatus(done);
      yield* afterWaiting(shell);
      if (shell.jobs.jobs.includes(done)) shell.jobs.remove(done);
      return status;
    }
    yield* own.block([own.childQueue]);
  }
}

function jobOfSpec(shell: Shell, spec: string): Job | undefined {
  return spec.startsWith('%') ? jobOf(shell, spec) : shell.jobs.byPid(Number(spec));
}
