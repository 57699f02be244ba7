/**
 * `uname`, `arch`, `nproc`, `hostname`, `hostid`, `tty`, `uptime`: what machine this is.
 *
 * Source: their manual pages. The machine is x86-64 with one processor and runs Debian 12's kernel.
 */
import { textNow } from '../../program/accounts.js';
import { breakTime } from '../../program/calendar.js';
import { defineOptions } from '../../program/options.js';
import { readSize } from '../../program/size.js';
import { strftime } from '../../program/strftime.js';
import { plainTool, type Tool } from '../../program/tool.js';

const UNAME = defineOptions(
  'a,all s,kernel-name,sysname n,nodename r,kernel-release,release v,kernel-version m,machine p,processor i,hardware-platform o,operating-system',
);
const NOTHING = defineOptions('');
const NPROC = defineOptions('all ignore:');
const TTY = defineOptions('s,silent,quiet');
const HOSTNAME = defineOptions(
  'a,alias A,all-fqdns b,boot d,domain f,fqdn,long F,file: i,ip-address I,all-ip-addresses s,short y,yp,nis h,help V,version',
  '',
);
const UPTIME = defineOptions('p,pretty h,help s,since V,version', '');

const RELEASE = '6.1.0-18-amd64';
const VERSION = '#1 SMP PREEMPT_DYNAMIC Debian 6.1.76-1 (2024-02-01)';

/** The first line of a small file, or a default. */
function firstLine(tool: Tool, path: string, otherwise: string): string {
  return textNow(tool.proc, path).split('\n')[0] || otherwise;
}

function hostName(tool: Tool): string {
  return firstLine(tool, '/proc/sys/kernel/hostname', firstLine(tool, '/etc/hostname', 'localhost'));
}

/** The command `uname`. */
export const uname = plainTool('uname', (tool) => {
  const asked = new Set<string>();
  for (const { key } of tool.options(UNAME)) asked.add(key);
  tool.noMoreThan(0);
  const isAll = asked.has('a');
  if (asked.size === 0) asked.add('s');
  const values: readonly (readonly [string, string])[] = [
    ['s', 'Linux'],
    ['n', hostName(tool)],
    ['r', firstLine(tool, '/proc/sys/kernel/osrelease', RELEASE)],
    ['v', firstLine(tool, '/proc/sys/kernel/version', VERSION)],
    ['m', 'x86_64'],
    ['p', 'unknown'],
    ['i', 'unknown'],
    ['o', 'GNU/Linux'],
  ];
  const shown = values.filter(([key, value]) => asked.has(key) || (isAll && value !== 'unknown'));
  tool.out(`${shown.map(([, value]) => value).join(' ')}\n`);
});

/** The command `arch`. */
export const arch = plainTool('arch', (tool) => {
  for (const _ of tool.options(NOTHING));
  tool.noMoreThan(0);
  tool.out('x86_64\n');
});

/** The command `nproc`. */
export const nproc = plainTool('nproc', (tool) => {
  let ignored = 0;
  let all = false;
  for (const { key, value = '' } of tool.options(NPROC)) {
    if (key === 'all') all = true;
    if (key !== 'ignore') continue;
    const count = readSize(value, '');
    if (typeof count !== 'number') tool.die(`invalid number: ${tool.quote(value)}`);
    ignored = Number(count);
  }
  tool.noMoreThan(0);
  const processors = (textNow(tool.proc, '/proc/cpuinfo').match(/^processor\s*:/gm) ?? []).length || 1;
  const threads = all ? undefined : /^\d+/.exec(tool.env('OMP_NUM_THREADS') ?? '')?.[0];
  tool.out(`${Math.max(1, Number(threads ?? processors) - ignored)}\n`);
});

/** The command `hostid`. */
export const hostid = plainTool('hostid', (tool) => {
  for (const _ of tool.options(NOTHING));
  tool.noMoreThan(0);
  tool.out('007f0101\n');
});

