/**
 * `umwelt bench judge`: grades predictions, ours or the reference script's.
 */
import { mkdirSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { type DataSet, type JudgingReport, lockFolder, openDataSet, runJudging } from '../../bench/index.js';
import { type Json, renderJson, UsageError } from '../../core/index.js';
import { openJudge, refuseBlindJudge } from '../bench-judge-spec.js';
import { counted, domainsOf, meterOf, numberFlag, progressLine } from '../bench-options.js';
import { type CommandInput, integerFlag, textFlag } from '../command.js';
import { abortOnInterrupt } from '../data-stage.js';
import { EXIT } from '../failure.js';
import { type Output, visible } from '../output.js';

/** Verdicts between two looks at the judge. */
const LOOK_EVERY = 250;

/** Runs the command. */
export async function run({ words, flags, output }: CommandInput): Promise<number> {
  const [predictions = ''] = words;
  const data = openDataSet([predictions], { repeated: 'first' });
  const domains = domainsOf(flags);
  const rows = data.rows.filter(({ domain }) => domains === undefined || domains.includes(domain));
  for (const warning of data.warnings) output.note(visible(warning));
  for (const { line, reason } of data.invalid.slice(0, 20)) {
    output.note(visible(`invalid: line ${line}: ${reason}`));
  }
  if (data.rows.length === 0 && data.invalid.length === 0) {
    throw new UsageError(`${visible(predictions)} holds no rows; predict some with \`umwelt bench infer\``, {
      code: 'usage/bad-argument',
    });
  }
  const meter = meterOf(flags);
  const spec = textFlag(flags, 'judge') ?? 'rule';
  const { judge } = openJudge(spec, flags, {
    domains: [...new Set(rows.map(({ domain }) => domain))],
    meter,
  });
  const look = await refuseBlindJudge(spec, judge);
  const folder = textFlag(flags, 'out') ?? dirname(predictions);
  mkdirSync(folder, { recursive: true });
  const unlock = lockFolder(folder);
  const interrupt = abortOnInterrupt();
  const line = progressLine(output, 'judged');
  try {
    const report = await runJudging(data, judge, {
      out: join(folder, 'judged.jsonl'),
      facts: { temperature: numberFlag(flags, 'temperature') ?? 0, predictions: basename(predictions) },
      only: rows,
      jobs: integerFlag(flags, 'jobs') ?? 8,
      force: flags.force === true,
      signal: interrupt.signal,
      watch: { every: LOOK_EVERY, look },
      onRow: ({ done, open, unusable, noReply }) => {
        const { cost } = meter.spent;
        const parts = [
          unusable + noReply > 0 ? `${unusable + noReply} without a verdict` : '',
          cost === null ? '' : `cost ${cost.toFixed(2)}`,
        ];
        line.show(done, open, parts.filter(Boolean).join(', '));
      },
    });
    line.end();
    tell({ report, data, judge: judge.stamp.judge, cost: meter.spent.cost }, output);
    if (report.stopped !== null) return EXIT.failed;
    const isPartial = report.unusable + report.noReply + data.invalid.length > 0;
    return isPartial ? EXIT.partial : EXIT.done;
  } catch (error) {
    line.end();
    if (!interrupt.signal.aborted) throw error;
    output.note(
      `interrupted; what is done stands in ${join(folder, 'judged.jsonl')}, the same command goes on`,
    );
    return EXIT.interrupted;
  } finally {
    interrupt.end();
    unlock();
  }
}

function tell(
  of: {
    readonly report: JudgingReport;
    readonly data: DataSet;
    readonly judge: string;
    readonly cost: number | null;
  },
  output: Output,
): void {
  const { report, data, judge, cost } = of;
  const { found, reasons, stopped, ...counts } = report;
  if (output.json) {
    const invalid = data.invalid as unknown as Json;
    output.line(
      renderJson({ judge, ...counts, before: found as unknown as Json, reasons, invalid, cost, stopped }),
    );
    return;
  }
  output.line(`${judge}: ${counted(counts.done)} rows done now, ${counted(found.kept)} before`);
  output.line(
    `  graded ${counts.scored}, verdict not usable ${counts.unusable}, no reply ${counts.noReply}, nothing to judge ${counts.unjudged}${cost === null ? '' : `, cost ${cost.toFixed(2)}`}`,
  );
  for (const [reason, count] of Object.entries(reasons).slice(0, 10)) {
    output.line(visible(`  ${count} × ${reason}`));
  }
  if (stopped !== null) output.note(`stopped: ${visible(stopped)}; the same command goes on`);
}
