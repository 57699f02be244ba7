/**
 * What of a page can be demanded exactly.
 */
import { expect, test } from 'vitest';
import { parseWebAction } from './action.js';
import { webContentTypes } from './content-types.js';

const shown = (text: string, context = {}): unknown =>
  webContentTypes(text, context).map(({ start, end, type }) => [text.slice(start, end), type]);

const PAGE =
  "URL: http://a.test/\nTitle: Shop\n\nAccessibility tree:\n[5] textbox 'Find' value='kettle', focused\n\tStaticText 'Since 10:30:00'";

test('structure, states and addresses are determined, words are content, times are metadata', () => {
  expect(shown(PAGE)).toEqual([
    ['URL: http://a.test/\nTitle: ', 'deterministic'],
    ['Shop', 'pre-existing'],
    ["\n\nAccessibility tree:\n[5] textbox '", 'deterministic'],
    ['Find', 'pre-existing'],
    ["' value=", 'deterministic'],
    ["'kettle'", 'pre-existing'],
    [", focused\n\tStaticText '", 'deterministic'],
    ['Since ', 'pre-existing'],
    ['10:30:00', 'runtime-metadata'],
    ["'", 'deterministic'],
  ]);
});

test('what was typed, and what the page before showed, is determined', () => {
  const action = parseWebAction("fill('5', 'kettle')");
  expect(shown(PAGE, { action, state: [PAGE.replace('kettle', '').replace('Since 10:30:00', 'x')] })).toEqual(
    [
      [PAGE.slice(0, PAGE.indexOf('Since')), 'deterministic'],
      ['Since ', 'pre-existing'],
      ['10:30:00', 'runtime-metadata'],
      ["'", 'deterministic'],
    ],
  );
});
