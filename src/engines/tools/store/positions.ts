/**
 * A set of whole numbers that never changes in place, and that knows how many of them stand before a given one.
 *
 * A radix tree of fan-out 32 with 32-bit words as leaves; each inner node knows its size, so adding, removing, ranking
 * and picking by rank take one walk down (at most five levels for 2^30), and a version shares all but that walk with
 * the one before. A word holds 32 neighbours, so a set of a million numbers in a row takes about 40,000 words.
 * Not covered: numbers below 0 or from 2^30.
 */

/** An inner node: how many numbers are below it, and its 32 children. */
interface Node {
  readonly size: number;
  readonly kids: readonly Tree[];
}

/** At height 0 a word of 32 bits, above it a node; 0 stands for nothing at every height. */
type Tree = Node | number;

const BITS = 5;
const FAN_OUT = 32;

/** A persistent set of whole numbers, smallest first. */
export class Positions {
  private constructor(
    private readonly root: Tree,
    /** Levels of inner nodes above the words. */
    private readonly height: number,
  ) {}

  /** The empty set. */
  static readonly none = new Positions(0, 0);

  /** The set of these numbers, in any order. */
  static of(numbers: Iterable<number>): Positions {
    let set = Positions.none;
    const words = new Map<number, number>();
    for (const number of numbers) {
      const word = number >>> BITS;
      words.set(word, (words.get(word) ?? 0) | bitOf(number));
    }
    const ordered = [...words].sort(([a], [b]) => a - b);
    if (ordered.length === 0) return set;
    let level = ordered.map(([at, tree]): [number, Tree] => [at, tree]);
    let height = 0;
    while (level.length > 1 || (level[0]?.[0] ?? 0) > 0) {
      level = raised(level);
      height += 1;
    }
    set = new Positions(level[0]?.[1] ?? 0, height);
    return set;
  }

  /** How many numbers there are. */
  get size(): number {
    return sizeOf(this.root);
  }

  /** The set with this number. */
  add(number: number): Positions {
    let { root, height } = this;
    while (number >= capacity(height)) {
      root = root === 0 ? 0 : nodeOf([root]);
      height += 1;
    }
    const next = changed(root, height, { number, add: true });
    return next === this.root ? this : new Positions(next, height);
  }

  /** The set without this number. */
  remove(number: number): Positions {
    if (number >= capacity(this.height)) return this;
    const next = changed(this.root, this.height, { number, add: false });
    return next === this.root ? this : new Positions(next, this.height);
  }

  /** Whether the number is in the set. */
  has(number: number): boolean {
    return this.rank(number + 1) > this.rank(number);
  }

  /** How many numbers of the set are smaller than this one. */
  rank(number: number): number {
    if (number >= capacity(this.height)) return this.size;
    let tree = this.root;
    let before = 0;
    for (let height = this.height; typeof tree !== 'number'; height--) {
      const at = digitOf(number, height);
      for (let index = 0; index < at; index++) before += sizeOf(tree.kids[index] ?? 0);
      tree = tree.kids[at] ?? 0;
    }
    return tree === 0 ? before : before + bitCount(tree & (bitOf(number) - 1));
  }

  /** Up to `count` numbers from the one of this rank (from 0) on, smallest first. */
  slice(start: number, count: number): number[] {
    const found: number[] = [];
    if (count > 0) collect(this.root, { height: this.height, base: 0, skip: start, count, found });
    return found;
  }

  /** The numbers of both sets. */
  union(other: Positions): Positions {
    if (this.height < other.height) return other.union(this);
    let right = other.root;
    for (let height = other.height; height < this.height; height++) right = right === 0 ? 0 : nodeOf([right]);
    return new Positions(joined(this.root, right), this.height);
  }
}

interface Change {
  readonly number: number;
  readonly add: boolean;
}

/** The tree after a change; the same tree where nothing changed. */
function changed(tree: Tree, height: number, change: Change): Tree {
  if (height === 0) {
    const word = typeof tree === 'number' ? tree : 0;
    return change.add ? word | bitOf(change.number) : word & ~bitOf(change.number);
  }
  const kids = typeof tree === 'number' ? [] : tree.kids;
  const at = digitOf(change.number, height);
  const old = kids[at] ?? 0;
  const next = changed(old, height - 1, change);
  if (next === old) return tree;
  const copy = kids.slice();
  while (copy.length < at) copy.push(0);
  copy[at] = next;
  return nodeOf(copy);
}

interface Collecting {
  readonly height: number;
  /** The smallest number that may stand in this tree. */
  readonly base: number;
  /** Numbers still to be passed over. */
  skip: number;
  readonly count: number;
  readonly found: number[];
}

/** Collects from a tree; answers how many numbers are still to be passed over. */
function collect(tree: Tree, from: Collecting): number {
  const size = sizeOf(tree);
  if (size <= from.skip) return from.skip - size;
  let { skip } = from;
  if (typeof tree === 'number') {
    for (let bit = 0; bit < FAN_OUT && from.found.length < from.count; bit++) {
      if ((tree & (1 << bit)) === 0) continue;
      if (skip > 0) skip -= 1;
      else from.found.push(from.base + bit);
    }
    return skip;
  }
  const height = from.height - 1;
  for (const [index, kid] of tree.kids.entries()) {
    if (from.found.length >= from.count) break;
    skip = collect(kid, { ...from, height, base: from.base + index * capacity(height), skip });
  }
  return skip;
}

function joined(left: Tree, right: Tree): Tree {
  if (left === 0 || left === right) return right;
  if (right === 0) return left;
  if (typeof left === 'number' || typeof right === 'number') return (left as number) | (right as number);
  const length = Math.max(left.kids.length, right.kids.length);
  return nodeOf(
    Array.from({ length }, (_none, index) => joined(left.kids[index] ?? 0, right.kids[index] ?? 0)),
  );
}

/** The trees of one level put under the nodes of the next. */
function raised(level: readonly (readonly [number, Tree])[]): [number, Tree][] {
  const groups = new Map<number, Tree[]>();
  for (const [at, tree] of level) {
    const kids = groups.get(at >>> BITS) ?? [];
    groups.set(at >>> BITS, kids);
    while (kids.length < at % FAN_OUT) kids.push(0);
    kids.push(tree);
  }
  return Array.from(groups, ([at, kids]): [number, Tree] => [at, nodeOf(kids)]);
}

function nodeOf(kids: readonly Tree[]): Tree {
  const size = kids.reduce<number>((sum, kid) => sum + sizeOf(kid), 0);
  return size === 0 ? 0 : { size, kids };
}

function sizeOf(tree: Tree): number {
  return typeof tree === 'number' ? bitCount(tree) : tree.size;
}

function capacity(height: number): number {
  return 2 ** (BITS * (height + 1));
}

function digitOf(number: number, height: number): number {
  return (number >>> (BITS * height)) % FAN_OUT;
}

function bitOf(number: number): number {
  return 1 << (number % FAN_OUT);
}

/** How many bits are set; the usual sum over pairs, fours and eights. */
function bitCount(word: number): number {
  let bits = word - ((word >>> 1) & 0x55555555);
  bits = (bits & 0x33333333) + ((bits >>> 2) & 0x33333333);
  return Math.imul((bits + (bits >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}
