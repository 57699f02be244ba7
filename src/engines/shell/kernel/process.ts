/**
 * One process: who it is, what it has open, and its system calls about processes, signals and time.
 *
 * Source: fork(2), execve(2), waitpid(2), sigaction(2), setpgid(2), setsid(2). File calls are in `file-calls.ts`.
 * Not covered: threads, capabilities, namespaces.
 */
import type { HostCall, HostReply } from '../../../core/index.js';
import type { Checkpoint } from './checkpoint.js';
import { startAsTold } from './consult.js';
import { DEVICES } from './device.js';
import { SystemError } from './errors.js';
import { findProgram } from './exec.js';
import { type Descriptor, FileCalls } from './file-calls.js';
import type { Actor } from './file-system.js';
import type { Inode } from './inode.js';
import type { Kernel } from './kernel.js';
import type { OpenFile, OpenMode } from './open-file.js';
import { mayAccess } from './path-walk.js';
import { defaultAction, SIG } from './signals.js';
import { OpenTerminal, type Terminal } from './terminal.js';
import type { TerminalSettings } from './terminal-settings.js';
import { type Program, type Running, SLICE, type Wait, WaitQueue, type WaitReply } from './wait.js';

/** How a process ended or changed: exactly one field is set. */
export interface ExitStatus {
  readonly code?: number;
  readonly signal?: number;
  readonly stopped?: number;
  readonly continued?: boolean;
}

/** What a signal does: the default, nothing, or a function; `interrupt` makes a waiting call fail with `EINTR`. */
export type Disposition = 'default' | 'ignore' | ((signal: number) => 'restart' | 'interrupt');

/** What a new process starts with. */
export interface ProcessSpec {
  readonly argv: readonly string[];
  readonly env: ReadonlyMap<string, string>;
  readonly uid: number;
  readonly gid: number;
  readonly groups: readonly number[];
  readonly ppid: number;
  readonly pgid?: number;
  readonly sid?: number;
  readonly cwdIno: number;
  readonly umask: number;
}

/** Which children `wait` means. */
export interface WaitOptions {
  /** A process; absent for any child. */
  readonly pid?: number | undefined;
  /** Any child of a process group. */
  readonly pgid?: number;
  /** Return null at once where nothing happened. */
  readonly noHang?: boolean;
  /** Also report children that stopped. */
  readonly stopped?: boolean;
  /** Also report children that went on. */
  readonly continued?: boolean;
}

/** What happened to a child. */
export interface ChildEvent {
  readonly pid: number;
  readonly status: ExitStatus;
}

const FORK_TICKS = 150;
const EXEC_TICKS = 250;

// biome-ignore lint/correctness/useYield: a process that ended has nothing to do
function* nothing(): Running<number> {
  return 0;
}

/** The status as a shell shows it in `$?`: 128 + signal for one that a signal ended. */
export function shellStatus(status: ExitStatus): number {
  return status.code ?? 128 + (status.signal ?? status.stopped ?? 0);
}

/** One process of a machine. */
export class Process extends FileCalls {
  argv: readonly string[];
  /** The environment, in order; another one takes its place, it is never changed. */
  env: ReadonlyMap<string, string>;
  /** The name that `ps` shows as COMMAND (15 bytes at most). */
  comm: string;
  /** The path of the program that runs. */
  exe = '';
  /** Effective ids: permission checks look at them. */
  uid: number;
  gid: number;
  realUid: number;
  realGid: number;
  groups: readonly number[];
  ppid: number;
  pgid: number;
  sid: number;
  readonly startUs: number;
  /** Processor time that was used, children's excluded. */
  cpuUs = 0;
  override maxDescriptors: number;
  state: 'ready' | 'running' | 'blocked' | 'stopped' | 'zombie' = 'ready';
  isStopped = false;
  exit: ExitStatus | null = null;
  /** A stop or continue that no `wait` has reported. */
  change: ExitStatus | null = null;
  /** Ended children vanish at once (init). */
  reapsAll = false;
  /** The service that it belongs to, for example `nginx.service`; children inherit it. */
  cgroup = '';
  /** It only exists (a daemon of the start state) and never does anything. */
  isStatic = false;
  readonly dispositions = new Map<number, Disposition>();
  readonly blockedSignals = new Set<number>();
  readonly pending = new Set<number>();
  hasPending = false;
  wasInterrupted = false;
  /** Woken when a child changes. */
  readonly childQueue = new WaitQueue();
  /** The controlling terminal of its session. */
  terminal: Terminal | null = null;
  /** Set while the program waits at a place where it can be copied; see `checkpoint.ts`. */
  checkpoint: Checkpoint | null = null;
  running: Generator<Wait, number, WaitReply> = nothing();
  reply: WaitReply = 'ready';
  waitsOn: readonly WaitQueue[] = [];
  private cachedActor: Actor | null = null;

