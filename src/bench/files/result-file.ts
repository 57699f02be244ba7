/**
 * A file of results, one JSON line a row, that survives a kill at any byte and goes on where it stopped.
 *
 * The idea: the file is its own journal. Each result is one appended line. On opening, what stands there is read: the
 * first lasting record of a key counts, later ones are duplicates and told, a torn line is dropped, and a record that is
 * to be tried again (an endpoint was down) does not count. If anything is dropped, the file is written anew beside its
 * place and renamed. When all is done, the lines are put into the data set's order. Source: hard case P-EVAL-4.
 */
import {
  closeSync,
  existsSync,
  ftruncateSync,
  openSync,
  readSync,
  renameSync,
  rmSync,
  writeSync,
} from 'node:fs';
import { DataError, isJsonObject, type Json, type JsonObject, renderJson } from '../../core/index.js';
import { readFileLines } from './file-lines.js';

/** What was found in a file that was already there. */
export interface FoundResults {
  /** Lasting records. */
  readonly kept: number;
  /** Second records of a key; the first one counts. */
  readonly duplicates: readonly string[];
  /** Records that are tried again. */
  readonly retried: number;
  /** Records of rows that are not in the data set. */
  readonly foreign: number;
  /** Lines that could not be read. */
  readonly torn: number;
}

/** How records are told apart. */
export interface RecordRules {
  /** The key of a record; undefined for what is no record. */
  readonly keyOf: (record: JsonObject) => string | undefined;
  /** A record that stays; others are tried again. */
  readonly lasts: (record: JsonObject) => boolean;
  /** Keys that belong here. */
  readonly known: (key: string) => boolean;
  /** Completes a record of another writer; the same object means that nothing is missing. May raise. */
  readonly complete?: (record: JsonObject, key: string) => JsonObject;
}

interface Place {
  readonly start: number;
  readonly length: number;
}

/** A line to keep: copied as it stands, or written anew. */
interface KeptLine extends Place {
  readonly key: string;
  readonly text: string | null;
}

const COPY_BYTES = 1 << 20;

/** A file of results, open for appending. */
export class ResultFile {
  readonly found: FoundResults;
  private readonly places = new Map<string, Place>();
  private file: number;
  private size = 0;

  private constructor(
    readonly path: string,
    private readonly rules: RecordRules,
  ) {
    this.found = this.readFound();
    this.file = openSync(path, 'a');
  }

  /** Opens or makes the file. Raises what the system says, and what `complete` raises. */
  static open(path: string, rules: RecordRules): ResultFile {
    return new ResultFile(path, rules);
  }

  /** True if a lasting record of this key is there. */
  has(key: string): boolean {
    return this.places.has(key);
  }

  /**
   * Writes one record; it stands before this returns. Raises `data/unwritable` where there is no room for it; half a
   * line is taken away again, so that what stands stays whole.
   */
  append(key: string, record: JsonObject): void {
    const bytes = Buffer.from(`${renderJson(record)}\n`, 'utf8');
    try {
      writeAll(this.file, bytes);
    } catch (cause) {
      ftruncateSync(this.file, this.size);
      throw unwritable(this.path, cause);
    }
    this.places.set(key, { start: this.size, length: bytes.length - 1 });
    this.size += bytes.length;
  }

  /** Puts the lines into this order, keys that are not there left out, and closes the file. */
  finish(order: readonly string[]): void {
    closeSync(this.file);
    const wanted = order.flatMap((key): KeptLine[] => {
      const place = this.places.get(key);
      return place === undefined ? [] : [{ key, ...place, text: null }];
    });
    let at = 0;
    const inOrder = wanted.every(({ start, length }) => {
      const fits = start === at;
      at += length + 1;
      return fits;
    });
    if (!inOrder || at !== this.size) this.rewrite(wanted);
  }

  /** Closes the file as it is. */
  close(): void {
    closeSync(this.file);
  }

  private readFound(): FoundResults {
    const found = { kept: 0, duplicates: [] as string[], retried: 0, foreign: 0, torn: 0 };
    if (!existsSync(this.path)) return found;
    const kept: KeptLine[] = [];
    const seen = new Set<string>();
    let end = 0;
    let isClean = true;
    const lines = readFileLines(this.path, () => {
      found.torn += 1;
    });
    for (const { value, start, length, whole } of lines) {
      const one = this.recordOf(value, seen, found);
      if (one === undefined) continue;
      const isWhole = whole && one.record === value;
      if (!isWhole || start !== end) isClean = false;
      end = start + length + 1;
      kept.push({ key: one.key, start, length, text: isWhole ? null : renderJson(one.record) });
    }
    found.kept = kept.length;
    isClean &&= found.torn + found.foreign + found.retried + found.duplicates.length === 0;
    if (!isClean) this.rewrite(kept);
    else for (const { key, start, length } of kept) this.places.set(key, { start, length });
    this.size = isClean ? end : this.size;
    return found;
  }

  private recordOf(
    value: Json,
    seen: Set<string>,
    found: { duplicates: string[]; retried: number; foreign: number },
  ): { readonly key: string; readonly record: JsonObject } | undefined {
    const key = isJsonObject(value) ? this.rules.keyOf(value) : undefined;
    if (key === undefined || !isJsonObject(value) || !this.rules.known(key)) {
      found.foreign += 1;
      return undefined;
    }
    if (seen.has(key)) {
      found.duplicates.push(key);
      return undefined;
    }
    if (!this.rules.lasts(value)) {
      found.retried += 1;
      return undefined;
    }
    seen.add(key);
    return { key, record: this.rules.complete?.(value, key) ?? value };
  }

  /** Writes these lines beside the file and puts them in its place. */
  private rewrite(lines: readonly KeptLine[]): void {
    const part = `${this.path}.part`;
    const from = openSync(this.path, 'r');
    const out = openSync(part, 'w');
    this.places.clear();
    this.size = 0;
    try {
      for (const { key, start, length, text } of lines) {
        const bytes = text === null ? null : Buffer.from(text, 'utf8');
        if (bytes === null) copyBytes(from, out, { start, length });
        else writeAll(out, bytes);
        writeAll(out, LINE_FEED);
        this.places.set(key, { start: this.size, length: bytes?.length ?? length });
        this.size += (bytes?.length ?? length) + 1;
      }
    } catch (cause) {
      rmSync(part, { force: true });
      throw cause instanceof DataError ? cause : unwritable(this.path, cause);
    } finally {
      closeSync(from);
      closeSync(out);
    }
    renameSync(part, this.path);
  }
}

const LINE_FEED = Buffer.from('\n');

function unwritable(path: string, cause: unknown): DataError {
  const why = cause instanceof Error ? cause.message : String(cause);
  return new DataError(
    `${path} could not be written (${why}); what was done before stands. Make room, then give the same command again`,
    { code: 'data/unwritable', cause, data: { path } },
  );
}

function writeAll(file: number, bytes: Uint8Array): void {
  for (let done = 0; done < bytes.length; ) done += writeSync(file, bytes, done);
}

function copyBytes(from: number, to: number, place: Place): void {
  const chunk = Buffer.allocUnsafe(Math.max(1, Math.min(COPY_BYTES, place.length)));
  for (let done = 0; done < place.length; ) {
    const read = readSync(from, chunk, 0, Math.min(chunk.length, place.length - done), place.start + done);
    if (read === 0)
      throw new DataError('the file became shorter while it was put in order', { code: 'data/unreadable' });
    writeAll(to, chunk.subarray(0, read));
    done += read;
  }
}
