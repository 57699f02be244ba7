/**
 * A digest of a world's state: equal states, equal digests, whatever the order of keys.
 *
 * Rows that a run did not touch are the same objects before and after, so each row's digest is kept with the row and a
 * state costs only what changed. SHA-256 over the digests of rows in their order and the canonical JSON of the rest.
 */
import { createHash } from 'node:crypto';
import { canonicalJson, isJsonObject, type Json } from '../core/index.js';

const ROWS = new WeakMap<object, string>();

/** The digest of a state as rules see it, 64 hex digits. */
export function stateHash(view: Json): string {
  const { data, ...rest } = isJsonObject(view) ? view : { value: view };
  const collections = isJsonObject(data) ? data : {};
  const hash = createHash('sha256').update(canonicalJson(rest));
  for (const name of Object.keys(collections).sort()) {
    const rows = collections[name];
    hash.update(JSON.stringify(name));
    if (!Array.isArray(rows)) hash.update(canonicalJson(rows ?? null));
    else for (const row of rows as readonly Json[]) hash.update(rowHash(row));
  }
  return hash.digest('hex');
}

function rowHash(row: Json): string {
  if (typeof row !== 'object' || row === null) return canonicalJson(row);
  const known = ROWS.get(row);
  if (known !== undefined) return known;
  const made = createHash('sha256').update(canonicalJson(row)).digest('base64');
  ROWS.set(row, made);
  return made;
}
