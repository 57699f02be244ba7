/**
 * JSON merge patch: objects are merged, every other value is replaced, null takes a member away.
 *
 * Source: RFC 7396. A member called `__proto__` is an ordinary one.
 */
import { isJsonObject, type Json } from '../core/index.js';

/** The target with the patch applied; both are left alone. */
export function mergePatch(target: Json, patch: Json): Json {
  if (!isJsonObject(patch)) return patch;
  const members = new Map(isJsonObject(target) ? Object.entries(target) : []);
  for (const [name, value] of Object.entries(patch)) {
    if (value === null) members.delete(name);
    else members.set(name, mergePatch(members.get(name) ?? null, value));
  }
  return Object.fromEntries(members);
}
