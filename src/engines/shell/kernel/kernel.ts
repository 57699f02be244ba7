/**
 * The kernel of one simulated machine: processes, the scheduler, the virtual clock and signals.
 *
 * The idea: processes are synchronous generators in one first-in-first-out ready queue, so a run depends on state and
 * input only. Work costs virtual time (a tick is one microsecond) and the clock jumps to the next timer when nobody
 * can run; thus a busy loop ends a run at its deadline as sleeping does. Nothing here reads a clock or draws chance.
 * Source: credentials(7), signal(7), pipe(7). Not covered: threads, several processors, priorities.
 */
import type { Consultant, HostCall, HostReply, RandomStream } from '../../../core/index.js';
import { absolute, askWrite, listening } from './consult.js';
import { SystemError } from './errors.js';
import type { FileSystem } from './file-system.js';
import type { Inode } from './inode.js';
import type { ListeningPort } from './listening-port.js';
import { Network } from './network.js';
import type { PackageIndex } from './package-index.js';
import type { Credentials } from './path-walk.js';
import { Pipe } from './pipe.js';
import { type ExitStatus, Process, type ProcessSpec } from './process.js';
import { defaultAction, SIG } from './signals.js';
import type { Terminal } from './terminal.js';
import { TimerList } from './timers.js';
import { type Program, type Wait, WaitQueue, type WaitReply } from './wait.js';

/** How many ticks a process may run before others get their turn. */
const SLICE_TICKS = 1000;
/** Ticks between two breaths, at which the driver gets control back. */
const BREATH_TICKS = 8_000;
/** Ticks of one run after which work costs more virtual time, so that long busy runs stay short in real time. */
const DEAR_AFTER_TICKS = 4_000_000;
const DEAR_FACTOR = 50;

/** Limits of a machine. */
export interface MachineLimits {
  /** Processes that may exist at once. */
  readonly processes: number;
  /** Descriptors of one process. */
  readonly descriptors: number;
}

/** What a kernel is made from. */
export interface KernelParts {
  readonly clock: { nowUs: number };
  readonly files: FileSystem;
  readonly random: RandomStream;
  readonly limits: MachineLimits;
  /** The program a binary in the file system stands for. */
  readonly programs: (name: string) => Program;
  /** What listens on the machine. Default: nothing. */
  readonly listening?: readonly ListeningPort[];
  /** What could be installed; null where nobody knows. Default: null. */
  readonly packageIndex?: PackageIndex | null;
  /** There is no network beyond the machine. Default: nobody knows. */
  readonly isOffline?: boolean | undefined;
}

/** What a run yields: a question to the Host, or null for a breath (nothing is asked). */
export type KernelYield = HostCall | null;

/** One machine. */
export class Kernel {
  readonly clock: { nowUs: number };
  readonly files: FileSystem;
  readonly random: RandomStream;
  readonly limits: MachineLimits;
  /** The program a binary stands for; replaced where a machine computes fewer. */
  programs: KernelParts['programs'];
  /** Ports that processes opened, by process number. */
  readonly opened = new Map<number, readonly ListeningPort[]>();
  private readonly fixedPorts: readonly ListeningPort[];
  /** Told of every process that ends; the service manager listens here. */
  onExit: ((proc: Process, status: ExitStatus) => void) | null = null;
  readonly packageIndex: PackageIndex | null;
  /** Who has which address on the machine. */
  readonly network: Network;
  /** Every process that has a number, zombies included. */
  readonly processes = new Map<number, Process>();
  /** Programs that broke (an error of ours, not of the simulated user): name and message. */
  readonly crashes: string[] = [];
  /** The machine's terminal, `/dev/pts/0`. */
  terminal: Terminal | null = null;
  /** Who decides starts of programs, reads and writes; null where nobody listens. Set by {@link listenTo}. */
  consult: Consultant | null = null;
  nextPid = 1;
  /** How far the clock was set so far. */
  jumpedUs = 0;
  /** Woken when the clock is set; who waits for a moment by itself looks again. */
  readonly jumped = new WaitQueue();
  private ready: Process[] = [];
  private readonly timers = new TimerList<Process>();
  private readonly pipes = new Map<number, Pipe>();
  private readonly openInodes = new Map<number, number>();
  nextPipeIno = 2 ** 31;
  private ticks = 0;
  private sliceEnd = SLICE_TICKS;
  private tickUs = 1;
  private current: Process | null = null;
  /** The process that ran waits for something outside the machine. */
  private wantsBreath = false;

