/**
 * Result lists, pages and answers of the memory, in the spellings in which search tools write them.
 */
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { normaliseSearchObservation, plainAddress, plainDate } from './normalise.js';
import { parseSearchObservation, renderSearchObservation, type SearchObservation } from './observation.js';
import { outlineSearchObservation } from './outline.js';
import type { SearchActionSpace } from './prompt.js';
import { type ResultList, searchBatches } from './result-list.js';
import { searchFormat } from './search-format.js';

const LIST =
  '[1] https://en.example.org/wiki/Tide_mill\nTitle: Tide mill\nSnippet: Driven by the tide ...\nDate: N/A\n\n[2] https://coast.example/news\nTitle: Mill reopened: a report\nSnippet: See [3] there.\nDate: Jun 18, 2024';

const first = (text: string): unknown => {
  const read = parseSearchObservation(text);
  return read.kind === 'results' ? read.results[0] : read.kind;
};

test('a result list is read, and written as it was', () => {
  expect(parseSearchObservation(LIST)).toEqual({
    kind: 'results',
    results: [
      {
        number: 1,
        url: 'https://en.example.org/wiki/Tide_mill',
        title: 'Tide mill',
        snippet: 'Driven by the tide ...',
        date: 'N/A',
        more: [],
      },
      {
        number: 2,
        url: 'https://coast.example/news',
        title: 'Mill reopened: a report',
        snippet: 'See [3] there.',
        date: 'Jun 18, 2024',
        more: [],
      },
    ],
  });
  expect(renderSearchObservation(parseSearchObservation(LIST))).toBe(LIST);
  expect(outlineSearchObservation(LIST).problems).toEqual([]);
});

test.each([
  [
    '[1] Tide mill\nURL: https://a.example/\nContent: Long\ntext\n',
    { title: 'Tide mill', url: 'https://a.example/', more: [['Content', 'Long\ntext']] },
  ],
  [
    '[1] a.example/x\r\nTitle: T\r\nSnippet: S\r\nDate: N/A\r\n',
    { title: 'T', url: 'a.example/x', snippet: 'S', date: 'N/A' },
  ],
  ['[1] https://a.example/\n**Title:** T\n**Snippet:** S', { title: 'T', snippet: 'S' }],
  [
    '[1] https://a.example/\nTitle: T\nSource: Gazette\nSnippet: S\nand on\nDate: 2 days ago',
    { snippet: 'S\nand on', date: '2 days ago', more: [['Source', 'Gazette']] },
  ],
  [
    "A search for 'x' found 2 results:\n\n## Web Results\n1. [A [b] c](https://a.example/)\nDate published: 2020-01-02\nText of it\n\n2. [B](https://b.example/)\nMore",
    { title: 'A [b] c', url: 'https://a.example/', more: [['Date published', '2020-01-02\nText of it']] },
  ],
])('the list %j is read, and written as it was', (text, result) => {
  expect(first(text)).toMatchObject({ number: 1, ...result });
  expect(renderSearchObservation(parseSearchObservation(text))).toBe(text);
});

test('results of several queries are told apart by their numbers and by words between them', () => {
  const read = (text: string): unknown =>
    searchBatches(parseSearchObservation(text) as ResultList).map(({ heading, results }) => [
      heading,
      results.map((one) => one.number),
    ]);
  const one = (n: number): string => `[${n}] https://a.example/${n}\nTitle: T\nSnippet: S\nDate: N/A`;
  expect(read([one(1), one(2), one(1), one(2)].join('\n\n'))).toEqual([
    [null, [1, 2]],
    [null, [1, 2]],
  ]);
  expect(read(`Query: "x"\n${one(1)}\n\n## Results for y\n\n${one(2)}`)).toEqual([
    ['Query: "x"', [1]],
    ['Results for y', [2]],
  ]);
  expect(
    outlineSearchObservation([one(1), one(1), one(2)].join('\n\n')).parts.map((part) => [
      part.kind,
      part.parts.length,
    ]),
  ).toEqual([
    ['batch', 1],
    ['batch', 2],
  ]);
});

