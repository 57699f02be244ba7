/**
 * The file that `--record` names: one line of time, valid at every moment.
 *
 * Each turn is in the file before it is printed. When the player goes back in time, the file starts anew with the
 * turns that still count.
 */
import type { Turn } from '../../core/index.js';
import { createTrajectoryRecorder, type Episode, type TrajectoryRecorder } from '../../sim/index.js';

/** An open recording of a played episode. */
export class PlayRecording {
  private readonly path: string;
  private recorder: TrajectoryRecorder;

  /**
   * Opens the file and writes header and turns so far. Raises `usage/bad-argument` for a file that is not empty
   * (unless `overwrite`), `data/unreadable` when it cannot be written.
   */
  constructor(path: string, episode: Episode, overwrite: boolean) {
    this.path = path;
    this.recorder = this.open(episode, overwrite);
  }

  /** Writes the next turn. */
  append(turn: Turn): void {
    this.recorder.append(turn);
  }

  /** Starts the file anew with the turns of another moment. */
  restart(episode: Episode): void {
    this.recorder.close({ done: false, reward: null });
    this.recorder = this.open(episode, true);
  }

  /** Writes the end line: how the episode stands now. */
  close(episode: Episode): void {
    const score = episode.end?.score;
    const reward = score?.status === 'scored' ? score.fraction : null;
    this.recorder.close({ done: episode.done, reward, ...(score !== undefined && { score }) });
  }

  private open(episode: Episode, overwrite: boolean): TrajectoryRecorder {
    const recorder = createTrajectoryRecorder(this.path, episode.header(), { overwrite });
    for (const turn of episode.turns) recorder.append(turn);
    return recorder;
  }
}
