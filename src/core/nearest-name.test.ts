import { expect, test } from 'vitest';
import { nearestName } from './nearest-name.js';

test('a misspelt name finds the nearest known one', () => {
  expect(nearestName('stae', ['turns', 'state', 'answer'])).toBe('state');
  expect(nearestName('styel', ['title', 'style'])).toBe('style');
});

test('letter case alone is no distance', () => {
  expect(nearestName('STARTSWITH', ['endsWith', 'startsWith'])).toBe('startsWith');
});

test('swapped neighbours count as one edit', () => {
  expect(nearestName('tiem', ['time'], 1)).toBe('time');
});

test('a far name gives no answer', () => {
  expect(nearestName('colour', ['state', 'turns'])).toBeUndefined();
  expect(nearestName('ab', ['xyz'])).toBeUndefined();
});

test('ties go to the earlier name', () => {
  expect(nearestName('cat', ['bat', 'hat'])).toBe('bat');
});

test('long names and long lists are not searched without end', () => {
  const long = 'a'.repeat(1_000_000);
  expect(nearestName(long, [long])).toBeUndefined();
  expect(nearestName('needle', [long, 'needles'])).toBe('needles');
  const many = [...Array.from({ length: 5_000 }, (_, i) => `other${i}`), 'needles'];
  expect(nearestName('needle', many)).toBeUndefined();
});
