/**
 * Samples of the search domain for the suites that run over all domains.
 */
import fc from 'fast-check';
import type { JsonObject } from '../../core/index.js';
import type { DomainSamples } from '../domain-format.contract.js';
import type { SearchObservation } from './observation.js';
import type { SearchActionSpace } from './prompt.js';
import { searchFormat } from './search-format.js';

const word = fc.stringMatching(/^[A-Za-zÄ完🙂'"]([A-Za-zÄ完🙂'", ]{0,12}[A-Za-z])?$/u);
const result = fc.record({
  number: fc.nat({ max: 50 }),
  url: fc.webUrl(),
  title: fc.option(word),
  snippet: fc.option(fc.array(word, { minLength: 1, maxLength: 3 }).map((lines) => lines.join('\n'))),
  date: fc.constantFrom('N/A', 'Jun 18, 2024'),
  more: fc.constantFrom<readonly (readonly [string, string])[]>([], [['Source', 'a paper']]),
});
const results = fc.record({
  kind: fc.constant('results' as const),
  results: fc.array(result, { minLength: 1, maxLength: 4 }),
});
const cells = fc.array(word, { minLength: 2, maxLength: 2 });
const block = fc.oneof(
  fc.record({ kind: fc.constant('heading' as const), level: fc.integer({ min: 1, max: 6 }), text: word }),
  fc.record({
    kind: fc.constant('paragraph' as const),
    text: fc.array(word, { minLength: 1, maxLength: 2 }).map((lines) => lines.join('\n')),
  }),
  fc.record({
    kind: fc.constant('list' as const),
    items: fc.array(
      fc.record({ depth: fc.constant(0), number: fc.option(fc.nat({ max: 99 })), text: word }),
      { minLength: 1, maxLength: 3 },
    ),
  }),
  fc.record({
    kind: fc.constant('table' as const),
    header: fc.option(cells),
    rows: fc.array(cells, { minLength: 1, maxLength: 2 }),
  }),
  fc.record({ kind: fc.constant('quote' as const), text: word }),
  fc.record({
    kind: fc.constant('code' as const),
    language: fc.constantFrom('', 'js'),
    text: fc.constantFrom('', 'a\n\n  b', '# c'),
  }),
  fc.constant({ kind: 'rule' as const }),
);
const page = fc.record({
  kind: fc.constant('page' as const),
  blocks: fc.array(block, { minLength: 1, maxLength: 5 }),
});
const done = fc.record({
  kind: fc.constant('memory' as const),
  done: fc.constantFrom('added' as const, 'updated' as const, 'removed' as const),
  keys: fc.array(fc.string({ unit: 'binary', maxLength: 8 }), { maxLength: 3 }),
});
const pairs = fc.record({
  kind: fc.constant('pairs' as const),
  pairs: fc
    .dictionary(fc.string({ maxLength: 6 }), fc.string({ maxLength: 6 }))
    .map((held) => ({ ...held }) as JsonObject),
});

/** What the suites need to know about the search domain. */
export const searchSamples: DomainSamples<SearchObservation, SearchActionSpace> = {
  format: searchFormat,
  actions: fc.oneof(
    fc.record({
      kind: fc.constant('tool-call' as const),
      name: fc.constantFrom('web_search', 'web_extractor', 'dict_memory'),
      arguments: fc.record({ queries: fc.array(fc.string(), { maxLength: 3 }) }),
    }),
    fc.record({ kind: fc.constant('finish' as const), answer: fc.option(fc.string()) }),
  ),
  observations: fc.oneof(results, page, done, pairs) as fc.Arbitrary<SearchObservation>,
  actionTexts: [
    '### Turn 1\n**Action:**\n```json\n{\n  "name": "web_search",\n  "arguments": {"queries": ["tide mills", "\\"Larkmoor\\" history"]}\n}\n```\n',
    '{"name":"dict_memory","arguments":{"operation":"add","dict":{"mill":"1874?"}}}',
    '<tool_call>{"name":"web_extractor","arguments":{"url":"https://en.example.org/wiki/Tide_mill"}}</tool_call>',
  ],
  observationTexts: [
    '[1] https://en.example.org/wiki/Tide_mill\nTitle: Tide mill - Encyclopedia\nSnippet: A tide mill is driven by\nthe rise of the tide ...\nDate: N/A\n\n[2] https://coast.example/news/2024\nTitle: News: mill [3] reopened\nSnippet: It reopened at 10:30:00 on Monday.\nDate: Jun 18, 2024\n\n[1] https://b.example/\nTitle: Second query\nSnippet: x\nDate: 2 days ago',
    'From the encyclopedia\n\n# Tide mill\n\n[edit]\n\n* one\n  + inner\n* two\n\n1. **^** "A note"\n\n| a | b |\n| --- | --- |\n| 1 \\| 2 | 3 |\n\n> quoted\n> on\n\n```js\nif (a) {\n\n}\n```\n---\nRetrieved from x',
    "Successfully added items of ['mill', \"it's\"] to memory.",
    '{"mill":"1874?","__proto__":{"a":1}}',
    "Key not found: 'mill'",
  ],
  actionSpace: {},
};
