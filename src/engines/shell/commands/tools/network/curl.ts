/**
 * `curl` against what listens on the machine: programs with sockets, and services that the world scripts.
 *
 * Other hosts (unless the machine has no network), other protocols, forms, uploads and options that are not listed in
 * `curl-settings.ts` are asked of the Host like a program that nobody computes, and so is a port that the world says is
 * open without saying what it answers.
 * Source: curl 7.88.1 of Debian 12. Not covered: TLS, compressed transfers, cookies that are kept.
 */
import { isLocal, type Process, type Running, SystemError, toBytes, toText } from '../../../kernel/index.js';
import { resolveHost } from '../../program/host-names.js';
import { defineTool, type Tool } from '../../program/tool.js';
import { unknownProgram } from '../../program/unknown-program.js';
import { METER_NOTHING, METER_TITLE, meterLine } from './curl-meter.js';
import { requestHead } from './curl-request.js';
import { type CurlSettings, readCurlSettings } from './curl-settings.js';
import { type TransferFacts, writeOut } from './curl-write-out.js';
import { dialEndpoint, HttpConnection, ReadFailed, type ResponseHead } from './http-client.js';
import { followAddress, readWebAddress, showWebAddress, type WebAddress } from './web-address.js';

const MAX_REDIRECTS = 50;
const RETRIED: ReadonlySet<number> = new Set([408, 429, 500, 502, 503, 504]);

/** The command `curl`. */
export const curl = defineTool(
  'curl',
  function* (tool) {
    const settings = yield* readCurlSettings(tool.proc);
    if (settings !== null && 'error' in settings) {
      tool.io.err(`curl: (${settings.status}) ${settings.error}\n`);
      return settings.status;
    }
    if (settings === null || settings.urls.length === 0) return yield* unknownProgram('curl')(tool.proc);
    const addresses = settings.urls.map(readWebAddress);
    if (addresses.some((one) => one !== null && !isComputed(tool.proc, one)))
      return yield* unknownProgram('curl')(tool.proc);
    let status = 0;
    for (const [index, address] of addresses.entries()) {
      if (address === null) status = says(tool, settings, 3, 'URL using bad/illegal format or missing URL');
      else status = yield* new Transfer(tool, settings, { address, index }).run();
    }
    return status;
  },
  { sizeBytes: 277_800 },
);

/** Whether what an address leads to is on the machine, or fails on it. */
function isComputed(proc: Process, { scheme, host, port }: WebAddress): boolean {
  const [address] = resolveHost(proc, host);
  const { network } = proc.kernel;
  if (address === undefined || !isLocal(address)) return network.isOffline;
  const met = network.find({ family: address.includes(':') ? 'inet6' : 'inet', host: address, port });
  if (met.to === 'script' && met.port.http === undefined) return false;
  return scheme === 'http' || (scheme === 'https' && met.to === 'nobody');
}

function says(tool: Tool, settings: CurlSettings, status: number, message: string): number {
  if (!settings.has('s') || settings.has('S')) tool.io.err(`curl: (${status}) ${message}\n`);
  return status;
}

/** One address with all its redirections. */
class Transfer {
  private readonly startUs: number;
  private readonly target: string | undefined;
  private readonly hasMeter: boolean;
  private readonly facts: TransferFacts;
  private fd: number | null = null;

