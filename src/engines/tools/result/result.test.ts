import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Json, type JsonObject, renderJson } from '../../../core/index.js';
import { drive, faultAnswer, gapIn, toolCall } from '../../engine.contract.js';
import { collection, engineOf, field, type TestTool, testWorld } from '../engine-worlds.contract.js';
import { renderTracedJson } from './result-json.js';

function openRows(tool: TestTool, rows: JsonObject[] = [], strict = false) {
  const world = testWorld({
    collections: [
      collection('rows', [field('id'), field('name')], {
        idStyle: { kind: 'number', start: 1 },
        singular: 'row',
      }),
    ],
    tools: [tool],
    data: { rows },
    strict,
  });
  return engineOf(world).open(world.spec, 1);
}

const COUNT: TestTool = {
  name: 'count_rows',
  plan: { op: 'count', collection: 'rows' },
  output: { type: 'object', properties: { total: { type: 'integer' } }, required: ['total'] },
};
const rowsUpTo = (n: number): JsonObject[] =>
  Array.from({ length: n }, (_, i) => ({ id: i + 1, name: `r${i}` }));

test('a structured answer and its text are the same data, zero rows included', () => {
  for (const n of [36, 0]) {
    const { answer } = drive(openRows(COUNT, rowsUpTo(n)), toolCall('count_rows'));
    expect(answer).toMatchObject({ value: { total: n }, isError: false });
    expect(JSON.parse(answer?.text.text ?? '')).toEqual({ total: n });
  }
});

test('a failing tool answers one text and nothing structured', () => {
  const outcome = drive(openRows(COUNT), toolCall('count_rows'), {
    host: (call) =>
      call.phase === 'before' && call.op.kind === 'data.read'
        ? { do: 'answer', answer: faultAnswer('database locked') }
        : undefined,
  });
  expect(outcome.answer).toEqual(faultAnswer('database locked'));
});

const ROW = {
  type: 'object',
  properties: { id: { type: 'integer' }, name: { type: 'string' } },
  required: ['id'],
};

test('rows take the place that an output schema has for them', () => {
  const output: JsonObject = {
    type: 'object',
    properties: {
      items: { type: 'array', items: { $ref: '#/$defs/Row' } },
      totalCount: { type: 'integer' },
      hasMore: { type: 'boolean' },
      url: { type: 'string' },
    },
    required: ['items', 'totalCount', 'hasMore', 'url'],
    additionalProperties: false,
    $defs: { Row: { ...ROW, additionalProperties: false } },
  };
  const tool: TestTool = { name: 'list_rows', plan: { op: 'list', collection: 'rows' }, output };
  const { answer, flags } = drive(openRows(tool, rowsUpTo(2)), toolCall('list_rows'));
  expect(answer?.value).toEqual({
    items: [
      { id: 1, name: 'r0' },
      { id: 2, name: 'r1' },
    ],
    totalCount: 2,
    hasMore: false,
    url: 'filler',
  });
  expect(flags).toEqual([]);
  const spans = answer?.text.origins ?? [];
  const generated = spans.filter((span) => span.origin === 'generated');
  expect(generated.map((span) => answer?.text.text.slice(span.start, span.end))).toEqual(['"filler"']);
  const pinned = spans.filter((span) => span.origin === 'pinned');
  expect(pinned.map((span) => answer?.text.text.slice(span.start, span.end))).toEqual([
    '1',
    '"r0"',
    '2',
    '"r1"',
  ]);
});

test('a strict world abstains from promised values that nobody knows', () => {
  const output = { type: 'object', properties: { url: { type: 'string' } }, required: ['url'] };
  const tool: TestTool = {
    name: 'get_row',
    input: { id: { type: 'integer' } },
    plan: { op: 'get', collection: 'rows', key: { id: 'id' } },
    output,
  };
  expect(drive(openRows(tool, rowsUpTo(1), true), toolCall('get_row', { id: 1 })).status).toBe('abstained');
});

test('an answer that cannot be what the schema promises is flagged, not dressed up', () => {
  const output = { type: 'object', properties: { n: { type: 'integer', minimum: 10 } }, required: ['n'] };
  const tool: TestTool = { name: 'count_rows', plan: { op: 'count', collection: 'rows' }, output };
  const { answer, flags } = drive(openRows(tool), toolCall('count_rows'));
  expect(flags).toEqual(['output-schema-mismatch']);
  expect(answer?.value).toEqual({ total: 0 });
});

