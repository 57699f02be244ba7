/**
 * `umwelt data dedupe`: exact copies, near copies, and copies of a benchmark.
 */
import { type Json, type JsonObject, parseJson, UsageError } from '../../core/index.js';
import {
  benchmarkTurns,
  contaminationHeaderLine,
  contaminationLine,
  createDedupeStage,
  createGramCensus,
  type GramCensus,
  type ItemReader,
  openInput,
  readBenchmarkValue,
  readByteLines,
  type Stage,
  trajectoryItems,
} from '../../data/index.js';
import { type BenchmarkTurn, type ContaminationIndex, createContaminationIndex } from '../../text/index.js';
import { type CommandInput, textFlag } from '../command.js';
import { dropsTo, inputsOf, openLines, runDataWork } from '../data-stage.js';

/** Runs the command. */
export async function run(input: CommandInput): Promise<number> {
  const { flags } = input;
  const inputs = inputsOf(input);
  if (textFlag(flags, 'write-hashes') !== undefined) return writeHashes(input, inputs);
  const near = similarity(textFlag(flags, 'near'));
  const against = (textFlag(flags, 'against') ?? '').split(',').filter((one) => one !== '');
  if (against.length > 0 && inputs.includes('-')) {
    const message = '--against reads its input twice, so it cannot be standard input; name a file';
    throw new UsageError(message, { code: 'usage/bad-argument' });
  }
  const benchmark = against.length === 0 ? undefined : await readBenchmark(against);
  const census = benchmark === undefined ? undefined : await takeCensus(benchmark, inputs);
  const list = openLines(input, 'list');
  const evidence = openLines(input, 'evidence');
  const stage = createDedupeStage({
    ...(near !== undefined && { near }),
    ...(benchmark !== undefined && { benchmark }),
    ...(census !== undefined && { isBoilerplate: (hash: number) => census.isBoilerplate(hash) }),
    ...(evidence !== undefined && { onEvidence: (one) => evidence.add(one as unknown as JsonObject) }),
    ...dropsTo(list),
  });
  return runDataWork(input, { stage, read: trajectoryItems, inputs, lists: [list, evidence] });
}

function similarity(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const value = Number(text);
  if (text.trim() !== '' && value > 0 && value <= 1) return value;
  const message = `--near is ${JSON.stringify(text)}; wanted a similarity above 0 and at most 1, for example 0.8`;
  throw new UsageError(message, { code: 'usage/bad-argument', data: { seen: text } });
}

/** JSON values of lines, whatever they are. */
const jsonItems: ItemReader<Json> = (onProblem) => ({
  take: (line) => {
    const text = line.bytes === undefined ? '' : new TextDecoder().decode(line.bytes).trim();
    const parsed = text === '' ? undefined : parseJson(text);
    if (parsed === undefined) return [];
    if (parsed.ok) return [parsed.value];
    onProblem({ severity: 'error', line: line.line, byteOffset: 0, message: parsed.error.message });
    return [];
  },
  end: () => [],
});

async function readBenchmark(paths: readonly string[]): Promise<ContaminationIndex> {
  const turns: BenchmarkTurn[] = [];
  for (const path of paths) {
    const before = turns.length;
    const reader = jsonItems(() => undefined);
    for await (const lines of readByteLines(openInput(path))) {
      for (const line of lines)
        for (const value of reader.take(line)) turns.push(...readBenchmarkValue(value));
    }
    if (turns.length > before) continue;
    const message = `--against ${path} holds no benchmark: wanted a list of hashes, rows of AgentWorldBench or trajectories`;
    throw new UsageError(message, { code: 'usage/bad-argument', data: { path } });
  }
  return createContaminationIndex(turns);
}

async function takeCensus(benchmark: ContaminationIndex, inputs: readonly string[]): Promise<GramCensus> {
  const census = createGramCensus(benchmark);
  for (const path of inputs) {
    const reader = trajectoryItems(() => undefined);
    for await (const lines of readByteLines(openInput(path))) {
      for (const line of lines) for (const trajectory of reader.take(line)) census.take(trajectory);
    }
    for (const trajectory of reader.end()) census.take(trajectory);
  }
  return census;
}

async function writeHashes(input: CommandInput, inputs: readonly string[]): Promise<number> {
  const out = textFlag(input.flags, 'write-hashes') ?? '';
  const withText = input.flags['with-text'] === true;
  const seen = new Set<string>();
  let turns = 0;
  let isFirst = true;
  const stage: Stage<Json, string> = {
    name: 'dedupe --write-hashes',
    parameters: { withText },
    take: (value) => {
      const fresh = benchmarkTurns(value).filter(({ trajectory, id }) => {
        const key = `${trajectory} ${id.slice(id.lastIndexOf('#'))}`;
        return seen.has(key) ? false : seen.add(key);
      });
      turns += fresh.length;
      const lines = fresh.map((turn) => contaminationLine(turn, withText));
      if (isFirst && lines.length > 0) lines.unshift(contaminationHeaderLine());
      if (lines.length > 0) isFirst = false;
      return lines;
    },
    end: () => [],
    report: () => ({ turns }),
  };
  const flags = { ...input.flags, out, force: true };
  return runDataWork({ ...input, flags }, { stage, read: jsonItems, inputs, encode: (line) => line });
}
