/**
 * What must hold before anybody is asked to make up the answer of a tool that no plan computes: the rows that its
 * arguments name are there.
 *
 * Nobody knows what "dispatch" gives, but a shipment that was never made cannot be dispatched (hard case P-SIM-2).
 * An argument names a row if it is called after a collection and its key (`shipment_number`, `orderId`, `noteId`),
 * or is the bare key of the one collection that the tool's name speaks of (`order_dispatch(id)`). Only required
 * arguments count: an optional one may say where something new is to come from. Not covered: rows named inside
 * lists and objects.
 */
import type { Json, JsonObject } from '../../../core/index.js';
import { notFoundMessage, shown } from '../check/messages.js';
import { endsWith, singularWords, splitWords, startsWith } from '../infer/words.js';
import type { Collection } from '../service.js';
import { own } from '../store/store.js';
import { type Call, ToolFailure } from './run-call.js';
import { findRow } from './run-rows.js';
import { plainName } from './search.js';

/** Raises a {@link ToolFailure} `not-found` for the first argument that names a row which is not there. */
export function refuseMissingRows(call: Call): void {
  const { required } = call.tool.inputSchema;
  for (const name of Array.isArray(required) ? (required as readonly Json[]) : []) {
    const value = typeof name === 'string' ? own(call.args, name) : undefined;
    if (typeof name !== 'string' || (typeof value !== 'string' && typeof value !== 'number')) continue;
    const collection = namedBy(call, name);
    const [key] = collection?.key ?? [];
    if (collection === undefined || key === undefined || isThere(call, collection, { [key]: value }))
      continue;
    throw new ToolFailure(notFoundMessage(collection, shown(value)), 'not-found');
  }
}

/** The collection a row of which this argument names, or undefined. */
function namedBy(call: Call, argument: string): Collection | undefined {
  const plain = plainName(argument);
  const known = Object.values(call.world.model.collections).filter(({ key }) => key.length === 1);
  const byName = known.filter(({ singular, key: [key = ''] }) => {
    const thing = plainName(singular);
    return plain === thing + plainName(key) || plain === `${thing}id`;
  });
  if (byName.length > 0) return byName.length === 1 ? byName[0] : undefined;
  const spoken = known.filter((one) => plain === plainName(one.key[0] ?? '') && isSpokenOf(call, one));
  return spoken.length === 1 ? spoken[0] : undefined;
}

/** `order_dispatch` and `dispatch_orders` speak of orders: their name begins or ends with the word. */
function isSpokenOf(call: Call, collection: Collection): boolean {
  const words = singularWords(splitWords(call.tool.name));
  const thing = splitWords(collection.singular);
  return startsWith(words, thing) || endsWith(words, thing);
}

/** Several rows that fit (in other scopes) are rows that are there. */
function isThere(call: Call, collection: Collection, values: JsonObject): boolean {
  try {
    return findRow(call, collection, { values, argumentOf: {} }) !== undefined;
  } catch (thrown) {
    if (thrown instanceof ToolFailure) return true;
    throw thrown;
  }
}
