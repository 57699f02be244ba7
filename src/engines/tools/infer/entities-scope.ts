/**
 * Scopes: whose or which part of a service a row belongs to (owner, repo, workspace).
 *
 * An argument scopes a collection when most of its tools require it and it is named like a scope; an id of another
 * collection is a reference instead, unless rows are numbered or named within it.
 */
import type { JsonObject } from '../../../core/index.js';
import { referenceOf } from './entities-fields.js';
import type { Intent } from './infer-intent-types.js';
import { keyStrength, keyWordsOf } from './infer-keys.js';
import type { Nouns } from './infer-nouns.js';
import { roleOf } from './infer-roles.js';
import type { Property } from './infer-schema.js';
import { splitWords } from './words.js';

/** Words of scopes: whose or which part of the service. */
const SCOPES = new Set([
  'owner',
  'repo',
  'repository',
  'org',
  'organization',
  'organisation',
  'workspace',
  'tenant',
  'namespace',
  'repo path',
  'project',
  'account',
  'team',
  'site',
  'database',
  'region',
  'bucket',
  'guild',
  'cluster',
  'company',
  'group',
  'environment',
  'app',
  'schema',
  'realm',
  'vault',
  'space',
  'base',
  'store',
  'domain',
  'calendar',
  'board',
]);

/** True for names such as owner, repo or workspace. */
export function isScopeName(name: string): boolean {
  return SCOPES.has(canonicalScope(name));
}

/** Argument → scope field: what most tools of the collection require to find its rows. */
export function scopeOf(of: {
  readonly noun: readonly string[];
  readonly intents: readonly Intent[];
  readonly key: readonly string[];
  readonly rows: readonly JsonObject[];
  readonly nouns: Nouns;
}): Map<string, string> {
  const uses = new Map<
    string,
    { names: Map<string, number>; required: number; total: number; property: Property }
  >();
  for (const intent of of.intents) {
    for (const argument of intent.facts.args) {
      if (!mayScope(argument, intent, of)) continue;
      const canonical = canonicalScope(argument.name);
      const use = uses.get(canonical) ?? { names: new Map(), required: 0, total: 0, property: argument };
      use.names.set(argument.name, (use.names.get(argument.name) ?? 0) + 1);
      use.total++;
      if (argument.required) use.required++;
      uses.set(canonical, use);
    }
  }
  const scope = new Map<string, string>();
  for (const [canonical, use] of uses) {
    const most = use.total * 2 > of.intents.length && use.required * 2 >= use.total;
    const reference = referenceOf(use.property, of);
    if (!most || !SCOPES.has(canonical) || (reference !== undefined && !numbersWithin(of))) continue;
    const [field] = [...use.names].sort((a, b) => b[1] - a[1])[0] ?? [canonical];
    const kept = of.rows.length === 0 || of.rows.some((row) => Object.hasOwn(row, field));
    if (!kept) continue;
    for (const name of use.names.keys()) scope.set(name, field);
  }
  return scope;
}

/** Rows counted by number (issue 12 of a project) are counted within what holds them. */
function numbersWithin(of: { readonly key: readonly string[] }): boolean {
  return ['number', 'iid', 'name', 'path'].includes(of.key[0] ?? '');
}

function mayScope(
  argument: Property,
  intent: Intent,
  of: { noun: readonly string[]; key: readonly string[] },
): boolean {
  if (argument === intent.keyArgument || argument === intent.value || argument === intent.batch?.argument)
    return false;
  if (
    argument.types.length > 0 &&
    !argument.types.some((type) => ['string', 'number', 'integer'].includes(type))
  )
    return false;
  if (roleOf(argument, 'write') !== 'value' || of.key.includes(argument.name)) return false;
  return !(keyStrength(argument, of.noun) >= 2 && keyWordsOf(argument).stem.length === 0);
}

/** `org_slug`, `orgId` and `org` are the same scope. */
function canonicalScope(name: string): string {
  const words = splitWords(name);
  const last = words.at(-1) ?? '';
  const short = words.length > 1 && ['id', 'slug', 'name', 'key', 'uuid', 'number'].includes(last);
  return (short ? words.slice(0, -1) : words).join(' ');
}
