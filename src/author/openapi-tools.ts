/**
 * One tool per operation: name, description, input and output schema, annotations.
 *
 * Parameters and the properties of an object body become arguments side by side; where a name is taken, or the body
 * is no plain object, the body is the argument `body`. A union of objects stays a union (`allOf` at the root).
 * Source: Model Context Protocol, server/tools; OpenAPI 3.0.3 and 3.1.0. Not covered: how a parameter is written in
 * a URL (style, explode), headers of answers.
 */
import { isJsonObject, type Json, type JsonObject } from '../core/index.js';
import type { ToolDefinition } from '../domains/index.js';
import type { Operation, Parameter } from './openapi-operations.js';
import { looksObject, type RestReading, restName, rowsSchema } from './openapi-rest.js';
import { lookThrough, newVisits, plainParts, type SchemaConverter, type Visits } from './openapi-schema.js';
import { type OpenApiSource, step } from './openapi-source.js';

/** An operation with its tool. */
export interface OperationTool {
  readonly operation: Operation;
  readonly rest: RestReading;
  readonly tool: ToolDefinition;
  /** Parameter (`path petId`) → argument. */
  readonly argumentOf: ReadonlyMap<string, string>;
  /** The argument that holds the whole body; undefined where its properties are arguments, or there is none. */
  readonly bodyArgument: string | undefined;
}

const NAME_CHARS = 64;

/** Makes the tools, names unique, in the order of the operations. */
export function makeTools(
  source: OpenApiSource,
  converter: SchemaConverter,
  operations: readonly { readonly operation: Operation; readonly rest: RestReading }[],
): OperationTool[] {
  const names = new NameGiver();
  for (const { operation } of operations)
    if (operation.id !== undefined) names.reserve(plainName(operation.id));
  return operations.map(({ operation, rest }) => {
    const wanted = plainName(operation.id ?? restName(operation, rest)) || operation.method;
    const name = names.give(wanted, operation.id !== undefined);
    if (operation.id !== undefined && name !== operation.id)
      source.notes.add(
        '',
        'some operationIds became other names of tools: letters, digits, _ and -, at most 64, each once',
      );
    const { inputSchema, argumentOf, bodyArgument } = makeInput(source, converter, operation);
    const list = rest.kind === 'list' ? rowsSchema(source, operation)?.property : undefined;
    const outputSchema = withList(makeOutput(source, converter, operation), list);
    const description = describe(operation);
    const tool: ToolDefinition = {
      name,
      ...(description !== '' && { description }),
      inputSchema,
      ...(outputSchema !== undefined && { outputSchema }),
      annotations: annotationsOf(operation),
    };
    return { operation, rest, tool, argumentOf, bodyArgument };
  });
}

/** A name that clients and model providers take: letters, digits, `_`, `-`, at most 64. */
function plainName(id: string): string {
  return id
    .trim()
    .replace(/[^A-Za-z0-9_-]+/g, '_')
    .replace(/^_+|_+$/g, '')
    .slice(0, NAME_CHARS);
}

/** Gives each name once. Ids of the document go before names made here. */
class NameGiver {
  private readonly reserved = new Set<string>();
  private readonly given = new Set<string>();

  reserve(name: string): void {
    this.reserved.add(name);
  }

  give(wanted: string, isReserved: boolean): string {
    let name = wanted;
    for (
      let i = 2;
      this.given.has(name) || (this.reserved.has(name) && !(isReserved && name === wanted));
      i++
    ) {
      const tail = `_${i}`;
      name = wanted.slice(0, NAME_CHARS - tail.length) + tail;
    }
    this.given.add(name);
    return name;
  }
}

function describe(operation: Operation): string {
  const { summary, description } = operation;
  const said =
    description.startsWith(summary) || summary === ''
      ? description
      : [summary, description].filter(Boolean).join('\n\n');
  return operation.deprecated ? `Deprecated. ${said}`.trim() : said;
}

