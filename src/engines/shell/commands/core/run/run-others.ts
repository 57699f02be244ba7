/**
 * `env`, `nohup`, `nice`, `timeout`, `stdbuf`, `chroot`: commands that run others.
 *
 * Source: their manual pages. Priorities and buffers change nothing here; `chroot` is refused as for an ordinary user.
 */
import {
  Exit,
  execOrScript,
  findInPath,
  type Running,
  SIG,
  SIGNALS,
  SystemError,
} from '../../../kernel/index.js';
import { defineOptions } from '../../program/options.js';
import { defineTool, systemError, type Tool } from '../../program/tool.js';
import { splitEnvString } from './env-string.js';

const ENV = defineOptions(
  'i,ignore-environment 0,null u,unset: C,chdir: S,split-string: v,debug block-signal:: default-signal:: ignore-signal:: list-signal-handling',
);
const NICE = defineOptions('n,adjustment:');
const TIMEOUT = defineOptions('k,kill-after: s,signal: foreground preserve-status v,verbose');
const STDBUF = defineOptions('i,input: o,output: e,error:');
const CHROOT = defineOptions('groups: userspec: skip-chdir');

/** Goes on as another program; words why that fails: 127 where it is not there, 126 otherwise. */
function* becomeProgram(tool: Tool, argv: readonly string[], env = tool.proc.env): Running<never> {
  const name = argv[0] ?? '';
  yield* tool.io.flush();
  try {
    const path = findInPath(tool.proc, name, env.get('PATH'));
    tool.proc.env = new Map(env);
    return yield* execOrScript(tool.proc, path, argv);
  } catch (error) {
    const failure = systemError(error);
    const isShort = tool.command === 'env' || tool.command === 'nice';
    const shown = tool.command === 'nohup' ? tool.named(name) : tool.quote(name);
    tool.warn(`${isShort ? '' : 'failed to run command '}${shown}: ${failure.text}`);
    throw new Exit(failure.code === 'ENOENT' ? 127 : 126);
  }
}

/** The command `env`. */
export const env = defineTool(
  'env',
  function* (tool) {
    let environment = new Map(tool.proc.env);
    let folder: string | undefined;
    let end = '\n';
    let args = tool.args;
    for (let round = 0; round < 50; round++) {
      const split = findSplit(args);
      if (split === null) break;
      args = [
        ...args.slice(0, split.at),
        ...split.before,
        ...splitEnvString(tool, split.text),
        ...args.slice(split.next),
      ];
    }
    for (const { key, value = '' } of tool.options(ENV, { stop: true, args })) {
      if (key === 'i') environment = new Map();
      if (key === '0') end = '\0';
      if (key === 'u') {
        if (value === '' || value.includes('='))
          tool.die(`cannot unset ${tool.quote(value)}: Invalid argument`);
        environment.delete(value);
      }
      if (key === 'C') folder = value;
    }
    let operands = tool.operands;
    if (operands[0] === '-') {
      environment = new Map();
      operands = operands.slice(1);
    }
    while (operands[0]?.includes('=')) {
      const [word = ''] = operands;
      const equals = word.indexOf('=');
      environment.set(word.slice(0, equals), word.slice(equals + 1));
      operands = operands.slice(1);
    }
    if (end === '\0' && operands.length > 0) {
      tool.warn('cannot specify --null (-0) with command');
      return tool.usage();
    }
    if (folder !== undefined) {
      const to = folder;
      if (operands.length === 0) return tool.usage('must specify command with --chdir (-C)');
      tool.attempt(
        () => tool.proc.chdir(to),
        (error) => tool.die(`cannot change directory to ${tool.named(to)}: ${error.text}`),
      );
    }
    if (operands.length > 0) {
      const [first = ''] = operands;
      try {
        return yield* becomeProgram(tool, operands, environment);
      } catch (error) {
        if (error instanceof Exit && error.status === 127 && first.includes(' '))
          tool.warn('use -[v]S to pass options in shebang lines');
        throw error;
      }
    }
    for (const [name, value] of environment) tool.out(`${name}=${value}${end}`);
    return tool.status;
  },
  { failStatus: 125 },
);

/** Where `-S` stands among the options. */
function findSplit(
  args: readonly string[],
): { at: number; next: number; before: string[]; text: string } | null {
  for (let at = 0; at < args.length; at++) {
    const word = args[at] ?? '';
    if (word === '--' || !word.startsWith('-')) return null;
    const long =
      /^--s(?:p(?:l(?:i(?:t(?:-(?:s(?:t(?:r(?:i(?:n(?:g)?)?)?)?)?)?)?)?)?)?)?(?:=([\s\S]*))?$/.exec(word);
    if (long !== null) {
      const text = long[1] ?? args[at + 1];
      if (text === undefined) return null;
      return { at, next: at + (long[1] === undefined ? 2 : 1), before: [], text };
    }
    const short = /^-([i0v]*)S([\s\S]*)$/.exec(word);
    if (short !== null) {
      const before = short[1] === '' ? [] : [`-${short[1]}`];
      if (short[2] !== '') return { at, next: at + 1, before, text: short[2] ?? '' };
      const text = args[at + 1];
      return text === undefined ? null : { at, next: at + 2, before, text };
    }
    if (/^-[i0v]*[uC]$/.test(word) || word === '--unset' || word === '--chdir') at += 1;
  }
  return null;
}

