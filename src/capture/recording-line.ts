/**
 * One line of a raw recording: when, in which direction, and the exact bytes of one message.
 *
 * The form is `{"ts","dir","data"}` as JSON, with extra keys only where they say something: `eol: false` when no
 * line feed followed, `base64` when the bytes are no UTF-8 (`data` then shows them with U+FFFD), `session` when
 * a run appends to a file that is there, `http` for Streamable HTTP. Nothing is trimmed: a carriage return stays.
 * Not covered: turning frames into trajectories, which is the importer's work.
 */
import { LIMITS } from '../core/index.js';

/** Who said it. `http` is no message: what happened on HTTP without one (a failed request, a closed session). */
export type FrameDirection = 'client->server' | 'server->client' | 'server-stderr' | 'http';

/** All directions. */
export const FRAME_DIRECTIONS: readonly FrameDirection[] = [
  'client->server',
  'server->client',
  'server-stderr',
  'http',
];

/** Where on Streamable HTTP a message travelled. */
export interface HttpPlace {
  /** Number of the HTTP exchange in this run, from 1; a request and what its response carried share it. */
  readonly exchange: number;
  readonly method: string;
  /** Only on what came back. */
  readonly status?: number;
  /** A short hash of the `mcp-session-id` header, which is itself a secret. */
  readonly session?: string;
  /** The id of the server-sent event that carried the message. */
  readonly event?: string;
}

/** What is recorded of one message. */
export interface Frame {
  /** ISO 8601, UTC, milliseconds. */
  readonly ts: string;
  readonly dir: FrameDirection;
  /** The bytes of the line without its line feed; of standard error with it. */
  readonly bytes: Uint8Array;
  /** False when no line feed followed: the end of the stream, or a line that is recorded in pieces. Default true. */
  readonly eol?: boolean;
  /** Names the run when several stand in one file: ids of messages begin anew in each. */
  readonly session?: string;
  readonly http?: HttpPlace;
}

/** The longest piece of one line that is kept in memory and recorded as one frame, in bytes. */
export const FRAME_BYTES = 24 * 1024 * 1024;

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** Writes a frame as one or (when it would be longer than `LIMITS.lineBytes`) several lines, each with its line feed. */
export function renderFrame(frame: Frame): string {
  const line = `${JSON.stringify(frameObject(frame))}\n`;
  if (line.length * 3 <= LIMITS.lineBytes || Buffer.byteLength(line) <= LIMITS.lineBytes) return line;
  const middle = frame.bytes.length >> 1;
  const first = { ...frame, bytes: frame.bytes.subarray(0, middle), eol: false };
  return renderFrame(first) + renderFrame({ ...frame, bytes: frame.bytes.subarray(middle) });
}

function frameObject({ ts, dir, bytes, eol = true, session, http }: Frame): Record<string, unknown> {
  const text = decode(bytes);
  return {
    ts,
    dir,
    data: text ?? Buffer.from(bytes).toString('utf8'),
    ...(text === undefined && { base64: Buffer.from(bytes).toString('base64') }),
    ...(!eol && { eol }),
    ...(session !== undefined && { session }),
    ...(http !== undefined && { http }),
  };
}

function decode(bytes: Uint8Array): string | undefined {
  try {
    return utf8.decode(bytes);
  } catch {
    return undefined;
  }
}
