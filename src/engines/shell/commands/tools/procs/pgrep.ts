/**
 * `pgrep` and `pkill` of procps 4.0.2.
 *
 * Source: pgrep(1). Not covered, asked instead: pid files, namespaces, control groups, run states.
 */
import type { Running } from '../../../kernel/index.js';
import { Accounts } from '../../program/accounts.js';
import { defineOptions } from '../../program/options.js';
import { defineTool, type Tool } from '../../program/tool.js';
import { unknownProgram } from '../../program/unknown-program.js';
import { helpText } from '../help-texts.js';
import { parsePosix } from '../regex/parse-posix.js';
import { Regex } from '../regex/regex.js';
import { type ProcessRow, processRows } from './process-row.js';
import { signalNumber } from './signal-words.js';

const TABLE = defineOptions(
  'd,delimiter: l,list-name a,list-full v,inverse w,lightweight c,count f,full g,pgroup: G,group: i,ignore-case n,newest ' +
    'o,oldest O,older: P,parent: s,session: t,terminal: u,euid: U,uid: x,exact F,pidfile: L,logpidfile r,runstates: ' +
    'A,ignore-ancestors cgroup: ns: nslist: signal: e,echo q,queue: H,require-handler help,h version,V',
  '',
);
const FOREIGN = ['w', 'F', 'L', 'r', 'cgroup', 'ns', 'nslist', 'q', 'H'];

interface Asked {
  readonly flags: Map<string, string>;
  readonly signal: number;
}

/** The command `pgrep`. */
export const pgrep = defineTool('pgrep', (tool) => find(tool, 'pgrep'), {
  texts: { help: helpText('pgrep').help, version: helpText('pgrep').version },
  sizeBytes: 31_112,
});

/** The command `pkill`. */
export const pkill = defineTool('pkill', (tool) => find(tool, 'pkill'), {
  texts: { help: helpText('pkill').help, version: helpText('pkill').version },
  sizeBytes: 31_112,
});

function usageHelp(tool: Tool, name: string): never {
  tool.io.err(helpText(name).help);
  return tool.exit(2);
}

function criteria(tool: Tool, message: string): never {
  tool.io.err(`${tool.name}: ${message}\nTry \`${tool.name} --help' for more information.\n`);
  return tool.exit(2);
}

function readAsked(tool: Tool, name: string): Asked {
  const flags = new Map<string, string>();
  let signal = 15;
  const args = tool.args.filter((word, at) => {
    const number = name === 'pkill' && at === 0 ? signalNumber(word.replace(/^-/, '')) : undefined;
    if (!word.startsWith('-') || number === undefined) return true;
    signal = number;
    return false;
  });
  for (const { key, value = '' } of tool.options(TABLE, { args, onError: () => usageHelp(tool, name) })) {
    if (key === 'signal') signal = signalNumber(value) ?? criteria(tool, `unknown signal ${value}`);
    flags.set(key, value);
  }
  return { flags, signal };
}

function* find(tool: Tool, name: 'pgrep' | 'pkill'): Running<number> {
  const { flags, signal } = readAsked(tool, name);
  if (FOREIGN.some((key) => flags.has(key))) return yield* unknownProgram(name)(tool.proc);
  const [pattern] = tool.operands;
  if (tool.operands.length > 1) criteria(tool, 'only one pattern can be provided');
  const selectors = ['g', 'G', 'P', 's', 't', 'u', 'U', 'O'].filter((key) => flags.has(key));
  if (pattern === undefined && selectors.length === 0) criteria(tool, 'no matching criteria specified');
  const rows = chosen(tool, flags, pattern);
  if (name === 'pgrep') {
    print(tool, flags, rows);
    return rows.length > 0 ? 0 : 1;
  }
  for (const row of rows) {
    if (flags.has('e')) tool.out(`${row.comm} killed (pid ${row.proc.pid})\n`);
    yield* tool.proc.kill(row.proc.pid, signal);
  }
  if (flags.has('c')) tool.out(`${rows.length}\n`);
  return rows.length > 0 ? 0 : 1;
}

function chosen(tool: Tool, flags: ReadonlyMap<string, string>, pattern: string | undefined): ProcessRow[] {
  const accounts = new Accounts(tool.proc);
  const regex = pattern === undefined ? undefined : regexOf(pattern, flags);
  const all = processRows(tool.proc, accounts).filter(
    (row) => row.proc !== tool.proc && row.proc.exit === null,
  );
  let rows = all.filter((row) => {
    const fits =
      fitsSelectors(row, flags, { accounts, own: tool.proc.pgid }) &&
      (regex?.test(flags.has('f') ? row.args : row.comm) ?? true);
    return fits !== flags.has('v');
  });
  const byStart = (one: ProcessRow, other: ProcessRow): number =>
    one.proc.startUs - other.proc.startUs || one.proc.pid - other.proc.pid;
  if (flags.has('n')) rows = [...rows].sort(byStart).slice(-1);
  if (flags.has('o')) rows = [...rows].sort(byStart).slice(0, 1);
  return rows;
}

function regexOf(pattern: string, flags: ReadonlyMap<string, string>): Regex {
  const source = flags.has('x') ? `^(${pattern})$` : pattern;
  const dialect = {
    extended: true,
    danglingRepeat: 'literal' as const,
    literalBadInterval: true,
    literalRightParen: true,
    ignoreCase: flags.has('i'),
  };
  return new Regex(parsePosix(source, dialect));
}

function fitsSelectors(
  { proc, tty, user, elapsedSeconds }: ProcessRow,
  flags: ReadonlyMap<string, string>,
  { accounts, own }: { readonly accounts: Accounts; readonly own: number },
): boolean {
  const has = (key: string, test: (item: string) => boolean): boolean => {
    const list = flags.get(key);
    return list === undefined || list.split(',').some(test);
  };
  return (
    has('P', (item) => Number(item) === proc.ppid) &&
    has('g', (item) => (Number(item) || own) === proc.pgid) &&
    has('s', (item) => Number(item) === proc.sid) &&
    has('t', (item) => item.replace(/^\/dev\//, '') === tty) &&
    has('u', (item) => item === user || item === String(proc.uid)) &&
    has('U', (item) => item === accounts.userName(proc.realUid) || item === String(proc.realUid)) &&
    has('G', (item) => item === accounts.groupName(proc.realGid) || item === String(proc.realGid)) &&
    has('O', (item) => elapsedSeconds > Number(item))
  );
}

function print(tool: Tool, flags: ReadonlyMap<string, string>, rows: readonly ProcessRow[]): void {
  if (flags.has('c')) {
    tool.out(`${rows.length}\n`);
    return;
  }
  const texts = rows.map((row) => {
    if (flags.has('a')) return `${row.proc.pid} ${row.args}`;
    return flags.has('l') ? `${row.proc.pid} ${row.comm}` : String(row.proc.pid);
  });
  if (texts.length > 0) tool.out(`${texts.join(flags.get('d') ?? '\n')}\n`);
}
