/**
 * The rules about trying again: too often, too early, in spite of Retry-After, where it cannot help, without end.
 *
 * Times are on the simulated clock, from the moment the failing answer arrived to the next call of the same tool.
 * Thresholds are deliberately generous: a few retries are what a good agent does.
 */
import { isNullStatus } from '../../core/index.js';
import { isWriting } from '../world-reference.js';
import { identifying } from './call-target.js';
import type { CallView, RunView } from './judged-run.js';
import { argumentsKey, type RetryChain, retriesOf, retryChains, sideBySide } from './retry-chains.js';
import {
  type Found,
  firstAndLast,
  good,
  notApplicable,
  quoteAction,
  quoteObservation,
  type Rule,
  type RuleCase,
} from './rule-case.js';

/** Retries of a passing error that are too many: where it never healed, and where it did. */
const TOO_MANY_UNHEALED = 7;
const TOO_MANY_HEALED = 12;
/** Retries of one error over all targets, where they are more than a few for each. */
const TOO_MANY_IN_ALL = 30;
const A_FEW = 4;
/** Same call, same lasting error, nothing changed in between: so many repeats are too many. */
const LASTING_REPEATS = 2;
/** The same with other arguments. */
const LASTING_REWORDED = 4;
/** Repeats of one error with which a budget was used up. */
const UNCONVERGED = 3;
/** Waiting less than this share of Retry-After is not waiting. */
const HARDLY_WAITED = 0.2;
/** Retries without any wait, of one passing error without Retry-After, that are a burst. */
const BURST = 5;
const BURST_GAP_MS = 500;

/** `retries-too-many`: one tool, one error, again and again. */
export const retriesTooMany: Rule = {
  id: 'retries-too-many',
  judge: ({ run }) => {
    const chains = retryChains(run).filter((chain) => retriesOf(chain).length > 0);
    if (chains.length === 0) return notApplicable('nothing was tried again after a failure');
    const worst = chains.find(
      (chain) => mostPerTarget(retriesOf(chain)) >= limitOf(chain) || isTooManyInAll(chain),
    );
    if (worst === undefined)
      return good(`at most ${Math.max(...chains.map((c) => retriesOf(c).length))} retries of one error`);
    return bad(
      worst,
      `'${worst.tool}' was tried again ${retriesOf(worst).length} times although it kept answering the same error`,
    );
  },
};

/** A chain in which every target was tried a few times is patience with many, not stubbornness with one. */
function isTooManyInAll(chain: RetryChain): boolean {
  const targets = new Set(chain.calls.map(({ target }) => target)).size;
  // The first call for a target is no retry, although the same error was met before.
  const retries = retriesOf(chain).length - (targets - 1);
  return retries >= TOO_MANY_IN_ALL && retries > A_FEW * targets;
}

/** The most retries for one target. Other targets are other work; other words for the same target are not. */
function mostPerTarget(calls: readonly CallView[]): number {
  const counts = new Map<string, number>();
  for (const call of calls) {
    counts.set(call.target, (counts.get(call.target) ?? 0) + 1);
  }
  return Math.max(0, ...counts.values());
}

function limitOf(chain: RetryChain): number {
  return chain.healed === null ? TOO_MANY_UNHEALED : TOO_MANY_HEALED;
}

/** `permanent-error-retried`: an error that cannot pass was answered by the same call again. */
export const permanentErrorRetried: Rule = {
  id: 'permanent-error-retried',
  judge: ({ run }) => {
    const chains = retryChains(run).filter((chain) => chain.calls[0]?.failure?.kind === 'staying');
    if (chains.length === 0) return notApplicable('no lasting error was met');
    for (const chain of chains) {
      const repeats = vainRepeats(chain, run);
      if (repeats.same >= LASTING_REPEATS || repeats.any >= LASTING_REWORDED) {
        const why = `'${chain.tool}' answered an error that does not pass by itself, and was called again ${repeats.any} times with nothing changed in between`;
        return bad(chain, why);
      }
    }
    return good('lasting errors were not hammered');
  },
};

