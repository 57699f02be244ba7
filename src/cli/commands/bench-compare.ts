/**
 * `umwelt bench compare`: two judged runs on the same rows.
 */
import {
  type ChangedExample,
  changedExamples,
  compareBenchRuns,
  type Difference,
  type RunComparison,
  readJudgedFile,
} from '../../bench/index.js';
import { type Json, renderJson } from '../../core/index.js';
import { judgedPath } from '../bench-options.js';
import { type CommandInput, integerFlag } from '../command.js';
import { EXIT } from '../failure.js';
import { type Output, visible } from '../output.js';

/** Runs the command. */
export async function run({ words, flags, output }: CommandInput): Promise<number> {
  const [first = '', second = ''] = words.map(judgedPath);
  const a = readJudgedFile(first);
  const b = readJudgedFile(second);
  for (const problem of [...a.problems, ...b.problems].slice(0, 20)) output.note(visible(problem));
  const seed = integerFlag(flags, 'seed');
  const report = compareBenchRuns(a.rows, b.rows, seed === undefined ? {} : { seed });
  const shown = Math.min(integerFlag(flags, 'examples') ?? 3, report.changed.length);
  const examples = changedExamples(report.changed.slice(0, shown), { first, second });
  if (output.json) output.line(renderJson({ ...report, examples } as unknown as Json));
  else tell(report, { first: words[0] ?? '', second: words[1] ?? '', examples }, output);
  return report.notCounted + report.onlyFirst + report.onlySecond > 0 ? EXIT.partial : EXIT.done;
}

function shownDifference({ difference, interval, rows }: Difference): string {
  if (difference === null) return 'no rows';
  const signed = (value: number): string => `${value > 0 ? '+' : ''}${value.toFixed(1)}`;
  const around = interval === null ? 'no interval' : `${signed(interval[0])} to ${signed(interval[1])}`;
  return `${signed(difference)} (95 % ${around}), ${rows} rows`;
}

function tell(
  report: RunComparison,
  of: { readonly first: string; readonly second: string; readonly examples: readonly ChangedExample[] },
  output: Output,
): void {
  const { overall, verdict, wins, ties, losses, groups } = report;
  const words = {
    tie: 'a tie: the interval holds 0',
    unknown: 'not to be told: too few trajectories',
    first: `${of.first} is better`,
    second: `${of.second} is better`,
  };
  output.line(`${of.second} minus ${of.first}, domain mean: ${shownDifference(overall)}`);
  output.line(`That is ${words[verdict]}. The second wins ${wins} rows, ties ${ties}, loses ${losses}.`);
  if (report.notCounted + report.onlyFirst + report.onlySecond > 0) {
    output.line(
      `Not compared: ${report.notCounted} rows that one side cannot count, ${report.onlyFirst} only in the first, ${report.onlySecond} only in the second`,
    );
  }
  const clear = groups.filter(({ isClear, breakdown }) => isClear || breakdown === 'domain');
  for (const group of clear) {
    output.line(
      visible(
        `  ${group.breakdown} ${group.group}: ${shownDifference(group)}${group.isClear ? '' : ', a tie'}`,
      ),
    );
  }
  output.line(
    `${groups.length} groups were looked at; about ${Math.ceil(groups.length / 20)} would differ by chance`,
  );
  for (const example of of.examples) {
    output.line('');
    output.line(
      output.style(
        `${visible(example.key)}: ${example.first.toFixed(0)} → ${example.second.toFixed(0)} points`,
        'bold',
      ),
    );
    for (const [name, text] of [
      ['action', example.action],
      ['real', example.real],
      ['first', example.firstSaid],
      ['second', example.secondSaid],
    ] as const) {
      output.line(visible(`${name}: ${text ?? '(no prediction)'}`));
    }
  }
}
