/**
 * For the tests of importers: logs written as values, imported whole.
 */
import type { Trajectory } from '../../core/index.js';
import { type ImportReport, importTrajectories } from '../import-trajectories.js';

/** A log as JSON lines. */
export function linesOf(...values: readonly unknown[]): Uint8Array {
  return new TextEncoder().encode(values.map((value) => `${JSON.stringify(value)}\n`).join(''));
}

/** Imports bytes; `inParts` as in {@link importTrajectories}. */
export async function importBytes(
  bytes: Uint8Array | readonly Uint8Array[],
  inParts = false,
): Promise<{ readonly trajectories: Trajectory[]; readonly report: ImportReport }> {
  const chunks = bytes instanceof Uint8Array ? [bytes] : bytes;
  const opened = importTrajectories('log', chunks, { inParts });
  if (!opened.ok) throw opened.error;
  const trajectories: Trajectory[] = [];
  for await (const trajectory of opened.value.trajectories) trajectories.push(trajectory);
  return { trajectories, report: opened.value.report() };
}

/** What was paired: per trajectory its id and its turns as `[action's name, observation]`. */
export function pairsOf(
  trajectories: readonly Trajectory[],
): readonly (readonly [string, ...(readonly [string, string | null])[]])[] {
  return trajectories.map(({ id, turns }) => [
    id,
    ...turns.map(
      ({ action, observation }) => [(JSON.parse(action) as { name: string }).name, observation] as const,
    ),
  ]);
}

/** Pairs, unanswered calls, lost answers, parallel groups. */
export function countsOf({ pairs, dangling, orphans, groups }: ImportReport): readonly number[] {
  return [pairs, dangling, orphans, groups];
}
