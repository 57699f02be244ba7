/**
 * Refusals read as the real libraries print them: zod and the MCP SDK run here, pydantic and jsonschema were recorded
 * (scripts/validation-messages.py).
 */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { z as z3 } from 'zod/v3';
import { type Json, type JsonObject, parseJson } from '../../../../core/index.js';
import { ToolChecks } from '../check.js';
import type { ValidationStyle } from './validation-style.js';

const CHECKS = new Map<string, ToolChecks>();

/** What a style says of arguments; undefined where they are accepted. */
function said(style: ValidationStyle, schema: object, value: object, name = 'tool'): string | undefined {
  const key = JSON.stringify([style, name, schema]);
  let checks = CHECKS.get(key);
  if (checks === undefined) {
    const tools = [{ name, inputSchema: schema as JsonObject & { type: 'object' } }];
    checks = new ToolChecks(tools, { validation: style });
    CHECKS.set(key, checks);
  }
  const checked = checks.check(name, value as JsonObject);
  return checked.ok ? undefined : checked.text;
}

/** Shapes of arguments as an author writes them, the same in zod 3 and 4. */
const SHAPES = (lib: typeof z): Readonly<Record<string, z.ZodRawShape>> => ({
  plain: { title: lib.string(), count: lib.number().int().min(1).max(10), flag: lib.boolean().optional() },
  bounds: {
    name: lib.string().min(3).max(5),
    rate: lib.number().gt(0).lt(1),
    step: lib.number().multipleOf(5).optional(),
  },
  choice: {
    colour: lib.enum(['red', 'green']),
    kind: lib.literal('fixed').optional(),
    zone: lib.enum(['n', 's']).nullable().optional(),
  },
  lists: {
    tags: lib.array(lib.string()).min(1).max(2),
    rows: lib.array(lib.object({ id: lib.string(), n: lib.number().optional() })),
  },
  deep: { filter: lib.object({ limit: lib.number().optional(), who: lib.object({ name: lib.string() }) }) },
  union: { id: lib.union([lib.string(), lib.number()]), note: lib.string().nullable() },
  formats: {
    mail: lib.string().email(),
    link: lib.string().url().optional(),
    when: lib.string().regex(/^\d{4}-\d\d$/),
  },
});

const VALUES: readonly JsonObject[] = [
  {},
  { title: 5, count: 'many', flag: 'yes' },
  { title: 'x', count: 0 },
  { title: 'x', count: 11.5 },
  { title: null, count: [] },
  { name: 'ab', rate: 0, step: 7 },
  { name: 'abcdef', rate: 1 },
  { name: {}, rate: null },
  { colour: 'blue', kind: 'other', zone: 'x' },
  { colour: 3, zone: null },
  { tags: [], rows: [{}] },
  { tags: ['a', 'b', 'c'], rows: [{ id: 1, n: 'x' }, 'row'] },
  { tags: 'a', rows: {} },
  { filter: {} },
  { filter: { limit: 'x', who: { name: 4 } } },
  { filter: 'all' },
  { id: true, note: 4 },
  { id: [], note: null },
  { mail: 'nobody', link: 'nowhere', when: 'x' },
  { mail: 5, when: '2026-13-' },
];

test.each([
  ['zod', z],
  ['zod3', z3 as unknown as typeof z],
] as const)(
  'style %s says what the MCP TypeScript SDK says, for every shape and value',
  async (style, lib) => {
    const server = new McpServer({ name: 'real', version: '1.0.0' });
    for (const [name, shape] of Object.entries(SHAPES(lib)))
      server.registerTool(name, { inputSchema: shape }, () => ({
        content: [{ type: 'text', text: 'done' }],
      }));
    const client = new Client({ name: 'test', version: '1.0.0' });
    const [near, far] = InMemoryTransport.createLinkedPair();
    await Promise.all([server.connect(far), client.connect(near)]);
    const { tools } = await client.listTools();
    let compared = 0;
    for (const { name, inputSchema } of tools) {
      for (const args of VALUES) {
        const answer = await client.callTool({ name, arguments: args });
        const [block] = answer.content as { text: string }[];
        if (answer.isError !== true) continue;
        compared += 1;
        expect({ name, args, text: said(style, inputSchema, args, name) }).toEqual({
          name,
          args,
          text: block?.text,
        });
      }
    }
    expect(compared).toBeGreaterThan(100);
    await client.close();
  },
);

