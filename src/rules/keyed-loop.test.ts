/** Loops over elements that hold a value give what loops over all elements give, errors and steps included. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Json, LIMITS } from '../core/index.js';
import { compileRule, type Meter } from './index.js';

const PLAIN: fc.Arbitrary<Json> = fc.constantFrom<Json>(0, 1, 2, 'a', 'b', '', null, true, 9007199254740993n);
const FIELD = fc.oneof(
  { weight: 5, arbitrary: PLAIN },
  { weight: 1, arbitrary: fc.constantFrom<Json>([], [1], {}) },
);
const LINES = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.array(fc.record({ g: FIELD, n: PLAIN }, { requiredKeys: ['n'] }), { maxLength: 3 }),
  },
  { weight: 1, arbitrary: FIELD },
);
const ELEMENT: fc.Arbitrary<Json> = fc.oneof(
  {
    weight: 9,
    arbitrary: fc.record({ f: FIELD, h: FIELD, l: LINES }, { requiredKeys: ['h'] }) as fc.Arbitrary<Json>,
  },
  { weight: 1, arbitrary: PLAIN },
);

/** Conditions with `K(…)` around the comparison that a loop may use. */
const CONDITIONS = [
  'K(x.f == v)',
  'K(v == x.f)',
  'K(x.f == v) && x.h == 1',
  'x.h > 0 && K(x.f == v)',
  'x.h && K(x.f == w.v) && x.h == 1',
  'K(x.f == 1 / v)',
  'K(x.f == v) || x.h == 1',
  'K(x.f != v)',
  'K(x.f != v) || x.h == 1',
  'x.h || K(v != x.f)',
  'x.l.exists(y, K(y.g == v))',
  'x.l.exists(y, y.n > 0 && K(y.g == v)) && x.h == 1',
  'x.l.exists(y, K(y.g == x.f))',
];
const MACROS = [
  'all(x, C)',
  'exists(x, C)',
  'exists_one(x, C)',
  'filter(x, C)',
  'map(x, C, x.h)',
  'filter(x, C).map(x, x.h + 1)',
];

function frozen(value: Json): Json {
  if (typeof value === 'object' && value !== null) {
    for (const part of Object.values(value)) frozen(part as Json);
    Object.freeze(value);
  }
  return value;
}

function run(source: string, xs: Json, v: Json): { outcome: unknown; steps: number } {
  const rule = compileRule(source);
  if (!rule.ok) throw rule.error;
  const meter: Meter = { left: LIMITS.ruleSteps };
  const result = rule.value.evaluate({ xs, v, w: { v } }, { meter });
  const outcome = result.ok ? result.value : [result.error.code, result.error.message.split('": ')[1]];
  return { outcome, steps: LIMITS.ruleSteps - meter.left };
}

test('a loop by key gives what a loop over all elements gives, with and without an index, for the same steps', () => {
  fc.assert(
    fc.property(
      fc.array(ELEMENT, { maxLength: 12 }),
      FIELD,
      fc.constantFrom(...CONDITIONS),
      fc.constantFrom(...MACROS),
      (xs, v, condition, macro) => {
        const source = `xs.${macro.replace('C', condition)}`;
        const keyed = source.replaceAll('K(', '(');
        const all = source.replaceAll('K(', '(true && true) && true == (');
        const scanned = run(keyed, structuredClone(xs), v);
        expect(scanned.outcome).toStrictEqual(run(all, xs, v).outcome);
        const list = frozen(structuredClone(xs));
        for (let use = 0; use < 3; use++) expect(run(keyed, list, v)).toStrictEqual(scanned);
      },
    ),
    { numRuns: 2000 },
  );
});

test('a list that may change has no index: the second look sees the change', () => {
  const xs = Array.from({ length: 10 }, (_, n) => ({ f: n }));
  Object.freeze(xs);
  const seen = [0, 1, 2].map((change) => {
    (xs[3] as { f: number }).f = change === 2 ? 77 : 3;
    return run('xs.filter(x, x.f == v)', xs, 77).outcome;
  });
  expect(seen).toStrictEqual([[], [], [{ f: 77 }]]);
});

test('passing over an element takes one step, and one for each part of the list inside it', () => {
  const xs = Array.from({ length: 100 }, (_, n) => ({ f: n, l: [{ g: n }, { g: n }] }));
  const empty = run('xs', [], 0).steps;
  expect(run('xs.exists(x, x.f == 1000)', xs, 0).steps).toBe(102 + empty);
  expect(run('xs.exists(x, x.l.exists(y, y.g == 1000))', xs, 0).steps).toBe(302 + empty);
});
