/**
 * `umwelt data show`: samples with what is learnt, for a person's eyes.
 */
import { UsageError } from '../../core/index.js';
import {
  loadTokenizer,
  openInput,
  readByteLines,
  type Sample,
  sampleItems,
  showMessages,
  showTokens,
} from '../../data/index.js';
import { type CommandInput, integerFlag, textFlag } from '../command.js';
import { inputsOf } from '../data-stage.js';
import { EXIT } from '../failure.js';
import { visible } from '../output.js';

/** Runs the command. */
export async function run(input: CommandInput): Promise<number> {
  const { flags, output } = input;
  const id = textFlag(flags, 'id');
  const count = integerFlag(flags, 'count') ?? 1;
  const tokenizer = textFlag(flags, 'tokenizer');
  const loaded = tokenizer === undefined ? undefined : await loadTokenizer(tokenizer);
  const choices = { tags: flags.tags === true, weights: flags.weights === true };
  let shown = 0;
  for await (const sample of samples(input)) {
    if (id !== undefined && sample.id !== id) continue;
    const lines = loaded === undefined ? showMessages(sample) : showTokens(sample, loaded, choices);
    for (const line of lines) output.line(visible(line));
    shown += 1;
    if (shown >= count) break;
  }
  if (shown > 0) return EXIT.done;
  const message =
    id === undefined ? 'there is no sample in the input' : `there is no sample with the id ${id}`;
  throw new UsageError(`${message}; samples are made by \`umwelt data expand\``, {
    code: 'usage/unknown-name',
  });
}

async function* samples(input: CommandInput): AsyncGenerator<Sample, void, undefined> {
  for (const path of inputsOf(input)) {
    const reader = sampleItems(({ line, message }) =>
      input.output.note(`umwelt: ${visible(path)} line ${line}: ${visible(message)}`),
    );
    for await (const lines of readByteLines(openInput(path))) {
      for (const line of lines) yield* reader.take(line);
    }
  }
}
