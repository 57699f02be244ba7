/**
 * The export stage: samples become rows of a trainer, each counted, and a manifest that says what is in them.
 *
 * A set in which nothing is learnt is an error that names format and template, never an empty file that trains on
 * nothing (hard case P-RL-3).
 */
import { DataError, type JsonObject, renderJson } from '../../core/index.js';
import type { Sample } from '../samples/sample.js';
import { type DropListener, type Stage, Tally } from '../stages/stage.js';
import { agentWorldBench, msSwift, promptCompletion, promptSolution, verl } from './chat-rows.js';
import { type ExportChoices, type ExportFormat, learntIndexes } from './export-format.js';
import { CHATML } from './token-rows.js';

/** Samples as they are. */
const plain: ExportFormat = {
  name: 'samples',
  about: "this package's own sample lines, unchanged",
  columns: () => ({
    id: 'text',
    domain: 'text',
    messages: {
      list: { role: 'text', content: 'text', loss: 'boolean', keepRatio: 'number', category: 'text' },
    },
  }),
  rows: (sample) => [sample as unknown as JsonObject],
};

/** Formats that need no tokenizer. */
export const EXPORT_FORMATS: readonly ExportFormat[] = [
  msSwift,
  promptCompletion,
  verl,
  promptSolution,
  agentWorldBench,
  plain,
];

/** How to export. */
export interface ExportOptions {
  readonly format: ExportFormat;
  readonly choices: ExportChoices;
  readonly onDrop?: DropListener;
}

/** Opens the stage. Its `end` raises `data/invalid` if there were samples and nothing in them is learnt. */
export function createExportStage(options: ExportOptions): Stage<Sample, JsonObject> {
  const { format, choices } = options;
  const counts = { samples: 0, rows: 0, learntTurns: 0, promptTokens: 0, totalTokens: 0 };
  const skipped = new Tally();
  const domains = new Tally();
  const tokensBy = new Set<string>();
  const parameters = {
    format: format.name,
    template: format.name === 'tokens' ? CHATML.name : null,
    ...choices,
  };
  return {
    name: 'export',
    parameters,
    take: (sample) => {
      counts.samples += 1;
      const made = format.rows(sample, choices, counts.rows);
      if ('noRow' in made) {
        skipped.add(made.noRow);
        options.onDrop?.({
          what: 'sample',
          trajectory: sample.trajectory,
          rule: 'no-row',
          detail: made.noRow,
        });
        return [];
      }
      counts.rows += made.length;
      counts.learntTurns += learntIndexes(sample, choices).length;
      counts.promptTokens += sample.tokens.prompt;
      counts.totalTokens += sample.tokens.total;
      tokensBy.add(sample.tokens.by);
      domains.add(sample.domain, made.length);
      return made;
    },
    end: () => {
      if (counts.samples > 0 && counts.learntTurns === 0) {
        const message = `nothing is learnt in ${counts.samples} samples (${renderJson(parameters)}): ${renderJson(skipped.toJson())}`;
        throw new DataError(message, { code: 'data/invalid' });
      }
      return [];
    },
    report: () => ({
      ...counts,
      tokensBy: [...tokensBy].sort(),
      rowsByDomain: domains.toJson(),
      skipped: skipped.toJson(),
    }),
  };
}
