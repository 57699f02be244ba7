/**
 * Runs a stage over inputs: reads, works, writes, and says in a manifest what went in, what was done and what came out.
 *
 * The idea: one process takes one shard; nothing is shared, so any tool that starts processes can drive it. A manifest
 * holds no time and no host: the same inputs, version and parameters give the same manifest and the same output. Where
 * output and manifest are there and speak of the same work, it is not done again; a killed run has left neither.
 */
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { basename } from 'node:path';
import {
  DataError,
  hashJson,
  isJsonObject,
  type Json,
  type JsonObject,
  type LineProblem,
  parseJson,
  renderJson,
  type Trajectory,
} from '../../core/index.js';
import { type Sample, SampleSchema } from '../samples/sample.js';
import type { Stage } from '../stages/stage.js';
import { eventFiles, eventFolderFacts } from './event-folder.js';
import { type OpenInput, openInput, type Shard } from './open-input.js';
import { type ByteLine, readByteLines } from './read-lines.js';
import { openTrajectoryLines } from './read-trajectories.js';
import { isSpecialFile, openOutputFile, type StageOutput } from './write-output.js';

/** What a reader of one input gives. */
interface ItemLines<Item> {
  take(line: ByteLine): readonly Item[];
  end(): readonly Item[];
}

/** How items are read from lines. */
export type ItemReader<Item> = (onProblem: (problem: LineProblem) => void) => ItemLines<Item>;

/** Reads one input that is not made of lines with one item each. `path` is as the run names it. */
export type InputReader<Item> = (
  path: string,
  input: OpenInput,
  onProblem: (problem: LineProblem) => void,
) => AsyncIterable<Item>;

/** Trajectories, in both forms. */
export const trajectoryItems: ItemReader<Trajectory> = openTrajectoryLines;

/** Samples, one a line. */
export const sampleItems: ItemReader<Sample> = (onProblem) => ({
  take: (line) => {
    const text = line.bytes === undefined ? '' : new TextDecoder().decode(line.bytes).trim();
    if (text === '') return [];
    const parsed = parseJson(text);
    const checked = parsed.ok ? SampleSchema.safeParse(parsed.value) : undefined;
    if (parsed.ok && checked?.success === true) return [parsed.value as unknown as Sample];
    const issue = checked?.error?.issues[0];
    const why = parsed.ok
      ? `${issue?.path.map(String).join('.') ?? ''}: ${issue?.message ?? ''}`
      : parsed.error.message;
    onProblem({
      severity: 'error',
      line: line.line,
      byteOffset: 0,
      message: `not a sample (${why}); left out`,
    });
    return [];
  },
  end: () => [],
});

/** What happened to the bytes of one input. */
interface InputFacts {
  readonly name: string;
  readonly sizeBytes: number;
  readonly sha256: string;
  readonly items: number;
}

/** How a run went, for whoever watches. */
export interface RunProgress {
  readonly bytes: number;
  /** All bytes that will be read, where that is known. */
  readonly ofBytes: number | null;
  readonly items: number;
  readonly written: number;
}

/** A run over inputs. */
export interface StageRun<In, Out> {
  readonly stage: Stage<In, Out>;
  readonly read: ItemReader<In>;
  /**
   * In place of `read`: takes the bytes of an input, whatever they are. An input that cannot be read is then told as a
   * problem, and the others are read. With a shard and several inputs every n-th input is read, with one input every
   * n-th item is taken.
   */
  readonly readInput?: InputReader<In>;
  /** Paths; `-` is standard input. */
  readonly inputs: readonly string[];
  /** Path; `-` is standard output. */
  readonly out: string;
  /** Where the manifest goes; default beside the output, none for standard output. */
  readonly manifest?: string;
  readonly shard?: Shard;
  /** The package's version, for the manifest. */
  readonly version: string;
  /** Writes one item; default one JSON line. */
  readonly encode?: (item: Out) => string;
  /** Writes items as bytes instead of lines, for containers such as Parquet. */
  readonly container?: (sink: (bytes: Uint8Array) => void) => { add(item: Out): void; close(): void };
  /** Do the work even if output and manifest are there. */
  readonly again?: boolean;
  readonly onProblem?: (input: string, problem: LineProblem) => void;
  readonly onProgress?: (progress: RunProgress) => void;
  /** Ends the run early; the unfinished output is taken away. */
  readonly signal?: AbortSignal;
}

/** What a run gave. */
export interface StageOutcome {
  readonly manifest: JsonObject;
  /** True if everything was there already. */
  readonly wasDone: boolean;
  /** Lines that could not be read. */
  readonly errors: number;
}

