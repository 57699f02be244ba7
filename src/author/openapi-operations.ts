/**
 * The operations of an OpenAPI document: method, path, parameters, request body and answer of each, with references
 * followed as far as the places go (schemas keep theirs).
 *
 * Source: OpenAPI 3.0.3 and 3.1.0, paths, parameter, request body and response objects. What is ignored (servers,
 * security, callbacks, webhooks, links) is noted once.
 */
import { isJsonObject, type Json, type JsonObject } from '../core/index.js';
import { type Located, type OpenApiSource, step } from './openapi-source.js';

/** HTTP methods in the order in which tools are listed. */
const METHODS = ['get', 'post', 'put', 'patch', 'delete', 'head', 'options', 'trace'] as const;
/** An HTTP method. */
export type Method = (typeof METHODS)[number];

/** Most operations that are read. */
const OPERATIONS = 5_000;

/** One parameter. */
export interface Parameter {
  readonly name: string;
  readonly where: 'path' | 'query' | 'header' | 'cookie';
  readonly required: boolean;
  readonly description: string;
  readonly deprecated: boolean;
  readonly schema: Located<Json>;
  /** An example value, where the parameter object gives one. */
  readonly example?: Json;
}

/** A body of a request or an answer in the media type that is used. */
export interface Body {
  readonly mediaType: string;
  readonly schema: Located<Json> | undefined;
  /** Example values in the order of the document. */
  readonly examples: readonly Located<Json>[];
}

/** One operation. */
export interface Operation {
  readonly method: Method;
  readonly path: string;
  readonly at: string;
  readonly id: string | undefined;
  readonly summary: string;
  readonly description: string;
  readonly deprecated: boolean;
  readonly tags: readonly string[];
  readonly parameters: readonly Parameter[];
  readonly body: (Body & { readonly required: boolean }) | undefined;
  /** The first good answer, where it has a JSON body. */
  readonly answer: Body | undefined;
}

/** Reads all operations in the order of the document. What cannot be read is noted and left out. */
export function readOperations(source: OpenApiSource): Operation[] {
  const { json, notes } = source;
  if (json.servers !== undefined) notes.add('#/servers', 'ignored: nothing is called');
  if (
    json.security !== undefined ||
    (isJsonObject(json.components) && json.components.securitySchemes !== undefined)
  )
    notes.add('', 'security is ignored: the world needs no credentials');
  if (json.webhooks !== undefined) notes.add('#/webhooks', 'ignored: a world has no outgoing calls');
  const operations: Operation[] = [];
  for (const [path, value] of Object.entries(isJsonObject(json.paths) ? json.paths : {})) {
    if (!path.startsWith('/')) {
      if (!path.startsWith('x-'))
        notes.add(step('#/paths', path), 'is no path (it does not start with /); left out');
      continue;
    }
    const item = source.follow(value, step('#/paths', path));
    if (item === undefined) {
      notes.add(step('#/paths', path), 'is no path item; left out');
      continue;
    }
    for (const method of METHODS) {
      const operation = item.value[method];
      if (operation === undefined) continue;
      if (operations.length >= OPERATIONS) {
        notes.add('#/paths', `has more than ${OPERATIONS} operations; the rest is left out`);
        return operations;
      }
      const at = step(item.at, method);
      if (isJsonObject(operation))
        operations.push(readOperation(source, { method, path, at, item, operation }));
      else notes.add(at, 'is no operation; left out');
    }
  }
  return operations;
}

interface Reading {
  readonly method: Method;
  readonly path: string;
  readonly at: string;
  readonly item: Located<JsonObject>;
  readonly operation: JsonObject;
}

function readOperation(source: OpenApiSource, reading: Reading): Operation {
  const { method, path, at, item, operation } = reading;
  if (operation.security !== undefined)
    source.notes.add('', 'security is ignored: the world needs no credentials');
  if (operation.servers !== undefined) source.notes.add('#/servers', 'ignored: nothing is called');
  if (operation.callbacks !== undefined)
    source.notes.add('', 'callbacks are ignored: a world has no outgoing calls');
  const body = source.follow(operation.requestBody, step(at, 'requestBody'));
  const content = body === undefined ? undefined : readContent(source, body, INPUT_TYPES);
  const id =
    typeof operation.operationId === 'string' && operation.operationId.trim() !== ''
      ? operation.operationId
      : undefined;
  return {
    method,
    path,
    at,
    id,
    summary: text(operation.summary) || text(item.value.summary),
    description: text(operation.description) || text(item.value.description),
    deprecated: operation.deprecated === true,
    tags: (Array.isArray(operation.tags) ? operation.tags : []).filter((tag) => typeof tag === 'string'),
    parameters: readParameters(source, reading),
    body: content === undefined ? undefined : { ...content, required: body?.value.required === true },
    answer: readAnswer(source, operation, at),
  };
}

