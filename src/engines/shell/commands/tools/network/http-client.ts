/**
 * The client's side of HTTP/1.1, for the programs that fetch things: connect, send, read a head, read a body.
 *
 * Source: RFC 9112. Not covered: trailers, encodings of content, TLS.
 */

import { joinBytes } from '../../../kernel/byte-text.js';
import {
  connectSocket,
  openSocket,
  type Process,
  type Running,
  SystemError,
  toBytes,
  toText,
} from '../../../kernel/index.js';

/** A host and port as an address of the machine. */
interface Endpoint {
  readonly address: string;
  readonly port: number;
}

/** The head of an answer. */
export interface ResponseHead {
  readonly version: string;
  readonly status: number;
  readonly reason: string;
  /** The lines as they came, without the empty one, each with its line break. */
  readonly text: string;
  /** By name in small letters; of several the last. */
  readonly headers: ReadonlyMap<string, string>;
}

/** Why an answer could not be read. */
type ReadFailure = 'empty' | 'reset' | 'timeout' | 'not-http' | 'short';

/** Thrown by reads that come to nothing. */
export class ReadFailed extends Error {
  constructor(
    readonly why: ReadFailure,
    /** Bytes of the body that came. */
    readonly received = 0,
    /** Bytes that were still to come. */
    readonly missing = 0,
  ) {
    super(why);
  }
}

const MAX_HEAD_BYTES = 262_144;

/** Connects; the descriptor. Raises `ECONNREFUSED` and the like. */
export function* dialEndpoint(proc: Process, { address, port }: Endpoint): Running<number> {
  const family = address.includes(':') ? 'inet6' : 'inet';
  const fd = openSocket(proc, family);
  try {
    yield* connectSocket(proc, fd, { family, host: address, port });
    return fd;
  } catch (error) {
    proc.close(fd);
    throw error;
  }
}

/** One connection. */
export class HttpConnection {
  private kept: Uint8Array = new Uint8Array(0);
  private isEnded = false;

  constructor(
    private readonly proc: Process,
    readonly fd: number,
    /** When to give up, on the machine's clock. */
    private readonly untilUs?: number,
  ) {}

  /** Sends a request. */
  *send(head: string, body: Uint8Array): Running<void> {
    try {
      yield* this.proc.write(this.fd, joinBytes([toBytes(head), body]));
    } catch (error) {
      // What the server said before it hung up is still to be read.
      if (!(error instanceof SystemError)) throw error;
    }
  }

  /** Reads the head of an answer; interim ones (100) are passed over. Raises {@link ReadFailed}. */
  *head(): Running<ResponseHead> {
    for (;;) {
      const head = readHead(yield* this.headText());
      if (head.status >= 200 || head.status === 101) return head;
    }
  }

  private *headText(): Running<string> {
    for (;;) {
      const text = toText(this.kept);
      const end = /\r?\n\r?\n/.exec(text);
      if (end !== null) {
        const head = text.slice(0, end.index + end[0].length);
        this.kept = this.kept.subarray(toBytes(head).length);
        if (!head.startsWith('HTTP/')) throw new ReadFailed('not-http');
        return head;
      }
      if (this.kept.length > MAX_HEAD_BYTES || (text.length >= 5 && !text.startsWith('HTTP/')))
        throw new ReadFailed('not-http');
      if (!(yield* this.more())) throw new ReadFailed(this.kept.length === 0 ? 'empty' : 'not-http');
    }
  }

  /** Reads the body, piece by piece. Raises {@link ReadFailed}. */
  *body(head: ResponseHead, method: string, give: (bytes: Uint8Array) => Running<void>): Running<void> {
    if (method === 'HEAD' || head.status === 204 || head.status === 304) return;
    if ((head.headers.get('transfer-encoding') ?? '').toLowerCase().includes('chunked')) {
      yield* this.chunks(give);
      return;
    }
    const length = head.headers.get('content-length');
    if (length === undefined) {
      for (;;) {
        if (this.kept.length > 0) yield* give(this.take(this.kept.length));
        if (!(yield* this.more())) return;
      }
    }
    yield* this.exactly(Number(length), give);
  }

  private *chunks(give: (bytes: Uint8Array) => Running<void>): Running<void> {
    for (;;) {
      const size = Number.parseInt(yield* this.line(), 16);
      if (!(size > 0)) break;
      yield* this.exactly(size, give);
      yield* this.line();
    }
    while ((yield* this.line()) !== '');
  }

  private *line(): Running<string> {
    for (;;) {
      const end = this.kept.indexOf(10);
      if (end >= 0) return toText(this.take(end + 1)).replace(/\r?\n$/, '');
      if (!(yield* this.more())) throw new ReadFailed('short');
    }
  }

  private *exactly(length: number, give: (bytes: Uint8Array) => Running<void>): Running<void> {
    let left = length;
    while (left > 0) {
      if (this.kept.length === 0 && !(yield* this.more())) throw new ReadFailed('short', length - left, left);
      const piece = this.take(Math.min(left, this.kept.length));
      left -= piece.length;
      yield* give(piece);
    }
  }

  private take(count: number): Uint8Array {
    const piece = this.kept.subarray(0, count);
    this.kept = this.kept.subarray(count);
    return piece;
  }

  private *more(): Running<boolean> {
    if (this.isEnded) return false;
    const { proc, fd, untilUs } = this;
    if (untilUs !== undefined && (yield* proc.poll([fd], untilUs)).length === 0)
      throw new ReadFailed('timeout');
    try {
      const bytes = yield* proc.read(fd);
      this.isEnded = bytes.length === 0;
      if (!this.isEnded) this.kept = this.kept.length === 0 ? bytes : joinBytes([this.kept, bytes]);
      return !this.isEnded;
    } catch (error) {
      if (error instanceof SystemError && error.code === 'ECONNRESET') throw new ReadFailed('reset');
      throw error;
    }
  }
}

function readHead(text: string): ResponseHead {
  const lines = text.split(/\r?\n/).filter((line) => line !== '');
  const [, version = '1.0', status = '0', reason = ''] =
    /^HTTP\/(\S+) (\d{3}) ?(.*)$/.exec(lines[0] ?? '') ?? [];
  const headers = new Map<string, string>();
  for (const line of lines.slice(1)) {
    const at = line.indexOf(':');
    if (at > 0) headers.set(line.slice(0, at).toLowerCase(), line.slice(at + 1).trim());
  }
  return { version, status: Number(status), reason, text: text.replace(/\r?\n\r?\n$/, '\r\n'), headers };
}
