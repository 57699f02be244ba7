/**
 * cron: looks at its tables every minute of the virtual clock and runs what is due.
 *
 * A job is a process of its user; what it prints is mailed into `/var/mail` where the machine has `sendmail`, else it is
 * lost and the journal says so, as on a Debian without a mail server. While nothing runs, cron can be copied at rest.
 * Source: cron(8), crontab(5) of Debian 12. Not covered: a table's own time zone, `cron.allow`.
 */

import type { Account } from '../commands/program/accounts.js';
import { Accounts } from '../commands/program/accounts.js';
import {
  type Process,
  type Program,
  type Running,
  SIG,
  SystemError,
  toBytes,
  toText,
} from '../kernel/index.js';
import { type CronJob, isCronMinute, parseCronTable } from './cron-table.js';
import { readWhole } from './needs.js';
import { managerOf } from './supervisor.js';

/** Where users' tables are. */
export const CRON_SPOOL = '/var/spool/cron/crontabs';
const SYSTEM_FOLDER = '/etc/cron.d';
const MINUTE_US = 60e6;
const INFO = 6;
const UNIT = 'cron.service';
const MAX_MAIL_BYTES = 65_536;

/** The program of the daemon. */
export const cronProgram: Program = function* (proc) {
  say(proc, 'cron', '(CRON) INFO (pidfile fd = 3)');
  const isBoot = managerOf(proc.kernel).isBooting;
  say(
    proc,
    'cron',
    isBoot
      ? '(CRON) INFO (Running @reboot jobs)'
      : '(CRON) INFO (Skipping @reboot jobs -- not system startup)',
  );
  if (isBoot) for (const due of tables(proc).filter(({ job }) => job.times === null)) startJob(proc, due);
  return yield* watch(proc);
};

/** The same after it was copied at rest. */
export const resumeCron: Program = (proc) => watch(proc);

function* watch(proc: Process): Running<number> {
  proc.onSignal(SIG.CHLD, 'ignore');
  for (;;) {
    const nextUs = (Math.floor(proc.now() / MINUTE_US) + 1) * MINUTE_US;
    proc.checkpoint = { ...CHECKPOINT };
    const reply = yield* proc.block([proc.kernel.jumped], nextUs);
    proc.checkpoint = null;
    if (reply !== 'timeout') continue;
    for (const due of tables(proc)) if (isCronMinute(due.job, nextUs)) startJob(proc, due);
  }
}

const CHECKPOINT = {
  capture: () => ({ kind: 'cron' }),
  resume: () => resumeCron,
  encode: () => ({ kind: 'cron' }),
  decode: (json: unknown) => json,
};

interface DueJob {
  readonly job: CronJob;
  readonly account: Account;
}

/** Every job of every table, with the account that runs it. */
function tables(proc: Process): DueJob[] {
  const accounts = new Accounts(proc);
  const found: DueJob[] = [];
  const take = (path: string, user: string | undefined): void => {
    const text = tableText(proc, path);
    if (text === null) return;
    for (const job of parseCronTable(text, user === undefined).jobs) {
      const account = accounts.userNamed(job.user ?? user ?? '');
      if (account !== undefined) found.push({ job, account });
    }
  };
  take('/etc/crontab', undefined);
  for (const name of namesIn(proc, SYSTEM_FOLDER))
    if (/^[\w-]+$/.test(name)) take(`${SYSTEM_FOLDER}/${name}`, undefined);
  for (const name of namesIn(proc, CRON_SPOOL)) take(`${CRON_SPOOL}/${name}`, name);
  return found;
}

/** The text of a table; null where cron would not take it: not a file, of somebody else, writable by others. */
function tableText(proc: Process, path: string): string | null {
  try {
    const inode = proc.stat(path);
    const isSystem = !path.startsWith(CRON_SPOOL);
    if (inode.kind !== 'file' || (isSystem && (inode.uid !== 0 || (inode.mode & 0o022) !== 0))) return null;
    return readWhole(proc, path);
  } catch (error) {
    if (error instanceof SystemError) return null;
    throw error;
  }
}

function namesIn(proc: Process, folder: string): string[] {
  try {
    return proc
      .readdir(folder)
      .map(({ name }) => name)
      .sort();
  } catch (error) {
    if (error instanceof SystemError) return [];
    throw error;
  }
}

function say(proc: Process, ident: string, text: string): void {
  managerOf(proc.kernel).logOf(UNIT, proc, { text, priority: INFO, ident });
}

