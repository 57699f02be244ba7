/**
 * What the rules of a service do around one call: before it (time, caller, quotas, permissions), after it (quotas of
 * what it did, the session it set).
 *
 * Order before: scheduled transitions that are due, the caller, quotas, permissions; then the call's own conditions.
 * The state in which time has gone by and quotas are charged is what a failing call goes back to.
 */
import type { JsonObject } from '../../../core/index.js';
import type { Call } from '../run/run-call.js';
import type { Facts } from '../run/run-facts.js';
import type { Plan } from '../service.js';
import { actAs, callerOf, sessionAfter } from './callers.js';
import { checkPermissions } from './permissions.js';
import type { ToolPolicy } from './policy.js';
import { chargeCall, chargeSuccess } from './quotas.js';

/** Callers found before the call, for its end: login → row. */
export type Admission = ReadonlyMap<number, JsonObject>;

/** Lets a call in, or raises a {@link ToolFailure}. `repeats`: the call's idempotency key holds an answer. */
export function admit(
  call: Call,
  policy: ToolPolicy,
  of: { readonly plan: Plan | undefined; readonly repeats: () => boolean },
): Admission {
  const { plan } = of;
  actAs(call, policy.logins);
  chargeCall(call, policy.quotas, of.repeats);
  if (policy.permissions.length > 0) {
    const main = plan?.override?.collection ?? plan?.collection;
    call.guard = checkPermissions(call, policy.permissions, main);
  }
  const callers = new Map<number, JsonObject>();
  for (const [index, login] of policy.logins.entries()) {
    const row = callerOf(call, login);
    if (row !== undefined) callers.set(index, row);
  }
  return callers;
}

/** Settles a call that succeeded; raises a {@link ToolFailure} where it did more than a quota allows. */
export function settle(
  call: Call,
  policy: ToolPolicy,
  done: { readonly facts: Facts | undefined; readonly admission: Admission },
): void {
  chargeSuccess(call, policy.quotas);
  for (const [index, login] of policy.logins.entries()) {
    if (login.as !== undefined) continue;
    const row = done.admission.get(index) ?? done.facts?.row;
    call.session = sessionAfter(call, login, { args: call.args, ...(row === undefined ? {} : { row }) });
    call.state = { ...call.state, session: call.session };
  }
}
