/**
 * The service manager: systemd's states of a service and how they follow from starts, stops and ends of processes.
 *
 * The idea: it is a state machine without a process of its own. `systemctl` calls it, the kernel tells it of processes that
 * ended, and process 1 wakes it when something is due. All it knows are plain values (`unit.ts`), so a machine with
 * services can be copied. Source: systemd 252, `service.c`; systemd.service(5). Not covered: other kinds of units,
 * dependencies and their order, sockets, watchdogs, resource limits; a program of the machine that says `Type=notify`
 * counts as ready at once.
 */
import type { ExitStatus, Kernel, Process, Program } from '../kernel/index.js';
import { SIG, SystemError } from '../kernel/index.js';
import { type EndedProcess, endOf, endWords, isClean, resultOf, type Unit, type UnitJob } from './unit.js';
import { parseSpan, type UnitCommand } from './unit-file.js';
import { killUnit, membersOf, spawnUnit } from './unit-process.js';
import { type ManagerParts, UnitRecords } from './unit-records.js';

const INFO = 6;
const NOTICE = 5;
const WARNING = 4;
const ERROR = 3;
const STOP_US = 90e6;
const START_LIMIT = 5;
const START_LIMIT_US = 10e6;
const RESTART_US = 100_000;

const managers = new WeakMap<Kernel, ServiceManager>();

/** The service manager of a machine. */
export function managerOf(kernel: Kernel): ServiceManager {
  const manager = managers.get(kernel);
  if (manager === undefined) throw new Error('the machine has no service manager');
  return manager;
}

/** The service manager. */
export class ServiceManager extends UnitRecords {
  constructor(kernel: Kernel, parts: ManagerParts) {
    super(kernel, parts);
    managers.set(kernel, this);
    kernel.onExit = (proc, status) => this.processEnded(proc, status);
  }

  // ---- what people ask for ----

  /** Starts a unit; `unit.job` says when it is done and how. */
  start(unit: Unit): void {
    if (unit.active === 'active' || (unit.active === 'activating' && unit.sub !== 'auto-restart')) {
      unit.job = this.job('start', 'done');
      return;
    }
    unit.job = this.job('start');
    unit.restarts = 0;
    this.begin(unit);
  }

  /** Stops a unit. */
  stop(unit: Unit): void {
    unit.restartAtUs = 0;
    if (unit.active === 'activating' && unit.sub === 'auto-restart') {
      unit.job = this.job('stop', 'done');
      this.set(unit, 'inactive', 'dead');
      this.sayJob(unit, 'Stopped', { kind: 'stopped' });
      return;
    }
    if (unit.active === 'inactive' || unit.active === 'failed') {
      unit.job = this.job('stop', 'done');
      return;
    }
    unit.job = this.job('stop');
    this.end(unit);
  }

  /** Stops and starts a unit. */
  restart(unit: Unit): void {
    if (unit.active === 'active' || unit.active === 'deactivating') {
      unit.job = this.job('restart');
      this.end(unit);
    } else {
      unit.restartAtUs = 0;
      unit.job = this.job('start');
      unit.restarts = 0;
      this.begin(unit);
    }
  }

  /** Tells a unit to read its configuration again; false where it cannot. */
  reload(unit: Unit, problemOf: (main: Process) => string | null): boolean {
    const command = this.commands(unit, 'ExecReload')[0];
    if (command === undefined) return false;
    unit.job = this.job('reload');
    const main = this.kernel.processes.get(unit.mainPid);
    this.sayJob(unit, 'Reloading', { kind: 'begin' });
    this.set(unit, 'reloading', 'reload');
    if (this.isScripted(unit) && main !== undefined) {
      const isBad = problemOf(main) !== null;
      const pid = this.kernel.nextPid++;
      this.kernel.post(main, SIG.HUP);
      this.reloaded(unit, {
        pid,
        key: 'ExecReload',
        line: command.line,
        how: 'exited',
        status: isBad ? 1 : 0,
      });
      return true;
    }
    this.control(unit, 'ExecReload', command);
    return true;
  }

  /** Forgets failures. */
  forget(unit: Unit): void {
    unit.starts = [];
    unit.restarts = 0;
    unit.result = 'success';
    if (unit.active === 'failed') this.set(unit, 'inactive', 'dead');
  }

  private job(kind: UnitJob['kind'], result: UnitJob['result'] = null): UnitJob {
    this.nextJob += 67;
    return { id: this.nextJob, kind, result };
  }

