/**
 * Ids of new rows: counted per scope, or drawn from a seeded stream named by the count.
 *
 * The stream of an id is (seed, `ids`, collection, scope and number), so an id depends only on how many were made
 * before it, and an id is never made twice.
 */
import { type Json, type JsonObject, randomStream } from '../../core/index.js';
import type { Collection } from './service.js';
import { identityScope, keyOf, own, rowsOf, type StoreState, takeNumber } from './store/store.js';

const HEX = '0123456789abcdef';
const CASES = {
  lower: '0123456789abcdefghijklmnopqrstuvwxyz',
  upper: '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ',
};
const LETTERS = '0123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';

/** An id for a new row with these values, and the state in which it is taken. */
export function mintId(
  state: StoreState,
  collection: Collection,
  how: { readonly seed: number; readonly values: JsonObject },
): { readonly state: StoreState; readonly id: Json } {
  let next = state;
  for (;;) {
    const taken = takeNumber(next, collection, how.values);
    next = taken.state;
    const id = idOf(collection, taken.number, how);
    if (!isTaken(next, collection, { ...how.values, [collection.key[0] ?? 'id']: id }))
      return { state: next, id };
  }
}

function isTaken(state: StoreState, collection: Collection, values: JsonObject): boolean {
  return rowsOf(state, collection.name).has(keyOf(collection, values));
}

function idOf(
  collection: Collection,
  number: number,
  how: { readonly seed: number; readonly values: JsonObject },
): Json {
  const style = collection.idStyle;
  if (style.kind === 'number') return number;
  if (style.kind === 'counter') return style.prefix + String(number).padStart(style.width, '0');
  const scope = identityScope(collection).map((field) => String(own(how.values, field) ?? ''));
  const random = randomStream(how.seed, 'ids', collection.name, ...scope, String(number));
  const draw = (letters: string, length: number): string =>
    Array.from({ length }, () => letters[random.integer(0, letters.length - 1)]).join('');
  if (style.kind === 'token') {
    const letters = style.letters === undefined ? LETTERS : CASES[style.letters];
    return style.prefix + draw(letters, style.length);
  }
  if (style.kind !== 'uuid') return draw(HEX, style.kind === 'hex' ? style.length : 12);
  const variant = HEX[8 + random.integer(0, 3)];
  return `${draw(HEX, 8)}-${draw(HEX, 4)}-4${draw(HEX, 3)}-${variant}${draw(HEX, 3)}-${draw(HEX, 12)}`;
}
