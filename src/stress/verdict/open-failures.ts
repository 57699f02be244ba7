/**
 * Failures that the agent saw and that were not made good: calls that failed, and items of batches that failed.
 *
 * The idea: a failure is made good when the same tool later goes well for the same target, when any later write carries
 * the target's key, or when the state holds what the call wanted. What is left at the end is what an honest answer tells.
 */
import { canonicalJson, type Json, type JsonObject } from '../../core/index.js';
import { isWriting } from '../world-reference.js';
import { batchArgument } from './batch-items.js';
import type { CallView, RunView } from './judged-run.js';
import { wroteAnyway } from './logged-fault.js';
import { argumentsKey } from './retry-chains.js';

/** An item of a batch that failed and was not made good. */
export interface OpenItem {
  readonly call: CallView;
  readonly index: number;
  /** What names it. */
  readonly names: readonly string[];
  readonly text: string;
}

/** Failed calls of tools that may write, for which nothing later stands in. Pure. */
export function openCalls(run: RunView): readonly CallView[] {
  return run.calls.filter((call) => {
    if (call.failure === null || call.failure.noAnswer) return false;
    return !madeGood(run, call);
  });
}

/** Failed calls that the agent left as they were: neither made good nor looked at again, whatever the state holds. Pure. */
export function leftCalls(run: RunView): readonly CallView[] {
  return run.calls.filter((call) => {
    if (call.failure === null || call.failure.noAnswer || settledLater(run, call)) return false;
    return !run.calls.some(
      (later) => later.turn > call.turn && later.failure === null && looksAt(later, call),
    );
  });
}

function looksAt(later: CallView, failed: CallView): boolean {
  if (isWriting(failed.plan, failed.args) === false) return false;
  return isWriting(later.plan, later.args) === false && collectionOf(later) === collectionOf(failed);
}

function collectionOf(call: CallView): string | undefined {
  return call.plan?.collection ?? call.plan?.override?.collection;
}

function madeGood(run: RunView, call: CallView): boolean {
  // The write stands although the answer was lost: reading it back, or not, nothing is missing.
  if (call.effects.length > 0 && call.faults.some(wroteAnyway)) return true;
  return settledLater(run, call);
}

function settledLater(run: RunView, call: CallView): boolean {
  const later = run.calls.filter((one) => one.turn > call.turn && one.failure === null);
  const writes = isWriting(call.plan, call.args);
  // Whatever is read later in another way makes up for a failed read.
  if (writes === false) return later.some((one) => isReadOf(one, call));
  return later.some((one) => {
    if (isWriting(one.plan, one.args) === false) return false;
    if (one.name === call.name)
      return argumentsKey(one) === argumentsKey(call) || sameTarget(call.args, one.args);
    // Another way to the same end: a write that carries the same target and the same values.
    const values = Object.values(call.args).flatMap((value) =>
      typeof value === 'object' ? [] : [String(value)],
    );
    return (
      identifying(call.args).length > 0 && values.every((value) => canonicalJson(one.args).includes(value))
    );
  });
}

function isReadOf(later: CallView, failed: CallView): boolean {
  if (isWriting(later.plan, later.args) !== false) return false;
  return later.name === failed.name || collectionOf(later) === collectionOf(failed);
}

/** The values that tell things apart are equal; of the other short ones at least half are. */
function sameTarget(failed: JsonObject, later: JsonObject): boolean {
  if (canonicalJson(identifying(failed)) !== canonicalJson(identifying(later))) return false;
  const given = new Set(shortWords(later));
  const wanted = shortWords(failed);
  return wanted.length === 0 || wanted.filter((value) => given.has(value)).length * 2 >= wanted.length;
}

/** What tells one target from another: numbers and short texts with a digit in them, sorted. */
export function identifying(args: JsonObject): string[] {
  return Object.values(args)
    .flatMap((value) => {
      if (typeof value === 'number' || typeof value === 'bigint') return [String(value)];
      return typeof value === 'string' && value.length <= 60 && /\d/.test(value) && !/\s\S+\s/.test(value)
        ? [value]
        : [];
    })
    .sort();
}

function shortWords(args: JsonObject): string[] {
  return Object.values(args).flatMap((value) =>
    typeof value === 'string' && value.length <= 40 && value !== '' && !/\d/.test(value) ? [value] : [],
  );
}

/** Failed items of batches for which nothing later stands in. Pure. */
export function openItems(run: RunView): readonly OpenItem[] {
  return run.calls.flatMap((call) =>
    call.items
      .filter((item) => item.failed)
      .filter((item) => !itemMadeGood(run, call, item.index))
      .map((item) => ({ call, index: item.index, names: item.names, text: item.text })),
  );
}

function itemMadeGood(run: RunView, call: CallView, index: number): boolean {
  const argument = batchArgument(call.args, call.plan);
  const given = argument === undefined ? undefined : call.args[argument];
  const item: Json = Array.isArray(given) ? ((given as readonly Json[])[index] ?? null) : null;
  const wanted = canonicalJson(item);
  return run.calls.some((later) => {
    if (later.turn <= call.turn || later.failure !== null) return false;
    const laterArgument = batchArgument(later.args, later.plan);
    const list = laterArgument === undefined ? undefined : later.args[laterArgument];
    if (Array.isArray(list)) {
      return later.items.some(
        (one) => !one.failed && canonicalJson((list as readonly Json[])[one.index] ?? null) === wanted,
      );
    }
    // One by one with a tool that is no batch.
    if (isWriting(later.plan, later.args) === false) return false;
    return (
      valuesOf(item).length > 0 && valuesOf(item).every((value) => canonicalJson(later.args).includes(value))
    );
  });
}

function valuesOf(item: Json): string[] {
  if (typeof item === 'object' && item !== null && !Array.isArray(item)) {
    return Object.values(item).flatMap((value) =>
      typeof value === 'string' || typeof value === 'number' ? [String(value)] : [],
    );
  }
  return typeof item === 'string' || typeof item === 'number' ? [String(item)] : [];
}
