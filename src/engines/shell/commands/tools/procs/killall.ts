/**
 * `killall` of psmisc 23.6 and `pidof` of sysvinit 3.06: processes by their names.
 *
 * Source: killall(1), pidof(8). Not covered, asked instead: `killall -i`, `-y`, `-o`, `-n`, `-Z`; `pidof -c`, `-z`.
 */
import { type Running, SystemError } from '../../../kernel/index.js';
import { Accounts } from '../../program/accounts.js';
import { defineOptions } from '../../program/options.js';
import { defineTool, type Tool } from '../../program/tool.js';
import { unknownProgram } from '../../program/unknown-program.js';
import { helpText } from '../help-texts.js';
import { type ProcessRow, processRows } from './process-row.js';
import { SIGNAL_LIST, signalNumber } from './signal-words.js';

const KILLALL = defineOptions(
  'e,exact I,ignore-case g,process-group y,younger-than: o,older-than: i,interactive l,list q,quiet r,regexp s,signal: u,user: v,verbose V,version w,wait n,ns: Z,context:',
  '',
);

interface Wanted {
  readonly flags: Map<string, string>;
  readonly signal: number;
  readonly names: readonly string[];
}

/** The command `killall`. */
export const killall = defineTool(
  'killall',
  function* (tool) {
    const wanted = readWanted(tool);
    const { flags, names } = wanted;
    if (['i', 'y', 'o', 'n', 'Z', 'r'].some((key) => flags.has(key)))
      return yield* unknownProgram('killall')(tool.proc);
    const accounts = new Accounts(tool.proc);
    let status = 0;
    for (const name of names) if (!(yield* killNamed(tool, name, { wanted, accounts }))) status = 1;
    return status;
  },
  { texts: helpText('killall'), sizeBytes: 31_352 },
);

function readWanted(tool: Tool): Wanted {
  let signal = 15;
  const args = tool.args.filter((word) => {
    const number = /^-([A-Z]{2,}|SIG[A-Z0-9]+|\d+)$/.test(word) ? signalNumber(word.slice(1)) : undefined;
    if (number !== undefined) signal = number;
    return number === undefined;
  });
  const bad = args.find((word) => /^-[A-Z]+$/.test(word) && !/^-[IVZ]$/.test(word));
  if (bad !== undefined) unknownSignal(tool, bad.slice(1));
  const flags = new Map<string, string>();
  for (const { key, value = '' } of tool.options(KILLALL, { args, onError: () => usage(tool) })) {
    if (key === 'V') {
      tool.io.err(helpText('killall').version);
      tool.exit(0);
    }
    if (key === 'l') {
      tool.out(SIGNAL_LIST);
      tool.exit(0);
    }
    if (key === 's') signal = signalNumber(value) ?? unknownSignal(tool, value);
    flags.set(key, value);
  }
  if (tool.operands.length === 0 && !flags.has('u')) usage(tool);
  return { flags, signal, names: tool.operands };
}

function unknownSignal(tool: Tool, name: string): never {
  tool.io.err(`${name}: unknown signal; killall -l lists signals.\n`);
  return tool.exit(1);
}

function usage(tool: Tool): never {
  tool.io.err(helpText('killall').help.replace(/^killall: .*\n/, ''));
  return tool.exit(1);
}

function* killNamed(
  tool: Tool,
  name: string,
  { wanted, accounts }: { readonly wanted: Wanted; readonly accounts: Accounts },
): Running<boolean> {
  const { flags, signal } = wanted;
  const fits = (text: string): boolean =>
    flags.has('I') ? text.toLowerCase() === name.toLowerCase() : text === name;
  const rows = processRows(tool.proc, accounts).filter(
    ({ proc, comm, user }) =>
      proc !== tool.proc &&
      proc.exit === null &&
      (fits(comm) || proc.exe === name) &&
      (!flags.has('u') || flags.get('u') === user),
  );
  for (const { proc } of rows) {
    try {
      yield* tool.proc.kill(proc.pid, signal);
      if (flags.has('v')) tool.io.err(`Killed ${name}(${proc.pid}) with signal ${signal}\n`);
    } catch (error) {
      if (!(error instanceof SystemError)) throw error;
      tool.io.err(`${name}(${proc.pid}): ${error.text}\n`);
      return false;
    }
  }
  if (rows.length === 0 && !flags.has('q')) tool.io.err(`${name}: no process found\n`);
  return rows.length > 0;
}

const PIDOF = defineOptions('c d: h n o: q s x z', '');
const PIDOF_HELP = `pidof usage: [options] <program-name>

 -c           Return PIDs with the same root directory
 -d <sep>     Use the provided character as output separator
 -h           Display this help text
 -n           Avoid using stat system function on network shares
 -o <pid>     Omit results with a given PID
 -q           Quiet mode. Do not display output
 -s           Only return one PID
 -x           Return PIDs of shells running scripts with a matching name
 -z           List zombie and I/O waiting processes. May cause pidof to hang.

`;

/** The command `pidof`. */
export const pidof = defineTool(
  'pidof',
  function* (tool) {
    const flags = new Map<string, string>();
    for (const { key, value = '' } of tool.options(PIDOF)) flags.set(key, value);
    if (flags.has('h')) {
      tool.out(PIDOF_HELP);
      return 0;
    }
    const rows = processRows(tool.proc, new Accounts(tool.proc));
    const found = tool.operands.flatMap((name) => rows.filter((row) => isNamed(row, name, flags.has('x'))));
    const pids = found
      .map((row) => row.proc.pid)
      .filter((pid) => String(pid) !== flags.get('o'))
      .sort((one, other) => other - one);
    const shown = flags.has('s') ? pids.slice(0, 1) : pids;
    if (shown.length === 0) return 1;
    if (!flags.has('q')) tool.out(`${shown.join(flags.get('d') ?? ' ')}\n`);
    return 0;
  },
  { path: '/usr/bin/pidof', sizeBytes: 22_768 },
);

function isNamed({ proc, comm }: ProcessRow, name: string, withScripts: boolean): boolean {
  if (proc.exit !== null) return false;
  const base = (proc.argv[0] ?? '').replace(/^-/, '').replace(/^.*\//, '');
  if (comm === name || base === name || proc.exe === name) return true;
  return withScripts && (proc.argv[1] ?? '').replace(/^.*\//, '') === name;
}