/** The command `tty`. */
export const tty = plainTool(
  'tty',
  (tool) => {
    let silent = false;
    for (const { key } of tool.options(TTY)) silent ||= key === 's';
    tool.noMoreThan(0);
    const isTerminal = tool.proc.isatty(0);
    if (!silent)
      tool.out(
        isTerminal ? `${tool.proc.file(0).path.replace(/^\/dev\/tty$/, '/dev/pts/0')}\n` : 'not a tty\n',
      );
    return isTerminal ? 0 : 1;
  },
  { failStatus: 2 },
);

/** The command `hostname`. */
export const hostname = plainTool('hostname', (tool) => {
  const asked = new Set<string>();
  for (const { key } of tool.options(HOSTNAME)) asked.add(key);
  if (asked.has('h')) tool.help();
  if (asked.has('V')) tool.version();
  const name = hostName(tool);
  if (tool.operands.length > 0 || asked.has('F') || asked.has('b'))
    tool.die('you must be root to change the host name');
  const hosts = textNow(tool.proc, '/etc/hosts')
    .split('\n')
    .map((row) =>
      row
        .replace(/#.*/, '')
        .split(/\s+/)
        .filter((word) => word !== ''),
    )
    .filter((row) => row.slice(1).includes(name));
  const row = hosts[0] ?? [];
  if (asked.has('s')) tool.out(`${name.split('.')[0]}\n`);
  else if (asked.has('f')) tool.out(`${row[1] ?? name}\n`);
  else if (asked.has('d')) tool.out(`${(row[1] ?? name).split('.').slice(1).join('.')}\n`);
  else if (asked.has('i')) tool.out(`${row[0] ?? '127.0.1.1'}\n`);
  else if (asked.has('I')) tool.out(' \n');
  else if (asked.has('a')) tool.out(`${row.slice(2).join(' ')}\n`);
  else if (asked.has('A')) tool.out(`${name} \n`);
  else if (asked.has('y')) tool.die('Local domain name not set');
  else tool.out(`${name}\n`);
});

/** The command `uptime`. */
export const uptime = plainTool('uptime', (tool) => {
  const asked = new Set<string>();
  for (const { key } of tool.options(UPTIME)) asked.add(key);
  if (asked.has('h')) tool.help();
  if (asked.has('V')) tool.version();
  const nowSeconds = Math.floor(tool.proc.now() / 1e6);
  const boot = tool.proc.kernel.processes.get(1)?.startUs ?? tool.proc.startUs;
  const upSeconds = Number(
    /^[\d.]+/.exec(textNow(tool.proc, '/proc/uptime'))?.[0] ?? Math.floor((tool.proc.now() - boot) / 1e6),
  );
  const days = Math.floor(upSeconds / 86_400);
  const hours = Math.floor(upSeconds / 3600) % 24;
  const minutes = Math.floor(upSeconds / 60) % 60;
  if (asked.has('s')) {
    tool.out(
      `${strftime('%Y-%m-%d %H:%M:%S', breakTime(nowSeconds - Math.floor(upSeconds), 0, tool.zone))}\n`,
    );
    return;
  }
  if (asked.has('p')) {
    const parts: string[] = [];
    const add = (count: number, word: string): void => {
      if (count > 0) parts.push(`${count} ${word}${count === 1 ? '' : 's'}`);
    };
    add(Math.floor(days / 7), 'week');
    add(days % 7, 'day');
    add(hours, 'hour');
    if (minutes > 0 || upSeconds < 60) parts.push(`${minutes} minute${minutes === 1 ? '' : 's'}`);
    tool.out(`up ${parts.join(', ')}\n`);
    return;
  }
  const clock = strftime('%H:%M:%S', breakTime(nowSeconds, 0, tool.zone));
  const dayText = days > 0 ? `${days} day${days === 1 ? '' : 's'}, ` : '';
  const time =
    hours > 0 ? `${String(hours).padStart(2)}:${String(minutes).padStart(2, '0')}` : `${minutes} min`;
  tool.out(` ${clock} up ${dayText}${time},  0 user,  load average: 0.00, 0.00, 0.00\n`);
});
