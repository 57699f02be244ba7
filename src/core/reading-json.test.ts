import fc from 'fast-check';
import { expect, test } from 'vitest';
import { findJson, isJsonObject, type Json, readJson } from './index.js';

/** The value and whether it was repaired, or the reason of the failure. */
function short(text: string, accept?: (value: Json) => boolean): unknown {
  const reading = readJson(text, accept === undefined ? {} : { accept });
  return reading.ok ? [reading.value.value, reading.value.repaired] : reading.error.reason;
}

const verdict = {
  strengths: ['Prompt is right, note: path updates'],
  weaknesses: ['List ends with , } instead of ]', 'Quotes\n```\n{"a":1}\n```\nfrom the log'],
  scores: { format: 4, factuality: 3, consistency: 4, realism: 4, quality: 3 },
};

test('a valid verdict full of braces, fences and commas in strings is read without repair', () => {
  const text = `\n\`\`\`json\n${JSON.stringify(verdict)}\n\`\`\`\n`;
  expect(short(text)).toEqual([verdict, false]);
  expect(readJson(text)).toMatchObject({ ok: true, value: { fenced: true } });
});

test('a broken verdict is repaired around its strings', () => {
  const broken = JSON.stringify(verdict)
    .replace('"quality":3}}', '"quality":3,}}')
    .replace('"factuality":3,', '"factuality":3, // close call, isn\'t it {\n');
  expect(short(`\`\`\`json\n${broken}\n\`\`\``)).toEqual([verdict, true]);
});

test('bare keys, single quotes, python words and missing brackets are repaired', () => {
  expect(short("{scores: {'format': 4, ok: True,}, note: None}")).toEqual([
    { scores: { format: 4, ok: true }, note: null },
    true,
  ]);
  expect(short('{"scores": {"format": 4}\n')).toEqual([{ scores: { format: 4 } }, true]);
});

test('a text that stops inside a string or number is not completed', () => {
  expect(short('{"scores": {"format": 4')).toMatch(/stops inside a value/);
  expect(short('{"note": "unfin')).toMatch(/stops inside a string/);
});

test('what parses strictly is preferred to what needs repair', () => {
  expect(short('{"a": 1,} and then {"b": 2}')).toEqual([{ b: 2 }, false]);
});

test('a wanted value is found among others, and a piece of a broken value is not one', () => {
  const isWanted = (value: Json): boolean => isJsonObject(value) && Object.hasOwn(value, 'format');
  expect(short('see [1] {"x":1}\n{"format":4}\n{"unrelated":true}', isWanted)).toEqual([
    { format: 4 },
    false,
  ]);
  expect(short('{"scores": {"format": 4}, "note": "unfin', isWanted)).toMatch(/stops inside a string/);
  expect(short('{"scores": {"format": 4}, oops oops}', isWanted)).not.toEqual([{ format: 4 }, false]);
});

test('values in a fence come before objects, and objects before lists', () => {
  expect(short('[1] {"a":1}\n```json\n[2]\n```')).toEqual([[2], false]);
  expect(short('[1] {"a":1}')).toEqual([{ a: 1 }, false]);
});

test('big integers stay exact, repaired or not, and __proto__ is a key', () => {
  expect(short('x {"n":12345678901234567890}')).toEqual([{ n: 12345678901234567890n }, false]);
  expect(short('{"n":12345678901234567890,}')).toEqual([{ n: 12345678901234567890n }, true]);
  const reading = readJson('{"__proto__":{"polluted":1},}');
  expect(reading.ok && Object.hasOwn(reading.value.value as object, '__proto__')).toBe(true);
  expect(({} as { polluted?: number }).polluted).toBeUndefined();
});

test('text without JSON is a failure that keeps the text', () => {
  expect(readJson('no json here')).toEqual({
    ok: false,
    error: { reason: 'there is no JSON object or list in the text', raw: 'no json here' },
  });
});

test('repair can be switched off', () => {
  expect(readJson('{"a":1,}', { repair: false }).ok).toBe(false);
});

const hard = fc.oneof(
  fc.string(),
  fc.constantFrom(
    'a, }',
    '// no comment',
    '```json',
    "it's",
    'x: y, {b: 2}',
    '\\',
    'True',
    '…',
    '/* */',
    '"',
    '[1,]',
  ),
);
const value = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    hard,
    fc.integer(),
    fc.boolean(),
    fc.constant(null),
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(hard, tie('value'), { maxKeys: 3 }),
  ),
})).value as fc.Arbitrary<Json>;
const container = fc.oneof(fc.array(value), fc.dictionary(hard, value)) as fc.Arbitrary<Json>;

test('valid JSON in prose or a fence comes back as it is, never repaired', () => {
  fc.assert(
    fc.property(
      container,
      fc.constantFrom('', 'Here it is: ', '```json\n', '> '),
      fc.nat(2),
      (json, before, indent) => {
        const text = `${before}${JSON.stringify(json, null, indent)}\nThat is all.`;
        const found = findJson(text);
        expect(found.length).toBe(1);
        expect(JSON.stringify(found[0]?.value)).toBe(JSON.stringify(json));
        expect(readJson(text)).toMatchObject({ ok: true, value: { repaired: false } });
      },
    ),
    { numRuns: 300 },
  );
});

test('a repair gives back every string unchanged or is refused', () => {
  let repaired = 0;
  fc.assert(
    fc.property(container, (json) => {
      const broken = JSON.stringify(json, null, 1).replace(/\n?([}\]])$/, ', // then, {"\n$1');
      const reading = readJson(broken);
      if (reading.ok && reading.value.repaired) {
        repaired++;
        expect(JSON.stringify(reading.value.value)).toBe(JSON.stringify(json));
      }
    }),
    { numRuns: 300 },
  );
  expect(repaired).toBeGreaterThan(100);
});

test('hostile text never throws and ends soon', () => {
  fc.assert(
    fc.property(fc.stringMatching(/^[[{}\],:"'`\\\n\da/*-]{0,60}$/), (text) => {
      expect(typeof readJson(text).ok).toBe('boolean');
    }),
    { numRuns: 500 },
  );
  for (const unit of ['{"a":', '[', '{"', '{"a":[{"b":"c"},', "{'", '{a:', '[/*', '```{', '{"\\"']) {
    expect(readJson(unit.repeat(30_000)).ok).toBe(false);
  }
});
