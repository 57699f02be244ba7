/**
 * Delta debugging: the smallest part of a list that still does it, by trying halves, then quarters, then single items.
 *
 * The result is 1-minimal: without any one of its items it does not do it any more (as far as the budget of tries went).
 * Source: Zeller and Hildebrandt, "Simplifying and Isolating Failure-Inducing Input", 2002 (ddmin).
 */

/** Shrinks `items`, for which `breaks` holds. `breaks` gives null when no tries are left; then what was found so far stays. */
export async function minimise<T>(
  items: readonly T[],
  breaks: (part: readonly T[]) => Promise<boolean | null>,
): Promise<readonly T[]> {
  let current = items;
  let parts = 2;
  while (current.length > 1) {
    const smaller = await tryParts(current, parts, breaks);
    if (smaller === null) return current;
    if (smaller !== undefined) {
      parts = smaller.length < current.length / 2 + 1 ? 2 : Math.max(parts - 1, 2);
      current = smaller;
    } else if (parts >= current.length) return current;
    else parts = Math.min(current.length, parts * 2);
  }
  return current;
}

/** A part, or the rest without a part, that still breaks; undefined for none, null when no tries are left. */
async function tryParts<T>(
  items: readonly T[],
  parts: number,
  breaks: (part: readonly T[]) => Promise<boolean | null>,
): Promise<readonly T[] | null | undefined> {
  const size = Math.ceil(items.length / parts);
  const chunks = Array.from({ length: Math.ceil(items.length / size) }, (_, n) => n * size);
  const candidates = [
    ...chunks.map((from) => items.slice(from, from + size)),
    ...(chunks.length > 2
      ? chunks.map((from) => [...items.slice(0, from), ...items.slice(from + size)])
      : []),
  ];
  for (const candidate of candidates) {
    const broken = await breaks(candidate);
    if (broken === null) return null;
    if (broken) return candidate;
  }
  return undefined;
}