test('the issue styles give the list of issues that zod itself gives', async () => {
  const prefix = 'MCP error -32602: Input validation error: Invalid arguments for tool tool: ';
  let compared = 0;
  for (const [style, lib] of [
    ['zod-issues', z],
    ['zod3-issues', z3 as unknown as typeof z],
  ] as const) {
    for (const [name, shape] of Object.entries(SHAPES(lib))) {
      const schema = z.toJSONSchema(z.object(SHAPES(z)[name]), { io: 'input' });
      for (const value of VALUES) {
        const real = await lib.object(shape).safeParseAsync(value);
        if (real.success) continue;
        compared += 1;
        expect(said(style, schema, value)).toBe(prefix + real.error.message);
      }
    }
  }
  expect(compared).toBeGreaterThan(200);
});

interface Recorded {
  readonly cases: readonly {
    readonly schema: JsonObject;
    readonly value: JsonObject;
    readonly jsonschema?: string;
    readonly model?: string;
    readonly call?: string;
  }[];
}

const recorded = ((): Recorded => {
  const path = new URL('../../../../../test/fixtures/validation/python.json', import.meta.url);
  const read = parseJson(readFileSync(fileURLToPath(path), 'utf8'));
  if (!read.ok) throw read.error;
  return read.value as unknown as Recorded;
})();

test('style jsonschema says what Python jsonschema was recorded to say', () => {
  const told = recorded.cases.filter((one) => one.jsonschema !== undefined);
  for (const { schema, value, jsonschema } of told)
    expect({ value, text: said('jsonschema', schema, value) }).toEqual({
      value,
      text: `Input validation error: ${jsonschema}`,
    });
  expect(told.length).toBeGreaterThan(50);
});

test('styles pydantic and fastmcp say what pydantic was recorded to say', () => {
  const told = recorded.cases.filter((one) => one.jsonschema !== undefined && one.model !== undefined);
  for (const { schema, value, model, call } of told) {
    expect({ value, text: said('pydantic', schema, value) }).toEqual({
      value,
      text: `Error executing tool tool: ${model}`,
    });
    if (call !== undefined)
      expect({ value, text: said('fastmcp', schema, value) }).toEqual({ value, text: call });
  }
  expect(told.length).toBeGreaterThan(45);
});

test('style ajv says what ajv.errorsText gives', () => {
  const ajv = new Ajv2020({ strict: false, addUsedSchema: false });
  const compiled = new Map<string, ReturnType<typeof ajv.compile>>();
  for (const { schema, value } of recorded.cases) {
    const key = JSON.stringify(schema);
    const validate = compiled.get(key) ?? ajv.compile(schema);
    compiled.set(key, validate);
    if (validate(JSON.parse(JSON.stringify(value, plain)) as Json)) continue;
    expect(said('ajv', schema, value)).toBe(ajv.errorsText(validate.errors));
  }
});

function plain(_key: string, value: unknown): unknown {
  return typeof value === 'bigint' ? Number(value) : value;
}

test('style go names the way to the problem', () => {
  const schema = {
    type: 'object',
    required: ['mode', 'deep'],
    properties: {
      mode: { enum: ['a', 'b c'] },
      deep: { type: 'object', properties: { n: { type: 'integer' } } },
    },
    additionalProperties: false,
  };
  expect(said('go', schema, {})).toBe(
    'validating "arguments": validating root: required: missing properties: ["mode" "deep"]',
  );
  expect(said('go', schema, { mode: 'x', deep: {} })).toBe(
    'validating "arguments": validating root: validating /properties/mode: enum: x does not equal any of: [a b c]',
  );
  expect(said('go', schema, { mode: 'a', deep: { n: 'x' } })).toContain(
    'validating /properties/deep: validating /properties/deep/properties/n: type: x has type "string", want "integer"',
  );
});
