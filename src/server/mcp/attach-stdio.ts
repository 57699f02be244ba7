/**
 * A stdio front of an MCP address: each line of the client becomes a POST, each message of the answer a line.
 *
 * Messages pass as they are; only headers are made from them (session, revision, method, name), so both protocol eras
 * pass. What the service cannot answer (nobody there, a wrong token, a session that is gone) is an error reply to the
 * request that asked, so that no client waits for ever. Source: MCP 2025-11-25 and 2026-07-28, transports.
 */

import { isJsonObject, type Json, type JsonObject, LIMITS, parseJson, renderJson } from '../../core/index.js';
import type { ByteInput, ByteOutput } from './byte-streams.js';
import { readMessages } from './event-lines.js';
import { LineSplitter } from './frame-lines.js';
import { readFrames, tooLongReply } from './frame-reading.js';

/** Where a front leads to. */
export interface AttachTarget {
  /** An MCP address, for example of an episode. */
  readonly url: string;
  /** Sent as Bearer; never written anywhere. */
  readonly token?: string;
  /** What a refused token should be replaced by, for messages. */
  readonly tokenHint: string;
}

/** The two streams of the client. */
export interface AttachStreams {
  readonly input: ByteInput;
  readonly output: ByteOutput;
}

const META_REVISION = 'io.modelcontextprotocol/protocolVersion';
const INTERNAL_ERROR = -32_603;

/** Passes messages until the client's input ends and all answers are there. Never rejects. */
export async function attachStdio(target: AttachTarget, streams: AttachStreams): Promise<void> {
  await new Front(target, streams).run();
}

class Front {
  readonly #target: AttachTarget;
  readonly #input: ByteInput;
  readonly #output: ByteOutput;
  readonly #running = new Set<Promise<void>>();
  /** Ends what still runs when the client does not read any more. */
  readonly #gone = new AbortController();
  readonly #eventStream = new AbortController();
  /** Messages go out in order up to their headers; answers come as they come. */
  #sending: Promise<void> = Promise.resolve();
  /** Calls reach the episode in the order in which the client sent them: the next waits for the headers of the last. */
  #calling: Promise<unknown> = Promise.resolve();
  #session: string | undefined;
  #revision: string | undefined;

  constructor(target: AttachTarget, { input, output }: AttachStreams) {
    this.#target = target;
    this.#input = input;
    this.#output = output;
  }

