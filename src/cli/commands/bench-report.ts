/**
 * `umwelt bench report`: judged runs as one page with charts that works offline.
 */
import { writeFileSync } from 'node:fs';
import { basename, dirname, resolve } from 'node:path';
import {
  changedExamples,
  compareBenchRuns,
  type NamedComparison,
  readJudgedFile,
  reportPage,
  scoreRun,
} from '../../bench/index.js';
import { renderJson, UsageError } from '../../core/index.js';
import { judgedPath, numberFlag } from '../bench-options.js';
import { type CommandInput, integerFlag, textFlag } from '../command.js';
import { EXIT } from '../failure.js';
import { mustNotBeInput } from '../named-file.js';
import { visible } from '../output.js';

const EXAMPLES = 3;

/** Runs the command. */
export async function run({ words, flags, output }: CommandInput): Promise<number> {
  const out = textFlag(flags, 'out') ?? 'bench-report.html';
  const seed = integerFlag(flags, 'seed') ?? 0;
  const percent = numberFlag(flags, 'exclude-limit');
  const limit = percent === undefined ? {} : { excludedLimit: percent / 100 };
  let isPartial = false;
  const runs = words.map((word, i) => {
    const path = judgedPath(word);
    mustNotBeInput({ flag: '--out', path: out }, { JUDGED: path });
    const { rows, problems } = readJudgedFile(path);
    for (const problem of problems.slice(0, 10)) output.note(visible(`${path}: ${problem}`));
    if (rows.length === 0) {
      throw new UsageError(`${path} holds no judged rows; umwelt bench judge writes them`, {
        code: 'usage/bad-argument',
      });
    }
    const report = scoreRun(rows, { seed, ...limit });
    isPartial ||= problems.length > 0 || report.excluded.length > 0;
    return { name: nameOf(word, path, i), path, rows, report };
  });
  const [first, ...others] = runs;
  const most = integerFlag(flags, 'examples') ?? EXAMPLES;
  const comparisons = others.map((other): NamedComparison => {
    if (first === undefined) throw new RangeError('a run without a first one');
    const comparison = compareBenchRuns(first.rows, other.rows, { seed });
    const { notCounted, onlyFirst, onlySecond } = comparison;
    isPartial ||= notCounted + onlyFirst + onlySecond > 0;
    const files = { first: first.path, second: other.path };
    const examples = changedExamples(comparison.changed.slice(0, most), files);
    return { first: first.name, second: other.name, comparison, examples };
  });
  writeFileSync(out, reportPage(runs, comparisons, textFlag(flags, 'title') ?? 'AgentWorldBench report'));
  const points = runs.map(({ name, report }) => ({ name, points: report.overall.points }));
  if (output.json) output.line(renderJson({ out, runs: points }));
  else output.line(visible(`${out}: ${runs.length} runs, ${comparisons.length} comparisons`));
  return isPartial ? EXIT.partial : EXIT.done;
}

/** A run is called like its folder. */
function nameOf(word: string, path: string, index: number): string {
  const name = basename(word.endsWith('.jsonl') ? dirname(resolve(path)) : resolve(word));
  return name === '' ? `run ${index + 1}` : name;
}
