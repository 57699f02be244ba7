/**
 * `umwelt bench score`: adds up judged rows, with intervals, as text, JSON, CSV or an HTML page.
 */
import { writeFileSync } from 'node:fs';
import {
  readJudgedFile,
  renderPublished,
  renderScore,
  scoreCsv,
  scoreJson,
  scorePage,
  scoreRun,
} from '../../bench/index.js';
import { renderJson, UsageError } from '../../core/index.js';
import { judgedPath, numberFlag } from '../bench-options.js';
import { type CommandInput, integerFlag, textFlag } from '../command.js';
import { EXIT } from '../failure.js';
import { mustNotBeInput } from '../named-file.js';
import { visible } from '../output.js';

const PROBLEMS = 20;

/** Runs the command. */
export async function run({ words, flags, output }: CommandInput): Promise<number> {
  const path = judgedPath(words[0] ?? '');
  const html = textFlag(flags, 'html');
  const csv = textFlag(flags, 'csv');
  for (const [flag, target] of [
    ['--html', html],
    ['--csv', csv],
  ] as const) {
    if (target !== undefined) mustNotBeInput({ flag, path: target }, { JUDGED: path });
  }
  const { rows, problems } = readJudgedFile(path);
  for (const problem of problems.slice(0, PROBLEMS)) output.note(visible(problem));
  if (problems.length > PROBLEMS) output.note(`and ${problems.length - PROBLEMS} more problems`);
  if (rows.length === 0) {
    throw new UsageError(`${path} holds no judged rows; umwelt bench judge writes them`, {
      code: 'usage/bad-argument',
    });
  }
  const seed = integerFlag(flags, 'seed');
  const percent = numberFlag(flags, 'exclude-limit');
  const report = scoreRun(rows, {
    ...(seed !== undefined && { seed }),
    ...(percent !== undefined && { excludedLimit: percent / 100 }),
  });
  if (html !== undefined) writeFileSync(html, scorePage(report, 'AgentWorldBench scores'));
  if (csv !== undefined) writeFileSync(csv, scoreCsv(rows));
  if (output.json) output.line(renderJson(scoreJson(report)));
  else {
    for (const line of renderScore(report)) output.line(visible(line));
    if (flags.published === true) for (const line of ['', ...renderPublished()]) output.line(line);
  }
  return report.excluded.length > 0 || problems.length > 0 ? EXIT.partial : EXIT.done;
}
