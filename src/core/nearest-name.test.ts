import { expect, test } from 'vitest';
import { nearestName } from './nearest-name.js';

test('a typo finds its name, whatever its case', () => {
  expect(nearestName('tiemout', ['error', 'partial-failure', 'timeout'])).toBe('timeout');
  expect(nearestName('TimeOut', ['error', 'timeout'])).toBe('timeout');
});

test('a name that is far from all known ones has no nearest', () => {
  expect(nearestName('zebra', ['error', 'timeout'])).toBeUndefined();
  expect(nearestName('x', [])).toBeUndefined();
});
