import { Ajv } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Json, type JsonObject, randomStream } from '../../../core/index.js';
import { sampleSchema } from './sample.js';
import { samplePattern } from './sample-pattern.js';

const format = addFormats.default;

function validator(schema: JsonObject): (value: unknown) => string[] {
  const draft07 = typeof schema.$schema === 'string' && schema.$schema.includes('draft-07');
  const ajv = draft07 ? new Ajv({ strict: false }) : new Ajv2020({ strict: false });
  format(ajv);
  const check = ajv.compile(schema);
  return (value) =>
    check(value) ? [] : (check.errors ?? []).map((error) => `${error.instancePath} ${error.message}`);
}

const DRAFT07 = 'http://json-schema.org/draft-07/schema#';

const SCHEMAS: Readonly<Record<string, JsonObject>> = {
  flat: {
    type: 'object',
    required: ['id', 'email'],
    properties: {
      id: { type: 'integer', minimum: 1 },
      email: { type: 'string', format: 'email' },
      url: { type: 'string', format: 'uri' },
      when: { type: 'string', format: 'date-time' },
      day: { type: 'string', format: 'date' },
      clock: { type: 'string', format: 'time' },
      span: { type: 'string', format: 'duration' },
      uuid: { type: 'string', format: 'uuid' },
      host: { type: 'string', format: 'hostname' },
      v4: { type: 'string', format: 'ipv4' },
      v6: { type: 'string', format: 'ipv6' },
      pointer: { type: 'string', format: 'json-pointer' },
      template: { type: 'string', format: 'uri-template' },
    },
    additionalProperties: false,
  },
  references: {
    $defs: {
      row: {
        type: 'object',
        required: ['name'],
        properties: { name: { type: 'string', minLength: 3, maxLength: 8 } },
      },
      rows: { type: 'array', items: { $ref: '#/$defs/row' }, minItems: 2 },
    },
    type: 'object',
    required: ['items', 'total'],
    properties: { items: { $ref: '#/$defs/rows' }, total: { type: 'integer', minimum: 0 } },
  },
  cycle: {
    $defs: {
      node: {
        type: 'object',
        required: ['label', 'children'],
        properties: {
          label: { type: 'string' },
          parent: { $ref: '#/$defs/node' },
          children: { type: 'array', items: { $ref: '#/$defs/node' } },
        },
      },
    },
    $ref: '#/$defs/node',
  },
  rootCycle: {
    type: 'object',
    required: ['next'],
    properties: { next: { anyOf: [{ $ref: '#' }, { type: 'null' }] } },
  },
  draft07: {
    $schema: DRAFT07,
    definitions: {
      pair: {
        type: 'array',
        items: [{ type: 'string' }, { type: 'integer' }],
        additionalItems: false,
        minItems: 2,
      },
    },
    type: 'object',
    required: ['pair'],
    properties: { pair: { $ref: '#/definitions/pair' }, kind: { const: 'pair' } },
  },
  allOf: {
    allOf: [
      { type: 'object', required: ['a'], properties: { a: { type: 'number', minimum: 5 } } },
      {
        type: 'object',
        required: ['b'],
        properties: { a: { maximum: 6 }, b: { type: 'string', enum: ['x', 'y'] } },
      },
      { properties: { b: { enum: ['y', 'z'] } } },
    ],
  },
  unions: {
    type: 'object',
    required: ['one', 'any', 'maybe'],
    properties: {
      one: {
        oneOf: [
          { type: 'string', maxLength: 3 },
          { type: 'string', minLength: 2, maxLength: 5 },
          { type: 'integer' },
        ],
      },
      any: {
        anyOf: [
          false,
          { type: 'object', required: ['k'], properties: { k: { const: 1 } } },
          { type: 'string' },
        ],
      },
      maybe: { type: ['null', 'string'] },
      nothing: { type: 'null' },
      tagged: {
        oneOf: [
          { type: 'object', required: ['t', 'x'], properties: { t: { const: 'a' }, x: { type: 'number' } } },
          { type: 'object', required: ['t', 'y'], properties: { t: { const: 'b' }, y: { type: 'string' } } },
        ],
      },
    },
  },
  numbers: {
    type: 'object',
    properties: {
      price: { type: 'number', exclusiveMinimum: 0, exclusiveMaximum: 0.5 },
      step: { type: 'integer', multipleOf: 7, minimum: 50, maximum: 60 },
      big: { type: 'integer', minimum: 1_000_000_000_000 },
      below: { type: 'integer', exclusiveMaximum: -3 },
      narrow: { type: 'number', minimum: 0.1, maximum: 0.2 },
      year: { type: 'integer', maximum: 12 },
    },
    required: ['price', 'step', 'big', 'below', 'narrow', 'year'],
  },
  texts: {
    type: 'object',
    required: ['code', 'issue', 'phone', 'long', 'choice'],
    properties: {
      code: { type: 'string', pattern: '^[A-Z]{3}-\\d{4}$' },
      issue: { type: 'string', pattern: '^(ISS|BUG)-[1-9]\\d{0,3}$' },
      phone: { type: 'string', pattern: '^\\+?[0-9]{7,15}$', minLength: 7 },
      long: { type: 'string', minLength: 300, maxLength: 400 },
      choice: { enum: ['a', 2, null] },
    },
  },
  lists: {
    type: 'object',
    required: ['tags', 'tuple', 'exact'],
    properties: {
      tags: { type: 'array', items: { type: 'string' }, uniqueItems: true, minItems: 3, maxItems: 5 },
      tuple: { type: 'array', prefixItems: [{ type: 'string' }, { type: 'boolean' }], items: false },
      exact: {
        type: 'array',
        items: { type: 'array', items: { type: 'integer' }, minItems: 2, maxItems: 2 },
        minItems: 4,
      },
      has: { type: 'array', contains: { const: 'x' }, minItems: 1 },
    },
  },
  maps: {
    type: 'object',
    additionalProperties: { type: 'object', required: ['n'], properties: { n: { type: 'integer' } } },
    minProperties: 2,
  },
  not: { type: 'object', required: ['s'], properties: { s: { enum: ['a', 'b'], not: { const: 'a' } } } },
  strange: JSON.parse(
    '{"type":"object","required":["__proto__","constructor"],"properties":{"__proto__":{"type":"string"},"constructor":{"type":"integer"},"toString":true}}',
  ) as JsonObject,
  anything: {},
};

