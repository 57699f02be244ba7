/**
 * Builtins that change where running goes on: `break`, `continue`, `return`, `exit`, `eval`, `source`, `exec`, `:`, `true`,
 * `false`, `caller`, `logout`.
 */
import { type Running, SIG, SystemError, toText } from '../../kernel/index.js';
import { become, findCommand } from '../run/external.js';
import { flushOutput } from '../run/output.js';
import { runText } from '../run/read-loop.js';
import { nest } from '../run/trampoline.js';
import type { Shell } from '../shell.js';
import { exportedEnvironment } from '../state/environment.js';
import { type Builtin, type BuiltinCall, fail, readOptions } from './call.js';

/** `:` and `true`. */
export const succeed: Builtin = () => 0;

/** `false`. */
export const failQuietly: Builtin = () => 1;

function leaveLoop(kind: 'break' | 'continue'): Builtin {
  return (call) => {
    const { shell, args } = call;
    const first = args[0] === '--' ? args[1] : args[0];
    if (shell.loopDepth === 0) {
      shell.error(`${call.name}: only meaningful in a \`for', \`while', or \`until' loop`);
      return 0;
    }
    if (first !== undefined && !/^[+-]?\d+$/.test(first)) {
      fail(call, `${first}: numeric argument required`);
      shell.lastStatus = 128;
      shell.jump = { kind: 'exit' };
      return 128;
    }
    if (args.length > 1) {
      fail(call, 'too many arguments');
      shell.jump = { kind: 'discard' };
      return 1;
    }
    const levels = first === undefined ? 1 : Number(first);
    if (levels <= 0) {
      fail(call, `${first}: loop count out of range`);
      shell.jump = { kind: 'break', levels: shell.loopDepth };
      return 1;
    }
    shell.jump = { kind, levels: Math.min(levels, shell.loopDepth) };
    return 0;
  };
}

/** `break`. */
export const breakLoop = leaveLoop('break');

/** `continue`. */
export const continueLoop = leaveLoop('continue');

/** The status that `exit` and `return` are given; undefined when it is no number. */
function statusOf(call: BuiltinCall): number | undefined {
  const first = call.args[0] === '--' ? call.args[1] : call.args[0];
  if (first === undefined) return call.shell.lastStatus;
  if (!/^\s*[+-]?\d+\s*$/.test(first)) {
    fail(call, `${first}: numeric argument required`);
    return undefined;
  }
  return Number(BigInt.asUintN(8, BigInt(first.trim().replace(/^\+/, ''))));
}

/** `return`. */
export const returnFrom: Builtin = (call) => {
  const { shell } = call;
  if (shell.frames.length === 0) return fail(call, "can only `return' from a function or sourced script", 2);
  const status = statusOf(call);
  if (call.args.length > 1 && call.args[0] !== '--' && status !== undefined) {
    fail(call, 'too many arguments');
    shell.lastStatus = 1;
    shell.jump = { kind: 'discard' };
    return 1;
  }
  shell.lastStatus = status ?? 2;
  shell.jump = { kind: 'return' };
  return shell.lastStatus;
};

/** `exit` and `logout`. */
export const exitShell: Builtin = (call) => {
  const { shell } = call;
  if (call.name === 'logout' && !shell.isLogin) return fail(call, "not login shell: use `exit'");
  if (shell.isInteractive && shell.subshellLevel === 0) {
    shell.err(call.name === 'logout' || shell.isLogin ? 'logout\n' : 'exit\n');
    const stopped = shell.jobs.jobs.some((job) => job.isStopped);
    if (stopped && !shell.warnedOfJobs) {
      shell.err('There are stopped jobs.\n');
      shell.warnedOfJobs = true;
      return 1;
    }
  }
  const status = statusOf(call);
  if (status !== undefined && call.args.length > 1) return fail(call, 'too many arguments');
  shell.lastStatus = status ?? 2;
  shell.jump = { kind: 'exit' };
  return shell.lastStatus;
};

/** `eval`. */
export const evaluateText: Builtin = function* (call) {
  const { shell } = call;
  const args = call.args[0] === '--' ? call.args.slice(1) : call.args;
  if (call.args[0]?.startsWith('-') === true && call.args[0].length > 1 && call.args[0] !== '--') {
    readOptions(call, '');
    return 2;
  }
  const text = args.join(' ');
  if (text === '') return 0;
  if (yield* isTooDeep(shell)) return 139;
  const { traceLevel } = shell;
  shell.traceLevel += 1;
  shell.textDepth += 1;
  try {
    return yield* nest(
      shell.level,
      runText(shell, text, { name: 'eval', lineOffset: Math.max(0, shell.line - 1) }),
    );
  } finally {
    shell.traceLevel = traceLevel;
    shell.textDepth -= 1;
  }
};

/** `eval` inside `eval` without end fills the stack of a real bash. */
function* isTooDeep(shell: Shell): Running<boolean> {
  if (shell.textDepth < MAX_TEXTS) return false;
  yield* shell.process.kill(shell.process.pid, SIG.SEGV);
  return true;
}

