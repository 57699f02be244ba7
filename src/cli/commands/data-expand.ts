/**
 * `umwelt data expand`: training samples out of trajectories.
 */
import { trajectoryItems } from '../../data/index.js';
import type { CommandInput } from '../command.js';
import { expandStageOf } from '../data-options.js';
import { inputsOf, openLines, runDataWork } from '../data-stage.js';

/** Runs the command. */
export async function run(input: CommandInput): Promise<number> {
  const list = openLines(input, 'list');
  const stage = await expandStageOf(input, list);
  return runDataWork(input, { stage, read: trajectoryItems, inputs: inputsOf(input), lists: [list] });
}
