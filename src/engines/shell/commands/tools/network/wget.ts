/**
 * `wget` against what listens on the machine.
 *
 * Source: GNU Wget 1.21.3 of Debian 12 (`http.c`, `progress.c`). Not covered, asked instead: other hosts (unless the machine
 * has no network), recursion, forms, cookies that are kept, continued downloads, options not listed here.
 */
import { isLocal, type Running, SystemError } from '../../../kernel/index.js';
import { breakTime } from '../../program/calendar.js';
import { resolveHost } from '../../program/host-names.js';
import { defineOptions, parseLine } from '../../program/options.js';
import { strftime } from '../../program/strftime.js';
import { defineTool, type Tool } from '../../program/tool.js';
import { unknownProgram } from '../../program/unknown-program.js';
import { dialEndpoint, HttpConnection, ReadFailed, type ResponseHead } from './http-client.js';
import { followAddress, readWebAddress, showWebAddress, type WebAddress } from './web-address.js';
import { barLine, DotProgress, rateText } from './wget-progress.js';

const OPTIONS = defineOptions(
  'q,quiet O,output-document: S,server-response T,timeout: t,tries: nv,no-verbose v,verbose U,user-agent: header: spider ' +
    'post-data: method: body-data: P,directory-prefix: no-check-certificate show-progress progress: 4,inet4-only 6,inet6-only',
  '',
);
const NETWORK_FAILURE = 4;
const SERVER_ERROR = 8;
const MAX_REDIRECTS = 20;

/** The command `wget`. */
export const wget = defineTool(
  'wget',
  function* (tool) {
    const args = tool.args.map((word) => (word === '-nv' ? '--no-verbose' : word));
    const line = parseLine(args, OPTIONS);
    const flags = new Map(line.hits.map(({ key, value = '' }) => [key, value]));
    const headers = line.hits.flatMap(({ key, value }) => (key === 'header' ? [value ?? ''] : []));
    const addresses = line.operands.map(readWebAddress);
    const isPlain = addresses.length > 0 && addresses.every((one) => one !== null && isComputed(tool, one));
    if (line.error !== undefined || !isPlain || flags.has('progress'))
      return yield* unknownProgram('wget')(tool.proc);
    let status = 0;
    for (const address of addresses) {
      if (address === null) continue;
      const met = yield* new Download(tool, flags, headers).run(address);
      if (met !== 0) status = met;
    }
    return status;
  },
  { sizeBytes: 515_264 },
);

function isComputed(tool: Tool, { scheme, host, port }: WebAddress): boolean {
  const { proc } = tool;
  const [address] = resolveHost(proc, host);
  const { network } = proc.kernel;
  if (address === undefined || !isLocal(address)) return network.isOffline;
  const met = network.find({ family: address.includes(':') ? 'inet6' : 'inet', host: address, port });
  if (met.to === 'script' && met.port.http === undefined) return false;
  return scheme === 'http' || (scheme === 'https' && met.to === 'nobody');
}

/** One address with all its redirections. */
class Download {
  private readonly isQuiet: boolean;
  private readonly isVerbose: boolean;

  constructor(
    private readonly tool: Tool,
    private readonly flags: ReadonlyMap<string, string>,
    private readonly headers: readonly string[],
  ) {
    this.isQuiet = flags.has('q');
    this.isVerbose = !this.isQuiet && !flags.has('nv');
  }

