/**
 * A world file out of an OpenAPI document: one tool per operation, what REST says of them, the document's examples as
 * rows. It plays at once.
 *
 * The service is inferred from names and schemas like that of any list of tools; where method and path say more than
 * a name does, the file says so under `entities` and `overrides`. The text is read back before it is given out.
 */
import {
  fail,
  isJsonObject,
  type Json,
  type JsonObject,
  ok,
  type Result,
  renderJson,
  type UmweltError,
  UsageError,
  WorldError,
} from '../core/index.js';
import { describeService, inferService, type ServiceModel } from '../engines/index.js';
import { loadWorld, type World } from '../worlds/index.js';
import { type FirstTask, firstTask } from './first-task.js';
import { type OpenApiExamples, takeExamples } from './openapi-examples.js';
import { type Operation, readOperations } from './openapi-operations.js';
import { readRest } from './openapi-rest.js';
import { SchemaConverter } from './openapi-schema.js';
import { correctService, type ServiceCorrections } from './openapi-service.js';
import { type OpenApiSource, parseOpenApi } from './openapi-source.js';
import { makeTools, type OperationTool } from './openapi-tools.js';
import { renderYaml } from './world-yaml.js';

/** How to name and seed the world, and which operations to take. */
export interface WorldFromOpenApiOptions {
  /** Lower-case words joined by hyphens. Default: made of the document's title. */
  readonly name?: string;
  /** Seed of the generated data. Default: 1. */
  readonly seed?: number;
  /** Only operations with one of these tags. Default: all. */
  readonly tags?: readonly string[];
  /** What to call the document in messages. Default: `the document`. */
  readonly source?: string;
  /** Where editors find the JSON schema, relative to the file. Default: in the installed package. */
  readonly schemaPath?: string;
}

/** A world file's text, the name it got, and what is to be known about it. */
export interface OpenApiWorld {
  readonly name: string;
  readonly text: string;
  readonly tools: number;
  /** The text as it loads. */
  readonly world: World;
  /** What was ignored, left out or changed, each with its place in the document. */
  readonly notes: readonly string[];
  /** What was taken from the document's examples, in words. */
  readonly taken: readonly string[];
}

/**
 * Makes a world of an OpenAPI 3.0 or 3.1 document (YAML or JSON text). Deterministic. Fails with `data/invalid` for
 * what is no such document, `usage/bad-argument` for an impossible name or seed, `usage/unknown-name` for a tag that
 * no operation has, `world/invalid` where no operation is left. Never raises for what the document says.
 */
export function worldFromOpenApi(
  text: string,
  options: WorldFromOpenApiOptions = {},
): Result<OpenApiWorld, UmweltError> {
  const parsed = parseOpenApi(text, options.source ?? 'the document');
  if (!parsed.ok) return parsed;
  const source = parsed.value;
  const named = checkOptions(source, options);
  if (!named.ok) return named;
  const operations = chooseOperations(source, readOperations(source), options.tags ?? []);
  if (!operations.ok) return operations;
  const rest = readRest(source, operations.value);
  const converter = new SchemaConverter(source, operations.value.length);
  const tools = makeTools(
    source,
    converter,
    operations.value.map((operation, i) => ({ operation, rest: rest[i] ?? NO_REST })),
  );
  const corrections = correctService(source, converter, tools);
  const examples = takeExamples(source, converter, { tools, corrections });
  const model = modelOf(tools, corrections, examples);
  const parts = { source, tools, corrections, examples, model, options: named.value };
  const bare = loadWorld(renderWorld(parts, {}));
  if (!bare.ok) return bare;
  const body = renderWorld(parts, firstTask(bare.value));
  const loaded = loadWorld(body);
  if (!loaded.ok) return loaded;
  const { taken } = examples;
  return ok({
    name: named.value.name,
    text: body,
    world: loaded.value,
    tools: tools.length,
    notes: source.notes.list(),
    taken,
  });
}

const NO_REST = {
  kind: 'other',
  collection: '',
  key: undefined,
  parents: [],
  action: undefined,
  replaces: false,
} as const;

interface Named {
  readonly name: string;
  readonly seed: number;
  readonly schemaPath: string;
}

function checkOptions(source: OpenApiSource, options: WorldFromOpenApiOptions): Result<Named, UmweltError> {
  const refuse = (message: string, seen: string | number) =>
    fail(new UsageError(message, { code: 'usage/bad-argument', data: { seen } }));
  const info = isJsonObject(source.json.info) ? source.json.info : {};
  const { name = worldName(info.title), seed = 1 } = options;
  if (!/^[a-z0-9]+(?:-[a-z0-9]+)*$/.test(name) || name.length > 100) {
    return refuse(
      `the name ${JSON.stringify(name)} is not usable; wanted lower-case words joined by hyphens`,
      name,
    );
  }
  if (!Number.isSafeInteger(seed)) {
    return refuse(`the seed ${seed} is not usable; wanted a whole number below 2^53`, seed);
  }
  return ok({ name, seed, schemaPath: options.schemaPath ?? './node_modules/umwelt/world.schema.json' });
}

