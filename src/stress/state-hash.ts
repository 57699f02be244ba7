/**
 * A digest of a world's state: equal states, equal digests, whatever the order of keys.
 *
 * Rows that a run did not touch are the same objects before and after, so each row's digest is kept with the row and a
 * state costs only what changed. SHA-256 over the digests of rows in their order and the canonical JSON of the rest.
 */
import { createHash, hash } from 'node:crypto';
import { canonicalJson, isJsonObject, type Json } from '../core/index.js';
import type { World } from '../worlds/index.js';

const ROWS = new WeakMap<object, string>();

/** The digest of a state as rules see it, 64 hex digits. */
export function stateHash(view: Json): string {
  const { data, ...rest } = isJsonObject(view) ? view : { value: view };
  const collections = isJsonObject(data) ? data : {};
  const digest = createHash('sha256').update(canonicalJson(rest));
  for (const name of Object.keys(collections).sort()) {
    const rows = collections[name];
    digest.update(JSON.stringify(name));
    digest.update(Array.isArray(rows) ? digestsOf(rows as readonly Json[]) : canonicalJson(rows ?? null));
  }
  return digest.digest('hex');
}

/** By list: most collections are the same list at the end as at the start, in every run. */
const LISTS = new WeakMap<readonly Json[], string>();

/** The digests of all rows of a list, one after another. */
function digestsOf(rows: readonly Json[]): string {
  const known = LISTS.get(rows);
  if (known !== undefined) return known;
  const made = rows.map(rowHash).join('');
  if (Object.isFrozen(rows)) LISTS.set(rows, made);
  return made;
}

function rowHash(row: Json): string {
  if (typeof row !== 'object' || row === null) return canonicalJson(row);
  const known = ROWS.get(row);
  if (known !== undefined) return known;
  const made = hash('sha256', canonicalJson(row), 'base64');
  ROWS.set(row, made);
  return made;
}

/** Seeds of one world whose digests are kept: runs of one seed stand together in a plan. */
const KEPT_SEEDS = 64;

const START_HASHES = new WeakMap<World, Map<number, string>>();

/** The digest of the start state of a world and seed; worked out once for the seeds of late. */
export function startHashOf(world: World, seed: number, view: () => Json): string {
  const known = START_HASHES.get(world) ?? new Map<number, string>();
  START_HASHES.set(world, known);
  const found = known.get(seed) ?? stateHash(view());
  known.set(seed, found);
  const [oldest] = known.keys();
  if (known.size > KEPT_SEEDS && oldest !== undefined) known.delete(oldest);
  return found;
}
