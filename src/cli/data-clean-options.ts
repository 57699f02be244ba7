/**
 * The clean stage out of a command's flags: what `data clean` and `data run` share.
 */
import { UsageError } from '../core/index.js';
import { CLEAN_STEPS, type CleanStep, createCleanStage, REDACTED_KINDS } from '../data/index.js';
import { type CommandInput, textFlag } from './command.js';
import { dropsTo, type LineFile } from './data-stage.js';

/** How a command calls the flags that other stages have too. */
export interface CleanFlagNames {
  readonly steps: string;
  readonly keep: string;
  readonly seed: string;
}

/** The names in `data clean`. */
export const CLEAN_FLAGS: CleanFlagNames = { steps: 'stages', keep: 'keep', seed: 'seed' };

/** The names in `data run`, where the mask and the draws have the short ones. */
export const RUN_CLEAN_FLAGS: CleanFlagNames = {
  steps: 'clean-stages',
  keep: 'keep-kind',
  seed: 'secrets-seed',
};

/** The clean stage as its flags say. Raises `usage/bad-argument`. */
export function cleanStageOf(
  { flags }: CommandInput,
  names: CleanFlagNames,
  list: LineFile | undefined,
): ReturnType<typeof createCleanStage> {
  const seed = textFlag(flags, names.seed);
  const steps = namesOf(textFlag(flags, names.steps), { flag: `--${names.steps}`, known: CLEAN_STEPS });
  const minQuality = Number(textFlag(flags, 'min-quality') ?? 0);
  if (!(minQuality >= 0 && minQuality <= 1)) {
    const message = `--min-quality is ${JSON.stringify(textFlag(flags, 'min-quality'))}; wanted a number from 0 to 1`;
    throw new UsageError(message, { code: 'usage/bad-argument' });
  }
  return createCleanStage({
    ...(steps.length > 0 && { steps: steps as readonly CleanStep[] }),
    keepRaw: flags['keep-raw'] === true,
    ...(seed !== undefined && { seed }),
    keep: namesOf(textFlag(flags, names.keep), { flag: `--${names.keep}`, known: REDACTED_KINDS }),
    allowedDomains: partsOf(textFlag(flags, 'allow')),
    minQuality,
    ...dropsTo(list),
  });
}

function partsOf(text: string | undefined): readonly string[] {
  return (text ?? '')
    .split(',')
    .map((one) => one.trim())
    .filter((one) => one !== '');
}

function namesOf(
  text: string | undefined,
  { flag, known }: { readonly flag: string; readonly known: readonly string[] },
): readonly string[] {
  const names = partsOf(text);
  const unknown = names.find((name) => !known.includes(name));
  if (unknown === undefined) return names;
  const message = `${flag} names ${JSON.stringify(unknown)}; known are ${known.join(', ')}`;
  throw new UsageError(message, { code: 'usage/bad-argument', data: { seen: unknown } });
}
