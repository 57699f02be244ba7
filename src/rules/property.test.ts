/** Properties over random texts, expressions and data: nothing throws, everything ends, the same gives the same. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { canonicalJson, type Json, renderJson, UmweltError } from '../core/index.js';
import { decimalPlaces, roundTo } from './arithmetic.js';
import { FUNCTIONS } from './functions.js';
import { compileRule } from './index.js';

const PIECES = [
  ...[
    '(',
    ')',
    '[',
    ']',
    '{',
    '}',
    ',',
    '.',
    ':',
    '?',
    '!',
    '-',
    '+',
    '*',
    '/',
    '%',
    '&&',
    '||',
    '==',
    '<',
    '>=',
  ],
  ...[
    ' ',
    '\n',
    "'a'",
    '"b"',
    "r'\\d'",
    "'",
    '"',
    '\\',
    '//',
    '1',
    '2.5',
    '0x1',
    '1e9',
    'true',
    'null',
    'in',
    'x',
    'm',
  ],
  ...['has(', 'all(', 'map(', 'size(', 'matches(', '__proto__', 'constructor', '👋', '\ud800'],
];

const value: fc.Arbitrary<Json> = fc.letrec<{ json: Json }>((tie) => ({
  json: fc.oneof(
    { maxDepth: 3 },
    fc.constantFrom<Json>(
      null,
      true,
      false,
      0,
      1,
      -1,
      0.1,
      1e300,
      9007199254740993n,
      '',
      'a',
      'ab',
      '2026-01-01',
    ),
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    fc.string({ unit: 'binary', maxLength: 8 }),
    fc.array(tie('json'), { maxLength: 5 }),
    fc.dictionary(fc.constantFrom('a', 'b', '__proto__', 'constructor'), tie('json'), { maxKeys: 3 }),
  ),
})).json;

const expression: fc.Arbitrary<string> = fc.letrec<{ e: string }>((tie) => {
  const e = tie('e');
  const some = (max: number) => fc.array(e, { maxLength: max }).map((parts) => parts.join(', '));
  return {
    e: fc.oneof(
      { maxDepth: 5, depthSize: 'medium' },
      fc.constantFrom(
        'x',
        'y',
        'm',
        'l',
        '1',
        '0.1',
        "'a'",
        'true',
        'null',
        '[]',
        '{}',
        '-2',
        "'a+'",
        '1e300',
        'n',
      ),
      fc
        .tuple(e, fc.constantFrom('+', '-', '*', '/', '%', '==', '!=', '<', '>=', '&&', '||', 'in'), e)
        .map(([a, op, b]) => `(${a} ${op} ${b})`),
      fc.tuple(e, e, e).map(([a, b, c]) => `(${a} ? ${b} : ${c})`),
      fc
        .tuple(e, fc.constantFrom('all', 'exists', 'exists_one', 'filter', 'map'), e)
        .map(([a, macro, b]) => `${a}.${macro}(x, ${b})`),
      fc
        .tuple(e, fc.constantFrom('a', '__proto__', 'constructor', 'toString'))
        .map(([a, name]) => `${a}.${name}`),
      fc.tuple(e, e).map(([a, b]) => `${a}[${b}]`),
      fc.tuple(fc.constantFrom(...FUNCTIONS.keys()), some(3)).map(([name, args]) => `${name}(${args})`),
      some(4).map((items) => `[${items}]`),
      fc.tuple(e, e).map(([a, b]) => `{'a': ${a}, 'b': ${b}}`),
    ),
  };
}).e;

const bindings = fc.record({ x: value, y: value, m: value, l: fc.array(value, { maxLength: 8 }), n: value });

test('no text makes the compiler throw', () => {
  const text = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.string({ unit: fc.constantFrom(...PIECES), maxLength: 60 }),
  );
  fc.assert(
    fc.property(text, (source) => {
      const compiled = compileRule(source);
      if (!compiled.ok) expect(compiled.error.code).toMatch(/^rules\/(syntax|budget)$/);
      else expect(compiled.value.evaluate({}).ok).toBeTypeOf('boolean');
    }),
    { numRuns: 2_000 },
  );
});

test('random expressions on random data end within their steps, as a JSON value or an error, always the same', () => {
  let evaluated = 0;
  fc.assert(
    fc.property(expression, bindings, (source, data) => {
      const before = renderJson(data);
      const compiled = compileRule(source);
      if (!compiled.ok) return;
      const first = compiled.value.evaluate(data, { steps: 20_000 });
      const second = compiled.value.evaluate(structuredClone(data), { steps: 20_000 });
      if (first.ok) {
        evaluated++;
        expect(second.ok && canonicalJson(second.value)).toBe(canonicalJson(first.value));
        expect(renderJson(first.value)).not.toMatch(/NaN|Infinity|undefined/);
      } else {
        expect(UmweltError.isInstance(first.error)).toBe(true);
        expect(second.ok ? 'ok' : second.error.message).toBe(first.error.message);
      }
      expect(renderJson(data)).toBe(before);
    }),
    { numRuns: 3_000 },
  );
  expect(evaluated).toBeGreaterThan(200);
});

test('== is an equivalence that agrees with canonical text', () => {
  const rule = compileRule('[a == a, a == b, b == a, a != b]');
  if (!rule.ok) throw rule.error;
  fc.assert(
    fc.property(value, value, (a, b) => {
      const result = rule.value.evaluate({ a, b });
      const same = canonicalJson(a) === canonicalJson(b);
      const seen = result.ok ? (result.value as boolean[]) : [];
      expect([seen[0], seen[1] === seen[2], seen[3] !== seen[1]]).toEqual([true, true, true]);
      if (same) expect(seen[1]).toBe(true);
    }),
  );
});

test('sums, differences and products of cents are the exact decimals', () => {
  const rule = compileRule('[a + b, a - b, a * b]');
  if (!rule.ok) throw rule.error;
  const cents = fc.integer({ min: -10_000_000, max: 10_000_000 });
  fc.assert(
    fc.property(cents, cents, (a, b) => {
      const result = rule.value.evaluate({ a: a / 100, b: b / 100 });
      const exact = (units: number, places: number) => Number(`${units}e-${places}`) + 0;
      expect(result.ok && result.value).toEqual([exact(a + b, 2), exact(a - b, 2), exact(a * b, 4)]);
    }),
  );
});

test('rounding keeps at most the places asked for and moves by at most half a unit', () => {
  const places = fc.integer({ min: 0, max: 6 });
  fc.assert(
    fc.property(fc.double({ min: -1e6, max: 1e6, noNaN: true }), places, (x, digits) => {
      const rounded = roundTo(x, digits);
      expect(decimalPlaces(rounded)).toBeLessThanOrEqual(digits);
      expect(decimalPlaces(rounded)).toBeGreaterThanOrEqual(0);
      expect(Math.abs(rounded - x)).toBeLessThanOrEqual(0.5000001 * 10 ** -digits);
    }),
  );
});
