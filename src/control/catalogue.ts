/**
 * The fault catalogue: every kind, by name.
 *
 * One entry per kind, in alphabetical order. Nothing else in the package lists kinds.
 */
import { errorFault } from './catalogue/error.js';
import { partialFailureFault } from './catalogue/partial-failure.js';
import { timeoutFault } from './catalogue/timeout.js';
import type { FaultKind } from './fault-kind.js';

/** All kinds of faults by name. */
export const FAULT_KINDS: ReadonlyMap<string, FaultKind> = new Map(
  [errorFault, partialFailureFault, timeoutFault].map((kind) => [kind.name, kind]),
);
