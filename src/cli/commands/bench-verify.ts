/**
 * `umwelt bench verify`: does a world model follow instructions, reproduce errors and remember? Checked by rules.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  lockFolder,
  openDataSet,
  readVerifyCases,
  renderVerify,
  runInfer,
  type VerifyReport,
  verifyPredictions,
} from '../../bench/index.js';
import { type Json, renderJson, UsageError } from '../../core/index.js';
import { domainsOf, meterOf, progressLine } from '../bench-options.js';
import { choosePredictor } from '../bench-predictor.js';
import { type CommandInput, integerFlag, textFlag } from '../command.js';
import { abortOnInterrupt } from '../data-stage.js';
import { EXIT } from '../failure.js';
import { visible } from '../output.js';
import { packageFile } from '../package-files.js';

/** Runs the command. */
export async function run(input: CommandInput): Promise<number> {
  const { words, flags, output } = input;
  const places = words.length > 0 ? words : [packageFile('bench-data/verify')];
  const data = openDataSet(places);
  const domains = domainsOf(flags);
  const read = readVerifyCases(data);
  const invalid = [
    ...data.invalid.map(({ file, line, reason }) => ({ key: `${file}, line ${line}`, reason })),
    ...read.invalid,
  ];
  const cases = read.cases.filter(({ row }) => domains === undefined || domains.includes(row.domain));
  for (const { key, reason } of invalid.slice(0, 20)) output.note(visible(`no case: ${key}: ${reason}`));
  if (cases.length === 0) {
    throw new UsageError(`${places.join(', ')} holds no case; docs/BENCH.md says what one is`, {
      code: 'usage/bad-argument',
    });
  }
  const given = textFlag(flags, 'predictions');
  let predictions = given;
  let stopped: string | null = null;
  if (predictions === undefined) {
    const asked = await ask(input, places, new Set(cases.map(({ row }) => row.key)));
    if (asked === null) return EXIT.interrupted;
    predictions = asked.path;
    stopped = asked.stopped;
  }
  const report = verifyPredictions(cases, openDataSet([predictions], { repeated: 'first' }));
  const facts = { ...report, invalid };
  if (given === undefined) {
    const folder = textFlag(flags, 'out') ?? join('umwelt-bench', 'verify');
    writeFileSync(join(folder, 'verify.json'), `${renderJson(facts as unknown as Json, 2)}\n`);
  }
  if (output.json) output.line(renderJson(facts as unknown as Json));
  else for (const line of renderVerify(report)) output.line(visible(line));
  if (stopped !== null) {
    output.note(`stopped: ${visible(stopped)}; the same command goes on`);
    return EXIT.failed;
  }
  return exitOf(report, invalid.length);
}

function exitOf({ overall }: VerifyReport, invalid: number): number {
  if (overall.unscored + invalid > 0) return EXIT.partial;
  return overall.wrong > 0 ? EXIT.agentFailed : EXIT.done;
}

/** Predicts the cases that have no prediction yet; null where the user stopped it. */
async function ask(
  { flags, output }: CommandInput,
  places: readonly string[],
  keys: ReadonlySet<string>,
): Promise<{ readonly path: string; readonly stopped: string | null } | null> {
  const folder = textFlag(flags, 'out') ?? join('umwelt-bench', 'verify');
  mkdirSync(folder, { recursive: true });
  const unlock = lockFolder(folder);
  const interrupt = abortOnInterrupt();
  const meter = meterOf(flags);
  const line = progressLine(output, 'asked');
  const data = openDataSet(places);
  const path = join(folder, 'predictions.jsonl');
  try {
    const { predictor, facts } = await choosePredictor(flags, places, meter);
    const report = await runInfer(data, predictor, {
      out: path,
      facts,
      only: data.rows.filter(({ key }) => keys.has(key)),
      jobs: integerFlag(flags, 'jobs') ?? 8,
      force: flags.force === true,
      signal: interrupt.signal,
      onRow: ({ done, open }) => line.show(done, open, ''),
    });
    return { path, stopped: report.stopped };
  } catch (error) {
    if (!interrupt.signal.aborted) throw error;
    output.note(`interrupted; what is done stands in ${path}, the same command goes on`);
    return null;
  } finally {
    line.end();
    interrupt.end();
    unlock();
  }
}
