/** Rules that try to loop, to reach out, to eat memory or to take an hour. Asserted by code, never by the clock. */
import { describe, expect, test } from 'vitest';
import { type Json, LIMITS } from '../core/index.js';
import { type Bindings, compileRule, compileTemplate } from './index.js';
import { createTextSearch } from './text-search.js';

function outcome(source: string, bindings: Bindings = {}): Json {
  const compiled = compileRule(source);
  const result = compiled.ok ? compiled.value.evaluate(bindings) : compiled;
  return result.ok ? result.value : result.error.code;
}

const rows = Array.from({ length: 1_000 }, (_, i) => i);
const nest = (times: number, step: (inner: string) => string, start: string): string => {
  let source = start;
  for (let i = 0; i < times; i++) source = step(source);
  return source;
};

describe('rules that would take an hour run out of steps', () => {
  test.each<[string, string, Bindings]>([
    [
      'five nested macros over 1,000 elements',
      'l.all(a, l.all(b, l.all(c, l.all(d, l.all(e, e >= 0)))))',
      { l: rows },
    ],
    ['nested map', 'l.map(a, l.map(b, l.map(c, a + b + c)))', { l: rows }],
    ['a huge sort', 'l.sortBy()', { l: Array.from({ length: 600_000 }, (_, i) => (i * 7919) % 600_011) }],
    [
      'a huge deep comparison',
      'a == b',
      { a: Array(LIMITS.ruleSteps).fill(1), b: Array(LIMITS.ruleSteps).fill(1) },
    ],
    ['a list that holds itself twice', nest(30, (s) => `[${s}].map(x, [x, x])[0]`, '[1]'), {}],
    ['the same, written as JSON', `toJson(${nest(30, (s) => `[${s}].map(x, [x, x])[0]`, '[1]')})`, {}],
    ['a huge text many times', `l.map(x, t)`, { l: rows, t: 'x'.repeat(1e6) }],
    ['a huge JSON text', 'json(t)', { t: `[${'[],'.repeat(3e6)}[]]` }],
    ['a pattern with many instructions', "t.matches('(.*){1,900}')", { t: 'a'.repeat(1e5) }],
    [
      'a pattern from data, compiled again and again',
      'l.exists(x, t.matches(p + string(x)))',
      { l: rows, t: '', p: 'a{900}' },
    ],
    ['squaring a number', nest(30, (s) => `[${s}].map(x, x * x)[0]`, '3'), {}],
    [
      'many absorbed errors',
      'l.all(a, m.x || l.all(b, m.y || true && m.z)) || l.all(a, l.all(b, l.all(c, m.x)))',
      { l: rows, m: {} },
    ],
  ])('%s', (_title, source, bindings) => {
    expect(outcome(source, bindings)).toBe('rules/budget');
  });

  test('a lookup of each of 1,000 rows among 1,000 others fits in the budget', () => {
    expect(outcome('l.all(a, l.exists(b, b == 999 - a))', { l: rows })).toBe(true);
  });

  test('&& and || do not hide a used-up budget', () => {
    const long = 'l.all(a, l.all(b, l.all(c, true)))';
    expect(outcome(`${long} || true`, { l: rows })).toBe('rules/budget');
    expect(outcome(`${long} && false`, { l: rows })).toBe('rules/budget');
  });
});

describe('rules that would eat memory are refused before they build', () => {
  test.each<[string, string, Bindings]>([
    ['string doubling', nest(30, (s) => `[${s}].map(x, x + x)[0]`, "'aaaaaaaaaaaaaaaa'"), {}],
    ['list doubling', nest(30, (s) => `[${s}].map(x, x + x)[0]`, '[1]'), {}],
    ['replace', "t.replace('a', t)", { t: 'a'.repeat(10_000) }],
    ['join', 'l.join(t)', { l: rows, t: 'a'.repeat(10_000) }],
    ['upper case that grows', 't.upper()', { t: 'ŉ'.repeat(600_000) }],
  ])('%s', (_title, source, bindings) => {
    expect(outcome(source, bindings)).toBe('rules/budget');
  });
});

describe('source text that nests or runs on is refused', () => {
  test.each([
    ['brackets', '('.repeat(9_000)],
    ['not', `${'!'.repeat(9_990)}true`],
    ['more than the limit', `${'!'.repeat(10_000)}true`],
    ['minus', `${'-'.repeat(9_000)}1`],
    ['lists', '['.repeat(9_000)],
    ['maps', "{'a':".repeat(1_900)],
    ['fields', `a${'.a'.repeat(4_900)}`],
    ['indexes', `a${'[0]'.repeat(3_000)}`],
    ['choices', `${'true?1:'.repeat(1_400)}1`],
    ['calls', 'size('.repeat(1_900)],
    ['methods', `a${'.trim()'.repeat(1_400)}`],
    ['comparisons', `1${'==1'.repeat(3_000)}`],
    ['has', 'has('.repeat(2_000)],
    ['a long text', ' '.repeat(10_001)],
  ])('%s', (_title, source) => {
    expect(outcome(source)).toBe('rules/syntax');
  });

  test('a long flat sum or condition is no nesting', () => {
    expect(outcome(`1${'+1'.repeat(4_999)}`)).toBe(5_000);
    expect(outcome(`true${'&&true'.repeat(1_600)}`)).toBe(true);
  });

  test('a template is bounded as a whole', () => {
    const long = compileTemplate('x'.repeat(10_001));
    expect(long.ok ? 'ok' : long.error.code).toBe('rules/syntax');
    const parts = compileTemplate('{l.all(a, l.all(b, a >= 0))}'.repeat(300));
    const rendered = parts.ok ? parts.value.render({ l: rows.slice(0, 100) }) : parts;
    expect(rendered.ok ? 'ok' : rendered.error.code).toBe('rules/budget');
    const big = compileTemplate('{t}'.repeat(3_000));
    const text = big.ok ? big.value.render({ t: 'x'.repeat(1_000) }) : big;
    expect(text.ok ? 'ok' : text.error.code).toBe('rules/budget');
  });
});

