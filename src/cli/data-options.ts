/**
 * Stages out of a command's flags: what `data filter`, `mask`, `expand` and `run` share.
 */
import { type Trajectory, UsageError } from '../core/index.js';
import {
  createExpandStage,
  createFilterStage,
  createMaskStage,
  type ExpandMode,
  filterRules,
  loadTokenizer,
  MASK_CATEGORIES,
  type MaskCategory,
  type Sample,
  type Stage,
} from '../data/index.js';
import { type CommandInput, integerFlag, textFlag } from './command.js';
import { dropsTo, type LineFile } from './data-stage.js';

/** The filter stage as `--without`, `--allow-simulated` and `--list` say. Raises `usage/bad-argument`. */
export function filterStageOf({ flags }: CommandInput, list: LineFile | undefined): Stage<Trajectory> {
  const without = (textFlag(flags, 'without') ?? '').split(',').filter((name) => name !== '');
  const known = filterRules().map(({ name }) => name);
  const unknown = without.find((name) => !known.includes(name));
  if (unknown !== undefined) {
    const message = `--without names the rule ${JSON.stringify(unknown)}; known are ${known.join(', ')}`;
    throw new UsageError(message, { code: 'usage/bad-argument', data: { seen: unknown } });
  }
  return createFilterStage({
    without: flags['allow-simulated'] === true ? [...without, 'simulated'] : without,
    ...dropsTo(list),
  });
}

/** The mask stage as `--seed` and `--keep` say. Raises `usage/bad-argument`. */
export function maskStageOf({ flags }: CommandInput): Stage<Trajectory> {
  return createMaskStage({
    seed: textFlag(flags, 'seed') ?? '0',
    keepRatios: keepRatios(textFlag(flags, 'keep')),
  });
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

/** The expand stage as its flags say; reads the tokenizer where one is named. */
export async function expandStageOf(
  { flags }: CommandInput,
  list: LineFile | undefined,
): Promise<Stage<Trajectory, Sample>> {
  const tokenizer = textFlag(flags, 'tokenizer');
  const window = integerFlag(flags, 'window');
  const prompt = integerFlag(flags, 'prompt');
  const counter = tokenizer === undefined ? undefined : await loadTokenizer(tokenizer);
  return createExpandStage({
    mode: (textFlag(flags, 'mode') ?? 'train') as ExpandMode,
    seed: textFlag(flags, 'seed') ?? '0',
    ...(window !== undefined && { windowTokens: window }),
    ...(prompt !== undefined && { promptTokens: prompt }),
    ...(counter !== undefined && { counter }),
    ...dropsTo(list),
  });
}
