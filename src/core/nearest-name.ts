/**
 * The nearest known name to an unknown one, for messages that say "did you mean".
 *
 * Edit distance (Damerau's optimal string alignment: insert, delete, replace, swap neighbours), ignoring case.
 * Bounded: names longer than 200 units are compared by their first 200, names whose lengths alone are too far apart
 * are skipped, and the search stops after {@link MAX_CELLS} steps. Not covered: meaning.
 */

const MAX_UNITS = 200;
/** Cells of distance tables that one search may fill; some 40,000 pairs of ten letters. */
const MAX_CELLS = 4_000_000;

/**
 * The known name with the smallest edit distance, the first of equals; undefined when none is near enough or none is
 * known. Near enough is at most `maxDistance` edits; by default at most half of the longer name.
 */
export function nearestName(name: string, known: Iterable<string>, maxDistance?: number): string | undefined {
  let best: string | undefined;
  let bestDistance = Number.POSITIVE_INFINITY;
  let cells = 0;
  const wanted = name.slice(0, MAX_UNITS).toLowerCase();
  for (const candidate of known) {
    const other = candidate.slice(0, MAX_UNITS).toLowerCase();
    const allowed = Math.min(
      maxDistance ?? Math.max(wanted.length, other.length) / 2,
      bestDistance === Number.POSITIVE_INFINITY ? MAX_UNITS : bestDistance - 1,
    );
    cells += 1;
    if (cells > MAX_CELLS) break;
    if (Math.abs(wanted.length - other.length) > allowed) continue;
    cells += wanted.length * other.length;
    const distance = editDistance(wanted, other);
    if (distance > allowed) continue;
    best = candidate;
    bestDistance = distance;
  }
  return best;
}

function editDistance(a: string, b: string): number {
  let before: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const change = (last[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      let cost = Math.min((last[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1, change);
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) {
        cost = Math.min(cost, (before[j - 2] ?? 0) + 1);
      }
      row.push(cost);
    }
    before = last;
    last = row;
  }
  return last[b.length] ?? 0;
}
