/**
 * Finds the JSON-RPC messages in the body of one HTTP request or response while it streams past.
 *
 * A JSON body is one message, or a batch (protocol 2025-03-26) that is cut into its messages; an event stream
 * carries one message per event, in its `data` lines. The tap only looks: bytes go on at once, unchanged, also when
 * they are compressed (then a copy is unpacked here). Source: MCP Streamable HTTP; WHATWG server-sent events.
 */
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import { LIMITS } from '../core/index.js';
import { createLineSplitter } from './line-splitter.js';

/** Who is told of messages. */
export interface MessageListener {
  /** A message's bytes as they stood in the body, and the id of the event that carried it. */
  readonly onMessage: (bytes: Uint8Array, event?: string) => void;
  /** A message is longer than `LIMITS.lineBytes` and is not kept. */
  readonly onTooLong: (sizeBytes: number) => void;
}

/** Looks at a body that passes. */
export interface MessageTap {
  push(chunk: Uint8Array): void;
  /** Says that the body has ended, or broke off. Resolves when all messages are handed on. */
  end(): Promise<void>;
}

/** What a body says of itself. */
export interface BodyHeaders {
  readonly contentType: string | undefined;
  readonly contentEncoding: string | undefined;
}

/** Makes a tap for a body. Bodies of other types than JSON and event streams hand on nothing. */
export function createMessageTap(headers: BodyHeaders, listener: MessageListener): MessageTap {
  const plain = plainTap(headers.contentType ?? '', listener);
  const unpack = unpackerOf(headers.contentEncoding ?? '');
  if (unpack === undefined) return { push: plain.push, end: async () => plain.end() };
  const done = new Promise<void>((resolve) => {
    const finish = (): void => {
      plain.end();
      resolve();
    };
    unpack.on('data', (chunk: Buffer) => plain.push(chunk));
    unpack.once('end', finish);
    // Broken or cut off: what was unpacked so far has been seen.
    unpack.once('error', finish);
  });
  return {
    push: (chunk) => void unpack.write(chunk),
    end: () => {
      unpack.end();
      return done;
    },
  };
}

function unpackerOf(encoding: string) {
  switch (encoding.trim().toLowerCase()) {
    case 'gzip':
    case 'x-gzip':
      return createGunzip();
    case 'deflate':
      return createInflate();
    case 'br':
      return createBrotliDecompress();
    default:
      return undefined;
  }
}

interface PlainTap {
  readonly push: (chunk: Uint8Array) => void;
  readonly end: () => void;
}

function plainTap(contentType: string, listener: MessageListener): PlainTap {
  const type = contentType.split(';')[0]?.trim().toLowerCase() ?? '';
  if (type === 'text/event-stream') return eventTap(listener);
  if (type === 'application/json' || type.endsWith('+json')) return jsonTap(listener);
  return { push: () => undefined, end: () => undefined };
}