  // ---- coming up ----

  private begin(unit: Unit): void {
    const nowUs = this.kernel.clock.nowUs;
    const spanUs = parseSpan(this.value(unit, 'Unit', 'StartLimitIntervalSec') ?? '') ?? START_LIMIT_US;
    const limit = Number(this.value(unit, 'Unit', 'StartLimitBurst') ?? START_LIMIT);
    unit.starts = unit.starts.filter((one) => one > nowUs - spanUs);
    unit.restartAtUs = 0;
    unit.beganUs = nowUs;
    if (spanUs > 0 && unit.starts.length >= limit) {
      this.say({ priority: WARNING, text: `${unit.name}: Start request repeated too quickly.`, unit });
      if (unit.result === 'success') unit.result = 'start-limit-hit';
      this.fallDown(unit, unit.result, { mayRestart: false });
      return;
    }
    unit.starts = [...unit.starts, nowUs];
    unit.controls = [];
    unit.main = null;
    unit.mainPid = 0;
    unit.preAt = 0;
    unit.result = 'success';
    this.set(unit, 'activating', 'start');
    const isQuiet = this.typeOf(unit) === 'simple' && this.commands(unit, 'ExecStartPre').length === 0;
    if (!isQuiet) this.sayJob(unit, 'Starting', { kind: 'begin' });
    this.comeUp(unit);
  }

  private comeUp(unit: Unit): void {
    const before = this.commands(unit, 'ExecStartPre')[unit.preAt];
    if (before !== undefined) {
      unit.sub = 'start-pre';
      this.control(unit, 'ExecStartPre', before);
      return;
    }
    unit.sub = 'start';
    const command = this.commands(unit, 'ExecStart')[0];
    if (command === undefined) {
      this.say({ priority: ERROR, text: `${unit.name}: Service has no ExecStart=, refusing.`, unit });
      this.fallDown(unit, 'resources', { mayRestart: false });
      return;
    }
    const type = this.typeOf(unit);
    if (type === 'forking') {
      this.control(unit, 'ExecStart', command);
      return;
    }
    const proc = this.spawn(unit, command);
    if (proc === null) return;
    unit.mainPid = proc.pid;
    const isReadyLater = type === 'oneshot' || (type === 'notify' && this.isScripted(unit));
    if (!isReadyLater) this.up(unit);
  }

  private up(unit: Unit): void {
    this.set(unit, 'active', 'running');
    unit.activeUs = this.kernel.clock.nowUs;
    this.sayJob(unit, 'Started', { kind: 'started' });
    this.finish(unit, 'done');
  }

  /** A scripted daemon says that it is up. */
  ready(proc: Process): void {
    const unit = this.unitOf(proc);
    if (unit?.mainPid === proc.pid && unit.active === 'activating') this.up(unit);
  }

  /** A scripted daemon goes on in a child of process 1. */
  handOver(name: string, from: Process, program: Program): void {
    const unit = this.units.get(name);
    const { argv, env, uid, gid, groups, cwdIno, umask } = from;
    const child = this.kernel.start({ argv, env, uid, gid, groups, ppid: 1, cwdIno, umask }, program);
    child.exe = from.exe;
    child.comm = from.comm;
    child.cgroup = from.cgroup;
    if (unit !== undefined) unit.mainPid = child.pid;
  }

  private control(unit: Unit, key: string, command: UnitCommand): void {
    const proc = this.spawn(unit, command);
    if (proc === null) return;
    unit.controlPid = proc.pid;
    unit.control = [key, command.line, command.mayFail];
  }

  /** Starts a process of a unit; where that is not possible the unit fails. */
  private spawn(unit: Unit, command: UnitCommand): Process | null {
    try {
      const isMain = command.line === this.commands(unit, 'ExecStart')[0]?.line;
      const program = isMain && this.isScripted(unit) ? this.parts.daemon(unit.name) : null;
      return spawnUnit(this, unit, { command, init: this.init, program });
    } catch (error) {
      if (!(error instanceof SystemError)) throw error;
      const text = `${unit.name}: Failed to run 'start' task: ${error.text}`;
      this.say({ priority: WARNING, text, unit });
      this.fallDown(unit, 'resources', { mayRestart: false });
      return null;
    }
  }

  // ---- ends ----

