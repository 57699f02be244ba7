/** The whole engine over real lists of tools: inference, generated rows, and calls of every tool. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import {
  isJsonObject,
  type Json,
  type JsonObject,
  type RandomStream,
  randomStream,
} from '../../core/index.js';
import { type ToolDefinition, ToolDefinitionSchema } from '../../domains/index.js';
import { drive, gapIn, testEngineContract, toolCall } from '../engine.contract.js';
import { ToolChecks } from './check/check.js';
import { createToolsEngine } from './engine.js';
import { sampleSchema } from './generate/sample.js';
import { inferService } from './infer/infer.js';
import type { ToolWorldSpec } from './spec.js';
import { keyOf } from './store/store.js';

const text = { type: 'string' };

function tool(
  name: string,
  description: string,
  properties: JsonObject,
  required: string[] = [],
): ToolDefinition {
  return {
    name,
    description,
    inputSchema: { type: 'object', properties, required, additionalProperties: false },
  };
}

/** A loan desk: books are lent to readers. */
const LIBRARY = [
  tool('create_book', 'Create a new book', { title: text, author: text }, ['title']),
  tool('get_book', 'Get one book by its id', { book_id: text }, ['book_id']),
  tool('list_books', 'List all books', { author: text, limit: { type: 'integer' } }),
  tool('update_book', 'Update a book', { book_id: text, title: text }, ['book_id']),
  tool('delete_book', 'Delete a book', { book_id: text }, ['book_id']),
  tool('create_loan', 'Create a loan of a book', { book_id: text, reader: text }, ['book_id', 'reader']),
  tool('list_loans', 'List all loans', {}),
];

function specOf(
  id: string,
  tools: readonly ToolDefinition[],
  data: ToolWorldSpec['data'] = {},
): ToolWorldSpec {
  const startMs = 1_700_000_000_000;
  return { id, tools: [...tools], data, entities: {}, overrides: {}, strict: false, startMs };
}

const library = specOf('library', LIBRARY);

testEngineContract({
  name: 'tools engine with inference',
  engine: createToolsEngine(),
  spec: library,
  other: { ...library, id: 'another' },
  actions: [
    toolCall('list_books'),
    toolCall('create_book', { title: 'Dune', author: 'Herbert' }),
    toolCall('get_book', { book_id: 'nobody' }),
    toolCall('create_loan', { book_id: 'nobody', reader: 'Ada' }),
    toolCall('list_loans'),
    toolCall('list_books', { author: 'Herbert' }),
  ],
  refused: toolCall('get_book', { id: 1 }),
});

test('a bare list of tools starts with generated rows, a world with data only with its own', () => {
  const engine = createToolsEngine();
  const rows = (spec: ToolWorldSpec) =>
    (engine.open(spec, 1).view() as { data: Record<string, JsonObject[]> }).data;
  expect(rows(library).books?.length).toBeGreaterThan(0);
  const { answer } = drive(engine.open(library, 1), toolCall('list_books'));
  expect(answer?.text.origins.some((span) => span.origin === 'generated')).toBe(true);
  const own = specOf('own', LIBRARY, { books: [{ id: 'b1', title: 'Emma' }] });
  expect(rows(own)).toEqual({ books: [{ id: 'b1', title: 'Emma' }], loans: [] });
  expect(rows({ ...library, strict: true })).toEqual({ books: [], loans: [] });
  const more = { ...own, entities: { loans: { generate: 3 } } };
  expect(rows(more).loans?.map((loan) => loan.book_id)).toEqual(['b1', 'b1', 'b1']);
});

test('the start state is shared by sessions, and what one does no other sees', () => {
  const engine = createToolsEngine();
  const [a, b] = [engine.open(library, 1), engine.open(library, 1)];
  expect(a.view()).toBe(b.view());
  drive(a, toolCall('create_book', { title: 'x' }));
  expect(engine.open(library, 1).view()).toBe(b.view());
});

test('a specification that is none is refused with its place', () => {
  const bad = { ...library, tools: [{ name: '' }] } as unknown as ToolWorldSpec;
  expect(() => createToolsEngine().open(bad, 1)).toThrow(/this is no tool world: tools\.0\./);
});

