import { expect, test } from 'vitest';
import { KeptPrograms } from './kept-programs.js';
import { compileRule } from './rule.js';
import { compileTemplate } from './template.js';

test('a source is compiled once for the same names, and again for others', () => {
  const names = ['a', 'b'];
  const rule = compileRule('a + b > 3', { names });
  expect(compileRule('a + b > 3', { names: ['a', 'b'] })).toEqual(rule);
  expect(compileRule('a + b > 3', { names: ['a'] })).toMatchObject({ ok: false });
  expect(compileRule('a + b > 3', { names: [] })).toMatchObject({ ok: false });
  expect(compileRule('a + b > 3').ok).toBe(true);
  expect(compileTemplate('{a}', { names: ['a'] }).ok).toBe(true);
  expect(compileTemplate('{a}', { names: ['b'] }).ok).toBe(false);
});

test('what was not used for longest goes first, and nothing larger than all is kept', () => {
  const kept = new KeptPrograms<number>(30);
  const put = (source: string, program: number, more = 0) => kept.put(source, undefined, { program, more });
  put('aaaa', 1);
  put('bbbb', 2, 10);
  expect(kept.get('aaaa', undefined)).toBe(1);
  put('cccc', 3, 4);
  expect(['aaaa', 'bbbb', 'cccc'].map((source) => kept.get(source, undefined))).toEqual([1, undefined, 3]);
  put('d'.repeat(40), 4);
  expect(kept.get('d'.repeat(40), undefined)).toBe(undefined);
  expect(kept.get('aaaa', [])).toBe(undefined);
});
