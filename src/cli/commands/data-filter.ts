/**
 * `umwelt data filter`: leave out what should not be learnt, and say why.
 */
import { trajectoryItems } from '../../data/index.js';
import type { CommandInput } from '../command.js';
import { filterStageOf } from '../data-options.js';
import { inputsOf, openLines, runDataWork } from '../data-stage.js';

/** Runs the command. */
export async function run(input: CommandInput): Promise<number> {
  filterStageOf(input, undefined);
  const list = openLines(input, 'list');
  const stage = filterStageOf(input, list);
  return runDataWork(input, { stage, read: trajectoryItems, inputs: inputsOf(input), lists: [list] });
}
