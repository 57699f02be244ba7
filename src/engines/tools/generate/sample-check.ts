/**
 * A small check whether a value fits a schema, for choosing among parts of a union.
 *
 * Not a validator: formats and patterns are taken as fitting, and what is not understood does not speak against a
 * value. Depth is bounded. The engine checks arguments and answers with a full validator elsewhere.
 */
import type { Json, JsonObject } from '../../../core/index.js';
import { canonicalJson, isJsonObject } from '../../../core/index.js';
import { lookUp, own } from '../infer/infer-schema.js';

/** Sub-schemas looked at for one check at most; what lies beyond is taken as fitting. */
const MOST_CHECKS = 5000;

/** True if nothing in the schema that is understood speaks against the value. */
export function conforms(value: Json, schema: Json, root: JsonObject): boolean {
  return fitsSchema(schema, { value, root, depth: 0, budget: { left: MOST_CHECKS } });
}

function fitsSchema(schema: Json, of: Omit<Checking, 'schema'>): boolean {
  if (typeof schema === 'boolean') return schema;
  if (!isJsonObject(schema) || of.depth > 40 || of.budget.left-- <= 0) return true;
  const { value, root } = of;
  const at: Checking = { ...of, schema, depth: of.depth + 1 };
  const ref = own(schema, '$ref');
  if (typeof ref === 'string') {
    const target = lookUp(ref, root);
    if (target !== undefined && !fitsSchema(target, at)) return false;
  }
  return fitsType(value, schema) && fitsChoices(value, schema) && fitsParts(at) && fitsBounds(at);
}

interface Checking {
  readonly value: Json;
  readonly schema: JsonObject;
  readonly root: JsonObject;
  readonly depth: number;
  readonly budget: { left: number };
}

function fitsType(value: Json, schema: JsonObject): boolean {
  const type = own(schema, 'type');
  if (type === undefined) return true;
  const wanted: readonly Json[] = Array.isArray(type) ? type : [type];
  if (value === null && own(schema, 'nullable') === true) return true;
  return wanted.some((one) => isOfType(value, one));
}

function isOfType(value: Json, type: Json): boolean {
  switch (type) {
    case 'null':
      return value === null;
    case 'array':
      return Array.isArray(value);
    case 'object':
      return isJsonObject(value);
    case 'integer':
      return typeof value === 'bigint' || (typeof value === 'number' && Number.isInteger(value));
    case 'number':
      return typeof value === 'number' || typeof value === 'bigint';
    default:
      return typeof value === type;
  }
}

function fitsChoices(value: Json, schema: JsonObject): boolean {
  const text = (one: Json): string => canonicalJson(one);
  const only = own(schema, 'const');
  if (only !== undefined && text(only) !== text(value)) return false;
  const choices = own(schema, 'enum');
  return (
    !Array.isArray(choices) || (choices as readonly Json[]).some((choice) => text(choice) === text(value))
  );
}

function fitsParts(at: Checking): boolean {
  const { schema } = at;
  const parts = (key: string): readonly Json[] | undefined => {
    const list = own(schema, key);
    return Array.isArray(list) ? (list as readonly Json[]) : undefined;
  };
  const fits = (part: Json): boolean => fitsSchema(part, at);
  const all = parts('allOf');
  const any = parts('anyOf');
  const one = parts('oneOf');
  const not = own(schema, 'not');
  if (all !== undefined && !all.every(fits)) return false;
  if (any !== undefined && !any.some(fits)) return false;
  if (one !== undefined && one.filter(fits).length !== 1) return false;
  return not === undefined || !fits(not);
}

function fitsBounds(of: Checking): boolean {
  const { value } = of;
  if (typeof value === 'number') return within(of, value, ['minimum', 'maximum']) && insideOf(of, value);
  if (typeof value === 'string') return within(of, [...value].length, ['minLength', 'maxLength']);
  if (Array.isArray(value)) return fitsItems(of, value as readonly Json[]);
  return isJsonObject(value) ? fitsProperties(of, value) : true;
}

function within(of: Checking, size: number, [low, high]: readonly [string, string]): boolean {
  const min = own(of.schema, low);
  const max = own(of.schema, high);
  return (typeof min !== 'number' || size >= min) && (typeof max !== 'number' || size <= max);
}

function insideOf(of: Checking, value: number): boolean {
  const above = own(of.schema, 'exclusiveMinimum');
  const below = own(of.schema, 'exclusiveMaximum');
  return (typeof above !== 'number' || value > above) && (typeof below !== 'number' || value < below);
}

function fitsItems(of: Checking, list: readonly Json[]): boolean {
  if (!within(of, list.length, ['minItems', 'maxItems'])) return false;
  const items = own(of.schema, 'items');
  if (items === undefined || Array.isArray(items)) return true;
  return list.slice(0, 200).every((item) => fitsSchema(items, { ...of, value: item }));
}

function fitsProperties(of: Checking, value: JsonObject): boolean {
  const required = own(of.schema, 'required');
  if (
    Array.isArray(required) &&
    required.some((name) => typeof name === 'string' && !Object.hasOwn(value, name))
  )
    return false;
  const properties = own(of.schema, 'properties');
  const known = properties !== undefined && isJsonObject(properties) ? properties : {};
  const extra = own(of.schema, 'additionalProperties');
  const patterned = own(of.schema, 'patternProperties') !== undefined;
  return Object.entries(value).every(([name, one]) => {
    if (Object.hasOwn(known, name)) return fitsSchema(known[name] ?? true, { ...of, value: one });
    return patterned || extra === undefined || fitsSchema(extra, { ...of, value: one });
  });
}