  constructor(parts: KernelParts) {
    this.clock = parts.clock;
    this.files = parts.files;
    this.random = parts.random;
    this.limits = parts.limits;
    this.programs = parts.programs;
    this.fixedPorts = parts.listening ?? [];
    this.packageIndex = parts.packageIndex ?? null;
    this.network = new Network(
      () => this.listening,
      this.clock,
      () => this.random.next(),
    );
    this.network.isOffline = parts.isOffline === true;
    this.files.isOpen = (ino) => this.openInodes.has(ino);
  }

  /** What listens now. */
  get listening(): readonly ListeningPort[] {
    return [...this.fixedPorts, ...[...this.opened.values()].flat()];
  }

  /** Asks a consultant about starts, reads and writes from now on, or nobody. */
  listenTo(consult: Consultant | null): void {
    this.consult = consult;
    const asked = listening(consult, 'file.write');
    this.files.onWrite =
      asked === null
        ? null
        : (opened, facts) => {
            const proc = this.current;
            const path = proc === null ? opened : absolute(proc, opened);
            return askWrite(asked, { name: proc?.comm ?? 'kernel', path, facts: { how: 'write', ...facts } });
          };
  }

  /** The process that runs now, or null between slices. */
  currentProcess(): Process | null {
    return this.current;
  }

  /** Microseconds that passed, whatever the clock was set to. */
  get monotonicUs(): number {
    return this.clock.nowUs - this.jumpedUs;
  }

  /** Counts work; true where the slice is used up. */
  tick(cost: number): boolean {
    this.ticks += cost;
    this.clock.nowUs += cost * this.tickUs;
    return this.ticks >= this.sliceEnd;
  }

  /** Makes a process. Raises `EAGAIN` where there are too many. */
  start(spec: ProcessSpec, program: Program): Process {
    if (this.processes.size >= this.limits.processes) throw new SystemError('EAGAIN');
    return this.startAs(this.nextPid++, spec, program);
  }

  /** Makes a process of a given number, for machines that are made again. */
  startAs(pid: number, spec: ProcessSpec, program: Program): Process {
    const proc = new Process(this, pid, spec);
    this.processes.set(proc.pid, proc);
    proc.running = program(proc);
    proc.state = 'ready';
    this.ready.push(proc);
    return proc;
  }

  /** Puts a waiting process into the ready queue; it goes on with the reply. */
  makeReady(proc: Process, reply: WaitReply): void {
    if (proc.state !== 'blocked') return;
    this.unblock(proc);
    proc.reply = reply;
    if (proc.isStopped) {
      proc.state = 'stopped';
      return;
    }
    proc.state = 'ready';
    this.ready.push(proc);
  }

  /**
   * Lets processes run until a moment of the virtual clock, or until `isDone` says so (asked between slices). The
   * clock then stands at the moment where nobody had more to do before it, or where `isDone` was true.
   */
  *run(
    untilUs: number,
    isDone: () => boolean = () => false,
  ): Generator<KernelYield, void, HostReply | undefined> {
    this.ticks = 0;
    this.tickUs = 1;
    let breath = BREATH_TICKS;
    while (!isDone()) {
      if (this.clock.nowUs >= untilUs) return;
      this.wakeDue();
      const proc = this.ready.shift();
      if (proc === undefined) {
        if (!this.jump(untilUs)) return;
        continue;
      }
      if (proc.state !== 'ready') continue;
      const call = this.slice(proc);
      if (this.wantsBreath) {
        this.wantsBreath = false;
        yield null;
      }
      if (call !== null) proc.reply = (yield call) ?? { do: 'proceed' };
      if (this.ticks >= breath) {
        breath = this.ticks + BREATH_TICKS;
        if (this.ticks > DEAR_AFTER_TICKS) this.tickUs = DEAR_FACTOR;
        yield null;
      }
    }
  }

  /** Lets every process that was made again reach its wait, in no time: clock and work stay as they are. */
  settleAll(): void {
    const { nowUs } = this.clock;
    for (let proc = this.ready.shift(); proc !== undefined; proc = this.ready.shift()) {
      const { cpuUs } = proc;
      this.slice(proc);
      proc.cpuUs = cpuUs;
    }
    this.clock.nowUs = nowUs;
  }

  /** Sets the clock forwards or backwards; who sleeps goes on sleeping as long as before. */
  jumpClock(us: number): void {
    this.clock.nowUs += us;
    this.jumpedUs += us;
    this.jumped.wake();
    this.timers.shift(us);
  }

  /** True where somebody could run or wakes up by time. */
  hasWork(): boolean {
    return this.ready.length > 0 || this.timers.firstUs() !== undefined;
  }

