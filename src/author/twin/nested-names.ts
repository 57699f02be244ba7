/**
 * What things with parts are called in a world: two collections, and the fields that tie them.
 */

/** The collections of wholes and parts, and the fields that tie them. */
export interface NestedNames {
  readonly wholes: string;
  readonly parts: string;
  readonly wholeKey: string;
  readonly partKey: string;
  /** The field of a part that names its whole. */
  readonly ref: string;
}
