/**
 * `netstat` of net-tools 2.10: the table of TCP sockets.
 *
 * Source: netstat(8). Not covered, asked instead: routes, interfaces, statistics, unix sockets, `-c -e -o`.
 */
import { defineOptions, parseLine } from '../../program/options.js';
import { defineTool, type Tool } from '../../program/tool.js';
import { unknownProgram } from '../../program/unknown-program.js';
import { SERVICE_NAMES, type SocketRow, socketRows } from './socket-rows.js';

const OPTIONS = defineOptions(
  't,tcp u,udp l,listening n,numeric a,all p,programs 4 6 W,wide numeric-ports numeric-hosts',
  '',
);
const NOT_ALL =
  '(Not all processes could be identified, non-owned process info\n will not be shown, you would have to be root to see it all.)\n';
const NAME_WIDTH = 20;
const ADDRESS_WIDTH = 23;

/** The command `netstat`. */
export const netstat = defineTool(
  'netstat',
  function* (tool) {
    const line = parseLine(tool.args, OPTIONS);
    const flags = new Set(line.hits.map(({ key }) => key));
    const isTable = flags.has('t') || flags.has('u');
    if (line.error !== undefined || line.operands.length > 0 || !isTable)
      return yield* unknownProgram('netstat')(tool.proc);
    if (flags.has('p') && tool.proc.uid !== 0) tool.io.err(NOT_ALL);
    const which = flags.has('a')
      ? 'servers and established'
      : flags.has('l')
        ? 'only servers'
        : 'w/o servers';
    tool.out(`Active Internet connections (${which})\n`);
    tool.out(
      `Proto Recv-Q Send-Q Local Address           Foreign Address         State      ${flags.has('p') ? ' PID/Program name    ' : ''}\n`,
    );
    for (const row of flags.has('t') ? chosen(tool, flags) : []) tool.out(`${rowText(tool, flags, row)}\n`);
    return 0;
  },
  { sizeBytes: 155_000 },
);

function chosen(tool: Tool, flags: ReadonlySet<string>): SocketRow[] {
  const rows = socketRows(tool.proc.kernel).filter(({ isListening, family }) => {
    if (flags.has('4') && !flags.has('6') && family !== 'inet') return false;
    if (flags.has('6') && !flags.has('4') && family !== 'inet6') return false;
    return flags.has('a') || (flags.has('l') ? isListening : !isListening);
  });
  return [
    ...rows.filter(({ family }) => family === 'inet'),
    ...rows.filter(({ family }) => family === 'inet6'),
  ];
}

function rowText(tool: Tool, flags: ReadonlySet<string>, row: SocketRow): string {
  const { family, local, peer, isListening, holders } = row;
  const address = (host: string, port: string): string =>
    (flags.has('W') ? `${host}:${port}` : `${host}:${port}`.slice(-ADDRESS_WIDTH)).padEnd(ADDRESS_WIDTH);
  const port = (number: number): string =>
    (flags.has('n') || flags.has('numeric-ports') ? undefined : SERVICE_NAMES[number]) ?? String(number);
  const isNumeric = flags.has('n') || flags.has('numeric-hosts');
  const host = (text: string): string => {
    if (isNumeric) return text;
    if (text === '0.0.0.0' || text === '::') return text === '::' ? '[::]' : text;
    return text === '127.0.0.1' ? 'localhost' : text === '::1' ? 'ip6-localhost' : text;
  };
  const any = family === 'inet' ? '0.0.0.0' : '::';
  const first = `${(family === 'inet' ? 'tcp' : 'tcp6').padEnd(4)}  ${String(row.waiting).padStart(6)} ${'0'.padStart(6)}`;
  const far = peer === null ? address(host(any), '*') : address(host(peer.host), port(peer.port));
  const text = `${first} ${address(host(local.host), port(local.port))} ${far} ${(isListening ? 'LISTEN' : 'ESTABLISHED').padEnd(11)}`;
  if (!flags.has('p')) return text;
  const holder = holders.find(({ proc }) => tool.proc.uid === 0 || proc.uid === tool.proc.uid)?.proc;
  const name = holder === undefined ? '-' : `${holder.pid}/${holder.comm}`.slice(0, NAME_WIDTH - 1);
  return `${text} ${name.padEnd(NAME_WIDTH)}`;
}
