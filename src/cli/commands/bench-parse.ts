/**
 * `umwelt bench parse`: how texts of models and judges are read, one JSON line each, for comparing parsers.
 */
import {
  isJsonObject,
  parseJson,
  readPrediction,
  renderJson,
  stripObservationMarker,
  UsageError,
} from '../../core/index.js';
import { readChoice, readVerdict } from '../../judge/index.js';
import { type CommandInput, textFlag } from '../command.js';
import { EXIT } from '../failure.js';
import { readNamedText } from '../named-file.js';

type Reader = (input: string, domain: string | undefined) => Readonly<Record<string, unknown>>;

const READERS: Readonly<Record<string, Reader>> = {
  judge: (input) => {
    const read = readVerdict(input);
    if (read.ok) {
      const { grades, total, strengths, weaknesses, repaired, notes } = read.value;
      return { scores: grades, total, strengths, weaknesses, repaired, ...(notes.length > 0 && { notes }) };
    }
    const { cause, message, remarks, repaired } = read.error;
    const { strengths, weaknesses } = remarks ?? { strengths: [], weaknesses: [] };
    return { scores: null, total: null, strengths, weaknesses, failed: `${cause}: ${message}`, repaired };
  },
  observation: (input) => {
    const read = readPrediction(input);
    if (read.ok) return { observation: read.value.observation, thinking: read.value.thinking };
    return {
      observation: null,
      thinking: read.error.thinking,
      failed: `${read.error.cause}: ${read.error.message}`,
    };
  },
  choice: (input) => ({ choice: readChoice(input) }),
  marker: (input, domain) => ({ text: stripObservationMarker(input, domain) }),
};

/** Runs the command. */
export async function run({ words, flags, output }: CommandInput): Promise<number> {
  const reader = READERS[textFlag(flags, 'kind') ?? ''];
  if (reader === undefined) {
    throw new UsageError(`--kind is needed: one of ${Object.keys(READERS).join(', ')}`, {
      code: 'usage/bad-argument',
    });
  }
  let isBad = false;
  readNamedText(words[0] ?? '-', 'FILE')
    .split('\n')
    .forEach((line, i) => {
      if (line.trim() === '') return;
      const read = parseJson(line);
      if (!read.ok || !isJsonObject(read.value) || typeof read.value.input !== 'string') {
        isBad = true;
        output.note(`line ${i + 1}: wanted {"input": "…"}`);
        output.line(renderJson({ failed: 'the line is no {"input": "…"}' }));
        return;
      }
      const { input, domain } = read.value;
      output.line(JSON.stringify(reader(input, typeof domain === 'string' ? domain : undefined)));
    });
  return isBad ? EXIT.partial : EXIT.done;
}
