/**
 * `umwelt data run`: filter, mask and expand in one process, as a pipe of the three would.
 */
import { type Trajectory, UsageError } from '../../core/index.js';
import { chainStages, type Stage, trajectoryItems } from '../../data/index.js';
import { type CommandInput, textFlag } from '../command.js';
import { expandStageOf, filterStageOf, maskStageOf } from '../data-options.js';
import { inputsOf, openLines, runDataWork } from '../data-stage.js';

/** The stages in the order in which they have to stand. */
const ORDER = ['filter', 'mask', 'expand'] as const;

/** Runs the command. */
export async function run(input: CommandInput): Promise<number> {
  const names = (textFlag(input.flags, 'stages') ?? ORDER.join(',')).split(',').map((name) => name.trim());
  const places = names.map((name) => (ORDER as readonly string[]).indexOf(name));
  if (places.some((place, i) => place < 0 || place <= (places[i - 1] ?? -1))) {
    const message = `--stages is ${names.join(',')}; wanted some of ${ORDER.join(', ')}, in that order`;
    throw new UsageError(message, { code: 'usage/bad-argument', data: { seen: names } });
  }
  const list = openLines(input, 'list');
  const stages: Stage<never, unknown>[] = [];
  for (const name of names) {
    if (name === 'filter') stages.push(filterStageOf(input, list) as Stage<never, unknown>);
    else if (name === 'mask') stages.push(maskStageOf(input) as Stage<never, unknown>);
    else stages.push((await expandStageOf(input, list)) as Stage<never, unknown>);
  }
  const stage = chainStages<Trajectory, unknown>(stages);
  return runDataWork(input, { stage, read: trajectoryItems, inputs: inputsOf(input), lists: [list] });
}
