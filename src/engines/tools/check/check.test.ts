import { expect, test } from 'vitest';
import type { JsonObject } from '../../../core/index.js';
import { ToolChecks } from './check.js';

function checksOf(inputSchema: JsonObject, more: JsonObject = {}): ToolChecks {
  return new ToolChecks([{ name: 'tool', inputSchema, ...more }]);
}

/** What the check says about arguments: `ok`, or why not. */
function verdict(checks: ToolChecks, args: JsonObject): string {
  const checked = checks.check('tool', args);
  return checked.ok ? 'ok' : checked.reason;
}

const SHIFTS: JsonObject = {
  type: 'object',
  additionalProperties: false,
  required: ['filter'],
  properties: {
    filter: { $ref: '#/$defs/Filter' },
    note: { type: ['string', 'null'] },
    zone: { anyOf: [{ type: 'string', enum: ['north', 'south'] }, { type: 'null' }], default: null },
  },
  $defs: {
    Filter: {
      type: 'object',
      properties: {
        limit: { type: 'integer', minimum: 1, default: 20 },
        ids: { type: ['array', 'null'], items: { type: 'string' } },
      },
    },
  },
};

test('references, nullables and unions are checked as written, and problems name the argument', () => {
  const checks = checksOf(SHIFTS);
  expect(verdict(checks, { filter: { limit: 5 } })).toBe('ok');
  expect(verdict(checks, { filter: { limit: 'many' } })).toBe(
    'argument `filter.limit` has the wrong type: expected integer, got "many"',
  );
  expect(verdict(checks, { filter: {}, note: null, zone: 'north' })).toBe('ok');
  expect(verdict(checks, { filter: {}, zone: 'null' })).toBe(
    'argument `zone` matches none of the allowed forms (one of "north", "south", or null), got "null"',
  );
  expect(verdict(checks, {})).toBe('missing argument `filter`');
  expect(verdict(checks, { filter: {}, extra: 1 })).toBe('unexpected argument `extra`');
  expect(verdict(checks, { filter: {}, zon: 'north' })).toBe(
    'unexpected argument `zon`, did you mean `zone`?',
  );
  expect(verdict(checksOf({ type: 'object' }), {})).toBe('ok');
  expect(verdict(checksOf({}), { any: 1 })).toBe('ok');
});

test('defaults reach the tool on a copy and never the caller', () => {
  const args = { filter: {} };
  const checked = checksOf(SHIFTS).check('tool', args);
  expect(checked).toMatchObject({ ok: true, args: { filter: { limit: 20 }, zone: null } });
  expect(args).toEqual({ filter: {} });
});

test('a default does not stand in for a required argument that is missing', () => {
  const schema = { type: 'object', required: ['n'], properties: { n: { type: 'integer', default: 3 } } };
  expect(verdict(checksOf(schema), {})).toBe('missing argument `n`');
});

test('the dialect follows $schema, and 2020-12 is meant without one', () => {
  const tuple = (schema: JsonObject): JsonObject => ({
    type: 'object',
    properties: { at: { type: 'array', ...schema } },
  });
  const old = 'http://json-schema.org/draft-07/schema#';
  const wrong = { at: ['x', 1] };
  expect(verdict(checksOf(tuple({ prefixItems: [{ type: 'number' }] })), wrong)).toContain('`at.0`');
  expect(verdict(checksOf({ $schema: old, ...tuple({ items: [{ type: 'number' }] }) }), wrong)).toContain(
    '`at.0`',
  );
  expect(verdict(checksOf({ $schema: old, ...tuple({ prefixItems: [{ type: 'number' }] }) }), wrong)).toBe(
    'ok',
  );
  const recent = 'https://json-schema.org/draft/2019-09/schema';
  const dependent = { type: 'object', dependentRequired: { a: ['b'] } };
  expect(verdict(checksOf({ $schema: recent, ...dependent }), { a: 1 })).not.toBe('ok');
});

test('formats, big integers and unique items are checked', () => {
  const schema = {
    type: 'object',
    properties: {
      when: { type: 'string', format: 'date-time' },
      id: { type: 'integer' },
      tags: { type: 'array', uniqueItems: true },
      odd: { type: 'string', format: 'no-such-format' },
    },
  };
  const checks = checksOf(schema);
  expect(verdict(checks, { when: 'yesterday' })).toContain('`when` must match format "date-time"');
  expect(verdict(checks, { id: 2n ** 70n, odd: 'x' })).toBe('ok');
  expect(verdict(checks, { id: [2n ** 70n] })).toContain('`id` has the wrong type');
  expect(
    verdict(checks, {
      tags: [
        { a: 1, b: 2 },
        { b: 2, a: 1 },
      ],
    }),
  ).toContain('`tags`');
});

