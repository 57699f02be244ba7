import { expect, test } from 'vitest';
import { leaksAnswer, renderSearchControl } from './search-control.js';

const hidden = { target: 'who built the lighthouse of Farsund', answer: 'Ingrid Aasen' };

test('a model is told the target and the answer that it must not say', () => {
  const text = renderSearchControl(hidden);
  expect(text).toContain('Target: who built the lighthouse of Farsund');
  expect(text).toContain('Ingrid Aasen');
});

test('an answer is found in other case, with other marks and spaces, and in spelled-out letters', () => {
  const leaks = (text: string) => leaksAnswer(text, hidden);
  expect(leaks('Built by INGRID  AASEN in 1903')).toBe(true);
  expect(leaks('https://x.example/ingrid-aasen')).toBe(true);
  expect(leaks('i.n.g.r.i.d a-a-s-e-n')).toBe(true);
  expect(leaks('Ｉｎｇｒｉｄ\u200b Ａａｓｅｎ')).toBe(true);
  expect(leaks('Built by a woman from Farsund')).toBe(false);
  expect(leaks('Ingrid was here; Aasen came later')).toBe(false);
});

test('part of a longer word is no leak, and an answer of two letters cannot be judged', () => {
  expect(leaksAnswer('the catalogue', { target: '', answer: 'cat' })).toBe(false);
  expect(leaksAnswer('a cat', { target: '', answer: 'cat' })).toBe(true);
  expect(leaksAnswer('42', { target: '', answer: '42' })).toBeNull();
});
