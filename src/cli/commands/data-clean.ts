/**
 * `umwelt data clean`: screens out of raw bytes, secrets out, sessions cut at tasks, actions with their effects, a score.
 */
import { trajectoryItems } from '../../data/index.js';
import type { CommandInput } from '../command.js';
import { CLEAN_FLAGS, cleanStageOf } from '../data-clean-options.js';
import { inputsOf, openLines, runDataWork } from '../data-stage.js';

/** Runs the command. */
export async function run(input: CommandInput): Promise<number> {
  cleanStageOf(input, CLEAN_FLAGS, undefined);
  const list = openLines(input, 'list');
  const stage = cleanStageOf(input, CLEAN_FLAGS, list);
  return runDataWork(input, { stage, read: trajectoryItems, inputs: inputsOf(input), lists: [list] });
}
