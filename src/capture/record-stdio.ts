/**
 * Stands between an MCP client and a stdio server: the client starts this as if it were the server.
 *
 * Each chunk of bytes goes on unchanged, after the lines that end in it are recorded; nothing is parsed, added or
 * held back. A reader that is slow slows its writer (back-pressure); the end of one side's input is the end of the
 * other's; signals go to the server, and its exit code or signal is the result. Source: MCP stdio transport.
 * Not covered: a server that closes its output and lives on (the client sees the end when the server exits).
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { DataError, fail, ok, type Result, UsageError } from '../core/index.js';
import type { FrameRecording } from './frame-recording.js';
import { createLineSplitter } from './line-splitter.js';
import type { FrameDirection } from './recording-line.js';

/** Where bytes come from: what is used of a Node stream. */
export interface ByteSource {
  on(event: string, listener: (...values: unknown[]) => void): unknown;
  once(event: string, listener: () => void): unknown;
  pause(): unknown;
  resume(): unknown;
  destroy(): unknown;
}

/** Where bytes go: what is used of a Node stream. */
export interface ByteSink {
  on(event: string, listener: () => void): unknown;
  once(event: string, listener: () => void): unknown;
  write(chunk: Uint8Array, done?: () => void): boolean;
  end(done: () => void): unknown;
  /** Bytes that wait to be taken. */
  readonly writableLength: number;
}

/** What to start and where the client is. */
export interface StdioRecorderOptions {
  readonly command: string;
  readonly args: readonly string[];
  readonly recording: FrameRecording;
  /** The client's side: what it writes, what it reads, and where the server's log goes. */
  readonly client: { readonly input: ByteSource; readonly output: ByteSink; readonly log: ByteSink };
  /** Environment of the server; never recorded. Default: this process's own. */
  readonly env?: Readonly<Record<string, string | undefined>>;
}

/** How the server ended; one of the two is null. */
export interface ServerEnd {
  readonly code: number | null;
  /** For example `SIGKILL`. */
  readonly signal: string | null;
}

/** A running recorder. */
export interface StdioRecorder {
  /**
   * Sends a signal on to the server, for example `SIGTERM`. After the server's end it gives up what a client that does
   * not read has still to get.
   */
  kill(signal: string): void;
  /** Resolves when the server has ended and all it wrote is handed on. Never rejects. */
  readonly ended: Promise<ServerEnd>;
}

/** After the server's exit its pipes are given up when nothing moved for this long: a grandchild may hold them open. */
const QUIET_MS = 1_000;

/**
 * Starts the server. Fails with `usage/unknown-name` for a command that is not there and with `data/unreadable` for
 * one that cannot be started.
 */
export async function startStdioRecorder(
  options: StdioRecorderOptions,
): Promise<Result<StdioRecorder, DataError | UsageError>> {
  const { command, args, recording, client, env = process.env } = options;
  const child = spawn(command, [...args], { stdio: 'pipe', env: { ...env } });
  const failure = await new Promise<NodeJS.ErrnoException | undefined>((resolve) => {
    child.once('spawn', () => resolve(undefined));
    child.once('error', resolve);
  });
  if (failure !== undefined) return fail(notStarted(command, failure));
  const tap = (dir: FrameDirection) => createLineTap(recording, dir);
  pump(client.input, child.stdin, tap('client->server'));
  const out = pump(child.stdout, client.output, tap('server->client'), false);
  const log = pump(child.stderr, client.log, tap('server-stderr'), false);
  // A failed signal or a late pipe error says nothing that the exit does not say.
  child.on('error', () => undefined);
  let stop = (): void => undefined;
  const end = endOf(child, [out, log], (finish) => {
    stop = finish;
  });
  return ok({
    // With the server gone the signal can only mean us, who wait for a client that does not read.
    kill: (signal) => (hasEnded(child) ? stop() : void child.kill(signal as NodeJS.Signals)),
    ended: end.then((seen) => {
      client.input.destroy();
      return seen;
    }),
  });
}

function notStarted(command: string, cause: NodeJS.ErrnoException): DataError | UsageError {
  if (cause.code === 'ENOENT') {
    const message = `the command ${JSON.stringify(command)} was not found; wanted a program on PATH or a path to one`;
    return new UsageError(message, { code: 'usage/unknown-name', cause, data: { command } });
  }
  const why = cause.code ?? cause.message;
  const message = `the command ${JSON.stringify(command)} cannot be started (${why})`;
  return new DataError(message, { code: 'data/unreadable', cause, data: { command } });
}

interface Tap {
  push(chunk: Uint8Array): void;
  end(): void;
}

/** Records the lines of one direction. Standard error keeps its line feeds: its text is one stream, not frames. */
function createLineTap(recording: FrameRecording, dir: FrameDirection): Tap {
  const lf = Buffer.from('\n');
  return createLineSplitter((bytes, eol) => {
    if (dir !== 'server-stderr') recording.append({ dir, bytes, eol });
    else recording.append({ dir, bytes: eol ? Buffer.concat([bytes, lf]) : bytes });
  });
}

/** One direction under way. */
interface Pump {
  /** Resolves when the source has ended and all of it is written, or the reader has gone. */
  readonly done: Promise<void>;
  /** Bytes handed over so far, and whether some of them still wait for the reader. */
  passed(): number;
  waiting(): boolean;
}

/** Hands bytes from one stream to another, recorded first. `closes`: the end of the source ends the sink. */
function pump(source: ByteSource, sink: ByteSink, tap: Tap, closes = true): Pump {
  let passed = 0;
  let gone = false;
  let over = false;
  const done = new Promise<void>((resolve) => {
    const finish = (): void => {
      if (over) return;
      over = true;
      tap.end();
      if (gone) resolve();
      else if (closes) sink.end(resolve);
      else sink.write(new Uint8Array(0), () => resolve());
    };
    source.on('data', (value) => {
      const chunk = value as Uint8Array;
      tap.push(chunk);
      passed += chunk.length;
      if (gone || sink.write(chunk)) return;
      source.pause();
      sink.once('drain', () => source.resume());
    });
    source.once('end', finish);
    source.once('close', finish);
    source.on('error', finish);
    // The reader has gone: the writer must see it too, as it would without a recorder between.
    sink.on('error', () => {
      gone = true;
      source.destroy();
      resolve();
    });
  });
  return { done, passed: () => passed, waiting: () => !gone && sink.writableLength > 0 };
}

function hasEnded({ exitCode, signalCode }: ChildProcess): boolean {
  return exitCode !== null || signalCode !== null;
}

/** The server's end, once what it wrote is handed on. `onExit` gets a way not to wait for that. */
function endOf(
  child: ChildProcess,
  pumps: readonly Pump[],
  onExit: (finish: () => void) => void,
): Promise<ServerEnd> {
  const total = (): number => pumps.reduce((sum, one) => sum + one.passed(), 0);
  return new Promise((resolve) => {
    child.once('exit', (code, signal) => {
      let before = total();
      const quiet = setInterval(() => {
        const moved = total() !== before || pumps.some((one) => one.waiting());
        before = total();
        if (!moved) finish();
      }, QUIET_MS);
      const finish = (): void => {
        clearInterval(quiet);
        resolve({ code, signal });
      };
      onExit(finish);
      void Promise.all(pumps.map(({ done }) => done)).then(finish);
    });
  });
}
