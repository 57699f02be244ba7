import { expect, test } from 'vitest';
import { rewriteRule } from './rewrite.js';
import { compileRule } from './rule.js';

const names = (values: Record<string, string | number>) => (name: string) => values[name];

test('free names become literals, and the variables of macros stay', () => {
  const source = 'state.rows.exists(order, order.id == wanted && has(order.note)) && order > -limit // why';
  const rewritten = rewriteRule(source, { name: names({ order: 7, wanted: 'O\'1 "a"', limit: -2 }) });
  expect(rewritten).toEqual({
    ok: true,
    value: `state.rows.exists(order, order.id == "O'1 \\"a\\"" && has(order.note)) && 7 > -(-2) // why`,
  });
  const rule = compileRule(rewritten.ok ? rewritten.value : '', { names: ['state'] });
  expect(rule.ok && rule.value.names).toEqual(['state']);
});

test('literals are exchanged in place, and the pattern of matches is told', () => {
  const seen: unknown[] = [];
  const rewritten = rewriteRule(`answer.matches('(^|[^0-9])42$') || [42, 'x'][0] == {'a': 42}.a`, {
    literal: (value, pattern) => {
      seen.push([value, pattern]);
      return value === 42 ? 43 : pattern ? '(^|[^0-9])43$' : undefined;
    },
  });
  expect(rewritten.ok && rewritten.value).toBe(
    `answer.matches("(^|[^0-9])43$") || [43, 'x'][0] == {'a': 43}.a`,
  );
  expect(seen).toEqual([
    ['(^|[^0-9])42$', true],
    [42, false],
    ['x', false],
    [0, false],
    ['a', false],
    [42, false],
  ]);
});

test('text that is no rule is an error with its place', () => {
  const broken = rewriteRule('a ==', {});
  expect(broken.ok ? null : broken.error.code).toBe('rules/syntax');
});