const MAX_TEXTS = 2000;

/** Reads a file for `source`. */
function* readScript(shell: Shell, path: string): Running<string> {
  return toText(yield* shell.process.readFile(path));
}

/** `.` and `source`. */
export const sourceFile: Builtin = function* (call) {
  const { shell } = call;
  const args = call.args[0] === '--' ? call.args.slice(1) : call.args;
  const [path, ...positional] = args;
  if (path === undefined) {
    fail(call, 'filename argument required');
    shell.err(`${call.name}: usage: ${call.name} filename [arguments]\n`);
    return 2;
  }
  const found = path.includes('/') || !shell.shopt('sourcepath') ? undefined : findSource(shell, path);
  const file = found ?? path;
  let text: string;
  try {
    if (shell.process.stat(file).kind === 'directory')
      return fail({ ...call, name: call.name }, `${path}: is a directory`);
    text = yield* readScript(shell, file);
  } catch (error) {
    if (!(error instanceof SystemError)) throw error;
    shell.error(`${path}: ${error.text}`);
    return 1;
  }
  return yield* nest(shell.level, sourced(shell, { text, file, positional, name: path }));
};

function findSource(shell: Shell, name: string): string | undefined {
  for (const folder of (shell.variables.find('PATH')?.value ?? '').split(':')) {
    const path = `${folder === '' ? '.' : folder}/${name}`;
    if (shell.process.exists(path) && shell.process.stat(path).kind === 'file') return path;
  }
  return undefined;
}

function* sourced(
  shell: Shell,
  script: { text: string; file: string; positional: readonly string[]; name: string },
): Running<number> {
  if (shell.frames.length >= MAX_TEXTS) yield* shell.process.kill(shell.process.pid, SIG.SEGV);
  const { positional, lineOffset, line, loopDepth } = shell;
  shell.frames.push({ name: 'source', source: script.file, callLine: line, isFunction: false, args: [] });
  if (script.positional.length > 0) shell.positional = script.positional;
  const given = shell.positional;
  try {
    let status = yield* runText(shell, script.text, { name: '', lineOffset: 0 });
    if (shell.jump?.kind === 'return') {
      shell.jump = undefined;
      status = shell.lastStatus;
    }
    return status;
  } finally {
    shell.frames.pop();
    if (script.positional.length > 0 && shell.positional === given) shell.positional = positional;
    else if (script.positional.length > 0) shell.positional = positional;
    shell.lineOffset = lineOffset;
    shell.line = line;
    shell.loopDepth = loopDepth;
  }
}

/** `exec`. */
export const execute: Builtin = function* (call) {
  const { shell } = call;
  const read = readOptions(call, 'cla:');
  if (read === undefined) return 2;
  const [name] = read.rest;
  if (name === undefined) return 0;
  const found = name.includes('/') ? { path: name } : findCommand(shell, name);
  const given = read.options.find((one) => one.letter === 'a')?.value;
  const isLogin = read.options.some((one) => one.letter === 'l');
  const shown = given ?? name;
  const argv = [isLogin ? `-${shown}` : shown, ...read.rest.slice(1)];
  const clean = read.options.some((one) => one.letter === 'c');
  yield* flushOutput(shell);
  const said: string[] = [];
  let status = 127;
  if ('error' in found) said.push(`${name}: not found`);
  else {
    const environment = clean ? new Map([['_', found.path]]) : exportedEnvironment(shell, found.path);
    resetDispositions(shell);
    status = yield* become(shell.process, {
      path: found.path,
      argv,
      environment,
      // biome-ignore lint/correctness/useYield: the message is queued
      say: function* (message) {
        said.push(message);
      },
    });
  }
  for (const message of said)
    shell.error(`exec: ${message}`.replace(/^exec: (.*: cannot execute: Is a directory)$/, '$1'));
  if (!shell.isInteractive && !shell.shopt('execfail')) {
    shell.lastStatus = status;
    shell.jump = { kind: 'exit' };
  }
  return status;
};

function resetDispositions(shell: Shell): void {
  for (const [signal, disposition] of [...shell.process.dispositions])
    if (typeof disposition === 'function') shell.process.onSignal(signal, 'default');
}

/** `caller`. */
export const caller: Builtin = (call) => {
  const { shell, args } = call;
  const depth = args[0] === undefined ? undefined : Number(args[0]);
  const frames = [...shell.frames].reverse();
  const frame = frames[depth ?? 0];
  if (frame === undefined && depth === undefined && shell.scriptSource !== '') {
    shell.out('0 NULL\n');
    return 0;
  }
  if (frame === undefined || (depth !== undefined && !Number.isInteger(depth))) return 1;
  const outer = frames[(depth ?? 0) + 1];
  if (depth !== undefined && outer === undefined && shell.scriptSource === '') return 1;
  const source = outer?.source ?? (shell.scriptSource === '' ? 'NULL' : shell.scriptSource);
  if (depth === undefined) shell.out(`${frame.callLine} ${source}\n`);
  else shell.out(`${frame.callLine} ${outer?.name ?? 'main'} ${source}\n`);
  return 0;
};