  constructor(
    override readonly kernel: Kernel,
    readonly pid: number,
    spec: ProcessSpec,
  ) {
    super();
    this.argv = spec.argv;
    this.env = spec.env;
    this.comm = (spec.argv[0] ?? '').replace(/^.*\//, '').slice(0, 15);
    this.uid = spec.uid;
    this.gid = spec.gid;
    this.realUid = spec.uid;
    this.realGid = spec.gid;
    this.groups = spec.groups;
    this.ppid = spec.ppid;
    this.pgid = spec.pgid ?? pid;
    this.sid = spec.sid ?? pid;
    this.cwdIno = spec.cwdIno;
    this.umask = spec.umask;
    this.startUs = kernel.clock.nowUs;
    this.maxDescriptors = kernel.limits.descriptors;
  }

  override get programName(): string {
    return this.comm;
  }

  override get actor(): Actor {
    const cached = this.cachedActor;
    if (
      cached !== null &&
      cached.uid === this.uid &&
      cached.gid === this.gid &&
      cached.groups === this.groups &&
      cached.cwdIno === this.cwdIno &&
      cached.umask === this.umask
    )
      return cached;
    const { uid, gid, groups, cwdIno, umask } = this;
    this.cachedActor = { uid, gid, groups, cwdIno, umask };
    return this.cachedActor;
  }

  // ---- looking without failing ----

  /** The inode a path leads to; undefined where there is none or it cannot be reached. Raises nothing. */
  find(path: string): Inode | undefined {
    try {
      return this.kernel.files.walk(this.actor, path, true).inode;
    } catch (error) {
      if (error instanceof SystemError) return undefined;
      throw error;
    }
  }

  /** Whether the process may read (4), write (2), execute (1) an inode. */
  may(inode: Inode, bits: number): boolean {
    return mayAccess(inode, this.actor, bits);
  }

  // ---- time and chance ----

  /** The machine's clock, microseconds since 1970. */
  now(): number {
    return this.kernel.clock.nowUs;
  }

  /** A number in [0, 1) from the machine's seeded stream. */
  random(): number {
    return this.kernel.random.next();
  }

  /**
   * Counts work of a loop that makes no system calls; true where the time slice is used up:
   * `if (proc.tick()) yield* proc.pause();`. One tick is a microsecond of virtual time.
   */
  tick(cost = 1): boolean {
    return this.kernel.tick(cost);
  }

  /** Lets others run. */
  *pause(): Running<void> {
    yield SLICE;
  }

  /** Waits on queues, or until a moment. Raises `EINTR` where a handler asked for that. */
  *block(on: readonly WaitQueue[], untilUs?: number): Running<'ready' | 'timeout'> {
    const reply = yield untilUs === undefined ? { kind: 'block', on } : { kind: 'block', on, untilUs };
    if (this.wasInterrupted) {
      this.wasInterrupted = false;
      throw new SystemError('EINTR');
    }
    return reply === 'timeout' ? 'timeout' : 'ready';
  }

  /** Sleeps. Raises `EINTR` where a handler asked for that. */
  *sleep(us: number): Running<void> {
    const untilUs = this.now() + us;
    while (this.now() < untilUs) if ((yield* this.block([], untilUs)) === 'timeout') return;
  }

  /** `poll`: waits until one of the descriptors can be read, or a moment; returns those that can. */
  *poll(fds: readonly number[], untilUs?: number): Running<readonly number[]> {
    for (;;) {
      const readable = fds.filter((fd) => this.file(fd).hasInput());
      if (readable.length > 0 || (untilUs !== undefined && this.now() >= untilUs)) return readable;
      yield* this.block(
        fds.map((fd) => this.file(fd).readable),
        untilUs,
      );
    }
  }

  /** Asks the world's Host. */
  *ask(call: HostCall): Running<HostReply> {
    const reply = yield { kind: 'host', call };
    if (typeof reply === 'string') throw new SystemError('EIO');
    return reply;
  }

  // ---- processes ----

  /**
   * `fork`: a child that runs `body` with copies of everything (descriptors are shared). Raises `EAGAIN`. The parent
   * goes on first. `pgid: 0` puts the child into a group of its own.
   */
  fork(body: Program, options: { readonly pgid?: number } = {}): Process {
    this.tick(FORK_TICKS);
    const { argv, env, uid, gid, groups, sid, cwdIno, umask } = this;
    const pgid = options.pgid === 0 ? {} : { pgid: options.pgid ?? this.pgid };
    const child = this.kernel.start(
      { argv, env, uid, gid, groups, ppid: this.pid, ...pgid, sid, cwdIno, umask },
      body,
    );
    child.comm = this.comm;
    child.exe = this.exe;
    child.realUid = this.realUid;
    child.realGid = this.realGid;
    child.maxDescriptors = this.maxDescriptors;
    child.cgroup = this.cgroup;
    child.terminal = this.terminal;
    for (const [signal, disposition] of this.dispositions) child.dispositions.set(signal, disposition);
    for (const signal of this.blockedSignals) child.blockedSignals.add(signal);
    this.descriptors.forEach((descriptor, fd) => {
      if (descriptor !== undefined) child.descriptors[fd] = copyDescriptor(descriptor);
    });
    return child;
  }

  /**
   * `execve`: goes on as the program at a path (no PATH lookup). Never returns; raises `ENOENT`, `EACCES`, `ENOEXEC`
   * (a text without `#!`), `EISDIR` as `EACCES`. Handled signals go back to their default.
   */
  *exec(path: string, argv: readonly string[], env: ReadonlyMap<string, string> = this.env): Running<never> {
    const told = startAsTold(this, { path, argv });
    const found = findProgram(this, path, argv);
    const program = told === null ? found.program : told(found.program);
    this.become(program, { argv: found.argv, env, exe: found.path });
    if (found.setuid !== undefined) this.uid = found.setuid;
    if (found.setgid !== undefined) this.gid = found.setgid;
    this.tick(EXEC_TICKS);
    yield { kind: 'become', program };
    throw new SystemError('EIO', path);
  }

  private become(
    _program: Program,
    image: { argv: readonly string[]; env: ReadonlyMap<string, string>; exe: string },
  ): void {
    this.argv = image.argv;
    this.env = image.env;
    this.exe = image.exe;
    this.checkpoint = null;
    this.comm = (image.exe.split('/').pop() ?? '').slice(0, 15);
    for (const [signal, disposition] of this.dispositions) {
      if (disposition !== 'ignore') this.dispositions.delete(signal);
    }
    this.descriptors.forEach((descriptor, fd) => {
      if (descriptor?.closeOnExec === true) this.close(fd);
    });
  }

  /** Waits for a child to end (or stop, or go on). Null with `noHang`. Raises `ECHILD`, `EINTR`. */
  *wait(options: WaitOptions = {}): Running<ChildEvent | null> {
    for (;;) {
      const event = this.childEvent(options);
      if (event !== undefined) return event;
      if (options.noHang === true) return null;
      yield* this.block([this.childQueue]);
    }
  }

  /** The children, zombies included. */
  children(): Process[] {
    return [...this.kernel.processes.values()].filter((one) => one.ppid === this.pid);
  }

  private childEvent(options: WaitOptions): ChildEvent | undefined {
    let count = 0;
    for (const child of this.kernel.processes.values()) {
      if (child.ppid !== this.pid) continue;
      if (options.pid !== undefined && child.pid !== options.pid) continue;
      if (options.pgid !== undefined && child.pgid !== options.pgid) continue;
      count += 1;
      if (child.exit !== null) {
        this.kernel.processes.delete(child.pid);
        return { pid: child.pid, status: child.exit };
      }
      const { change } = child;
      if (change === null) continue;
      if (
        (change.stopped !== undefined && options.stopped === true) ||
        (change.continued === true && options.continued === true)
      ) {
        child.change = null;
        return { pid: child.pid, status: change };
      }
    }
    if (count === 0) throw new SystemError('ECHILD');
    return undefined;
  }

  /** Every process of the machine, by number: what `ps`, `top`, `pgrep` show. */
  processes(): Process[] {
    return [...this.kernel.processes.values()].sort((one, other) => one.pid - other.pid);
  }

  /** The process of a number. Raises `ESRCH`. */
  processOf(pid: number): Process {
    const proc = this.kernel.processes.get(pid);
    if (proc === undefined) throw new SystemError('ESRCH');
    return proc;
  }

  /** `setpgid`; 0 means the process itself. */
  setpgid(pid: number, pgid: number): void {
    const proc = pid === 0 ? this : this.processOf(pid);
    proc.pgid = pgid === 0 ? proc.pid : pgid;
  }

  /** `setsid`: a session and a group of its own, without a terminal. */
  setsid(): void {
    if (this.pgid === this.pid) throw new SystemError('EPERM');
    this.sid = this.pid;
    this.pgid = this.pid;
    this.terminal = null;
  }

  // ---- signals ----

  /** `sigaction`. SIGKILL and SIGSTOP raise `EINVAL`. */
  onSignal(signal: number, disposition: Disposition): void {
    if (signal === SIG.KILL || signal === SIG.STOP) throw new SystemError('EINVAL');
    if (disposition === 'default') this.dispositions.delete(signal);
    else this.dispositions.set(signal, disposition);
    if (this.isIgnored(signal)) this.pending.delete(signal);
  }

  /** True where a signal would do nothing; `explicitly` leaves defaults out. */
  isIgnored(signal: number, how?: 'explicitly'): boolean {
    const disposition = this.dispositions.get(signal);
    if (disposition === 'ignore') return true;
    return disposition === undefined && how === undefined && defaultAction(signal) === 'ignore';
  }

  /**
   * `kill`: to a process (pid > 0), the own group (0), everybody (-1) or a group (-pgid). Raises `ESRCH`, `EPERM`,
   * `EINVAL`. A signal to oneself works before this returns.
   */
  *kill(pid: number, signal: number): Running<void> {
    if (signal < 0 || signal > 64) throw new SystemError('EINVAL');
    const targets = this.targetsOf(pid);
    if (targets.length === 0) throw new SystemError('ESRCH');
    const allowed = targets.filter((one) => this.maySignal(one, signal));
    if (allowed.length === 0) throw new SystemError('EPERM');
    for (const target of allowed) this.kernel.post(target, signal);
    if (this.hasPending) yield SLICE;
  }

  private targetsOf(pid: number): Process[] {
    if (pid > 0) {
      const proc = this.kernel.processes.get(pid);
      return proc === undefined ? [] : [proc];
    }
    const all = [...this.kernel.processes.values()];
    if (pid === -1) return all.filter((one) => one.pid !== 1 && one !== this);
    const pgid = pid === 0 ? this.pgid : -pid;
    return all.filter((one) => one.pgid === pgid);
  }

  private maySignal(target: Process, signal: number): boolean {
    if (this.uid === 0 || this.uid === target.realUid || this.realUid === target.realUid) return true;
    return signal === SIG.CONT && target.sid === this.sid;
  }

  protected override *brokenPipe(): Running<void> {
    this.kernel.post(this, SIG.PIPE);
    if (this.hasPending) yield SLICE;
  }

  /** Sends itself SIGPIPE where a write found no reader; used by buffered output. */
  *raiseBrokenPipe(): Running<void> {
    yield* this.brokenPipe();
  }

  protected override openTerminal(inode: Inode, path: string, mode: OpenMode): OpenFile {
    const terminal = inode.rdev === DEVICES.tty ? this.terminal : this.kernel.terminal;
    if (terminal === null) throw new SystemError('ENXIO', path);
    return new OpenTerminal(terminal, mode, path);
  }

  // ---- the terminal ----

  /** `tcgetpgrp`: the foreground process group. Raises `ENOTTY`. */
  tcgetpgrp(fd: number): number {
    return this.terminalOf(fd).foreground;
  }

  /** `tcsetpgrp`: puts a process group into the foreground. Raises `ENOTTY`, `EPERM`. */
  tcsetpgrp(fd: number, pgid: number): void {
    const terminal = this.terminalOf(fd);
    if (terminal.sid !== this.sid) throw new SystemError('ENOTTY');
    terminal.foreground = pgid;
  }

  /** `tcgetattr`. Raises `ENOTTY`. */
  tcgetattr(fd: number): TerminalSettings {
    return this.terminalOf(fd).settings;
  }

  /** `tcsetattr`: changes some settings. Raises `ENOTTY`. */
  tcsetattr(fd: number, settings: Partial<TerminalSettings>): void {
    this.terminalOf(fd).change(settings);
  }

  /** The size of the screen. Raises `ENOTTY`. */
  windowSize(fd: number): { readonly rows: number; readonly columns: number } {
    const { rows, columns } = this.terminalOf(fd);
    return { rows, columns };
  }

  private terminalOf(fd: number): Terminal {
    const file = this.file(fd);
    if (!(file instanceof OpenTerminal)) throw new SystemError('ENOTTY');
    return file.terminal;
  }

  protected override *toForeground(file: OpenFile): Running<void> {
    if (!(file instanceof OpenTerminal)) return;
    const { terminal } = file;
    while (terminal === this.terminal && terminal.foreground !== this.pgid) {
      if (this.isIgnored(SIG.TTIN) || this.blockedSignals.has(SIG.TTIN)) throw new SystemError('EIO');
      this.kernel.postGroup(this.pgid, SIG.TTIN);
      yield SLICE;
    }
  }

  /** Forgets what it ran; called when it ended. */
  release(): void {
    this.running = nothing();
  }
}

function copyDescriptor(descriptor: Descriptor): Descriptor {
  return { file: descriptor.file.retain(), closeOnExec: descriptor.closeOnExec };
}
