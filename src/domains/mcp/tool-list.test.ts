import { existsSync, readdirSync, readFileSync } from 'node:fs';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseToolList, readToolList, type ToolList } from './tool-list.js';

const schema = {
  type: 'object',
  additionalProperties: false,
  required: ['filter'],
  properties: {
    filter: { $ref: '#/$defs/Filter' },
    zone: { anyOf: [{ type: 'string', enum: ['north', 'south'] }, { type: 'null' }], default: null },
  },
  $defs: { Filter: { type: 'object', properties: { ids: { type: ['array', 'null'] } } } },
};
const tool = { name: 'list_shifts', description: 'Lists shifts', inputSchema: schema };

function read(json: unknown): ToolList {
  const list = readToolList(json);
  if (!list.ok) throw new Error(list.error.message);
  return list.value;
}

test('a tool is found in every envelope, its schema value for value', () => {
  const other = { name: 'other', inputSchema: { type: 'object' } };
  const envelopes: unknown[] = [
    [tool, other],
    { tools: [tool, other], nextCursor: 'x' },
    { jsonrpc: '2.0', id: 1, result: { tools: [tool, other] } },
    { result: [tool, other] },
    {
      name: 'a server',
      description: 'text',
      tools: { shifts: { version: '1', tools: [tool] }, more: { tools: [other] } },
    },
    [{ tools: { shifts: { tools: [tool] } } }, { tools: { more: { tools: [other] } } }],
    [{ result: { tools: [tool] } }, { result: { tools: [other] } }],
    { tools: { list_shifts: { description: 'Lists shifts', inputSchema: schema }, other } },
  ];
  for (const envelope of envelopes) {
    const list = read(envelope);
    expect(list).toEqual({ tools: [expect.objectContaining(tool), other], warnings: [], problems: [] });
  }
  expect(read(tool).tools).toEqual([tool]);
});

test('forms of other providers become the same tool', () => {
  const { name, description, inputSchema } = tool;
  const forms = [
    { type: 'function', function: { name, description, parameters: inputSchema } },
    { type: 'function', name, description, parameters: inputSchema },
    { name, description, input_schema: inputSchema },
    { name, description, inputSchema, annotations: null, title: null, outputSchema: null },
  ];
  for (const form of forms) {
    const [only] = read([form]).tools;
    expect(only).toMatchObject(tool);
    expect(only).not.toHaveProperty('annotations');
    expect(only).not.toHaveProperty('parameters');
    expect(only).not.toHaveProperty('function');
  }
});

test('unknown keys of a tool are kept', () => {
  const rich = { ...tool, execution: { taskSupport: 'optional' }, icons: [], _meta: { a: 1 }, 'x-own': true };
  expect(read({ tools: [rich] }).tools).toEqual([rich]);
});

test('a simplified argument list becomes a schema; not optional means required', () => {
  const list = read([
    {
      name: 'build',
      arguments: [
        { name: 'branch', type: 'string', desc: 'The branch' },
        { name: 'env', type: 'array', items: { type: 'object' }, desc: 'Variables', optional: true },
        { name: 'odd', type: 'blob' },
        { name: '__proto__', type: 'int', optional: true },
      ],
    },
    { name: 'ping', arguments: [] },
    { name: 'pong', description: 'answers' },
  ]);
  expect(JSON.stringify(list.tools.map(({ inputSchema }) => inputSchema))).toBe(
    JSON.stringify([
      {
        type: 'object',
        properties: JSON.parse(
          '{"branch":{"type":"string","description":"The branch"},"env":{"type":"array","description":"Variables","items":{"type":"object"}},"odd":{},"__proto__":{"type":"integer"}}',
        ),
        required: ['branch', 'odd'],
      },
      { type: 'object' },
      { type: 'object' },
    ]),
  );
  expect(list.tools[0]).not.toHaveProperty('arguments');
  expect(list.warnings.map(({ index, message }) => [index, message])).toEqual([
    [0, 'argument "odd" has the unknown type "blob"; left open'],
    [1, 'nothing is said about its arguments; any object is accepted'],
    [2, 'nothing is said about its arguments; any object is accepted'],
  ]);
});

test('a broken tool is named with its place, and the others are read', () => {
  const list = read({
    result: {
      tools: [tool, { description: 'nameless', inputSchema: {} }, 7, { name: 'x', inputSchema: 'y' }],
    },
  });
  expect(list.tools).toEqual([tool]);
  expect(list.problems.map(({ index, path }) => [index, path])).toEqual([
    [1, 'result.tools[1].name'],
    [2, 'result.tools[2]'],
    [3, 'result.tools[3].inputSchema'],
  ]);
});

test('a name that comes twice is used once, with a warning', () => {
  const list = read([tool, { ...tool, description: 'again' }]);
  expect(list.tools).toEqual([tool]);
  expect(list.warnings).toEqual([
    { index: 1, path: '[1]', message: 'the name "list_shifts" is taken by [0]; the first one is used' },
  ]);
});

test('what holds no tools is a failure that says what was seen; an empty list is not', () => {
  expect(readToolList({ hello: 1 })).toMatchObject({
    ok: false,
    error: { message: expect.stringMatching(/^no list of tools in an object with the keys hello; expected/) },
  });
  expect(readToolList({ error: { code: -32601, message: 'no such method' }, id: 1 })).toMatchObject({
    ok: false,
    error: { message: 'the server answered an error: no such method (code -32601)' },
  });
  expect(readToolList([7])).toMatchObject({ ok: false, error: { problems: [{ index: 0, path: '[0]' }] } });
  expect(read({ tools: [] }).tools).toEqual([]);
  expect(parseToolList('{"tools":').ok).toBe(false);
});

test('big integers in a schema stay exact, and a byte order mark does not matter', () => {
  const text = '\ufeff[{"name":"f","inputSchema":{"type":"object","maximum":12345678901234567890}}]';
  const list = parseToolList(text);
  expect(list.ok && list.value.tools[0]?.inputSchema.maximum).toBe(12345678901234567890n);
});

test('any JSON value is a list or a failure, never an exception', () => {
  fc.assert(
    fc.property(fc.anything({ withNullPrototype: false, maxDepth: 4 }), fc.boolean(), (json, wrap) => {
      expect(typeof readToolList(wrap ? { tools: json } : json).ok).toBe('boolean');
    }),
  );
});

const SAMPLES = new URL('../../../../shared/samples/mcp-tools-list/', import.meta.url);
const COUNTS: Readonly<Record<string, number>> = {
  'docker-buildkite.json': 24,
  'docker-stripe-remote.json': 25,
  'git-2025.json': 13,
  'github-toolsnaps-even.json': 59,
  'memory-2025.json': 9,
  'playwright-2025.json': 32,
  'rec-filesystem.json': 14,
  'rec-memory.json': 9,
  'rec-playwright.json': 25,
  'rec-postgres.json': 1,
  'rec-slack.json': 8,
};

test('lists of real servers are read whole', (context) => {
  if (!existsSync(SAMPLES)) context.skip('shared samples of tool lists are not here');
  for (const file of readdirSync(SAMPLES)) {
    const list = parseToolList(readFileSync(new URL(file, SAMPLES), 'utf8'));
    expect([file, list.ok && list.value.problems]).toEqual([file, []]);
    expect([file, list.ok && list.value.tools.length]).toEqual([file, COUNTS[file]]);
  }
});
