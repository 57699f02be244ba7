/**
 * `umwelt data mask`: decide per turn whether it is learnt.
 */
import type { JsonObject, Trajectory } from '../../core/index.js';
import { maskCategory, type Stage, trainingOf, trajectoryItems, turnStatistics } from '../../data/index.js';
import type { CommandInput } from '../command.js';
import { maskStageOf } from '../data-options.js';
import { inputsOf, runDataWork } from '../data-stage.js';

/** Runs the command. */
export async function run(input: CommandInput): Promise<number> {
  const stage = maskStageOf(input);
  const inputs = inputsOf(input);
  if (input.flags.explain !== true) return runDataWork(input, { stage, read: trajectoryItems, inputs });
  return runDataWork(input, { stage: explaining(stage), read: trajectoryItems, inputs });
}

/** The mask's work as a row per turn: statistics, the signature that held, ratio and decision. */
function explaining(mask: Stage<Trajectory>): Stage<Trajectory, JsonObject> {
  return {
    name: 'mask --explain',
    parameters: mask.parameters,
    take: (trajectory) =>
      mask.take(trajectory).flatMap((masked) => masked.turns.map((_, i) => explained(masked, i))),
    end: () => [],
    report: () => mask.report(),
  };
}

function explained(trajectory: Trajectory, index: number): JsonObject {
  const turn = trajectory.turns[index];
  const place = { trajectory: trajectory.id, turn: index + 1 };
  const mask = turn === undefined ? undefined : trainingOf(turn).mask;
  if (turn === undefined || turn.observation === null || mask === undefined) {
    const why = turn === undefined ? undefined : trainingOf(turn).dropped;
    return { ...place, why: why === undefined ? 'no observation' : `dropped: ${why}` };
  }
  const statistics = turnStatistics(turn.action, turn.observation);
  const { signature } = maskCategory(statistics);
  const { actionCharacters, observationCharacters } = statistics;
  return { ...place, ...mask, actionCharacters, observationCharacters, why: signature };
}
