/**
 * `top` in batch mode, `w` and `vmstat` of procps 4.0.2.
 *
 * Source: top(1), w(1), vmstat(8). The processors are idle. Not covered: top without `-b` and with `-H`, `-E`, `-O`,
 * vmstat's tables of disks and slabs; all asked instead.
 */
import type { Running } from '../../../kernel/index.js';
import { Accounts } from '../../program/accounts.js';
import { breakTime } from '../../program/calendar.js';
import { defineOptions } from '../../program/options.js';
import { strftime } from '../../program/strftime.js';
import { defineTool, type Tool } from '../../program/tool.js';
import { unknownProgram } from '../../program/unknown-program.js';
import { helpText } from '../help-texts.js';
import { loadText, memoryFacts, upSeconds, upText } from './memory.js';
import { type ProcessRow, processRows, RESIDENT_KIB, VIRTUAL_KIB } from './process-row.js';

const TOP = defineOptions(
  'b,batch-mode c,cmdline-toggle d,delay: E: e: H i,idle-toggle n,iterations: O o: p,pid: S s U: u: w:: 1 h,help V,version',
  '',
);

/** The line of clock, time up, users and load. */
function upLine(tool: Tool): string {
  const clock = strftime('%H:%M:%S', breakTime(Math.floor(tool.proc.now() / 1e6), 0, tool.zone));
  const users = processRows(tool.proc, new Accounts(tool.proc)).some((row) => row.tty !== '?') ? 1 : 0;
  return `${clock} up ${upText(upSeconds(tool))},  ${users} user,  load average: ${loadText(tool)}\n`;
}

/** The command `top`. */
export const top = defineTool(
  'top',
  function* (tool) {
    const flags = new Map<string, string>();
    const onError = (): never => tool.exit(0);
    const odd = tool.args.find((word) => !word.startsWith('-'));
    for (const { key, value = '' } of tool.options(TOP, { onError })) flags.set(key, value);
    if (flags.has('h')) tool.help();
    if (flags.has('V')) tool.version();
    const count = flags.get('n');
    if (count !== undefined && !(Number.isInteger(Number(count)) && Number(count) > 0))
      tool.die(`bad iterations argument '${count}'`);
    if (tool.operands.length > 0) tool.die(`unknown option '${(odd ?? tool.operands[0] ?? '')[0]}'`);
    if (!flags.has('b') || ['H', 'E', 'O', 'e', '1'].some((key) => flags.has(key))) {
      if (!flags.has('b') && !tool.proc.isatty(1)) tool.die('failed tty get');
      return yield* unknownProgram('top')(tool.proc);
    }
    yield* batches(tool, flags, Number(count ?? Number.POSITIVE_INFINITY));
    return 0;
  },
  { texts: helpText('top'), sizeBytes: 137_528 },
);

function* batches(tool: Tool, flags: ReadonlyMap<string, string>, count: number): Running<void> {
  const delay = Number(flags.get('d') ?? 3);
  for (let turn = 0; turn < count; turn++) {
    if (turn > 0) {
      yield* tool.io.flush();
      yield* tool.proc.sleep(delay * 1e6);
      tool.out('\n');
    }
    batch(tool, flags);
  }
}

function batch(tool: Tool, flags: ReadonlyMap<string, string>): void {
  const pids = flags.get('p')?.split(',').map(Number);
  const user = flags.get('u') ?? flags.get('U');
  const all = processRows(tool.proc, new Accounts(tool.proc)).filter(
    (row) => pids?.includes(row.proc.pid) ?? true,
  );
  const rows = all.filter((row) => user === undefined || row.user === user || String(row.proc.uid) === user);
  const count = (state: string): string =>
    String(all.filter((row) => row.state === state).length).padStart(3);
  const facts = memoryFacts(tool);
  const mib = (kib: number): string => (kib / 1024).toFixed(1).padStart(8);
  tool.out(`top - ${upLine(tool)}`);
  tool.out(
    `Tasks: ${String(all.length).padStart(3)} total, ${count('R')} running, ${count('S')} sleeping, ${count('T')} stopped, ${count('Z')} zombie\n`,
  );
  tool.out('%Cpu(s):  0.0 us,  0.0 sy,  0.0 ni,100.0 id,  0.0 wa,  0.0 hi,  0.0 si,  0.0 st \n');
  tool.out(
    `MiB Mem : ${mib(facts.total)} total, ${mib(facts.free)} free, ${mib(facts.used)} used, ${mib(facts.buffers + facts.cache)} buff/cache     \n`,
  );
  tool.out(
    `MiB Swap: ${mib(facts.swapTotal)} total, ${mib(facts.swapFree)} free, ${mib(facts.swapTotal - facts.swapFree)} used. ${mib(facts.available)} avail Mem \n\n`,
  );
  tool.out('    PID USER      PR  NI    VIRT    RES    SHR S  %CPU  %MEM     TIME+ COMMAND\n');
  for (const row of rows) tool.out(topLine(row, facts.total, flags.has('c')));
}

