/**
 * Maps and sets that are copied when somebody writes, not when a shell forks.
 *
 * The idea: a subshell gets the same table as its parent; whoever changes it first gets a copy of its own. Most subshells
 * change nothing. Iterating while writing sees what was there before, as with a copy.
 */

/** A map with a cheap copy. */
export class CopyMap<K, V> {
  private items: Map<K, V>;
  private isShared = false;

  constructor(entries?: Iterable<readonly [K, V]>) {
    this.items = new Map(entries);
  }

  /** An equal map that changes apart from this one; O(1). */
  copy(): CopyMap<K, V> {
    const copy = new CopyMap<K, V>();
    copy.items = this.items;
    copy.isShared = true;
    this.isShared = true;
    return copy;
  }

  get size(): number {
    return this.items.size;
  }

  get(key: K): V | undefined {
    return this.items.get(key);
  }

  has(key: K): boolean {
    return this.items.has(key);
  }

  set(key: K, value: V): this {
    this.own().set(key, value);
    return this;
  }

  delete(key: K): boolean {
    return this.items.has(key) && this.own().delete(key);
  }

  clear(): void {
    if (this.items.size === 0) return;
    this.items = new Map();
    this.isShared = false;
  }

  keys(): IterableIterator<K> {
    return this.items.keys();
  }

  values(): IterableIterator<V> {
    return this.items.values();
  }

  entries(): IterableIterator<[K, V]> {
    return this.items.entries();
  }

  [Symbol.iterator](): IterableIterator<[K, V]> {
    return this.items[Symbol.iterator]();
  }

  private own(): Map<K, V> {
    if (this.isShared) {
      this.items = new Map(this.items);
      this.isShared = false;
    }
    return this.items;
  }
}

/** A set with a cheap copy. */
export class CopySet<T> {
  private items: Set<T>;
  private isShared = false;

  constructor(values?: Iterable<T>) {
    this.items = new Set(values);
  }

  /** An equal set that changes apart from this one; O(1). */
  copy(): CopySet<T> {
    const copy = new CopySet<T>();
    copy.items = this.items;
    copy.isShared = true;
    this.isShared = true;
    return copy;
  }

  get size(): number {
    return this.items.size;
  }

  has(value: T): boolean {
    return this.items.has(value);
  }

  add(value: T): this {
    if (!this.items.has(value)) this.own().add(value);
    return this;
  }

  delete(value: T): boolean {
    return this.items.has(value) && this.own().delete(value);
  }

  [Symbol.iterator](): IterableIterator<T> {
    return this.items[Symbol.iterator]();
  }

  private own(): Set<T> {
    if (this.isShared) {
      this.items = new Set(this.items);
      this.isShared = false;
    }
    return this.items;
  }
}
