/**
 * What an importer is: how its format is recognised, and how values of a file become trajectories.
 *
 * The idea: a file is read value by value (`read-values.ts`); a format takes one value after another and gives a
 * trajectory as soon as it is complete. Nothing is dropped without a count in the {@link ImportTally}.
 */
import type { Json, Trajectory } from '../../core/index.js';

/** Where a value stands: its physical line, from 1, and in a file that is one JSON list its number, from 1. */
export interface ValuePlace {
  readonly line: number;
  readonly item?: number;
}

/** Something that was odd about a file, told to the user. */
export interface ImportNote {
  /** `warning` read, with something to know · `error` something could not be read. */
  readonly severity: 'warning' | 'error';
  readonly line: number;
  readonly item?: number;
  readonly byteOffset?: number;
  readonly message: string;
}

/** Notes that are kept; more are counted only. */
const NOTES = 1_000;

/** Versions of the writing program that are kept for one file. */
const VERSIONS = 20;

const ENCODER = new TextEncoder();

/** Counts what became of everything in one file. */
export class ImportTally {
  /** Calls joined to their answers. */
  pairs = 0;
  /** Calls without an answer. */
  dangling = 0;
  /** Answers without a call. */
  orphans = 0;
  /** Sets of parallel calls. */
  groups = 0;
  /** Pairs whose id had been used by an earlier call. */
  reusedIds = 0;
  /** Things that stand in the log a second time and were taken once. */
  duplicates = 0;
  /** Bytes of text that the program around the agent added to observations, taken out of them. */
  strippedBytes = 0;
  /** Lines, or records of a list, that could not be read as what they should be. */
  badLines = 0;
  /** Lines that held more than one record. */
  gluedLines = 0;
  /** First and last time that the log names, ISO 8601. */
  earliest: string | null = null;
  latest: string | null = null;
  private readonly versionSet = new Set<string>();

  /** `partChars`: texts of one trajectory, in UTF-16 units, beyond which a session is given in parts. Default: never. */
  constructor(
    readonly partChars: number = Number.POSITIVE_INFINITY,
    /** The whole text of an answer whose note names a file that holds it; undefined where that cannot be read. */
    readonly savedOutput: (note: string) => string | undefined = () => undefined,
  ) {}

  /** Things that are neither a call nor an answer, by what they are. */
  readonly skipped = new Map<string, number>();
  readonly notes: ImportNote[] = [];
  /** Notes beyond those kept. */
  moreNotes = 0;

  /** Counts one thing that is neither a call nor an answer. */
  skip(what: string): void {
    this.skipped.set(what, (this.skipped.get(what) ?? 0) + 1);
  }

  /** The versions of the writing program, in the order in which they were seen. */
  get versions(): readonly string[] {
    return [...this.versionSet];
  }

  /** The version of the writing program, as a record names it; anything but a text is ignored. */
  version(version: unknown): void {
    if (typeof version !== 'string' || version === '' || this.versionSet.size >= VERSIONS) return;
    this.versionSet.add(version.slice(0, 80));
  }

  /** A time that the log names; what is no time is ignored. */
  time(at: string | undefined): void {
    const time = at === undefined ? Number.NaN : Date.parse(at);
    if (at === undefined || Number.isNaN(time)) return;
    if (this.earliest === null || time < Date.parse(this.earliest)) this.earliest = at;
    if (this.latest === null || time > Date.parse(this.latest)) this.latest = at;
  }

  /** Counts what is in `raw` and not in `clean`. */
  stripped(raw: string, clean: string): void {
    this.strippedBytes += Math.max(0, ENCODER.encode(raw).length - ENCODER.encode(clean).length);
  }

  /** A record that could not be read as what it should be: told as an error and counted. */
  bad(place: ValuePlace, message: string): void {
    this.badLines += 1;
    this.note({ severity: 'error', ...place, message });
  }

  /** Keeps a note, or counts it when there are too many. */
  note(note: ImportNote): void {
    if (this.notes.length < NOTES) this.notes.push(note);
    else this.moreNotes += 1;
  }

  /** A warning at a place. */
  warn(place: ValuePlace, message: string): void {
    this.note({ severity: 'warning', ...place, message });
  }
}

/** What a reader of one file is told. */
export interface ImportContext {
  /** The file's name, for ids and `source.file`. */
  readonly file: string;
  readonly tally: ImportTally;
}

/** Reads one file's values. */
export interface ImportReader {
  /** Takes the next value; gives the trajectories that are complete. */
  take(value: Json, place: ValuePlace): readonly Trajectory[];
  /** The file has ended. */
  end(): readonly Trajectory[];
}

/** One format. Adding one is a new file with such a value and a line in `formats.ts`. */
export interface ImportFormat {
  /** Its name for `--from`. */
  readonly name: string;
  /** One line for the help. */
  readonly about: string;
  /** True if a value is of this format; asked for the first values of a file until one format says so. */
  readonly recognises: (value: Json) => boolean;
  /** Opens a reader for one file. */
  readonly open: (context: ImportContext) => ImportReader;
}
