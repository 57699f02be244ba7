/**
 * What the `data` commands share: inputs, shard, output, manifest, lists of drops, progress, Ctrl-C, and the report.
 */
import { isJsonObject, type Json, type JsonObject, renderJson, UsageError } from '../core/index.js';
import {
  type Drop,
  type DropListener,
  type InputReader,
  type ItemReader,
  openOutputFile,
  parseShard,
  type RunProgress,
  runStage,
  type Stage,
  type StageRun,
} from '../data/index.js';
import { type CommandInput, textFlag } from './command.js';
import { EXIT } from './failure.js';
import { mustNotBeInput } from './named-file.js';
import { type Output, visible } from './output.js';
import { packageVersion } from './package-files.js';

/** Problems that are told one by one; more are counted. */
const TOLD_PROBLEMS = 20;

/** What a command gives to be run. */
export interface DataWork<In, Out> {
  readonly stage: Stage<In, Out>;
  readonly read: ItemReader<In>;
  /** In place of `read`, for inputs that are not lines with one item each. */
  readonly readInput?: InputReader<In>;
  readonly inputs: readonly string[];
  readonly encode?: (item: Out) => string;
  readonly container?: NonNullable<StageRun<In, Out>['container']>;
  /** Lists that were opened and have to be closed. */
  readonly lists?: readonly (LineFile | undefined)[];
  /** The counts as lines; default all of them. */
  readonly lines?: (counts: Json) => readonly string[];
}

/** The words of a command as inputs; none is standard input. */
export function inputsOf({ words }: CommandInput): readonly string[] {
  if (words.length === 0 && process.stdin.isTTY === true) {
    const message = 'no FILE was given and standard input is a terminal; name a file, or - to type';
    throw new UsageError(message, { code: 'usage/bad-argument' });
  }
  return words.length === 0 ? ['-'] : words;
}

/** A file of JSON lines that is written as things happen. */
export interface LineFile {
  add(value: JsonObject): void;
  /** Puts the file in its place after work that was done; else the file that was there before stays. */
  close(wasMade: boolean): Promise<void>;
}

/** Opens a file of JSON lines for a flag, if it is given; it appears whole or not at all. Raises `data/unwritable`. */
export function openLines(input: CommandInput, flag: string): LineFile | undefined {
  const path = textFlag(input.flags, flag);
  if (path === undefined) return undefined;
  mustNotBeInput({ flag: `--${flag}`, path }, { FILE: input.words[0] });
  const file = openOutputFile(path);
  return {
    add: (value) => void file.text(`${renderJson(value)}\n`),
    close: async (wasMade) => {
      if (wasMade) await file.close();
      else file.abandon();
    },
  };
}

/** The listener that writes drops to the file of `--list`. */
export function dropsTo(list: LineFile | undefined): { readonly onDrop?: DropListener } {
  return list === undefined ? {} : { onDrop: (drop: Drop) => list.add(drop as unknown as JsonObject) };
}

/** Runs a stage as a command; gives the exit code: 3 if lines could not be read. */
export async function runDataWork<In, Out>(input: CommandInput, work: DataWork<In, Out>): Promise<number> {
  const { flags, output } = input;
  const out = textFlag(flags, 'out') ?? '-';
  const [first] = work.inputs;
  if (out !== '-') mustNotBeInput({ flag: '--out', path: out }, { FILE: first });
  const shard = textFlag(flags, 'shard');
  const manifest = textFlag(flags, 'manifest');
  const progress = progressLine();
  const problems = problemTeller(output);
  const aborting = abortOnInterrupt();
  let wasMade = false;
  try {
    const {
      manifest: made,
      wasDone,
      errors,
    } = await runStage<In, Out>({
      stage: work.stage,
      read: work.read,
      inputs: work.inputs,
      out,
      version: packageVersion(),
      again: flags.force === true,
      signal: aborting.signal,
      onProblem: problems.tell,
      onProgress: progress.show,
      ...(work.readInput !== undefined && { readInput: work.readInput }),
      ...(work.encode !== undefined && { encode: work.encode }),
      ...(work.container !== undefined && { container: work.container }),
      ...(manifest !== undefined && { manifest }),
      ...(shard !== undefined && { shard: parseShard(shard) }),
    });
    wasMade = !wasDone;
    progress.end();
    problems.end();
    report(made, { output, out, wasDone, lines: work.lines ?? ((counts) => countLines(counts, '')) });
    return errors > 0 ? EXIT.partial : EXIT.done;
  } catch (error) {
    progress.end();
    if (aborting.signal.aborted) return EXIT.interrupted;
    throw error;
  } finally {
    aborting.end();
    for (const list of work.lists ?? []) await list?.close(wasMade);
  }
}