/** `Pet Clinic API` becomes `pet-clinic-api`; a title without letters is `api`. */
function worldName(title: Json | undefined): string {
  const words = (typeof title === 'string' ? title : '')
    .replace(/([a-z0-9])([A-Z])/g, '$1-$2')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== '');
  return words.join('-').slice(0, 60).replace(/-+$/, '') || 'api';
}

function chooseOperations(
  source: OpenApiSource,
  operations: readonly Operation[],
  tags: readonly string[],
): Result<readonly Operation[], UmweltError> {
  const tagged = (operation: Operation): boolean => operation.tags.some((tag) => tags.includes(tag));
  const known = [...new Set(operations.flatMap((operation) => operation.tags))];
  const unknown = tags.find((tag) => !known.includes(tag));
  if (unknown !== undefined) {
    const list = known.length === 0 ? 'no operation has a tag' : `tags: ${known.slice(0, 30).join(', ')}`;
    const message = `no operation has the tag ${JSON.stringify(unknown)}; ${list}`;
    return fail(new UsageError(message, { code: 'usage/unknown-name', data: { seen: unknown } }));
  }
  const chosen = tags.length === 0 ? operations : operations.filter(tagged);
  if (chosen.length > 0) return ok(chosen);
  const notes = source.notes.list();
  const message = [
    'the document has no operation that can be read; a world needs at least one',
    ...notes,
  ].join('\n');
  return fail(new WorldError(message, { code: 'world/invalid' }));
}

interface Parts {
  readonly source: OpenApiSource;
  readonly tools: readonly OperationTool[];
  readonly corrections: ServiceCorrections;
  readonly examples: OpenApiExamples;
  /** What the file as a whole leads to. */
  readonly model: ServiceModel;
  readonly options: Named;
}

/** Above so many tools each stands on one line, which is read many times faster. */
const BLOCK_TOOLS = 60;

function renderWorld(parts: Parts, task: FirstTask | Record<string, never>): string {
  const { source, tools, corrections, examples, options } = parts;
  const info = isJsonObject(source.json.info) ? source.json.info : {};
  const words = (value: Json | undefined): string => (typeof value === 'string' ? value.trim() : '');
  const title = words(info.title) || options.name;
  const about = words(info.description);
  const { data, demonstrations } = examples;
  const state = {
    server: { name: title, version: words(info.version) || '1.0.0' },
    ...named('data', data),
    ...named('generate', generated(parts)),
  };
  const world = {
    world: 1,
    name: options.name,
    domain: 'mcp',
    title,
    ...(about !== '' && { description: about }),
    seed: options.seed,
    ...task,
    budget: { maxTurns: 50 },
    state,
    ...named('entities', corrections.entities),
    ...named('overrides', corrections.overrides),
    ...(demonstrations.length > 0 && { demonstrations }),
  };
  const list = tools.map(({ tool }) => tool as unknown as JsonObject);
  const lines = list.map((tool) => `  - ${renderJson(tool)}\n`).join('');
  const listed = list.length > BLOCK_TOOLS ? `tools:\n${lines}` : renderYaml({ tools: list });
  return `# yaml-language-server: $schema=${plain(options.schemaPath)}\n${summary(parts)}${renderYaml(world)}${listed}`;
}

function named(key: string, value: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.keys(value).length === 0 ? {} : { [key]: value };
}

/** Rows to make of a collection that has none of its own, in a world that says something of its data. */
const GENERATED_ROWS = 8;

/** A world that gives rows or overrides has no others but those it asks for. */
function generated(parts: Parts): Record<string, number> {
  const { data } = parts.examples;
  if (Object.keys(data).length === 0 && Object.keys(parts.corrections.overrides).length === 0) return {};
  const empty = Object.values(parts.model.collections).filter(({ name }) => !Object.hasOwn(data, name));
  return Object.fromEntries(
    empty.map(({ name, singleton }) => [name, singleton === true ? 1 : GENERATED_ROWS]),
  );
}

/** The service model that the file's own corrections and rows lead to. */
function modelOf(
  tools: readonly OperationTool[],
  { entities, overrides, model }: ServiceCorrections,
  { data }: OpenApiExamples,
): ServiceModel {
  if (Object.keys(data).length === 0) return model;
  const list = tools.map(({ tool }) => tool);
  return inferService({ tools: list, data: { ...data }, entities, overrides, strict: false });
}

function summary(parts: Parts): string {
  const notes = parts.source.notes.list();
  const lines = [
    'What the engine believes these operations do. Correct it with `entities` and `overrides` (docs/WORLDS.md).',
    ...describeService(parts.model).split('\n'),
    ...parts.tools.map(
      ({ tool, operation }) => `${tool.name} is ${operation.method.toUpperCase()} ${operation.path}`,
    ),
    ...(parts.examples.taken.length === 0 ? [] : ['Of the examples:', ...parts.examples.taken]),
    ...(notes.length === 0 ? [] : ['About the document:', ...notes]),
  ];
  return lines.map((line) => (line.trim() === '' ? '#\n' : `# ${plain(line)}\n`)).join('');
}

/** A comment must stay one line, whatever an operation is called. */
function plain(line: string): string {
  return line.replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029]/g, ' ').trimEnd();
}
