import { expect, test } from 'vitest';
import { renderStateDigest } from './state-digest.js';

const op = { kind: 'tool.call', name: 'x', args: { who: 'Zoe', page: 2 } } as const;

test('rows that hold a value of the call come first, and what is left out is counted', () => {
  const people = Array.from({ length: 50 }, (_, i) => ({ id: `p${i}`, name: i === 49 ? 'Zoe' : 'Ann' }));
  const digest = renderStateDigest({ data: { people, empty: [] } }, op, 200);
  expect(digest.split('\n')).toEqual([
    'people (50 rows):',
    '{"id":"p49","name":"Zoe"}',
    '{"id":"p0","name":"Ann"}',
    '{"id":"p1","name":"Ann"}',
    '{"id":"p2","name":"Ann"}',
    '(46 more not shown)',
    'empty (0 rows):',
  ]);
});

test('a state without collections is shown as JSON within the budget', () => {
  expect(renderStateDigest({ cwd: '/', big: 2n ** 64n }, op)).toBe('{"cwd":"/","big":18446744073709551616}');
  expect(renderStateDigest('a long text', op, 4)).toBe('"a l');
});