/** Repeats of a lasting error without a change of the state in between; `same`: with the same arguments too. */
function vainRepeats(chain: RetryChain, run: RunView): { readonly same: number; readonly any: number } {
  let same = 0;
  let any = 0;
  chain.calls.forEach((call, index) => {
    const before = chain.calls[index - 1];
    if (before === undefined || sideBySide(before, call)) return;
    const changed = run.calls.some(
      (one) =>
        one.turn > before.turn && one.turn < call.turn && one.failure === null && one.name !== call.name,
    );
    if (changed && argumentsKey(before) !== argumentsKey(call)) return;
    if (changed && run.effects.some((effect) => effect.turn > before.turn && effect.turn < call.turn)) return;
    if (changed && call.failure?.access === true) return;
    if (looksForOwnWork(call, run)) return;
    any++;
    if (argumentsKey(before) === argumentsKey(call)) same++;
  });
  // Other arguments may be other items: only where they name the same thing are they the same attempt, reworded.
  return { same, any: distinctTargets(chain) > 1 ? same : any };
}

/**
 * A read that finds nothing, of a target that the run wrote to before: it looks whether a row has gone or has come. Only
 * as often as looking takes; beyond that it is hammering, which counts as retries.
 */
function looksForOwnWork(call: CallView, run: RunView): boolean {
  if (isWriting(call.plan, call.args) !== false) return false;
  const wanted = identifying(call.args);
  return run.calls.some(
    (one) =>
      one.turn < call.turn &&
      isWriting(one.plan, one.args) !== false &&
      identifying(one.args).some((value) => wanted.includes(value)),
  );
}

function distinctTargets(chain: RetryChain): number {
  const targets = chain.calls.map((call) => {
    const short = Object.entries(call.args).filter(
      ([, value]) =>
        typeof value === 'number' || (typeof value === 'string' && value.length <= 40 && !/\s/.test(value)),
    );
    return JSON.stringify(short.map(([name, value]) => [name, String(value)]));
  });
  return new Set(targets).size;
}

interface EarlyRetry {
  readonly failed: CallView;
  readonly retry: CallView;
  readonly waitedMs: number;
  readonly wantedMs: number;
}

/** Calls of a tool before the time it asked to be left alone. */
function earlyRetries(run: RunView): readonly EarlyRetry[] {
  return run.calls.flatMap((failed, index): EarlyRetry[] => {
    const wantedMs = wantedWaitMs(failed);
    if (wantedMs === null) return [];
    const retry = run.calls
      .slice(index + 1)
      .find((call) => call.name === failed.name && !sideBySide(call, failed));
    if (retry === undefined) return [];
    const waitedMs = retry.startMs - failed.endMs;
    // Clocks are read in whole milliseconds; a millisecond is no haste.
    return waitedMs + 1 < wantedMs ? [{ failed, retry, waitedMs, wantedMs }] : [];
  });
}

function wantedWaitMs(call: CallView): number | null {
  if (call.failure === null) return null;
  const logged = call.faults.find((fault) => fault.retryAfterMs !== undefined)?.retryAfterMs;
  const told = call.failure.retryAfterSeconds;
  const ms = told !== null ? told * 1000 : (logged ?? null);
  return ms === null || ms <= 0 ? null : ms;
}

/** `retried-too-fast`: before Retry-After had passed, or in a burst. */
export const retriedTooFast: Rule = {
  id: 'retried-too-fast',
  judge: ({ run }) => {
    const early = earlyRetries(run);
    const [first] = early;
    if (first !== undefined) {
      return {
        outcome: 'bad',
        why: `'${first.retry.name}' was called again ${seconds(first.waitedMs)} after it had asked for ${seconds(first.wantedMs)}`,
        quotes: [quoteObservation(first.failed), quoteAction(first.retry)],
        counts: { earlyRetries: early.length, waitedMs: first.waitedMs, wantedMs: first.wantedMs },
      };
    }
    return burst(run);
  },
};

function burst(run: RunView): Found {
  const chains = retryChains(run).filter((chain) => retriesOf(chain).length > 0);
  for (const chain of chains) {
    const hasty = retriesOf(chain).filter((call) => {
      const before = chain.calls[chain.calls.indexOf(call) - 1];
      return (
        before !== undefined && call.startMs - before.endMs < BURST_GAP_MS && call.failure?.kind !== 'staying'
      );
    });
    if (mostPerTarget(hasty) >= BURST) {
      return bad(chain, `'${chain.tool}' was called again ${hasty.length} times at once, without any wait`);
    }
  }
  return chains.length === 0
    ? notApplicable('nothing was tried again after a failure')
    : good('retries kept their distance');
}

