/**
 * `umwelt bench infer`: predicts the rows of a benchmark with any world model.
 */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import {
  type DataSet,
  estimateRun,
  type InferReport,
  lockFolder,
  openDataSet,
  type RunEstimate,
  runInfer,
} from '../../bench/index.js';
import { type Json, renderJson, UsageError } from '../../core/index.js';
import { counted, domainsOf, meterOf, paceOf, priceOf, progressLine, spanOf } from '../bench-options.js';
import { choosePredictor } from '../bench-predictor.js';
import { type CommandInput, type FlagValues, integerFlag, textFlag } from '../command.js';
import { abortOnInterrupt } from '../data-stage.js';
import { EXIT } from '../failure.js';
import { type Output, visible } from '../output.js';

/** Runs the command. */
export async function run({ words, flags, output }: CommandInput): Promise<number> {
  const data = openDataSet(words);
  const domains = domainsOf(flags);
  const rows = data.rows
    .filter(({ domain }) => domains === undefined || domains.includes(domain))
    .slice(0, integerFlag(flags, 'limit') ?? data.rows.length);
  tellData(data, output);
  // A mistyped flag is told before what the data lack.
  priceOf(flags);
  if (data.rows.length === 0 && data.invalid.length === 0) {
    throw new UsageError(`${visible(words.join(', '))} holds no rows; wanted one JSON object a line`, {
      code: 'usage/bad-argument',
    });
  }
  if (flags.estimate === true) {
    tellEstimate(estimateOf(rows, flags), output);
    return data.invalid.length === 0 ? EXIT.done : EXIT.partial;
  }
  const folder = textFlag(flags, 'out') ?? 'umwelt-bench';
  mkdirSync(folder, { recursive: true });
  const unlock = lockFolder(folder);
  const interrupt = abortOnInterrupt();
  const meter = meterOf(flags);
  const line = progressLine(output, 'predicted');
  try {
    const { predictor, facts } = await choosePredictor(flags, words, meter);
    const report = await runInfer(data, predictor, {
      out: join(folder, 'predictions.jsonl'),
      facts,
      only: rows,
      jobs: integerFlag(flags, 'jobs') ?? 8,
      force: flags.force === true,
      signal: interrupt.signal,
      onStart: (found, open) => {
        for (const text of foundLines(found)) output.note(text);
        if (!output.json && open > 0 && meterNeeded(flags))
          tellEstimate(estimateOf(rows.slice(-open), flags), output, true);
      },
      onRow: ({ done, open, counts }) => {
        const { cost } = meter.spent;
        const failed = counts['model-failed'] + counts.infrastructure;
        line.show(
          done,
          open,
          [failed > 0 ? `${failed} failed` : '', cost === null ? '' : `cost ${cost.toFixed(2)}`]
            .filter(Boolean)
            .join(', '),
        );
      },
    });
    line.end();
    tellReport({ report, data, predictor: predictor.name, cost: meter.spent.cost }, output);
    if (report.stopped !== null) return EXIT.failed;
    return report.counts.infrastructure > 0 || data.invalid.length > 0 ? EXIT.partial : EXIT.done;
  } catch (error) {
    line.end();
    if (!interrupt.signal.aborted) throw error;
    output.note(
      `interrupted; what is done stands in ${join(folder, 'predictions.jsonl')}, the same command goes on`,
    );
    return EXIT.interrupted;
  } finally {
    interrupt.end();
    unlock();
  }
}

function meterNeeded(flags: FlagValues): boolean {
  return textFlag(flags, 'model')?.includes('@http') === true;
}

const SHOWN_INVALID = 20;

function tellData(data: DataSet, output: Output): void {
  for (const warning of data.warnings) output.note(visible(warning));
  for (const { file, line, key, reason } of data.invalid.slice(0, SHOWN_INVALID)) {
    output.note(visible(`invalid: ${file}, line ${line}${key === null ? '' : ` (${key})`}: ${reason}`));
  }
  const more = data.invalid.length - SHOWN_INVALID;
  if (more > 0) output.note(`and ${more} more invalid rows`);
}

function estimateOf(rows: DataSet['rows'], flags: FlagValues): RunEstimate {
  const price = priceOf(flags);
  return estimateRun(rows, { limits: paceOf(flags), ...(price !== undefined && { price }) });
}

function tellEstimate(estimate: RunEstimate, output: Output, asNote = false): void {
  if (output.json && !asNote) {
    output.line(renderJson(estimate as unknown as Json));
    return;
  }
  const { rows, promptTokens, completionTokens, cost, leastSeconds } = estimate;
  const parts = [
    `${counted(rows)} rows, about ${counted(promptTokens)} prompt tokens and ${counted(completionTokens)} of observations (thinking comes on top)`,
    ...(cost === null ? [] : [`about ${cost.toFixed(2)} at the given price`]),
    ...(leastSeconds === null ? [] : [`at least ${spanOf(leastSeconds)} at the given limits`]),
  ];
  const text = parts.join('; ');
  if (asNote) output.note(text);
  else output.line(text);
}

function foundLines(found: InferReport['found']): readonly string[] {
  const { kept, duplicates, retried, foreign, torn } = found;
  return [
    ...(kept > 0 ? [`going on: ${kept} rows are there`] : []),
    ...(duplicates.length > 0
      ? [
          `${duplicates.length} rows were there twice, the first one counts: ${duplicates.slice(0, 10).join(', ')}`,
        ]
      : []),
    ...(retried > 0 ? [`${retried} rows whose calls failed are tried again`] : []),
    ...(foreign > 0 ? [`${foreign} lines belong to no row of this data and are left out`] : []),
    ...(torn > 0 ? [`${torn} torn lines are left out`] : []),
  ];
}

function tellReport(
  of: {
    readonly report: InferReport;
    readonly data: DataSet;
    readonly predictor: string;
    readonly cost: number | null;
  },
  output: Output,
): void {
  const { report, data, predictor, cost } = of;
  const { counts, found, reasons, stopped, promptTokens, completionTokens, unreported } = report;
  if (output.json) {
    output.line(
      renderJson({
        predictor,
        rows: data.rows.length,
        invalid: data.invalid as unknown as Json,
        before: found as unknown as Json,
        done: report.done,
        counts,
        reasons,
        promptTokens,
        completionTokens,
        unreported,
        cost,
        stopped,
      }),
    );
    return;
  }
  output.line(
    `${predictor}: ${report.done} rows done now, ${found.kept} before, ${data.invalid.length} invalid`,
  );
  output.line(
    `  predicted ${counts.predicted}, abstained ${counts.abstained}, failed by the model ${counts['model-failed']}, calls failed ${counts.infrastructure}`,
  );
  for (const [reason, count] of Object.entries(reasons)
    .sort((a, b) => b[1] - a[1])
    .slice(0, 10)) {
    output.line(visible(`  ${count} × ${reason}`));
  }
  if (promptTokens + completionTokens > 0) {
    const more = unreported > 0 ? `, and ${unreported} rows whose tokens nobody told` : '';
    output.line(
      `  ${counted(promptTokens)} prompt tokens, ${counted(completionTokens)} completion tokens${more}${cost === null ? '' : `, cost ${cost.toFixed(2)}`}`,
    );
  }
  if (stopped !== null) output.note(`stopped: ${visible(stopped)}; the same command goes on`);
}
