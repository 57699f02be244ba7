/**
 * The one complaint that Go's `jsonschema-go` makes of arguments, as servers on the official Go SDK print it.
 *
 * Validation ends at the first problem: type, choices, numbers, texts, lists, then required properties, then the
 * properties in turn, each step of the way named. Source: public reports of messages of jsonschema-go 0.4 and go-sdk
 * 1.7; not compared with the library, which cannot be run here. Not covered: the order of properties, which Go
 * leaves to chance.
 */
import type { ErrorObject } from 'ajv';
import { isJsonObject, type Json, renderJson } from '../../../../core/index.js';

const ORDER = [
  'type',
  'enum',
  'const',
  'multipleOf',
  'minimum',
  'exclusiveMinimum',
  'maximum',
  'exclusiveMaximum',
  'minLength',
  'maxLength',
  'pattern',
  'anyOf',
  'oneOf',
  'minItems',
  'maxItems',
  'uniqueItems',
  'required',
];

/** The complaint with the way to it, for example `validating root: required: missing properties: ["title"]`. */
export function goMessage(errors: readonly ErrorObject[]): string | undefined {
  const place = (error: ErrorObject): number => {
    const at = ORDER.indexOf(error.keyword);
    return (at < 0 ? ORDER.length : at) + depthOf(error) * ORDER.length * 2;
  };
  const unions = errors.filter(({ keyword }) => keyword === 'anyOf' || keyword === 'oneOf');
  const outside = errors.filter(
    (error) =>
      !unions.some((union) => union !== error && error.schemaPath.startsWith(`${union.schemaPath}/`)),
  );
  const [first] = [...outside].sort((a, b) => place(a) - place(b));
  if (first === undefined) return undefined;
  const steps = first.instancePath
    .split('/')
    .slice(1)
    .map((part) => (/^\d+$/.test(part) ? '/items' : `/properties/${part}`));
  const way = steps.map((_step, at) => `validating ${steps.slice(0, at + 1).join('')}: `);
  return `validating root: ${way.join('')}${messageOf(first, outside)}`;
}

function depthOf(error: ErrorObject): number {
  return error.instancePath === '' ? 0 : error.instancePath.split('/').length - 1;
}

function messageOf(error: ErrorObject, all: readonly ErrorObject[]): string {
  const value = error.data as Json;
  const seen = goValue(value);
  const wanted = goValue(error.schema as Json);
  const size = typeof value === 'string' ? [...value].length : Array.isArray(value) ? value.length : 0;
  switch (error.keyword) {
    case 'type':
      return Array.isArray(error.schema)
        ? `type: ${seen} has type ${JSON.stringify(goType(value))}, want one of ${JSON.stringify(error.schema.join(', '))}`
        : `type: ${seen} has type ${JSON.stringify(goType(value))}, want ${JSON.stringify(error.schema)}`;
    case 'enum':
      return `enum: ${seen} does not equal any of: ${wanted}`;
    case 'const':
      return `const: ${seen} does not equal ${wanted}`;
    case 'minimum':
      return `minimum: ${seen} is less than ${wanted}`;
    case 'maximum':
      return `maximum: ${seen} is greater than ${wanted}`;
    case 'exclusiveMinimum':
      return `exclusiveMinimum: ${seen} is less than or equal to ${wanted}`;
    case 'exclusiveMaximum':
      return `exclusiveMaximum: ${seen} is greater than or equal to ${wanted}`;
    case 'multipleOf':
      return `multipleOf: ${seen} is not a multiple of ${wanted}`;
    case 'minLength':
      return `minLength: ${JSON.stringify(value)} contains ${size} Unicode code points, fewer than ${wanted}`;
    case 'maxLength':
      return `maxLength: ${JSON.stringify(value)} contains ${size} Unicode code points, more than ${wanted}`;
    case 'pattern':
      return `pattern: ${JSON.stringify(value)} does not match regular expression ${JSON.stringify(error.schema)}`;
    case 'minItems':
      return `minItems: array length ${size} is less than ${wanted}`;
    case 'maxItems':
      return `maxItems: array length ${size} is greater than ${wanted}`;
    case 'required':
      return `required: missing properties: ${goList(namesOf(error, all, 'missingProperty'))}`;
    case 'additionalProperties':
      return `unexpected additional properties ${goList(namesOf(error, all, 'additionalProperty'))}`;
    default:
      return `${error.keyword}: ${error.message ?? 'does not validate'}`;
  }
}

function namesOf(error: ErrorObject, all: readonly ErrorObject[], param: string): string[] {
  return all
    .filter((one) => one.keyword === error.keyword && one.instancePath === error.instancePath)
    .map((one) => String((one.params as Record<string, Json>)[param]));
}

function goList(names: readonly string[]): string {
  return `[${names.map((name) => JSON.stringify(name)).join(' ')}]`;
}

/** A value as `%v` prints it. */
function goValue(value: Json): string {
  if (value === null) return '<nil>';
  if (Array.isArray(value)) return `[${value.map((item: Json) => goValue(item)).join(' ')}]`;
  if (isJsonObject(value)) {
    const names = Object.keys(value).sort();
    return `map[${names.map((name) => `${name}:${goValue(value[name] ?? null)}`).join(' ')}]`;
  }
  return typeof value === 'string' ? value : renderJson(value);
}

function goType(value: Json): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  if (typeof value === 'number') return Number.isInteger(value) ? 'integer' : 'number';
  return typeof value === 'bigint' ? 'integer' : typeof value;
}
