/**
 * The one complaint that Python's `jsonschema` makes of arguments, as low-level Python servers print it.
 *
 * A validator finds many problems; `jsonschema.validate` raises the one that fits best: the shortest path, then the
 * later one among siblings, a union last; a union's own best branch speaks where one is better than the others.
 * Source: behaviour of jsonschema 4.26, recorded in `test/fixtures/validation`. Not covered: `dependentRequired`,
 * `propertyNames` and other keywords are told in ajv's words.
 */
import type { ErrorObject } from 'ajv';
import { isJsonObject, type Json, type JsonObject } from '../../../../core/index.js';
import { own } from '../../store/store.js';
import { pythonRepr, pythonType } from './python-text.js';

interface Problem {
  readonly message: string;
  readonly path: readonly string[];
  readonly keyword: string;
  readonly matchesType: boolean;
  readonly context: readonly Problem[];
}

/** The complaint about a value with these problems; undefined where there is none. */
export function jsonschemaMessage(found: readonly ErrorObject[], args: JsonObject): string | undefined {
  const errors = found.map((error) => ({ ...error, data: valueAt(args, pathOf(error)) }));
  const tree = inOrder(errors)
    .filter((error) => !isInUnion(error, errors))
    .map((error) => problemOf(error, errors));
  let best = most(tree);
  if (best === undefined) return undefined;
  while (best.context.length > 0) {
    const [first, second] = [...best.context].sort(compare);
    if (first === undefined || (second !== undefined && compare(first, second) === 0)) break;
    best = first;
  }
  return best.message;
}

/** The caller's own value at a path, big integers exact. */
function valueAt(args: JsonObject, path: readonly string[]): Json | undefined {
  let at: Json | undefined = args;
  for (const part of path) {
    if (Array.isArray(at)) at = (at as readonly Json[])[Number(part)];
    else at = isJsonObject(at) ? own(at, part) : undefined;
  }
  return at;
}

/** The order in which a walk through the schema's own keywords finds them. */
function inOrder(errors: readonly ErrorObject[]): ErrorObject[] {
  const place = (error: ErrorObject): number =>
    isJsonObject(error.parentSchema) ? Object.keys(error.parentSchema).indexOf(error.keyword) : -1;
  return errors
    .map((error, index) => ({ error, index }))
    .sort((a, b) => {
      const same =
        a.error.instancePath === b.error.instancePath && a.error.parentSchema === b.error.parentSchema;
      return same ? place(a.error) - place(b.error) || a.index - b.index : a.index - b.index;
    })
    .map(({ error }) => error);
}

function isUnion(error: ErrorObject): boolean {
  return (error.keyword === 'anyOf' || error.keyword === 'oneOf') && !passesSeveral(error);
}

function passesSeveral(error: ErrorObject): boolean {
  return Array.isArray((error.params as { passingSchemas?: unknown }).passingSchemas);
}

function isInUnion(error: ErrorObject, all: readonly ErrorObject[]): boolean {
  return all.some((union) => union !== error && isUnion(union) && isBranch(error, union));
}

function isBranch(error: ErrorObject, union: ErrorObject): boolean {
  if (!error.instancePath.startsWith(union.instancePath)) return false;
  const branches: readonly unknown[] = Array.isArray(union.schema) ? union.schema : [];
  return error.schemaPath.startsWith(`${union.schemaPath}/`) || branches.includes(error.parentSchema);
}

function problemOf(error: ErrorObject, all: readonly ErrorObject[]): Problem {
  const context = isUnion(error)
    ? all
        .filter((one) => one !== error && isBranch(one, error) && !isDeeper(one, error, all))
        .map((one) => problemOf(one, all))
    : [];
  const schema = isJsonObject(error.parentSchema) ? (error.parentSchema as JsonObject) : {};
  const below = context.map((one) => ({ ...one, path: one.path.slice(pathOf(error).length) }));
  return {
    message: messageOf(error),
    path: pathOf(error),
    keyword: error.keyword,
    matchesType: hasType(error.data as Json, own(schema, 'type')),
    context: below,
  };
}

/** True for a problem of a union inside the union: it belongs to that one. */
function isDeeper(error: ErrorObject, outer: ErrorObject, all: readonly ErrorObject[]): boolean {
  return all.some(
    (one) => one !== outer && one !== error && isUnion(one) && isBranch(one, outer) && isBranch(error, one),
  );
}

function pathOf(error: ErrorObject): readonly string[] {
  return error.instancePath
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'));
}

