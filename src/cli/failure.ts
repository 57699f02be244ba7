/**
 * How a command fails: one readable message, the right exit code, no stack unless `UMWELT_DEBUG=1`.
 *
 * Errors are read by their shape, not their class, so that the fast path loads nothing. Keys of providers are cut
 * out of every message, whatever put them there.
 */
import { openOutput, visible } from './output.js';

/**
 * Exit codes: `partial` is finished, but some items are unscored or excluded; `agentFailed` is a suite in which an
 * agent failed; `interrupted` is Ctrl-C.
 */
export const EXIT = { done: 0, failed: 1, usage: 2, partial: 3, agentFailed: 4, interrupted: 130 } as const;

/** What is told of a failure. */
export interface Failure {
  /** One of core's error codes. */
  readonly code: string;
  readonly message: string;
  readonly data?: Readonly<Record<string, unknown>>;
}

const KEY_NAMES = /(_|^)(API_?KEYS?|TOKENS?|SECRET|PASSWORD)$/i;

/** Replaces the values of key-like environment variables (8 characters or more) by their names. */
export function withoutKeys(text: string, environment: NodeJS.ProcessEnv): string {
  let clean = text;
  for (const [name, value] of Object.entries(environment)) {
    if (value === undefined || value.length < 8 || !KEY_NAMES.test(name)) continue;
    clean = clean.replaceAll(value, `[${name}]`);
  }
  return clean;
}

/** Reads any thrown value as a failure. */
export function failureOf(error: unknown): Failure {
  if (!(error instanceof Error)) return { code: 'engine/bug', message: String(error) };
  const { code, data } = error as { code?: unknown; data?: unknown };
  const isOurs = typeof code === 'string' && code.includes('/');
  if (isOurs) return { code, message: error.message, data: data as Record<string, unknown> };
  const system = error as NodeJS.ErrnoException;
  if (typeof system.code === 'string') return { code: 'data/unreadable', message: error.message };
  return {
    code: 'engine/bug',
    message: `this is a bug in umwelt: ${error.message} (run again with UMWELT_DEBUG=1 to see where)`,
  };
}

/** The exit code of a failure: 2 for what the user typed or named, else 1. */
export function exitCodeOf(failure: Failure): number {
  return failure.code.startsWith('usage/') || failure.code === 'world/not-found' ? EXIT.usage : EXIT.failed;
}

/** Prints a failure (with `--json` also as one JSON line on standard output) and gives the exit code. */
export function reportFailure(failure: Failure, json: boolean, error?: unknown): number {
  const output = openOutput(json);
  const safe = (text: string): string => withoutKeys(text, process.env);
  if (json) output.line(safe(renderFailure(failure)));
  output.note(safe(`umwelt: ${visible(failure.message)}`));
  if (process.env.UMWELT_DEBUG === '1' && error instanceof Error) output.note(safe(error.stack ?? ''));
  return exitCodeOf(failure);
}

function renderFailure({ code, message, data }: Failure): string {
  const plain = (_key: string, value: unknown): unknown => {
    if (typeof value === 'bigint') return value.toString();
    return value === Number.POSITIVE_INFINITY ? null : value;
  };
  return JSON.stringify({ error: { code, message, data: data ?? {} } }, plain);
}