function jsonTap({ onMessage, onTooLong }: MessageListener): PlainTap {
  let parts: Uint8Array[] = [];
  let held = 0;
  return {
    push(chunk) {
      held += chunk.length;
      if (held <= LIMITS.lineBytes) parts.push(chunk);
      else parts = [];
    },
    end() {
      if (held > LIMITS.lineBytes) onTooLong(held);
      if (held === 0 || held > LIMITS.lineBytes) return;
      const body = Buffer.concat(parts);
      for (const message of splitBatch(body)) onMessage(message);
      parts = [];
    },
  };
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/** The messages of a batch, byte for byte; a body that is no list is one message. */
function splitBatch(body: Uint8Array): readonly Uint8Array[] {
  const text = Buffer.from(body).toString('latin1');
  const first = text.search(/[^ \t\r\n]/);
  if (first < 0) return [];
  if (text[first] !== '[') return [body];
  const items: Uint8Array[] = [];
  let depth = 0;
  let start = first + 1;
  const take = (end: number): void => {
    if (text.slice(start, end).trim() !== '') items.push(body.subarray(start, end));
    start = end + 1;
  };
  for (let at = first; at < body.length; at++) {
    const byte = body[at];
    if (byte === QUOTE) at = endOfString(body, at);
    else if (byte === 0x5b || byte === 0x7b) depth++;
    else if (byte === 0x5d || byte === 0x7d) {
      if (--depth === 0) take(at);
    } else if (byte === 0x2c && depth === 1) take(at);
    if (depth === 0) break;
  }
  // Not closed: no list after all.
  return depth === 0 ? items : [body];
}

function endOfString(body: Uint8Array, start: number): number {
  let at = start + 1;
  while (at < body.length && body[at] !== QUOTE) at += body[at] === BACKSLASH ? 2 : 1;
  return at;
}

/** Reads events; lines end at LF, CR LF or a lone CR, and an event ends at an empty line. */
function eventTap({ onMessage, onTooLong }: MessageListener): PlainTap {
  let data: Uint8Array[] = [];
  let held = 0;
  let id: string | undefined;
  let kind = '';
  let ended = false;
  const dispatch = (): void => {
    const body = Buffer.concat(data.flatMap((line, index) => (index === 0 ? [line] : [LINE_FEED, line])));
    if (held > LIMITS.lineBytes) onTooLong(held);
    // An event without data only sets the id (a priming event); an older server's `endpoint` holds a session's key.
    else if (body.length > 0 && kind !== 'endpoint') onMessage(body, id);
    data = [];
    held = 0;
    id = undefined;
    kind = '';
  };
  const field = (line: Uint8Array): void => {
    const { name, value } = readField(line);
    if (name === 'id') id = Buffer.from(value).toString('utf8');
    if (name === 'event') kind = Buffer.from(value).toString('utf8');
    if (name !== 'data') return;
    held += value.length;
    if (held <= LIMITS.lineBytes) data.push(value);
    else data = [];
  };
  const line = (bytes: Uint8Array): void => (bytes.length === 0 ? dispatch() : field(bytes));
  const splitter = createLineSplitter((bytes, eol) => {
    // A piece of a line that is too long: what follows is no line of its own.
    if (!eol && !ended) {
      held = LIMITS.lineBytes + 1;
      data = [];
      return;
    }
    // By the standard an event that the end of the stream cuts off is dropped.
    if (eol) for (const one of splitAtReturns(bytes)) line(one);
  }, LIMITS.lineBytes);
  const end = (): void => {
    ended = true;
    splitter.end();
  };
  return { push: splitter.push, end };
}

function readField(line: Uint8Array): { readonly name: string; readonly value: Uint8Array } {
  const colon = line.indexOf(0x3a);
  const name = Buffer.from(line.subarray(0, colon < 0 ? line.length : colon)).toString('utf8');
  const from = line[colon + 1] === 0x20 ? colon + 2 : colon + 1;
  const value = colon < 0 ? new Uint8Array(0) : line.subarray(from);
  return { name: name.replace(/^\ufeff/, ''), value };
}

/** A lone CR ends a line too, and the one before the line feed belongs to it; JSON never holds a raw CR. */
function splitAtReturns(bytes: Uint8Array): readonly Uint8Array[] {
  const lines: Uint8Array[] = [];
  const end = bytes.at(-1) === CARRIAGE_RETURN ? bytes.length - 1 : bytes.length;
  let from = 0;
  for (let cr = bytes.indexOf(CARRIAGE_RETURN); cr >= 0 && cr < end; ) {
    lines.push(bytes.subarray(from, cr));
    from = cr + 1;
    cr = bytes.indexOf(CARRIAGE_RETURN, from);
  }
  lines.push(bytes.subarray(from, end));
  return lines;
}

const LINE_FEED = Buffer.from('\n');
const CARRIAGE_RETURN = 0x0d;