for (const [name, schema] of Object.entries(SCHEMAS)) {
  test(`everything sampled from the schema "${name}" validates`, () => {
    const check = validator(schema);
    for (let seed = 0; seed < 60; seed++) {
      const value = sampleSchema(schema, { root: schema, random: randomStream(seed, 'sample') });
      expect({ seed, value, errors: check(value) }).toEqual({ seed, value, errors: [] });
    }
  });
}

test('the same stream gives the same value', () => {
  const schema = SCHEMAS.flat ?? {};
  const one = sampleSchema(schema, { root: schema, random: randomStream(5, 'sample') });
  expect(sampleSchema(schema, { root: schema, random: randomStream(5, 'sample') })).toEqual(one);
  expect(sampleSchema(schema, { root: schema, random: randomStream(6, 'sample') })).not.toEqual(one);
});

test('known values are used where they fit the schema and only there', () => {
  const schema: JsonObject = {
    type: 'object',
    required: ['id', 'status', 'owner'],
    properties: {
      id: { type: 'string' },
      status: { enum: ['open', 'closed'] },
      owner: { type: 'object', required: ['login'], properties: { login: { type: 'string' } } },
    },
  };
  const facts: Readonly<Record<string, Json>> = { id: 'T-7', status: 'exploded', 'owner.login': 'ada' };
  const value = sampleSchema(schema, {
    root: schema,
    random: randomStream(1, 'sample'),
    known: (path) => facts[path.join('.')],
  }) as JsonObject;
  expect({ id: value.id, owner: value.owner }).toEqual({ id: 'T-7', owner: { login: 'ada' } });
  expect(['open', 'closed']).toContain(value.status);
});

test('a schema that nothing satisfies gives undefined', () => {
  const random = randomStream(1, 'sample');
  expect(sampleSchema(false, { root: {}, random })).toBeUndefined();
  const endless: JsonObject = { type: 'object', required: ['next'], properties: { next: { $ref: '#' } } };
  expect(sampleSchema(endless, { root: endless, random })).toBeUndefined();
  const loop: JsonObject = { $ref: '#' };
  expect(sampleSchema(loop, { root: loop, random })).toBeUndefined();
});

test('schemas that would branch without end are cut off', () => {
  const both: JsonObject = {
    $defs: { a: { allOf: [{ $ref: '#/$defs/a' }, { $ref: '#/$defs/a' }] } },
    $ref: '#/$defs/a',
  };
  expect(sampleSchema(both, { root: both, random: randomStream(1, 'sample') })).toBeUndefined();
  let nested: JsonObject = { type: 'string' };
  for (let i = 0; i < 20; i++) nested = { oneOf: [nested, nested] };
  const root: JsonObject = { type: 'object', properties: { a: nested } };
  expect(sampleSchema(root, { root, random: randomStream(1, 'sample') })).toBeDefined();
});

test('any JSON taken as a schema is survived', () => {
  const text = fc.oneof(
    fc.constantFrom(
      'type',
      'properties',
      'items',
      '$ref',
      'anyOf',
      'enum',
      'allOf',
      '#',
      'object',
      'array',
      '__proto__',
    ),
    fc.string(),
  );
  const { tree } = fc.letrec<{ tree: unknown }>((tie) => ({
    tree: fc.oneof(
      { maxDepth: 5 },
      fc.constantFrom(null, true, false, 0, -1),
      text,
      fc.array(tie('tree'), { maxLength: 4 }),
      fc.dictionary(text, tie('tree'), { maxKeys: 5 }),
    ),
  }));
  fc.assert(
    fc.property(tree, (schema) => {
      sampleSchema(schema as Json, { root: (schema ?? {}) as JsonObject, random: randomStream(1, 'sample') });
    }),
    { numRuns: 500 },
  );
});

test('a simple pattern is sampled and one that is not simple is left alone', () => {
  const random = randomStream(3, 'pattern');
  for (const pattern of ['^[a-z]{2,5}$', '^v\\d+\\.\\d+$', '^(?:foo|ba[rz])?x$', '^[^a-y]+$', '\\w+@\\w+']) {
    const text = samplePattern(pattern, random);
    expect({ pattern, text, fits: text !== undefined && new RegExp(pattern).test(text) }).toEqual({
      pattern,
      text,
      fits: true,
    });
  }
  for (const pattern of ['^(?=a)b', '(a)\\1', '\\p{L}+', '[', '(', 'a{9999}', '*']) {
    expect(samplePattern(pattern, random)).toBeUndefined();
  }
});
