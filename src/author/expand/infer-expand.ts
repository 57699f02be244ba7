/**
 * What may vary in a world that does not say so: names of persons and companies, ids, dates by whole weeks, and rows
 * beside those that the task is about.
 *
 * Nothing here is sure; a child whose checks fail is not kept. Persons are texts of two capitalised words in a field
 * that is called like a person's name; companies end in a legal form. Not covered: amounts, counts, the task's words.
 */
import { isJsonObject, type Json, type JsonObject, renderJson } from '../../core/index.js';
import { inferService } from '../../engines/index.js';
import {
  type AddRowsSpec,
  ExpandSchema,
  type ExpandSpec,
  type ParamSpec,
  type World,
} from '../../worlds/index.js';
import { countingIds } from './vary-rows.js';

const PERSON = /^\p{Lu}[\p{L}'’-]+ \p{Lu}[\p{L}'’-]+$/u;
const COMPANY = / (?:Inc\.?|Ltd\.?|LLC|GmbH|AG|AB|AS|Oy|BV|SA|SpA)$/;
const PERSON_FIELD = /(?:^|_)(?:name|full_?name|owner|author|contact|customer|attendee|assignee|from|to)$/i;
const PERSON_PARTS =
  /person|people|user|customer|contact|member|employee|patient|guest|author|staff|attendee/;
/** Names exchanged at most; rows added to a collection at most. */
const MAX_NAMES = 40;
const MAX_ROWS = 6;
/** Whole weeks by which a world may move. */
const WEEKS = [-26, -13, -9, -4, -2, -1, 0, 1, 2, 3, 5, 8, 11, 17, 24, 30, 44, 52];

/** The key `expand` that a world of tools could have. */
export function inferExpand(world: World): ExpandSpec {
  const spec = world.spec;
  if (spec === null) return ExpandSchema.parse({});
  const model = inferService(spec);
  const talk = renderJson([
    world.file.task ?? '',
    world.file.success as unknown as Json,
    world.oracle,
    world.wrong.map(({ actions }) => actions),
    world.file.facts as unknown as Json,
  ]);
  const params: Record<string, ParamSpec> = {};
  const found = namesOf(spec.data);
  for (const [index, name] of found.persons.slice(0, MAX_NAMES).entries()) {
    params[`person_${index + 1}`] = { make: 'person', is: personParts(name, talk) };
  }
  for (const [index, name] of found.companies.slice(0, MAX_NAMES).entries()) {
    params[`company_${index + 1}`] = { make: 'company', is: { name } };
  }
  const rows: AddRowsSpec[] = [];
  const counted: string[] = [];
  for (const [collection, list] of Object.entries(spec.data)) {
    const [key, second] = model.collections[collection]?.key ?? [];
    if (key === undefined || second !== undefined || list.length < 4) continue;
    const ids = list.map((row) => row[key]);
    if (countingIds(ids) === undefined) continue;
    if (ids.every((id) => typeof id === 'string')) counted.push(collection);
    const aside = list.filter((row) => !talk.includes(renderJson(row[key] ?? null).replaceAll('"', '')));
    if (aside.length < 3) continue;
    params[`extra_${collection.toLowerCase().replace(/[^a-z0-9]/g, '_')}`] = {
      make: { integer: [0, MAX_ROWS] },
    };
    const keys = renderJson(aside.map((row) => row[key] ?? null));
    rows.push({
      into: collection,
      count: `extra_${collection.toLowerCase().replace(/[^a-z0-9]/g, '_')}`,
      like: `row[${renderJson(key)}] in ${keys}`,
      ...slippedLabel(model.collections[collection]?.label, aside),
      place: 'mixed',
    });
  }
  return ExpandSchema.parse({
    params: { ...params, ...rowCounts(world) },
    rows,
    renumber: counted,
    shift: { days: WEEKS.map((weeks) => weeks * 7) },
  });
}

/** Verifiers that compare a number of rows with a number: the number follows the rows. */
function rowCounts(world: World): Record<string, ParamSpec> {
  const found: Record<string, ParamSpec> = {};
  for (const verifier of world.file.success) {
    if (!('expr' in verifier)) continue;
    for (const [, collection = '', op = '', digits = ''] of verifier.expr.matchAll(
      /size\(state\.data\.(\w+)\) (==|>|>=|<=|<) (\d+)/g,
    )) {
      const rows = world.spec?.data[collection];
      if (rows === undefined) continue;
      const name = `count_${collection.toLowerCase()}_${digits}${op === '==' ? '' : '_bound'}`;
      const more = Number(digits) - rows.length;
      const value = `size(state.data.${collection}) + ${more < 0 ? `(${more})` : more}`;
      found[name] = { value, is: Number(digits), in: [`success.${verifier.id}`] };
    }
  }
  return found;
}

/** A copy is called almost what its model is called, where rows are called something. */
function slippedLabel(
  label: string | undefined,
  rows: readonly JsonObject[],
): Pick<AddRowsSpec, 'make' | 'row'> {
  if (label === undefined || !rows.every((row) => typeof row[label] === 'string'))
    return { make: {}, row: {} };
  return { make: { slip: { variant: `row[${renderJson(label)}]` } }, row: { [label]: '{slip}' } };
}

/** The parts of a person's name that stand alone in what is said of the task, so that they change with the name. */
function personParts(name: string, talk: string): JsonObject {
  const [first = '', last = ''] = name.split(' ');
  const alone = (part: string): boolean => talk.replaceAll(name, '').includes(part);
  return { name, ...(alone(first) && { first }), ...(alone(last) && { last }) };
}

function namesOf(data: Readonly<Record<string, readonly JsonObject[]>>): {
  persons: string[];
  companies: string[];
} {
  const persons = new Set<string>();
  const companies = new Set<string>();
  const look = (value: Json, field: string, collection: string): void => {
    if (Array.isArray(value)) {
      for (const item of value as readonly Json[]) look(item, field, collection);
    } else if (isJsonObject(value)) {
      for (const [name, part] of Object.entries(value)) look(part, name, collection);
    } else if (typeof value === 'string' && COMPANY.test(value)) companies.add(value);
    else if (typeof value === 'string' && PERSON.test(value) && PERSON_FIELD.test(field)) {
      if (field !== 'name' || PERSON_PARTS.test(collection)) persons.add(value);
    }
  };
  for (const [collection, rows] of Object.entries(data)) look(rows as readonly Json[], '', collection);
  return { persons: [...persons], companies: [...companies] };
}
