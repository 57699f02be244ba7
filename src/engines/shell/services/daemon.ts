/**
 * Scripted daemons: a process that looks at what it needs, listens, logs, and waits to be told to end.
 *
 * While it waits it is nothing but data, so a machine with daemons can be copied at rest: see {@link standing}.
 */
import { type RandomState, type RandomStream, randomStream, restoreStream } from '../../../core/index.js';
import {
  type Checkpoint,
  type Process,
  type Program,
  type Running,
  SIG,
  SystemError,
} from '../kernel/index.js';
import type { ListeningPort } from '../kernel/listening-port.js';
import { resumeCron } from './cron-daemon.js';
import { logLine } from './log-words.js';
import { portNow, readWhole, unmetNeed } from './needs.js';
import type { PeriodicLog, ServiceSpec } from './service-spec.js';
import { managerOf, type ServiceManager } from './supervisor.js';

/** Virtual time that a daemon takes to come up. */
const STARTUP_US = 60_000;
/** Virtual time that it takes to end. */
const ENDING_US = 20_000;
const ERROR = 3;
const INFO = 6;

/** A daemon that waits. */
interface StandingDaemon {
  readonly kind: 'daemon';
  readonly unit: string;
  readonly ports: readonly ListeningPort[];
  /** When each periodic log writes next, on the clock that is never set. */
  readonly dueUs: readonly number[];
  readonly random: RandomState;
}

/** What the machine keeps of processes that only stand and wait. */
type Standing = StandingDaemon | { readonly kind: 'cron' };

/** The checkpoint of every daemon, whichever it is. */
export const standing: Checkpoint = {
  capture: () => {
    throw new Error('a daemon captures itself');
  },
  resume: (captured) => {
    const kept = captured as Standing;
    return kept.kind === 'cron' ? resumeCron : resumeDaemon(kept);
  },
  encode: (captured) => captured as never,
  decode: (json) => json,
};

/** The program of a service's main process; `key` is what the service manager started it as. */
export function daemonProgram(unit: string): Program {
  return function* (proc) {
    const manager = managerOf(proc.kernel);
    const spec = manager.specOf(unit);
    if (spec === undefined) return 1;
    const say: Say = (text, priority = INFO) => manager.logOf(unit, proc, { text, priority });
    yield* proc.sleep(STARTUP_US);
    const up = comeUp(proc, spec, say);
    if (typeof up === 'number') return up;
    if (spec.type === 'oneshot') return 0;
    const random = randomStream(proc.pid, 'daemon', unit);
    const dueUs = spec.logs.periodic.map((one) => proc.kernel.monotonicUs + pause(one, random));
    const state: DaemonState = { spec, ports: up, dueUs, random };
    if (spec.type === 'forking') {
      manager.handOver(unit, proc, serving(state));
      return 0;
    }
    proc.kernel.opened.set(proc.pid, up);
    manager.ready(proc);
    return yield* serving(state)(proc);
  };
}

/** The same program started by hand: it speaks on standard error and stays in the foreground. */
export function daemonByHand(unit: string): Program {
  return function* (proc) {
    const manager = managerOf(proc.kernel);
    const spec = manager.specOf(unit);
    if (spec === undefined) return 1;
    const words: string[] = [];
    const say: Say = (text) => words.push(text);
    const { check } = spec;
    if (check !== undefined && proc.argv.includes(check.argument)) {
      const problem = firstProblem(proc, spec, true);
      yield* proc.write(2, `${problem ?? check.says}\n`);
      return problem === null ? 0 : spec.failStatus;
    }
    yield* proc.sleep(STARTUP_US);
    const up = comeUp(proc, spec, say);
    yield* proc.write(2, words.map((one) => `${one}\n`).join(''));
    if (typeof up === 'number') return up;
    proc.kernel.opened.set(proc.pid, up);
    for (;;) yield* proc.block([proc.childQueue]);
  };
}

type Say = (text: string, priority?: number) => void;

