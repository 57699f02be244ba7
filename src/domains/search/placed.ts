/**
 * A value with its place in the text.
 */

/** A value and where it stands, in UTF-16 units. */
export interface Placed<T> {
  readonly value: T;
  readonly start: number;
  readonly end: number;
}
