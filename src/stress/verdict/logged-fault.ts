/**
 * What the log says of an applied fault, read leniently: a record of an earlier version says less, and then the rules
 * know less.
 */
import { z } from 'zod';
import type { Turn } from '../../core/index.js';

const LoggedFaultSchema = z.looseObject({
  kind: z.string(),
  index: z.int().nonnegative(),
  phase: z.enum(['before', 'after']),
  operation: z.string(),
  /** Nothing in the schedule ends it. */
  permanent: z.boolean().optional(),
  /** The call's own change stands. */
  wrote: z.boolean().optional(),
  /** The agent is told of an error. */
  visible: z.boolean().optional(),
  /** HTTP status of the error, where the service said one. */
  status: z.int().optional(),
  retryAfterMs: z.number().nonnegative().optional(),
  injection: z
    .looseObject({
      text: z.string().optional(),
      demand: z
        .looseObject({ tool: z.string(), arguments: z.record(z.string(), z.unknown()).optional() })
        .optional(),
    })
    .optional(),
  rows: z
    .array(z.looseObject({ collection: z.string(), key: z.unknown(), change: z.string().optional() }))
    .optional(),
  detail: z.string().optional(),
});

/** One applied fault as the log has it. */
export type LoggedFault = z.infer<typeof LoggedFaultSchema>;

/** The faults of a turn; entries that cannot be read are left out. */
export function faultsOf(turn: Turn): readonly LoggedFault[] {
  const faults: unknown = turn.meta?.faults;
  if (!Array.isArray(faults)) return [];
  return faults.flatMap((fault: unknown): LoggedFault[] => {
    const parsed = LoggedFaultSchema.safeParse(fault);
    return parsed.success ? [parsed.data] : [];
  });
}

/** It did something to the world between two turns, whatever the agent was doing. */
export function isBetweenTurns(fault: LoggedFault): boolean {
  return fault.operation.startsWith('turn ');
}

/** The call's change stands although its answer was lost or is an error. */
export function wroteAnyway(fault: LoggedFault): boolean {
  return fault.wrote ?? fault.phase === 'after';
}