/** The first thing that a daemon misses, in its words; `isCheck` leaves out what only a start needs. */
export function firstProblem(proc: Process, spec: ServiceSpec, isCheck = false): string | null {
  for (const need of spec.needs) {
    if (isCheck && need.writable !== undefined) continue;
    const problem = unmetNeed(proc, need);
    if (problem !== null) return problem;
  }
  return null;
}

/** What a daemon listens on, or the status of a start that failed. */
function comeUp(proc: Process, spec: ServiceSpec, say: Say): readonly ListeningPort[] | number {
  const problem = firstProblem(proc, spec) ?? portProblem(proc, spec);
  if (problem !== null) {
    say(problem, ERROR);
    for (const line of spec.logs.failure) say(filled(proc, spec, line), ERROR);
    return spec.failStatus;
  }
  for (const line of spec.logs.start) say(filled(proc, spec, line));
  return portsOf(proc, spec);
}

function filled(proc: Process, spec: ServiceSpec, line: string): string {
  const [first] = spec.ports;
  const port = first === undefined ? undefined : portNow(proc, first);
  const random = randomStream(proc.pid, 'line', line);
  return logLine(line, { nowUs: proc.now(), pid: proc.pid, port, random });
}

function portProblem(proc: Process, spec: ServiceSpec): string | null {
  for (const given of spec.ports) {
    const port = portNow(proc, given);
    if (proc.kernel.network.find({ family: 'inet', host: '127.0.0.1', port }).to !== 'nobody')
      return `bind() to 0.0.0.0:${port} failed (98: Address already in use)`;
    if (port < 1024 && proc.uid !== 0) return `bind() to 0.0.0.0:${port} failed (13: Permission denied)`;
  }
  return null;
}

function portsOf(proc: Process, spec: ServiceSpec): readonly ListeningPort[] {
  return spec.ports.map((given): ListeningPort => {
    const port = portNow(proc, given);
    if (given.http === undefined) return { port };
    const answers = Object.entries(given.http).map(([key, answer]) => {
      const path = given.bodies?.[key];
      return [key, path === undefined ? answer : { ...answer, body: bodyAt(proc, path) }] as const;
    });
    return { port, http: Object.fromEntries(answers) };
  });
}

function bodyAt(proc: Process, path: string): string {
  try {
    return readWhole(proc, path);
  } catch (error) {
    if (error instanceof SystemError) return '';
    throw error;
  }
}

/** Microseconds until a periodic log writes again. */
function pause({ everySeconds: [least, most] }: PeriodicLog, random: RandomStream): number {
  return Math.round((least + random.next() * (most - least)) * 1e6);
}

interface DaemonState {
  readonly spec: ServiceSpec;
  ports: readonly ListeningPort[];
  dueUs: readonly number[];
  readonly random: RandomStream;
}

/** A daemon that is up: it writes its logs when they are due, reads its configuration again on SIGHUP, ends on SIGTERM. */
function serving(state: DaemonState): Program {
  return function* (proc) {
    const manager = managerOf(proc.kernel);
    const { spec } = state;
    let ends = false;
    proc.kernel.opened.set(proc.pid, state.ports);
    proc.onSignal(SIG.TERM, () => {
      ends = true;
      return 'interrupt';
    });
    if (spec.canReload) {
      proc.onSignal(SIG.HUP, () => {
        reload(proc, state, manager);
        return 'restart';
      });
    }
    while (!ends) {
      proc.checkpoint = checkpointOf(state);
      const isDue = yield* waits(proc, Math.min(...state.dueUs));
      proc.checkpoint = null;
      if (isDue) yield* writeDue(proc, state, manager);
    }
    if (spec.logs.stop.length > 0) {
      proc.onSignal(SIG.TERM, 'ignore');
      for (const line of spec.logs.stop) manager.logOf(spec.name, proc, { text: line, priority: INFO });
      yield* proc.sleep(ENDING_US);
    }
    return 0;
  };
}