  /** Runs one slice of one process; returns a question for the Host, if it has one. */
  private slice(proc: Process): HostCall | null {
    this.sliceEnd = this.ticks + SLICE_TICKS;
    this.current = proc;
    try {
      return this.resume(proc);
    } finally {
      this.current = null;
    }
  }

  private resume(proc: Process): HostCall | null {
    const startTicks = this.ticks;
    if (proc.hasPending && !this.deliver(proc)) return null;
    const reply = proc.reply;
    proc.reply = 'ready';
    proc.state = 'running';
    let step: IteratorResult<Wait, number>;
    try {
      step = proc.running.next(reply);
    } catch (error) {
      this.crash(proc, error);
      return null;
    }
    if (step.done !== true && step.value.kind === 'breath') {
      this.wantsBreath = true;
      proc.state = 'ready';
      this.ready.unshift(proc);
      return null;
    }
    proc.cpuUs += this.ticks - startTicks + 1;
    this.tick(1);
    if (proc.state !== 'running') return null;
    if (step.done === true) {
      this.end(proc, { code: step.value & 0xff });
      return null;
    }
    return this.settle(proc, step.value);
  }

  /** Does what a yielded wait asks. */
  private settle(proc: Process, wait: Wait): HostCall | null {
    if (wait.kind === 'block') {
      proc.state = 'blocked';
      proc.waitsOn = wait.on;
      for (const queue of wait.on) queue.add(proc);
      if (wait.untilUs !== undefined) this.timers.add(wait.untilUs, proc);
      if (proc.hasPending) this.makeReady(proc, 'signal');
      return null;
    }
    if (wait.kind === 'become') proc.running = wait.program(proc);
    proc.state = 'ready';
    if (proc.isStopped) proc.state = 'stopped';
    else this.ready.push(proc);
    return wait.kind === 'host' ? wait.call : null;
  }

  /** Jumps to the next timer; false where there is none before the moment, and the clock then stands at it. */
  private jump(untilUs: number): boolean {
    const nextUs = this.timers.firstUs();
    if (nextUs === undefined || nextUs > untilUs) {
      if (Number.isFinite(untilUs)) this.clock.nowUs = Math.max(this.clock.nowUs, untilUs);
      return false;
    }
    this.clock.nowUs = Math.max(this.clock.nowUs, nextUs);
    this.wakeDue();
    return true;
  }

  /** Makes ready whose time has come, also while others work without a pause. */
  private wakeDue(): void {
    const { nowUs } = this.clock;
    if ((this.timers.firstUs() ?? Number.POSITIVE_INFINITY) > nowUs) return;
    for (const proc of this.timers.take(nowUs)) this.makeReady(proc, 'timeout');
  }

  private unblock(proc: Process): void {
    for (const queue of proc.waitsOn) queue.remove(proc);
    proc.waitsOn = [];
    this.timers.remove(proc);
  }

  /** A program threw: endless recursion is a segmentation fault, anything else is kept as an error of ours. */
  private crash(proc: Process, error: unknown): void {
    if (error instanceof RangeError && error.message.includes('call stack')) {
      this.end(proc, { signal: SIG.SEGV });
      return;
    }
    const message = error instanceof Error ? (error.stack ?? error.message) : String(error);
    this.crashes.push(`${proc.argv[0] ?? '?'}: ${message}`);
    this.end(proc, { signal: SIG.ABRT });
  }

  /** Sends a signal to one process, permission checked before. Signal 0 does nothing. */
  post(proc: Process, signal: number): void {
    if (signal === 0 || proc.state === 'zombie') return;
    const action = defaultAction(signal);
    if (action === 'continue' || signal === SIG.KILL) this.resumeStopped(proc, signal);
    if (action === 'stop') proc.pending.delete(SIG.CONT);
    if (signal === SIG.KILL && proc !== this.current) {
      this.end(proc, { signal });
      return;
    }
    if (proc.isIgnored(signal)) return;
    proc.pending.add(signal);
    proc.hasPending = true;
    if (proc.blockedSignals.has(signal)) return;
    const disposition = proc.dispositions.get(signal);
    if (typeof disposition !== 'function' && proc !== this.current) {
      this.deliver(proc);
      return;
    }
    this.makeReady(proc, 'signal');
  }

  /** Sends a signal to every process of a group; true where there was one. */
  postGroup(pgid: number, signal: number): boolean {
    const members = [...this.processes.values()].filter((one) => one.pgid === pgid && one.state !== 'zombie');
    for (const proc of members) this.post(proc, signal);
    return members.length > 0;
  }

