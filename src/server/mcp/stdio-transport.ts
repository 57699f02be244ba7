/**
 * Frames on two streams, as the transport that the MCP server library asks for.
 *
 * Own, because the library's reads JSON with rounding, refuses messages over 10 MB, and drops what is still being
 * answered when the input ends. Nothing but frames is written. While the client does not read, nothing more is read
 * from it. Source: MCP stdio transport; the library's `Transport` interface; hard case P-MCP-2.
 */

import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/server';
import { type Json, type JsonObject, LIMITS, renderJson } from '../../core/index.js';
import { argumentText } from './argument-text.js';
import type { ByteInput, ByteOutput } from './byte-streams.js';
import { LineSplitter } from './frame-lines.js';
import { readFrames, tooLongReply } from './frame-reading.js';
import { invalidParams } from './request-check.js';

type Id = string | number;

/** How long requests that run may still be answered after the input has ended. */
const DRAIN_MS = 30_000;

/** Frames on two streams. */
export class StdioTransport implements Transport {
  onclose?: (() => void) | undefined;
  onerror?: ((error: Error) => void) | undefined;
  onmessage?: Transport['onmessage'];
  readonly #input: ByteInput;
  readonly #output: ByteOutput;
  /** Requests that were not answered yet, with the exact arguments of calls. */
  readonly #open = new Map<Id, string | undefined>();
  #ended = false;
  #closed = false;
  #timer: NodeJS.Timeout | undefined;

  constructor(input: ByteInput, output: ByteOutput) {
    this.#input = input;
    this.#output = output;
  }

  /** The exact text of the arguments of a call that is being answered. */
  argumentsOf(id: Id): string | undefined {
    return this.#open.get(id);
  }

  /** Starts reading. */
  async start(): Promise<void> {
    const lines = new LineSplitter(
      { line: (bytes) => this.#line(bytes), tooLong: () => void this.#write(tooLongReply()) },
      LIMITS.lineBytes,
    );
    this.#input.on('data', (chunk) => {
      lines.push(chunk);
      if (this.#output.writableNeedDrain) this.#input.pause();
    });
    this.#output.on('drain', () => this.#input.resume());
    this.#input.once('end', () => {
      lines.end();
      this.#end();
    });
    this.#input.once('close', () => this.#end());
    this.#input.once('error', () => this.#end());
    // The client is gone: nobody reads what is still being answered.
    for (const event of ['error', 'close'] as const) this.#output.once(event, () => void this.close());
  }

  /** Writes one message; resolves when the stream has taken it. */
  async send(message: JSONRPCMessage): Promise<void> {
    await this.#write(message as unknown as JsonObject);
    if ('id' in message && message.id !== undefined && !('method' in message)) this.#answered(message.id);
  }

  /** Stops reading. */
  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    clearTimeout(this.#timer);
    this.#input.pause();
    this.onclose?.();
  }

  #write(message: JsonObject): Promise<void> {
    if (this.#closed || this.#output.destroyed) return Promise.resolve();
    return new Promise((resolve) => {
      this.#output.write(`${renderJson(message as Json)}\n`, () => resolve());
    });
  }

  #line(bytes: Uint8Array): void {
    for (const frame of readFrames(bytes)) {
      if (frame.kind === 'fault') void this.#write(frame.reply);
      if (frame.kind === 'message') this.#deliver(frame.message, frame.text);
    }
  }

  #deliver(message: JsonObject, text: string): void {
    const { id, method } = message;
    const refused = invalidParams(message);
    if (refused !== undefined) {
      void this.#write(refused);
      return;
    }
    if (method !== undefined && (typeof id === 'string' || typeof id === 'number')) {
      this.#open.set(id, method === 'tools/call' && text !== '' ? argumentText(text) : undefined);
    }
    if (method === 'notifications/cancelled') this.#cancelled(message);
    this.onmessage?.(message as unknown as JSONRPCMessage);
  }

  /** A cancelled request is never answered. */
  #cancelled({ params }: JsonObject): void {
    const id = (params as JsonObject | undefined)?.requestId;
    if (typeof id === 'string' || typeof id === 'number') this.#answered(id);
  }

  #answered(id: Id): void {
    this.#open.delete(id);
    if (this.#ended && this.#open.size === 0) void this.close();
  }

  #end(): void {
    if (this.#ended) return;
    this.#ended = true;
    if (this.#open.size === 0) {
      void this.close();
      return;
    }
    this.#timer = setTimeout(() => void this.close(), DRAIN_MS);
  }
}