test('a schema of one text property gives that text as the text', () => {
  const tool: TestTool = {
    name: 'read',
    input: { id: { type: 'integer' } },
    plan: { op: 'get', collection: 'rows', key: { id: 'id' }, only: 'name' },
    output: { type: 'object', properties: { content: { type: 'string' } }, required: ['content'] },
  };
  const { answer } = drive(openRows(tool, rowsUpTo(1)), toolCall('read', { id: 1 }));
  expect(answer).toMatchObject({ value: { content: 'r0' }, text: { text: 'r0' } });
});

test('a traced rendering is the JSON text, covered by spans without gap or overlap', () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.bigInt(), (value, big) => {
      const both: Json = [value as Json, { big }];
      const traced = renderTracedJson(both, (_object, name) =>
        name.length % 2 === 0 ? 'pinned' : 'generated',
      );
      expect(traced.text).toBe(renderJson(both, 2));
      expect(gapIn({ text: traced, isError: false })).toBeNull();
      expect(renderTracedJson(value as Json).text).toBe(JSON.stringify(value, null, 2));
    }),
  );
});

test('an output schema in parts keeps the properties of all of them, also behind references', () => {
  const output: JsonObject = {
    allOf: [
      { $ref: '#/$defs/Named' },
      { type: 'object', properties: { total: { type: 'integer' } }, required: ['total'] },
    ],
    $defs: {
      Named: {
        allOf: [
          { type: 'object', properties: { items: { type: 'array', items: ROW } }, required: ['items'] },
        ],
      },
    },
  };
  const tool: TestTool = { name: 'list_rows', plan: { op: 'list', collection: 'rows' }, output };
  const { answer } = drive(openRows(tool, rowsUpTo(2), true), toolCall('list_rows'));
  expect(answer).toMatchObject({
    value: {
      items: [
        { id: 1, name: 'r0' },
        { id: 2, name: 'r1' },
      ],
      total: 2,
    },
    isError: false,
  });
});

test('an output schema that asks the same value of itself without end is an answer that does not fit, not a crash', () => {
  const output: JsonObject = {
    $ref: '#/$defs/Self',
    $defs: { Self: { allOf: [{ $ref: '#/$defs/Self' }], properties: { total: { type: 'integer' } } } },
  };
  const tool: TestTool = { name: 'count_rows', plan: { op: 'count', collection: 'rows' }, output };
  const { status, flags } = drive(openRows(tool, rowsUpTo(2), true), toolCall('count_rows'));
  expect([status, flags]).toEqual(['ok', ['output-schema-mismatch']]);
});

test('a search answers the kept edges of what it found, and no invented ones', () => {
  const strings = (...names: string[]) => names.map((name) => field(name, { schema: { type: 'string' } }));
  const list = (...names: string[]): JsonObject => ({
    type: 'array',
    items: {
      type: 'object',
      properties: Object.fromEntries(names.map((name) => [name, { type: 'string' }])),
      required: names,
    },
  });
  const world = testWorld({
    collections: [
      collection('nodes', strings('name'), { key: ['name'], idStyle: { kind: 'given' }, label: 'name' }),
      collection('edges', strings('from', 'to'), { key: ['from', 'to'], idStyle: { kind: 'given' } }),
    ],
    tools: [
      {
        name: 'search_nodes',
        input: { query: { type: 'string' } },
        plan: { op: 'search', collection: 'nodes', query: 'query' },
        output: {
          type: 'object',
          properties: { nodes: list('name'), edges: list('from', 'to') },
          required: ['nodes', 'edges'],
        },
      },
    ],
    data: {
      nodes: [{ name: 'ada' }, { name: 'bob' }, { name: 'cy' }],
      edges: [
        { from: 'ada', to: 'bob' },
        { from: 'bob', to: 'cy' },
      ],
    },
  });
  const session = engineOf(world).open(world.spec, 1);
  const search = (query: string) => drive(session, toolCall('search_nodes', { query })).answer?.value;
  expect(search('ada')).toEqual({ nodes: [{ name: 'ada' }], edges: [{ from: 'ada', to: 'bob' }] });
  expect(search('nobody')).toEqual({ nodes: [], edges: [] });
});
