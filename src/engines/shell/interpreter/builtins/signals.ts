/**
 * `trap` and `kill`.
 */
import { type Running, SIG, SIGNALS, SystemError, signalName } from '../../kernel/index.js';
import type { Job } from '../jobs/job-table.js';
import { installTrap } from '../run/traps.js';
import type { Shell } from '../shell.js';
import { CopyMap } from '../state/copy-map.js';
import { singleQuoted } from '../state/quoting.js';
import { type Builtin, type BuiltinCall, fail, readOptions, usage } from './call.js';
import { jobOf } from './jobs.js';

const OWN = ['EXIT', 'DEBUG', 'ERR', 'RETURN'];

/** The name of a signal or event that a text means, without `SIG`; undefined when there is none. */
function trapName(text: string): string | undefined {
  if (/^\d+$/.test(text)) {
    if (Number(text) === 0) return 'EXIT';
    return signalName(Number(text));
  }
  const upper = text.toUpperCase().replace(/^SIG/, '');
  if (OWN.includes(upper) || SIGNALS[upper] !== undefined) return upper;
  return /^RTM(IN(\+\d+)?|AX(-\d+)?)$/.test(upper) ? upper : undefined;
}

function rank(name: string): number {
  if (name === 'EXIT') return 0;
  const number = SIGNALS[name];
  return number ?? 65 + OWN.indexOf(name);
}

function shownName(name: string): string {
  return OWN.includes(name) ? name : `SIG${name}`;
}

function listTraps(shell: Shell, names: readonly string[]): void {
  const traps = shell.inheritedTraps.size > 0 && shell.subshellLevel > 0 ? shell.inheritedTraps : shell.traps;
  const wanted = names.length > 0 ? names : [...traps.keys()].sort((one, other) => rank(one) - rank(other));
  for (const name of wanted) {
    const action = traps.get(name);
    if (action !== undefined)
      shell.out(`trap -- ${action === '' ? "''" : singleQuoted(action)} ${shownName(name)}\n`);
  }
}

function listSignals(shell: Shell): number {
  let line = '';
  let count = 0;
  for (let number = 1; number <= 64; number += 1) {
    const name = signalName(number);
    if (name === undefined) continue;
    const entry = `${String(number).padStart(2)}) SIG${name}`;
    count += 1;
    if (count % 5 === 0) {
      shell.out(`${line}${entry}\n`);
      line = '';
    } else line += `${entry}\t`;
  }
  if (line !== '') shell.out(`${line}\n`);
  return 0;
}

/** `trap`. */
export const trapBuiltin: Builtin = (call) => {
  const { shell } = call;
  const first = call.args[0];
  if (first === '-') return resetAll(call, call.args.slice(1));
  const read = readOptions(call, 'lp');
  if (read === undefined) return 2;
  const has = (letter: string) => read.options.some((one) => one.letter === letter);
  if (has('l')) return listSignals(shell);
  if (has('p') || read.rest.length === 0) {
    const names: string[] = [];
    for (const text of read.rest) {
      const name = trapName(text);
      if (name === undefined) return fail(call, `${text}: invalid signal specification`);
      names.push(name);
    }
    listTraps(shell, names);
    return 0;
  }
  const [action = '', ...signals] = read.rest;
  if (action === '-') return resetAll(call, signals);
  if (signals.length === 0) {
    if (/^\d+$/.test(action) || (trapName(action) !== undefined && read.rest.length === 1))
      return resetAll(call, [action]);
    return usage(call);
  }
  if (/^\d+$/.test(action) && trapName(action) !== undefined) return resetAll(call, read.rest);
  let status = 0;
  for (const text of signals) {
    const name = trapName(text);
    if (name === undefined) {
      status = fail(call, `${text}: invalid signal specification`);
      continue;
    }
    const number = SIGNALS[name];
    if (number !== undefined && shell.ignoredAtStart.has(number) && !shell.isInteractive) continue;
    shell.inheritedTraps = new CopyMap();
    shell.traps.set(name, action);
    installTrap(shell, name);
  }
  return status;
};

