/**
 * One step of living through a recording: what the engine has in hand, and how the recorded effects enter its state.
 */
import { type EngineSession, type Json, type ToolCall, traced } from '../../core/index.js';
import type { CallTrial, Plan, ServiceModel } from '../../engines/index.js';
import type { Effects } from './learned-state.js';
import { changesBetween, type PlacedRow, type Rows, rowsOfView } from './rows-of-view.js';

/** Rows with their members in the order in which the engine makes such rows, so that all rows of a list agree. */
export function inEngineOrder(
  added: readonly PlacedRow[],
  of: StepOf,
  model: ServiceModel,
): readonly PlacedRow[] {
  const own = changesBetween(of.before, rowsOfView(of.trial.after.view(), model)).added;
  return added.map((placed) => {
    const order = own.find(({ collection }) => collection === placed.collection)?.row;
    if (order === undefined) return placed;
    const names = [
      ...Object.keys(order).filter((name) => Object.hasOwn(placed.row, name)),
      ...Object.keys(placed.row),
    ];
    return {
      ...placed,
      row: Object.fromEntries([...new Set(names)].map((name) => [name, placed.row[name] ?? null])),
    };
  });
}

/** One recorded call in the walk: the action, its plan, the rows before and what the engine makes of it. */
export interface StepOf {
  readonly action: ToolCall;
  readonly context: { readonly nowMs: number; readonly turn: number };
  readonly plan: Plan | undefined;
  readonly before: Rows;
  readonly trial: CallTrial;
}

/** Runs the call with an answer that brings the effects. */
export function apply(
  session: EngineSession,
  of: { readonly action: ToolCall; readonly context: StepOf['context']; readonly effects: Effects },
): void {
  const answer = {
    text: traced('', 'recorded'),
    isError: false,
    effects: of.effects as unknown as Json,
    effectsOrigin: 'recorded' as const,
  };
  const run = session.run(of.action, of.context);
  let next = run.next();
  while (next.done !== true)
    next = run.next(next.value.phase === 'before' ? { do: 'answer', answer } : { do: 'proceed' });
}
