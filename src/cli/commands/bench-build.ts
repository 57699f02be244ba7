/**
 * `umwelt bench build`: makes a benchmark of recorded trajectories.
 */
import { createReadStream, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type BuiltRow, benchCard, buildBench, findLeaks, type LeakReport } from '../../bench/index.js';
import {
  createTrajectoryJoiner,
  createTrajectoryReader,
  type Json,
  renderJson,
  type Trajectory,
  UsageError,
} from '../../core/index.js';
import { type CommandInput, integerFlag, textFlag } from '../command.js';
import { EXIT } from '../failure.js';
import { type Output, visible } from '../output.js';
import { packageVersion } from '../package-files.js';

/** Runs the command. */
export async function run({ words, flags, output }: CommandInput): Promise<number> {
  const folder = textFlag(flags, 'out');
  if (folder === undefined) throw new UsageError('--out DIR is needed', { code: 'usage/bad-argument' });
  const problems: string[] = [];
  const trajectories = await readAll(words, problems);
  const sources = textFlag(flags, 'test-source')?.split(',');
  const seed = integerFlag(flags, 'seed') ?? 0;
  const built = buildBench(trajectories, {
    seed,
    allowSimulated: flags['allow-simulated'] === true,
    ...(sources !== undefined && { sources }),
  });
  const against = textFlag(flags, 'against');
  const leaks = against === undefined ? null : findLeaks(built, await readAll([against], problems));
  for (const problem of problems.slice(0, 20)) output.note(visible(problem));
  if (built.rows.length === 0) {
    const why = Object.entries(built.unused).map(([reason, count]) => `${count} ${reason}`);
    throw new UsageError(
      `${trajectories.length} trajectories give no row: ${why.join(', ') || 'there are none'}`,
      {
        code: 'usage/bad-argument',
      },
    );
  }
  const title = textFlag(flags, 'title') ?? 'A benchmark of recorded turns';
  write(folder, built.rows, flags.force === true);
  const card = benchCard(built, { title, seed, version: packageVersion(), sources: sources ?? null });
  writeFileSync(join(folder, 'CARD.md'), card);
  if (leaks !== null)
    writeFileSync(join(folder, 'leaks.json'), `${renderJson(leaks as unknown as Json, 2)}\n`);
  if (output.json) {
    const { rows, trajectories: read, unused, copies } = built;
    const left = copies.map(({ key, of }) => ({ key, of }));
    output.line(
      renderJson({
        rows: rows.length,
        trajectories: read,
        unused,
        copies: left,
        leaks,
        problems,
      } as unknown as Json),
    );
  } else tell(built.rows, leaks, output);
  const isClean = problems.length === 0 && (leaks === null || leaks.leaks.length === 0);
  return isClean ? EXIT.done : EXIT.partial;
}

async function readAll(paths: readonly string[], problems: string[]): Promise<readonly Trajectory[]> {
  const all: Trajectory[] = [];
  for (const path of paths) {
    if (!existsSync(path)) throw new UsageError(`there is no file ${path}`, { code: 'usage/unknown-name' });
    const reader = createTrajectoryReader();
    const joiner = createTrajectoryJoiner();
    const take = (readings: ReturnType<typeof joiner.end>): void => {
      for (const reading of readings) {
        if (reading.kind === 'trajectory') all.push(reading.trajectory);
        else problems.push(`${path}, line ${reading.problem.line}: ${reading.problem.message}`);
      }
    };
    for await (const bytes of createReadStream(path)) {
      for (const event of reader.push(bytes as Uint8Array)) take(joiner.push(event));
    }
    for (const event of reader.end()) take(joiner.push(event));
    take(joiner.end());
  }
  return all;
}

function write(folder: string, rows: readonly BuiltRow[], force: boolean): void {
  mkdirSync(folder, { recursive: true });
  for (const domain of new Set(rows.map((row) => row.domain))) {
    const path = join(folder, `${domain}_test.jsonl`);
    if (existsSync(path) && !force) {
      throw new UsageError(`${path} is there already; --force replaces it`, { code: 'usage/bad-argument' });
    }
    const own = rows.filter((row) => row.domain === domain);
    writeFileSync(path, own.map(({ row }) => `${renderJson(row)}\n`).join(''));
  }
}

function tell(rows: readonly BuiltRow[], leaks: LeakReport | null, output: Output): void {
  for (const domain of new Set(rows.map((row) => row.domain))) {
    const own = rows.filter((row) => row.domain === domain);
    output.line(
      `${domain}: ${own.length} rows of ${new Set(own.map((row) => row.trajectory)).size} trajectories`,
    );
  }
  for (const [domain, { turns, leaking, boilerplate }] of Object.entries(leaks?.domains ?? {})) {
    output.line(
      `training data, ${domain}: ${leaking} of ${turns} turns hold a row (${((leaking / turns) * 100).toFixed(1)} %), ${boilerplate} share boilerplate only`,
    );
  }
  for (const leak of leaks?.leaks.slice(0, 10) ?? []) {
    output.line(
      visible(
        `  ${leak.training} holds ${leak.row}: "${leak.trainingText.slice(0, 80)}" / "${leak.rowText.slice(0, 80)}"`,
      ),
    );
  }
}
