/**
 * Small hand-written tool worlds for the tests of the engine, and an engine over them.
 */
import type { Engine, JsonObject } from '../../core/index.js';
import { createEngineFrom } from './engine-session.js';
import type { Collection, Field, IdStyle, Plan, ServiceModel } from './service.js';
import type { OverrideSpec, ToolWorldSpec } from './spec.js';

/** A world with its service written out. */
export interface TestWorld {
  readonly spec: ToolWorldSpec;
  readonly model: ServiceModel;
}

/** A field with little to say. */
export function field(name: string, more: Partial<Field> = {}): Field {
  return { name, schema: {}, required: false, ...more };
}

/** A collection from its fields. */
export function collection(
  name: string,
  fields: readonly Field[],
  more: Partial<Collection> & { readonly idStyle: IdStyle },
): Collection {
  return {
    name,
    singular: name.replace(/s$/, ''),
    key: ['id'],
    scope: [],
    fields: Object.fromEntries(fields.map((one) => [one.name, one])),
    ...more,
  };
}

/** A tool: its definition and its plan. */
export interface TestTool {
  readonly name: string;
  readonly input?: JsonObject;
  readonly required?: readonly string[];
  readonly schema?: JsonObject;
  readonly output?: JsonObject;
  readonly plan?: Omit<Plan, 'tool' | 'why'>;
  readonly override?: OverrideSpec;
}

/** Builds a world from its parts. */
export function testWorld(parts: {
  readonly id?: string;
  readonly collections: readonly Collection[];
  readonly tools: readonly TestTool[];
  readonly data?: Record<string, JsonObject[]>;
  readonly strict?: boolean;
  readonly requires?: ToolWorldSpec['requires'];
}): TestWorld {
  const tools = parts.tools.map((tool) => ({
    name: tool.name,
    inputSchema: tool.schema ?? {
      type: 'object',
      properties: tool.input ?? {},
      required: tool.required ?? [],
      additionalProperties: false,
    },
    ...(tool.output === undefined ? {} : { outputSchema: tool.output }),
  }));
  const plans = parts.tools.flatMap((tool): [string, Plan][] => {
    const why = 'test';
    if (tool.override !== undefined) {
      return [[tool.name, { op: 'override', ...tool.plan, override: tool.override, tool: tool.name, why }]];
    }
    return tool.plan === undefined ? [] : [[tool.name, { ...tool.plan, tool: tool.name, why }]];
  });
  return {
    model: {
      collections: Object.fromEntries(parts.collections.map((one) => [one.name, one])),
      plans: Object.fromEntries(plans),
    },
    spec: {
      id: parts.id ?? 'test-world',
      tools,
      data: parts.data ?? {},
      entities: {},
      overrides: {},
      strict: parts.strict ?? false,
      startMs: 1_700_000_000_000,
      ...(parts.requires === undefined ? {} : { requires: parts.requires }),
    },
  };
}

/** An engine that serves a hand-written model; samples are `filler` texts, zeros and falses. */
export function engineOf(world: TestWorld): Engine<ToolWorldSpec> {
  return createEngineFrom({
    infer: () => world.model,
    seedRows: () => ({}),
    sample: (schema, { root }) => sample(schema, root),
  });
}

function sample(schema: JsonObject, root: JsonObject): JsonObject[string] {
  const target = schema.$ref;
  if (typeof target === 'string') {
    const name = target.split('/').at(-1) ?? '';
    const definitions = (root.$defs ?? root.definitions ?? {}) as JsonObject;
    return sample((definitions[name] ?? {}) as JsonObject, root);
  }
  const [type] = [schema.type].flat();
  if (type === 'object') {
    const properties = Object.entries((schema.properties ?? {}) as JsonObject);
    return Object.fromEntries(properties.map(([name, part]) => [name, sample(part as JsonObject, root)]));
  }
  if (type === 'array') return [];
  if (type === 'integer' || type === 'number') return 0;
  if (type === 'boolean') return false;
  return 'filler';
}

const text = { type: 'string' };

/** Tickets: create, get, list, close, delete, tags in a batch, notes that refer to tickets. */
export function ticketWorld(more: { readonly id?: string } = {}): TestWorld {
  return testWorld({
    id: more.id ?? 'tickets',
    collections: [
      collection(
        'tickets',
        [
          field('id'),
          field('title', { schema: text, required: true }),
          field('status', { schema: { type: 'string', enum: ['open', 'closed'] }, initial: 'open' }),
          field('tags', { schema: { type: 'array', items: text }, initial: [] }),
          field('created_at', { stamp: 'created' }),
        ],
        { idStyle: { kind: 'counter', start: 1, prefix: 'T-', width: 0 }, label: 'title' },
      ),
      collection(
        'notes',
        [
          field('id'),
          field('ticket_id', { refersTo: 'tickets', required: true }),
          field('body', { schema: text }),
          field('see', { refersTo: 'tickets', schema: { type: ['string', 'null'] } }),
        ],
        { idStyle: { kind: 'uuid' } },
      ),
    ],
    tools: [
      {
        name: 'ticket_create',
        input: { title: text },
        required: ['title'],
        plan: { op: 'create', collection: 'tickets', writes: { title: 'title' } },
      },
      {
        name: 'ticket_get',
        input: { id: text },
        required: ['id'],
        plan: { op: 'get', collection: 'tickets', key: { id: 'id' } },
      },
      {
        name: 'ticket_close',
        input: { id: text },
        required: ['id'],
        plan: {
          op: 'update',
          collection: 'tickets',
          key: { id: 'id' },
          sets: { status: 'closed' },
          already: 'closed',
        },
      },
      {
        name: 'ticket_delete',
        input: { id: text },
        required: ['id'],
        plan: { op: 'delete', collection: 'tickets', key: { id: 'id' } },
      },
      {
        name: 'ticket_list',
        input: { status: text, limit: { type: 'integer' }, cursor: text, sort: text, direction: text },
        plan: {
          op: 'list',
          collection: 'tickets',
          filters: { status: 'status' },
          paging: { style: 'cursor', at: 'cursor', size: 'limit', defaultSize: 50, maxSize: 100 },
          sorting: { by: 'sort', direction: 'direction' },
        },
      },
      {
        name: 'ticket_search',
        input: { query: text },
        required: ['query'],
        plan: { op: 'search', collection: 'tickets', query: 'query' },
      },
      {
        name: 'tag_add_many',
        input: {
          items: {
            type: 'array',
            items: { type: 'object', properties: { id: text, tag: text }, required: ['id', 'tag'] },
          },
        },
        required: ['items'],
        plan: {
          op: 'append',
          collection: 'tickets',
          key: { id: 'id' },
          writes: { tag: 'tags' },
          listField: 'tags',
          batch: { argument: 'items', items: 'objects' },
        },
      },
      {
        name: 'note_create',
        input: { ticket_id: text, body: text, see: text },
        required: ['ticket_id'],
        plan: {
          op: 'create',
          collection: 'notes',
          writes: { ticket_id: 'ticket_id', body: 'body', see: 'see' },
        },
      },
      { name: 'note_list', plan: { op: 'list', collection: 'notes' } },
      { name: 'weather', input: { city: text } },
    ],
    data: { tickets: [{ id: 'T-7', title: 'Lamp is broken', status: 'open', tags: [] }] },
  });
}