/** The file name of an output's manifest. */
export function manifestPath(out: string): string {
  return `${out}.manifest.json`;
}

/** Runs a stage. Raises `data/…` and `usage/…`; what a file says never raises, it is told and counted. */
export async function runStage<In, Out>(run: StageRun<In, Out>): Promise<StageOutcome> {
  const place =
    run.manifest ?? (run.out === '-' || isSpecialFile(run.out) ? undefined : manifestPath(run.out));
  const work = workOf(run);
  const done = run.again === true || place === undefined ? undefined : finishedManifest(place, run, work);
  if (done !== undefined) {
    const errors = isJsonObject(done.problems) ? Number(done.problems.errors ?? 0) : 0;
    return { manifest: done, wasDone: true, errors };
  }
  const output = openOutputFile(run.out);
  try {
    const made = await pump(run, output);
    const manifest: JsonObject = { ...work, ...made.manifest };
    if (place !== undefined) writeManifest(place, manifest);
    return { manifest, wasDone: false, errors: made.errors };
  } catch (error) {
    output.abandon();
    throw error;
  }
}

/** What decides the output, as the manifest says it. */
function workOf<In, Out>(run: StageRun<In, Out>): JsonObject {
  const { stage, shard, version } = run;
  return {
    manifest: 1,
    made: `umwelt data ${stage.name}`,
    version,
    parameters: stage.parameters,
    parametersHash: hashJson(stage.parameters),
    shard: shard === undefined ? null : `${shard.index}/${shard.of}`,
  };
}

/** The manifest of the same work over the same inputs whose output is there and as long as it says. */
function finishedManifest<In, Out>(
  place: string,
  { out, inputs: paths }: StageRun<In, Out>,
  work: JsonObject,
): JsonObject | undefined {
  if (out === '-' || !existsSync(place) || !existsSync(out)) return undefined;
  const parsed = parseJson(readFileSync(place, 'utf8'));
  if (!parsed.ok || !isJsonObject(parsed.value)) return undefined;
  const { inputs, output } = parsed.value;
  const isSame = Object.entries(work).every(
    ([key, value]) =>
      hashJson(parsed.ok ? ((parsed.value as JsonObject)[key] ?? null) : null) === hashJson(value),
  );
  if (!isSame || !isJsonObject(output) || output.sizeBytes !== statSync(out).size || !Array.isArray(inputs))
    return undefined;
  const isAll = inputs.length === paths.length && paths.every((path, i) => pathOf(inputs[i]) === path);
  return isAll && (inputs as readonly Json[]).every(isUnchanged) ? parsed.value : undefined;
}

function pathOf(facts: Json | undefined): Json | undefined {
  return isJsonObject(facts) ? facts.path : undefined;
}

/** True if an input named in a manifest is there with the same bytes. */
function isUnchanged(facts: Json): boolean {
  if (!isJsonObject(facts) || typeof facts.path !== 'string' || !existsSync(facts.path)) return false;
  const { size, mtimeMs } = sizeAndTime(facts.path);
  return size === facts.diskBytes && Math.round(mtimeMs) === facts.modifiedMs;
}

function writeManifest(place: string, manifest: JsonObject): void {
  try {
    writeFileSync(`${place}.part`, `${renderJson(manifest, 2)}\n`);
    renameSync(`${place}.part`, place);
  } catch (cause) {
    throw new DataError(`cannot write the manifest ${place}`, { code: 'data/unwritable', cause });
  }
}

async function pump<In, Out>(
  run: StageRun<In, Out>,
  output: StageOutput,
): Promise<{ readonly manifest: JsonObject; readonly errors: number }> {
  const { stage, encode } = run;
  const container = run.container?.((bytes) => void output.bytes(bytes));
  const counts = { items: 0, written: 0, bytes: 0, errors: 0, warnings: 0 };
  const give = async (items: readonly Out[]): Promise<void> => {
    for (const item of items) {
      counts.written += 1;
      if (container !== undefined) container.add(item);
      else {
        const wait = encode === undefined ? output.line(item) : output.text(encode(item));
        if (wait !== undefined) await wait;
      }
    }
  };
  const facts: InputFacts[] = [];
  for (const [index, path] of run.inputs.entries()) {
    facts.push(await readOne(run, path, { counts, give, skips: isOfOtherShard(run, index) }));
  }
  await give(stage.end());
  container?.close();
  const written = await output.close();
  return {
    errors: counts.errors,
    manifest: {
      inputs: facts as unknown as Json,
      output: { name: run.out === '-' ? '-' : basename(run.out), ...written, items: counts.written },
      problems: { errors: counts.errors, warnings: counts.warnings },
      counts: stage.report(),
    },
  };
}