  *run(first: WebAddress): Running<number> {
    let address = first;
    let name = address.path.replace(/\?.*$/, '').replace(/^.*\//, '') || 'index.html';
    if (address.path.includes('?')) name += address.path.slice(address.path.indexOf('?'));
    for (let count = 0; count <= MAX_REDIRECTS; count++) {
      this.say(`--${this.stamp()}--  ${showWebAddress(address)}\n`);
      const met = yield* this.fetch(address, name);
      if (typeof met === 'number') return met;
      this.say(`Location: ${met.location} [following]\n`);
      if (!isComputed(this.tool, met.next)) return yield* unknownProgram('wget')(this.tool.proc);
      address = met.next;
    }
    this.say(`${MAX_REDIRECTS} redirections exceeded.\n`);
    return SERVER_ERROR;
  }

  private *fetch(
    address: WebAddress,
    name: string,
  ): Running<number | { readonly next: WebAddress; readonly location: string }> {
    const { proc } = this.tool;
    const { host, port } = address;
    const found = resolveHost(proc, host);
    const isNumber = found[0] === host;
    if (!isNumber) this.say(`Resolving ${host} (${host})... `);
    const [ip] = found;
    if (ip === undefined) {
      this.say('failed: Temporary failure in name resolution.\n');
      this.tell(`wget: unable to resolve host address ${this.tool.quote(host)}\n`);
      return NETWORK_FAILURE;
    }
    if (!isNumber) this.say(`${found.join(', ')}\n`);
    const place = isNumber ? `${ip}:${port}` : `${host} (${host})|${ip}|:${port}`;
    this.say(`Connecting to ${place}... `);
    let fd: number;
    try {
      fd = yield* dialEndpoint(proc, { address: ip, port });
    } catch (error) {
      if (!(error instanceof SystemError)) throw error;
      this.say(`failed: ${error.text}.\n`);
      return NETWORK_FAILURE;
    }
    this.say('connected.\n');
    try {
      return yield* this.exchange(fd, address, name);
    } catch (error) {
      if (!(error instanceof ReadFailed)) throw error;
      this.say(
        error.why === 'timeout' ? 'Read error (Connection timed out) in headers.\n' : 'No data received.\n',
      );
      this.say('Giving up.\n\n');
      return NETWORK_FAILURE;
    } finally {
      if (proc.isOpen(fd)) proc.close(fd);
    }
  }

  private *exchange(
    fd: number,
    address: WebAddress,
    name: string,
  ): Running<number | { readonly next: WebAddress; readonly location: string }> {
    const { tool, flags } = this;
    const timeout = flags.get('T');
    const untilUs = timeout === undefined ? undefined : tool.proc.now() + Number(timeout) * 1e6;
    const connection = new HttpConnection(tool.proc, fd, untilUs);
    const data = flags.get('post-data') ?? flags.get('body-data');
    const body = new TextEncoder().encode(data ?? '');
    const method =
      flags.get('method') ?? (flags.has('post-data') ? 'POST' : flags.has('spider') ? 'HEAD' : 'GET');
    const own: readonly (readonly [string, string])[] = [
      ['Host', address.authority],
      ['User-Agent', flags.get('U') ?? 'Wget/1.21.3'],
      ['Accept', '*/*'],
      ['Accept-Encoding', 'identity'],
      ['Connection', 'Keep-Alive'],
      ...(data === undefined
        ? []
        : ([
            ['Content-Type', 'application/x-www-form-urlencoded'],
            ['Content-Length', String(body.length)],
          ] as const)),
    ];
    const named = new Set(this.headers.map((line) => line.replace(/:.*$/, '').toLowerCase()));
    const lines = [
      ...own.filter(([key]) => !named.has(key.toLowerCase())).map(([key, value]) => `${key}: ${value}`),
      ...this.headers,
    ];
    yield* connection.send(`${method} ${address.path} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`, body);
    if (flags.has('spider')) this.say('Spider mode enabled. Check if remote file exists.\n', true);
    this.say('HTTP request sent, awaiting response... ');
    const head = yield* connection.head();
    if (flags.has('S')) this.say(`\n${head.text.replace(/^/gm, '  ').replace(/\r/g, '').trimEnd()}\n`);
    else this.say(`${head.status} ${head.reason}\n`);
    const location = head.status >= 300 && head.status < 400 ? head.headers.get('location') : undefined;
    const next = location === undefined ? null : followAddress(address, location);
    if (next !== null && location !== undefined) return { next, location };
    if (head.status >= 400) {
      if (this.isVerbose) this.say(`${this.stamp()} ERROR ${head.status}: ${head.reason}.\n\n`);
      else this.tell(`${showWebAddress(address)}:\n${this.stamp()} ERROR ${head.status}: ${head.reason}.\n`);
      return SERVER_ERROR;
    }
    if (flags.has('spider')) return this.spied(head);
    return yield* this.save({ connection, head, method, address, name });
  }

  private spied(head: ResponseHead): number {
    this.say(`${this.lengthLine(head)}Remote file exists.\n\n`);
    return 0;
  }

  private lengthLine({ headers }: ResponseHead): string {
    const length = headers.get('content-length');
    const type = headers.get('content-type')?.replace(/;.*$/, '').trim();
    const kind = type === undefined ? '' : ` [${type}]`;
    if (length === undefined) return `Length: unspecified${kind}\n`;
    const size = Number(length);
    return `Length: ${size}${size < 1024 ? '' : ` (${shortSize(size)})`}${kind}\n`;
  }

  private *save(asked: {
    readonly connection: HttpConnection;
    readonly head: ResponseHead;
    readonly method: string;
    readonly address: WebAddress;
    readonly name: string;
  }): Running<number> {
    const { tool, flags } = this;
    const { proc } = tool;
    const { connection, head, method } = asked;
    const given = flags.get('O');
    const isStdout = given === '-';
    const target = isStdout ? '-' : (given ?? this.freeName(asked.name));
    const shown = isStdout ? 'STDOUT' : target;
    this.say(`${this.lengthLine(head)}Saving to: ${tool.quote(shown)}\n`);
    let fd = 1;
    if (!isStdout) {
      try {
        fd = yield* proc.open(target, { write: true, create: true, truncate: true });
      } catch (error) {
        if (!(error instanceof SystemError)) throw error;
        this.tell(`${target}: ${error.text}\n`);
        return 3;
      }
    }
    const expected = head.headers.has('content-length') ? Number(head.headers.get('content-length')) : null;
    const startUs = proc.now();
    const hasBar = proc.isatty(2) && this.isVerbose;
    const dots = this.isVerbose && !hasBar ? new DotProgress(expected) : null;
    let size = 0;
    if (hasBar) this.say('\n');
    if (hasBar)
      this.say(barLine({ name: shown, size: 0, expected, us: 0, isDone: false, columns: this.columns() }));
    const self = this;
    yield* connection.body(head, method, function* (bytes) {
      size += bytes.length;
      yield* proc.write(fd, bytes);
      if (dots !== null) self.say(dots.add(bytes.length));
    });
    if (!isStdout) proc.close(fd);
    const us = Math.max(proc.now() - startUs, 1);
    if (dots !== null) this.say(dots.end(us));
    if (hasBar)
      this.say(`${barLine({ name: shown, size, expected, us, isDone: true, columns: this.columns() })}\n`);
    this.report({ address: asked.address, shown, size, expected, us, isStdout });
    return 0;
  }

  private report(done: {
    readonly address: WebAddress;
    readonly shown: string;
    readonly size: number;
    readonly expected: number | null;
    readonly us: number;
    readonly isStdout: boolean;
  }): void {
    const { tool } = this;
    const { shown, size, expected, us } = done;
    const of = expected === null ? `[${size}]` : `[${size}/${expected}]`;
    if (this.flags.has('nv') && !this.isQuiet) {
      const where = done.isStdout ? '-' : shown;
      this.tell(`${this.stamp()} URL:${showWebAddress(done.address)} ${of} -> "${where}" [1]\n`);
      return;
    }
    const how = done.isStdout ? `written to stdout` : `${tool.quote(shown)} saved`;
    this.say(`${this.isVerbose ? '\n' : ''}${this.stamp()} (${rateText(size, us)}) - ${how} ${of}\n\n`);
  }

  /** A name that no file has. */
  private freeName(name: string): string {
    const folder = this.flags.get('P');
    const path = folder === undefined ? name : `${folder}/${name}`;
    if (!this.tool.proc.exists(path)) return path;
    for (let count = 1; ; count++) if (!this.tool.proc.exists(`${path}.${count}`)) return `${path}.${count}`;
  }

  private columns(): number {
    return this.tool.proc.windowSize(2).columns;
  }

  private stamp(): string {
    return strftime(
      '%Y-%m-%d %H:%M:%S',
      breakTime(Math.floor(this.tool.proc.now() / 1e6), 0, this.tool.zone),
    );
  }

  /** What only the verbose mode says. */
  private say(text: string, always = false): void {
    if (this.isVerbose && (!always || text !== '')) this.tool.io.err(text);
  }

  /** What is said unless it is quiet. */
  private tell(text: string): void {
    if (!this.isQuiet) this.tool.io.err(text);
  }
}

function shortSize(size: number): string {
  const units = ['', 'K', 'M', 'G', 'T'];
  let value = size;
  let unit = 0;
  while (value >= 1024 && unit < units.length - 1) {
    value /= 1024;
    unit += 1;
  }
  return `${value < 10 ? value.toFixed(1) : Math.round(value)}${units[unit]}`;
}