function hasType(value: Json, type: Json | undefined): boolean {
  if (type === undefined) return false;
  return (Array.isArray(type) ? type : [type]).some((one: Json) => {
    const name = pythonType(value);
    if (one === 'number') return name === 'int' || name === 'float';
    return NAMES[String(one)] === name;
  });
}

const NAMES: Readonly<Record<string, string>> = {
  string: 'str',
  integer: 'int',
  boolean: 'bool',
  array: 'list',
  object: 'dict',
  null: 'NoneType',
};

function most(problems: readonly Problem[]): Problem | undefined {
  let best: Problem | undefined;
  for (const one of problems) if (best === undefined || compare(one, best) > 0) best = one;
  return best;
}

/** Greater is better: shorter paths, later siblings, no union, a type that does not fit. */
function compare(a: Problem, b: Problem): number {
  if (a.path.length !== b.path.length) return b.path.length - a.path.length;
  for (const [at, part] of a.path.entries()) {
    const other = b.path[at] ?? '';
    if (part !== other) return comparePart(part, other);
  }
  const weak = ({ keyword }: Problem): number => (keyword === 'anyOf' || keyword === 'oneOf' ? 0 : 1);
  return weak(a) - weak(b) || Number(b.matchesType) - Number(a.matchesType);
}

function comparePart(a: string, b: string): number {
  const numbers = /^\d+$/.test(a) && /^\d+$/.test(b);
  if (numbers) return Number(a) - Number(b);
  return a < b ? -1 : 1;
}

function messageOf(error: ErrorObject): string {
  const params = error.params as Record<string, Json>;
  const seen = pythonRepr(error.data as Json);
  const wanted = pythonRepr(error.schema as Json);
  switch (error.keyword) {
    case 'required':
      return `${pythonRepr(params.missingProperty)} is a required property`;
    case 'additionalProperties':
      return extraMessage(error);
    case 'type':
      return `${seen} is not of type ${(Array.isArray(error.schema) ? error.schema : [error.schema]).map((one) => pythonRepr(one as Json)).join(', ')}`;
    case 'enum':
      return `${seen} is not one of ${wanted}`;
    case 'const':
      return `${wanted} was expected`;
    case 'minimum':
      return `${seen} is less than the minimum of ${wanted}`;
    case 'maximum':
      return `${seen} is greater than the maximum of ${wanted}`;
    case 'exclusiveMinimum':
      return `${seen} is less than or equal to the minimum of ${wanted}`;
    case 'exclusiveMaximum':
      return `${seen} is greater than or equal to the maximum of ${wanted}`;
    case 'multipleOf':
      return `${seen} is not a multiple of ${wanted}`;
    case 'minLength':
    case 'minItems':
      return `${seen} ${error.schema === 1 ? 'should be non-empty' : 'is too short'}`;
    case 'maxLength':
    case 'maxItems':
      return `${seen} ${error.schema === 0 ? 'is expected to be empty' : 'is too long'}`;
    case 'pattern':
      return `${seen} does not match ${wanted}`;
    case 'uniqueItems':
      return `${seen} has non-unique elements`;
    case 'format':
      return `${seen} is not a ${wanted}`;
    case 'anyOf':
      return `${seen} is not valid under any of the given schemas`;
    case 'oneOf':
      return severalMessage(error, seen);
    default:
      return `${seen} ${error.message ?? `fails ${error.keyword}`}`;
  }
}

function severalMessage(error: ErrorObject, seen: string): string {
  if (!passesSeveral(error)) return `${seen} is not valid under any of the given schemas`;
  const branches: readonly Json[] = Array.isArray(error.schema) ? (error.schema as Json[]) : [];
  const { passingSchemas } = error.params as { passingSchemas: readonly number[] };
  const [first, ...more] = passingSchemas.map((at) => pythonRepr(branches[at]));
  return `${seen} is valid under each of ${[...more, first].join(', ')}`;
}

/** All further properties of the object in one sentence, in order of their names. */
function extraMessage(error: ErrorObject): string {
  const schema = isJsonObject(error.parentSchema) ? (error.parentSchema as JsonObject) : {};
  const properties = own(schema, 'properties');
  const known = new Set(isJsonObject(properties) ? Object.keys(properties) : []);
  const data = error.data as Json;
  const extras = (isJsonObject(data) ? Object.keys(data) : []).filter((name) => !known.has(name)).sort();
  const verb = extras.length === 1 ? 'was' : 'were';
  return `Additional properties are not allowed (${extras.map((name) => pythonRepr(name)).join(', ')} ${verb} unexpected)`;
}
