/**
 * Records an episode to a file while it is lived, in the streamed form: a header line, one line a turn, an end line.
 *
 * Each line is handed to the operating system by one write before the step's result is returned, so what an agent
 * has seen survives kill -9 of this process; a cut last line is dropped by every reader. Not covered: power loss.
 */
import { closeSync, fstatSync, openSync, writeSync } from 'node:fs';
import {
  DataError,
  type Score,
  type TrajectoryHeader,
  type Turn,
  trajectoryEndLine,
  trajectoryHeaderLine,
  turnLine,
  UsageError,
} from '../core/index.js';
import type { Episode } from './episode.js';

/** Writes one trajectory, line by line. */
export interface TrajectoryRecorder {
  /** How many turns are written. */
  readonly turns: number;
  /** Writes the next turn. Raises `data/unreadable` when the file cannot be written or is closed. */
  append(turn: Turn): void;
  /** Writes the end line and closes the file. A second call does nothing. */
  close(end: { readonly done: boolean; readonly reward: number | null; readonly score?: Score }): void;
}

/** How a recorder opens its file. */
export interface RecorderOptions {
  /** Write over what is in the file. Default false: a file that is not empty is refused. */
  readonly overwrite?: boolean;
}

/**
 * Opens the file and writes the header. Raises `usage/bad-argument` for a file that is not empty (unless
 * `overwrite`), `data/unreadable` when it cannot be opened or written.
 */
export function createTrajectoryRecorder(
  path: string,
  header: TrajectoryHeader,
  options: RecorderOptions = {},
): TrajectoryRecorder {
  const file = openFile(path, options.overwrite === true);
  let turns = 0;
  let open = true;
  const write = (line: string): void => {
    if (!open) throw new DataError(`the recording ${path} is closed`, { code: 'data/unreadable' });
    writeWhole(path, file, line);
  };
  write(trajectoryHeaderLine(header));
  return {
    get turns() {
      return turns;
    },
    append(turn) {
      write(turnLine(turns + 1, turn));
      turns++;
    },
    close({ done, reward, score }) {
      if (!open) return;
      write(trajectoryEndLine({ end: { turns, done, reward, ...(score !== undefined && { score }) } }));
      open = false;
      closeSync(file);
    },
  };
}

/**
 * Records an episode from where it is: its header, the turns it has and every turn to come. The end line is written
 * when the episode is done, or by `close`. Raises like {@link createTrajectoryRecorder}.
 */
export function recordEpisode(
  episode: Episode,
  path: string,
  options: RecorderOptions = {},
): { close(): void } {
  const recorder = createTrajectoryRecorder(path, episode.header(), options);
  for (const turn of episode.turns) recorder.append(turn);
  const close = (): void => {
    off();
    const score = episode.end?.score;
    const reward = score?.status === 'scored' ? score.fraction : null;
    recorder.close({ done: episode.done, reward, ...(score !== undefined && { score }) });
  };
  const off = episode.onTurn((turn, result) => {
    recorder.append(turn);
    if (result.done) close();
  });
  return { close };
}

function openFile(path: string, overwrite: boolean): number {
  let file: number;
  try {
    file = openSync(path, overwrite ? 'w' : 'a');
  } catch (cause) {
    throw unwritable(path, cause);
  }
  if (fstatSync(file).size === 0) return file;
  closeSync(file);
  throw new UsageError(
    `the file ${path} is not empty; choose another, or ask to overwrite it (--force, or the option overwrite)`,
    {
      code: 'usage/bad-argument',
      data: { path },
    },
  );
}

/** One write call is the rule; the loop is for a full disk or a pipe that takes a part. */
function writeWhole(path: string, file: number, line: string): void {
  const bytes = new TextEncoder().encode(line);
  try {
    for (let at = 0; at < bytes.length; ) at += writeSync(file, bytes, at);
  } catch (cause) {
    throw unwritable(path, cause);
  }
}

function unwritable(path: string, cause: unknown): DataError {
  const why = cause instanceof Error ? cause.message : String(cause);
  return new DataError(`cannot write the recording ${path}: ${why}`, { code: 'data/unreadable', cause });
}
