import { describe, expect, test } from 'vitest';
import type { Json } from '../core/index.js';
import { type Bindings, compileRule, evaluateCondition, type Rule } from './index.js';

function rule(source: string, names?: readonly string[]): Rule {
  const compiled = compileRule(source, names === undefined ? {} : { names });
  if (!compiled.ok) throw compiled.error;
  return compiled.value;
}

function value(source: string, bindings: Bindings = {}): Json {
  const result = rule(source).evaluate(bindings);
  if (!result.ok) throw result.error;
  return result.value;
}

function failure(source: string, bindings: Bindings = {}, names?: readonly string[]): [string, string] {
  const compiled = compileRule(source, names === undefined ? {} : { names });
  const result = compiled.ok ? compiled.value.evaluate(bindings) : compiled;
  return result.ok ? ['no error', JSON.stringify(result.value)] : [result.error.code, result.error.message];
}

describe('arithmetic', () => {
  test.each<[string, Json]>([
    ['0.1 + 0.2', 0.3],
    ['0.3 - 0.1', 0.2],
    ['0.1 * 3', 0.3],
    ['1.1 * 1.1', 1.21],
    ['0.3 / 0.1', 3],
    ['5.5 % 0.1', 0],
    ['1.000001 * 1.000001', 1.000002000001],
    ['[0.1, 0.2, 0.3, 19.99, 4.35].sum()', 24.94],
    ['[1.005, 2.005].avg()', 1.505],
    ['-0.0', 0],
    ['0 * -1', 0],
    ['2 - 3 - 4', -5],
    ['24 / 4 / 2', 3],
    ['2 + 3 * 4 - 1', 13],
    ['-2 * -3', 6],
    ['1e3 + 0x10', 1016],
    ['9007199254740991 * 9007199254740991', 81129638414606663681390495662081n],
    ['9007199254740993 == 9007199254740992', false],
    ['90071992547409930 / 10', 9007199254740993n],
    ['big - big', 0],
    ['big > 9007199254740992', true],
    ['round(2.675, 2)', 2.68],
    ['round(-0.4)', 0],
    ['round(123456.789, 1)', 123456.8],
    ['round(1e-7, 3)', 0],
    ['floor(-1.5) + ceil(1.2) + abs(-3) + int(-1.9)', 2],
  ])('%s', (source, wanted) => {
    expect(value(source, { big: 9007199254740993n })).toEqual(wanted);
  });

  test('a result that is no number is an error, never infinity', () => {
    expect(failure('1e308 * 10')).toEqual([
      'rules/evaluation',
      'rule, line 1, column 7, at "*": the result is too large for a number',
    ]);
    expect(failure('1 % 0')[1]).toContain('division by zero');
    expect(failure('x + 1', { x: Number.NaN })[0]).toBe('rules/evaluation');
    expect(failure('x', { x: Number.POSITIVE_INFINITY })[0]).toBe('rules/evaluation');
  });
});

describe('logic follows CEL', () => {
  test.each<[string, Json]>([
    ['false && m.x', false],
    ['m.x && false', false],
    ['true || m.x', true],
    ['m.x == 1 || true', true],
    ['1 == 2 || 2 == 2 && 3 == 4', false],
    ['[1, 2].exists(x, x == 2 || m.x)', true],
    ['[1, m].exists(x, x > 0)', true],
    ['[0, m].all(x, x > 0)', false],
    ['[].all(x, false)', true],
    ['[].exists(x, true)', false],
    ['[1, 1].exists_one(x, x == 1)', false],
    ['true ? 1 : m.x', 1],
    ['false ? 1 : true ? 2 : 3', 2],
    ['!true || !false', true],
  ])('%s', (source, wanted) => {
    expect(value(source, { m: {} })).toEqual(wanted);
  });

  test('an error counts when no other part decides', () => {
    expect(failure('m.x && true', { m: {} })[1]).toContain('there is no field "x"');
    expect(failure('[m, 1].all(v, v > 0)', { m: {} })[1]).toContain('only two numbers or two strings');
  });

  test('a condition of another kind is an error that shows the value', () => {
    const result = evaluateCondition(rule("'yes'"), {});
    expect(result.ok ? result.value : result.error.message).toBe(
      'rule, line 1, column 1, at "\'yes\'": this must be true or false; here is string "yes"',
    );
    expect(evaluateCondition(rule('1 < 2'), {})).toEqual({ ok: true, value: true });
  });
});

