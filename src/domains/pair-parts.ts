/**
 * Which part of one observation is which part of another.
 *
 * Among siblings, parts are paired by kind, id and label, then by kind and label, then by kind and id, then by kind in
 * order where they have no id; what is left is paired anywhere in the tree by kind and label, so that a level put in between does not cost all
 * that is under it. Pairs that stand in another order than the rest are told. Linear but for sorting.
 */
import type { ObservationPart } from './domain-format.js';

/** Two parts that are the same thing. */
export interface PartPair {
  readonly expected: ObservationPart;
  readonly predicted: ObservationPart;
  /** It stands under another part, or in another order among its siblings. */
  readonly moved: boolean;
}

/** All pairs of two trees, parents first, and the parts without a partner, each with all that is under it told singly. */
export interface PartPairs {
  readonly pairs: readonly PartPair[];
  readonly missing: readonly ObservationPart[];
  readonly extra: readonly ObservationPart[];
}

/** Values that say what a part is called, the strongest first. */
const LABELS = ['name', 'title', 'text', 'url', 'value'];

/** What a part is called: its first telling value, or nothing. */
export function partLabel(part: ObservationPart): string {
  for (const name of LABELS) {
    const value = part.values.find((one) => one.name === name);
    if (value !== undefined && value.value !== '') return value.value;
  }
  return '';
}

type KeyOf = (part: ObservationPart) => string | null;

const SIBLING_KEYS: readonly KeyOf[] = [
  (part) => (part.id === undefined ? null : key(part.kind, part.id, partLabel(part))),
  (part) => (partLabel(part) === '' ? null : key(part.kind, partLabel(part))),
  (part) => (part.id === undefined ? null : key(part.kind, part.id)),
  // What has an id of its own is not another thing with another id.
  (part) => (part.id === undefined ? key(part.kind) : null),
];
const TREE_KEYS: readonly KeyOf[] = SIBLING_KEYS.slice(0, 2);

function key(...parts: readonly string[]): string {
  return parts.join('\u0000');
}

/** Pairs the parts of two observations. */
export function pairParts(
  expected: readonly ObservationPart[],
  predicted: readonly ObservationPart[],
): PartPairs {
  const pairs: PartPair[] = [];
  const left: ObservationPart[] = [];
  const right: ObservationPart[] = [];
  const todo: (readonly [readonly ObservationPart[], readonly ObservationPart[]])[] = [[expected, predicted]];
  const descend = (from: number): void => {
    for (const pair of pairs.slice(from)) todo.push([pair.expected.parts, pair.predicted.parts]);
  };
  for (let next = todo.pop(); next !== undefined; next = todo.pop()) {
    const from = pairs.length;
    const rest = pairLists(next[0], next[1], SIBLING_KEYS);
    // One by one: a list may be longer than a call takes arguments.
    for (const pair of inOrder(rest.pairs, next[1])) pairs.push(pair);
    for (const part of rest.left) left.push(part);
    for (const part of rest.right) right.push(part);
    descend(from);
  }
  const anywhere = pairLists(withInner(left), withInner(right), TREE_KEYS);
  for (const pair of anywhere.pairs) pairs.push({ ...pair, moved: true });
  return { pairs, missing: anywhere.left, extra: anywhere.right };
}

/** Parts with everything under them, one by one. */
function withInner(parts: readonly ObservationPart[]): readonly ObservationPart[] {
  const all: ObservationPart[] = [];
  const todo = [...parts].reverse();
  for (let part = todo.pop(); part !== undefined; part = todo.pop()) {
    all.push(part);
    for (let i = part.parts.length - 1; i >= 0; i--) todo.push(part.parts[i] as ObservationPart);
  }
  return all;
}

interface Pairing {
  readonly pairs: readonly { readonly expected: ObservationPart; readonly predicted: ObservationPart }[];
  readonly left: readonly ObservationPart[];
  readonly right: readonly ObservationPart[];
}

/** Pairs two lists by one key after the other; of several with one key the first with the first. */
function pairLists(
  expected: readonly ObservationPart[],
  predicted: readonly ObservationPart[],
  keys: readonly KeyOf[],
): Pairing {
  const partner = new Map<ObservationPart, ObservationPart>();
  let right = predicted;
  for (const keyOf of keys) {
    const waiting = new Map<string, ObservationPart[]>();
    for (const part of [...right].reverse()) {
      const own = keyOf(part);
      if (own !== null) addTo(waiting, own, part);
    }
    const taken = new Set<ObservationPart>();
    for (const part of expected) {
      const own = partner.has(part) ? null : keyOf(part);
      const found = own === null ? undefined : waiting.get(own)?.pop();
      if (found === undefined) continue;
      partner.set(part, found);
      taken.add(found);
    }
    right = right.filter((part) => !taken.has(part));
  }
  const pairs = expected.flatMap((part) => {
    const found = partner.get(part);
    return found === undefined ? [] : [{ expected: part, predicted: found }];
  });
  return { pairs, left: expected.filter((part) => !partner.has(part)), right };
}

/** Adds a value to the list of a key. */
export function addTo<T>(lists: Map<string, T[]>, name: string, value: T): void {
  const list = lists.get(name);
  if (list === undefined) lists.set(name, [value]);
  else list.push(value);
}

/** Marks the pairs that are not in the longest run of pairs in the same order. */
function inOrder(pairs: Pairing['pairs'], predicted: readonly ObservationPart[]): readonly PartPair[] {
  const place = new Map(predicted.map((part, i) => [part, i]));
  const places = pairs.map((pair) => place.get(pair.predicted) ?? 0);
  const kept = longestRun(places);
  return pairs.map((pair, i) => ({ ...pair, moved: !kept.has(i) }));
}

/** Indices of a longest increasing run of numbers that are all different. */
function longestRun(numbers: readonly number[]): ReadonlySet<number> {
  const ends: number[] = [];
  const before: number[] = [];
  for (const [i, number] of numbers.entries()) {
    let low = 0;
    let high = ends.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((numbers[ends[middle] ?? 0] ?? 0) < number) low = middle + 1;
      else high = middle;
    }
    before.push(low === 0 ? -1 : (ends[low - 1] ?? -1));
    ends[low] = i;
  }
  const run = new Set<number>();
  for (let at = ends.at(-1) ?? -1; at >= 0; at = before[at] ?? -1) run.add(at);
  return run;
}
