/**
 * `umwelt data export`: samples in the format a trainer reads.
 */
import { type JsonObject, UsageError } from '../../core/index.js';
import {
  createExportStage,
  EXPORT_FORMATS,
  type ExportFormat,
  loadTokenizer,
  openParquet,
  sampleItems,
  tokenFormat,
} from '../../data/index.js';
import { type CommandInput, textFlag } from '../command.js';
import { inputsOf, runDataWork } from '../data-stage.js';

/** Runs the command. */
export async function run(input: CommandInput): Promise<number> {
  const { flags } = input;
  const format = await formatOf(textFlag(flags, 'format'), textFlag(flags, 'tokenizer'));
  const choices = { tags: flags.tags === true, weights: flags.weights === true };
  const isParquet = flags.parquet === true;
  if (isParquet && textFlag(flags, 'out') === undefined) {
    const message = '--parquet needs --out FILE, since a Parquet file is no stream of lines';
    throw new UsageError(message, { code: 'usage/bad-argument' });
  }
  if (choices.weights && !['ms-swift', 'tokens'].includes(format.name)) {
    const message = `--weights does not go with --format ${format.name}; ms-swift and tokens take weights`;
    throw new UsageError(message, { code: 'usage/bad-argument' });
  }
  const stage = createExportStage({ format, choices });
  return runDataWork<never, JsonObject>(input, {
    stage: stage as never,
    read: sampleItems as never,
    inputs: inputsOf(input),
    ...(isParquet && { container: (sink) => openParquet(format.columns(choices), sink) }),
  });
}

async function formatOf(name: string | undefined, tokenizer: string | undefined): Promise<ExportFormat> {
  const known = [...EXPORT_FORMATS.map((one) => one.name), 'tokens'].join(', ');
  if (name === undefined) {
    throw new UsageError(`--format is needed: one of ${known}`, { code: 'usage/bad-argument' });
  }
  if (name === 'tokens') {
    if (tokenizer !== undefined) return tokenFormat(await loadTokenizer(tokenizer));
    const message = "--format tokens needs --tokenizer FILE, a model's tokenizer.json";
    throw new UsageError(message, { code: 'usage/bad-argument' });
  }
  const format = EXPORT_FORMATS.find((one) => one.name === name);
  if (format !== undefined) return format;
  throw new UsageError(`there is no format ${name}; known are ${known}`, { code: 'usage/bad-argument' });
}
