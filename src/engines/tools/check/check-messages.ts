/**
 * Turns what a schema validator found into sentences that name the argument.
 *
 * The branches of a union are told as one sentence, not as one per branch. At most {@link SHOWN} problems are told,
 * the rest are counted.
 */
import type { ErrorObject } from 'ajv';
import { isJsonObject, type Json, renderJson } from '../../../core/index.js';
import { COUNTED } from './check-compile.js';
import { nearestName } from './messages.js';

/** Problems told in full. */
const SHOWN = 5;

/** The problems as one text, for example ``missing argument `id` ``. */
export function describeProblems(errors: readonly ErrorObject[]): string {
  const told = [...new Set(withoutBranches(errors).map((error) => describe(error, errors)))];
  const more = told.length - SHOWN;
  return told.slice(0, SHOWN).join('; ') + (more > 0 ? `; and ${more} more` : '');
}

/** Drops the errors of single branches: the union's own error tells them. */
function withoutBranches(errors: readonly ErrorObject[]): ErrorObject[] {
  const unions = errors.filter((error) => error.keyword === 'anyOf' || error.keyword === 'oneOf');
  return errors.filter(
    (error) => error.keyword !== 'if' && !unions.some((union) => union !== error && isBranchOf(error, union)),
  );
}

function isBranchOf(error: ErrorObject, union: ErrorObject): boolean {
  if (!error.instancePath.startsWith(union.instancePath)) return false;
  const branches = Array.isArray(union.schema) ? union.schema : [];
  return error.schemaPath.startsWith(`${union.schemaPath}/`) || branches.includes(error.parentSchema);
}

function describe(error: ErrorObject, all: readonly ErrorObject[]): string {
  const where = nameOf(error.instancePath);
  const params = error.params as Record<string, unknown>;
  switch (error.keyword) {
    case 'required':
      return `missing argument \`${join(where, String(params.missingProperty))}\``;
    case 'additionalProperties':
    case 'unevaluatedProperties':
      return unexpected(error, where, String(params.additionalProperty ?? params.unevaluatedProperty));
    case 'type':
      return `${subject(where)} has the wrong type: expected ${words(params.type)}, got ${seen(error.data)}`;
    case 'enum':
      return `${subject(where)} must be one of ${list(params.allowedValues)}, got ${seen(error.data)}`;
    case 'anyOf':
    case 'oneOf':
      return describeUnion(error, where, all);
    case COUNTED:
      return `${subject(where)} ${String(error.message)}`;
    default:
      return `${subject(where)} ${error.message ?? `fails ${error.keyword}`}, got ${seen(error.data)}`;
  }
}

function describeUnion(union: ErrorObject, where: string, all: readonly ErrorObject[]): string {
  const branches = all.filter(
    (error) => error !== union && error.instancePath === union.instancePath && isBranchOf(error, union),
  );
  const wanted = [
    ...new Set(
      branches.map((error) => {
        const params = error.params as Record<string, unknown>;
        if (error.keyword === 'type') return words(params.type);
        return error.keyword === 'enum'
          ? `one of ${list(params.allowedValues)}`
          : (error.message ?? error.keyword);
      }),
    ),
  ];
  const forms = wanted.length === 0 ? '' : ` (${wanted.slice(0, SHOWN).join(', or ')})`;
  return `${subject(where)} matches none of the allowed forms${forms}, got ${seen(union.data)}`;
}

function unexpected(error: ErrorObject, where: string, name: string): string {
  const schema: unknown = error.parentSchema;
  const properties = isJsonObject(schema) && isJsonObject(schema.properties) ? schema.properties : {};
  const known = Object.keys(properties);
  const nearest = nearestName(name, known);
  const hint = nearest === undefined ? '' : `, did you mean \`${nearest}\`?`;
  return `unexpected argument \`${join(where, name)}\`${hint}`;
}

/** `/filter/limit` as `filter.limit`. */
function nameOf(path: string): string {
  const parts = path.split('/').slice(1);
  return parts.map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~')).join('.');
}

function join(where: string, name: string): string {
  return where === '' ? name : `${where}.${name}`;
}

function subject(where: string): string {
  return where === '' ? 'the arguments' : `argument \`${where}\``;
}

function words(type: unknown): string {
  return (Array.isArray(type) ? type : [type]).join(' or ');
}

function list(values: unknown): string {
  const items = Array.isArray(values) ? values : [];
  const told = items.slice(0, 20).map((value: Json) => renderJson(value));
  return told.join(', ') + (items.length > 20 ? ', …' : '');
}

function seen(value: unknown): string {
  const text = renderJson(value as Json);
  return text.length > 60 ? `${text.slice(0, 57)}…` : text;
}
