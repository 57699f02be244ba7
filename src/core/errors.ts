/**
 * One root for every error that Umwelt raises, with a code from one list and typed data.
 *
 * One class per boundary (provider, capture, world, engine, judge, data, training, limit, service, usage). `isInstance` works
 * across copies of the package in one process, where `instanceof` does not. Messages name the thing, the value
 * seen, the value wanted and the next step.
 */

/** Every code an {@link UmweltError} can carry. */
export const ERROR_CODES = [
  'usage/bad-argument',
  'usage/unknown-name',
  'usage/episode-done',
  'usage/not-built',
  'world/not-found',
  'world/unreadable',
  'world/syntax',
  'world/invalid',
  'world/outside',
  'engine/bad-spec',
  'engine/bad-snapshot',
  'engine/bug',
  'provider/no-recording',
  'provider/failed',
  'provider/bad-reply',
  'capture/not-started',
  'capture/exited',
  'capture/timeout',
  'capture/refused',
  'capture/not-mcp',
  'capture/failed',
  'judge/failed',
  'data/unreadable',
  'data/unwritable',
  'data/invalid',
  'training/failed',
  'limit/exceeded',
  'service/bad-request',
  'service/unauthorised',
  'service/forbidden',
  'service/not-found',
  'service/conflict',
  'service/too-large',
  'service/busy',
  'service/quota',
  'service/capacity',
  'service/closed',
  'service/store-failed',
  'service/not-started',
  'rules/syntax',
  'rules/evaluation',
  'rules/budget',
] as const;

/** One of {@link ERROR_CODES}. */
export type ErrorCode = (typeof ERROR_CODES)[number];

/** What an error is built from: its code, its cause and the evidence. */
export interface ErrorOptions {
  readonly code: ErrorCode;
  /** The lower-level failure, kept whole. */
  readonly cause?: unknown;
  /** Evidence: values seen and wanted, positions, nearest names. JSON-like, never a key or a token. */
  readonly data?: Readonly<Record<string, unknown>>;
}

const MARK = Symbol.for('umwelt.error');

/** The root of all errors of this package. */
export class UmweltError extends Error {
  readonly code: ErrorCode;
  readonly data: Readonly<Record<string, unknown>>;

  constructor(message: string, options: ErrorOptions) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = new.target.name;
    this.code = options.code;
    this.data = options.data ?? {};
    Object.defineProperty(this, MARK, { value: new.target.name, enumerable: false });
  }

  /** True for an error of this class (or of any class, called on the root), also from another package copy. */
  static isInstance(value: unknown): value is UmweltError {
    if (typeof value !== 'object' || value === null) return false;
    const mark = (value as Record<symbol, unknown>)[MARK];
    return typeof mark === 'string' && (this.name === 'UmweltError' || mark === this.name);
  }
}

/** A language model endpoint, a script or a recording could not answer. */
export class ProviderError extends UmweltError {}
/** A world file could not be found, read or accepted. */
export class WorldError extends UmweltError {}
/** An engine was given an impossible specification or snapshot, or has a bug. */
export class EngineError extends UmweltError {}
/** A real server could not be started or reached, or did not do its part. */
export class CaptureError extends UmweltError {}
/** A judge gave no usable verdict. */
export class JudgeError extends UmweltError {}
/** A trajectory, recording or data file could not be read or written. */
export class DataError extends UmweltError {}
/** A training run failed. */
export class TrainingError extends UmweltError {}
/** A limit of the limits table was reached. */
export class LimitError extends UmweltError {}
/** A request to a service of ours that it cannot or may not serve, or a service that cannot start. */
export class ServiceError extends UmweltError {}
/** A rule (an expression of a world file) could not be read or evaluated. */
export class RuleError extends UmweltError {}
/** The caller asked for something that does not exist or makes no sense. */
export class UsageError extends UmweltError {}