  private unitOf(proc: Process): Unit | undefined {
    return proc.cgroup === '' ? undefined : this.units.get(proc.cgroup);
  }

  private processEnded(proc: Process, status: ExitStatus): void {
    const unit = this.unitOf(proc);
    if (unit === undefined) return;
    if (proc.pid === unit.controlPid && unit.control !== null) {
      const [key, line] = unit.control;
      this.controlEnded(unit, endOf(status, { pid: proc.pid, key, line }));
    } else if (proc.pid === unit.mainPid) {
      const line = this.commands(unit, 'ExecStart')[0]?.line ?? '';
      this.mainEnded(unit, endOf(status, { pid: proc.pid, key: 'ExecStart', line }));
    }
  }

  private controlEnded(unit: Unit, ended: EndedProcess): void {
    const mayFail = unit.control?.[2] === true;
    unit.controlPid = 0;
    unit.control = null;
    unit.controls = [...unit.controls, ended];
    if (ended.key === 'ExecReload') {
      this.reloaded(unit, ended);
      return;
    }
    if (!isClean(ended) && !mayFail) {
      this.sayEnd(unit, 'Control', ended);
      this.fallDown(unit, resultOf(ended), { mayRestart: true });
      return;
    }
    if (ended.key === 'ExecStartPre') {
      unit.preAt += 1;
      this.comeUp(unit);
      return;
    }
    if (unit.mainPid === 0) unit.mainPid = membersOf(this.kernel, unit.name)[0]?.pid ?? 0;
    if (unit.mainPid === 0) this.fallDown(unit, 'protocol', { mayRestart: true });
    else this.up(unit);
  }

  private reloaded(unit: Unit, ended: EndedProcess): void {
    unit.controls = [...unit.controls.filter(({ key }) => key !== 'ExecReload'), ended];
    const isGood = isClean(ended);
    if (isGood) this.sayJob(unit, 'Reloaded', { kind: 'started' });
    else {
      this.sayEnd(unit, 'Control', ended);
      this.say({ priority: ERROR, text: `Reload failed for ${this.titleOf(unit)}.`, unit });
    }
    unit.active = 'active';
    unit.sub = 'running';
    if (!isGood) unit.result = resultOf(ended);
    this.finish(unit, isGood ? 'done' : 'failed');
  }

  private sayEnd(unit: Unit, which: string, ended: EndedProcess): void {
    const text = `${unit.name}: ${which} process exited, ${endWords(ended)}`;
    const catalog = ['exited', unit.name, ended.key, ended.how, String(ended.status)] as const;
    this.say({ priority: NOTICE, text, unit, catalog });
  }

  private mainEnded(unit: Unit, ended: EndedProcess): void {
    unit.main = ended;
    unit.mainPid = 0;
    if (unit.activeUs > 0) unit.durationUs = this.kernel.clock.nowUs - unit.activeUs;
    if (!isClean(ended)) this.sayEnd(unit, 'Main', ended);
    killUnit(this.kernel, unit.name, SIG.KILL);
    if (unit.active === 'deactivating') {
      this.stopped(unit, isClean(ended) || unit.result !== 'timeout' ? 'success' : 'timeout');
      return;
    }
    if (this.typeOf(unit) === 'oneshot' && isClean(ended)) {
      this.finishOneshot(unit);
      return;
    }
    const isStarting = unit.active === 'activating';
    const result = isStarting && isClean(ended) ? 'protocol' : resultOf(ended);
    this.fallDown(unit, result, { mayRestart: true });
  }

  private finishOneshot(unit: Unit): void {
    const stays = /^(yes|true|1|on)$/i.test(this.value(unit, 'Service', 'RemainAfterExit') ?? '');
    if (stays) {
      this.set(unit, 'active', 'exited');
      unit.activeUs = this.kernel.clock.nowUs;
    } else {
      this.say({
        priority: INFO,
        text: `${unit.name}: Deactivated successfully.`,
        unit,
        catalog: ['dead', unit.name],
      });
      this.set(unit, 'inactive', 'dead');
    }
    this.sayJob(unit, 'Finished', { kind: 'started' });
    this.finish(unit, 'done');
  }

