/**
 * Learns which tools that make rows overwrite a row that is there already.
 *
 * Evidence: a creation of what is there went well, and the recording contradicts itself less if its values are taken.
 */
import type { ShapeSpec } from '../../engines/index.js';
import type { LearnedFailures } from './learn-errors.js';
import type { LearnedState } from './learned-state.js';
import { looksFailed } from './soft-failures.js';

/** The failures, and of each tool that makes rows whether it overwrites. `live` lives through the recording with shapes. */
export function withOverwriting(
  failures: ReadonlyMap<string, LearnedFailures>,
  state: LearnedState,
  live: (shapes: Readonly<Record<string, ShapeSpec>>) => LearnedState,
): ReadonlyMap<string, LearnedFailures> {
  let known = failures;
  let least: number | undefined;
  for (const tool of failures.keys()) {
    if (!madeAgain(state, tool)) continue;
    least ??= live(Object.fromEntries(known)).conflicts.length;
    if (least === 0) break;
    const { ignores = [], ...rest } = known.get(tool) ?? {};
    const others = ignores.filter((kind) => kind !== 'exists');
    const trial = new Map(known).set(tool, {
      ...rest,
      ...(others.length > 0 && { ignores: others }),
      overwrites: true,
    });
    const { length } = live(Object.fromEntries(trial)).conflicts;
    if (length < least) {
      known = trial;
      least = length;
    }
  }
  return known;
}

function madeAgain({ sessions }: LearnedState, tool: string): boolean {
  return sessions.flat().some(({ call, plan, trial }) => {
    if (call.tool !== tool || plan?.op !== 'create' || looksFailed(call)) return false;
    if (trial.failure !== null) return trial.failure.kind === 'exists';
    const items = (
      trial.scope?.result as { readonly items?: readonly { readonly status?: string }[] } | undefined
    )?.items;
    return items?.some(({ status }) => status === 'exists') === true;
  });
}
