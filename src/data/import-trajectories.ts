/**
 * Trajectories out of a file of any known format, with a report of everything that was and was not read.
 *
 * The format is told by the file's content, value by value, until one of `formats.ts` recognises one. Values before
 * that are counted as skipped. Bounded memory: one line and one trajectory at a time, where the format is lines.
 */
import { fail, type Json, ok, type Result, type Trajectory, UsageError } from '../core/index.js';
import { IMPORT_FORMATS } from './import/formats.js';
import { type ImportFormat, type ImportNote, ImportTally, type ValuePlace } from './import/import-format.js';
import { readValues } from './import/read-values.js';

/** What came of one file. Counts are of all that was read so far; final once the import has ended. */
export interface ImportReport {
  readonly file: string;
  /** The name of the format, or null while nothing was recognised. */
  readonly format: string | null;
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
  /** What was neither a call nor an answer → how often. */
  readonly skipped: Readonly<Record<string, number>>;
  readonly notes: readonly ImportNote[];
  /** Notes beyond those kept. */
  readonly moreNotes: number;
  /** The file ends in the middle of a record: what is here is a prefix. */
  readonly isCut: boolean;
}

/** How to import. */
export interface ImportOptions {
  /** The name of a format, to force it. Default: told by the content. */
  readonly from?: string;
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
  const work = new Work(file, forced);
  return ok({ trajectories: work.run(chunks), report: () => work.report() });
}

class Work {
  private readonly tally = new ImportTally();
  private trajectories = 0;
  private isCut = false;

  constructor(
    private readonly file: string,
    private format: ImportFormat | undefined,
  ) {}

  async *run(
    chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  ): AsyncGenerator<Trajectory, void, undefined> {
    const { tally, file } = this;
    let reader = this.format?.open({ file, tally });
    for await (const read of readValues(chunks)) {
      if (read.kind === 'problem') {
        const { severity, line, byteOffset, message } = read.problem;
        tally.note({ severity, line, byteOffset, message });
        if (severity === 'error') tally.skip('damaged line');
        this.isCut ||= message.startsWith('incomplete last line');
        continue;
      }
      reader ??= this.recognise(read.value, read.place)?.open({ file, tally });
      if (reader !== undefined) yield* this.count(reader.take(read.value, read.place));
    }
    if (reader !== undefined) yield* this.count(reader.end());
  }

  private *count(made: readonly Trajectory[]): Generator<Trajectory, void, undefined> {
    for (const trajectory of made) {
      this.trajectories += 1;
      yield trajectory;
    }
  }

  private recognise(value: Json, place: ValuePlace): ImportFormat | undefined {
    this.format = IMPORT_FORMATS.find((format) => format.recognises(value));
    if (this.format === undefined) {
      this.tally.skip('value of no known format');
      this.tally.warn(place, 'a value of no known format; left out');
    }
    return this.format;
  }

  report(): ImportReport {
    const { pairs, dangling, orphans, groups, reusedIds, skipped, notes, moreNotes } = this.tally;
    return {
      file: this.file,
      format: this.format?.name ?? null,
      trajectories: this.trajectories,
      pairs,
      dangling,
      orphans,
      groups,
      reusedIds,
      skipped: Object.fromEntries([...skipped].sort(([a], [b]) => (a < b ? -1 : 1))),
      notes,
      moreNotes,
      isCut: this.isCut,
    };
  }
}
