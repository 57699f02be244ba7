/**
 * Indexed and associative arrays of the shell.
 *
 * The idea: an indexed array is a map from index to text, in order of index whenever it is read; an associative one is
 * bash's own hash table, because its order of keys is what `${!m[@]}` and `declare -p` show. Both are copied when a
 * subshell changes one that it shares with its parent. Source: the order as observed in bash 5.2 (FNV-1, 1024 buckets).
 */
import { toBytes } from '../../kernel/index.js';

/** Most elements of one array. */
const MAX_ELEMENTS = 2_000_000;

/** An array with numbers as subscripts. */
export class IndexedArray {
  private items: Map<number, string>;
  private isSorted = true;
  private last = -1;

  constructor(values: Iterable<string> = []) {
    this.items = new Map();
    for (const value of values) this.set(this.last + 1, value);
  }

  /** How many elements are set. */
  get size(): number {
    return this.items.size;
  }

  /** The highest index that is set, or -1. */
  get highest(): number {
    this.sort();
    return this.last;
  }

  get(index: number): string | undefined {
    return this.items.get(index);
  }

  set(index: number, value: string): void {
    if (this.items.size >= MAX_ELEMENTS && !this.items.has(index))
      throw new RangeError('too many array elements');
    if (index < this.last && !this.items.has(index)) this.isSorted = false;
    if (index > this.last) this.last = index;
    this.items.set(index, value);
  }

  delete(index: number): void {
    this.items.delete(index);
    if (index === this.last) {
      this.last = -1;
      for (const key of this.items.keys()) if (key > this.last) this.last = key;
    }
  }

  private sort(): void {
    if (this.isSorted) return;
    this.items = new Map([...this.items].sort((one, other) => one[0] - other[0]));
    this.isSorted = true;
  }

  values(): string[] {
    this.sort();
    return [...this.items.values()];
  }

  keys(): string[] {
    this.sort();
    return [...this.items.keys()].map(String);
  }

  entries(): [string, string][] {
    this.sort();
    return [...this.items].map(([key, value]) => [String(key), value]);
  }

  copy(): IndexedArray {
    const copy = new IndexedArray();
    copy.items = new Map(this.items);
    copy.isSorted = this.isSorted;
    copy.last = this.last;
    return copy;
  }
}

/** bash's hash of a text, as an unsigned number. */
function hashOfText(text: string): number {
  let hash = 2166136261;
  for (const byte of toBytes(text)) {
    hash = Math.imul(hash, 16777619);
    hash ^= byte >= 0x80 ? byte - 0x100 : byte;
  }
  return hash >>> 0;
}

/** Keys in the order of a hash table of bash that starts with `buckets` buckets. */
export function hashOrder(keys: Iterable<string>, buckets: number): string[] {
  const list = [...keys];
  let size = buckets;
  while (list.length > size * 2) size *= 4;
  const byBucket = new Map<number, string[]>();
  for (const key of list) {
    const bucket = hashOfText(key) & (size - 1);
    const members = byBucket.get(bucket);
    if (members === undefined) byBucket.set(bucket, [key]);
    else members.unshift(key);
  }
  return [...byBucket.keys()]
    .sort((one, other) => one - other)
    .flatMap((bucket) => byBucket.get(bucket) ?? []);
}

const ASSOCIATIVE_BUCKETS = 1024;

/** An array with texts as subscripts. */
export class AssociativeArray {
  private items = new Map<string, string>();
  private order: string[] | undefined;

  get size(): number {
    return this.items.size;
  }

  get(key: string): string | undefined {
    return this.items.get(key);
  }

  set(key: string, value: string): void {
    if (!this.items.has(key)) {
      if (this.items.size >= MAX_ELEMENTS) throw new RangeError('too many array elements');
      this.order = undefined;
    }
    this.items.set(key, value);
  }

  delete(key: string): void {
    if (this.items.delete(key)) this.order = undefined;
  }

  keys(): string[] {
    this.order ??= hashOrder(this.items.keys(), ASSOCIATIVE_BUCKETS);
    return this.order;
  }

  values(): string[] {
    return this.keys().map((key) => this.items.get(key) ?? '');
  }

  entries(): [string, string][] {
    return this.keys().map((key) => [key, this.items.get(key) ?? '']);
  }

  copy(): AssociativeArray {
    const copy = new AssociativeArray();
    copy.items = new Map(this.items);
    return copy;
  }
}
