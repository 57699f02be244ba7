import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type JsonObject, randomStream } from '../core/index.js';
import { randomArguments } from './random-arguments.js';
import { ValuePool } from './value-pool.js';

const SCHEMA: JsonObject = {
  type: 'object',
  additionalProperties: false,
  required: ['id', 'count', 'filter'],
  properties: {
    id: { type: 'string', minLength: 2, maxLength: 12 },
    count: { type: 'integer', minimum: 1, maximum: 9 },
    share: { type: 'number', minimum: 0, maximum: 1 },
    kind: { enum: ['a', 'b', null] },
    fixed: { const: 7 },
    zone: { anyOf: [{ type: 'string', enum: ['north', 'south'] }, { type: 'null' }] },
    when: { type: 'string', format: 'date-time' },
    day: { type: ['string', 'null'], format: 'date' },
    tags: { type: 'array', minItems: 1, maxItems: 4, uniqueItems: true, items: { enum: ['x', 'y', 'z'] } },
    both: { allOf: [{ type: 'object', properties: { a: { type: 'boolean' } } }, { required: ['a'] }] },
    filter: { $ref: '#/$defs/Filter' },
  },
  $defs: {
    Filter: {
      type: 'object',
      properties: {
        deep: { $ref: '#/$defs/Filter' },
        ids: { type: ['array', 'null'], items: { type: 'integer' } },
      },
    },
  },
};

test('random arguments fit their schema, whatever was seen before', () => {
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  addFormats.default(ajv);
  const validate = ajv.compile(SCHEMA);
  fc.assert(
    fc.property(fc.integer(), fc.jsonValue(), (seed, seen) => {
      const pool = new ValuePool();
      pool.addValue(seen as JsonObject);
      pool.addValue({ id: 'R-1', count: 3, when: '2026-01-05T09:00:00Z' });
      const args = randomArguments(SCHEMA, { stream: randomStream(seed, 'test'), pool });
      validate(args);
      expect([args, validate.errors ?? []]).toEqual([args, []]);
    }),
    { numRuns: 300 },
  );
});

test('ids come from fields of the same name, or of the name that the argument ends with', () => {
  const pool = new ValuePool();
  pool.addObservation('{"orders":[{"id":"O-1"},{"id":"O-2"}],"name":"Ada"}');
  pool.addObservation('deleted O-3.');
  const stream = randomStream(1, 'test');
  const drawn = new Set<unknown>();
  for (let i = 0; i < 200; i++)
    drawn.add(pool.draw(stream, 'order_id', (value) => String(value).startsWith('O-')));
  expect([...drawn].sort()).toEqual(['O-1', 'O-2', 'O-3.']);
  expect(pool.draw(stream, 'name', (value) => value === 'Bo')).toBeUndefined();
});

test('a schema without properties, or with nonsense, gives some object', () => {
  const source = { stream: randomStream(2, 'test'), pool: new ValuePool() };
  expect(randomArguments({ type: 'object' }, source)).toEqual({});
  expect(randomArguments({}, source)).toEqual({});
  expect(randomArguments({ type: 'object', $ref: '#' }, source)).toEqual({});
  expect(
    randomArguments({ type: 'object', required: ['a'], properties: { a: true } }, source),
  ).toHaveProperty('a');
});