/** Parameters of the path item, replaced by the operation's own of the same name and place. */
function readParameters(source: OpenApiSource, { path, at, item, operation }: Reading): Parameter[] {
  const found = new Map<string, Parameter>();
  for (const [list, place] of [
    [item.value.parameters, step(item.at, 'parameters')],
    [operation.parameters, step(at, 'parameters')],
  ] as const) {
    if (list !== undefined && !Array.isArray(list)) source.notes.add(place, 'is no list; left out');
    for (const [index, entry] of (Array.isArray(list) ? list : []).entries()) {
      const parameter = readParameter(source, entry as Json, step(place, index));
      if (parameter !== undefined) found.set(`${parameter.where} ${parameter.name}`, parameter);
    }
  }
  for (const name of pathNames(path)) {
    if (found.has(`path ${name}`)) continue;
    source.notes.add(at, `{${name}} of the path is described nowhere; taken as a text`);
    const schema = { value: { type: 'string' }, at };
    found.set(`path ${name}`, {
      name,
      where: 'path',
      required: true,
      description: '',
      deprecated: false,
      schema,
    });
  }
  return [...found.values()];
}

/** Names between braces, in the order of the path. */
function pathNames(path: string): string[] {
  return [...path.matchAll(/\{([^{}]+)\}/g)].map((match) => match[1] ?? '');
}

/** Headers that the HTTP machinery owns; OpenAPI says that parameters of these names are ignored. */
const OWN_HEADERS = new Set(['accept', 'content-type', 'authorization']);

function readParameter(source: OpenApiSource, entry: Json, at: string): Parameter | undefined {
  const found = source.follow(entry, at);
  if (found === undefined) {
    if (!isJsonObject(entry)) source.notes.add(at, 'is no parameter; left out');
    return undefined;
  }
  const { value } = found;
  const where = value.in;
  if (typeof value.name !== 'string' || value.name === '') {
    source.notes.add(at, 'the parameter has no name; left out');
    return undefined;
  }
  if (where !== 'path' && where !== 'query' && where !== 'header' && where !== 'cookie') {
    source.notes.add(
      at,
      `the parameter ${value.name} is in ${JSON.stringify(where ?? null)}; wanted path, query, header or cookie; left out`,
    );
    return undefined;
  }
  if (where === 'header' && OWN_HEADERS.has(value.name.toLowerCase())) return undefined;
  const content = isJsonObject(value.content) ? readContent(source, found, INPUT_TYPES) : undefined;
  const schema = content?.schema ?? {
    value: value.schema ?? { type: 'string' },
    at: step(found.at, 'schema'),
  };
  const [example] = content?.examples ?? readExamples(source, found.value, found.at);
  return {
    name: value.name,
    where,
    required: where === 'path' || value.required === true,
    description: text(value.description),
    deprecated: value.deprecated === true,
    schema,
    ...(example !== undefined && { example: example.value }),
  };
}

const JSON_TYPE = /^(application\/json|[^;]*\+json|\*\/\*|application\/\*)\s*(;|$)/i;
const INPUT_TYPES = [JSON_TYPE, /^application\/x-www-form-urlencoded/i, /^multipart\//i, /./];
const ANSWER_TYPES = [JSON_TYPE];

/** The media type that comes first in the order wanted. */
function readContent(
  source: OpenApiSource,
  holder: Located<JsonObject>,
  wanted: readonly RegExp[],
): Body | undefined {
  const { content } = holder.value;
  if (!isJsonObject(content)) return undefined;
  for (const kind of wanted) {
    const mediaType = Object.keys(content).find((name) => kind.test(name));
    if (mediaType === undefined) continue;
    const at = step(step(holder.at, 'content'), mediaType);
    const media = content[mediaType];
    if (!isJsonObject(media)) continue;
    const { schema } = media;
    return {
      mediaType,
      schema: schema === undefined ? undefined : { value: schema, at: step(at, 'schema') },
      examples: readExamples(source, media, at),
    };
  }
  return undefined;
}

/** `example` and the values of `examples`, references followed. */
function readExamples(source: OpenApiSource, holder: JsonObject, at: string): Located<Json>[] {
  const named = isJsonObject(holder.examples) ? Object.entries(holder.examples) : [];
  const values = named.flatMap(([name, entry]): Located<Json>[] => {
    const place = step(step(at, 'examples'), name);
    const example = source.follow(entry, place);
    const value = example?.value.value;
    if (example?.value.externalValue !== undefined) source.notes.add(place, 'externalValue is not read');
    return value === undefined ? [] : [{ value, at: place }];
  });
  return holder.example === undefined
    ? values
    : [{ value: holder.example, at: step(at, 'example') }, ...values];
}

/** The first good answer's JSON body: 200 before 201 before 2XX before default. */
function readAnswer(source: OpenApiSource, operation: JsonObject, at: string): Body | undefined {
  const responses = isJsonObject(operation.responses) ? operation.responses : {};
  const good = Object.keys(responses).filter((code) => /^2(\d\d|XX)$/i.test(code));
  const codes =
    good.length > 0
      ? good.sort((a, b) => (a < b ? -1 : 1))
      : Object.keys(responses).filter((code) => code === 'default');
  for (const code of codes) {
    const response = source.follow(responses[code], step(step(at, 'responses'), code));
    const body = response === undefined ? undefined : readContent(source, response, ANSWER_TYPES);
    if (body !== undefined) return body;
  }
  return undefined;
}

function text(value: Json | undefined): string {
  return typeof value === 'string' ? value.trim() : '';
}
