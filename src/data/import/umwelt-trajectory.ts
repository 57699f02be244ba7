/**
 * Umwelt's own trajectories, whole and streamed, told line by line.
 *
 * Written out again as a line and read by core's reader, so that the two never differ in what they take.
 */
import {
  createTrajectoryJoiner,
  createTrajectoryReader,
  isJsonObject,
  renderJson,
  type Trajectory,
  type TrajectoryReading,
} from '../../core/index.js';
import type { ImportFormat } from './import-format.js';

/** Trajectories as `--record` and the library write them. */
export const umweltTrajectory: ImportFormat = {
  name: 'umwelt',
  about: "Umwelt's own trajectories, whole or streamed",
  recognises: (value) => isJsonObject(value) && value.trajectory === 1 && typeof value.domain === 'string',
  open: ({ tally }) => {
    const reader = createTrajectoryReader();
    const joiner = createTrajectoryJoiner();
    const encoder = new TextEncoder();
    const taken = (readings: readonly TrajectoryReading[], line: number): readonly Trajectory[] =>
      readings.flatMap((reading) => {
        if (reading.kind === 'problem') {
          tally.note({ severity: reading.problem.severity, line, message: reading.problem.message });
          tally.skip('damaged line');
          return [];
        }
        tally.pairs += reading.trajectory.turns.length;
        return [reading.trajectory];
      });
    let last = 1;
    return {
      take: (value, { line }) => {
        last = line;
        const events = reader.push(encoder.encode(`${renderJson(value)}\n`));
        return taken(
          events.flatMap((event) => joiner.push(event)),
          line,
        );
      },
      end: () => {
        const events = reader.end().flatMap((event) => joiner.push(event));
        return taken([...events, ...joiner.end()], last);
      },
    };
  },
};
