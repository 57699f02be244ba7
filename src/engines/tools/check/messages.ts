/**
 * The sentences a tool service answers errors with, in one place so that they stay the same everywhere.
 *
 * They are written as a server would write them to its users; they never name the simulation.
 */
import { type Json, renderJson } from '../../../core/index.js';
import type { Collection } from '../service.js';

/** A value as an error message shows it: texts without quotes, long ones cut. */
export function shown(value: Json | undefined): string {
  const text = typeof value === 'string' ? value : renderJson(value ?? null);
  return text.length > 200 ? `${text.slice(0, 199)}…` : text;
}

/** The text with its first letter as a capital. */
export function capital(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}

/** No row has this key. */
export function notFoundMessage(collection: Collection, key: string): string {
  return `${capital(collection.singular)} not found${key === '' ? '' : `: ${key}`}`;
}

/** An argument names a row of another collection that is not there. */
export function danglingMessage(collection: Collection, value: Json, argument: string): string {
  return `${capital(collection.singular)} not found: ${shown(value)} (argument \`${argument}\`)`;
}

/** A row with this key is there already. */
export function existsMessage(collection: Collection, key: string): string {
  return `${capital(collection.singular)} already exists: ${key}`;
}

/** Another row has the same value in a field where no two may. */
export function takenMessage(collection: Collection, value: Json, argument: string): string {
  return `${capital(collection.singular)} already exists with ${argument} ${shown(value)}`;
}

/** The row is already in the state that the tool would bring it to. */
export function alreadyMessage(collection: Collection, key: string, word: string): string {
  return `${capital(collection.singular)} ${key} is already ${word}`;
}

/** Several rows fit what was given. */
export function ambiguousMessage(collection: Collection, key: string, missing: readonly string[]): string {
  const hint = missing.length === 0 ? '' : `; also give ${missing.join(', ')}`;
  return `More than one ${collection.singular} matches ${key}${hint}`;
}

/** The tool needs an argument that its schema does not require. */
export function missingMessage(argument: string): string {
  return `Missing argument \`${argument}\``;
}

/** The key of a row as messages name it: the values of its key fields. */
export function keyText(collection: Collection, values: Readonly<Record<string, Json>>): string {
  const parts = collection.key.map((field) =>
    shown(Object.hasOwn(values, field) ? values[field] : undefined),
  );
  return parts.join(', ');
}

/** The closest of some names within a third of the letters (at least 2 edits allowed), or undefined. */
export function nearestName(name: string, known: readonly string[]): string | undefined {
  const most = Math.max(2, Math.floor(name.length / 3));
  if (name.length > 100) return undefined;
  let best: { readonly name: string; readonly distance: number } | undefined;
  for (const candidate of known) {
    if (Math.abs(candidate.length - name.length) > most) continue;
    const distance = editDistance(name.toLowerCase(), candidate.toLowerCase());
    if (distance <= most && (best === undefined || distance < best.distance))
      best = { name: candidate, distance };
  }
  return best?.name;
}

/** Levenshtein distance by UTF-16 units, one row at a time. */
function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const change = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(change, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[b.length] ?? 0;
}