  async run(): Promise<void> {
    const lines = new LineSplitter(
      { line: (bytes) => this.#line(bytes), tooLong: () => this.#reply(tooLongReply()) },
      LIMITS.lineBytes,
    );
    for (const event of ['error', 'close'] as const) this.#output.once(event, () => this.#gone.abort());
    try {
      for await (const chunk of this.#input as AsyncIterable<Uint8Array>) {
        lines.push(chunk);
        if (this.#output.writableNeedDrain) await drained(this.#output, this.#gone.signal);
        if (this.#gone.signal.aborted) break;
      }
    } catch {
      // The client's end broke: nobody is left to answer.
      this.#gone.abort();
    }
    lines.end();
    await this.#sending;
    this.#eventStream.abort();
    await Promise.all(this.#running);
    await this.#endSession();
  }

  #line(bytes: Uint8Array): void {
    for (const frame of readFrames(bytes)) {
      if (frame.kind === 'fault') this.#reply(frame.reply);
      if (frame.kind !== 'message') continue;
      const { message } = frame;
      const text = frame.text === '' ? renderJson(message) : frame.text;
      this.#sending = this.#sending.then(() => this.#pass(message, text));
    }
  }

  /** Sends one message. Resolves when the next may be sent: after the answer to `initialize` and to notifications. */
  async #pass(message: JsonObject, text: string): Promise<void> {
    const isRequest = message.method !== undefined && message.id !== undefined;
    const done = this.#exchange(message, text).catch((error: unknown) => {
      if (isRequest) this.#fail(message.id ?? null, explain(error, this.#target.url));
    });
    if (message.method === 'initialize' || !isRequest) {
      await done;
      if (message.method === 'notifications/initialized') this.#listen();
      return;
    }
    this.#running.add(done);
    void done.then(() => this.#running.delete(done));
  }

  async #exchange(message: JsonObject, text: string): Promise<void> {
    const response = await this.#post(message, text);
    this.#session ??= response.headers.get('mcp-session-id') ?? undefined;
    if (response.ok) {
      await readMessages(response, (line) => this.#deliver(line, message.method === 'initialize'));
      return;
    }
    const body = await response.text();
    if (message.id === undefined || message.method === undefined) return;
    this.#refused(message.id, response.status, body);
  }

  #post(message: JsonObject, text: string): Promise<Response> {
    const send = (): Promise<Response> =>
      fetch(this.#target.url, {
        method: 'POST',
        headers: this.#headers(message),
        body: text,
        signal: this.#gone.signal,
      });
    if (message.method !== 'tools/call') return send();
    const sent = this.#calling.then(send);
    this.#calling = sent.catch(() => undefined);
    return sent;
  }

  /** A reply of the protocol passes, under the id that asked; anything else is told in words. */
  #refused(id: Json, status: number, body: string): void {
    const json = parseJson(body);
    const error = json.ok && isJsonObject(json.value) ? json.value.error : undefined;
    if (isJsonObject(error) && typeof error.code === 'number') {
      this.#reply({ jsonrpc: '2.0', id, error });
      return;
    }
    const words = isJsonObject(error) && typeof error.message === 'string' ? `: ${error.message}` : '';
    const hint = status === 401 || status === 403 ? `; ${this.#target.tokenHint}` : '';
    this.#fail(id, `the service answered ${status}${words}${hint}`);
  }

  #deliver(line: string, isInitialize: boolean): void {
    if (isInitialize) {
      const json = parseJson(line);
      const result = json.ok && isJsonObject(json.value) ? json.value.result : undefined;
      if (isJsonObject(result) && typeof result.protocolVersion === 'string') {
        this.#revision = result.protocolVersion;
      }
    }
    this.#write(line);
  }

  #headers(message: JsonObject): Record<string, string> {
    const params = isJsonObject(message.params) ? message.params : {};
    const meta = isJsonObject(params._meta) ? params._meta : {};
    const claimed = meta[META_REVISION];
    const headers: Record<string, string> = {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...this.#identity(),
    };
    if (typeof claimed !== 'string') return headers;
    // The newer era repeats in headers what the body says.
    headers['mcp-protocol-version'] = claimed;
    if (typeof message.method === 'string') headers['mcp-method'] = headerText(message.method);
    const name = params.name ?? params.uri;
    if (NAMED.has(String(message.method)) && typeof name === 'string') headers['mcp-name'] = headerText(name);
    return headers;
  }

  #identity(): Record<string, string> {
    const { token } = this.#target;
    return {
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
      ...(this.#session !== undefined && { 'mcp-session-id': this.#session }),
      ...(this.#revision !== undefined && { 'mcp-protocol-version': this.#revision }),
    };
  }

  /** Messages that nobody asked for, such as a changed list of tools. A service without them says 405. */
  #listen(): void {
    if (this.#session === undefined) return;
    const signal = AbortSignal.any([this.#gone.signal, this.#eventStream.signal]);
    const headers = { accept: 'text/event-stream', ...this.#identity() };
    const listening = fetch(this.#target.url, { headers, signal })
      .then((response) =>
        response.ok ? readMessages(response, (line) => this.#write(line)) : response.body?.cancel(),
      )
      .catch(() => undefined);
    this.#running.add(listening.then(() => undefined));
  }

  async #endSession(): Promise<void> {
    if (this.#session === undefined) return;
    const signal = AbortSignal.timeout(2_000);
    await fetch(this.#target.url, { method: 'DELETE', headers: this.#identity(), signal }).catch(
      () => undefined,
    );
  }

  #fail(id: Json, message: string): void {
    this.#reply({ jsonrpc: '2.0', id, error: { code: INTERNAL_ERROR, message } });
  }

  #reply(message: JsonObject): void {
    this.#write(renderJson(message));
  }

  #write(line: string): void {
    if (!this.#gone.signal.aborted) this.#output.write(`${line}\n`);
  }
}

/** Methods whose name stands in a header. Source: MCP 2026-07-28, Streamable HTTP. */
const NAMED: ReadonlySet<string> = new Set(['tools/call', 'resources/read', 'prompts/get']);

/** A header holds visible ASCII; other text is sent in base64, as the protocol says. */
function headerText(text: string): string {
  if (/^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/.test(text) && !text.startsWith('=?base64?')) return text;
  return `=?base64?${Buffer.from(text).toString('base64')}?=`;
}

function explain(error: unknown, url: string): string {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  const why = cause instanceof Error ? cause.message : String(cause);
  return `no answer from ${new URL(url).origin}: ${why}`;
}

function drained(output: ByteOutput, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    output.once('drain', () => resolve());
    signal.addEventListener('abort', () => resolve(), { once: true });
  });
}