  /** The processes of a unit are gone without anybody asking for it. */
  private fallDown(unit: Unit, result: string, how: { readonly mayRestart: boolean }): void {
    const isGood = result === 'success';
    unit.result = result;
    killUnit(this.kernel, unit.name, SIG.KILL);
    unit.controlPid = 0;
    unit.control = null;
    if (isGood)
      this.say({
        priority: INFO,
        text: `${unit.name}: Deactivated successfully.`,
        unit,
        catalog: ['dead', unit.name],
      });
    else
      this.say({
        priority: WARNING,
        text: `${unit.name}: Failed with result '${result}'.`,
        unit,
        catalog: ['failed', unit.name, result],
      });
    const isRestarted = how.mayRestart && this.wantsRestart(unit, result);
    if (isRestarted) {
      const us = parseSpan(this.value(unit, 'Service', 'RestartSec') ?? '') ?? RESTART_US;
      unit.restartAtUs = this.kernel.monotonicUs + Math.max(1, us);
      this.set(unit, 'activating', 'auto-restart');
    } else if (isGood) this.set(unit, 'inactive', 'dead');
    else this.set(unit, 'failed', 'failed');
    const isWaitedFor = unit.job?.result === null && unit.job.kind !== 'stop';
    if (isWaitedFor || (!isGood && unit.main === null) || !how.mayRestart)
      this.sayJob(unit, 'Failed to start', { kind: 'start-failed', priority: ERROR });
    this.finish(unit, 'failed');
    this.alarm.wake();
  }

  private wantsRestart(unit: Unit, result: string): boolean {
    const policy = this.value(unit, 'Service', 'Restart') ?? 'no';
    if (policy === 'always') return true;
    if (policy === 'on-success') return result === 'success';
    if (policy === 'on-failure') return result !== 'success';
    return policy === 'on-abnormal' && result !== 'success' && result !== 'exit-code';
  }

  private end(unit: Unit): void {
    this.set(unit, 'deactivating', 'stop-sigterm');
    this.sayJob(unit, 'Stopping', { kind: 'stopping' });
    const us = parseSpan(this.value(unit, 'Service', 'TimeoutStopSec') ?? '') ?? STOP_US;
    unit.stopByUs = this.kernel.monotonicUs + us;
    this.alarm.wake();
    killUnit(this.kernel, unit.name, SIG.TERM);
    if (membersOf(this.kernel, unit.name).length === 0 && unit.active === 'deactivating')
      this.stopped(unit, 'success');
  }

  private stopped(unit: Unit, result: string): void {
    unit.stopByUs = 0;
    unit.result = result;
    if (result === 'success')
      this.say({
        priority: INFO,
        text: `${unit.name}: Deactivated successfully.`,
        unit,
        catalog: ['dead', unit.name],
      });
    else
      this.say({
        priority: WARNING,
        text: `${unit.name}: Failed with result '${result}'.`,
        unit,
        catalog: ['failed', unit.name, result],
      });
    this.set(unit, result === 'success' ? 'inactive' : 'failed', result === 'success' ? 'dead' : 'failed');
    this.sayJob(unit, 'Stopped', { kind: 'stopped' });
    if (unit.job?.kind === 'restart' && unit.job.result === null) this.begin(unit);
    else this.finish(unit, 'done');
  }

  private set(unit: Unit, active: Unit['active'], sub: string): void {
    unit.active = active;
    unit.sub = sub;
    unit.sinceUs = this.kernel.clock.nowUs;
    this.changed.wake();
  }

  private finish(unit: Unit, result: 'done' | 'failed'): void {
    if (unit.job !== null && unit.job.result === null) unit.job = { ...unit.job, result };
    this.changed.wake();
  }

  // ---- time ----

  /** Does what is due; process 1 calls it. */
  tick(): void {
    const nowUs = this.kernel.monotonicUs;
    for (const unit of [...this.units.values()]) {
      if (unit.restartAtUs > 0 && unit.restartAtUs <= nowUs) {
        unit.restarts += 1;
        const text = `${unit.name}: Scheduled restart job, restart counter is at ${unit.restarts}.`;
        this.say({ priority: INFO, text, unit, catalog: ['restarting', unit.name] });
        this.sayJob(unit, 'Stopped', { kind: 'stopped' });
        this.begin(unit);
      }
      if (unit.stopByUs > 0 && unit.stopByUs <= nowUs) {
        unit.stopByUs = 0;
        unit.result = 'timeout';
        this.say({ priority: WARNING, text: `${unit.name}: State 'stop-sigterm' timed out. Killing.`, unit });
        killUnit(this.kernel, unit.name, SIG.KILL);
      }
    }
  }
}