  constructor(
    private readonly tool: Tool,
    private readonly settings: CurlSettings,
    private readonly given: { readonly address: WebAddress; readonly index: number },
  ) {
    const { address, index } = given;
    this.startUs = tool.proc.now();
    const output = settings.outputs[index];
    const named = output === null ? address.path.replace(/\?.*$/, '').replace(/^.*\//, '') : output;
    this.target = named === '-' ? undefined : named;
    this.hasMeter =
      !settings.has('s') &&
      !settings.has('no-progress-meter') &&
      (this.target !== undefined || !tool.proc.isatty(1));
    this.facts = {
      code: 0,
      down: 0,
      up: 0,
      headerBytes: 0,
      redirects: 0,
      connectUs: 0,
      firstUs: 0,
      url: showWebAddress(address),
      type: '',
      ip: '',
      redirectUrl: '',
      method: '',
      port: 0,
      totalUs: 0,
      exit: 0,
    };
  }

  *run(): Running<number> {
    const { settings, tool } = this;
    let left = Number(settings.value('retry') ?? '0');
    let delay = 1;
    for (;;) {
      if (this.hasMeter) tool.io.err(`${METER_TITLE}${METER_NOTHING}`);
      const status = yield* this.once();
      const why = this.retriedFor(status);
      if (why === null || left <= 0) {
        this.facts.exit = status;
        this.facts.totalUs = tool.proc.now() - this.startUs;
        const format = settings.value('w');
        if (format !== undefined) tool.out(writeOut(format, this.facts));
        return status;
      }
      const seconds = Number(settings.value('retry-delay') ?? '0') || delay;
      if (!settings.has('s') || settings.has('S'))
        tool.io.err(`Warning: Problem ${why}. Will retry in ${seconds} seconds. ${left} retries left.\n`);
      left -= 1;
      delay = Math.min(delay * 2, 600);
      yield* tool.io.drain();
      yield* tool.proc.sleep(seconds * 1e6);
    }
  }

  private retriedFor(status: number): string | null {
    if (status === 28) return ': timeout';
    if (status === 7 && this.settings.has('retry-connrefused')) return ': connection refused';
    if (status !== 0 && status !== 22 && this.settings.has('retry-all-errors'))
      return '(retrying all errors)';
    return RETRIED.has(this.facts.code) ? ': HTTP error' : null;
  }

  private *once(): Running<number> {
    const { settings, given } = this;
    let address = given.address;
    let body = settings.has('G') ? null : settings.body;
    let method = settings.value('X') ?? (settings.has('I') ? 'HEAD' : body === null ? 'GET' : 'POST');
    if (settings.has('G') && settings.body !== null)
      address = {
        ...address,
        path: `${address.path}${address.path.includes('?') ? '&' : '?'}${toText(settings.body)}`,
      };
    const max = Number(settings.value('max-redirs') ?? MAX_REDIRECTS);
    for (let count = 0; ; count++) {
      const met = yield* this.one({ address, method, body });
      if (typeof met === 'number') return met;
      if (count >= max) return this.fails(47, `Maximum (${max}) redirects followed`);
      this.facts.redirects += 1;
      if (!isComputed(this.tool.proc, met.next)) return yield* unknownProgram('curl')(this.tool.proc);
      if ([301, 302, 303].includes(met.status) && (body !== null || met.status === 303)) {
        body = null;
        method = settings.value('X') ?? (method === 'HEAD' ? 'HEAD' : 'GET');
      }
      address = met.next;
      this.note(`Issue another request to this URL: '${showWebAddress(address)}'`);
    }
  }

  /** One request; the status, or where it leads on. */
  private *one(asked: {
    readonly address: WebAddress;
    readonly method: string;
    readonly body: Uint8Array | null;
  }): Running<number | { readonly next: WebAddress; readonly status: number }> {
    const { tool, facts } = this;
    const { proc } = tool;
    const { address, method, body } = asked;
    const { host, port } = address;
    facts.url = showWebAddress(address);
    facts.method = method;
    const [ip] = resolveHost(proc, host);
    if (ip === undefined) return this.fails(6, `Could not resolve host: ${host}`, { closes: true });
    const shown = ip.includes(':') ? `[${ip}]` : ip;
    this.note(`  Trying ${shown}:${port}...`);
    let fd: number;
    try {
      fd = yield* dialEndpoint(proc, { address: ip, port });
    } catch (error) {
      if (!(error instanceof SystemError)) throw error;
      if (error.code === 'ENETUNREACH') this.note(`Immediate connect fail for ${ip}: ${error.text}`);
      else this.note(`connect to ${ip} port ${port} failed: ${error.text}`);
      const ms = Math.floor((proc.now() - this.startUs) / 1000);
      return this.fails(
        7,
        `Failed to connect to ${host} port ${port} after ${ms} ms: Couldn't connect to server`,
        {
          closes: true,
        },
      );
    }
    facts.ip = ip;
    facts.port = port;
    facts.connectUs = proc.now() - this.startUs;
    this.note(`Connected to ${host} (${ip}) port ${port} (#0)`);
    try {
      return yield* this.exchange(fd, { address, method, body });
    } catch (error) {
      if (!(error instanceof ReadFailed)) throw error;
      return this.readFailed(error);
    } finally {
      if (proc.isOpen(fd)) proc.close(fd);
    }
  }

  private *exchange(
    fd: number,
    asked: { readonly address: WebAddress; readonly method: string; readonly body: Uint8Array | null },
  ): Running<number | { readonly next: WebAddress; readonly status: number }> {
    const { settings, tool, facts } = this;
    const { address, method, body } = asked;
    const maxTime = settings.value('m');
    const until = maxTime === undefined ? undefined : this.startUs + Number(maxTime) * 1e6;
    const connection = new HttpConnection(tool.proc, fd, until);
    const request = requestHead(settings, { address, method, body });
    if (settings.has('u') || address.user !== undefined)
      this.note(
        `Server auth using Basic with user '${(settings.value('u') ?? address.user ?? '').split(':')[0]}'`,
      );
    this.lines('>', request);
    if (body !== null) this.data('}', body.length);
    yield* tool.io.drain();
    yield* connection.send(request, body ?? new Uint8Array(0));
    facts.up = body?.length ?? 0;
    const head = yield* connection.head();
    facts.firstUs = tool.proc.now() - this.startUs;
    facts.code = head.status;
    facts.type = head.headers.get('content-type') ?? '';
    facts.headerBytes += toBytes(head.text).length + 2;
    if (head.version === '1.0') this.note('HTTP 1.0, assume close after body');
    this.lines('<', `${head.text}\r\n`);
    const location = head.status >= 300 && head.status < 400 ? head.headers.get('location') : undefined;
    const next = location === undefined ? null : followAddress(address, location);
    facts.redirectUrl = next === null ? '' : showWebAddress(next);
    const follows = next !== null && settings.has('L');
    const isRefused = settings.has('f') && head.status >= 400;
    const shows = !follows && !isRefused;
    if (settings.has('i') || settings.has('I')) yield* this.give(toBytes(`${head.text}\r\n`), false);
    if (isRefused)
      return this.fails(22, `The requested URL returned error: ${head.status}`, { closes: true });
    if (follows) this.note('Ignoring the response-body');
    yield* this.readBody(connection, { head, method, shows });
    const closes = head.version === '1.0' || (head.headers.get('connection') ?? '').toLowerCase() === 'close';
    this.note(closes ? 'Closing connection 0' : `Connection #0 to host ${address.host} left intact`);
    if (follows && next !== null) return { next, status: head.status };
    yield* this.finish();
    if (settings.has('fail-with-body') && head.status >= 400)
      return says(tool, settings, 22, `The requested URL returned error: ${head.status}`);
    return 0;
  }

  private *readBody(
    connection: HttpConnection,
    how: { readonly head: ResponseHead; readonly method: string; readonly shows: boolean },
  ): Running<void> {
    const self = this;
    let isFirst = true;
    yield* connection.body(how.head, how.method, function* (bytes) {
      if (isFirst) self.data('{', bytes.length);
      isFirst = false;
      if (how.shows) yield* self.give(bytes, true);
    });
  }

  /** Bytes for the output. */
  private *give(bytes: Uint8Array, counts: boolean): Running<void> {
    const { tool, target } = this;
    if (counts) this.facts.down += bytes.length;
    if (target === undefined) {
      tool.io.out(bytes);
      if (tool.io.mustDrain) yield* tool.io.drain();
      return;
    }
    this.fd ??= yield* tool.proc.open(target, { write: true, create: true, truncate: true });
    yield* tool.proc.write(this.fd, bytes);
  }

  private *finish(): Running<void> {
    const { tool, target, facts } = this;
    if (target !== undefined && this.fd === null) yield* this.give(new Uint8Array(0), false);
    if (this.fd !== null) tool.proc.close(this.fd);
    this.fd = null;
    if (this.hasMeter)
      tool.io.err(`${meterLine({ down: facts.down, up: facts.up, us: tool.proc.now() - this.startUs })}\n`);
  }

  private readFailed({ why, received, missing }: ReadFailed): number {
    const ms = Math.floor((this.tool.proc.now() - this.startUs) / 1000);
    if (why === 'empty') return this.fails(52, 'Empty reply from server', { closes: true });
    if (why === 'reset') return this.fails(56, 'Recv failure: Connection reset by peer', { closes: true });
    if (why === 'not-http') return this.fails(1, 'Received HTTP/0.9 when not allowed', { closes: true });
    if (why === 'timeout') {
      const size = this.facts.down;
      return this.fails(28, `Operation timed out after ${ms} milliseconds with ${size} bytes received`, {
        closes: true,
      });
    }
    return this.fails(
      18,
      missing > 0
        ? `transfer closed with ${missing} bytes remaining to read`
        : 'transfer closed with outstanding read data remaining',
      { closes: true, received },
    );
  }

  private fails(status: number, message: string, more: { closes?: boolean; received?: number } = {}): number {
    const { tool, facts } = this;
    if (this.fd !== null) tool.proc.close(this.fd);
    this.fd = null;
    if (this.hasMeter)
      tool.io.err(`${meterLine({ down: facts.down, up: 0, us: tool.proc.now() - this.startUs })}\n`);
    this.note(message);
    if (more.closes === true) this.note('Closing connection 0');
    return says(tool, this.settings, status, message);
  }

  // ---- what -v shows ----

  private note(text: string): void {
    if (this.settings.has('v')) this.tool.io.err(`* ${text}\n`);
  }

  private lines(mark: '>' | '<', text: string): void {
    if (!this.settings.has('v')) return;
    for (const line of text.replace(/\r\n$/, '').split('\r\n')) this.tool.io.err(`${mark} ${line}\r\n`);
  }

  private data(mark: '{' | '}', size: number): void {
    const isShown = this.target === undefined && this.tool.proc.isatty(1);
    if (this.settings.has('v') && !isShown && size > 0) this.tool.io.err(`${mark} [${size} bytes data]\n`);
  }
}