/** Waits; true where the moment came. */
function* waits(proc: Process, untilUs: number): Running<boolean> {
  try {
    const { jumped, jumpedUs } = proc.kernel;
    const reply = yield* proc.block([jumped], Number.isFinite(untilUs) ? untilUs + jumpedUs : undefined);
    return reply === 'timeout';
  } catch (error) {
    if (error instanceof SystemError && error.code === 'EINTR') return false;
    throw error;
  }
}

function checkpointOf(state: DaemonState): Checkpoint {
  const { spec, ports, dueUs, random } = state;
  const kept: StandingDaemon = { kind: 'daemon', unit: spec.name, ports, dueUs, random: random.state() };
  return { ...standing, capture: () => kept };
}

function resumeDaemon({ unit, ports, dueUs, random }: StandingDaemon): Program {
  return function* (proc) {
    const spec = managerOf(proc.kernel).specOf(unit);
    if (spec === undefined) return 1;
    return yield* serving({ spec, ports, dueUs, random: restoreStream(random) })(proc);
  };
}

function* writeDue(proc: Process, state: DaemonState, manager: ServiceManager): Running<void> {
  const { spec, random } = state;
  const next = [...state.dueUs];
  for (const [at, log] of spec.logs.periodic.entries()) {
    if ((next[at] ?? 0) > proc.kernel.monotonicUs) continue;
    next[at] = proc.kernel.monotonicUs + pause(log, random);
    if (!manager.isPast) writeLog(proc, { spec, log, random, nowUs: proc.now() }, manager);
    yield* proc.pause();
  }
  state.dueUs = next;
}

/** One line of a periodic log; a disk that is full loses it. */
function writeLog(
  proc: Process,
  facts: {
    readonly spec: ServiceSpec;
    readonly log: PeriodicLog;
    readonly random: RandomStream;
    readonly nowUs: number;
  },
  manager: ServiceManager,
): void {
  const { spec, log, random, nowUs } = facts;
  const port = proc.kernel.opened.get(proc.pid)?.[0]?.port;
  const text = logLine(random.pick(log.lines), { nowUs, pid: proc.pid, port, random });
  if (log.to === undefined) {
    manager.logOf(spec.name, proc, { text, priority: log.priority, atUs: nowUs });
    return;
  }
  try {
    const fd = proc.openNow(log.to, { write: true, create: true, append: true, mode: 0o640 });
    proc.file(fd).writeNow(new TextEncoder().encode(`${text}\n`));
    proc.close(fd);
  } catch (error) {
    if (!(error instanceof SystemError)) throw error;
  }
}

/** Lines of before the machine's start, so that a log does not begin with it; at most so many. */
const HISTORY_LINES = 30;

/** Writes what a daemon that has been up for a while would have logged. */
export function writeHistory(proc: Process, spec: ServiceSpec, sinceUs: number): void {
  const manager = managerOf(proc.kernel);
  const random = randomStream(proc.pid, 'history', spec.name);
  for (const log of spec.logs.periodic) {
    const moments: number[] = [];
    for (let at = proc.now() - pause(log, random); moments.length < HISTORY_LINES && at > sinceUs; )
      at = earlier(at, moments, pause(log, random));
    for (const nowUs of moments) writeLog(proc, { spec, log, random, nowUs }, manager);
  }
}

function earlier(atUs: number, moments: number[], us: number): number {
  moments.unshift(atUs);
  return atUs - us;
}

/** Reads the configuration again; what is wrong with it is logged and nothing changes. */
function reload(proc: Process, state: DaemonState, manager: ServiceManager): void {
  const { spec } = state;
  const problem = firstProblem(proc, spec, true);
  if (problem !== null) {
    manager.logOf(spec.name, proc, { text: problem, priority: ERROR });
    return;
  }
  proc.kernel.opened.delete(proc.pid);
  const taken = portProblem(proc, spec);
  if (taken !== null) manager.logOf(spec.name, proc, { text: taken, priority: ERROR });
  else state.ports = portsOf(proc, spec);
  proc.kernel.opened.set(proc.pid, state.ports);
}