function resetAll(call: BuiltinCall, signals: readonly string[]): number {
  let status = 0;
  if (signals.length === 0) return usage(call);
  for (const text of signals) {
    const name = trapName(text);
    if (name === undefined) {
      status = fail(call, `${text}: invalid signal specification`);
      continue;
    }
    call.shell.traps.delete(name);
    installTrap(call.shell, name);
  }
  return status;
}

/** The number of a signal that a text means. */
function signalNumber(text: string): number | undefined {
  if (/^\d+$/.test(text)) return Number(text) <= 64 ? Number(text) : undefined;
  const upper = text.toUpperCase().replace(/^SIG/, '');
  if (upper === 'EXIT') return 0;
  return SIGNALS[upper];
}

/** `kill`. */
export const killBuiltin: Builtin = function* (call) {
  const { args } = call;
  let signal: number = SIG.TERM;
  let index = 0;
  const first = args[0];
  if (first === undefined) return usage(call);
  if (first === '-l' || first === '-L') return listKill(call, args.slice(1));
  if (first === '-s' || first === '-n') {
    const name = args[1];
    if (name === undefined) return fail(call, `${first}: option requires an argument`);
    const number = signalNumber(name);
    if (number === undefined) return fail(call, `${name}: invalid signal specification`);
    signal = number;
    index = 2;
  } else if (first !== '--' && first.startsWith('-') && first.length > 1) {
    const number = signalNumber(first.slice(1));
    if (number === undefined) return fail(call, `${first.slice(1)}: invalid signal specification`);
    signal = number;
    index = 1;
  }
  if (args[index] === '--') index += 1;
  const targets = args.slice(index);
  if (targets.length === 0) return usage(call);
  let sent = 0;
  for (const target of targets) if (yield* killOne(call, target, signal)) sent += 1;
  return sent === targets.length ? 0 : 1;
};

function* killOne(call: BuiltinCall, target: string, signal: number): Running<boolean> {
  const { shell } = call;
  let pid: number;
  let job: Job | undefined;
  if (target.startsWith('%')) {
    job = jobOf(shell, target);
    if (job === undefined) {
      fail(call, `${target}: no such job`);
      return false;
    }
    pid = shell.is('monitor') ? -job.pgid : (job.processes[0]?.pid ?? 0);
  } else if (/^-?\d+$/.test(target)) pid = Number(target);
  else {
    fail(call, `${target}: arguments must be process or job IDs`);
    return false;
  }
  try {
    const targets = job !== undefined && !shell.is('monitor') ? job.processes.map((one) => one.pid) : [pid];
    for (const one of targets) yield* shell.process.kill(one, signal);
    if (shell.isInteractive && signal !== 0)
      for (const one of (job ?? shell.jobs.byPid(Math.abs(pid)))?.processes ?? [])
        shell.jobs.struck.add(one.pid);
    if (job?.isStopped === true && (signal === SIG.TERM || signal === SIG.HUP))
      yield* shell.process.kill(pid, SIG.CONT);
    return true;
  } catch (error) {
    if (!(error instanceof SystemError)) throw error;
    fail(call, `(${pid}) - ${error.text}`);
    return false;
  }
}

function listKill(call: BuiltinCall, args: readonly string[]): number {
  if (args.length === 0) return listSignals(call.shell);
  let status = 0;
  for (const text of args) {
    if (/^\d+$/.test(text)) {
      const number = Number(text);
      const name = number === 0 ? 'EXIT' : signalName(number > 128 ? number - 128 : number);
      if (name === undefined) status = fail(call, `${text}: invalid signal specification`);
      else call.shell.out(`${name}\n`);
    } else {
      const number = signalNumber(text);
      if (number === undefined) status = fail(call, `${text}: invalid signal specification`);
      else call.shell.out(`${number}\n`);
    }
  }
  return status;
}
