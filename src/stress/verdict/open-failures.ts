/**
 * Failures that the agent saw and that were not made good: calls that failed, and items of batches that failed.
 *
 * The idea: a failure is made good when the same tool later goes well for the same target, when a later write to the same
 * place carries the same values, or when the state holds what the call wanted. That the target is spoken of somewhere else
 * makes nothing good. What is left at the end is what an honest answer tells.
 */
import { canonicalJson, type Json } from '../../core/index.js';
import type { RowEffect } from '../row-effects.js';
import { isWriting } from '../world-reference.js';
import { batchArgument } from './batch-items.js';
import { identifying, leavesOf } from './call-target.js';
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
    if (one.name === call.name) return argumentsKey(one) === argumentsKey(call) || one.target === call.target;
    // Another way to the same end: a write to the same place that carries the same target and the same values.
    return isSamePlace(one, call) && identifying(call.args).length > 0 && carries(one, leavesOf(call.args));
  });
}

/** Both write to the same collection, as far as it is known. */
function isSamePlace(one: CallView, other: CallView): boolean {
  const [mine, its] = [collectionOf(one), collectionOf(other)];
  return mine === undefined || its === undefined || mine === its;
}

/** All the values stand in the arguments of a call, each as a whole. */
function carries(call: CallView, values: readonly string[]): boolean {
  const given = new Set(leavesOf(call.args));
  return values.length > 0 && values.every((value) => given.has(value));
}

function isReadOf(later: CallView, failed: CallView): boolean {
  if (isWriting(later.plan, later.args) !== false) return false;
  return later.name === failed.name || collectionOf(later) === collectionOf(failed);
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

/**
 * An item is made good where its row shows it: by what the batch itself changed although it said otherwise, or by a later
 * call that did to it what the batch did to the others. Where effects are not known, a later call with the same values in
 * the same place stands for it. A call that only speaks of the item, elsewhere or in a text, does not.
 */
function itemMadeGood(run: RunView, call: CallView, index: number): boolean {
  const item = itemOf(call, index);
  if (run.hasEffects && call.effects.some((effect) => namesRow(item, effect.key))) return true;
  const wanted = canonicalJson(item);
  const changed = changedBy(run, call);
  return run.calls.some((later) => {
    if (later === call || later.failure !== null) return false;
    // Done in another call of the batch, before or after: what is done already may be sent along again.
    const again = later.name === call.name ? later.items : [];
    if (again.some((one) => !one.failed && canonicalJson(itemOf(later, one.index)) === wanted)) return true;
    if (later.turn <= call.turn) return false;
    if (isWriting(later.plan, later.args) === false || later.name === call.name) return false;
    if (run.hasEffects) return later.effects.some((effect) => isSameChange(effect, item, changed));
    return isSamePlace(later, call) && carries(later, leavesOf(item));
  });
}

function itemOf(call: CallView, index: number): Json {
  const argument = batchArgument(call.args, call.plan);
  const given = argument === undefined ? undefined : call.args[argument];
  return Array.isArray(given) ? ((given as readonly Json[])[index] ?? null) : null;
}

/** What a tool changes: its place, and the fields of rows it wrote to, by all its calls; empty where it never did. */
interface Changed {
  readonly collection: string | undefined;
  readonly kinds: ReadonlySet<string>;
}

function changedBy(run: RunView, call: CallView): Changed {
  const kinds = new Set(
    run.calls.filter((one) => one.name === call.name).flatMap((one) => one.effects.flatMap(kindsOf)),
  );
  return { collection: collectionOf(call), kinds };
}

/** `updated tickets status`, one for each field; for other changes without a field. */
function kindsOf({ change, collection, after }: RowEffect): readonly string[] {
  if (change !== 'updated') return [`${change} ${collection}`];
  return Object.keys(after ?? {}).map((field) => `${change} ${collection} ${field}`);
}

function isSameChange(effect: RowEffect, item: Json, { collection, kinds }: Changed): boolean {
  const isSame =
    kinds.size > 0 ? kindsOf(effect).some((kind) => kinds.has(kind)) : effect.collection === collection;
  if (!isSame) return false;
  if (effect.change !== 'created') return namesRow(item, effect.key);
  // A new row is the item's where it holds what the item gives.
  const held = new Set(leavesOf(effect.after ?? {}));
  const values = leavesOf(item);
  return values.length > 0 && values.every((value) => held.has(value));
}

/** One of the item's own values is the key of the row. */
function namesRow(item: Json, key: string): boolean {
  const plain = key.replace(/#\d+$/, '');
  return leavesOf(item).some((value) => value === plain || value === key);
}
