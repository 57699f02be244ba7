/**
 * `curl` against services of the machine itself: what the world says listens, and refused connections where nothing does.
 *
 * Other hosts, other protocols, uploads and options that are not listed here are asked of the Host like a program that
 * nobody computes, and so is a port that the world says is open without saying what it answers.
 * Source: curl 7.88.1. Not covered: timings (a request takes no time), compressed transfers, cookies.
 */
import type { Running } from '../../../kernel/index.js';
import type { HttpAnswer, ListeningPort } from '../../../kernel/listening-port.js';
import { defineOptions } from '../../program/options.js';
import { defineTool, type Tool } from '../../program/tool.js';
import { unknownProgram } from '../../program/unknown-program.js';

const OPTIONS = defineOptions(
  's,silent S,show-error f,fail i,include I,head o,output: O,remote-name L,location X,request: d,data:: H,header: w,write-out: m,max-time: connect-timeout: A,user-agent: k,insecure G,get retry:',
  '',
);
const METER =
  '  % Total    % Received % Xferd  Average Speed   Time    Time     Time  Current\n                                 Dload  Upload   Total   Spent    Left  Speed\n';
const NOTHING_YET = '\r  0     0    0     0    0     0      0      0 --:--:-- --:--:-- --:--:--     0';
const REFUSED = 7;
const HTTP_ERROR = 22;
const REASONS: Readonly<Record<number, string>> = {
  200: 'OK',
  201: 'Created',
  204: 'No Content',
  301: 'Moved Permanently',
  302: 'Found',
  400: 'Bad Request',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'Not Found',
  405: 'Method Not Allowed',
  409: 'Conflict',
  429: 'Too Many Requests',
  500: 'Internal Server Error',
  502: 'Bad Gateway',
  503: 'Service Unavailable',
  504: 'Gateway Timeout',
};

interface Address {
  readonly host: string;
  readonly port: number;
  readonly path: string;
}

/** The command `curl`. */
export const curl = defineTool(
  'curl',
  function* (tool) {
    const flags = new Map<string, string>();
    for (const { key, value = '' } of tool.options(OPTIONS)) flags.set(key, value);
    const addresses = tool.operands.map(localAddress);
    const isKnown = addresses.length > 0 && addresses.every((one) => one !== null);
    if (!isKnown || flags.has('d') || flags.has('G') || flags.has('retry'))
      return yield* unknownProgram('curl')(tool.proc);
    let status = 0;
    for (const address of addresses) {
      const port = portOf(tool, address);
      if (port !== null && port.http === undefined) return yield* unknownProgram('curl')(tool.proc);
      status = yield* transfer(tool, { flags, address, port });
    }
    return status;
  },
  { sizeBytes: 277_800 },
);

/** A plain HTTP address of the machine itself; null for everything else. */
function localAddress(text: string): Address | null {
  const match =
    /^(?:http:\/\/)?(localhost|127(?:\.\d+){3}|\[::1\]|0\.0\.0\.0)(?::(\d{1,5}))?(\/[^#]*)?(?:#.*)?$/.exec(
      text,
    );
  if (match === null) return null;
  const [, host = '', port, path = '/'] = match;
  return { host: host.replace(/[[\]]/g, ''), port: port === undefined ? 80 : Number(port), path };
}

function portOf(tool: Tool, address: Address | null): ListeningPort | null {
  return tool.proc.kernel.listening.find((one) => one.port === address?.port) ?? null;
}

interface Transfer {
  readonly flags: ReadonlyMap<string, string>;
  readonly address: Address | null;
  readonly port: ListeningPort | null;
}

function* transfer(tool: Tool, { flags, address, port }: Transfer): Running<number> {
  const isSilent = flags.has('s');
  const says = !isSilent || flags.has('S');
  const { host, port: number, path } = address as Address;
  const target =
    flags.get('o') ?? (flags.has('O') ? path.replace(/\?.*$/, '').replace(/^.*\//, '') : undefined);
  const hasMeter = !isSilent && (target !== undefined || !tool.proc.isatty(1));
  if (hasMeter) tool.io.err(`${METER}${NOTHING_YET}`);
  if (port === null) {
    if (hasMeter) tool.io.err(`${NOTHING_YET}\n`);
    if (says)
      tool.io.err(
        `curl: (7) Failed to connect to ${host} port ${number} after 0 ms: Couldn't connect to server\n`,
      );
    writeOut(tool, flags, { code: 0, size: 0 });
    return REFUSED;
  }
  const method = flags.get('X') ?? (flags.has('I') ? 'HEAD' : 'GET');
  const answer = answerOf(port, method, path);
  const isRefused = flags.has('f') && answer.status >= 400;
  const body = isRefused || method === 'HEAD' ? '' : answer.body;
  const text = `${flags.has('i') || flags.has('I') ? headerText(tool, answer) : ''}${body}`;
  if (hasMeter) tool.io.err(isRefused ? `${NOTHING_YET}\n` : meterOf(body));
  if (target === undefined) tool.out(text);
  else {
    const fd = yield* tool.proc.open(target, { write: true, create: true, truncate: true });
    yield* tool.proc.write(fd, text);
    tool.proc.close(fd);
  }
  if (isRefused && says) tool.io.err(`curl: (22) The requested URL returned error: ${answer.status}\n`);
  writeOut(tool, flags, { code: answer.status, size: new TextEncoder().encode(body).length });
  return isRefused ? HTTP_ERROR : 0;
}

function meterOf(body: string): string {
  const size = String(new TextEncoder().encode(body).length).padStart(5);
  const done = `100 ${size}  100 ${size}    0     0  ${size.padStart(5)}      0 --:--:-- --:--:-- --:--:-- ${size}`;
  return body === '' ? `${NOTHING_YET}\n` : `\r${done}\n`;
}

/** What a service answers: an exact path, the path without its query, or "not found". */
function answerOf(port: ListeningPort, method: string, path: string): HttpAnswer {
  const bare = path.replace(/\?.*$/, '');
  const asked = method === 'HEAD' ? ['HEAD', 'GET'] : [method];
  for (const key of [...asked.flatMap((one) => [`${one} ${path}`, `${one} ${bare}`]), path, bare]) {
    const answer = port.http?.[key];
    if (answer !== undefined) return answer;
  }
  return { status: 404, type: 'text/plain', body: 'Not Found\n' };
}

function headerText(tool: Tool, { status, type, body }: HttpAnswer): string {
  const date = new Date(tool.proc.now() / 1000).toUTCString();
  const length = new TextEncoder().encode(body).length;
  return `HTTP/1.1 ${status} ${REASONS[status] ?? ''}\r\nDate: ${date}\r\nContent-Type: ${type}\r\nContent-Length: ${length}\r\n\r\n`;
}

function writeOut(
  tool: Tool,
  flags: ReadonlyMap<string, string>,
  { code, size }: { code: number; size: number },
): void {
  const format = flags.get('w');
  if (format === undefined) return;
  const values: Readonly<Record<string, string>> = {
    http_code: String(code).padStart(3, '0'),
    response_code: String(code).padStart(3, '0'),
    size_download: String(size),
    time_total: '0.000000',
    exitcode: code === 0 ? '7' : '0',
  };
  tool.out(
    format
      .replace(/%\{(\w+)\}/g, (whole, name: string) => values[name] ?? whole)
      .replace(/\\([nrt])/g, (_, letter: string) => ({ n: '\n', r: '\r', t: '\t' })[letter] ?? ''),
  );
}
