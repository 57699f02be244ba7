/**
 * Associative arrays of awk with mawk's order of `for (key in array)`.
 *
 * The order is that of mawk's hash tables, which scripts' output shows: 64 lists that double when they hold twelve
 * entries each on average, entries put at the front of their list and moved there whenever they are found; whole
 * numbers have lists of their own until a string or a loop asks. Hash: FNV-1a, 32 bits. Source: the design that mawk
 * 1.3.4 documents in array.w.
 */
import type { AwkValue } from './values.js';

interface Entry {
  text: string | undefined;
  hash: number;
  /** The whole number it is known by. */
  whole: number | undefined;
  value: AwkValue;
}

const FIRST_LISTS = 64;
const LIST_LENGTH = 12;

function hashOf(text: string): number {
  let hash = 2_166_136_261;
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ (text.charCodeAt(at) & 0xff), 16_777_619);
  return hash >>> 0;
}

/** One array. */
export class AwkArray {
  size = 0;
  private lists = FIRST_LISTS;
  private byText: Entry[][] | undefined;
  private byNumber: Entry[][] | undefined;

  /** The entry of a key, made if `create`. */
  private find(key: string | number, create: boolean): Entry | undefined {
    if (this.size === 0 && !create) return undefined;
    return typeof key === 'number' ? this.findNumber(key, create) : this.findText(key, create);
  }

  /** The value at a key; the key exists afterwards. */
  get(key: string | number): AwkValue {
    return this.find(key, true)?.value;
  }

  /** Sets the value at a key. */
  set(key: string | number, value: AwkValue): void {
    const entry = this.find(key, true);
    if (entry !== undefined) entry.value = value;
  }

  /** True if the key exists. */
  has(key: string | number): boolean {
    return this.find(key, false) !== undefined;
  }

  /** Takes a key away. */
  delete(key: string | number): void {
    const entry = this.find(key, false);
    if (entry === undefined) return;
    if (--this.size === 0) {
      this.clear();
      return;
    }
    const drop = (list: Entry[] | undefined): void => {
      const at = list?.indexOf(entry) ?? -1;
      if (at >= 0) list?.splice(at, 1);
    };
    if (entry.text !== undefined) drop(this.byText?.[entry.hash & (this.lists - 1)]);
    if (entry.whole !== undefined) drop(this.byNumber?.[entry.whole & (this.lists - 1)]);
  }

  /** Empties the array. */
  clear(): void {
    this.size = 0;
    this.lists = FIRST_LISTS;
    this.byText = undefined;
    this.byNumber = undefined;
  }

  /** Makes the array hold values at 1, 2, 3 … */
  load(values: readonly AwkValue[]): void {
    this.clear();
    if (values.length === 0) return;
    while (values.length > this.lists * LIST_LENGTH) this.lists *= 2;
    const lists = this.emptyLists();
    values.forEach((value, at) => {
      lists[(at + 1) & (this.lists - 1)]?.unshift({ text: undefined, hash: 0, whole: at + 1, value });
    });
    this.byNumber = lists;
    this.size = values.length;
  }

  /** All keys in mawk's order. */
  keys(): string[] {
    if (this.size === 0) return [];
    return this.textLists().flatMap((list) => list.map((entry) => entry.text ?? ''));
  }

  private emptyLists(): Entry[][] {
    return Array.from({ length: this.lists }, () => []);
  }

  private textLists(): Entry[][] {
    if (this.byText !== undefined) return this.byText;
    const lists = this.emptyLists();
    for (const list of this.byNumber ?? [])
      for (const entry of list) {
        entry.text = String(entry.whole ?? 0);
        entry.hash = hashOf(entry.text);
        lists[entry.hash & (this.lists - 1)]?.unshift(entry);
      }
    this.byText = lists;
    return lists;
  }

  private findText(key: string, create: boolean): Entry | undefined {
    const hash = hashOf(key);
    const list = this.textLists()[hash & (this.lists - 1)] ?? [];
    const at = list.findIndex((entry) => entry.hash === hash && entry.text === key);
    const found = list[at];
    if (found !== undefined) {
      if (at > 0) {
        list.splice(at, 1);
        list.unshift(found);
      }
      return found;
    }
    if (!create) return undefined;
    const made: Entry = { text: key, hash, whole: undefined, value: undefined };
    this.grow();
    this.textLists()[hash & (this.lists - 1)]?.unshift(made);
    return made;
  }

  private findNumber(key: number, create: boolean): Entry | undefined {
    this.byNumber ??= this.emptyLists();
    const list = this.byNumber[key & (this.lists - 1)] ?? [];
    const at = list.findIndex((entry) => entry.whole === key);
    const found = list[at];
    if (found !== undefined) {
      if (at > 0) {
        list.splice(at, 1);
        list.unshift(found);
      }
      return found;
    }
    let entry: Entry | undefined;
    if (this.byText !== undefined) entry = this.findText(String(key), create);
    else if (create) {
      entry = { text: undefined, hash: 0, whole: key, value: undefined };
      this.grow();
    }
    if (entry === undefined) return undefined;
    entry.whole = key;
    this.byNumber[key & (this.lists - 1)]?.unshift(entry);
    return entry;
  }

  /** Counts one more entry; doubles the lists when they are full, each entry staying in order. */
  private grow(): void {
    if (++this.size <= this.lists * LIST_LENGTH) return;
    this.lists *= 2;
    const spread = (lists: Entry[][] | undefined, key: (entry: Entry) => number): Entry[][] | undefined => {
      if (lists === undefined) return undefined;
      const wider = this.emptyLists();
      for (const list of lists) for (const entry of list) wider[key(entry) & (this.lists - 1)]?.push(entry);
      return wider;
    };
    this.byText = spread(this.byText, (entry) => entry.hash);
    this.byNumber = spread(this.byNumber, (entry) => entry.whole ?? 0);
  }
}
