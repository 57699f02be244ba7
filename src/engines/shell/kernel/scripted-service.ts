/**
 * A service that the world scripts, as the other end of a connection: HTTP/1.1 requests in, the world's answers out.
 *
 * An answer is found by method and path, then by path, with the query and without it; else it is "not found". What is no
 * HTTP gets a 400 and the end of the connection.
 * Source: RFC 9112. Not covered: trailers, upgrades, requests of more than a megabyte.
 */
import { joinBytes, toBytes, toText } from './byte-text.js';
import { HTTP_REASONS } from './http-reasons.js';
import type { HttpAnswer, ListeningPort } from './listening-port.js';
import type { Remote, Socket } from './socket.js';

const MAX_REQUEST_BYTES = 1 << 20;
const NOT_FOUND: HttpAnswer = { status: 404, type: 'text/plain', body: 'Not Found\n' };
const BAD: HttpAnswer = { status: 400, type: 'text/plain', body: 'Bad Request\n' };

/** The other end of one connection. */
export class ScriptedService implements Remote {
  private bytes = new Uint8Array(0);
  private answers: Uint8Array = new Uint8Array(0);
  private isClosing = false;

  constructor(
    private readonly client: Socket,
    private readonly port: ListeningPort,
    private readonly clock: { readonly nowUs: number },
  ) {}

  get room(): number {
    return this.isClosing ? MAX_REQUEST_BYTES : MAX_REQUEST_BYTES - this.bytes.length;
  }

  receive(bytes: Uint8Array): number {
    if (this.isClosing) return bytes.length;
    this.bytes = joinBytes([this.bytes, bytes]) as Uint8Array<ArrayBuffer>;
    while (!this.isClosing && this.answerOne());
    this.onRoom();
    return bytes.length;
  }

  finish(): void {
    this.isClosing = true;
    this.onRoom();
  }

  hangUp(): void {
    this.isClosing = true;
    this.answers = new Uint8Array(0);
  }

  onRoom(): void {
    if (this.answers.length > 0) this.answers = this.answers.subarray(this.client.receive(this.answers));
    if (this.isClosing && this.answers.length === 0) this.client.finish();
  }

  /** Answers the first request, if it is whole. */
  private answerOne(): boolean {
    const text = toText(this.bytes);
    const end = text.indexOf('\r\n\r\n');
    if (end < 0) {
      if (this.bytes.length >= MAX_REQUEST_BYTES) this.say(BAD, { method: 'GET', keeps: false });
      return false;
    }
    const [first = '', ...lines] = text.slice(0, end).split('\r\n');
    const head = /^([A-Z]+) (\S+) HTTP\/(1\.[01])$/.exec(first);
    if (head === null) {
      this.say(BAD, { method: 'GET', keeps: false });
      return false;
    }
    const headers = new Map(
      lines.map((line) => {
        const at = line.indexOf(':');
        return [line.slice(0, at).toLowerCase(), line.slice(at + 1).trim()] as const;
      }),
    );
    const bodyStart = toBytes(text.slice(0, end + 4)).length;
    const length = bodyLength(headers, this.bytes.subarray(bodyStart));
    if (length === null) return false;
    this.bytes = this.bytes.slice(bodyStart + length);
    const [, method = '', path = '', version] = head;
    const asked = (headers.get('connection') ?? '').toLowerCase();
    const keeps = version === '1.1' ? asked !== 'close' : asked === 'keep-alive';
    this.say(answerOf(this.port, method, path), { method, keeps });
    return keeps;
  }

  private say(answer: HttpAnswer, { method, keeps }: { method: string; keeps: boolean }): void {
    const { status, type, body } = answer;
    const content = toBytes(body);
    const head = [
      `HTTP/1.1 ${status} ${HTTP_REASONS[status] ?? ''}`.trimEnd(),
      `Date: ${new Date(this.clock.nowUs / 1000).toUTCString()}`,
      `Content-Type: ${type}`,
      `Content-Length: ${content.length}`,
      ...(keeps ? [] : ['Connection: close']),
    ];
    const parts = [this.answers, toBytes(`${head.join('\r\n')}\r\n\r\n`)];
    this.answers = joinBytes(method === 'HEAD' ? parts : [...parts, content]);
    if (!keeps) this.isClosing = true;
  }
}

/** The length of a request's body; null where it is not whole yet. */
function bodyLength(headers: ReadonlyMap<string, string>, rest: Uint8Array): number | null {
  if ((headers.get('transfer-encoding') ?? '').toLowerCase() === 'chunked') {
    const end = toText(rest).indexOf('0\r\n\r\n');
    return end < 0 ? null : toBytes(toText(rest).slice(0, end + 5)).length;
  }
  const length = Number(headers.get('content-length') ?? '0');
  if (!Number.isSafeInteger(length) || length < 0) return 0;
  return rest.length < length ? null : length;
}

/** What a service answers: an exact path, the path without its query, or "not found". */
function answerOf(port: ListeningPort, method: string, path: string): HttpAnswer {
  const bare = path.replace(/\?.*$/, '');
  const asked = method === 'HEAD' ? ['HEAD', 'GET'] : [method];
  for (const key of [...asked.flatMap((one) => [`${one} ${path}`, `${one} ${bare}`]), path, bare]) {
    const answer = port.http?.[key];
    if (answer !== undefined) return answer;
  }
  return NOT_FOUND;
}
