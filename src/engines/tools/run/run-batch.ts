/**
 * Tools that do the same to many: each item succeeds or fails by itself, in request order.
 *
 * Each item is a `tool.item` operation. A failed item leaves no trace; the others stand. The Host can fail one item
 * before or after its write.
 */
import { isJsonObject, type Json, type JsonObject, LIMITS, type Operation } from '../../../core/index.js';
import { inOwnWords, isAtomic, passesOver } from '../result/result-shape.js';
import { own } from '../store/store.js';
import {
  type Call,
  dataAnswer,
  errorAnswer,
  type Steps,
  type Stop,
  StopCall,
  ToolFailure,
} from './run-call.js';
import type { Facts, ItemResult } from './run-facts.js';
import { listOf } from './run-rows.js';

/** How one item is run; `args` are the call's arguments with the item's own among them. */
export type RunItem = (args: JsonObject, item: Json) => Steps<Facts>;

/** What a batch runs over. */
export interface Batch {
  readonly argument: string;
  readonly args: JsonObject;
  /** The arguments of one item. */
  readonly argsOf: (item: Json, rest: JsonObject) => JsonObject;
  /** What names an item in the results: its key arguments. */
  readonly nameOf: (item: Json) => JsonObject;
}

/** Runs every item and keeps count. */
export function* runBatch(call: Call, batch: Batch, runItem: RunItem): Steps<Facts> {
  const items = listOf(own(batch.args, batch.argument));
  if (items.length > LIMITS.batchItems) {
    const reason = `a batch of ${items.length} items; the limit batchItems is ${LIMITS.batchItems}`;
    throw new StopCall({ kind: 'null', status: 'limit', reason });
  }
  const rest = Object.fromEntries(Object.entries(batch.args).filter(([name]) => name !== batch.argument));
  const results: ItemResult[] = [];
  const isAtomic = call.world.policy.tools.get(call.tool.name)?.atomic === true;
  for (const [index, item] of items.entries()) {
    const args = batch.argsOf(item, rest);
    call.itemArgs = args;
    const result = yield* settleItem(call, { item, index, args, name: batch.nameOf(item) }, runItem);
    if (isAtomic && result.status !== 'ok') throw undone(result, index);
    results.push(result);
  }
  call.itemArgs = call.args;
  const failed = results.filter((result) => result.status !== 'ok').length;
  const message = `${results.length - failed} of ${results.length} done`;
  return { op: 'override', items: results, message };
}

/** The failure of a whole batch that is all or nothing. */
function undone(result: ItemResult, index: number): ToolFailure {
  const message = `item ${index} failed, nothing was changed: ${result.error ?? result.status}`;
  return new ToolFailure(message, result.status);
}

interface Item {
  readonly item: Json;
  readonly index: number;
  readonly args: JsonObject;
  readonly name: JsonObject;
}

/** Runs one item to its result; only what ends the whole call passes through. */
function* settleItem(call: Call, of: Item, runItem: RunItem): Steps<ItemResult> {
  const start = call.state;
  const shown = isJsonObject(of.item) ? of.item : { item: of.item };
  const op = call.operation('tool.item', shown, { index: of.index });
  let facts: Facts | undefined;
  try {
    yield* call.before(op);
    facts = yield* runItem(of.args, of.item);
    yield* call.after(op, dataAnswer(facts.message, facts.row ?? null));
    return { item: of.item, name: of.name, status: 'ok', facts };
  } catch (thrown) {
    const result = failedItem(thrown, of, facts);
    if (!(thrown instanceof StopCall && thrown.stop.kind === 'answer' && thrown.stop.written))
      call.state = start;
    if (thrown instanceof ToolFailure && isAtomic(call) && !passesOver(call, thrown.kind))
      throw inOwnWords(call, thrown, of.args);
    return thrown instanceof ToolFailure ? yield* tellFailure(call, { op, thrown, result }) : result;
  }
}

/** Tells the Host that an item failed; it may put another answer in its place. */
function* tellFailure(
  call: Call,
  of: { readonly op: Operation; readonly thrown: ToolFailure; readonly result: ItemResult },
): Steps<ItemResult> {
  call.flags.push(...of.thrown.flags);
  try {
    yield* call.after(of.op, errorAnswer(of.thrown.message));
    return of.result;
  } catch (thrown) {
    return failedItem(thrown, of.result, undefined);
  }
}

type Named = Pick<ItemResult, 'item' | 'name'>;

function failedItem(thrown: unknown, { item, name }: Named, facts: Facts | undefined): ItemResult {
  if (thrown instanceof ToolFailure) return { item, name, status: thrown.kind, error: thrown.message };
  if (thrown instanceof StopCall && thrown.stop.kind === 'answer') {
    return answeredItem(thrown.stop, { item, name }, facts);
  }
  throw thrown;
}

/** The Host answered for the item: an error is its failure, another answer stands for its result. */
function answeredItem(
  stop: Extract<Stop, { kind: 'answer' }>,
  { item, name }: Named,
  facts: Facts | undefined,
): ItemResult {
  const { answer } = stop;
  if (answer.isError) return { item, name, status: 'failed', error: answer.text.text };
  const value = answer.value ?? answer.text.text;
  return { item, name, status: 'ok', facts: { op: 'override', message: answer.text.text, ...facts, value } };
}