/** A signal that Ctrl-C aborts; a second one ends the process at once. `end` puts back what was there before. */
export function abortOnInterrupt(): { readonly signal: AbortSignal; end(): void } {
  const controller = new AbortController();
  const before = process.listeners('SIGINT');
  const stop = (): void => {
    if (controller.signal.aborted) process.exit(EXIT.interrupted);
    controller.abort(new Error('interrupted'));
  };
  process.removeAllListeners('SIGINT');
  process.on('SIGINT', stop);
  return {
    signal: controller.signal,
    end: () => {
      process.removeListener('SIGINT', stop);
      for (const listener of before) process.on('SIGINT', listener as () => void);
    },
  };
}

function problemTeller(output: Output): {
  readonly tell: NonNullable<StageRun<never, never>['onProblem']>;
  end(): void;
} {
  let more = 0;
  let told = 0;
  return {
    tell: (input, { severity, line, message }) => {
      if (told >= TOLD_PROBLEMS) more += 1;
      else output.note(`umwelt: ${severity}: ${visible(input)} line ${line}: ${visible(message)}`);
      told += 1;
    },
    end: () => {
      if (more > 0) output.note(`umwelt: ${more} more problems, not shown`);
    },
  };
}

/** One line on a terminal that is written over, at most ten times a second; nothing elsewhere. */
function progressLine(): { show(progress: RunProgress): void; end(): void } {
  if (process.stderr.isTTY !== true) return { show: () => undefined, end: () => undefined };
  let last = 0;
  return {
    show: ({ bytes, ofBytes, items, written }) => {
      const now = Date.now();
      if (now - last < 100) return;
      last = now;
      const share = ofBytes === null || ofBytes === 0 ? '' : ` (${Math.floor((bytes / ofBytes) * 100)} %)`;
      const read = `${(bytes / 1e6).toFixed(0)} MB${share}`;
      process.stderr.write(`\r${read}, ${items} read, ${written} written\u001b[K`);
    },
    end: () => void process.stderr.write('\r\u001b[K'),
  };
}

function report(
  manifest: JsonObject,
  {
    output,
    out,
    wasDone,
    lines,
  }: {
    readonly output: Output;
    readonly out: string;
    readonly wasDone: boolean;
    readonly lines: (counts: Json) => readonly string[];
  },
): void {
  // Standard output is the data's where no file takes it.
  const say = out === '-' ? (text: string) => output.note(text) : (text: string) => output.line(text);
  if (output.json) say(renderJson(manifest));
  else {
    if (wasDone)
      output.note(`umwelt: ${out} is there for the same work; nothing was done (--force does it again)`);
    for (const line of lines(manifest.counts ?? {})) say(visible(line));
  }
}

/** Counts as lines of `name: value`, nested ones with their path. */
export function countLines(value: Json, path: string): readonly string[] {
  if (!isJsonObject(value))
    return [`${path}: ${typeof value === 'object' ? renderJson(value) : String(value)}`];
  return Object.entries(value).flatMap(([name, one]) =>
    countLines(one, path === '' ? name : `${path} ${name}`),
  );
}
