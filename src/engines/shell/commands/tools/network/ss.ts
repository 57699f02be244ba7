/**
 * `ss` of iproute2 6.1: TCP sockets in columns, spread over the screen of a terminal.
 *
 * Source: ss(8), `misc/ss.c` (columns and their widths). Not covered, asked instead: filters, `-e -i -m -o -s -x` and the like.
 */
import { defineOptions, parseLine } from '../../program/options.js';
import { defineTool, type Tool } from '../../program/tool.js';
import { unknownProgram } from '../../program/unknown-program.js';
import { SERVICE_NAMES, type SocketRow, socketRows } from './socket-rows.js';

const OPTIONS = defineOptions(
  't,tcp u,udp l,listening n,numeric a,all p,processes 4,ipv4 6,ipv6 H,no-header O,oneline r,resolve',
  '',
);

interface Column {
  readonly title: string;
  readonly before: string;
  readonly isRight: boolean;
  readonly of: (row: SocketRow) => string;
}

/** The command `ss`. */
export const ss = defineTool(
  'ss',
  function* (tool) {
    const line = parseLine(tool.args, OPTIONS);
    const flags = new Set(line.hits.map(({ key }) => key));
    const isTcp = flags.has('t') || (flags.has('u') && flags.has('l')) || flags.has('u');
    if (line.error !== undefined || line.operands.length > 0 || !isTcp || flags.has('r'))
      return yield* unknownProgram('ss')(tool.proc);
    const rows = flags.has('t') ? chosen(tool, flags) : [];
    const columns = columnsOf(tool, flags);
    show(tool, { rows, columns, hasTitle: !flags.has('H') });
    return 0;
  },
  { sizeBytes: 150_808 },
);

function chosen(tool: Tool, flags: ReadonlySet<string>): SocketRow[] {
  return socketRows(tool.proc.kernel).filter(({ isListening, family }) => {
    if (flags.has('4') && !flags.has('6') && family !== 'inet') return false;
    if (flags.has('6') && !flags.has('4') && family !== 'inet6') return false;
    return flags.has('a') || (flags.has('l') ? isListening : !isListening);
  });
}

function columnsOf(tool: Tool, flags: ReadonlySet<string>): Column[] {
  const port = (number: number | null): string => {
    if (number === null) return '*';
    return (flags.has('n') ? undefined : SERVICE_NAMES[number]) ?? String(number);
  };
  const left = (title: string, of: Column['of'], before = ' '): Column => ({
    title,
    before,
    isRight: false,
    of,
  });
  const right = (title: string, of: Column['of']): Column => ({ title, before: ' ', isRight: true, of });
  return [
    ...(flags.has('t') && flags.has('u') ? [left('Netid', () => 'tcp', '')] : []),
    left('State', ({ isListening }) => (isListening ? 'LISTEN' : 'ESTAB')),
    left('Recv-Q', ({ waiting }) => String(waiting)),
    left('Send-Q', ({ isListening, backlog }) => String(isListening ? backlog : 0)),
    right('Local Address:', (row) => `${host(row.local.host, row.isDual)}:`),
    left('Port', ({ local }) => port(local.port), ''),
    right(
      'Peer Address:',
      ({ peer, family, isDual }) => `${host(peer?.host ?? (family === 'inet' ? '0.0.0.0' : '::'), isDual)}:`,
    ),
    left('Port', ({ peer }) => port(peer?.port ?? null), ''),
    left('Process', (row) => (flags.has('p') ? processes(tool, row) : ''), ''),
  ];
}

function host(address: string, isDual: boolean): string {
  if (isDual) return '*';
  return address.includes(':') ? `[${address}]` : address;
}

function processes(tool: Tool, { holders }: SocketRow): string {
  const { uid } = tool.proc;
  const seen = holders.filter(({ proc }) => uid === 0 || proc.uid === uid);
  const list = seen.map(({ proc, fd }) => `("${proc.comm}",pid=${proc.pid},fd=${fd})`);
  return list.length === 0 ? '' : `users:(${list.join(',')})`;
}

/** Columns as wide as what they hold; on a terminal what is left of a line is shared out among them. */
function show(
  tool: Tool,
  what: {
    readonly rows: readonly SocketRow[];
    readonly columns: readonly Column[];
    readonly hasTitle: boolean;
  },
): void {
  const { rows, columns } = what;
  const cells = rows.map((row) => columns.map(({ of }) => of(row)));
  const titles = columns.map(({ title }) => title);
  const table = what.hasTitle ? [titles, ...cells] : cells;
  const widths = columns.map(({ before }, index) => {
    const longest = Math.max(0, ...table.map((line) => (line[index] ?? '').length));
    return index === 0 || longest === 0 ? longest : longest + before.length;
  });
  if (tool.proc.isatty(1)) spread(widths, tool.proc.windowSize(1).columns);
  for (const line of table) {
    const shown = columns.map(({ before, isRight }, index) => {
      const start = index === 0 ? '' : before;
      const width = Math.max(0, (widths[index] ?? 0) - start.length);
      const cell = line[index] ?? '';
      return `${start}${isRight ? cell.padStart(width) : cell.padEnd(width)}`;
    });
    tool.out(`${shown.join('')}\n`);
  }
}

function spread(widths: number[], screen: number): void {
  const used = widths.filter((width) => width > 0);
  const free = screen - used.reduce((sum, width) => sum + width, 0);
  if (free <= 0) return;
  const [each, rest] = [Math.floor(free / used.length), free % used.length];
  let count = 0;
  widths.forEach((width, index) => {
    if (width === 0) return;
    widths[index] = width + each + (count < rest ? 1 : 0);
    count += 1;
  });
}