function annotationsOf({ method, summary }: Operation): ToolDefinition['annotations'] {
  const reads = method === 'get' || method === 'head' || method === 'options' || method === 'trace';
  return {
    ...(summary !== '' && { title: summary.split('\n')[0]?.slice(0, 120) ?? '' }),
    readOnlyHint: reads,
    ...(!reads && {
      destructiveHint: method === 'delete',
      idempotentHint: method === 'put' || method === 'delete',
    }),
  };
}

interface Input {
  readonly inputSchema: JsonObject;
  readonly argumentOf: ReadonlyMap<string, string>;
  readonly bodyArgument: string | undefined;
}

function makeInput(source: OpenApiSource, converter: SchemaConverter, operation: Operation): Input {
  const argumentOf = nameArguments(operation.parameters);
  const { body } = operation;
  const merge =
    body?.schema === undefined ? undefined : mergeOf(source, body.schema.value, new Set(argumentOf.values()));
  const taken = new Set(argumentOf.values());
  const bodyArgument =
    body === undefined || merge !== undefined
      ? undefined
      : ['body', 'requestBody', 'request_body'].find((name) => !taken.has(name));
  const inputSchema = converter.assemble('input', (part) => {
    const properties = new Map<string, Json>();
    const required: string[] = [];
    for (const parameter of operation.parameters) {
      const name = argumentOf.get(`${parameter.where} ${parameter.name}`) ?? parameter.name;
      properties.set(name, withWords(part(parameter.schema.value, parameter.schema.at), parameter, name));
      if (parameter.required) required.push(name);
    }
    if (bodyArgument !== undefined && body !== undefined) {
      const schema = body.schema;
      const value = schema === undefined ? {} : part(schema.value, schema.at);
      properties.set(bodyArgument, value);
      if (body.required) required.push(bodyArgument);
    }
    const rest =
      merge === undefined || body?.schema === undefined
        ? {}
        : mergeBody(merge, { at: body.schema.at, part, properties, required });
    return {
      type: 'object',
      properties: Object.fromEntries(properties),
      ...(required.length > 0 && { required: [...new Set(required)] }),
      ...rest,
    };
  });
  return { inputSchema, argumentOf, bodyArgument };
}

/** Argument names: a parameter's own, made plain; of two that are alike the later gets its place in front. */
function nameArguments(parameters: readonly Parameter[]): Map<string, string> {
  const names = new Map<string, string>();
  const taken = new Set<string>();
  const order = ['path', 'query', 'header', 'cookie'];
  const sorted = [...parameters].sort((a, b) => order.indexOf(a.where) - order.indexOf(b.where));
  for (const { name, where } of sorted) {
    // `filter[city]` is the city that is looked for
    const told = /^(?:filters?|where)\[([^[\]]+)\]$/.exec(name)?.[1] ?? name;
    const plain = told.replace(/[^A-Za-z0-9_.-]+/g, '_').replace(/^_+(?=.)|(?<=.)_+$/g, '') || where;
    let argument = taken.has(plain) ? `${where}_${plain}` : plain;
    for (let i = 2; taken.has(argument); i++) argument = `${where}_${plain}_${i}`;
    taken.add(argument);
    names.set(`${where} ${name}`, argument);
  }
  return names;
}

function withWords(schema: Json, parameter: Parameter, argument: string): Json {
  const object: JsonObject = isJsonObject(schema) ? schema : schema === true ? {} : { not: {} };
  const sent =
    argument === parameter.name ? '' : `Sent as the ${parameter.where} parameter ${parameter.name}.`;
  const said = parameter.description || (typeof object.description === 'string' ? object.description : '');
  const description = [parameter.deprecated ? 'Deprecated.' : '', said, sent].filter(Boolean).join(' ');
  const { example } = parameter;
  return {
    ...object,
    ...(example !== undefined && object.examples === undefined && { examples: [example] }),
    ...(description !== '' && { description }),
  };
}

/** How a body joins the arguments: the parts whose properties are listed, or a union kept whole. */
type Merge =
  | { readonly kind: 'parts'; readonly parts: readonly JsonObject[] }
  | { readonly kind: 'union'; readonly value: Json };

