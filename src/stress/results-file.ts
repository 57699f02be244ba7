/**
 * `results.jsonl`: the journal of a suite while it runs, and its result when it is done.
 *
 * Lines: a header with the suite's fingerprint; each list of tools once, before the first run that names its hash;
 * one line a run; an end line. A line is handed to the system by one write, so a killed process leaves whole lines and
 * perhaps a torn last one, which is dropped. Runs finish in any order; a complete file is put into the order of the
 * plan, by a copy that takes its place at once. Only places are kept in memory, never runs. Not covered: power loss.
 */
import {
  closeSync,
  existsSync,
  fstatSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  readSync,
  renameSync,
  rmSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { lockFolder } from '../bench/index.js';
import { DataError, isJsonObject, type Json, parseJson, renderJson, UsageError } from '../core/index.js';
import type { ToolDefinition } from '../domains/index.js';
import { type RunRecord, RunRecordSchema } from './run-record.js';

/** The file's name in the folder of a suite's results. */
export const RESULTS_FILE = 'results.jsonl';

/** The version of the file. */
export const RESULTS_VERSION = 1;

/** Schema of {@link ResultsHeader}. */
export const ResultsHeaderSchema = z.looseObject({
  stress: z.literal(RESULTS_VERSION),
  /** SHA-256 over all that decides the results: suite, worlds, agents, version of the package. */
  fingerprint: z.string(),
  suite: z.looseObject({
    name: z.string(),
    trials: z.int().positive(),
    seed: z.int().nullable(),
    worlds: z.array(z.string()),
    faults: z.array(z.string()),
    agents: z.array(z.string()),
  }),
  /** How many runs the plan has. */
  runs: z.int().nonnegative(),
  /** Sets of faults that cannot strike a world. */
  notApplicable: z.array(z.object({ world: z.string(), faults: z.string(), why: z.string() })),
  versions: z.object({ umwelt: z.string() }),
});

/** The first line of a results file. */
export type ResultsHeader = z.infer<typeof ResultsHeaderSchema>;

/** One line of a results file. */
export type ResultsLine =
  | { readonly kind: 'header'; readonly header: ResultsHeader }
  | { readonly kind: 'tools'; readonly hash: string; readonly definitions: readonly ToolDefinition[] }
  | { readonly kind: 'run'; readonly record: RunRecord }
  | { readonly kind: 'end'; readonly complete: boolean };

/** The end of the name of a copy that did not take the file's place yet. */
const PART = '.part';

const CHUNK_BYTES = 1 << 20;
const NEWLINE = 0x0a;

/** Where a line lies in the file; `bytes` is without its line feed. */
interface Place {
  readonly at: number;
  readonly bytes: number;
}

/** What a copy in the order of the plan holds so far. */
interface Copied {
  size: number;
  readonly runs: Map<string, Place>;
  readonly tools: Map<string, Place>;
}

/** The journal of one suite. */
export class ResultsFile {
  private runs = new Map<string, Place>();
  private toolLines = new Map<string, Place>();
  private readonly runTools = new Map<string, string>();
  private size = 0;
  private complete = false;

  private constructor(
    readonly path: string,
    private file: number,
    readonly header: ResultsHeader,
    private readonly release: () => void,
  ) {}

  /**
   * Opens the journal of a folder, made where it is not there. A file with the same fingerprint is continued; another
   * is refused (`usage/bad-argument`), unless `replace`; so is a folder in which another process works. A torn last line is dropped; damage before it is
   * `data/invalid`.
   */
  static open(
    directory: string,
    header: ResultsHeader,
    options: { readonly replace?: boolean } = {},
  ): ResultsFile {
    mkdirSync(directory, { recursive: true });
    const release = lockFolder(directory);
    try {
      removeParts(directory);
      return ResultsFile.openLocked(join(directory, RESULTS_FILE), header, { ...options, release });
    } catch (error) {
      release();
      throw error;
    }
  }

  private static openLocked(
    path: string,
    header: ResultsHeader,
    { replace, release }: { readonly replace?: boolean; readonly release: () => void },
  ): ResultsFile {
    const isNew = !existsSync(path) || replace === true;
    const file = openSync(path, isNew ? 'w+' : 'r+');
    const journal = new ResultsFile(path, file, header, release);
    try {
      if (!isNew) journal.readBack();
      if (journal.size === 0) journal.append(header as unknown as Json);
    } catch (error) {
      closeSync(file);
      throw error;
    }
    return journal;
  }

  /** True for a run that is written. */
  has(id: string): boolean {
    return this.runs.has(id);
  }

  /** How many runs are written. */
  get count(): number {
    return this.runs.size;
  }

  /** The suite was finished before. */
  get isComplete(): boolean {
    return this.complete;
  }

  /** Reads a written run back, or null. */
  read(id: string): RunRecord | null {
    const place = this.runs.get(id);
    if (place === undefined) return null;
    // The line was checked when the file was opened, or written by this object.
    const read = parseJson(new TextDecoder().decode(this.bytesAt(place)));
    return read.ok ? (read.value as unknown as RunRecord) : null;
  }

  /** Writes one run, and its tools where they are new. */
  write(record: RunRecord, tools: readonly ToolDefinition[]): void {
    if (!this.toolLines.has(record.tools)) {
      const line = { tools: record.tools, definitions: tools as unknown as Json };
      this.toolLines.set(record.tools, this.append(line));
    }
    this.runTools.set(record.id, record.tools);
    this.runs.set(record.id, this.append(record as unknown as Json));
  }

  /** Puts the runs into the order of the plan and writes the end line. The file is replaced at once. */
  finish(order: readonly string[]): void {
    if (this.complete) return;
    if (this.isInOrder(order)) {
      this.append(endOf(this.runs.size));
      this.complete = true;
      return;
    }
    const fresh = `${this.path}${PART}`;
    const to = openSync(fresh, 'w+');
    const copied: Copied = { size: 0, runs: new Map(), tools: new Map() };
    try {
      this.copy({ at: 0, bytes: this.headerBytes }, to, copied);
      for (const id of order) this.copyRun(id, to, copied);
      writeAll(to, Buffer.from(lineOf(endOf(copied.runs.size))), copied.size);
    } catch (error) {
      closeSync(to);
      rmSync(fresh, { force: true });
      throw error;
    }
    renameSync(fresh, this.path);
    closeSync(this.file);
    this.file = to;
    this.complete = true;
    this.runs = copied.runs;
    this.toolLines = copied.tools;
  }

  /** The file is byte by byte what a copy in the order of the plan would be. */
  private isInOrder(order: readonly string[]): boolean {
    let at = this.headerBytes + 1;
    const seen = new Set<string>();
    const isNext = (place: Place): boolean => {
      const found = place.at === at;
      at += place.bytes + 1;
      return found;
    };
    for (const id of order) {
      const run = this.runs.get(id);
      if (run === undefined) continue;
      const hash = this.runTools.get(id) ?? '';
      const tools = seen.has(hash) ? undefined : this.toolLines.get(hash);
      seen.add(hash);
      if (tools !== undefined && !isNext(tools)) return false;
      if (!isNext(run)) return false;
    }
    return at === this.size;
  }

  /** Closes the file and gives the folder back. */
  close(): void {
    closeSync(this.file);
    this.release();
  }

  private headerBytes = 0;

  /** Lines are encoded into one buffer that grows: a fresh one for each would keep the collector busy. */
  private buffer = Buffer.allocUnsafe(1 << 16);

  private append(value: Json): Place {
    const line = lineOf(value);
    // A UTF-16 unit takes at most three bytes.
    if (line.length * 3 > this.buffer.length) this.buffer = Buffer.allocUnsafe(line.length * 3);
    const bytes = this.buffer.subarray(0, this.buffer.write(line));
    const place = { at: this.size, bytes: bytes.length - 1 };
    if (this.size === 0) this.headerBytes = place.bytes;
    writeAll(this.file, bytes, this.size);
    this.size += bytes.length;
    return place;
  }

  private copyRun(id: string, to: number, copied: Copied): void {
    const run = this.runs.get(id);
    if (run === undefined) return;
    const hash = this.runTools.get(id) ?? '';
    const tools = this.toolLines.get(hash);
    if (tools !== undefined && !copied.tools.has(hash)) {
      copied.tools.set(hash, this.copy(tools, to, copied));
    }
    copied.runs.set(id, this.copy(run, to, copied));
  }

  private copy(place: Place, to: number, copied: Copied): Place {
    const moved = { at: copied.size, bytes: place.bytes };
    const bytes = this.bytesAt({ at: place.at, bytes: place.bytes + 1 });
    writeAll(to, bytes, copied.size);
    copied.size += bytes.length;
    return moved;
  }

  private bytesAt({ at, bytes }: Place): Uint8Array {
    const buffer = new Uint8Array(bytes);
    for (let got = 0; got < bytes; ) {
      const read = readSync(this.file, buffer, got, bytes - got, at + got);
      if (read === 0) throw damaged(this.path, 'it is shorter than it was');
      got += read;
    }
    return buffer;
  }

  /** Learns what is in the file, and cuts a torn last line off. */
  private readBack(): void {
    for (const place of linePlaces(this.file)) {
      const line = classify(this.bytesAt(place), this.path);
      if (place.at === 0) this.checkHeader(line, place);
      if (line.kind === 'tools') this.toolLines.set(line.hash, place);
      if (line.kind === 'run') {
        this.runs.set(line.record.id, place);
        this.runTools.set(line.record.id, line.record.tools);
      }
      if (line.kind === 'end') this.complete = line.complete;
      this.size = place.at + place.bytes + 1;
    }
    if (!this.complete) ftruncateSync(this.file, this.size);
  }

  private checkHeader(line: ResultsLine, place: Place): void {
    if (line.kind !== 'header') throw damaged(this.path, 'its first line is no header of a suite');
    this.headerBytes = place.bytes;
    if (line.header.fingerprint === this.header.fingerprint) return;
    throw new UsageError(
      `${this.path} holds the results of another suite, other worlds, other agents or another version of umwelt ` +
        `(fingerprint ${line.header.fingerprint.slice(0, 12)}, now ${this.header.fingerprint.slice(0, 12)}); ` +
        'choose another folder with --out, or start anew with --force',
      { code: 'usage/bad-argument', data: { path: this.path } },
    );
  }
}

/** Removes what a process that was killed left of a copy. */
function removeParts(directory: string): void {
  rmSync(join(directory, `${RESULTS_FILE}${PART}`), { force: true });
}

/** Reads a results file line by line; holds one line at a time. A torn last line is left out. */
export function* readResults(path: string): Generator<ResultsLine> {
  const file = openSync(path, 'r');
  try {
    for (const { at, bytes } of linePlaces(file)) {
      const buffer = new Uint8Array(bytes);
      for (let got = 0; got < bytes; ) got += readSync(file, buffer, got, bytes - got, at + got);
      yield classify(buffer, path);
    }
  } finally {
    closeSync(file);
  }
}

/** The places of all whole lines. */
function* linePlaces(file: number): Generator<Place> {
  const total = fstatSync(file).size;
  const chunk = new Uint8Array(Math.min(CHUNK_BYTES, Math.max(1, total)));
  let start = 0;
  for (let at = 0; at < total; ) {
    const read = readSync(file, chunk, 0, chunk.length, at);
    if (read === 0) return;
    for (let from = 0; ; ) {
      const found = chunk.subarray(0, read).indexOf(NEWLINE, from);
      if (found < 0) break;
      yield { at: start, bytes: at + found - start };
      start = at + found + 1;
      from = found + 1;
    }
    at += read;
  }
}

function classify(bytes: Uint8Array, path: string): ResultsLine {
  const read = parseJson(new TextDecoder().decode(bytes));
  if (!read.ok || !isJsonObject(read.value)) throw damaged(path, 'a line is no JSON object');
  const { value } = read;
  if (Object.hasOwn(value, 'stress')) {
    const header = ResultsHeaderSchema.safeParse(value);
    if (!header.success) throw damaged(path, `its header is of another kind: ${header.error.message}`);
    return { kind: 'header', header: header.data };
  }
  if (Object.hasOwn(value, 'run')) {
    const record = RunRecordSchema.safeParse(value);
    if (!record.success) throw damaged(path, `a run is of another kind: ${record.error.message}`);
    return { kind: 'run', record: record.data };
  }
  if (typeof value.tools === 'string' && Array.isArray(value.definitions)) {
    return {
      kind: 'tools',
      hash: value.tools,
      definitions: value.definitions as unknown as ToolDefinition[],
    };
  }
  if (isJsonObject(value.end)) return { kind: 'end', complete: value.end.complete === true };
  throw damaged(path, 'a line is none of header, tools, run and end');
}

function damaged(path: string, why: string): DataError {
  return new DataError(`${path} cannot be read as results of a suite: ${why}; start anew with --force`, {
    code: 'data/invalid',
    data: { path },
  });
}

function endOf(runs: number): Json {
  return { end: { complete: true, runs } };
}

const LINE_SEPARATORS = /[\u2028\u2029]/;

function lineOf(value: Json): string {
  const json = jsonOf(value);
  const line = LINE_SEPARATORS.test(json)
    ? json.replaceAll('\u2028', '\\u2028').replaceAll('\u2029', '\\u2029')
    : json;
  return `${line}\n`;
}

function jsonOf(value: Json): string {
  try {
    return JSON.stringify(value);
  } catch {
    // Integers beyond 2^53 are rare, and only the slower way writes them.
    return renderJson(value);
  }
}

/** One write is the rule; the loop is for a disk that takes a part. */
function writeAll(file: number, bytes: Uint8Array, position: number | null = null): void {
  for (let done = 0; done < bytes.length; ) {
    done += writeSync(file, bytes, done, bytes.length - done, position === null ? null : position + done);
  }
}