test('a result without address or title, and numbers that skip, are problems with their place', () => {
  const text = '[1] Tide mill\nSnippet: a\n\n[3] https://a.example/\nSnippet: b';
  expect(outlineSearchObservation(text).problems).toEqual([
    {
      start: 0,
      end: 24,
      message: 'result [1] has no address behind its number; wanted: an address behind its number',
    },
    { start: 26, end: 59, message: 'result [3] follows [1]; wanted: [2], or [1] for the next query' },
    { start: 26, end: 59, message: 'result [3] has no "Title:" line; wanted: a "Title:" line' },
  ]);
});

test.each([
  '{"role":"user","content":"{\\"name\\":\\"web_search\\",\\"arguments\\":{\\"query\\":\\"a [INST] b\\"}}"}',
  '<|im_start|>user\n{"name":"web_search","arguments":{"query":"a [INST] b"}}<|im_end|>',
  '### Turn 2\n**Action:**\n```json\n{"name":"web_search","arguments":{"query":"a [INST] b"}}\n```',
  '<tool_call>{"name":"web_search","arguments":{"query":"a [INST] b"}}</tool_call>',
])('the call is found in %j', (text) => {
  expect(searchFormat.parseAction(text)).toEqual({
    kind: 'tool-call',
    name: 'web_search',
    arguments: { query: 'a [INST] b' },
  });
});

test("a prompt lists the world's tools, and the usual three where it names none", () => {
  const tools = [{ name: 'look', inputSchema: { type: 'object' } }];
  const named = (space: SearchActionSpace): unknown =>
    searchFormat
      .promptFacts({ actionSpace: space })
      .actionSpace.entries.map((entry) => JSON.parse(entry).name);
  expect([named({ tools }), named(tools)]).toEqual([['look'], ['look']]);
  expect([named({}), named([]), named(null)].map(String)).toEqual(
    Array(3).fill('web_search,web_extractor,dict_memory'),
  );
});

test('a page with a list of references is a page', () => {
  expect(
    parseSearchObservation('# A\n\n[1] https://a.example/ seen 2020\n\nSee [2] and Title: none').kind,
  ).toBe('page');
});

test('a page is read block by block, and written as it was', () => {
  const text =
    'Jump to content\n\n# Mill\nbuilt 1874\n\n* one\n  + inner\n\n  more\n* two\n\n| a | b |\n|---|:-:|\n| 1 \\| 2 |  |\n\n> said\n> so\n\n~~~py\nx = 1\n\n# no heading\n~~~\n***\n[edit]';
  const read = parseSearchObservation(text);
  expect(
    read.kind === 'page' && read.blocks.map(({ gap: _gap, written: _written, ...block }) => block),
  ).toEqual([
    { kind: 'paragraph', text: 'Jump to content' },
    { kind: 'heading', level: 1, text: 'Mill' },
    { kind: 'paragraph', text: 'built 1874' },
    {
      kind: 'list',
      items: [
        { depth: 0, number: null, text: 'one' },
        { depth: 1, number: null, text: 'inner' },
      ],
    },
    { kind: 'paragraph', text: 'more' },
    { kind: 'list', items: [{ depth: 0, number: null, text: 'two' }] },
    { kind: 'table', header: ['a', 'b'], rows: [['1 \\| 2', '']] },
    { kind: 'quote', text: 'said\nso' },
    { kind: 'code', language: 'py', text: 'x = 1\n\n# no heading' },
    { kind: 'rule' },
    { kind: 'paragraph', text: '[edit]' },
  ]);
  expect(renderSearchObservation(read)).toBe(text);
});

test("a page's outline puts blocks under their headings", () => {
  const outline = outlineSearchObservation('top\n\n# A\nx\n\n## B\ny\n\n# C\n| a |\n| --- |\n| b |');
  const shape = (parts: typeof outline.parts): unknown =>
    parts.map((part) => [
      part.kind,
      part.values.at(-1)?.value,
      ...(part.parts.length > 0 ? [shape(part.parts)] : []),
    ]);
  expect(shape(outline.parts)).toEqual([
    ['paragraph', 'top'],
    [
      'section',
      'A',
      [
        ['paragraph', 'x'],
        ['section', 'B', [['paragraph', 'y']]],
      ],
    ],
    [
      'section',
      'C',
      [
        [
          'table',
          undefined,
          [
            ['header', 'a'],
            ['row', 'b'],
          ],
        ],
      ],
    ],
  ]);
});

