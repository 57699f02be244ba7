/**
 * Trajectories out of a file of any known format, with a report of everything that was and was not read.
 *
 * The format is told by the file's content, value by value, until one of `formats.ts` recognises one. Values before
 * that are counted as skipped, up to a number: then the file is of no known format. Bounded memory: one line and one trajectory at a time, where the format is lines.
 */
import {
  COMMENT_LINE,
  fail,
  type Json,
  LIMITS,
  ok,
  type Result,
  type Trajectory,
  UsageError,
} from '../core/index.js';
import { foreignFormat } from './import/foreign-formats.js';
import { IMPORT_FORMATS } from './import/formats.js';
import { type ImportFormat, type ImportNote, ImportTally, type ValuePlace } from './import/import-format.js';
import { readValues } from './import/read-values.js';

/** What came of one file. Counts are of all that was read so far; final once the import has ended. */
export interface ImportReport {
  readonly file: string;
  /** The name of the format, or null while nothing was recognised. */
  readonly format: string | null;
  /** What the file is, in words, where it is of a known format that is not imported; nothing of it is read. */
  readonly foreign: string | null;
  readonly trajectories: number;
  /** Calls joined to their answers. */
  readonly pairs: number;
  /** Calls without an answer. */
  readonly dangling: number;
  /** Answers without a call. */
  readonly orphans: number;
  /** Sets of parallel calls. */
  readonly groups: number;
  /** Calls whose id an earlier call had. */
  readonly reusedIds: number;
  /** Turns of all trajectories. */
  readonly turns: number;
  /** Turns whose answer is marked as an error. */
  readonly errors: number;
  /** Turns whose observation is cut. */
  readonly truncated: number;
  /** Turns whose observation is in another file. */
  readonly external: number;
  /** Bytes of text of the program around the agent, taken out of observations. */
  readonly strippedBytes: number;
  /** What stands in the log a second time and was taken once. */
  readonly duplicates: number;
  readonly badLines: number;
  /** Lines that held more than one record. */
  readonly gluedLines: number;
  /** Versions of the writing program. */
  readonly versions: readonly string[];
  /** First and last time in the log, ISO 8601. */
  readonly earliest: string | null;
  readonly latest: string | null;
  /** What was neither a call nor an answer → how often. */
  readonly skipped: Readonly<Record<string, number>>;
  readonly notes: readonly ImportNote[];
  /** Notes beyond those kept. */
  readonly moreNotes: number;
  /** The file ends in the middle of a record: what is here is a prefix. */
  readonly isCut: boolean;
  /** There was nothing in it but blanks. */
  readonly isEmpty: boolean;
}

/** How to import. */
export interface ImportOptions {
  /** The name of a format, to force it. Default: told by the content. */
  readonly from?: string;
  /** The name of the data set, for `source.dataset`. Default: what the format says. */
  readonly dataset?: string;
  /** The licence, for `source.licence`. */
  readonly licence?: string;
  /** Give sessions beyond `LIMITS.importedTrajectoryChars` in parts, so that memory is bounded. Default: whole. */
  readonly inParts?: boolean;
  /** Gives the text of a saved output by the note in the log that names it. Default: none is followed. */
  readonly savedOutput?: (note: string) => string | undefined;
}

/** A file being imported: iterate `trajectories` once, then read the report. */
export interface TrajectoryImport {
  readonly trajectories: AsyncGenerator<Trajectory, void, undefined>;
  report(): ImportReport;
}

/** The names of all formats, for messages and flags. */
export function importFormats(): readonly { readonly name: string; readonly about: string }[] {
  return IMPORT_FORMATS.map(({ name, about }) => ({ name, about }));
}

/**
 * Opens an import of bytes in pieces of any size; `file` is the name for ids and notes. Fails with
 * `usage/bad-argument` for an unknown format. A file of no known format gives no trajectories and a report that says
 * so; nothing a file says raises.
 */
