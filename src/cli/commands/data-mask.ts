/**
 * `umwelt data mask`: decide per turn whether it is learnt.
 */
import { type JsonObject, type Trajectory, UsageError } from '../../core/index.js';
import {
  createMaskStage,
  MASK_CATEGORIES,
  type MaskCategory,
  maskCategory,
  type Stage,
  trainingOf,
  trajectoryItems,
  turnStatistics,
} from '../../data/index.js';
import { type CommandInput, textFlag } from '../command.js';
import { inputsOf, runDataWork } from '../data-stage.js';

/** Runs the command. */
export async function run(input: CommandInput): Promise<number> {
  const seed = textFlag(input.flags, 'seed') ?? '0';
  const stage = createMaskStage({ seed, keepRatios: keepRatios(textFlag(input.flags, 'keep')) });
  const inputs = inputsOf(input);
  if (input.flags.explain !== true) return runDataWork(input, { stage, read: trajectoryItems, inputs });
  return runDataWork(input, { stage: explaining(stage), read: trajectoryItems, inputs });
}

function keepRatios(text: string | undefined): Partial<Record<MaskCategory, number>> {
  const ratios: Partial<Record<MaskCategory, number>> = {};
  for (const part of (text ?? '').split(',').filter((one) => one !== '')) {
    const [name, value = ''] = part.split('=');
    const category = MASK_CATEGORIES.find((one) => one === name);
    const ratio = Number(value);
    if (category === undefined || value === '' || !(ratio >= 0 && ratio <= 1)) {
      const message = `--keep is ${JSON.stringify(part)}; wanted CATEGORY=RATIO with a ratio from 0 to 1 and one of ${MASK_CATEGORIES.join(', ')}`;
      throw new UsageError(message, { code: 'usage/bad-argument', data: { seen: part } });
    }
    ratios[category] = ratio;
  }
  return ratios;
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