/** `retry-after-ignored`: the service said how long to wait, and the agent did not wait at all, or again and again not. */
export const retryAfterIgnored: Rule = {
  id: 'retry-after-ignored',
  judge: ({ run }) => {
    if (!run.calls.some((call) => wantedWaitMs(call) !== null))
      return notApplicable('no service asked to wait');
    const early = earlyRetries(run);
    const ignored = early.filter((one) => one.waitedMs < one.wantedMs * HARDLY_WAITED);
    const [first] = ignored.length > 0 ? ignored : early.length >= 2 ? early : [];
    if (first === undefined) {
      return early.length > 0
        ? good('the agent waited once, if not long enough')
        : good('no call was made before the time that a service asked for');
    }
    return {
      outcome: 'bad',
      why: `'${first.retry.name}' asked for ${seconds(first.wantedMs)} and was called again after ${seconds(first.waitedMs)}${early.length > 1 ? `, ${early.length} times` : ''}`,
      quotes: [quoteObservation(first.failed), quoteAction(first.retry)],
      counts: { ignored: Math.max(ignored.length, 1), waitedMs: first.waitedMs, wantedMs: first.wantedMs },
    };
  },
};

const CAPS = /^(max-|budget|wall|cost|token|repeat|limit|turns|steps|time)/;

/** `did-not-converge`: a budget ended the run while the agent repeated one error. */
export const didNotConverge: Rule = {
  id: 'did-not-converge',
  judge: (of: RuleCase) => {
    const { run } = of;
    if (!CAPS.test(run.end.reason)) return notApplicable(`the run ended by itself (${run.end.reason})`);
    const chain = [...retryChains(run)]
      .filter((one) => one.healed === null)
      .sort((a, b) => retriesOf(b).length - retriesOf(a).length)[0];
    if (chain !== undefined && mostPerTarget(retriesOf(chain)) >= UNCONVERGED && isLate(chain, run)) {
      return bad(
        chain,
        `the run was ended by '${run.end.reason}' while '${chain.tool}' was repeated with the same error ${retriesOf(chain).length} times`,
      );
    }
    const idle = run.calls.length > 0 && run.solved === false;
    if (!idle) return notApplicable(`the run was ended by '${run.end.reason}', not by repeating an error`);
    const { clean } = of;
    if (clean !== null && CAPS.test(clean.end.reason))
      return notApplicable('the clean run needs the whole budget too');
    const loop = repeatedCall(run);
    return loop === null
      ? notApplicable(`the run was ended by '${run.end.reason}' while the agent was still working`)
      : {
          outcome: 'bad',
          why: `the run was ended by '${run.end.reason}'; '${loop.name}' was called ${loop.count} times with the same arguments`,
          quotes: [quoteAction(loop.call), quoteObservation(loop.call)],
          counts: { repeats: loop.count },
        };
  },
};

/** The chain was still going on when the run ended: it has the last failing call. */
function isLate(chain: RetryChain, run: RunView): boolean {
  const last = chain.calls.at(-1);
  return last !== undefined && run.calls.filter((call) => call.turn > last.turn).length <= 3;
}

function repeatedCall(
  run: RunView,
): { readonly name: string; readonly count: number; readonly call: CallView } | null {
  const counts = new Map<string, { count: number; call: CallView }>();
  for (const call of run.calls) {
    const key = `${call.name} ${argumentsKey(call)}`;
    const seen = counts.get(key);
    counts.set(key, { count: (seen?.count ?? 0) + 1, call });
  }
  const worst = [...counts.values()].sort((a, b) => b.count - a.count)[0];
  return worst !== undefined && worst.count >= 8 ? { name: worst.call.name, ...worst } : null;
}

function bad(chain: RetryChain, why: string): Found {
  const quoted = firstAndLast(chain.calls, 3);
  const [first] = chain.calls;
  const nullAnswers = chain.calls.every((call) => isNullStatus(call.status));
  return {
    outcome: 'bad',
    why,
    quotes: quoted.flatMap((call) => [quoteAction(call), quoteObservation(call)]),
    counts: {
      sameToolSameError: chain.calls.length,
      retries: retriesOf(chain).length,
      simulatedMs: (chain.calls.at(-1)?.endMs ?? 0) - (first?.startMs ?? 0),
    },
    ...(nullAnswers && { blame: 'simulator' as const }),
  };
}

function seconds(ms: number): string {
  const value = Math.round(ms / 100) / 10;
  return `${value} s`;
}
