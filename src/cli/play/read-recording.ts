/**
 * A recording out of the bytes of its file, for `--actions` and for `--model replay:`.
 *
 * A run that was killed leaves a last line without its end; that line is left out and told. Anything else that
 * cannot be read is `data/invalid`: what is left of a damaged recording would pass for the whole.
 */
import { DataError, readTrajectories, type Trajectory } from '../../core/index.js';

/** What a file of recordings holds. */
export interface Recording {
  readonly trajectories: readonly Trajectory[];
  /** What was odd, one sentence each: a torn last line, missing turns. */
  readonly notes: readonly string[];
}

/** Reads all trajectories of a file; `name` is for messages. Raises `data/invalid`, naming the line. */
export async function readRecording(bytes: Uint8Array, name: string): Promise<Recording> {
  const lastLine = bytes.lastIndexOf(0x0a) + 1;
  const trajectories: Trajectory[] = [];
  const notes: string[] = [];
  for await (const reading of readTrajectories([bytes])) {
    if (reading.kind === 'trajectory') {
      trajectories.push(reading.trajectory);
      continue;
    }
    const { severity, line, byteOffset, message } = reading.problem;
    const text = `${name} line ${line}: ${message}`;
    if (severity === 'error' && byteOffset < lastLine) {
      throw new DataError(`${text}; the recording is damaged, only a torn last line can be left out`, {
        code: 'data/invalid',
        data: { line, byteOffset },
      });
    }
    notes.push(text);
  }
  if (trajectories.length > 0) return { trajectories, notes };
  const why = notes[0] ?? `${name} holds no trajectory`;
  throw new DataError(`${why}; the recording has no whole first line, so there is nothing to play`, {
    code: 'data/invalid',
  });
}