function topLine(row: ProcessRow, totalKib: number, withArgs: boolean): string {
  const hundredths = Math.floor(row.proc.cpuUs / 10_000);
  const time = `${Math.floor(hundredths / 6000)}:${String(Math.floor(hundredths / 100) % 60).padStart(2, '0')}.${String(hundredths % 100).padStart(2, '0')}`;
  const memory = ((RESIDENT_KIB * 100) / totalKib).toFixed(1);
  const user = row.user.length > 8 ? `${row.user.slice(0, 7)}+` : row.user;
  const cells = [
    String(row.proc.pid).padStart(7),
    user.padEnd(8),
    '  20   0',
    String(VIRTUAL_KIB).padStart(7),
    String(RESIDENT_KIB).padStart(6),
    '  2100',
    row.state,
    '  0.0',
    memory.padStart(5),
    time.padStart(9),
    withArgs ? row.args : row.comm,
  ];
  return `${cells.join(' ')}\n`;
}

const W = defineOptions(
  'h,no-header u,no-current s,short f,from o,old-style i,ip-addr p,pids help V,version',
  '',
);

/** The command `w`. */
export const w = defineTool(
  'w',
  function* (tool) {
    const flags = new Set<string>();
    const onError = (): never => {
      tool.io.err(helpText('w').help);
      return tool.exit(1);
    };
    for (const { key } of tool.options(W, { onError })) flags.add(key);
    if (flags.has('V')) tool.version();
    if (!flags.has('h')) {
      tool.out(` ${upLine(tool)}`);
      const from = flags.has('f') ? '' : 'FROM             ';
      tool.out(
        flags.has('s')
          ? `USER     TTY      ${from} IDLE WHAT\n`
          : `USER     TTY      ${from}LOGIN@   IDLE   JCPU   PCPU WHAT\n`,
      );
    }
    return 0;
  },
  { texts: helpText('w'), sizeBytes: 22_848 },
);

const VMSTAT = defineOptions(
  'a,active f,forks m,slabs n,one-header s,stats d,disk D,disk-sum p,partition: S,unit: w,wide t,timestamp y,no-first h,help V,version',
  '',
);

/** The command `vmstat`. */
export const vmstat = defineTool(
  'vmstat',
  function* (tool) {
    const flags = new Set<string>();
    const onError = (): never => {
      tool.io.err(helpText('vmstat').help);
      return tool.exit(1);
    };
    for (const { key } of tool.options(VMSTAT, { onError })) flags.add(key);
    if (flags.has('h')) tool.help();
    if (flags.has('V')) tool.version();
    if (flags.size > 0) return yield* unknownProgram('vmstat')(tool.proc);
    const [delay, count] = tool.operands.map(Number);
    const turns = count ?? (delay === undefined ? 1 : Number.POSITIVE_INFINITY);
    tool.out('procs -----------memory---------- ---swap-- -----io---- -system-- ------cpu-----\n');
    tool.out(' r  b   swpd   free   buff  cache   si   so    bi    bo   in   cs us sy id wa st\n');
    for (let turn = 0; turn < turns; turn++) {
      if (turn > 0) {
        yield* tool.io.flush();
        yield* tool.proc.sleep((delay ?? 1) * 1e6);
      }
      const facts = memoryFacts(tool);
      const memory = [facts.swapTotal - facts.swapFree, facts.free, facts.buffers, facts.cache];
      tool.out(
        ` 1  0 ${memory.map((kib) => String(kib).padStart(6)).join(' ')}    0    0     5    12   20   35  0  0 100  0  0\n`,
      );
    }
    return 0;
  },
  { texts: helpText('vmstat'), sizeBytes: 39_480 },
);
