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

test('letter case alone is no distance, and swapped neighbours count as one edit', () => {
  expect(nearestName('STARTSWITH', ['endsWith', 'startsWith'], 0)).toBe('startsWith');
  expect(nearestName('tiem', ['time'], 1)).toBe('time');
  expect(nearestName('tiem', ['time'], 0)).toBeUndefined();
});

test('ties go to the earlier name', () => {
  expect(nearestName('cat', ['bat', 'hat'])).toBe('bat');
});

test('long names and long lists are not searched without end', () => {
  const long = 'a'.repeat(1_000_000);
  expect(nearestName(long, [long])).toBe(long);
  expect(nearestName('needle', [long, 'needles'])).toBe('needles');
  const many = Array.from({ length: 200_000 }, (_, i) => `noodle${i % 10}`);
  expect(nearestName('needle', [...many, 'needle'])).toBe('noodle0');
});
