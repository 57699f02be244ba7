/**
 * Quotas: how many calls, successes or new rows there may be in a window of simulated time.
 *
 * The use of a quota is part of the state and counted per group (`by`). Calls count when they arrive, also those that
 * fail later; a call that is refused by a quota does not count. Successes and rows count when the call succeeded; a
 * call that would create too many rows is undone. Sources: RFC 6585 (429), RFC 9110 (Retry-After).
 */
import { canonicalJson } from '../../../core/index.js';
import { evaluate, evaluateTemplate } from '../run/overrides-rules.js';
import { type Call, ToolFailure } from '../run/run-call.js';
import type { QuotaSpec } from '../spec-service.js';
import type { QuotaUse } from '../store/store.js';
import type { NamedQuota } from './policy.js';

/**
 * Charges a call as it arrives; raises a {@link ToolFailure} `rate-limit` where a quota is used up. A call that repeats
 * a kept answer does nothing, so only quotas of calls stop it; `repeats` is asked only where that matters.
 */
export function chargeCall(call: Call, quotas: readonly NamedQuota[], repeats: () => boolean): void {
  const charges = quotas.map((quota) => {
    const name = countName(call, quota);
    const use = usedIn(quota.spec, call.state.quotas.get(name) ?? [], call.nowMs);
    const isFull = sum(use) >= quota.spec.max;
    if (isFull && (quota.spec.count === 'calls' || !repeats())) throw beyond(call, quota, use);
    return { name, use, counts: quota.spec.count === 'calls' ? 1 : 0, spec: quota.spec };
  });
  for (const { name, use, counts, spec } of charges) {
    if (counts === 0) continue;
    const next = withUse(call, name, added(spec, use, { atMs: call.nowMs, amount: counts }));
    call.state = next(call.state);
    call.base = next(call.base);
  }
}

/** Charges what a call that succeeded did; raises a {@link ToolFailure} `rate-limit` where it was too much. */
export function chargeSuccess(call: Call, quotas: readonly NamedQuota[]): void {
  for (const quota of quotas) {
    const { spec } = quota;
    const amount = spec.count === 'successes' ? 1 : spec.count === 'rows' ? call.created : 0;
    if (amount === 0) continue;
    const name = countName(call, quota);
    const use = usedIn(spec, call.state.quotas.get(name) ?? [], call.nowMs);
    if (sum(use) + amount > spec.max) throw beyond(call, quota, use);
    call.state = withUse(call, name, added(spec, use, { atMs: call.nowMs, amount }))(call.state);
  }
}

function withUse(_call: Call, name: string, use: QuotaUse) {
  return (state: Call['state']): Call['state'] => ({ ...state, quotas: state.quotas.set(name, use) });
}

function countName(call: Call, { name, spec }: NamedQuota): string {
  if (spec.by === undefined) return name;
  return `${name} ${canonicalJson(evaluate(call, spec.by, { args: call.args }))}`;
}

function sum(use: QuotaUse): number {
  return use.reduce((total, [, amount]) => total + amount, 0);
}

/** The part of a quota's use that counts now. */
function usedIn(spec: QuotaSpec, use: QuotaUse, nowMs: number): QuotaUse {
  const [first] = use;
  if (first === undefined) return use;
  const lengthMs = spec.perSeconds * 1000;
  if (spec.window === 'sliding') return use.filter(([atMs]) => atMs > nowMs - lengthMs);
  return windowEnd(spec, first[0]) > nowMs ? use : [];
}

function windowEnd(spec: QuotaSpec, startMs: number): number {
  const lengthMs = spec.perSeconds * 1000;
  return (spec.window === 'fixed' ? Math.floor(startMs / lengthMs) * lengthMs : startMs) + lengthMs;
}

function added(
  spec: QuotaSpec,
  use: QuotaUse,
  what: { readonly atMs: number; readonly amount: number },
): QuotaUse {
  const [first] = use;
  const last = use.at(-1);
  if (spec.window !== 'sliding') return [[first?.[0] ?? what.atMs, sum(use) + what.amount]];
  if (last?.[0] === what.atMs) return [...use.slice(0, -1), [what.atMs, last[1] + what.amount]];
  return [...use, [what.atMs, what.amount]];
}

function beyond(call: Call, { spec, name }: NamedQuota, use: QuotaUse): ToolFailure {
  const [first] = use;
  const startMs = first?.[0] ?? call.nowMs;
  const endMs = spec.window === 'sliding' ? startMs + spec.perSeconds * 1000 : windowEnd(spec, startMs);
  const retryAfterSeconds = Math.max(1, Math.ceil((endMs - call.nowMs) / 1000));
  const what = spec.count === 'rows' ? 'new rows' : 'calls';
  const message =
    spec.error === undefined
      ? `Rate limit exceeded: at most ${spec.max} ${what} in ${spec.perSeconds} seconds; try again in ${retryAfterSeconds} seconds`
      : evaluateTemplate(call, spec.error, { args: call.args, retryAfter: retryAfterSeconds });
  return new ToolFailure(message, 'rate-limit', ['rate-limited'], { retryAfterSeconds, field: name });
}
