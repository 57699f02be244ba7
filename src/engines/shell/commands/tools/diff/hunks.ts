/**
 * Groups changes into hunks with lines of context around them.
 */
import type { Change } from './edit-script.js';

/** Changes that are shown together, and the range of lines on each side (ends excluded). */
export interface Hunk {
  readonly changes: readonly Change[];
  readonly old: readonly [number, number];
  readonly new: readonly [number, number];
}

/** Joins changes whose contexts touch or overlap. */
export function groupHunks(
  changes: readonly Change[],
  context: number,
  lengths: readonly [number, number],
): Hunk[] {
  const groups: Change[][] = [];
  for (const change of changes) {
    const group = groups[groups.length - 1];
    const last = group?.[group.length - 1];
    if (
      group !== undefined &&
      last !== undefined &&
      change.oldAt - (last.oldAt + last.deleted) <= 2 * context
    )
      group.push(change);
    else groups.push([change]);
  }
  return groups.flatMap((group) => {
    const [first, last] = [group[0], group[group.length - 1]];
    if (first === undefined || last === undefined) return [];
    const before = Math.min(context, first.oldAt, first.newAt);
    const [oldEnd, newEnd] = [last.oldAt + last.deleted, last.newAt + last.inserted];
    const after = Math.min(context, lengths[0] - oldEnd, lengths[1] - newEnd);
    return [
      {
        changes: group,
        old: [first.oldAt - before, oldEnd + Math.max(after, 0)],
        new: [first.newAt - before, newEnd + Math.max(after, 0)],
      } as const,
    ];
  });
}
