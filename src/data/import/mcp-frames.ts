/**
 * JSON-RPC messages with their direction, out of the envelopes that recorders of MCP put around them.
 *
 * Read: `umwelt record` (`{ts, dir, data}` with `eol`, `base64`, `session`, `http`), logging proxies of Streamable HTTP
 * (`{ts, n, kind: request | response-head | response-chunk | response-end}`), envelopes with other names for the same
 * things, and bare messages, whose direction is told by what they are. A line in pieces is put together again; a
 * body of server-sent events is read event by event. Source: formats.md, section on MCP captures.
 */
import { isJsonObject, type Json, type JsonObject, LIMITS, parseJson } from '../../core/index.js';
import type { ImportTally, ValuePlace } from './import-format.js';

/** Who sent a message; null where an envelope does not say. */
export type Sender = 'client' | 'server' | null;

/** One JSON-RPC message on its way. */
export interface McpMessage {
  readonly from: Sender;
  readonly message: JsonObject;
  readonly at: string | undefined;
  /** The run within the file, and where on HTTP: messages of one exchange belong together. */
  readonly run: string;
  readonly exchange: number | undefined;
  /** The HTTP session, where it is known. */
  readonly session: string | undefined;
  readonly place: ValuePlace;
}

const DIRECTIONS = ['dir', 'direction', 'from', 'sender', 'source', 'type', 'stream'];
const CONTENTS = ['data', 'message', 'msg', 'raw', 'payload', 'frame', 'line', 'body', 'json'];
const TIMES = ['ts', 'timestamp', 'time', 'at', 'date'];

/** True for a JSON-RPC 2.0 message. */
function isRpc(value: Json | undefined): value is JsonObject {
  return isJsonObject(value) && value.jsonrpc === '2.0';
}

/** True for a value that is, or wraps, a JSON-RPC message or a frame of a recorder. */
export function isFrame(value: Json): boolean {
  if (isRpc(value)) return true;
  if (Array.isArray(value)) return value.length > 0 && value.every((item: Json) => isRpc(item));
  if (!isJsonObject(value)) return false;
  if (typeof value.dir === 'string' && typeof value.data === 'string') return true;
  if (typeof value.kind === 'string' && PROXY_KINDS.has(value.kind)) return true;
  return CONTENTS.some((name) => {
    const part = value[name];
    const read = typeof part === 'string' && part.includes('"jsonrpc"') ? parseJson(part) : undefined;
    return isRpc(read?.ok === true ? read.value : part);
  });
}

const PROXY_KINDS = new Set(['request', 'response-head', 'response-chunk', 'response-end']);

interface Envelope {
  readonly from: Sender;
  readonly at: string | undefined;
  readonly run: string;
  readonly exchange: number | undefined;
  readonly session: string | undefined;
  readonly place: ValuePlace;
}

/** Takes frames, gives messages. Holds unfinished lines and bodies only. */
export class McpFrames {
  private readonly pieces = new Map<string, string>();
  private readonly bodies = new Map<string, { text: string; readonly envelope: Envelope }>();

  constructor(private readonly tally: ImportTally) {}

  /** The messages that this value completes. */
  take(value: Json, place: ValuePlace): readonly McpMessage[] {
    if (isRpc(value) || Array.isArray(value)) return this.messages(value, bare(place));
    if (!isJsonObject(value)) return this.skip('value that is no frame');
    if (typeof value.kind === 'string' && PROXY_KINDS.has(value.kind)) return this.proxied(value, place);
    const envelope = envelopeOf(value, place);
    if (envelope === null) return this.skip(skippedName(value));
    const part = CONTENTS.map((name) => value[name]).find((one) => one !== undefined);
    if (typeof part !== 'string')
      return part === undefined ? this.skip('frame without content') : this.messages(part, envelope);
    return this.text(value, part, envelope);
  }

  /** The messages of bodies that were cut off, and a note for lines that were. */
  end(): readonly McpMessage[] {
    const rest = [...this.bodies.values()].flatMap(({ text, envelope }) => this.body(text, envelope));
    this.bodies.clear();
    if (this.pieces.size > 0) this.tally.skip('message that was cut off');
    return rest;
  }

  private skip(what: string): readonly McpMessage[] {
    this.tally.skip(what);
    return [];
  }

  private text(value: JsonObject, part: string, envelope: Envelope): readonly McpMessage[] {
    const line = `${envelope.run} ${envelope.from} ${envelope.exchange ?? ''}`;
    const whole = (this.pieces.get(line) ?? '') + part;
    if (value.eol === false && !parseJson(whole).ok) {
      if (whole.length <= LIMITS.lineBytes) this.pieces.set(line, whole);
      return [];
    }
    this.pieces.delete(line);
    return this.body(whole, envelope);
  }