const SAMPLES = '../shared/samples/mcp-tools-list';
const files = existsSync(SAMPLES) ? readdirSync(SAMPLES).filter((file) => file.endsWith('.json')) : [];

/** Every object in a file that is a tool definition, wherever it lies. */
function toolsIn(value: Json): ToolDefinition[] {
  const parsed = ToolDefinitionSchema.safeParse(value);
  if (parsed.success) return [parsed.data];
  return typeof value === 'object' && value !== null
    ? Object.values(value).flatMap((part) => toolsIn(part as Json))
    : [];
}

/** Arguments that fit a tool's schema, some of them taken from what the world holds. */
function argumentsFor(one: ToolDefinition, random: RandomStream, pool: readonly Json[]): JsonObject {
  const { inputSchema } = one;
  const known = (path: readonly string[]): Json | undefined =>
    path.length > 0 && pool.length > 0 && random.chance(0.5) ? random.pick(pool) : undefined;
  const args = sampleSchema(inputSchema, { root: inputSchema, random, known });
  const required = Array.isArray(inputSchema.required) ? (inputSchema.required as readonly Json[]) : [];
  if (!isJsonObject(args)) return {};
  return Object.fromEntries(
    Object.entries(args).filter(([name]) => required.includes(name) || random.chance(0.4)),
  );
}

function scalarsIn(value: Json): Json[] {
  if (typeof value === 'string' || typeof value === 'number') return [value];
  return typeof value === 'object' && value !== null
    ? Object.values(value).flatMap((part) => scalarsIn(part as Json))
    : [];
}

function checkRows(model: ReturnType<typeof inferService>, data: Record<string, JsonObject[]>): void {
  for (const collection of Object.values(model.collections)) {
    const rows = data[collection.name] ?? [];
    expect(new Set(rows.map((row) => keyOf(collection, row))).size).toBe(rows.length);
    for (const { name, refersTo } of Object.values(collection.fields)) {
      const target = refersTo === undefined ? undefined : model.collections[refersTo];
      const [keyField] = target?.key ?? [];
      if (target === undefined || keyField === undefined) continue;
      const keys = new Set((data[target.name] ?? []).map((row) => String(row[keyField])));
      const held = rows.flatMap((row) => [row[name] ?? null].flat() as Json[]);
      const lost = held.filter(
        (value) => value !== null && typeof value !== 'object' && !keys.has(String(value)),
      );
      expect({ collection: collection.name, field: name, lost }).toMatchObject({ lost: [] });
    }
  }
}

test.skipIf(files.length === 0)(
  'every tool of real servers answers, validates and keeps integrity (skipped where there are no samples)',
  () => {
    for (const file of files) {
      const tools = toolsIn(JSON.parse(readFileSync(`${SAMPLES}/${file}`, 'utf8')) as Json);
      const spec = specOf(file, tools);
      const model = inferService(spec);
      const checks = new ToolChecks(tools);
      const session = createToolsEngine().open(spec, 5);
      const random = randomStream(1, 'calls', file);
      for (let turn = 1; turn <= tools.length * 6; turn++) {
        const one = tools[turn % tools.length] ?? random.pick(tools);
        const data = (session.view() as { data: Record<string, JsonObject[]> }).data;
        const outcome = drive(session, toolCall(one.name, argumentsFor(one, random, scalarsIn(data))), {
          turn,
        });
        const { answer, flags } = outcome;
        if (answer === null) throw new Error(`${one.name} has no answer: ${outcome.reason}`);
        expect(gapIn(answer)).toBeNull();
        expect(flags).not.toContain('rule-error');
        const isFlagged = flags.includes('output-schema-mismatch');
        if (!answer.isError && one.outputSchema !== undefined && !isFlagged) {
          expect(checks.outputFits(one, answer.value ?? null)).toBe(true);
        }
      }
      checkRows(model, (session.view() as { data: Record<string, JsonObject[]> }).data);
    }
  },
  120_000,
);
