/**
 * What a document's examples give a world: rows of collections and demonstrations.
 *
 * The example of a list, or of one row, becomes rows in `state.data` (the author's own words, so `pinned`), if each
 * fits its schema and has the collection's key; a request with its answer becomes a demonstration. Nothing is taken
 * without a word: what was taken is told, what does not fit is noted. Not covered: examples of single properties
 * (they guide generated values), examples in files of their own (`externalValue`).
 */
import { isJsonObject, type Json, type JsonObject, renderJson } from '../core/index.js';
import { ToolChecks } from '../engines/index.js';
import { rowsSchema } from './openapi-rest.js';
import { lookThrough, type SchemaConverter } from './openapi-schema.js';
import { type RestGroup, restGroups, type ServiceCorrections } from './openapi-service.js';
import type { Located, OpenApiSource } from './openapi-source.js';
import type { OperationTool } from './openapi-tools.js';

/** What was taken from examples. */
export interface OpenApiExamples {
  /** Collection → rows. */
  readonly data: Readonly<Record<string, JsonObject[]>>;
  readonly demonstrations: readonly Json[];
  /** What was taken from where, in words. */
  readonly taken: readonly string[];
}

const DEMONSTRATIONS = 20;
const ROWS = 1_000;

/** Takes rows and demonstrations out of the examples of the operations and of the schemas they answer with. */
export function takeExamples(
  source: OpenApiSource,
  converter: SchemaConverter,
  of: { readonly tools: readonly OperationTool[]; readonly corrections: ServiceCorrections },
): OpenApiExamples {
  const { model } = of.corrections;
  const data = new Map<string, JsonObject[]>();
  const taken: string[] = [];
  for (const group of restGroups(source, of.tools, model)) {
    const collection = Object.hasOwn(model.collections, group.collection)
      ? model.collections[group.collection]
      : undefined;
    if (collection === undefined || group.row === undefined || group.fields.size === 0) continue;
    const fits = rowCheck(converter.schema(group.row, '', 'output'));
    const keyed = { ...group, key: collection.key };
    const found = rowsOfGroup(source, keyed, fits);
    if (found.rows.length === 0) continue;
    data.set(group.collection, [...(data.get(group.collection) ?? []), ...found.rows].slice(0, ROWS));
    taken.push(
      `${found.rows.length} rows of ${group.collection}, from ${[...new Set(found.places)].slice(0, 5).join(', ')}`,
    );
  }
  const demonstrations = takeDemonstrations(of.tools);
  if (demonstrations.length > 0)
    taken.push(
      `${demonstrations.length} demonstrations, from operations with examples of request and answer`,
    );
  return { data: Object.fromEntries(data), demonstrations, taken };
}

type Check = (row: JsonObject) => boolean;

/** Whether a value fits the schema of one row. */
function rowCheck(schema: Json): Check {
  const outputSchema = isJsonObject(schema) ? schema : {};
  const tool = { name: 'row', inputSchema: { type: 'object' }, outputSchema };
  const checks = new ToolChecks([tool]);
  return (row) => checks.outputFits(tool, row);
}

type KeyedGroup = Omit<RestGroup, 'key'> & { readonly key: readonly string[] };

function rowsOfGroup(
  source: OpenApiSource,
  group: KeyedGroup,
  fits: Check,
): { readonly rows: JsonObject[]; readonly places: string[] } {
  const rows = new Map<string, JsonObject>();
  const places: string[] = [];
  for (const { value, at } of candidates(source, group)) {
    if (!isJsonObject(value)) continue;
    const keys = group.key.map((field) => (Object.hasOwn(value, field) ? value[field] : undefined));
    if (keys.some((key) => typeof key !== 'string' && typeof key !== 'number' && typeof key !== 'bigint')) {
      source.notes.add(at, `the example is no row of ${group.collection}: it has no ${group.key.join(', ')}`);
    } else if (fits(value)) {
      const id = keys.map(String).join('\u0000');
      if (rows.has(id)) continue;
      rows.set(id, value);
      places.push(at);
    } else
      source.notes.add(at, `the example does not fit its schema; not taken as a row of ${group.collection}`);
  }
  return { rows: [...rows.values()], places };
}

