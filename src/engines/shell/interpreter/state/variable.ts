/**
 * One variable: its text or array, and its attributes.
 */
import { AssociativeArray, IndexedArray } from './arrays.js';

/** Attributes, as bits. */
export const ATTRIBUTE = {
  exported: 1,
  readonly: 2,
  integer: 4,
  lower: 8,
  upper: 16,
  reference: 32,
  indexed: 64,
  associative: 128,
  traced: 256,
  capitalised: 512,
} as const;

const LETTERS: readonly (readonly [string, number])[] = [
  ['a', ATTRIBUTE.indexed],
  ['A', ATTRIBUTE.associative],
  ['i', ATTRIBUTE.integer],
  ['n', ATTRIBUTE.reference],
  ['r', ATTRIBUTE.readonly],
  ['t', ATTRIBUTE.traced],
  ['x', ATTRIBUTE.exported],
  ['c', ATTRIBUTE.capitalised],
  ['l', ATTRIBUTE.lower],
  ['u', ATTRIBUTE.upper],
];

/** A variable of the shell. */
export class Variable {
  /** The text of a scalar; undefined when it is unset. */
  text: string | undefined;
  array: IndexedArray | AssociativeArray | undefined;
  attributes = 0;
  /** The array is shared with another shell and is copied before it changes. */
  private isShared = false;

  constructor(text?: string, attributes = 0) {
    this.text = text;
    this.attributes = attributes;
  }

  has(attribute: number): boolean {
    return (this.attributes & attribute) !== 0;
  }

  get isIndexed(): boolean {
    return (this.attributes & ATTRIBUTE.indexed) !== 0;
  }

  get isAssociative(): boolean {
    return (this.attributes & ATTRIBUTE.associative) !== 0;
  }

  get isArray(): boolean {
    return (this.attributes & (ATTRIBUTE.indexed | ATTRIBUTE.associative)) !== 0;
  }

  /** What the plain name gives: the text, or element 0 of an array. */
  get value(): string | undefined {
    if (!this.isArray) return this.text;
    if (this.array instanceof IndexedArray) return this.array.get(0);
    return this.array?.get('0');
  }

  /** Whether the variable has a value of any kind. */
  get isSet(): boolean {
    return this.isArray ? this.array !== undefined : this.text !== undefined;
  }

  /** The letters of the attributes in bash's order. */
  letters(): string {
    return LETTERS.filter(([, bit]) => this.has(bit))
      .map(([letter]) => letter)
      .join('');
  }

  /** The array, ready to be changed. */
  mutableArray(): IndexedArray | AssociativeArray {
    if (this.array === undefined)
      this.array = this.isAssociative ? new AssociativeArray() : new IndexedArray();
    else if (this.isShared) this.array = this.array.copy();
    this.isShared = false;
    return this.array;
  }

  /** Makes an array of a scalar; its text becomes element 0. */
  becomeArray(kind: 'indexed' | 'associative'): void {
    if (this.isArray) return;
    this.attributes |= ATTRIBUTE[kind];
    if (this.text === undefined) return;
    if (kind === 'indexed') this.array = new IndexedArray([this.text]);
    else {
      this.array = new AssociativeArray();
      this.array.set('0', this.text);
    }
    this.text = undefined;
  }

  /** A copy for another shell or scope; arrays are shared until one side changes them. */
  copy(): Variable {
    const copy = new Variable(this.text, this.attributes);
    if (this.array !== undefined) {
      copy.array = this.array;
      copy.isShared = true;
      this.isShared = true;
    }
    return copy;
  }
}
