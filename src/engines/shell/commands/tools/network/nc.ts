/**
 * `nc` of netcat-openbsd 1.219: looks at ports, talks to one, listens on one.
 *
 * Source: nc(1) of Debian 12. Not covered, asked instead: datagrams, proxies, TLS, telnet, options not listed here.
 */
import {
  acceptSocket,
  bindSocket,
  isLocal,
  listenSocket,
  openSocket,
  type Running,
  SystemError,
  socketOf,
} from '../../../kernel/index.js';
import { namesOf, resolveHost } from '../../program/host-names.js';
import { defineOptions, parseLine } from '../../program/options.js';
import { defineTool, type Tool } from '../../program/tool.js';
import { unknownProgram } from '../../program/unknown-program.js';
import { dialEndpoint } from './http-client.js';
import { SERVICE_NAMES } from './socket-rows.js';

const OPTIONS = defineOptions('z v l p: n k N 4 6 w: q: s: d t', '');
const MAX_PORTS = 65_536;

/** The command `nc`. */
export const nc = defineTool(
  'nc',
  function* (tool) {
    const line = parseLine(tool.args, OPTIONS);
    const flags = new Map(line.hits.map(({ key, value = '' }) => [key, value]));
    if (line.error !== undefined) return yield* unknownProgram('nc')(tool.proc);
    if (flags.has('l')) return yield* listen(tool, flags, line.operands);
    const [host, ...ports] = line.operands;
    const numbers = ports.flatMap(portsOf);
    if (host === undefined || numbers.length === 0) {
      tool.io.err(
        host === undefined
          ? 'usage: nc [-46CDdFhklNnrStUuvZz] [-I length] [-i interval] [-M ttl]\n\t  [-m minttl] [-O length] [-P proxy_username] [-p source_port]\n\t  [-q seconds] [-s sourceaddr] [-T keyword] [-V rtable] [-W recvlimit]\n\t  [-w timeout] [-X proxy_protocol] [-x proxy_address[:port]]\n\t  [destination] [port]\n'
          : 'nc: missing port number\n',
      );
      return 1;
    }
    return yield* dialAll(tool, flags, { host, numbers });
  },
  { sizeBytes: 43_200 },
);

function portsOf(text: string): number[] {
  const [, first, last] = /^(\d{1,5})(?:-(\d{1,5}))?$/.exec(text) ?? [];
  const name = Object.entries(SERVICE_NAMES).find(([, one]) => one === text)?.[0];
  const from = Number(first ?? name ?? Number.NaN);
  const to = Math.min(Number(last ?? from), MAX_PORTS - 1);
  return Number.isNaN(from) || to < from
    ? []
    : Array.from({ length: to - from + 1 }, (_, step) => from + step);
}

function* dialAll(
  tool: Tool,
  flags: ReadonlyMap<string, string>,
  { host, numbers }: { readonly host: string; readonly numbers: readonly number[] },
): Running<number> {
  const { proc } = tool;
  const [address] = resolveHost(proc, host);
  const { network } = proc.kernel;
  if (address === undefined && network.isOffline) {
    tool.io.err(
      `nc: getaddrinfo for host "${host}" port ${numbers[0]}: Temporary failure in name resolution\n`,
    );
    return 1;
  }
  if (address === undefined || (!isLocal(address) && !network.isOffline))
    return yield* unknownProgram('nc')(proc);
  let status = 1;
  for (const port of numbers) {
    const shown = host === address ? host : `${host} (${address})`;
    try {
      const fd = yield* dialEndpoint(proc, { address, port });
      status = 0;
      if (flags.has('v'))
        tool.io.err(`Connection to ${shown} ${port} port [tcp/${serviceOf(flags, port)}] succeeded!\n`);
      if (!flags.has('z')) {
        yield* talk(tool, flags, fd);
        return 0;
      }
      proc.close(fd);
    } catch (error) {
      if (!(error instanceof SystemError)) throw error;
      if (flags.has('v')) tool.io.err(`nc: connect to ${shown} port ${port} (tcp) failed: ${error.text}\n`);
    }
  }
  return status;
}

function serviceOf(flags: ReadonlyMap<string, string>, port: number): string {
  return (flags.has('n') ? undefined : SERVICE_NAMES[port]) ?? '*';
}

function* listen(
  tool: Tool,
  flags: ReadonlyMap<string, string>,
  operands: readonly string[],
): Running<number> {
  const { proc } = tool;
  const given = flags.get('p') ?? operands.at(-1) ?? '';
  const [port] = portsOf(given);
  if (port === undefined) {
    tool.io.err(given === '' ? 'nc: missing port number\n' : `nc: port number invalid: ${given}\n`);
    return 1;
  }
  const host =
    flags.get('s') ?? (flags.has('p') ? operands[0] : operands.length > 1 ? operands[0] : undefined);
  const [address = '0.0.0.0'] = host === undefined ? ['0.0.0.0'] : resolveHost(proc, host);
  const family = address.includes(':') ? 'inet6' : 'inet';
  const fd = openSocket(proc, family);
  socketOf(proc, fd).options.set('1:2', 1);
  try {
    bindSocket(proc, fd, { family, host: address, port });
    listenSocket(proc, fd, 1);
  } catch (error) {
    if (!(error instanceof SystemError)) throw error;
    tool.io.err(`nc: ${error.text}\n`);
    return 1;
  }
  if (flags.has('v')) tool.io.err(`Listening on ${address} ${port}\n`);
  do {
    const accepted = yield* acceptSocket(proc, fd);
    const { peer } = socketOf(proc, accepted);
    if (flags.has('v') && peer !== null) {
      const name = flags.has('n') ? peer.host : (namesOf(proc, peer.host)[0] ?? peer.host);
      tool.io.err(`Connection received on ${name} ${peer.port}\n`);
    }
    if (!flags.has('k')) proc.close(fd);
    yield* talk(tool, flags, accepted);
    if (proc.isOpen(accepted)) proc.close(accepted);
  } while (flags.has('k'));
  return 0;
}

/** Standard input goes out, what comes in goes to standard output, until the other end is closed. */
function* talk(tool: Tool, flags: ReadonlyMap<string, string>, fd: number): Running<void> {
  const { proc } = tool;
  let isReading = proc.isOpen(0) && !flags.has('d');
  let untilUs: number | undefined;
  const wait = flags.get('w');
  for (;;) {
    const idleUs = wait === undefined ? undefined : proc.now() + Number(wait) * 1e6;
    const ready = yield* proc.poll(isReading ? [fd, 0] : [fd], untilUs ?? idleUs);
    if (ready.length === 0) return;
    if (ready.includes(fd)) {
      const bytes = yield* readOr(tool, fd);
      if (bytes === null || bytes.length === 0) return;
      yield* proc.write(1, bytes);
    }
    if (!isReading || !ready.includes(0)) continue;
    const typed = yield* proc.read(0);
    if (typed.length > 0) yield* proc.write(fd, typed);
    else {
      isReading = false;
      if (flags.has('N')) socketOf(proc, fd).shutdown('write');
      const quit = flags.get('q');
      if (quit !== undefined && Number(quit) >= 0) untilUs = proc.now() + Number(quit) * 1e6;
    }
  }
}

function* readOr(tool: Tool, fd: number): Running<Uint8Array | null> {
  try {
    return yield* tool.proc.read(fd);
  } catch (error) {
    if (error instanceof SystemError && error.code === 'ECONNRESET') return null;
    throw error;
  }
}