/** Everything in the examples that may be a row: items of lists first, then single rows, then schemas' own. */
function candidates(source: OpenApiSource, group: KeyedGroup): Located<Json>[] {
  const lists: Located<Json>[] = [];
  const single: Located<Json>[] = [];
  for (const { operation, rest } of group.members) {
    const { answer } = operation;
    if (answer === undefined) continue;
    const shown = rest.kind === 'list' ? rowsSchema(source, operation) : undefined;
    for (const example of [...answer.examples, ...schemaExamples(source, answer.schema)]) {
      if (rest.kind === 'list') lists.push(...itemsOf(example, shown?.property));
      else if (rest.kind !== 'delete' && rest.kind !== 'action') single.push(unwrapped(example, group));
    }
  }
  const own =
    group.row === undefined ? [] : schemaExamples(source, { value: group.row, at: rowPlace(group) });
  return [...lists, ...single, ...own];
}

function rowPlace({ row, collection }: KeyedGroup): string {
  return isJsonObject(row) && typeof row.$ref === 'string' ? row.$ref : `the row of ${collection}`;
}

/** `{"pet": {…}}` shows the pet inside. */
function unwrapped(example: Located<Json>, group: KeyedGroup): Located<Json> {
  const { value, at } = example;
  const inner = isJsonObject(value) ? Object.values(value) : [];
  const [only] = inner;
  const wrapped =
    inner.length === 1 &&
    isJsonObject(only) &&
    isJsonObject(value) &&
    !group.key.every((key) => Object.hasOwn(value, key));
  return wrapped && only !== undefined ? { value: only, at } : example;
}

function itemsOf({ value, at }: Located<Json>, property: string | undefined): Located<Json>[] {
  const list = property !== undefined && isJsonObject(value) ? value[property] : value;
  return Array.isArray(list) ? list.slice(0, ROWS).map((item: Json) => ({ value: item, at })) : [];
}

function schemaExamples(source: OpenApiSource, schema: Located<Json> | undefined): Located<Json>[] {
  const { example, examples } = lookThrough(source, schema?.value);
  const at =
    isJsonObject(schema?.value) && typeof schema.value.$ref === 'string'
      ? schema.value.$ref
      : (schema?.at ?? '');
  const all = [
    ...(example === undefined ? [] : [example]),
    ...(Array.isArray(examples) ? (examples as Json[]) : []),
  ];
  return all.map((value) => ({ value, at }));
}

/** Calls with arguments that fit their tool, and the answer the document shows for them. */
function takeDemonstrations(tools: readonly OperationTool[]): Json[] {
  const checks = new ToolChecks(tools.map(({ tool }) => tool));
  const found: Json[] = [];
  for (const { operation, tool, argumentOf, bodyArgument } of tools) {
    if (found.length >= DEMONSTRATIONS) break;
    const [answer] = operation.answer?.examples ?? [];
    const [request] = operation.body?.examples ?? [];
    if (answer === undefined || (operation.body !== undefined && request === undefined)) continue;
    const parameters = operation.parameters.flatMap((parameter): [string, Json][] => {
      const argument = argumentOf.get(`${parameter.where} ${parameter.name}`);
      return argument === undefined || parameter.example === undefined ? [] : [[argument, parameter.example]];
    });
    const body =
      request === undefined
        ? {}
        : bodyArgument !== undefined
          ? { [bodyArgument]: request.value }
          : request.value;
    const args = { ...Object.fromEntries(parameters), ...(isJsonObject(body) ? body : {}) };
    if (!checks.check(tool.name, args).ok || !checks.outputFits(tool, answer.value)) continue;
    found.push({ action: { name: tool.name, arguments: args }, observation: renderJson(answer.value, 2) });
  }
  return found;
}
