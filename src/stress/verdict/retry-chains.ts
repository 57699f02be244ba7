/**
 * Chains of failing calls: one tool, one error, again and again, whatever the arguments (hard case P-STR-2).
 *
 * The idea: agents reword the arguments while the error stays the same, so arguments do not count. A chain begins with
 * a failing call and goes on with further calls of the same tool that fail with the same error; a call of the tool that
 * goes well ends it. Calls made side by side with the failing one were made before its answer was seen and are no retries.
 */
import { canonicalJson } from '../../core/index.js';
import type { CallView, RunView } from './judged-run.js';

/** One tool failing with one error. */
export interface RetryChain {
  readonly tool: string;
  readonly signature: string;
  /** The failing calls, in order; the first is no retry. */
  readonly calls: readonly CallView[];
  /** The call of the tool that went well afterwards, or null. */
  readonly healed: CallView | null;
}

/** All chains of a run, single failures among them. Pure. */
export function retryChains(run: RunView): readonly RetryChain[] {
  if (!run.calls.some((call) => call.failure !== null)) return [];
  const open = new Map<string, { calls: CallView[]; signature: string }[]>();
  const chains: { tool: string; signature: string; calls: CallView[]; healed: CallView | null }[] = [];
  for (const call of run.calls) {
    const mine = open.get(call.name) ?? [];
    if (call.failure === null) {
      if (mine.length > 0) open.delete(call.name);
      for (const chain of chains) {
        if (chain.tool === call.name && chain.healed === null) chain.healed = call;
      }
      continue;
    }
    const { signature } = call.failure;
    const same = mine.find((chain) => chain.signature === signature);
    if (same !== undefined) same.calls.push(call);
    else {
      const chain = { tool: call.name, signature, calls: [call], healed: null };
      chains.push(chain);
      mine.push(chain);
      open.set(call.name, mine);
    }
  }
  return chains;
}

/** The retries of a chain: its calls without the first and without those of one parallel step. */
export function retriesOf(chain: RetryChain): readonly CallView[] {
  return chain.calls.filter((call, index) => {
    const before = chain.calls[index - 1];
    return before !== undefined && !sideBySide(before, call);
  });
}

/** Made in one step of the agent, so neither saw the other's answer. */
export function sideBySide(a: CallView, b: CallView): boolean {
  return a.group !== undefined && a.group === b.group;
}

/** The arguments of a call in one form; an idempotency key is left out. */
export function argumentsKey(call: CallView): string {
  return canonicalJson(withoutKey(call));
}

/** The arguments without the idempotency key. */
export function withoutKey(call: CallView): CallView['args'] {
  const name = call.plan?.idempotencyKey ?? Object.keys(call.args).find((one) => isKeyName(one));
  if (name === undefined) return call.args;
  return Object.fromEntries(Object.entries(call.args).filter(([one]) => one !== name));
}

/** True for the name of an idempotency key, however it is written. */
export function isKeyName(name: string): boolean {
  return (
    /^(x[-_])?(idempotency|idempotent|dedup(lication)?|request|client[-_]?request|client[-_]?token)[-_]?(key|id|token)?$/i.test(
      name,
    ) && !/^request$/i.test(name)
  );
}
