/**
 * `umwelt data expand`: training samples out of trajectories.
 */
import { createExpandStage, type ExpandMode, loadTokenizer, trajectoryItems } from '../../data/index.js';
import { type CommandInput, integerFlag, textFlag } from '../command.js';
import { dropsTo, inputsOf, openLines, runDataWork } from '../data-stage.js';

/** Runs the command. */
export async function run(input: CommandInput): Promise<number> {
  const { flags } = input;
  const tokenizer = textFlag(flags, 'tokenizer');
  const window = integerFlag(flags, 'window');
  const prompt = integerFlag(flags, 'prompt');
  const counter = tokenizer === undefined ? undefined : await loadTokenizer(tokenizer);
  const list = openLines(input, 'list');
  const stage = createExpandStage({
    mode: (textFlag(flags, 'mode') ?? 'train') as ExpandMode,
    seed: textFlag(flags, 'seed') ?? '0',
    ...(window !== undefined && { windowTokens: window }),
    ...(prompt !== undefined && { promptTokens: prompt }),
    ...(counter !== undefined && { counter }),
    ...dropsTo(list),
  });
  return runDataWork(input, { stage, read: trajectoryItems, inputs: inputsOf(input), lists: [list] });
}
