/**
 * What of search answers can be demanded exactly.
 */
import { expect, test } from 'vitest';
import { searchContentTypes } from './content-types.js';

const shown = (text: string, state?: string): unknown =>
  searchContentTypes(text, state === undefined ? {} : { state: [state] }).map(({ start, end, type }) => [
    text.slice(start, end),
    type,
  ]);

test('numbers and labels are determined, words are content, times are metadata', () => {
  expect(shown('[1] https://a.example/\nTitle: At 10:30:00\nDate: N/A')).toEqual([
    ['[1] ', 'deterministic'],
    ['https://a.example/', 'pre-existing'],
    ['\nTitle: ', 'deterministic'],
    ['At ', 'pre-existing'],
    ['10:30:00', 'runtime-metadata'],
    ['\nDate: ', 'deterministic'],
    ['N/A', 'pre-existing'],
  ]);
});

test('what earlier answers hold is determined, and so are answers of the memory', () => {
  expect(shown('[1] https://a.example/\nTitle: T', 'https://a.example/')).toEqual([
    ['[1] https://a.example/\nTitle: ', 'deterministic'],
    ['T', 'pre-existing'],
  ]);
  expect(shown("Successfully added items of ['x'] to memory.")).toEqual([
    ["Successfully added items of ['x'] to memory.", 'deterministic'],
  ]);
});
