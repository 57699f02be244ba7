/**
 * Optimistic locking: a field that changes with every write, compared with what the caller saw.
 *
 * An update or delete that says another version than the row has is a conflict and changes nothing. The caller cannot
 * write the field. Side effects of the service itself change the version without saying one. Entity tags compare
 * without their quotes and weakness mark, and `*` fits all (RFC 9110, If-Match).
 */
import { hashJson, type Json, type JsonObject } from '../../../core/index.js';
import { parseIsoTime, renderIsoTime } from '../../../rules/index.js';
import { capital, keyText, missingMessage, shown } from '../check/messages.js';
import { evaluateTemplate } from '../run/overrides-rules.js';
import { type Call, ToolFailure } from '../run/run-call.js';
import { plainName } from '../run/search.js';
import type { Collection } from '../service.js';
import type { VersionSpec } from '../spec-service.js';
import { keyOf, own, sameValue } from '../store/store.js';

/** Names of arguments that say the version seen, beside the field's own. */
const USUAL = ['ifmatch', 'expectedversion', 'etag', 'expectedetag', 'lockversion', 'ifunmodifiedsince'];

/** True for an argument that says which version the caller saw. */
export function isVersionArgument(spec: VersionSpec, name: string): boolean {
  if (spec.argument !== undefined) return name === spec.argument || name === spec.field;
  const plain = plainName(name);
  return plain === plainName(spec.field) || USUAL.includes(plain);
}

/** The version field and its value after a write; undefined for a collection without one. */
export function nextVersion(
  call: Call,
  collection: Collection,
  of: { readonly old: JsonObject | undefined; readonly row: JsonObject },
): readonly [string, Json] | undefined {
  const spec = call.world.policy.collections.get(collection.name)?.version;
  if (spec === undefined) return undefined;
  const before = of.old === undefined ? undefined : own(of.old, spec.field);
  if (spec.style === 'number') return [spec.field, typeof before === 'number' ? before + 1 : 1];
  if (spec.style === 'time') return [spec.field, laterThan(call, before)];
  const token = hashJson([collection.name, keyOf(collection, of.row), before ?? null, call.nowText]).slice(
    0,
    16,
  );
  return [spec.field, `"${token}"`];
}

/** The time of the call, or a millisecond after the last version where that is not later. */
function laterThan(call: Call, before: Json | undefined): string {
  const last = typeof before === 'string' ? parseIsoTime(before) : undefined;
  return renderIsoTime(last === undefined || call.nowMs > last ? call.nowMs : last + 1);
}

/** Compares the version that the caller saw with the row's; raises a {@link ToolFailure} `conflict`. */
export function checkVersion(call: Call, collection: Collection, row: JsonObject): void {
  const spec = call.world.policy.collections.get(collection.name)?.version;
  if (spec === undefined || call.depth > 0) return;
  const args = call.itemArgs;
  const names = Object.keys(args).filter((name) => isVersionArgument(spec, name));
  const name = spec.argument ?? names[0];
  const said = name === undefined ? undefined : own(args, name);
  if (said === undefined || said === null) {
    if (spec.required) throw new ToolFailure(missingMessage(name ?? spec.field), 'precondition');
    return;
  }
  const has = own(row, spec.field);
  if (isSame(said, has)) return;
  const message =
    spec.error === undefined
      ? `${capital(collection.singular)} ${keyText(collection, row)} was changed by somebody else: ${spec.field} is ${shown(has)}, not ${shown(said)}`
      : evaluateTemplate(call, spec.error, { args, row });
  throw new ToolFailure(message, 'conflict', ['version-conflict'], { field: spec.field });
}

function isSame(said: Json, has: Json | undefined): boolean {
  if (said === '*' || sameValue(said, has)) return true;
  if (typeof said !== 'string' || typeof has !== 'string') return false;
  if (bare(said) === bare(has)) return true;
  const moment = parseIsoTime(said);
  return moment !== undefined && moment === parseIsoTime(has);
}

function bare(tag: string): string {
  return tag
    .trim()
    .replace(/^W\//, '')
    .replace(/^"(.*)"$/, '$1');
}
