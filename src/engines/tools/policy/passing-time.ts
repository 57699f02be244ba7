/**
 * Brings the state up to the simulated time: carries out every scheduled transition that is due.
 *
 * In the order of their moments, each with the clock at its moment, side effects included, however often a row comes
 * due again meanwhile. Nobody calls here, so the Host is not asked and no fault strikes. A transition that cannot be
 * carried out (a rule fails, a value is taken, the row would still be due at the same moment) leaves its row as it is
 * and flags the call `transition-failed`. A call lets time pass first; whoever looks at the state between calls uses
 * `stateAt`.
 */
import { LIMITS, type RunContext } from '../../../core/index.js';
import type { ToolDefinition } from '../../../domains/index.js';
import type { ToolWorld } from '../engine-world.js';
import { evaluateSet } from '../run/overrides.js';
import { Call, runAlone, StopCall, ToolFailure } from '../run/run-call.js';
import { updateRow } from '../run/run-ops.js';
import { removeRow } from '../run/run-rows.js';
import type { Collection } from '../service.js';
import { rowsOf, type StoreState } from '../store/store.js';
import { type DueRow, dueRows } from '../store/store-due.js';
import { collectionNamed } from '../store/store-integrity.js';
import type { TimedRule } from './timed-rules.js';

interface Due {
  readonly collection: Collection;
  readonly rule: TimedRule;
  readonly due: DueRow;
}

/** Rows whose transition failed in this call, by transition. */
type Failed = Map<TimedRule, Set<string>>;

/** Carries out what is due; the call's state, and what a failure goes back to, are then up to date. */
export function letTimePass(call: Call): void {
  const { timed } = call.world.policy;
  if (timed.length === 0) return;
  const failed: Failed = new Map();
  let count = 0;
  for (let next = earliest(call, failed); next !== undefined; next = earliest(call, failed)) {
    count += 1;
    if (count > LIMITS.operationsPerStep) throw tooMany();
    if (carryOut(call, next)) continue;
    failed.set(next.rule, (failed.get(next.rule) ?? new Set()).add(next.due.key));
    call.flags.push('transition-failed');
  }
  call.base = call.state;
}

/** Who acts when nobody calls. */
const NOBODY: ToolDefinition = { name: 'time', inputSchema: { type: 'object' } };

/** A state brought up to a moment; the same state where nothing is due, or where too much is for one step. */
export function stateAt(world: ToolWorld, state: StoreState, context: RunContext): StoreState {
  if (world.policy.timed.length === 0) return state;
  const call = new Call(world, state, NOBODY, {}, context);
  try {
    letTimePass(call);
    return call.state;
  } catch (thrown) {
    if (!(thrown instanceof StopCall)) throw thrown;
    return state;
  }
}

function tooMany(): StopCall {
  const reason = `more than ${LIMITS.operationsPerStep} scheduled transitions are due (limit operationsPerStep)`;
  return new StopCall({ kind: 'null', status: 'limit', reason });
}

function earliest(call: Call, failed: Failed): Due | undefined {
  let best: Due | undefined;
  for (const name of call.world.policy.timed) {
    const collection = collectionNamed(call.world.model, name);
    if (collection === undefined) continue;
    for (const rule of call.world.policy.collections.get(name)?.timed ?? []) {
      const due = firstOf(call, { collection, rule }, failed);
      if (due !== undefined && (best === undefined || due.dueMs < best.due.dueMs))
        best = { collection, rule, due };
    }
  }
  return best;
}

function firstOf(call: Call, of: Omit<Due, 'due'>, failed: Failed): DueRow | undefined {
  const without = failed.get(of.rule);
  for (const due of dueRows(rowsOf(call.state, of.collection.name), of.rule, call.context.nowMs)) {
    call.spend(1);
    if (without?.has(due.key) !== true) return due;
  }
  return undefined;
}

/** True where the transition happened; the state is as before where it did not. */
function carryOut(call: Call, { collection, rule, due }: Due): boolean {
  const before = call.state;
  const { spec } = rule;
  call.momentMs = due.dueMs;
  call.depth += 1;
  try {
    if (spec.delete) runAlone(removeRow(call, collection, due.row));
    else {
      const row = call.world.completeRow(call, collection, due.row);
      const values = evaluateSet(call, spec.set, { args: {}, row });
      const change = { old: due.row, values: { values, argumentOf: {} } };
      const next = rule.dueMs(runAlone(updateRow(call, collection, change)).data);
      if (next !== undefined && next <= due.dueMs) {
        call.state = before;
        return false;
      }
    }
    return true;
  } catch (thrown) {
    if (!(thrown instanceof ToolFailure)) throw thrown;
    call.state = before;
    return false;
  } finally {
    call.momentMs = undefined;
    call.depth -= 1;
  }
}
