/**
 * `umwelt data stats`: what a set of trajectories holds.
 */
import { writeFileSync } from 'node:fs';
import { type JsonObject, renderJson } from '../../core/index.js';
import { createStatsStage, loadTokenizer, statsPage, trajectoryItems } from '../../data/index.js';
import { type CommandInput, textFlag } from '../command.js';
import { countLines, inputsOf, runDataWork } from '../data-stage.js';
import { mustNotBeInput } from '../named-file.js';
import { visible } from '../output.js';

/** Runs the command. */
export async function run(input: CommandInput): Promise<number> {
  const { flags, output } = input;
  const tokenizer = textFlag(flags, 'tokenizer');
  const html = textFlag(flags, 'html');
  if (html !== undefined) mustNotBeInput({ flag: '--html', path: html }, { FILE: input.words[0] });
  const stage = createStatsStage(tokenizer === undefined ? undefined : await loadTokenizer(tokenizer));
  const quiet = {
    ...input,
    output: { ...output, json: true, note: keepNotes(output.note), line: () => undefined },
  };
  const code = await runDataWork(quiet, { stage, read: trajectoryItems, inputs: inputsOf(input) });
  const report = stage.report();
  if (html !== undefined) writeFileSync(html, statsPage(report));
  if (output.json) output.line(renderJson(report));
  else for (const line of overview(report)) output.line(visible(line));
  return code;
}

/** Problems are told; the manifest, which is all that begins with a brace, is not. */
function keepNotes(note: (text: string) => void): (text: string) => void {
  return (text) => (text.startsWith('{') ? undefined : note(text));
}

/** Counts and means; histograms are for --json and --html. */
function overview(report: JsonObject): readonly string[] {
  return countLines(report, '').filter((line) => !/ bins: /.test(line));
}
