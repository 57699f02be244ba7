/**
 * Structured logs of a service: one JSON line an event, written by pino.
 *
 * A line names method, route, status, time and who asked by kind; never a token, a header, a body or an observation, and
 * of an address only its pattern with the episode's id. Levels: `info` one line for each start, stop and opened or
 * closed episode · `debug` one line for each request · `warn` refused callers, quotas, full capacity · `error` what
 * failed inside, with its stack.
 */
import pino, { type Logger } from 'pino';

/** Levels, from silence to everything. */
export const LOG_LEVELS = ['silent', 'error', 'warn', 'info', 'debug'] as const;

/** One of {@link LOG_LEVELS}. */
export type LogLevel = (typeof LOG_LEVELS)[number];

/** What is logged of one request. */
export interface LoggedRequest {
  readonly method: string;
  readonly path: string;
  readonly status: number;
  readonly ms: number;
  readonly caller: string;
  /** The error's code, where one was answered. */
  readonly code?: string;
  /** What failed inside, where something did. */
  readonly failure?: unknown;
}

/** Where events are logged. */
export interface ServiceLog {
  /** One request was answered. */
  request(facts: LoggedRequest): void;
  /** Something happened to the service or an episode. */
  event(message: string, facts?: Readonly<Record<string, string | number | boolean>>): void;
}

/** A log that is not kept. */
export const NO_LOG: ServiceLog = { request: () => undefined, event: () => undefined };

/** What takes whole lines, for example standard error. */
export interface LogSink {
  write(line: string): unknown;
}

/** Makes a log that writes lines of JSON. Default level `info`. */
export function createServiceLog(sink: LogSink, level: LogLevel = 'info'): ServiceLog {
  const logger: Logger = pino(
    { level, base: { pid: process.pid }, timestamp: pino.stdTimeFunctions.isoTime },
    sink as never,
  );
  return {
    request: ({ method, path, status, ms, caller, code, failure }) => {
      const facts = {
        method,
        route: patternOf(path),
        status,
        ms: Math.round(ms * 10) / 10,
        caller,
        ...(code !== undefined && { code }),
      };
      if (status >= 500 && failure !== undefined) logger.error({ ...facts, err: failure }, 'request failed');
      else if (REFUSED.has(status)) logger.warn(facts, 'request refused');
      else logger.debug(facts, 'request');
    },
    event: (message, facts = {}) => logger.info(facts, message),
  };
}

const REFUSED: ReadonlySet<number> = new Set([401, 403, 413, 429, 503]);

/** A path without what callers may have put into it: known words and ids of episodes stay. */
function patternOf(path: string): string {
  return path
    .split('/')
    .slice(0, 6)
    .map((part) => (part === '' || KNOWN.has(part) || /^[0-9a-f]{32}$/.test(part) ? part : ':name'))
    .join('/');
}

const KNOWN: ReadonlySet<string> = new Set(
  'episodes step finish fork events trajectory mcp openenv ws reset state schema metadata health openapi.json metrics healthz v1 models chat completions'.split(
    ' ',
  ),
);
