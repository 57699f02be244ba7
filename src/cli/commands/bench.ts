/**
 * `umwelt bench`: predicts the recordings of the package with the engine, grades and scores; no key, no network.
 */
import { join } from 'node:path';
import { exactShares, openDataSet } from '../../bench/index.js';
import { type Json, renderJson } from '../../core/index.js';
import { type CommandInput, textFlag } from '../command.js';
import { EXIT } from '../failure.js';
import { packageFile } from '../package-files.js';
import { run as infer } from './bench-infer.js';
import { run as judge } from './bench-judge.js';
import { run as score } from './bench-score.js';

/** Runs the command. */
export async function run(input: CommandInput): Promise<number> {
  const { flags, output } = input;
  const folder = textFlag(flags, 'out') ?? 'umwelt-bench';
  const predictions = join(folder, 'predictions.jsonl');
  const own = { out: folder, ...(flags.force === true && { force: true }) };
  const asked = await infer({ ...input, words: [packageFile('bench-data')], flags: own });
  if (asked !== EXIT.done && asked !== EXIT.partial) return asked;
  const shares = exactShares(openDataSet([predictions], { repeated: 'first' }));
  if (output.json) output.line(renderJson({ exact: shares as unknown as Json }));
  else {
    for (const { domain, rows, predicted, equal } of shares) {
      output.line(
        `  ${domain}: ${equal} of ${predicted} predictions equal the real observation, ${rows} rows`,
      );
    }
  }
  const spec = textFlag(flags, 'judge');
  const judged = await judge({
    ...input,
    words: [predictions],
    flags: { ...own, ...(spec !== undefined && { judge: spec }) },
  });
  if (judged !== EXIT.done && judged !== EXIT.partial) return judged;
  return score({ ...input, words: [folder], flags: {} });
}