  private proxied(value: JsonObject, place: ValuePlace): readonly McpMessage[] {
    const exchange = typeof value.n === 'number' ? value.n : undefined;
    const headers = isJsonObject(value.headers) ? value.headers : {};
    const session = typeof headers['mcp-session-id'] === 'string' ? headers['mcp-session-id'] : undefined;
    const common = { at: timeOf(value), run: '', exchange, session, place };
    if (value.kind === 'request') {
      const { body } = value;
      if (typeof body === 'string' && body !== '') return this.body(body, { ...common, from: 'client' });
      return isJsonObject(body) ? this.messages(body, { ...common, from: 'client' }) : [];
    }
    const key = String(exchange);
    const envelope: Envelope = { ...common, from: 'server' };
    if (value.kind === 'response-chunk' && typeof value.data === 'string') {
      const text = (this.bodies.get(key)?.text ?? '') + value.data;
      const end = text.lastIndexOf('\n\n') + 2;
      // Whole events are read at once, so that a stream that never ends is not held.
      const whole = /^(?:event|data|id|retry|:)/.test(text) && end > 1 ? text.slice(0, end) : '';
      const rest = text.slice(whole.length);
      if (rest.length <= LIMITS.lineBytes) this.bodies.set(key, { text: rest, envelope });
      return whole === '' ? [] : this.body(whole, envelope);
    }
    if (value.kind !== 'response-end') return [];
    const held = this.bodies.get(key);
    this.bodies.delete(key);
    return held === undefined ? [] : this.body(held.text, { ...envelope, session: held.envelope.session });
  }

  private body(text: string, envelope: Envelope): readonly McpMessage[] {
    if (text.trim() === '') return [];
    const parsed = parseJson(text);
    if (parsed.ok) return this.messages(parsed.value, envelope);
    if (/^\s*(?:event|data|id|retry|:)/.test(text)) return this.events(text, envelope);
    this.tally.warn(envelope.place, 'a message that is not JSON; left out');
    return this.skip('message that is not JSON');
  }

  private events(text: string, envelope: Envelope): readonly McpMessage[] {
    return text.split(/\r?\n\r?\n/).flatMap((event) => {
      const data = event
        .split(/\r?\n/)
        .filter((line) => line.startsWith('data:'))
        .map((line) => line.slice(line.startsWith('data: ') ? 6 : 5))
        .join('\n');
      if (data.trim() === '') return [];
      const parsed = parseJson(data);
      if (parsed.ok) return this.messages(parsed.value, envelope);
      this.tally.warn(envelope.place, 'a server-sent event that is not JSON; left out');
      return this.skip('message that is not JSON');
    });
  }

  private messages(value: Json, envelope: Envelope): readonly McpMessage[] {
    const list = Array.isArray(value) ? (value as readonly Json[]) : [value];
    return list.flatMap((message): readonly McpMessage[] => {
      if (isRpc(message)) return [{ ...envelope, message }];
      return this.skip('message that is no JSON-RPC');
    });
  }
}

function bare(place: ValuePlace): Envelope {
  return { from: null, at: undefined, run: '', exchange: undefined, session: undefined, place };
}

function skippedName(value: JsonObject): string {
  if (typeof value.dir === 'string') return value.dir;
  return typeof value.kind === 'string' ? value.kind : 'frame of no known direction';
}

/** The envelope; null for what is no message: standard error, notes about HTTP. */
function envelopeOf(value: JsonObject, place: ValuePlace): Envelope | null {
  const name = DIRECTIONS.find((one) => typeof value[one] === 'string');
  const from = name === undefined ? null : senderOf(String(value[name]));
  if (from === 'none') return null;
  const http = isJsonObject(value.http) ? value.http : {};
  return {
    from,
    at: timeOf(value),
    run: typeof value.session === 'string' ? value.session : '',
    exchange: typeof http.exchange === 'number' ? http.exchange : undefined,
    session: typeof http.session === 'string' ? http.session : undefined,
    place,
  };
}

function senderOf(word: string): Sender | 'none' {
  const text = word.toLowerCase();
  if (/stderr|^http$|^log$/.test(text)) return 'none';
  if (/^client|from[-_ ]client|c2s|c->s|outgoing|^out|stdin|request|^send|^sent|^>|to[-_ ]server/.test(text))
    return 'client';
  if (
    /^server|from[-_ ]server|s2c|s->c|incoming|^in|stdout|response|^recv|^receive|^<|to[-_ ]client/.test(text)
  )
    return 'server';
  return null;
}

function timeOf(value: JsonObject): string | undefined {
  for (const name of TIMES) {
    const time = value[name];
    if (typeof time === 'string' && !Number.isNaN(Date.parse(time))) return time;
    // Seconds or milliseconds since 1970; smaller numbers count from the start of the run and are no times.
    if (typeof time === 'number' && time > 1e9)
      return new Date(time < 1e11 ? time * 1000 : time).toISOString();
  }
  return undefined;
}