test.each<[string, SearchObservation]>([
  [
    "Successfully added items of ['a', \"it's\"] to memory.",
    { kind: 'memory', done: 'added', keys: ['a', "it's"] },
  ],
  [
    'Successfully updated items of [a, b] in memory.',
    {
      kind: 'memory',
      done: 'updated',
      keys: ['a', 'b'],
      written: 'Successfully updated items of [a, b] in memory.',
    },
  ],
  ['Successfully cleared all memory.', { kind: 'memory', done: 'cleared', keys: [] }],
  ['{"a":"1"}', { kind: 'pairs', pairs: { a: '1' } }],
  [
    "{'a': 'it', 'b': [1, None]}",
    { kind: 'pairs', pairs: { a: 'it', b: [1, null] }, written: "{'a': 'it', 'b': [1, None]}" },
  ],
])('the memory answer %j is read, and written as it was', (text, memory) => {
  expect(parseSearchObservation(text)).toEqual(memory);
  expect(renderSearchObservation(memory)).toBe(text);
});

test('the same answer in two spellings has one form for comparing, and another answer another', () => {
  const forms = [
    LIST,
    `**Environment Observation:**\n${LIST.replace('Date: Jun 18, 2024', 'Date: 2024-06-18').replace('en.example.org', 'EN.example.org:443').replaceAll('\n', '\r\n')}\n`,
    LIST.replace('Snippet: Driven by the tide ...\nDate: N/A', 'Date:\nSnippet: Driven by  the\ntide ...'),
  ].map(normaliseSearchObservation);
  expect(new Set(forms).size).toBe(1);
  const others = [
    LIST.replace('Jun 18', 'Jun 19'),
    LIST.replace('/news', '/news/'),
    LIST.replace('[2]', '[3]'),
    LIST.replace('Driven', 'driven'),
  ].map(normaliseSearchObservation);
  expect(new Set([...forms, ...others]).size).toBe(5);
  expect(normaliseSearchObservation("{'b': 1, 'a': 2}")).toBe(normaliseSearchObservation('{"a": 2, "b": 1}'));
  expect(normaliseSearchObservation('# A\nx\ny\n\n+ one\n+ two')).toBe(
    normaliseSearchObservation('#  A \n\nx y\n\n* one\n* two\n'),
  );
});

test('dates and addresses have a plain form', () => {
  expect(
    [
      'Jan 1, 2024',
      'January 1, 2024',
      '1 Jan 2024',
      '2024-1-1T10:00Z',
      'N/A',
      '',
      '2 days ago',
      'Foo 3, 2024',
    ].map(plainDate),
  ).toEqual([
    '2024-01-01',
    '2024-01-01',
    '2024-01-01',
    '2024-01-01',
    'N/A',
    'N/A',
    '2 days ago',
    'Foo 3, 2024',
  ]);
  expect(
    ['HTTP://A.example:80/', 'https://a.example', 'https://a.example/B/', 'a.example/x'].map(plainAddress),
  ).toEqual(['http://a.example', 'https://a.example', 'https://a.example/B/', 'a.example/x']);
});

const prompt = fileURLToPath(
  new URL('../../../../shared/samples/agentworldbench/search.system_prompt.txt', import.meta.url),
);
describe.skipIf(!existsSync(prompt))(
  'examples of a published prompt (skipped where the samples are not beside the checkout)',
  () => {
    test('are read whole and written as they were', () => {
      const parts = readFileSync(prompt, 'utf8').split('**Environment Observation:**\n').slice(1);
      const list = (parts[0] ?? '').split('```')[1]?.trim() ?? '';
      const page = (parts[1] ?? '').split('### Turn')[0] ?? '';
      expect(outlineSearchObservation(list).parts.map((part) => part.kind)).toEqual(
        Array.from({ length: 9 }, () => 'result'),
      );
      expect(outlineSearchObservation(list).problems).toEqual([]);
      expect(parseSearchObservation(list)).not.toMatchObject({ results: [{ written: expect.anything() }] });
      for (const text of [list, page])
        expect(renderSearchObservation(parseSearchObservation(text))).toBe(text);
      const sections = outlineSearchObservation(page).parts.filter((part) => part.kind === 'section');
      expect(sections.map((part) => part.values[1]?.value)).toContain('Characteristics');
    });
  },
);
