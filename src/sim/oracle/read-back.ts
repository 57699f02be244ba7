/**
 * Did a write happen whose answer was lost? Looks through the service's own tools, as a careful caller must before
 * trying again (hard case P-STR-1).
 *
 * A row that was to be made is looked for in a list of its collection; a row that was to be changed or taken away is
 * fetched by its key. What a tool does is known from the service model, as an agent knows it from the documentation.
 * `unknown` where no tool shows it: then nobody can tell, and trying again could do it twice.
 */
import { canonicalJson, isJsonObject, type Json, type JsonObject } from '../../core/index.js';
import type { ToolDefinition } from '../../domains/index.js';
import type { Plan, ServiceModel } from '../../engines/index.js';

/** What a tool does, as far as reading back needs it. */
export interface ToolRole {
  readonly op: string;
  readonly collection: string | null;
  /** Argument → key field. */
  readonly key: Readonly<Record<string, string>>;
  /** Argument → field. */
  readonly fields: Readonly<Record<string, string>>;
  /** Writing the same again changes more than writing it once. */
  readonly accumulates: boolean;
  /** The list argument of a batch tool. */
  readonly batch: string | null;
  /** Argument of an idempotency key. */
  readonly idempotencyKey: string | null;
}

const READS: ReadonlySet<string> = new Set(['get', 'list', 'search', 'count', 'dump', 'clock', 'compute']);

/** The role of each tool. */
export function toolRoles(service: ServiceModel): ReadonlyMap<string, ToolRole> {
  return new Map(Object.entries(service.plans).map(([name, plan]) => [name, roleOf(plan)]));
}

function roleOf(plan: Plan): ToolRole {
  const { override } = plan;
  const op = override?.op ?? plan.op;
  const sets = Object.values(override?.set ?? {}).map(String);
  return {
    op,
    collection: override?.collection ?? plan.collection ?? null,
    // An override says how its tool acts; what was inferred for it does not count then.
    key: (override === undefined ? plan.key : override.key) ?? {},
    fields: override === undefined ? { ...plan.filters, ...plan.writes } : {},
    accumulates: op === 'append' || override?.also !== undefined || sets.some((rule) => /\brow\./.test(rule)),
    batch: override?.batch ?? plan.batch?.argument ?? null,
    idempotencyKey: plan.idempotencyKey ?? null,
  };
}

/** True for a tool that only reads, by its role or by its own word. */
export function isReading(tool: ToolDefinition, role: ToolRole | undefined): boolean {
  return tool.annotations?.readOnlyHint === true || (role !== undefined && READS.has(role.op));
}

/** A call that would show whether a write happened. */
export interface ReadBack {
  readonly tool: string;
  readonly args: JsonObject;
  /** Looks for one row by its key, or for all rows that match. */
  readonly kind: 'get' | 'list';
}

/** The best call to look with after `tool` was called with `args`, or null. */
export function readBackFor(
  written: { readonly tool: string; readonly args: JsonObject },
  tools: readonly ToolDefinition[],
  roles: ReadonlyMap<string, ToolRole>,
): ReadBack | null {
  const role = roles.get(written.tool);
  if (role === undefined || role.collection === null) return null;
  const known = knownValues(written.args, role);
  const readers = tools.filter(({ name }) => {
    const one = roles.get(name);
    return one?.collection === role.collection && READS.has(one.op);
  });
  const kinds: readonly ReadBack['kind'][] = role.op === 'create' ? ['list'] : ['get', 'list'];
  for (const kind of kinds) {
    for (const reader of readers) {
      const found = callOf(reader, { kind, role: roles.get(reader.name), known });
      if (found !== null) return found;
    }
  }
  return null;
}

/** Field → value, as far as the arguments of a write say. */
function knownValues(args: JsonObject, role: ToolRole): ReadonlyMap<string, Json> {
  const known = new Map<string, Json>();
  for (const [name, value] of Object.entries(args)) {
    known.set(role.key[name] ?? role.fields[name] ?? name, value);
    known.set(name, value);
  }
  return known;
}

function callOf(
  tool: ToolDefinition,
  how: {
    readonly kind: ReadBack['kind'];
    readonly role: ToolRole | undefined;
    readonly known: ReadonlyMap<string, Json>;
  },
): ReadBack | null {
  const { kind, role, known } = how;
  if (role === undefined || (kind === 'get') !== (role.op === 'get')) return null;
  if (kind === 'list' && role.op !== 'list' && role.op !== 'search') return null;
  const properties = isJsonObject(tool.inputSchema.properties) ? tool.inputSchema.properties : {};
  const required = Array.isArray(tool.inputSchema.required) ? tool.inputSchema.required : [];
  const args: Record<string, Json> = {};
  for (const name of Object.keys(properties)) {
    const value = known.get(role.key[name] ?? role.fields[name] ?? name);
    const isFilter = required.includes(name) || role.key[name] !== undefined || kind === 'list';
    if (value !== undefined && isFilter && !isPaging(name)) args[name] = value;
  }
  if (required.some((name) => typeof name === 'string' && args[name] === undefined)) return null;
  return { tool: tool.name, args, kind };
}

function isPaging(name: string): boolean {
  return /^(page|per_?page|limit|offset|cursor|page_?(size|token)|(sort|order)(_?(by|dir|direction|order))?)$/i.test(
    name,
  );
}

/** Rows that are what the write was to leave: every value it gave that the row has a field for, the key included. */
export function matchingRows(
  rows: readonly JsonObject[],
  args: JsonObject,
  role: ToolRole,
): readonly JsonObject[] {
  return rows.filter((row) => {
    const compared = comparedFields(row, args, role);
    return compared.length > 0 && compared.every(({ equal }) => equal);
  });
}

/** Whether a row tells that an update was made: null where it has no field that the update gave, besides its key. */
export function showsUpdate(row: JsonObject, args: JsonObject, role: ToolRole): boolean | null {
  const keys = new Set(Object.keys(role.key));
  const compared = comparedFields(row, args, role).filter(({ argument }) => !keys.has(argument));
  return compared.length === 0 ? null : compared.every(({ equal }) => equal);
}

function comparedFields(
  row: JsonObject,
  args: JsonObject,
  role: ToolRole,
): { argument: string; equal: boolean }[] {
  return Object.entries(args).flatMap(([argument, value]) => {
    const field = role.key[argument] ?? role.fields[argument] ?? argument;
    if (!Object.hasOwn(row, field)) return [];
    return [{ argument, equal: canonicalJson(row[field] ?? null) === canonicalJson(value) }];
  });
}
