/**
 * `umwelt data import`: trajectories out of logs of any known format, with a report for each file.
 */
import { isJsonObject, type Json, type JsonObject } from '../../core/index.js';
import {
  createImportStage,
  findFiles,
  type ImportReport,
  importFormats,
  mustHaveFiles,
  trajectoryItems,
} from '../../data/index.js';
import { type CommandInput, textFlag } from '../command.js';
import { countLines, inputsOf, runDataWork } from '../data-stage.js';
import { EXIT } from '../failure.js';
import { visible } from '../output.js';

/** Runs the command. */
export async function run(input: CommandInput): Promise<number> {
  const { flags, output } = input;
  if (flags.formats === true) {
    for (const { name, about } of importFormats()) output.line(`${name.padEnd(22)}${about}`);
    return EXIT.done;
  }
  const words = inputsOf(input);
  const found = findFiles(words);
  mustHaveFiles(found, words);
  for (const { message } of found.problems) output.note(`umwelt: error: ${visible(message)}`);
  const from = textFlag(flags, 'from');
  const dataset = textFlag(flags, 'dataset');
  const licence = textFlag(flags, 'licence');
  const { stage, readInput } = createImportStage({
    names: found.names,
    roots: found.roots,
    onFile: (report) => output.json || output.note(`umwelt: ${visible(fileLine(report))}`),
    ...(from !== undefined && { from }),
    ...(dataset !== undefined && { dataset }),
    ...(licence !== undefined && { licence }),
  });
  const report = (): JsonObject => ({ ...stage.report(), leftOut: { ...found.leftOut } });
  const code = await runDataWork(input, {
    stage: { ...stage, report },
    read: trajectoryItems,
    readInput,
    inputs: [...found.names.keys()],
    lines: totalLines,
  });
  return found.problems.length > 0 && code === EXIT.done ? EXIT.partial : code;
}

/** One line on a file; counts of nothing are left out, those that say what was paired are not. */
function fileLine(report: ImportReport): string {
  const { file, format, foreign, versions, isEmpty, isCut, skipped, earliest, latest } = report;
  if (foreign !== null) return `${file}: ${foreign}, which is not imported; nothing was read`;
  if (format === null) return `${file}: ${isEmpty ? 'empty' : 'of no known format; nothing was read'}`;
  const counted: readonly (readonly [number, string])[] = [
    [report.groups, 'parallel groups'],
    [report.reusedIds, 'reused ids'],
    [report.errors, 'error answers'],
    [report.truncated, 'truncated'],
    [report.external, 'in other files'],
    [report.strippedBytes, 'bytes of harness text stripped'],
    [report.duplicates, 'duplicates'],
    [report.badLines, 'bad lines'],
    [report.gluedLines, 'glued lines'],
  ];
  const left = Object.entries(skipped).map(([what, count]) => `${count} ${what}`);
  const parts = [
    `${report.trajectories} trajectories`,
    `${report.pairs} pairs`,
    `${report.dangling} dangling`,
    `${report.orphans} orphans`,
    ...counted.flatMap(([count, what]) => (count > 0 ? [`${count} ${what}`] : [])),
    ...(isCut ? ['cut at its end'] : []),
    ...(earliest === null ? [] : [`${earliest} to ${latest}`]),
    ...(left.length > 0 ? [`skipped: ${left.join(', ')}`] : []),
  ];
  return `${file}: ${[format, ...versions.slice(0, 3)].join(' ')}: ${parts.join(', ')}`;
}

function totalLines(counts: Json): readonly string[] {
  if (!isJsonObject(counts)) return [];
  const { files: _files, total = {}, leftOut = {} } = counts;
  return [...countLines(total, ''), ...countLines(leftOut, 'leftOut')];
}
