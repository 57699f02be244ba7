import { expect, test } from 'vitest';
import { findRuntimeText, isRuntimeName, isRuntimeText } from './runtime-metadata.js';

test('field names tell runtime metadata in every spelling', () => {
  const runtime = [
    'created_at',
    'updatedAt',
    'requestId',
    'trace-id',
    'durationMs',
    'ts',
    'PID',
    'nextCursor',
    'times',
  ];
  const content = ['title', 'due_date', 'created_by', 'timeZone', 'customer_id', 'id', 'stamp', 'rapid', ''];
  expect(runtime.filter((name) => !isRuntimeName(name))).toEqual([]);
  expect(content.filter(isRuntimeName)).toEqual([]);
});

test('whole values are told by their shape', () => {
  const runtime = [
    '2031-05-04T10:00:00.123Z',
    '2031-05-04 10:00:00 +02:00',
    'Sun, 04 May 2031 10:00:03 GMT',
    '10:00:03',
    '12.5 ms',
    'req_8f2c1a9b77',
    '0b9f7c1e-1111-4222-8333-944455556666',
  ];
  const content = ['2031-05-04', '12', 'ten seconds', 'req', 'a 10:00:03 b', '1.2.3'];
  expect(runtime.filter((text) => !isRuntimeText(text))).toEqual([]);
  expect(content.filter(isRuntimeText)).toEqual([]);
});

test('places in free text are found in order', () => {
  const text = 'took 3 ms at 2031-05-04T10:00:00Z (req_8f2c1a9b77)';
  expect(findRuntimeText(text).map(({ start, end }) => text.slice(start, end))).toEqual([
    '3 ms',
    '2031-05-04T10:00:00Z',
    'req_8f2c1a9b77',
  ]);
});
