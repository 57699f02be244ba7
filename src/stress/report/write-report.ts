/**
 * Writes the reports of a finished suite: `report.html` and `junit.xml` beside its `results.jsonl`.
 *
 * Reads the results as a stream; what is kept is an index entry and packed turns for each run. A file is written beside its
 * place and renamed, so that a reader never sees half of one.
 */
import { renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { RESULTS_FILE, type ResultsHeader, readResults } from '../results-file.js';
import { type Comparison, compareRuns } from '../statistics/compare-runs.js';
import { type RunOutcome, summarise } from '../statistics/summarise.js';
import { JunitWriter } from './render-junit.js';
import { renderReport } from './render-report.js';
import { outcomeOf, ReportPacker, readVerdict } from './report-data.js';

/** How reports are written. */
export interface ReportOptions {
  /** A folder of earlier results to compare with. */
  readonly compareWith?: string;
  /** The command that repeats one run; `{id}` stands for its id. */
  readonly reproduce?: string;
}

/** What was written. */
export interface WrittenReport {
  /** Paths, the report first. */
  readonly files: readonly string[];
  readonly comparison: Comparison | null;
}

/** Writes the reports of a folder. Raises what reading the results raises (`data/invalid`, `usage/no-file`). */
export function writeReport(directory: string, options: ReportOptions = {}): WrittenReport {
  const packer = new ReportPacker();
  let header: ResultsHeader | undefined;
  let junit = new JunitWriter('stress');
  for (const line of readResults(join(directory, RESULTS_FILE))) {
    if (line.kind === 'header') {
      header = line.header;
      junit = new JunitWriter(header.suite.name);
    }
    if (line.kind !== 'run') continue;
    packer.add(line.record);
    junit.add(line.record, readVerdict(line.record));
  }
  packer.flush();
  const { compareWith } = options;
  const comparison =
    compareWith === undefined ? null : compareRuns(readOutcomes(compareWith), packer.outcomes);
  const html = renderReport({
    title: header?.suite.name ?? 'stress',
    subtitle: subtitleOf(header, packer.index.length),
    index: packer.index,
    agents: summarise(packer.outcomes),
    comparison,
    notApplicable: header?.notApplicable ?? [],
    reproduce: options.reproduce ?? 'umwelt stress SUITE --only {id}',
    chunks: packer.chunks,
  });
  const files = [join(directory, 'report.html'), join(directory, 'junit.xml')];
  replaceFile(files[0] ?? '', html);
  replaceFile(files[1] ?? '', junit.render());
  return { files, comparison };
}

/** The outcomes of the runs of a results folder, for comparing. */
function readOutcomes(directory: string): readonly RunOutcome[] {
  const outcomes: RunOutcome[] = [];
  for (const line of readResults(join(directory, RESULTS_FILE))) {
    if (line.kind === 'run') outcomes.push(outcomeOf(line.record, readVerdict(line.record)));
  }
  return outcomes;
}

function subtitleOf(header: ResultsHeader | undefined, runs: number): string {
  if (header === undefined) return `${runs} runs`;
  const { suite, versions } = header;
  const trials = `${suite.trials} ${suite.trials === 1 ? 'trial' : 'trials'}`;
  return `${runs} of ${header.runs} runs · ${suite.worlds.length} worlds · ${suite.faults.length} sets of faults · ${trials} · seed ${suite.seed ?? 'of each world'} · umwelt ${versions.umwelt}`;
}

function replaceFile(path: string, text: string): void {
  const beside = `${path}.${process.pid}.part`;
  writeFileSync(beside, text);
  renameSync(beside, path);
}
