/**
 * The file of a raw recording: opened without overwriting anything, written line by line.
 *
 * Each line is one write call made before the bytes go on to the other side, so what a client or server has seen in
 * whole lines survives kill -9 of the recorder at any byte. A line that a crash has cut is taken away before
 * anything is appended. A file that is no recording is refused. When writing fails later (a full disk), recording
 * stops and says so; the bytes still pass. The same when the file is deleted meanwhile. Not covered: power loss.
 */
import { randomBytes } from 'node:crypto';
import { closeSync, fstatSync, ftruncateSync, openSync, readSync, writeSync } from 'node:fs';
import { DataError, fail, isJsonObject, ok, parseJson, type Result, UsageError } from '../core/index.js';
import { FRAME_DIRECTIONS, type Frame, renderFrame } from './recording-line.js';

/** An open recording. */
export interface FrameRecording {
  readonly path: string;
  /** Bytes of a cut last line that were taken away when the file was opened. */
  readonly repairedBytes: number;
  /** Why recording stopped (a full disk, a deleted file); undefined while it works. */
  readonly problem: DataError | undefined;
  /** Writes one frame; the time is taken now. Never throws: see `problem`. */
  append(frame: Omit<Frame, 'ts' | 'session'>): void;
  /** Closes the file. A second call does nothing. */
  close(): void;
}

/** How to open a recording. */
export interface FrameRecordingOptions {
  /** The time of a frame in milliseconds since 1970. Default: the host's clock. */
  readonly now?: () => number;
  /** Called once when the file can no longer be written. */
  readonly onProblem?: (problem: DataError) => void;
}

/**
 * Opens a new file, or an existing recording to append to (its frames then carry `session`). Fails with
 * `usage/bad-argument` for a file that holds something else, which stays as it is, and with `data/unreadable` when it
 * cannot be opened.
 */
export function openFrameRecording(
  path: string,
  { now = Date.now, onProblem }: FrameRecordingOptions = {},
): Result<FrameRecording, DataError | UsageError> {
  let file: number;
  let isNew: boolean;
  let found: Found;
  try {
    ({ file, isNew } = openOrCreate(path));
  } catch (cause) {
    return fail(unwritable(path, cause));
  }
  try {
    found = inspect(file);
  } catch (cause) {
    closeSync(file);
    return fail(unwritable(path, cause));
  }
  if (found.kind === 'foreign') {
    closeSync(file);
    const message = `${path} is there and is no recording of MCP frames; nothing is overwritten, name another file`;
    return fail(new UsageError(message, { code: 'usage/bad-argument', data: { path } }));
  }
  let problem: DataError | undefined;
  let isOpen = true;
  // Only who made the file may leave it out: a file that is empty still may be another recorder's.
  const session = isNew ? undefined : randomBytes(4).toString('hex');
  const hasName = fstatSync(file).nlink > 0;
  return ok({
    path,
    repairedBytes: found.tornBytes,
    get problem() {
      return problem;
    },
    append(frame) {
      if (!isOpen || problem !== undefined) return;
      const stamped = { ...frame, ts: new Date(now()).toISOString() };
      try {
        if (hasName && fstatSync(file).nlink === 0) throw new Error('the file was deleted meanwhile');
        writeWhole(file, renderFrame(session === undefined ? stamped : { ...stamped, session }));
      } catch (cause) {
        problem = unwritable(path, cause);
        onProblem?.(problem);
      }
    },
    close() {
      if (isOpen) closeSync(file);
      isOpen = false;
    },
  });
}

type Found = { readonly kind: 'recording'; readonly tornBytes: number } | { readonly kind: 'foreign' };

/** Of two recorders that start at once on one path, exactly one makes the file. */
function openOrCreate(path: string): { readonly file: number; readonly isNew: boolean } {
  try {
    return { file: openSync(path, 'ax+', 0o600), isNew: true };
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code !== 'EEXIST') throw cause;
    return { file: openSync(path, 'a+', 0o600), isNew: false };
  }
}

const HEAD_BYTES = 1024 * 1024;
const LF = 0x0a;

/** Judges what is in the file by its first line, and takes a cut last line away. */
function inspect(file: number): Found {
  const stat = fstatSync(file);
  const { size } = stat;
  if (!stat.isFile() || size === 0) return { kind: 'recording', tornBytes: 0 };
  const head = readAt(file, 0, Math.min(size, HEAD_BYTES));
  const firstEnd = head.indexOf(LF);
  const first = head.subarray(0, firstEnd < 0 ? head.length : firstEnd).toString('utf8');
  // A first line longer than the head cannot be read as JSON here; its start must do.
  if (firstEnd < 0 ? !isFrameStart(first) : !isFrame(first)) return { kind: 'foreign' };
  const end = afterLastLineFeed(file, size);
  if (end < size) ftruncateSync(file, end);
  return { kind: 'recording', tornBytes: size - end };
}

const START = '{"ts":"';

/** True for a line, whole or cut anywhere, that this file could have written. */
function isFrameStart(text: string): boolean {
  return text.length < START.length ? START.startsWith(text) : text.startsWith(START);
}

function isFrame(text: string): boolean {
  const json = parseJson(text);
  if (!json.ok || !isJsonObject(json.value)) return false;
  const { ts, dir, data } = json.value;
  return (
    typeof ts === 'string' && typeof data === 'string' && FRAME_DIRECTIONS.some((known) => known === dir)
  );
}

function afterLastLineFeed(file: number, size: number): number {
  for (let end = size; end > 0; ) {
    const from = Math.max(0, end - HEAD_BYTES);
    const at = readAt(file, from, end - from).lastIndexOf(LF);
    if (at >= 0) return from + at + 1;
    end = from;
  }
  return 0;
}

function readAt(file: number, position: number, length: number): Buffer {
  const bytes = Buffer.alloc(length);
  let filled = 0;
  while (filled < length) {
    const read = readSync(file, bytes, filled, length - filled, position + filled);
    if (read === 0) break;
    filled += read;
  }
  return bytes.subarray(0, filled);
}

/** One write call is the rule; the loop is for a full disk or a pipe that takes a part. */
function writeWhole(file: number, line: string): void {
  const bytes = Buffer.from(line, 'utf8');
  for (let at = 0; at < bytes.length; ) at += writeSync(file, bytes, at);
}

function unwritable(path: string, cause: unknown): DataError {
  const why = cause instanceof Error ? cause.message : String(cause);
  return new DataError(`cannot write the recording ${path}: ${why}`, { code: 'data/unreadable', cause });
}
