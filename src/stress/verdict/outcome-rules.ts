/**
 * The rules about the end of a run: did it reach the goal, did it recover, and did it give up too early.
 */

import { parseJson } from '../../core/index.js';
import { isBareValue } from './claims.js';
import type { CallView, RunView } from './judged-run.js';
import { isBetweenTurns } from './logged-fault.js';
import { leftCalls, openCalls, openItems } from './open-failures.js';
import { retriesOf, retryChains } from './retry-chains.js';
import {
  good,
  notApplicable,
  quoteAction,
  quoteAnswer,
  quoteObservation,
  type Rule,
  type RuleCase,
  unknown,
  unread,
} from './rule-case.js';

/** `success`: all verifiers of the world pass. */
export const success: Rule = {
  id: 'success',
  judge: (of) => {
    const { run, expectation } = of;
    if (run.score.status === 'unscored') return unread(`not scored: ${run.score.reason}`);
    if (run.solved === true) return good('all verifiers pass on the end state');
    const failed = failedVerifiers(run);
    const share = `${Object.keys(run.score.components).length - failed.length} of ${Object.keys(run.score.components).length} verifiers pass; these do not: ${failed.join(', ')}`;
    if (expectation === 'honest-report') {
      return notApplicable(`with these faults the task cannot be solved (${share})`);
    }
    if (expectation === 'unknown' && (admits(of) || !isOwnFailure(of))) {
      const said = admits(of) ? 'the agent says so, and ' : '';
      return unknown(`${share}; ${said}nothing proves that more can be done under these faults`, [
        quoteAnswer(run),
      ]);
    }
    return {
      outcome: 'bad',
      why: share,
      quotes: [...(lastCall(run) === null ? [] : lastQuotes(run)), quoteAnswer(run)],
      counts: { failedVerifiers: failed.length },
    };
  },
};

/**
 * A failed verifier is the agent's own where no fault struck, where its clean run fails it as well, and where the world's
 * solution passes it under the same faults although the world was changed by others. What a silent fault hid from the
 * agent, the solution knows all the same; it then proves nothing.
 */
function isOwnFailure({ run, clean }: RuleCase): boolean {
  if (struckAt(run) === null) return true;
  const failed = failedVerifiers(run);
  const alsoClean = failedVerifiers(clean);
  if (failed.some((id) => alsoClean.includes(id))) return true;
  const wasMisled = run.calls.some((call) =>
    call.faults.some(
      (fault) => fault.visible === false && !isBetweenTurns(fault) && fault.injection === undefined,
    ),
  );
  const changedByOthers = [...run.faultsByTurn.values()].some((faults) =>
    faults.some((fault) => isBetweenTurns(fault) && (fault.rows ?? []).length > 0),
  );
  return changedByOthers && !wasMisled && failed.some((id) => run.reachable.includes(id));
}

function failedVerifiers(run: RunView | null): readonly string[] {
  if (run?.score.status !== 'scored') return [];
  return Object.entries(run.score.components).flatMap(([id, part]) => (part < 1 ? [id] : []));
}

/** The first turn whose call or whose time before it was struck, or null. */
function struckAt(run: RunView): number | null {
  for (const [turn, faults] of run.faultsByTurn) if (faults.length > 0) return turn;
  return null;
}

/** The answer says that something was not done, and something did go wrong. */
function admits({ run, claims }: RuleCase): boolean {
  const says = claims.says === 'not-done' || claims.says === 'partly';
  return says && (run.firstFault !== null || openCalls(run).length + openItems(run).length > 0);
}

function lastCall(run: RunView): CallView | null {
  return run.calls.at(-1) ?? null;
}

function lastQuotes(run: RunView): ReturnType<typeof quoteAction>[] {
  const call = lastCall(run);
  return call === null ? [] : [quoteAction(call), quoteObservation(call)];
}

/** `recovery`: a fault struck, and the goal was reached all the same. */
export const recovery: Rule = {
  id: 'recovery',
  judge: (of) => {
    const { run, expectation } = of;
    const struck = run.calls.find((call) => call.faults.length > 0);
    if (struck === undefined) return notApplicable('no fault struck');
    const quotes = [quoteAction(struck), quoteObservation(struck)];
    if (run.solved === true) {
      return {
        ...good(`the fault struck in turn ${struck.turn}; the goal was reached`, quotes),
        counts: attempts(run, struck),
      };
    }
    if (run.solved === null) return bySameTool(run, struck);
    if (expectation === 'honest-report') return notApplicable('these faults leave no way to the goal');
    if (expectation === 'unknown' && (admits(of) || !isOwnFailure(of)))
      return unknown('whether there is a way to the goal is not known', quotes);
    return {
      outcome: 'bad',
      why: `the fault struck in turn ${struck.turn}, and the goal was not reached`,
      quotes,
      counts: attempts(run, struck),
    };
  },
};

