import fc from 'fast-check';
import { expect, test } from 'vitest';
import { canonicalJson, isJsonObject, type Json, LIMITS, parseJson, renderJson } from './index.js';

function read(text: string): Json {
  const parsed = parseJson(text);
  if (!parsed.ok) throw new Error(parsed.error.message);
  return parsed.value;
}

test('integers that a double cannot hold become bigint, all other numbers stay numbers', () => {
  expect(read('[9007199254740991,9007199254740992,-12345678901234567890,1e30,0.12345678901234568]')).toEqual([
    9007199254740991,
    9007199254740992n,
    -12345678901234567890n,
    1e30,
    0.12345678901234568,
  ]);
  expect(read('"12345678901234567890"')).toBe('12345678901234567890');
});

test('big integers are written as their digits', () => {
  const value = { id: 12345678901234567890n, list: [1n, 'a'] };
  expect(renderJson(value)).toBe('{"id":12345678901234567890,"list":[1,"a"]}');
  expect(renderJson(value, 2)).toBe('{\n  "id": 12345678901234567890,\n  "list": [\n    1,\n    "a"\n  ]\n}');
  expect(renderJson({ empty: [], none: {}, big: 1n }, 2)).toBe(
    '{\n  "empty": [],\n  "none": {},\n  "big": 1\n}',
  );
});

test('nesting up to the limit is read, beyond it is a failure, however deep', () => {
  const nest = (depth: number): string => '['.repeat(depth) + ']'.repeat(depth);
  expect(parseJson(nest(LIMITS.jsonDepth)).ok).toBe(true);
  expect(parseJson(nest(LIMITS.jsonDepth + 1))).toEqual({
    ok: false,
    error: { message: `JSON nests deeper than ${LIMITS.jsonDepth} levels` },
  });
  expect(parseJson('{"a":'.repeat(200_000)).ok).toBe(false);
  expect(parseJson(`"${'['.repeat(1000)}"`).ok).toBe(true);
});

test('__proto__ and constructor are keys like any other, with and without big integers', () => {
  for (const number of ['1', '12345678901234567890']) {
    const text = `{"__proto__":{"polluted":${number}},"constructor":${number}}`;
    const value = read(text);
    expect(Object.keys(value as object)).toEqual(['__proto__', 'constructor']);
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
    expect(renderJson(value)).toBe(text);
  }
  expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
});

test('what is not JSON is a failure with its offset where that is known', () => {
  expect(parseJson('{"a":1,}')).toMatchObject({ ok: false, error: { offset: 7 } });
  for (const text of ['', '{', 'NaN', "{'a':1}", '[1,]', '1 2', '{"a":1} x'])
    expect(parseJson(text).ok).toBe(false);
});

test('objects are objects, lists and null are not', () => {
  expect([{}, { a: 1 }, [], null, 'a', 1n].map(isJsonObject)).toEqual([
    true,
    true,
    false,
    false,
    false,
    false,
  ]);
});

test('the canonical form sorts keys by UTF-16 units and has no spaces', () => {
  const value = read(
    '{ "b": [1, {"z": null, "a": "\\u00e9\\n"}], "a": 1.0, "B": 1e21, "\\ud83d\\ude42": -0, "\\ufb33": 2 }',
  );
  expect(canonicalJson(value)).toBe('{"B":1e+21,"a":1,"b":[1,{"a":"é\\n","z":null}],"🙂":0,"\ufb33":2}');
});

test('lone surrogates are written as escapes, so that the text is valid UTF-8', () => {
  expect(renderJson('a\ud83d')).toBe('"a\\ud83d"');
  expect(renderJson(['\udc00', 1n])).toBe('["\\udc00",1]');
});

const json = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    fc.string({ unit: 'binary' }),
    fc.double({ noNaN: true, noDefaultInfinity: true }).filter((n) => !Number.isInteger(n)),
    fc.maxSafeInteger(),
    fc.bigInt({ min: 2n ** 53n, max: 2n ** 100n }),
    fc.boolean(),
    fc.constant(null),
    fc.array(tie('value'), { maxLength: 3 }),
    fc
      .array(fc.tuple(fc.oneof(fc.string(), fc.constant('__proto__')), tie('value')), { maxLength: 3 })
      .map((entries) => Object.fromEntries(entries)),
  ),
})).value as fc.Arbitrary<Json>;

/** The same value with its keys in the opposite order. */
function reversed(value: Json): Json {
  if (Array.isArray(value)) return value.map((item: Json) => reversed(item));
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value)
      .map(([key, item]) => [key, reversed(item)] as const)
      .reverse(),
  );
}

test('what is written reads back equal, in every form', () => {
  fc.assert(
    fc.property(json, fc.constantFrom(0, 2), (value, indent) => {
      expect(read(renderJson(value, indent))).toEqual(value);
      expect(read(canonicalJson(value))).toEqual(value);
    }),
  );
});

test('equal values have equal canonical texts, whatever their key order', () => {
  fc.assert(
    fc.property(json, (value) => {
      expect(canonicalJson(reversed(value))).toBe(canonicalJson(value));
    }),
  );
});

test('a number beyond a double is refused, never read as one that would be written as null', () => {
  for (const text of ['1e400', '{"a":[-1.5E+999]}']) {
    const read = parseJson(text);
    expect(read.ok ? read.value : read.error.message).toMatch(
      /^the number -?1\.?5?[eE]\+?\d+ is beyond a double$/,
    );
  }
  expect(parseJson('[1e300,"1e400",2e-400,"face123"]')).toEqual({
    ok: true,
    value: [1e300, '1e400', 0, 'face123'],
  });
});

test('the last of several members of one name wins, big integers or not', () => {
  expect(parseJson('{"a":1,"b":2,"a":12345678901234567890}')).toEqual({
    ok: true,
    value: { a: 12345678901234567890n, b: 2 },
  });
});

test('digits and brackets inside strings say nothing about numbers and depth, whatever is escaped', () => {
  const texts = {
    '{"a":"1234567890123456789","b":12345678901234567890}': {
      a: '1234567890123456789',
      b: 12345678901234567890n,
    },
    '["\\\\",12345678901234567890,"\\\\\\""]': ['\\', 12345678901234567890n, '\\"'],
    '["1e999","\\"1e999"]': ['1e999', '"1e999'],
    '[1E+10,1e2,100000000000000]': [1e10, 100, 100000000000000],
  };
  for (const [text, value] of Object.entries(texts)) expect(parseJson(text)).toEqual({ ok: true, value });
  const deep = JSON.stringify(['['.repeat(LIMITS.jsonDepth + 5)]);
  expect(parseJson(deep).ok).toBe(true);
  for (const text of ['[1e999]', '[1E+999]', '[-1e0999]']) expect(parseJson(text).ok).toBe(false);
});
