/**
 * Observations compared by structure.
 */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { compareObservations, matchedShare } from './compare-observations.js';
import type { DomainFormat } from './domain-format.js';
import { mcpFormat } from './mcp/mcp-format.js';
import { searchFormat } from './search/search-format.js';
import { terminalFormat } from './terminal/terminal-format.js';
import { webFormat } from './web/web-format.js';
import { webSamples } from './web/web-samples.contract.js';

const web = webFormat as DomainFormat;
const PAGE =
  "URL: http://a.test/\nTitle: Shop\nFocused bid: 5\n\nAccessibility tree:\nRootWebArea 'Shop', focused\n\t[5] textbox 'Find' value='tea', focused\n\t[6] button 'Go'\n\t[7] list ''\n\t\t[8] listitem ''\n\t\t\tStaticText 'Since 10:30:00'";
const differences = (predicted: string): unknown =>
  compareObservations(web, { expected: PAGE, predicted }).differences.map(
    ({ how, type, kind, id, value, expected, predicted: got }) =>
      [how, type, [kind, id, value].filter((one) => one !== undefined).join(' '), expected, got].filter(
        (one) => one !== undefined,
      ),
  );

test('the same page in another spelling matches whole', () => {
  const other = PAGE.replace(', focused\n\t[6]', ', focused=True\n\t[6]')
    .replaceAll('\t', '    ')
    .replace('10:30:00', '11:59:07');
  const found = compareObservations(web, { expected: PAGE, predicted: other });
  expect(found).toMatchObject({
    parts: { matched: 9, changed: 0, missing: 0, extra: 0 },
    moved: 0,
    differences: [],
    problems: [],
  });
  expect(matchedShare(found.values.deterministic)).toBe(1);
});

test.each([
  [PAGE.replace("'tea'", "'coffee'"), [['changed', 'pre-existing', 'textbox 5 value', 'tea', 'coffee']]],
  [PAGE.replace("\n\t[6] button 'Go'", ''), [['missing', 'pre-existing', 'button 6', 'Go']]],
  [PAGE.replace("'Go'", "'Go', disabled=True"), [['extra', 'deterministic', 'button 6 disabled', 'true']]],
  [PAGE.replace('[6]', '[60]'), [['changed', 'deterministic', 'button 6 id', '6', '60']]],
  [PAGE.replace(', focused\n\t[6]', '\n\t[6]'), [['missing', 'deterministic', 'textbox 5 focused', 'true']]],
  [
    PAGE.replace('Since 10:30:00', 'Since noon'),
    [['changed', 'runtime-metadata', 'StaticText text', undefined, undefined]],
  ],
  [`${PAGE}\n\t[9] link 'New'`, [['extra', 'pre-existing', 'link 9', 'New']]],
])('a difference of %j is told', (predicted, wanted) => {
  if (predicted.includes('noon')) {
    expect(compareObservations(web, { expected: PAGE, predicted }).parts).toEqual({
      matched: 8,
      changed: 1,
      missing: 0,
      extra: 0,
    });
    return;
  }
  expect(differences(predicted)).toEqual(wanted);
});

test('a level in between, and another order, move parts and lose none', () => {
  const wrapped = PAGE.replace("\t[6] button 'Go'", "\t[60] group 'x'\n\t\t[6] button 'Go'");
  expect(differences(wrapped)).toEqual([
    ['moved', 'deterministic', 'button 6'],
    ['extra', 'pre-existing', 'group 60', 'x'],
  ]);
  const lines = PAGE.split('\n');
  const swapped = [...lines.slice(0, 6), lines[7], lines[6], ...lines.slice(8)].join('\n');
  const found = compareObservations(web, { expected: PAGE, predicted: swapped });
  expect(found).toMatchObject({ parts: { matched: 9, missing: 0, extra: 0 }, moved: 1 });
});

test('results are paired by their address, whatever their place', () => {
  const result = (n: number, at: string, title: string): string =>
    `[${n}] https://${at}/\nTitle: ${title}\nSnippet: s\nDate: N/A`;
  const found = compareObservations(searchFormat as DomainFormat, {
    expected: [result(1, 'a.example', 'A'), result(2, 'b.example', 'B')].join('\n\n'),
    predicted: [result(1, 'b.example', 'B'), result(2, 'c.example', 'C')].join('\n\n'),
  });
  expect(found.parts).toEqual({ matched: 0, changed: 1, missing: 1, extra: 1 });
  expect(found.values.deterministic).toEqual({ matched: 0, changed: 1, missing: 1, extra: 1 });
  expect(found.values['pre-existing']).toEqual({ matched: 4, changed: 0, missing: 4, extra: 4 });
});

test('tool answers and screens are compared too', () => {
  const json = compareObservations(mcpFormat as DomainFormat, {
    expected: '{"id":"7","n":1.0,"rows":[{"id":"a","v":1},{"id":"b","v":2}],"at":"2031-05-04T10:00:00Z"}',
    predicted: '{"at":"2031-06-05T11:11:11Z","n":1,"id":"8","rows":[{"id":"b","v":2},{"id":"a","v":3}]}',
  });
  expect(
    json.differences
      .filter((one) => one.how !== 'moved')
      .map((one) => [one.how, one.id, one.expected, one.predicted]),
  ).toEqual([
    ['changed', 'id', '7', '8'],
    ['changed', 'v', '1', '3'],
  ]);
  const screen = compareObservations(terminalFormat as DomainFormat, {
    expected: '$ ls\na  b\n$',
    predicted: '$ ls\na  c\n$',
  });
  expect(screen.parts).toEqual({ matched: 2, changed: 1, missing: 0, extra: 0 });
});

test('any two pages are compared: every value is counted once on each side', () => {
  fc.assert(
    fc.property(webSamples.observations, webSamples.observations, (a, b) => {
      const expected = webFormat.renderObservation(a);
      const predicted = webFormat.renderObservation(b);
      const same = compareObservations(web, { expected, predicted: expected });
      expect(same.parts).toMatchObject({ changed: 0, missing: 0, extra: 0 });
      const found = compareObservations(web, { expected, predicted });
      const back = compareObservations(web, { expected: predicted, predicted: expected });
      expect(found.parts.matched + found.parts.changed + found.parts.missing).toBe(same.parts.matched);
      expect(back.parts.missing).toBe(found.parts.extra);
    }),
    { numRuns: 50 },
  );
});

test('a long page is compared as a whole, and its differences are listed to a limit', () => {
  const page = (name: string): string =>
    Array.from({ length: 5_000 }, (_, i) => `[${i}] link '${name} ${i}'`).join('\n');
  const found = compareObservations(web, { expected: page('a'), predicted: page('b') }, { listed: 3 });
  expect(found.parts).toEqual({ matched: 0, changed: 5_000, missing: 0, extra: 0 });
  expect([found.differences.length, found.furtherDifferences]).toEqual([3, 4_997]);
});