function startJob(cron: Process, { job, account }: DueJob): void {
  const user = account.name;
  try {
    cron.fork(function* (proc) {
      proc.onSignal(SIG.CHLD, 'default');
      const pam = `pam_unix(cron:session): session`;
      say(proc, 'CRON', `${pam} opened for user ${user}(uid=${account.uid}) by (uid=0)`);
      say(proc, 'CRON', `(${user}) CMD (${job.command})`);
      const output = yield* runJob(proc, job, account);
      if (output.length > 0) deliver(proc, { job, account, output: toText(output) });
      say(proc, 'CRON', `${pam} closed for user ${user}`);
      return 0;
    });
  } catch (error) {
    if (!(error instanceof SystemError)) throw error;
    say(cron, 'cron', `(CRON) error (can't fork)`);
  }
}

/** Runs a job to its end; what it printed. */
function* runJob(proc: Process, job: CronJob, account: Account): Running<Uint8Array> {
  const [command = '', ...input] = job.command.split(/(?<!\\)%/).map((part) => part.replaceAll('\\%', '%'));
  const [outRead, outWrite] = proc.pipe();
  const [inRead, inWrite] = proc.pipe();
  const env = new Map([
    ['HOME', account.home],
    ['LOGNAME', account.name],
    ['PATH', '/usr/bin:/bin'],
    ['LANG', 'C.UTF-8'],
    ['SHELL', '/bin/sh'],
    ...job.env,
  ]);
  const shell = env.get('SHELL') ?? '/bin/sh';
  const child = proc.fork(
    function* (own) {
      own.setsid();
      const groups = new Accounts(own).groupsOf(account);
      Object.assign(own, {
        uid: account.uid,
        gid: account.gid,
        realUid: account.uid,
        realGid: account.gid,
        groups,
      });
      own.dup2(inRead, 0);
      own.dup2(outWrite, 1);
      own.dup2(outWrite, 2);
      for (const fd of [outRead, outWrite, inRead, inWrite]) if (fd > 2) own.close(fd);
      try {
        own.chdir(env.get('HOME') ?? '/');
        return yield* own.exec(shell, [shell, '-c', command], env);
      } catch (error) {
        if (!(error instanceof SystemError)) throw error;
        yield* own.write(2, `${shell}: ${error.text}\n`);
        return 127;
      }
    },
    { pgid: proc.pgid },
  );
  proc.close(outWrite);
  proc.close(inRead);
  if (input.length > 0) yield* proc.write(inWrite, `${input.join('\n')}\n`);
  proc.close(inWrite);
  const output = yield* proc.readAll(outRead);
  proc.close(outRead);
  yield* proc.wait({ pid: child.pid });
  return output;
}

function deliver(
  proc: Process,
  { job, account, output }: { readonly job: CronJob; readonly account: Account; readonly output: string },
): void {
  const to = job.env.get('MAILTO') ?? account.name;
  if (to === '') return;
  if (!proc.exists('/usr/sbin/sendmail')) {
    say(proc, 'CRON', '(CRON) info (No MTA installed, discarding output)');
    return;
  }
  const host = managerOf(proc.kernel).parts.hostname;
  const date = new Date(Math.floor(proc.now() / 1000)).toUTCString();
  const path = `/var/mail/${to.replace(/@.*$/, '').replaceAll('/', '')}`;
  const mail = [
    `From root@${host} ${date.slice(0, 3)} ${date.slice(8, 11)} ${date.slice(5, 7)} ${date.slice(17, 25)} ${date.slice(12, 16)}`,
    `From: root@${host} (Cron Daemon)`,
    `To: ${to}@${host}`,
    `Subject: Cron <${account.name}@${host}> ${job.command}`,
    'MIME-Version: 1.0',
    'Content-Type: text/plain; charset=UTF-8',
    `Date: ${date.replace('GMT', '+0000')}`,
    '',
    output.slice(0, MAX_MAIL_BYTES),
  ].join('\n');
  try {
    const fd = proc.openNow(path, { write: true, create: true, append: true, mode: 0o660 });
    proc.file(fd).writeNow(toBytes(`${mail}\n`));
    proc.close(fd);
    const owner = new Accounts(proc).userNamed(to);
    if (owner !== undefined) proc.chown(path, { uid: owner.uid, gid: 8 });
  } catch (error) {
    if (!(error instanceof SystemError)) throw error;
  }
}
