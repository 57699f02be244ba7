/**
 * Carries out the faults on a call's write once the call has ended: it is not kept, written over, or done twice.
 *
 * Control said what should happen; whether it did is seen in the state. Where nothing changes (a service that knows
 * the call again by its idempotency key) the fault is not applicable.
 */
import type { DeferredFault } from '../control/index.js';
import type {
  AppliedFault,
  EngineSession,
  FaultedRow,
  InapplicableFault,
  ParsedAction,
  RunContext,
} from '../core/index.js';
import { type ChangedRow, changedRows } from './changed-rows.js';
import { runPlainly } from './plain-run.js';

/** A call that has ended. */
export interface EndedCall {
  /** The state before it; not changed. */
  readonly before: EngineSession;
  readonly after: EngineSession;
  readonly action: ParsedAction;
  readonly context: RunContext;
}

/** What came of one fault. */
export interface SettledFault {
  readonly session: EngineSession;
  readonly applied?: AppliedFault;
  readonly skipped?: InapplicableFault;
}

/** Carries out one fault. */
export function settleFault(deferred: DeferredFault, call: EndedCall): SettledFault {
  const { effect, applied } = deferred;
  if (effect.kind === 'repeat') return repeated(applied, call);
  const rows = changedRows(call.before.view(), call.after.view());
  if (rows.length === 0) return skipped(call.after, applied, 'the call changed nothing');
  if (effect.kind === 'forget') {
    return { session: call.before.fork(), applied: { ...applied, rows: rows.map(named) } };
  }
  const left = rows.filter(({ change }) => change !== 'deleted');
  const session = call.after.fork();
  const written = session.change(
    left.map(({ collection, row }) => ({ collection, change: 'updated', row, set: effect.set })),
  );
  if (!written.ok) return skipped(call.after, applied, written.error);
  if (changedRows(call.after.view(), session.view()).length === 0) {
    return skipped(call.after, applied, 'the rows have these values already');
  }
  return { session, applied: { ...applied, rows: written.value } };
}

function repeated(applied: AppliedFault, call: EndedCall): SettledFault {
  const session = call.after.fork();
  const outcome = runPlainly(session, call.action, call.context);
  const rows = changedRows(call.after.view(), session.view());
  if (outcome.status !== 'ok' || rows.length === 0) {
    return skipped(call.after, applied, 'the second delivery changed nothing');
  }
  return { session, applied: { ...applied, rows: rows.map(named) } };
}

function named({ collection, key, change }: ChangedRow): FaultedRow {
  return { collection, key, change };
}

function skipped(session: EngineSession, applied: AppliedFault, why: string): SettledFault {
  const { kind, index, phase, operation } = applied;
  return { session, skipped: { kind, index, phase, operation, why } };
}
