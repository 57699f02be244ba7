/**
 * Import as a stage: files of any known format in, trajectories out, with a report for each file and in total.
 *
 * The stage passes trajectories through; `readInput` makes them out of bytes and gathers the reports. Trajectories
 * without a single turn are not written, only counted. Notes of files are handed on as problems, so that whoever runs
 * the stage tells them and knows that something could not be read.
 */
import { type JsonObject, type LineProblem, type Trajectory, UsageError } from '../core/index.js';
import { type ImportOptions, type ImportReport, importTrajectories } from './import-trajectories.js';
import type { OpenInput } from './pipeline/open-input.js';
import type { InputReader } from './pipeline/run-stage.js';
import { openSavedOutputs } from './pipeline/saved-output.js';
import type { Stage } from './stages/stage.js';

/** What a stage of imports is made with. */
export interface ImportStageOptions extends ImportOptions {
  /** Path → the name to write down. Default: the path. */
  readonly names?: ReadonlyMap<string, string>;
  /** Path → the folder in which saved outputs that a log names may be looked for. Default: none is followed. */
  readonly roots?: ReadonlyMap<string, string>;
  /** Told of each file when it has been read. */
  readonly onFile?: (report: ImportReport) => void;
}

/** A stage with the reader that feeds it. */
export interface ImportStage {
  readonly stage: Stage<Trajectory>;
  readonly readInput: InputReader<Trajectory>;
}

const SUMS = [
  'trajectories',
  'turns',
  'pairs',
  'dangling',
  'orphans',
  'groups',
  'reusedIds',
  'errors',
  'truncated',
  'external',
  'strippedBytes',
  'duplicates',
  'badLines',
  'gluedLines',
  'moreNotes',
] as const;

/** Makes the stage. Raises `usage/bad-argument` for an unknown format. */
export function createImportStage(options: ImportStageOptions): ImportStage {
  const { from, dataset, licence, names, roots, onFile } = options;
  const chosen = {
    ...(from !== undefined && { from }),
    ...(dataset !== undefined && { dataset }),
    ...(licence !== undefined && { licence }),
  };
  const checked = importTrajectories('', [], chosen);
  if (!checked.ok) throw new UsageError(checked.error.message, { code: 'usage/bad-argument' });
  const reports: ImportReport[] = [];
  const finish = (report: ImportReport): void => {
    reports.push(report);
    onFile?.(report);
  };
  return {
    stage: {
      name: 'import',
      parameters: chosen,
      take: (trajectory) => [trajectory],
      end: () => [],
      report: () => ({ total: totalOf(reports), files: reports.map(fileReport) }),
    },
    readInput: (path, input, onProblem) =>
      readFile({
        path,
        root: roots?.get(path),
        name: names?.get(path) ?? path,
        input,
        onProblem,
        chosen,
        finish,
      }),
  };
}

async function* readFile({
  path,
  root,
  name,
  input,
  onProblem,
  chosen,
  finish,
}: {
  readonly path: string;
  readonly root: string | undefined;
  readonly name: string;
  readonly input: OpenInput;
  readonly onProblem: (problem: LineProblem) => void;
  readonly chosen: ImportOptions;
  readonly finish: (report: ImportReport) => void;
}): AsyncGenerator<Trajectory, void, undefined> {
  const opened = importTrajectories(name, input.chunks, {
    ...chosen,
    inParts: true,
    ...(root !== undefined && { savedOutput: openSavedOutputs(path, root) }),
  });
  if (!opened.ok) throw opened.error;
  try {
    for await (const trajectory of opened.value.trajectories) {
      if (trajectory.turns.length > 0) yield trajectory;
    }
  } finally {
    const report = opened.value.report();
    for (const problem of problemsOf(report)) onProblem(problem);
    finish(report);
  }
}

function problemsOf(report: ImportReport): readonly LineProblem[] {
  const { format, foreign, notes, isEmpty } = report;
  if (foreign !== null) {
    const message = `this is ${foreign}, which is not imported; nothing was read (--formats lists what is, --from forces one)`;
    return [{ severity: 'error', line: 1, byteOffset: 0, message }];
  }
  if (format === null) {
    const message = isEmpty
      ? 'the file is empty'
      : 'a file of no known format, nothing was read; --from names one (umwelt data import --help)';
    return [{ severity: isEmpty ? 'warning' : 'error', line: 1, byteOffset: 0, message }];
  }
  return notes.map(({ severity, line, item, byteOffset = 0, message }) => ({
    severity,
    line,
    byteOffset,
    message: item === undefined ? message : `item ${item}: ${message}`,
  }));
}

/** A report without the notes, which are told one by one. */
function fileReport({ notes, ...report }: ImportReport): JsonObject {
  return { ...report, notes: notes.length, versions: [...report.versions], skipped: { ...report.skipped } };
}

function totalOf(reports: readonly ImportReport[]): JsonObject {
  const sums: Record<string, number> = {};
  for (const name of SUMS) sums[name] = reports.reduce((sum, report) => sum + report[name], 0);
  const formats: Record<string, number> = {};
  const skipped: Record<string, number> = {};
  for (const report of reports) {
    const format = report.format ?? report.foreign ?? (report.isEmpty ? 'empty file' : 'unknown format');
    formats[format] = (formats[format] ?? 0) + 1;
    for (const [what, count] of Object.entries(report.skipped)) skipped[what] = (skipped[what] ?? 0) + count;
  }
  const times = reports.flatMap(({ earliest, latest }) =>
    earliest === null || latest === null ? [] : [earliest, latest],
  );
  times.sort((a, b) => Date.parse(a) - Date.parse(b));
  return {
    files: reports.length,
    formats: sorted(formats),
    ...sums,
    skipped: sorted(skipped),
    cutFiles: reports.filter(({ isCut }) => isCut).length,
    earliest: times[0] ?? null,
    latest: times.at(-1) ?? null,
  };
}

function sorted(counts: Readonly<Record<string, number>>): Record<string, number> {
  return Object.fromEntries(Object.entries(counts).sort(([a], [b]) => (a < b ? -1 : 1)));
}
