/**
 * What is wrong with a list of faults, as data that a loader can place in a file.
 */

/** One mistake: where in the list of faults it is, what it is and what to do. */
export interface FaultProblem {
  /** Keys and indexes from the list of faults down, for example `[0, 'with', 'secnds']`. */
  readonly path: readonly (string | number)[];
  /** Names the value seen and the value wanted. */
  readonly message: string;
  /** The nearest known name, for an unknown one. */
  readonly nearest?: string;
  /** The fault is one for this domain and waits for its engine; a world may name it, and cannot be opened with it. */
  readonly planned?: true;
}
