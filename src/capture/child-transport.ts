/**
 * A stdio server as a child process, as the transport that the MCP client library asks for.
 *
 * Own, because the library's reads JSON with rounding and tells nothing of how a server died: here big integers stay
 * exact, lines are bounded, what a server wrote beside the protocol is kept for the error message, and the whole
 * process group is ended at the end. Source: MCP stdio transport; the library's `Transport` interface.
 */
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/client';
import { isJsonObject, type Json, LIMITS, parseJson, renderJson } from '../core/index.js';
import { createLineSplitter } from './line-splitter.js';

/** Which program to start. */
export interface ChildCommand {
  readonly command: string;
  readonly args: readonly string[];
  /** Its whole environment. */
  readonly env: Readonly<Record<string, string>>;
}

/** What is known of a server beside its messages. */
export interface ChildReport {
  /** Set once the process has ended by itself. */
  readonly end: { readonly code: number | null; readonly signal: string | null } | undefined;
  /** The last lines of standard error. */
  readonly log: readonly string[];
  /** Lines on standard output that were no JSON-RPC: how many, and the first. */
  readonly strayLines: number;
  readonly firstStray: string | undefined;
}

const LOG_LINES = 12;
const LOG_LINE_CHARS = 400;
/** How long a server may take to end after its input has ended, and again after it was asked to. */
const GRACE_MS = 700;

/** A child process that speaks JSON-RPC on its standard streams. */
export class ChildTransport implements Transport {
  onclose?: (() => void) | undefined;
  onerror?: ((error: Error) => void) | undefined;
  onmessage?: Transport['onmessage'];
  /** Together with `pid` this is how the library knows that a silent probe means an older server. */
  readonly stderr = null;
  readonly #target: ChildCommand;
  #child: ChildProcessWithoutNullStreams | undefined;
  #exited: Promise<void> = Promise.resolve();
  #end: ChildReport['end'];
  #log: string[] = [];
  #strayLines = 0;
  #firstStray: string | undefined;
  #closing = false;
  #closed = false;

  constructor(target: ChildCommand) {
    this.#target = target;
  }

  get pid(): number | null {
    return this.#child?.pid ?? null;
  }

  /** What is known now. */
  report(): ChildReport {
    return { end: this.#end, log: this.#log, strayLines: this.#strayLines, firstStray: this.#firstStray };
  }

  /** Starts the process; rejects with the system's error. */
  async start(): Promise<void> {
    const { command, args, env } = this.#target;
    // A group of its own, so that what the server starts can be ended with it.
    const child = spawn(command, [...args], { stdio: 'pipe', env: { ...env }, detached: !isWindows });
    await new Promise<void>((resolve, reject) => {
      child.once('spawn', resolve);
      child.once('error', reject);
    });
    this.#child = child;
    process.once('exit', this.#killGroup);
    child.on('error', (error) => this.onerror?.(error));
    child.stdin.on('error', (error) => this.onerror?.(error));
    this.#exited = new Promise((resolve) => child.once('exit', () => resolve()));
    child.once('exit', (code, signal) => {
      if (!this.#closing) this.#end = { code, signal };
    });
    // After the streams: what a server said before it died is still read. A grandchild may hold them open.
    child.once('close', () => this.#closeOnce());
    child.once('exit', () => setTimeout(() => this.#closeOnce(), GRACE_MS).unref());
    const out = createLineSplitter((bytes, eol) => this.#line(bytes, eol), LIMITS.lineBytes);
    child.stdout.on('data', (chunk: Buffer) => out.push(chunk));
    const log = createLineSplitter((bytes) => this.#keepLog(bytes), LOG_LINE_CHARS * 4);
    child.stderr.on('data', (chunk: Buffer) => log.push(chunk));
    child.stderr.once('end', () => log.end());
  }

  /** Writes one message; resolves when the pipe has taken it. */
  send(message: JSONRPCMessage): Promise<void> {
    return new Promise((resolve, reject) => {
      const input = this.#child?.stdin;
      if (input === undefined || this.#closed) return reject(new Error('the server is not running'));
      input.write(`${renderJson(message as unknown as Json)}\n`, (error) =>
        error ? reject(error) : resolve(),
      );
    });
  }

  /** Ends the server: its input, then politely, then by force. Never rejects. */
  async close(): Promise<void> {
    const child = this.#child;
    this.#closing = true;
    if (child !== undefined) {
      child.stdin.end();
      if (!(await this.#exitsSoon())) {
        this.#signal('SIGTERM');
        await this.#exitsSoon();
      }
      this.#killGroup();
      await this.#exited;
      child.stdout.destroy();
      child.stderr.destroy();
      process.removeListener('exit', this.#killGroup);
    }
    this.#closeOnce();
  }

  #exitsSoon(): Promise<boolean> {
    return new Promise((resolve) => {
      const timer = setTimeout(() => resolve(false), GRACE_MS);
      void this.#exited.then(() => {
        clearTimeout(timer);
        resolve(true);
      });
    });
  }

  readonly #killGroup = (): void => this.#signal('SIGKILL');

  #signal(signal: NodeJS.Signals): void {
    const pid = this.#child?.pid;
    if (pid === undefined) return;
    try {
      if (isWindows) this.#child?.kill(signal);
      else process.kill(-pid, signal);
    } catch {
      // Nobody is left in the group, which is what was wanted.
    }
  }

  #closeOnce(): void {
    if (this.#closed) return;
    this.#closed = true;
    this.onclose?.();
  }

  #line(bytes: Uint8Array, eol: boolean): void {
    if (!eol) {
      this.onerror?.(new Error(`a message is longer than ${LIMITS.lineBytes} bytes (lineBytes)`));
      void this.close();
      return;
    }
    const text = Buffer.from(bytes).toString('utf8').trim();
    if (text === '') return;
    const json = parseJson(text);
    if (json.ok && isJsonObject(json.value) && json.value.jsonrpc === '2.0') {
      this.onmessage?.(json.value as unknown as JSONRPCMessage);
      return;
    }
    const why = json.ok ? undefined : answerUnread(text, json.error.message);
    if (why !== undefined) {
      this.onmessage?.(why);
      return;
    }
    this.#strayLines++;
    this.#firstStray ??= text.slice(0, LOG_LINE_CHARS);
  }

  #keepLog(bytes: Uint8Array): void {
    const text = Buffer.from(bytes).toString('utf8').trimEnd();
    // Frames of a stack would push out the line that says what is wrong.
    if (text === '' || /^\s+at /.test(text)) return;
    this.#log.push(text.slice(0, LOG_LINE_CHARS));
    if (this.#log.length > LOG_LINES) this.#log.shift();
  }
}

/**
 * The failure of an answer that is JSON but beyond our bounds, so that its request ends at once and not by time-out;
 * undefined for what is no answer.
 */
function answerUnread(text: string, why: string): JSONRPCMessage | undefined {
  let message: unknown;
  try {
    message = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (message === null || typeof message !== 'object') return undefined;
  const { jsonrpc, id, method } = message as { jsonrpc?: unknown; id?: unknown; method?: unknown };
  if (jsonrpc !== '2.0' || method !== undefined || (typeof id !== 'number' && typeof id !== 'string')) {
    return undefined;
  }
  return { jsonrpc, id, error: { code: PARSE_ERROR, message: `its answer cannot be read here: ${why}` } };
}

/** JSON-RPC's own code for JSON that cannot be read. */
const PARSE_ERROR = -32_700;

const isWindows = process.platform === 'win32';
