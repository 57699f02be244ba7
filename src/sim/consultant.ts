/**
 * The Host's side of operations that are asked about in place: starts of programs, reads and writes of files.
 *
 * They happen by the thousand, so an operation that no fault looks at costs a few tests of names, and what one step logs is
 * bounded. Not covered: models and facts; a program that nobody computes asks for itself.
 */
import type { FaultCounters, FaultDecision, FaultPhase, FaultSchedule } from '../control/index.js';
import type {
  Answer,
  AppliedFault,
  Consultant,
  ConsultReply,
  InapplicableFault,
  Operation,
  OperationKind,
} from '../core/index.js';

const PROCEED: ConsultReply = { do: 'proceed' };
const CONSULTED: ReadonlySet<OperationKind> = new Set(['proc.start', 'file.read', 'file.write']);
/** Strikes on such operations that one step logs. */
const MOST_LOGGED = 200;

/** What a consultant uses of its Host. */
export interface ConsultingHost {
  readonly applied: AppliedFault[];
  readonly skipped: InapplicableFault[];
  readonly counters: () => FaultCounters;
  readonly decide: (
    op: Operation,
    phase: FaultPhase,
    seen: { readonly answer?: Answer; readonly wrote: boolean },
  ) => FaultDecision | null;
}

/** A consultant for the faults of a schedule; undefined where none looks at such operations. */
export function createConsultant(schedule: FaultSchedule, host: ConsultingHost): Consultant | undefined {
  const listens = schedule.listens().filter((kind) => CONSULTED.has(kind));
  if (listens.length === 0) return undefined;
  const decide = (op: Operation, phase: FaultPhase, answer?: Answer): ConsultReply => {
    if (!schedule.looksAt(op)) return PROCEED;
    const [struck, skipped] = [host.applied.length, host.skipped.length];
    const fault = host.decide(op, phase, {
      wrote: phase === 'after',
      ...(answer !== undefined && { answer }),
    });
    // A loop of commands can meet a fault without end; what is logged of one step is not.
    if (host.applied.length > MOST_LOGGED) host.applied.length = Math.max(struck, MOST_LOGGED);
    if (host.skipped.length > MOST_LOGGED) host.skipped.length = Math.max(skipped, MOST_LOGGED);
    const reply = fault?.reply ?? PROCEED;
    return reply.do === 'abstain' ? PROCEED : reply;
  };
  return {
    listens,
    before: (op) => {
      const reply = decide(op, 'before');
      if (reply.do === 'answer' || !schedule.awaits(op, host.counters())) return reply;
      return { ...reply, watch: true };
    },
    after: (op, answer) => decide(op, 'after', answer),
  };
}
