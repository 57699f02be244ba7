/**
 * Pre-tokenised rows: ids with labels, the loss on learnt observations and their end tokens alone.
 *
 * The idea: messages are written in the ChatML template piece by piece, so that it is known of every token where it came
 * from; no mask is made by comparing ids, and nothing is shifted: `labels[i]` is `input_ids[i]` or −100, and trainers
 * shift by themselves. The end-of-turn token of a learnt message is learnt, its header and the line break after it are
 * not. Source: hard cases P-RL-2 and P-RL-3; protocols, B.4 and B.7.
 */
import { DataError, type JsonObject } from '../../core/index.js';
import type { Sample } from '../samples/sample.js';
import type { Tokenizer } from '../samples/token-counter.js';
import {
  answerText,
  type ExportChoices,
  type ExportFormat,
  FACT_COLUMNS,
  learntIndexes,
  rowFacts,
} from './export-format.js';

/** The label of a token without loss. */
export const NO_LABEL = -100;

/** Marks of the chat template. */
export const CHATML = { name: 'chatml', start: '<|im_start|>', end: '<|im_end|>' } as const;

/** The tokens of a sample. */
export interface TokenRow {
  readonly inputIds: readonly number[];
  /** The id where the token is learnt, else −100. */
  readonly labels: readonly number[];
  /** The weight of each token in the loss, fraction 0–1. */
  readonly weights: readonly number[];
}

/** Raises `data/invalid` if the tokenizer has not the marks of the template as single tokens. */
function checkTemplate(tokenizer: Tokenizer): void {
  for (const mark of [CHATML.start, CHATML.end]) {
    const { length } = tokenizer.encode(mark);
    if (length === 1) continue;
    const message = `the tokenizer ${tokenizer.name} reads ${mark} as ${length} tokens; the template ${CHATML.name} needs it as one`;
    throw new DataError(message, { code: 'data/invalid' });
  }
}

/** The tokens of a sample in the template, with labels. */
export function tokenRow(sample: Sample, tokenizer: Tokenizer, choices: ExportChoices): TokenRow {
  const learnt = new Set(learntIndexes(sample, choices));
  const inputIds: number[] = [];
  const labels: number[] = [];
  const weights: number[] = [];
  const add = (text: string, weight: number): void => {
    for (const id of tokenizer.encode(text)) {
      inputIds.push(id);
      labels.push(weight > 0 ? id : NO_LABEL);
      weights.push(weight);
    }
  };
  for (const [index, message] of sample.messages.entries()) {
    const ratio = choices.weights && sample.kind === 'whole' ? (message.keepRatio ?? 1) : 1;
    const weight = learnt.has(index) ? ratio : 0;
    add(`${CHATML.start}${message.role}\n`, 0);
    add(withoutMarks(answerText(message, choices)), weight);
    add(CHATML.end, weight);
    add('\n', 0);
  }
  return { inputIds, labels, weights };
}

/** Text that looks like a mark must not become one: a zero-width joiner breaks it up. */
function withoutMarks(text: string): string {
  return text.includes('<|im_') ? text.replace(/<\|im_(start|end)\|>/g, '<|\u2060im_$1|>') : text;
}

/** The format for a tokenizer. */
export function tokenFormat(tokenizer: Tokenizer): ExportFormat {
  checkTemplate(tokenizer);
  return {
    name: 'tokens',
    about:
      'input_ids, attention_mask and labels in the ChatML template (TRL, Axolotl, SkyRL; needs --tokenizer)',
    columns: ({ weights }) => ({
      input_ids: 'integers',
      attention_mask: 'integers',
      labels: 'integers',
      ...(weights && { weights: 'numbers' as const }),
      ...FACT_COLUMNS,
    }),
    rows: (sample, choices) => {
      const { inputIds, labels, weights } = tokenRow(sample, tokenizer, choices);
      if (!labels.some((label) => label !== NO_LABEL)) return { noRow: 'no learnt token' };
      const row: JsonObject = {
        input_ids: inputIds,
        attention_mask: inputIds.map(() => 1),
        labels,
        ...(choices.weights && { weights }),
        ...rowFacts(sample),
      };
      return [row];
    },
  };
}