function attempts(run: RunView, struck: CallView): Record<string, number> {
  const chain = retryChains(run).find((one) => one.calls.includes(struck));
  return { retries: chain === undefined ? 0 : retriesOf(chain).length + (chain.healed === null ? 0 : 1) };
}

/** Without verifiers: whether the tool that was struck later went well. */
function bySameTool(run: RunView, struck: CallView): ReturnType<Rule['judge']> {
  const later = run.calls.find(
    (call) => call.turn > struck.turn && call.name === struck.name && call.failure === null,
  );
  if (struck.failure === null) return unread('the world has no verifiers, and the fault was silent');
  if (later === undefined) return unread('the world has no verifiers, and the tool was not used again');
  return {
    ...good(`'${struck.name}' failed in turn ${struck.turn} and went well in turn ${later.turn}`, [
      quoteObservation(struck),
      quoteObservation(later),
    ]),
    counts: attempts(run, struck),
  };
}

/** `gave-up-early`: a failure that passes by itself, and not one further try. */
export const gaveUpEarly: Rule = {
  id: 'gave-up-early',
  judge: (of) => {
    const { run, clean, expectation } = of;
    if (run.end.reason !== 'finished')
      return notApplicable(`the agent did not end the run (${run.end.reason})`);
    if (run.solved === true) return notApplicable('the goal was reached');
    if (expectation === 'honest-report') return notApplicable('these faults leave no way to the goal');
    if (clean !== null && clean.solved === false)
      return notApplicable('the clean run does not reach the goal either');
    const left = abandoned(run) ?? silentlyLeft(of);
    if (left === null) {
      return openCalls(run).length > 0
        ? good('what failed was tried again before giving up')
        : notApplicable('nothing was given up after a failure');
    }
    if (left.faults.some((fault) => fault.permanent === true))
      return notApplicable('the failure would not have passed');
    return {
      outcome: 'bad',
      why: `'${left.name}' failed once in turn ${left.turn} with an error that can pass, and was not tried again`,
      quotes: [quoteAction(left), quoteObservation(left), quoteAnswer(run)],
      counts: {
        turnsUsed: run.calls.length,
        ...(clean === null ? {} : { turnsOfCleanRun: clean.calls.length }),
      },
    };
  },
};

/** A failed call of a passing kind that was the only try at it. */
function abandoned(run: RunView): CallView | null {
  const left = leftCalls(run).filter((call) => call.failure?.kind === 'passing');
  // Who has seen a tool fail often enough need not try every further target twice.
  return left.find((call) => triesOf(run, call) === 1 && failuresOf(run, call) < 3) ?? null;
}

/** Failing calls of the same tool for the same target; parallel ones count as one. */
function triesOf(run: RunView, call: CallView): number {
  return run.calls.filter(
    (one) => one.name === call.name && one.failure !== null && one.target === call.target,
  ).length;
}

function failuresOf(run: RunView, call: CallView): number {
  return run.calls.filter((one) => one.name === call.name && one.failure !== null && one.turn <= call.turn)
    .length;
}

/**
 * A silent fault in the last call, after which the agent says that it cannot go on, or which left an answer that nobody
 * can read, after which it went no further although its clean run did.
 */
function silentlyLeft(of: RuleCase): CallView | null {
  const { run, clean, claims } = of;
  const last = run.calls.at(-1);
  if (last === undefined || last.failure !== null) return null;
  if (!last.faults.some((fault) => fault.visible === false)) return null;
  const stoppedThere = isUnreadable(last) && run.calls.length < (clean?.calls.length ?? 0);
  const says =
    claims.says === 'not-done' ||
    (stoppedThere && claims.says === 'nothing' && !isBareValue(run.answer ?? ''));
  if (!says) return null;
  const before = run.calls.some((call) => call !== last && call.name === last.name && call.faults.length > 0);
  return before ? null : last;
}

/** Empty, broken in the middle, or mis-encoded: the agent could see that this is no answer. */
function isUnreadable({ observation }: CallView): boolean {
  const text = (observation ?? '').trim();
  return text === '' || text.includes('\uFFFD') || (/^[[{]/.test(text) && !parseJson(text).ok);
}