describe('regular expressions cannot explode', () => {
  test.each(['(a+)+$', '(a*)*$', '(a|aa)+$', '(.*a){20}$', '([a-zA-Z]+)*$'])(
    '%s ends with an answer',
    (pattern) => {
      expect(outcome(`t.matches(r'^${pattern}')`, { t: `${'a'.repeat(5_000)}!` })).toBe(false);
    },
  );

  test('too large patterns are refused, written in the rule or given by data', () => {
    expect(outcome("'a'.matches('((a{30}){30}){30}')")).toBe('rules/budget');
    expect(outcome("'a'.matches(p)", { p: '((a{30}){30}){30}' })).toBe('rules/budget');
    expect(outcome("'a'.matches(p)", { p: 'a'.repeat(1_001) })).toBe('rules/budget');
    expect(outcome(`[${"'a'.matches('a{900}'),".repeat(10)}]`)).toBe('rules/budget');
    expect(outcome("'a'.matches(p)", { p: '(' })).toBe('rules/evaluation');
  });

  test('a needle that nearly matches everywhere is found as any other', () => {
    const half = 'a'.repeat(1_000);
    const bindings = { t: 'a'.repeat(400_000), n: `${half}b${half}`, l: [1, 2, 3, 4, 5, 6, 7, 8] };
    expect(outcome('l.exists(x, t.contains(n))', bindings)).toBe(false);
    const found = `${'a'.repeat(5_000)}b${half}xyz`;
    expect(createTextSearch(bindings.n)(found, 0)).toBe(4_000);
    expect(createTextSearch(bindings.n)(found, 4_001)).toBe(-1);
  });
});

describe('nothing inherited is reachable', () => {
  const words = [
    '__proto__',
    'constructor',
    'toString',
    'hasOwnProperty',
    'valueOf',
    '__defineGetter__',
    'length',
  ];

  test.each(words)('%s', (word) => {
    const values = { m: {}, l: [1], s: 'text', n: 1, b: true };
    for (const name of Object.keys(values)) {
      expect(outcome(`${name}.${word}`, values)).toBe('rules/evaluation');
      expect(outcome(`${name}['${word}']`, values)).toBe('rules/evaluation');
      expect(outcome(`has(${name}.${word})`, values)).toBe(false);
      expect(outcome(`${name}.${word}()`, values)).toBe('rules/syntax');
    }
    expect(outcome(word, values)).toBe('rules/evaluation');
    expect(outcome(`'${word}' in m`, values)).toBe(false);
    expect(outcome(`get(m, '${word}', 'none')`, values)).toBe('none');
    expect(outcome(`${word}(m)`, values)).toBe('rules/syntax');
    expect(outcome(`sortBy([m, m], '${word}')`, values)).toBe('rules/evaluation');
  });

  test.each(['globalThis', 'process', 'require', 'this', 'eval', 'Function', 'import'])(
    '%s is no name',
    (word) => {
      expect(outcome(word)).toBe('rules/evaluation');
      expect(outcome(`${word}('1')`)).toBe('rules/syntax');
    },
  );

  test('a foreign __proto__ key is an ordinary key and stays one', () => {
    const m = JSON.parse('{"__proto__": {"admin": true}}') as Json;
    expect(outcome('m.__proto__.admin', { m })).toBe(true);
    const copied = outcome("merge(m, {'a': 1})", { m }) as Record<string, unknown>;
    expect(Object.keys(copied)).toEqual(['__proto__', 'a']);
    expect(Object.getPrototypeOf(copied)).toBe(Object.prototype);
    const built = outcome("{'__proto__': {'admin': true}}") as Record<string, unknown>;
    expect(Object.hasOwn(built, '__proto__')).toBe(true);
    expect(built.admin).toBeUndefined();
    const grouped = outcome("groupBy([{'k': '__proto__'}], 'k')") as Record<string, unknown>;
    expect(Object.keys(grouped)).toEqual(['__proto__']);
  });

  test('functions and other foreign objects in the input are never called or copied', () => {
    const m = { f: () => 'called', u: undefined, s: Symbol('s') } as unknown as Json;
    expect(outcome('m.f', { m })).toBe('rules/evaluation');
    expect(outcome('has(m.u)', { m })).toBe(false);
    expect(outcome('[m.s]', { m })).toBe('rules/evaluation');
  });
});

test('values that nest beyond all documents are refused, not a stack overflow', () => {
  const build = (): Json => {
    let deep: Json = 1;
    for (let i = 0; i < 50_000; i++) deep = [deep];
    return deep;
  };
  expect(outcome('d', { d: build() })).toBe('rules/budget');
  expect(outcome('a == b', { a: build(), b: build() })).toBe('rules/budget');
  expect(outcome('toJson(d)', { d: build() })).toBe('rules/budget');
  expect(outcome('distinct([d, d])', { d: build() })).toBe('rules/budget');
});

test('a budget that is no number is the usual one', () => {
  const compiled = compileRule('l.all(a, l.all(b, l.all(c, true)))');
  for (const steps of [Number.NaN, Number.POSITIVE_INFINITY, 10, -1]) {
    const result = compiled.ok ? compiled.value.evaluate({ l: rows }, { steps }) : compiled;
    expect(result.ok ? 'ok' : result.error.code).toBe('rules/budget');
  }
});
