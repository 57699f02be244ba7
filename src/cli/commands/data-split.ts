/**
 * `umwelt data split`: one of several disjoint pools for every trajectory.
 */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { renderJson, type Trajectory, UsageError } from '../../core/index.js';
import {
  createSplitStage,
  openOutputFile,
  parsePools,
  type SplitKey,
  type Stage,
  type StageOutput,
  trajectoryItems,
} from '../../data/index.js';
import { type CommandInput, textFlag } from '../command.js';
import { inputsOf, runDataWork } from '../data-stage.js';

/** Runs the command. */
export async function run(input: CommandInput): Promise<number> {
  const { flags } = input;
  const by = (textFlag(flags, 'by') ?? 'source') as SplitKey;
  const pools = textFlag(flags, 'pools');
  const folder = textFlag(flags, 'out-dir');
  if (by === 'time' && pools === undefined) {
    const message =
      '--by time needs --pools with the end of each pool but the last, for example "cpt<2026-01-01,rl"';
    throw new UsageError(message, { code: 'usage/bad-argument' });
  }
  if (folder !== undefined && textFlag(flags, 'out') !== undefined) {
    throw new UsageError('--out and --out-dir cannot both be given', { code: 'usage/bad-argument' });
  }
  const stage = createSplitStage({
    by,
    seed: textFlag(flags, 'seed') ?? '0',
    ...(pools !== undefined && { pools: parsePools(pools, by) }),
  });
  const inputs = inputsOf(input);
  if (folder === undefined) return runDataWork(input, { stage, read: trajectoryItems, inputs });
  return intoFolder(input, { stage, folder, inputs });
}

/** Writes one file a pool; the files appear when all is done. */
async function intoFolder(
  input: CommandInput,
  {
    stage,
    folder,
    inputs,
  }: { readonly stage: Stage<Trajectory>; readonly folder: string; readonly inputs: readonly string[] },
): Promise<number> {
  mkdirSync(folder, { recursive: true });
  const files = new Map<string, StageOutput>();
  const sorted: Stage<Trajectory, never> = {
    name: stage.name,
    parameters: stage.parameters,
    end: () => [],
    report: () => stage.report(),
    take: (trajectory) => {
      for (const one of stage.take(trajectory)) {
        const pool = String(one.meta.pool);
        const file = files.get(pool) ?? openOutputFile(join(folder, `${pool}.jsonl`));
        files.set(pool, file);
        void file.text(`${renderJson(one as never)}\n`);
      }
      return [];
    },
  };
  try {
    const place = textFlag(input.flags, 'manifest') ?? join(folder, 'manifest.json');
    const withPlace = { ...input, flags: { ...input.flags, manifest: place, force: true } };
    const code = await runDataWork(withPlace, { stage: sorted, read: trajectoryItems, inputs });
    for (const file of files.values()) await (code === 130 ? file.abandon() : file.close());
    return code;
  } catch (error) {
    for (const file of files.values()) file.abandon();
    throw error;
  }
}