  private resumeStopped(proc: Process, signal: number): void {
    for (const stop of [SIG.STOP, SIG.TSTP, SIG.TTIN, SIG.TTOU]) proc.pending.delete(stop);
    if (!proc.isStopped) return;
    proc.isStopped = false;
    if (proc.state === 'stopped') {
      proc.state = 'ready';
      this.ready.push(proc);
    }
    if (signal === SIG.CONT) this.report(proc, { continued: true });
  }

  /** Handles pending signals; false where the process can not go on now. */
  private deliver(proc: Process): boolean {
    for (const signal of [...proc.pending]) {
      if (proc.blockedSignals.has(signal)) continue;
      proc.pending.delete(signal);
      const disposition = proc.dispositions.get(signal);
      if (typeof disposition === 'function') {
        if (disposition(signal) === 'interrupt') proc.wasInterrupted = true;
        continue;
      }
      if (disposition === 'ignore') continue;
      const action = defaultAction(signal);
      if (action === 'end' || action === 'core') {
        this.end(proc, { signal });
        return false;
      }
      if (action === 'stop') this.stop(proc, signal);
    }
    proc.hasPending = [...proc.pending].some((signal) => !proc.blockedSignals.has(signal));
    return !proc.isStopped;
  }

  private stop(proc: Process, signal: number): void {
    if (proc.isStopped) return;
    proc.isStopped = true;
    if (proc.state === 'ready' || proc.state === 'running') proc.state = 'stopped';
    this.report(proc, { stopped: signal });
  }

  /** Tells the parent of a change of state. */
  private report(proc: Process, change: ExitStatus): void {
    proc.change = change;
    const parent = this.processes.get(proc.ppid);
    if (parent === undefined) return;
    parent.childQueue.wake();
    this.post(parent, SIG.CHLD);
  }

  /** Ends a process: descriptors close, children go to init, the parent is told. */
  end(proc: Process, status: ExitStatus): void {
    if (proc.state === 'zombie') return;
    this.unblock(proc);
    proc.state = 'zombie';
    proc.isStopped = false;
    proc.exit = status;
    proc.closeAll();
    proc.release();
    this.opened.delete(proc.pid);
    if (proc.pid === proc.sid && proc.terminal !== null) this.hangUp(proc, proc.terminal);
    for (const child of this.processes.values()) {
      if (child.ppid !== proc.pid) continue;
      child.ppid = 1;
      if (child.state === 'zombie') this.processes.delete(child.pid);
    }
    this.onExit?.(proc, status);
    const parent = this.processes.get(proc.ppid);
    if (parent === undefined || parent.reapsAll || parent.isIgnored(SIG.CHLD, 'explicitly')) {
      this.processes.delete(proc.pid);
      parent?.childQueue.wake();
      return;
    }
    this.report(proc, status);
  }

  /** A session's leader went: its foreground group is told, and stopped jobs go on to hear it. */
  private hangUp(leader: Process, terminal: Terminal): void {
    terminal.sid = 0;
    for (const proc of [...this.processes.values()]) {
      if (proc.sid !== leader.sid || proc === leader) continue;
      const isStopped = proc.isStopped;
      if (proc.pgid === terminal.foreground || isStopped) this.post(proc, SIG.HUP);
      if (isStopped) this.post(proc, SIG.CONT);
    }
  }

  /** The pipe behind a fifo's inode. */
  fifo(inode: Inode): Pipe {
    let pipe = this.pipes.get(inode.ino);
    if (pipe === undefined) {
      pipe = new Pipe(inode);
      this.pipes.set(inode.ino, pipe);
    }
    return pipe;
  }

  /** The inode of a new nameless pipe. */
  pipeInode(who: Credentials): Inode {
    const nowUs = this.clock.nowUs;
    const times = { atimeUs: nowUs, mtimeUs: nowUs, ctimeUs: nowUs, btimeUs: nowUs };
    const ids = { ino: this.nextPipeIno++, uid: who.uid, gid: who.gid, dev: 0, parent: 0, owner: 0 };
    return { kind: 'fifo', mode: 0o600, nlink: 1, ...times, ...ids };
  }

  /** Remembers that a descriptor holds an inode, so that it lives on without a name. */
  holdInode(ino: number): void {
    this.openInodes.set(ino, (this.openInodes.get(ino) ?? 0) + 1);
  }

  /** Forgets one holder. */
  dropInode(ino: number): void {
    const count = (this.openInodes.get(ino) ?? 0) - 1;
    if (count > 0) this.openInodes.set(ino, count);
    else {
      this.openInodes.delete(ino);
      this.files.release(ino);
    }
  }
}