test('a pattern made to hang a backtracking matcher is checked in linear time', () => {
  const checks = checksOf({ type: 'object', properties: { s: { type: 'string', pattern: '^(a+)+$' } } });
  expect(verdict(checks, { s: `${'a'.repeat(50_000)}b` })).toContain('`s` must match pattern');
  expect(verdict(checks, { s: 'aaa' })).toBe('ok');
});

test('what cannot be compiled is checked as far as it can be, with a note, and never crashes', () => {
  const broken = checksOf({
    type: 'object',
    required: ['a'],
    properties: {
      a: { type: 'string' },
      b: { $ref: '#/$defs/Gone' },
      c: { $ref: 'https://example.com/x.json' },
    },
  });
  expect(verdict(broken, { a: 1 })).toContain('`a` has the wrong type');
  expect(verdict(broken, {})).toBe('missing argument `a`');
  expect(verdict(broken, { a: 'x', b: 5, c: [] })).toBe('ok');
  expect(broken.notes('tool').join('\n')).toContain('"#/$defs/Gone" leads nowhere');
  const nonsense = checksOf({
    type: 'object',
    required: ['a'],
    properties: { a: { type: 'strin' }, b: { type: 'string', minLength: 'two' }, c: { type: 'integer' } },
  });
  expect(verdict(nonsense, { a: 1, b: 2, c: 'x' })).toContain('`c` has the wrong type');
  expect(verdict(nonsense, { c: 1 })).toBe('missing argument `a`');
  const around = checksOf({ type: 'object', properties: { s: { type: 'string', pattern: '(?=x)y' } } });
  expect(verdict(around, { s: 'z' })).toBe('ok');
  expect(around.notes('tool').join()).toContain('is not checked');
});

test('a huge wrong value is refused with few problems', () => {
  const checks = checksOf({
    type: 'object',
    properties: { ids: { type: 'array', items: { type: 'string' } } },
  });
  const wrong = verdict(checks, { ids: Array.from({ length: 50_000 }, () => 1) });
  expect(wrong).toBe('argument `ids.0` has the wrong type: expected string, got 1');
  expect(verdict(checks, { ids: Array.from({ length: 50_000 }, () => 'x') })).toBe('ok');
});

test('two tools whose schemas have the same $id do not get in each other’s way', () => {
  const schema = (type: string): JsonObject => ({ $id: 'args', type: 'object', properties: { a: { type } } });
  const checks = new ToolChecks([
    { name: 'one', inputSchema: schema('string') },
    { name: 'two', inputSchema: schema('integer') },
  ]);
  expect([checks.check('one', { a: 'x' }).ok, checks.check('two', { a: 'x' }).ok]).toEqual([true, false]);
});

test('arguments named like members of every object are just names', () => {
  const closed = checksOf({
    type: 'object',
    properties: { constructor: { type: 'string' } },
    additionalProperties: false,
  });
  expect(verdict(closed, { constructor: 'x' })).toBe('ok');
  expect(verdict(closed, JSON.parse('{"__proto__": 1}'))).toContain('unexpected argument `__proto__`');
  expect(new ToolChecks([]).check('constructor', {})).toMatchObject({
    ok: false,
    flags: ['unknown-tool', 'protocol-error'],
  });
});

test('a schema whose definitions each use the next one twice is given up with a reason, not checked 2^40 times', () => {
  const count = 40;
  const next = (i: number): JsonObject => ({ $ref: `#/$defs/d${i + 1}` });
  const defs = Object.fromEntries(
    Array.from({ length: count }, (_, i) => [`d${i}`, { allOf: [next(i), next(i)] }]),
  );
  const checks = checksOf({
    type: 'object',
    properties: { text: next(-1), other: { const: { $ref: 'kept' } } },
    $defs: { ...defs, [`d${count}`]: { type: 'string' } },
  });
  expect(verdict(checks, { text: 'x' })).toContain('the arguments need more than 200000 references');
  expect(verdict(checks, { other: { $ref: 'kept' } })).toBe('ok');
});
