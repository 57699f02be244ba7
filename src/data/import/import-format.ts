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
  /** Things that are neither a call nor an answer, by what they are. */
  readonly skipped = new Map<string, number>();
  readonly notes: ImportNote[] = [];
  /** Notes beyond those kept. */
  moreNotes = 0;

  /** Counts one thing that is neither a call nor an answer. */
  skip(what: string): void {
    this.skipped.set(what, (this.skipped.get(what) ?? 0) + 1);
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