/** The command `nice`. */
export const nice = defineTool(
  'nice',
  function* (tool) {
    let adjustment: string | undefined;
    const args = /^-[+-]?\d+$/.test(tool.args[0] ?? '')
      ? ['-n', (tool.args[0] ?? '').slice(1), ...tool.args.slice(1)]
      : tool.args;
    for (const { key, value } of tool.options(NICE, { stop: true, args }))
      if (key === 'n') adjustment = value;
    if (adjustment !== undefined && !/^[ \t]*[+-]?\d+$/.test(adjustment))
      tool.die(`invalid adjustment ${tool.quote(adjustment)}`);
    if (tool.operands.length === 0) {
      if (adjustment !== undefined) tool.usage('a command must be given with an adjustment');
      tool.out('0\n');
      return 0;
    }
    if (adjustment !== undefined && Number(adjustment) < 0 && tool.proc.uid !== 0)
      tool.warn('cannot set niceness: Permission denied');
    return yield* becomeRun(tool, tool.operands);
  },
  { failStatus: 125 },
);

/** As {@link becomeProgram}, with the short wording of `nice`, `stdbuf`, `nohup`. */
function* becomeRun(tool: Tool, argv: readonly string[]): Running<never> {
  return yield* becomeProgram(tool, argv);
}

/** The command `nohup`. */
export const nohup = defineTool(
  'nohup',
  function* (tool) {
    for (const _ of tool.options(defineOptions(''), { stop: true }));
    if (tool.operands.length === 0) tool.usage('missing operand');
    const { proc } = tool;
    const ignoresInput = proc.isatty(0);
    const redirects = proc.isatty(1) || !proc.isOpen(1);
    if (ignoresInput) proc.dup2(proc.openNow('/dev/null', { write: true }), 0);
    if (redirects) {
      let name = 'nohup.out';
      let fd: number | undefined;
      for (const path of ['nohup.out', `${tool.env('HOME') ?? ''}/nohup.out`]) {
        try {
          fd = proc.openNow(path, { append: true, create: true, mode: 0o600 });
          name = path;
          break;
        } catch (error) {
          tool.warn(`failed to open ${tool.quote(path)}: ${systemError(error).text}`);
        }
      }
      if (fd === undefined) return 125;
      proc.dup2(fd, 1);
      const what = ignoresInput ? 'ignoring input and appending output to' : 'appending output to';
      tool.warn(`${what} ${tool.quote(name)}`);
    } else if (ignoresInput)
      tool.warn(proc.isatty(2) ? 'ignoring input and redirecting stderr to stdout' : 'ignoring input');
    else if (proc.isatty(2)) tool.warn('redirecting stderr to stdout');
    if (proc.isatty(2)) proc.dup2(1, 2);
    proc.onSignal(SIG.HUP, 'ignore');
    return yield* becomeRun(tool, tool.operands);
  },
  { failStatus: 125 },
);

const UNITS: Readonly<Record<string, number>> = { '': 1, s: 1, m: 60, h: 3600, d: 86_400 };

/** A duration such as `1.5m`, in microseconds; undefined where it is none. */
export function durationUs(text: string): number | undefined {
  const match =
    /^[ \t]*\+?(\d+\.?\d*(?:[eE][+-]?\d+)?|\.\d+(?:[eE][+-]?\d+)?|inf(?:inity)?|0[xX][0-9a-fA-F]+)([smhd]?)$/i.exec(
      text,
    );
  const unit = UNITS[match?.[2] ?? 'x'];
  if (match === null || unit === undefined) return undefined;
  const number = /^inf/i.test(match[1] ?? '') ? 1e15 : Number(match[1]);
  return Math.min(number * unit * 1e6, 9e18);
}

function signalNumber(text: string): number | undefined {
  if (/^\d+$/.test(text)) return Number(text) <= 64 ? Number(text) : undefined;
  return SIGNALS[text.toUpperCase().replace(/^SIG/, '')];
}