describe('messages', () => {
  test('name the place, the piece and the nearest name', () => {
    expect(failure('1 +\n  stae.issues', {}, ['state', 'turns'])).toEqual([
      'rules/syntax',
      'rule, line 2, column 3, at "stae": unknown name "stae"; known are state, turns. Did you mean "state"?',
    ]);
    expect(failure('[1].sise()')[1]).toBe(
      'rule, line 1, column 5, at "sise()": unknown function "sise". Did you mean "size"?',
    );
    expect(failure('state.isues', { state: { issues: 1, users: 2 } })[1]).toBe(
      'rule, line 1, column 1, at "state.isues": there is no field "isues"; it has issues, users. Did you mean "issues"?',
    );
  });

  test('carry line, column and piece as data', () => {
    const result = compileRule('a ==');
    expect(result.ok ? undefined : result.error.data).toEqual({ line: 1, column: 5, offset: 4, piece: '' });
  });

  test.each([
    ['', 'expected a value, found the end of the text'],
    ['a = 1', 'write == to compare'],
    ['a === 1', 'write =='],
    ['a and b', 'write &&'],
    ['(1', 'expected ")" to close the bracket'],
    ['[1, 2', 'expected "]" to close the list'],
    ["'abc", 'has no closing'],
    ["'\\q'", 'unknown escape'],
    ['1abc', 'must not be followed by a letter'],
    ['[1].map(1, 2)', 'the form is list.map(x, value)'],
    ['all(a, b, c)', 'is called on a list or map'],
    ['has(a)', 'the form is has(a.b)'],
    ['size()', 'the form is size('],
    ['#', 'unexpected character'],
    ['1 2', 'expected an operator or the end'],
    ["'a' in", 'expected a value'],
    ["'x'.matches('(')", 'missing closing )'],
    ['range(3)', 'unknown function "range"'],
  ])('%s is a syntax error with a next step', (source, wanted) => {
    const [code, message] = failure(source);
    expect(code).toBe('rules/syntax');
    expect(message).toContain(wanted);
  });

  test('an unquoted map key is named, when the names are known', () => {
    expect(failure('{a: 1}', {}, ['b'])[1]).toContain("write 'a'");
  });

  test('wrong kinds show what was seen', () => {
    expect(failure("1 + 'a'")[1]).toContain('here are number 1 and string "a"; use string(x) to join');
    expect(failure('sum([1, null])')[1]).toContain('sum() needs a list of numbers; element 1 is null');
    expect(failure("substring('a', -1)")[1]).toContain('an integer from 0 to');
    expect(failure("{'a': 1, 'a': 2}")[1]).toContain('the map has the key "a" twice');
    expect(failure("sortBy([1, 'a'])")[1]).toContain('only two numbers or two strings');
    expect(failure('x.y', { x: null })[1]).toContain('a null has no field "y"');
  });
});

describe('bindings', () => {
  test('a function is called when its name is first used, and once', () => {
    let calls = 0;
    const state = (): Json => ({ n: ++calls });
    expect(value('state.n + state.n', { state })).toBe(2);
    expect(value('true || state.n == 1', { state })).toBe(true);
    expect(calls).toBe(1);
  });

  test('a function that fails is an evaluation error', () => {
    const state = (): Json => {
      throw new Error('no state yet');
    };
    expect(failure('state', { state })).toEqual([
      'rules/evaluation',
      'rule, line 1, column 1, at "state": the value of "state" could not be made: no state yet',
    ]);
  });

  test('the free names are listed in order; macro variables are not free', () => {
    expect(rule('b + a + [1].map(x, x + b + c)[0]').names).toEqual(['b', 'a', 'c']);
  });

  test('a name without a value is an error', () => {
    expect(failure('clock')[1]).toContain('"clock" has no value here');
  });

  test('macro variables hide bindings only inside their macro, and nest', () => {
    expect(value('x + [10].map(x, [x].map(y, x + y)[0])[0] + x', { x: 1 })).toBe(22);
  });
});

test('results are fresh: changing one does not change the input', () => {
  const rows = [{ id: 1 }];
  const result = value('rows', { rows });
  expect(result).toEqual([{ id: 1 }]);
  expect(result).not.toBe(rows);
  expect((result as Json[])[0]).not.toBe(rows[0]);
});

test('inputs are never changed', () => {
  const state = { list: [3, 1, 2], map: { a: 1 } };
  const before = structuredClone(state);
  value("[state.list.sortBy(), state.list.append(4), state.map.with('b', 2), state.map.without('a')]", {
    state,
  });
  expect(state).toEqual(before);
});

test('integers compare equal whatever their representation', () => {
  expect(value('[a == b, a in [b], distinct([a, b]).size()]', { a: 5, b: 5n })).toEqual([true, true, 1]);
  expect(value('distinct([a, b]).size()', { a: 1e21, b: 10n ** 21n })).toBe(1);
});

test('text counts code points', () => {
  const bindings = { t: '👋🏽 añ' };
  expect(
    value("[size(t), t.indexOf('a'), t.substring(0, 1), t.substring(3), t.split('').size()]", bindings),
  ).toEqual([5, 3, '👋', 'añ', 5]);
});

test('time does not depend on the zone of the host', () => {
  expect(value("time('2026-03-29T02:30:00')")).toBe(Date.UTC(2026, 2, 29, 2, 30));
  expect(value("date('2026-01-01T00:30:00+02:00')")).toBe('2025-12-31');
  expect(value("addSeconds('2024-02-28T23:59:59.500Z', 0.5)")).toBe('2024-02-29T00:00:00.000Z');
  expect(value("weekday('2000-02-29')")).toBe('Tuesday');
  expect(failure("addSeconds('9999-12-31T23:59:59Z', 1)")[1]).toContain('outside the years');
  expect(failure("time('2026-1-1')")[0]).toBe('rules/evaluation');
});
