/**
 * What an export format is: rows of a trainer out of samples. Adding one is one value here or in a file beside, and one
 * line in `export-samples.ts`.
 *
 * Field names are the frameworks'. Arguments and other varying objects stay texts, since loaders that merge schemas would
 * fill them with nulls. Source: protocols, part B (training exports).
 */
import type { JsonObject } from '../../core/index.js';
import type { Sample, SampleMessage } from '../samples/sample.js';

/** How a column is stored in Parquet. */
export type ColumnType =
  | 'text'
  | 'integer'
  | 'number'
  | 'boolean'
  | 'integers'
  | 'numbers'
  | 'texts'
  | { readonly list: Readonly<Record<string, ColumnType>> }
  | { readonly fields: Readonly<Record<string, ColumnType>> };

/** What formats may be told. */
export interface ExportChoices {
  /** Put observations between the tags in which a model has to answer. Default false. */
  readonly tags: boolean;
  /** Write keep ratios as weights instead of the seeded decision, where the trainer takes weights. Default false. */
  readonly weights: boolean;
}

/** Why a sample gave no row. */
export interface NoRow {
  readonly noRow: string;
}

/** One format. */
export interface ExportFormat {
  readonly name: string;
  /** One line for the help. */
  readonly about: string;
  /** The columns, for Parquet and for readers of the code; their order is that of the rows' keys. */
  readonly columns: (choices: ExportChoices) => Readonly<Record<string, ColumnType>>;
  /** The rows of a sample; `index` counts the rows before it in this output. */
  rows(sample: Sample, choices: ExportChoices, index: number): readonly JsonObject[] | NoRow;
}

/** The tags in which a world model answers (arXiv 2606.24597). */
export function answerText(message: SampleMessage, { tags }: ExportChoices): string {
  if (message.role !== 'assistant' || !tags) return message.content;
  return `<predicted_observation>\n${message.content}\n</predicted_observation>`;
}

/** A message as role and content alone. */
export function bareMessage(message: SampleMessage, choices: ExportChoices): JsonObject {
  return { role: message.role, content: answerText(message, choices) };
}

/** Indexes of the learnt messages; with `weights` those that the mask gave a ratio above 0, whatever it drew. */
export function learntIndexes(sample: Sample, { weights }: ExportChoices): readonly number[] {
  return sample.messages.flatMap((message, index) => {
    const isLearnt =
      weights && sample.kind === 'whole' && message.keepRatio !== undefined
        ? message.keepRatio > 0
        : message.loss === true;
    return isLearnt ? [index] : [];
  });
}

/** Facts that every row carries beside what the trainer reads. */
export function rowFacts(sample: Sample): JsonObject {
  const { id, trajectory, domain, totalTurns, droppedTurns, tokens, source } = sample;
  return {
    id,
    trajectory,
    domain,
    turn: sample.turn ?? 0,
    total_turns: totalTurns,
    dropped_turns: droppedTurns,
    prompt_tokens: tokens.prompt,
    total_tokens: tokens.total,
    dataset: typeof source.dataset === 'string' ? source.dataset : '',
    licence: typeof source.licence === 'string' ? source.licence : '',
  };
}

/** The columns of {@link rowFacts}; turn 0 stands for a whole trajectory. */
export const FACT_COLUMNS: Readonly<Record<string, ColumnType>> = {
  id: 'text',
  trajectory: 'text',
  domain: 'text',
  turn: 'integer',
  total_turns: 'integer',
  dropped_turns: 'integer',
  prompt_tokens: 'integer',
  total_tokens: 'integer',
  dataset: 'text',
  licence: 'text',
};