/** The command `timeout`. */
export const timeout = defineTool(
  'timeout',
  function* (tool) {
    const line = { signal: 15, killAfterUs: 0, foreground: false, preserve: false, verbose: false };
    for (const { key, value = '' } of tool.options(TIMEOUT, { stop: true })) {
      if (key === 'foreground') line.foreground = true;
      if (key === 'preserve-status') line.preserve = true;
      if (key === 'v') line.verbose = true;
      if (key === 'k')
        line.killAfterUs = durationUs(value) ?? tool.usage(`invalid time interval ${tool.quote(value)}`);
      if (key === 's')
        line.signal = signalNumber(value) ?? tool.usage(`${tool.quote(value)}: invalid signal`);
    }
    const [interval, ...argv] = tool.operands;
    if (interval === undefined || argv.length === 0) {
      return tool.usage();
    }
    const limitUs = durationUs(interval) ?? tool.usage(`invalid time interval ${tool.quote(interval)}`);
    const { proc } = tool;
    if (!line.foreground) proc.setpgid(0, 0);
    proc.onSignal(SIG.TTIN, 'ignore');
    proc.onSignal(SIG.TTOU, 'ignore');
    const child = proc.fork(function* (forked) {
      forked.onSignal(SIG.TTIN, 'default');
      forked.onSignal(SIG.TTOU, 'default');
      try {
        const path = findInPath(forked, argv[0] ?? '');
        return yield* execOrScript(forked, path, argv);
      } catch (error) {
        if (!(error instanceof SystemError)) throw error;
        yield* forked.write(
          2,
          `${tool.name}: failed to run command ${tool.quote(argv[0] ?? '')}: ${error.text}\n`,
        );
        return error.code === 'ENOENT' ? 127 : 126;
      }
    });
    return yield* watchChild(tool, child.pid, { ...line, limitUs });
  },
  { failStatus: 125 },
);

/** Waits for the child and sends the signals that are due. */
function* watchChild(
  tool: Tool,
  pid: number,
  line: {
    signal: number;
    killAfterUs: number;
    foreground: boolean;
    preserve: boolean;
    verbose: boolean;
    limitUs: number;
  },
): Running<number> {
  const { proc } = tool;
  let dueUs = line.limitUs > 0 ? proc.now() + line.limitUs : Number.POSITIVE_INFINITY;
  let signal = line.signal;
  let isTimedOut = false;
  let forwarded = 0;
  for (const number of [SIG.TERM, SIG.INT, SIG.HUP, SIG.QUIT])
    proc.onSignal(number, (got) => {
      forwarded = got;
      return 'interrupt';
    });
  for (;;) {
    const event = yield* proc.wait({ pid, noHang: true });
    if (event !== null) {
      const code = event.status.code ?? 128 + (event.status.signal ?? 0);
      if (event.status.signal !== undefined && !(isTimedOut && !line.preserve)) {
        if (isTimedOut) return code;
        return code;
      }
      if (isTimedOut && !line.preserve) return event.status.signal === SIG.KILL ? 137 : 124;
      return code;
    }
    try {
      if (Number.isFinite(dueUs)) yield* proc.block([proc.childQueue], dueUs);
      else yield* proc.block([proc.childQueue]);
    } catch (error) {
      if (!(error instanceof SystemError) || error.code !== 'EINTR') throw error;
    }
    if (forwarded > 0) {
      yield* proc.kill(pid, forwarded);
      forwarded = 0;
    }
    if (proc.now() < dueUs) continue;
    isTimedOut = true;
    if (line.verbose) {
      const name = Object.entries(SIGNALS).find(([, number]) => number === signal)?.[0] ?? String(signal);
      tool.warn(`sending signal ${name} to command ${tool.quote(tool.operands[1] ?? '')}`);
    }
    try {
      if (!line.foreground) {
        proc.onSignal(signal === SIG.KILL || signal === SIG.STOP ? SIG.TERM : signal, 'ignore');
        yield* proc.kill(pid, signal);
        yield* proc.kill(0, signal);
        if (signal !== SIG.KILL && signal !== SIG.CONT) yield* proc.kill(pid, SIG.CONT);
      } else yield* proc.kill(pid, signal);
    } catch (error) {
      if (!(error instanceof SystemError)) throw error;
    }
    dueUs =
      line.killAfterUs > 0 && signal !== SIG.KILL ? proc.now() + line.killAfterUs : Number.POSITIVE_INFINITY;
    signal = SIG.KILL;
  }
}

/** The command `stdbuf`. */
export const stdbuf = defineTool(
  'stdbuf',
  function* (tool) {
    let isAny = false;
    for (const { key, value = '' } of tool.options(STDBUF, { stop: true })) {
      isAny = true;
      if (key === 'i' && value === 'L') tool.usage('line buffering stdin is meaningless');
      if (value !== 'L' && !/^\d+([kKMGTPEZY](i?B)?)?$/.test(value))
        tool.die(`invalid mode ${tool.quote(value)}`);
    }
    if (tool.operands.length === 0) tool.usage('missing operand');
    if (!isAny) tool.usage('you must specify a buffering mode option');
    return yield* becomeRun(tool, tool.operands);
  },
  { failStatus: 125 },
);

/** The command `chroot`: refused. */
export const chroot = defineTool(
  'chroot',
  // biome-ignore lint/correctness/useYield: nothing here waits
  function* (tool) {
    for (const _ of tool.options(CHROOT, { stop: true }));
    const [root] = tool.operands;
    if (root === undefined) tool.usage('missing operand');
    const why = tool.proc.exists(root ?? '') ? 'Operation not permitted' : 'No such file or directory';
    return tool.die(`cannot change root directory to ${tool.named(root ?? '')}: ${why}`);
  },
  { failStatus: 125, path: '/usr/sbin/chroot' },
);
