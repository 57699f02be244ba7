/**
 * One compiled fault: a kind with its parameters, and the tests that say what it looks at and when it fires.
 */
import type { Operation, OperationKind } from '../core/index.js';
import type { FaultKind, FaultPhase } from './fault-kind.js';
import type { FaultMoment } from './fault-when.js';

/** One compiled fault. */
export interface ScheduledFault {
  readonly kind: FaultKind;
  readonly phase: FaultPhase;
  /** The operations it looks at. */
  readonly operation: OperationKind;
  readonly parameters: unknown;
  readonly max: number;
  readonly perBatch: boolean;
  /** Nothing in the schedule ends it. */
  readonly permanent: boolean;
  readonly matches: (op: Operation) => boolean;
  readonly fires: (moment: FaultMoment) => boolean;
  /** The tools that end the fault by answering well. */
  readonly healedBy?: (tool: string) => boolean;
}
