/**
 * `umwelt data filter`: leave out what should not be learnt, and say why.
 */
import { UsageError } from '../../core/index.js';
import { createFilterStage, filterRules, trajectoryItems } from '../../data/index.js';
import { type CommandInput, textFlag } from '../command.js';
import { dropsTo, inputsOf, openLines, runDataWork } from '../data-stage.js';

/** Runs the command. */
export async function run(input: CommandInput): Promise<number> {
  const without = (textFlag(input.flags, 'without') ?? '').split(',').filter((name) => name !== '');
  const known = filterRules().map(({ name }) => name);
  const unknown = without.find((name) => !known.includes(name));
  if (unknown !== undefined) {
    const message = `--without names the rule ${JSON.stringify(unknown)}; known are ${known.join(', ')}`;
    throw new UsageError(message, { code: 'usage/bad-argument', data: { seen: unknown } });
  }
  const list = openLines(input, 'list');
  const stage = createFilterStage({
    without: input.flags['allow-simulated'] === true ? [...without, 'simulated'] : without,
    ...dropsTo(list),
  });
  return runDataWork(input, { stage, read: trajectoryItems, inputs: inputsOf(input), lists: [list] });
}
