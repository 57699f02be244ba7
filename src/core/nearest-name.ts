/**
 * The nearest known name to a misspelt one, for error messages ("did you mean …?").
 *
 * Optimal string alignment distance (Levenshtein plus swaps of neighbours), letter case ignored. The work is
 * bounded whatever the input: names beyond 64 UTF-16 units and lists beyond 2,000 names are not searched further.
 * Not a fuzzy search: a far name gives no answer at all.
 */

const MAX_NAME_UNITS = 64;
const MAX_KNOWN = 2_000;

/**
 * The known name with the smallest edit distance to `name`, or undefined when none is within `maxDistance`
 * (in edits; default: a third of the name's length, at least 1, at most 3). Ties go to the earlier name. A name
 * that differs in letter case only has distance 0.
 */
export function nearestName(
  name: string,
  known: Iterable<string>,
  maxDistance: number = Math.min(3, Math.max(1, Math.floor(name.length / 3))),
): string | undefined {
  if (name.length > MAX_NAME_UNITS) return undefined;
  const wanted = name.toLowerCase();
  let best: string | undefined;
  let bestDistance = maxDistance + 1;
  let seen = 0;
  for (const candidate of known) {
    if (++seen > MAX_KNOWN) break;
    if (candidate.length > MAX_NAME_UNITS || Math.abs(candidate.length - name.length) >= bestDistance)
      continue;
    const distance = editDistance(wanted, candidate.toLowerCase());
    if (distance < bestDistance) {
      best = candidate;
      bestDistance = distance;
    }
  }
  return best;
}

/** Edits (insert, delete, replace, swap neighbours) that turn `a` into `b`. */
function editDistance(a: string, b: string): number {
  let older: number[] = [];
  let previous = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1];
      let cost = Math.min(
        cell(previous, j) + 1,
        cell(row, j - 1) + 1,
        cell(previous, j - 1) + (same ? 0 : 1),
      );
      const swapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      if (swapped) cost = Math.min(cost, cell(older, j - 2) + 1);
      row.push(cost);
    }
    older = previous;
    previous = row;
  }
  return cell(previous, b.length);
}

function cell(row: readonly number[], index: number): number {
  return row[index] ?? Number.POSITIVE_INFINITY;
}
