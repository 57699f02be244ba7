/**
 * Which unit of a prediction stands for which unit of the real observation.
 *
 * First units that are equal (metadata aside) in their order, by the longest common subsequence; then, in the gaps
 * between them, units of the same kind and id, then of the same kind by their order; then equal ones that moved. What is
 * left is missing or extra. The subsequence is exact while the tables stay below a bound, beyond it equal units are
 * paired from both ends and by their number.
 */
import type { ObservationUnit } from './observation-units.js';

/** Cells of the table of the exact subsequence. */
const MAX_CELLS = 250_000;

/** Two units that stand for one another. */
export interface UnitPair {
  readonly real: ObservationUnit;
  readonly said: ObservationUnit;
  /** It stands at another place among the others. */
  readonly moved: boolean;
}

/** All units of two observations, paired or alone. */
export interface UnitAlignment {
  readonly pairs: readonly UnitPair[];
  readonly missing: readonly ObservationUnit[];
  readonly extra: readonly ObservationUnit[];
}

/** Pairs the units of two observations. */
export function alignUnits(
  real: readonly ObservationUnit[],
  said: readonly ObservationUnit[],
): UnitAlignment {
  const anchors = commonUnits(real, said);
  const pairs: UnitPair[] = [];
  const missing: ObservationUnit[] = [];
  const extra: ObservationUnit[] = [];
  let atReal = 0;
  let atSaid = 0;
  for (const [i, j] of [...anchors, [real.length, said.length] as const]) {
    const gap = pairGap(real.slice(atReal, i), said.slice(atSaid, j));
    pairs.push(...gap.pairs);
    missing.push(...gap.missing);
    extra.push(...gap.extra);
    const [a, b] = [real[i], said[j]];
    if (a !== undefined && b !== undefined) pairs.push({ real: a, said: b, moved: false });
    atReal = i + 1;
    atSaid = j + 1;
  }
  return takeMoved(pairs, missing, extra);
}

function keyOf({ kind, id, path, masked }: ObservationUnit): string {
  return `${path}\u0000${kind}\u0000${id}\u0000${masked}`;
}

/** Places of equal units in both lists, rising in both. */
function commonUnits(
  real: readonly ObservationUnit[],
  said: readonly ObservationUnit[],
): readonly (readonly [number, number])[] {
  const a = real.map(keyOf);
  const b = said.map(keyOf);
  let start = 0;
  while (start < a.length && start < b.length && a[start] === b[start]) start++;
  let endA = a.length;
  let endB = b.length;
  while (endA > start && endB > start && a[endA - 1] === b[endB - 1]) {
    endA--;
    endB--;
  }
  const head = Array.from({ length: start }, (_, at) => [at, at] as const);
  const tail = Array.from({ length: a.length - endA }, (_, at) => [endA + at, endB + at] as const);
  const cells = (endA - start) * (endB - start);
  const middle =
    cells === 0
      ? []
      : cells <= MAX_CELLS
        ? longest(a, b, [start, endA, endB])
        : greedy(a, b, [start, endA, endB]);
  return [...head, ...middle, ...tail];
}

type Range = readonly [start: number, endA: number, endB: number];

function longest(a: readonly string[], b: readonly string[], [start, endA, endB]: Range) {
  const rows = endA - start;
  const columns = endB - start;
  const lengths = new Uint16Array((rows + 1) * (columns + 1));
  const at = (i: number, j: number): number => i * (columns + 1) + j;
  for (let i = rows - 1; i >= 0; i--) {
    for (let j = columns - 1; j >= 0; j--) {
      lengths[at(i, j)] =
        a[start + i] === b[start + j]
          ? (lengths[at(i + 1, j + 1)] ?? 0) + 1
          : Math.max(lengths[at(i + 1, j)] ?? 0, lengths[at(i, j + 1)] ?? 0);
    }
  }
  const found: (readonly [number, number])[] = [];
  for (let i = 0, j = 0; i < rows && j < columns; ) {
    if (a[start + i] === b[start + j]) found.push([start + i++, start + j++]);
    else if ((lengths[at(i + 1, j)] ?? 0) >= (lengths[at(i, j + 1)] ?? 0)) i++;
    else j++;
  }
  return found;
}

/** The next equal unit of the other list each time: linear, and no worse than in order for texts that keep theirs. */
function greedy(a: readonly string[], b: readonly string[], [start, endA, endB]: Range) {
  const places = new Map<string, number[]>();
  for (let j = endB - 1; j >= start; j--) {
    const key = b[j] ?? '';
    const known = places.get(key);
    if (known === undefined) places.set(key, [j]);
    else known.push(j);
  }
  const found: (readonly [number, number])[] = [];
  let next = start;
  for (let i = start; i < endA; i++) {
    const waiting = places.get(a[i] ?? '');
    while (waiting !== undefined && (waiting.at(-1) ?? endB) < next) waiting.pop();
    const j = waiting?.pop();
    if (j === undefined) continue;
    found.push([i, j]);
    next = j + 1;
  }
  return found;
}

/** Pairs what stands between two equal units: by kind and id, then by kind. */
function pairGap(real: readonly ObservationUnit[], said: readonly ObservationUnit[]): UnitAlignment {
  const pairs: UnitPair[] = [];
  let missing = real;
  let extra = said;
  for (const key of [named, kindOf]) {
    const waiting = new Map<string, ObservationUnit[]>();
    for (const unit of extra) {
      const name = key(unit);
      if (name === null) continue;
      const known = waiting.get(name);
      if (known === undefined) waiting.set(name, [unit]);
      else known.push(unit);
    }
    const taken = new Set<ObservationUnit>();
    const left: ObservationUnit[] = [];
    for (const unit of missing) {
      const name = key(unit);
      const other = name === null ? undefined : waiting.get(name)?.shift();
      if (other === undefined) left.push(unit);
      else {
        taken.add(other);
        pairs.push({ real: unit, said: other, moved: false });
      }
    }
    missing = left;
    extra = extra.filter((unit) => !taken.has(unit));
  }
  return { pairs, missing, extra };
}

const named = ({ kind, id, path }: ObservationUnit): string | null =>
  id === '' ? null : `${path}\u0000${kind}\u0000${id}`;
const kindOf = ({ kind, id, path }: ObservationUnit): string | null =>
  id === '' ? `${path}\u0000${kind}` : null;

/** Of what is left, equal units and units of one name are the same thing at another place. */
function takeMoved(
  pairs: readonly UnitPair[],
  missing: readonly ObservationUnit[],
  extra: readonly ObservationUnit[],
): UnitAlignment {
  const moved: UnitPair[] = [];
  let left = missing;
  let more = extra;
  for (const key of [keyOf, (unit: ObservationUnit) => named(unit) ?? '']) {
    const waiting = new Map<string, ObservationUnit[]>();
    for (const unit of more) {
      const known = waiting.get(key(unit));
      if (known === undefined) waiting.set(key(unit), [unit]);
      else known.push(unit);
    }
    const taken = new Set<ObservationUnit>();
    left = left.filter((unit) => {
      const other = key(unit) === '' ? undefined : waiting.get(key(unit))?.shift();
      if (other === undefined) return true;
      taken.add(other);
      moved.push({ real: unit, said: other, moved: true });
      return false;
    });
    more = more.filter((unit) => !taken.has(unit));
  }
  return { pairs: [...pairs, ...moved], missing: left, extra: more };
}