export function importTrajectories(
  file: string,
  chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  options: ImportOptions = {},
): Result<TrajectoryImport, UsageError> {
  const forced = IMPORT_FORMATS.find(({ name }) => name === options.from);
  if (options.from !== undefined && forced === undefined) {
    const known = IMPORT_FORMATS.map(({ name }) => name).join(', ');
    const message = `there is no format ${JSON.stringify(options.from)}; known are ${known}`;
    return fail(new UsageError(message, { code: 'usage/bad-argument', data: { seen: options.from } }));
  }
  const work = new Work(file, forced, options);
  return ok({ trajectories: work.run(chunks), report: () => work.report() });
}

/** Values that may be of no known format before a file is given up. */
const STRANGE_VALUES = 1_000;

class Work {
  private readonly tally: ImportTally;
  private readonly seen = { trajectories: 0, turns: 0, errors: 0, truncated: 0, external: 0 };
  private strange = 0;
  private foreign: string | null = null;
  private isCut = false;
  private isEmpty = true;

  constructor(
    private readonly file: string,
    private format: ImportFormat | undefined,
    private readonly options: ImportOptions,
  ) {
    this.tally = new ImportTally(
      options.inParts === true ? LIMITS.importedTrajectoryChars : undefined,
      options.savedOutput,
    );
  }

  async *run(
    chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  ): AsyncGenerator<Trajectory, void, undefined> {
    const { tally, file } = this;
    let reader = this.format?.open({ file, tally });
    for await (const read of readValues(chunks)) {
      this.isEmpty = false;
      if (read.kind === 'problem') {
        const { severity, line, byteOffset, message } = read.problem;
        if (message === COMMENT_LINE) {
          tally.skip('comment line');
          continue;
        }
        tally.note({ severity, line, byteOffset, message });
        if (severity === 'error') {
          tally.skip('damaged line');
          tally.badLines += 1;
        } else if (message.includes('JSON values on one line')) tally.gluedLines += 1;
        this.isCut ||= message.startsWith('incomplete last line');
        continue;
      }
      reader ??= this.recognise(read.value, read.place)?.open({ file, tally });
      if (this.strange > STRANGE_VALUES || this.foreign !== null) return;
      if (reader !== undefined) yield* this.count(reader.take(read.value, read.place));
    }
    if (reader !== undefined) yield* this.count(reader.end());
  }

  private *count(made: readonly Trajectory[]): Generator<Trajectory, void, undefined> {
    const { dataset, licence } = this.options;
    for (const one of made) {
      this.seen.trajectories += 1;
      for (const { flags = [], meta } of one.turns) {
        this.seen.turns += 1;
        if (meta?.isError === true) this.seen.errors += 1;
        if (flags.includes('truncated')) this.seen.truncated += 1;
        if (flags.includes('external')) this.seen.external += 1;
      }
      const source = {
        ...one.source,
        ...(dataset !== undefined && { dataset }),
        ...(licence !== undefined && { licence }),
      };
      yield { ...one, source };
    }
  }

  private recognise(value: Json, place: ValuePlace): ImportFormat | undefined {
    this.foreign = foreignFormat(value) ?? null;
    if (this.foreign !== null) {
      this.tally.skip(`the rest of ${this.foreign}, which is not imported`);
      return undefined;
    }
    this.format = IMPORT_FORMATS.find((format) => format.recognises(value));
    if (this.format === undefined) {
      this.tally.skip('value of no known format');
      if (this.strange === 0) this.tally.warn(place, 'values of no known format from here on; left out');
      this.strange += 1;
    }
    return this.format;
  }

  report(): ImportReport {
    const { pairs, dangling, orphans, groups, reusedIds, skipped, notes, moreNotes } = this.tally;
    const { strippedBytes, duplicates, badLines, gluedLines, versions, earliest, latest } = this.tally;
    return {
      file: this.file,
      format: this.format?.name ?? null,
      foreign: this.foreign,
      ...this.seen,
      strippedBytes,
      duplicates,
      badLines,
      gluedLines,
      versions,
      earliest,
      latest,
      pairs,
      dangling,
      orphans,
      groups,
      reusedIds,
      skipped: Object.fromEntries([...skipped].sort(([a], [b]) => (a < b ? -1 : 1))),
      notes,
      moreNotes,
      isCut: this.isCut,
      isEmpty: this.isEmpty,
    };
  }
}
