/**
 * `umwelt data clean`: screens out of raw bytes, secrets out, sessions cut at tasks, actions with their effects, a score.
 */
import { UsageError } from '../../core/index.js';
import {
  CLEAN_STEPS,
  type CleanStep,
  createCleanStage,
  REDACTED_KINDS,
  trajectoryItems,
} from '../../data/index.js';
import { type CommandInput, textFlag } from '../command.js';
import { dropsTo, inputsOf, type LineFile, openLines, runDataWork } from '../data-stage.js';

/** Runs the command. */
export async function run(input: CommandInput): Promise<number> {
  cleanStageOf(input, undefined);
  const list = openLines(input, 'list');
  const stage = cleanStageOf(input, list);
  return runDataWork(input, { stage, read: trajectoryItems, inputs: inputsOf(input), lists: [list] });
}

function cleanStageOf(
  { flags }: CommandInput,
  list: LineFile | undefined,
): ReturnType<typeof createCleanStage> {
  const seed = textFlag(flags, 'seed');
  const steps = namesOf(textFlag(flags, 'stages'), { flag: '--stages', known: CLEAN_STEPS });
  const minQuality = Number(textFlag(flags, 'min-quality') ?? 0);
  if (!(minQuality >= 0 && minQuality <= 1)) {
    const message = `--min-quality is ${JSON.stringify(textFlag(flags, 'min-quality'))}; wanted a number from 0 to 1`;
    throw new UsageError(message, { code: 'usage/bad-argument' });
  }
  return createCleanStage({
    ...(steps.length > 0 && { steps: steps as readonly CleanStep[] }),
    keepRaw: flags['keep-raw'] === true,
    ...(seed !== undefined && { seed }),
    keep: namesOf(textFlag(flags, 'keep'), { flag: '--keep', known: REDACTED_KINDS }),
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