/** Undefined where the body has to be an argument of its own. */
function mergeOf(source: OpenApiSource, value: Json, taken: ReadonlySet<string>): Merge | undefined {
  const parts = plainParts(source, value);
  if (parts !== undefined) {
    const names = parts.flatMap((part) =>
      isJsonObject(part.properties) ? Object.keys(part.properties) : [],
    );
    if (names.length === 0 || names.some((name) => taken.has(name))) return undefined;
    return { kind: 'parts', parts };
  }
  if (!looksObject(source, value)) return undefined;
  const names = unionNames(source, value, { closed: false, names: new Set(), visits: newVisits() });
  if (names.closed || names.names.size === 0 || [...names.names].some((name) => taken.has(name)))
    return undefined;
  return { kind: 'union', value };
}

interface UnionNames {
  readonly names: Set<string>;
  readonly visits: Visits;
  /** Some branch allows no others, or there are too many to look at. */
  closed: boolean;
}

const CLOSING = [
  'additionalProperties',
  'unevaluatedProperties',
  'propertyNames',
  'minProperties',
  'maxProperties',
];

/** Property names anywhere in a union of objects. */
function unionNames(source: OpenApiSource, value: Json, found: UnionNames): UnionNames {
  const schema = lookThrough(source, value);
  if (found.visits.left-- <= 0) found.closed = true;
  if (found.closed) return found;
  found.closed =
    schema.nullable === true || CLOSING.some((key) => schema[key] !== undefined && schema[key] !== true);
  for (const name of isJsonObject(schema.properties) ? Object.keys(schema.properties) : [])
    found.names.add(name);
  for (const key of ['allOf', 'anyOf', 'oneOf']) {
    const parts: readonly Json[] = Array.isArray(schema[key]) ? schema[key] : [];
    for (const part of parts) unionNames(source, part, found);
  }
  return found;
}

interface Merging {
  readonly at: string;
  readonly part: (value: Json, at: string) => Json;
  readonly properties: Map<string, Json>;
  readonly required: string[];
}

/** Adds the body's properties to the arguments; gives what else the root has to say. */
function mergeBody(merge: Merge, into: Merging): JsonObject {
  if (merge.kind === 'union') return { allOf: [into.part(merge.value, into.at)] };
  let closed = false;
  let fewest = 0;
  const params = into.required.length;
  for (const schema of merge.parts) {
    const { allOf: _inner, minProperties: _few, ...alone } = schema;
    const converted = into.part(alone, into.at);
    if (!isJsonObject(converted)) continue;
    for (const [name, value] of Object.entries(
      isJsonObject(converted.properties) ? converted.properties : {},
    ))
      into.properties.set(name, value);
    for (const name of Array.isArray(converted.required) ? converted.required : [])
      if (typeof name === 'string') into.required.push(name);
    closed ||= schema.additionalProperties === false;
    if (typeof schema.minProperties === 'number') fewest = Math.max(fewest, schema.minProperties);
  }
  return {
    ...(closed && { additionalProperties: false }),
    ...(fewest > 0 && { minProperties: params + fewest }),
  };
}

/** The list of a list's answer is always there, so that answers are written in the document's own envelope. */
function withList(schema: JsonObject | undefined, list: string | undefined): JsonObject | undefined {
  if (schema === undefined || list === undefined || !isJsonObject(schema.properties)) return schema;
  const required: readonly Json[] = Array.isArray(schema.required) ? schema.required : [];
  return required.includes(list) ? schema : { ...schema, required: [...required, list] };
}

/** MCP wants an object as structured answer; other answers have no output schema. */
function makeOutput(
  source: OpenApiSource,
  converter: SchemaConverter,
  operation: Operation,
): JsonObject | undefined {
  const schema = operation.answer?.schema;
  if (schema === undefined || !looksObject(source, schema.value)) return undefined;
  const target = lookThrough(source, schema.value);
  const isRef = isJsonObject(schema.value) && typeof schema.value.$ref === 'string';
  const at = isRef ? String((schema.value as JsonObject).$ref) : schema.at;
  const { nullable: _null, ...plain } = target;
  return converter.assemble('output', (part) => {
    const converted = part(plain, step(at, ''));
    return { ...(isJsonObject(converted) ? converted : {}), type: 'object' };
  });
}