interface Pumping<Out> {
  readonly counts: { items: number; written: number; bytes: number; errors: number; warnings: number };
  readonly give: (items: readonly Out[]) => Promise<void>;
  /** Another shard reads this input. */
  readonly skips: boolean;
}

/** With inputs that are read whole, each belongs to one shard, but a single one is shared out by its items. */
function isOfOtherShard<In, Out>({ readInput, shard, inputs }: StageRun<In, Out>, index: number): boolean {
  return (
    readInput !== undefined &&
    shard !== undefined &&
    inputs.length > 1 &&
    index % shard.of !== shard.index - 1
  );
}

/** What reading one input needs and tells. */
interface Reading<In> {
  readonly onProblem: (problem: LineProblem) => void;
  readonly onBytes: (piece: Uint8Array) => void;
  /** Tells how far it is; raises where the run was ended. */
  readonly went: (ofBytes: number | null) => void;
  readonly take: (items: readonly In[], isShared: boolean) => Promise<void>;
}

async function readOne<In, Out>(
  run: StageRun<In, Out>,
  path: string,
  { counts, give, skips }: Pumping<Out>,
): Promise<InputFacts> {
  const hash = createHash('sha256');
  const before = counts.items;
  const { shard } = run;
  let seen = 0;
  let sizeBytes = 0;
  const reading: Reading<In> = {
    onProblem: (problem) => {
      counts[problem.severity === 'error' ? 'errors' : 'warnings'] += 1;
      run.onProblem?.(path, problem);
    },
    onBytes: (piece) => {
      sizeBytes += piece.length;
      counts.bytes += piece.length;
      hash.update(piece);
    },
    went: (ofBytes) => {
      run.signal?.throwIfAborted();
      run.onProgress?.({ bytes: counts.bytes, ofBytes, items: counts.items, written: counts.written });
    },
    take: async (items, isShared) => {
      for (const item of items) {
        const isMine = !isShared || shard === undefined || seen % shard.of === shard.index - 1;
        seen += 1;
        if (!isMine) continue;
        counts.items += 1;
        const made = run.stage.take(item);
        if (made.length > 0) await give(made);
      }
    },
  };
  if (!skips) await (run.readInput === undefined ? readItems : readAnything)(run, path, reading);
  const known = path === '-' ? {} : diskFacts(path);
  return {
    name: path === '-' ? '-' : basename(path),
    sizeBytes,
    sha256: hash.digest('hex'),
    items: counts.items - before,
    ...(skips && { otherShard: true }),
    ...known,
  };
}

async function readItems<In, Out>(run: StageRun<In, Out>, path: string, reading: Reading<In>): Promise<void> {
  const input = openInput(path, run.shard);
  const lines = run.read(reading.onProblem);
  for await (const batch of readByteLines(input, reading.onBytes)) {
    for (const line of batch) {
      const items = lines.take(line);
      if (items.length > 0) await reading.take(items, input.isWhole);
    }
    reading.went(input.sizeBytes);
  }
  await reading.take(lines.end(), input.isWhole);
}

async function readAnything<In, Out>(
  { readInput, inputs }: StageRun<In, Out>,
  path: string,
  { onProblem, onBytes, went, take }: Reading<In>,
): Promise<void> {
  let offset = 0;
  try {
    const input = openInput(path);
    const watched = (async function* () {
      for await (const piece of input.chunks) {
        onBytes(piece);
        offset += piece.length;
        went(input.sizeBytes);
        yield piece;
      }
    })();
    const items = readInput?.(path, { ...input, chunks: watched }, onProblem) ?? [];
    for await (const item of items) await take([item], inputs.length === 1);
  } catch (error) {
    // What is wrong with this input is told; a full disk, a wrong name or Ctrl-C ends the run.
    const isOfInput = error instanceof DataError && error.code !== 'data/unwritable';
    if (!isOfInput) throw error;
    onProblem({ severity: 'error', line: 1, byteOffset: offset, message: error.message });
  }
}

function sizeAndTime(path: string): { readonly size: number; readonly mtimeMs: number } {
  return eventFiles(path).length > 0 ? eventFolderFacts(path) : statSync(path);
}

function diskFacts(path: string): object {
  const { size, mtimeMs } = sizeAndTime(path);
  return { path, diskBytes: size, modifiedMs: Math.round(mtimeMs) };
}
