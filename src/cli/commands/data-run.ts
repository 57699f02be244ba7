/**
 * `umwelt data run`: clean, filter, mask and expand in one process, as a pipe of them would.
 */
import { type Trajectory, UsageError } from '../../core/index.js';
import { chainStages, type Stage, trajectoryItems } from '../../data/index.js';
import { type CommandInput, textFlag } from '../command.js';
import { cleanStageOf, RUN_CLEAN_FLAGS } from '../data-clean-options.js';
import { expandStageOf, filterStageOf, maskStageOf } from '../data-options.js';
import { inputsOf, openLines, runDataWork } from '../data-stage.js';

/** The stages in the order in which they have to stand. */
const ORDER = ['clean', 'filter', 'mask', 'expand'] as const;
/** What is done where `--stages` does not say it: cleaning is asked for. */
const USUAL = 'filter,mask,expand';

/** Runs the command. */
export async function run(input: CommandInput): Promise<number> {
  const names = (textFlag(input.flags, 'stages') ?? USUAL).split(',').map((name) => name.trim());
  const places = names.map((name) => (ORDER as readonly string[]).indexOf(name));
  if (places.some((place, i) => place < 0 || place <= (places[i - 1] ?? -1))) {
    const message = `--stages is ${names.join(',')}; wanted some of ${ORDER.join(', ')}, in that order`;
    throw new UsageError(message, { code: 'usage/bad-argument', data: { seen: names } });
  }
  const list = openLines(input, 'list');
  const stages: Stage<never, unknown>[] = [];
  for (const name of names) {
    if (name === 'clean') stages.push(cleanStageOf(input, RUN_CLEAN_FLAGS, list) as Stage<never, unknown>);
    else if (name === 'filter') stages.push(filterStageOf(input, list) as Stage<never, unknown>);
    else if (name === 'mask') stages.push(maskStageOf(input) as Stage<never, unknown>);
    else stages.push((await expandStageOf(input, list)) as Stage<never, unknown>);
  }
  const stage = chainStages<Trajectory, unknown>(stages);
  return runDataWork(input, { stage, read: trajectoryItems, inputs: inputsOf(input), lists: [list] });
}
