/**
 * Says why a real server could not be connected to, from all that was seen: the library's error, how the process
 * ended, what it wrote. One code per kind, and the next step where there is one.
 */
import { CaptureError, type ErrorCode, UsageError } from '../core/index.js';
import type { ChildReport } from './child-transport.js';
import type { ServerTarget } from './connect-server.js';

/** What was seen of a failed attempt. */
export interface FailedAttempt {
  readonly target: ServerTarget;
  readonly cause: unknown;
  /** True if our own limit ended it. */
  readonly isLate: boolean;
  readonly startTimeoutMs: number;
  /** Of a server that was started here. */
  readonly report: ChildReport | undefined;
}

/** Makes the error of a failed attempt. */
export function explainFailure(attempt: FailedAttempt): CaptureError | UsageError {
  const { target, cause, report } = attempt;
  const name = nameOf(target);
  const system = (cause as NodeJS.ErrnoException | null)?.code;
  if (!('url' in target) && (system === 'ENOENT' || system === 'EACCES') && report?.end === undefined) {
    return notStarted(target.command, system, cause);
  }
  if (report?.end !== undefined && !attempt.isLate) {
    return error('capture/exited', `${name} ended (${endOf(report)}) before it was connected`, attempt);
  }
  const status = httpStatus(cause);
  if (status === 401 || status === 403) {
    const message = `${name} refuses us (HTTP ${status}); it wants a key or a sign-in: give a bearer token`;
    return error('capture/refused', message, attempt);
  }
  if (report !== undefined && report.strayLines > 0) {
    const message = `${name} speaks no MCP: it wrote ${report.strayLines} lines that are no JSON-RPC, the first: ${report.firstStray}`;
    return error('capture/not-mcp', message, attempt);
  }
  if (attempt.isLate || system === 'REQUEST_TIMEOUT') {
    const seconds = attempt.startTimeoutMs / 1_000;
    return error(
      'capture/timeout',
      `${name} did not answer within ${seconds} s (the start time-out)`,
      attempt,
    );
  }
  const why = messageOf(cause);
  const isNetwork = 'url' in target && status === undefined && /fetch failed|ECONN|ENOTFOUND|EAI_/.test(why);
  if (isNetwork) return error('capture/failed', `${name} cannot be reached: ${why}`, attempt);
  const http = status === undefined ? '' : ` (HTTP ${status})`;
  return error('capture/not-mcp', `${name} speaks no MCP that this client knows${http}: ${why}`, attempt);
}

/** True if an older server may answer when it is asked the old way. */
export function isLegacySignal(failure: CaptureError | UsageError): boolean {
  return failure.code === 'capture/exited' || failure.code === 'capture/not-mcp';
}

/** How messages call a server. */
function nameOf(target: ServerTarget): string {
  return 'url' in target
    ? `the server at ${withoutSecrets(target.url)}`
    : `the server ${JSON.stringify([target.command, ...target.args].join(' '))}`;
}

/** An address without its query and password, which may be keys. */
function withoutSecrets(text: string): string {
  if (!URL.canParse(text)) return text;
  const url = new URL(text);
  return url.origin + url.pathname;
}

function notStarted(command: string, system: string, cause: unknown): CaptureError | UsageError {
  if (system === 'EACCES') {
    const message = `the command ${JSON.stringify(command)} cannot be started (EACCES): it is no program`;
    return new CaptureError(message, { code: 'capture/not-started', cause, data: { command } });
  }
  const message = `the command ${JSON.stringify(command)} was not found; wanted a program on PATH or a path to one`;
  return new UsageError(message, { code: 'usage/unknown-name', cause, data: { command } });
}

function error(code: ErrorCode, message: string, { cause, report }: FailedAttempt): CaptureError {
  const log = report?.log ?? [];
  const tail =
    log.length === 0
      ? ''
      : `\nIts last words on standard error:\n${log.map((line) => `  ${line}`).join('\n')}`;
  return new CaptureError(message + tail, { code, cause, data: { log } });
}

function endOf({ end }: ChildReport): string {
  return end?.signal === null || end?.signal === undefined
    ? `exit code ${end?.code ?? 'unknown'}`
    : `signal ${end.signal}`;
}

/** The HTTP status that stands in an error or in one of its causes. */
function httpStatus(cause: unknown): number | undefined {
  for (let error = cause, depth = 0; error instanceof Error && depth < 5; error = error.cause, depth++) {
    const { status, data, code, name } = error as Error & {
      status?: unknown;
      data?: unknown;
      code?: unknown;
    };
    if (typeof status === 'number') return status;
    const inner = (data as { status?: unknown } | undefined)?.status;
    if (typeof inner === 'number') return inner;
    if (typeof code === 'number' && code >= 100 && code < 600) return code;
    if (name === 'UnauthorizedError') return 401;
  }
  return undefined;
}

/** The message, with the innermost reason where there is one. */
function messageOf(cause: unknown): string {
  const message = cause instanceof Error ? cause.message : String(cause);
  let reason = '';
  for (let error = cause, depth = 0; error instanceof Error && depth < 5; error = error.cause, depth++) {
    reason = error.message || ((error as NodeJS.ErrnoException).code ?? reason);
  }
  return reason === '' || message.includes(reason) ? message : `${message} (${reason})`;
}
