/**
 * Pages in the notations in which browsers' tools and benchmarks write them.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { normaliseWebPage } from './normalise.js';
import { parseWebPage, renderWebPage } from './observation.js';
import { outlineWebPage } from './outline.js';
import { pageState, type WebNode, webNodes } from './page.js';

const nodesOf = (text: string): WebNode[] => [...webNodes(parseWebPage(text).tree)];
const first = (text: string): unknown => {
  const [node] = nodesOf(text);
  if (node === undefined) return null;
  const { kind: _, children: __, written: ___, ...said } = node;
  return said;
};

test.each([
  [
    "[a51] link 'Home', clickable, visible",
    { role: 'link', bid: 'a51', name: 'Home', attributes: [{ name: 'clickable' }, { name: 'visible' }] },
  ],
  [`StaticText "it's"`, { role: 'StaticText', name: "it's", attributes: [] }],
  [`[12] button 'say "it\\'s"'`, { role: 'button', bid: '12', name: `say "it's"`, attributes: [] }],
  [
    "[12] button 'It's here', disabled=True",
    { role: 'button', bid: '12', name: "It's here", attributes: [{ name: 'disabled', value: true }] },
  ],
  [
    "[1588] spinbutton 'Qty' value=1, valuemin=0, valuetext=''",
    {
      role: 'spinbutton',
      bid: '1588',
      name: 'Qty',
      attributes: [
        { name: 'value', value: 1 },
        { name: 'valuemin', value: 0 },
        { name: 'valuetext', value: '' },
      ],
    },
  ],
  [
    `[5] image '\\ue611', center="(120,40)", box="(1,2,3,4)", som`,
    {
      role: 'image',
      bid: '5',
      name: '\ue611',
      attributes: [
        { name: 'center', value: '(120,40)' },
        { name: 'box', value: '(1,2,3,4)' },
        { name: 'som' },
      ],
    },
  ],
  [
    "[7] generic, live='polite', relevant='additions text'",
    {
      role: 'generic',
      bid: '7',
      attributes: [
        { name: 'live', value: 'polite' },
        { name: 'relevant', value: 'additions text' },
      ],
    },
  ],
  ['[7] generic', { role: 'generic', bid: '7', attributes: [] }],
  [
    "[164] textbox 'Search' focused: True required: False",
    {
      role: 'textbox',
      bid: '164',
      name: 'Search',
      attributes: [
        { name: 'focused', value: true },
        { name: 'required', value: false },
      ],
    },
  ],
  [
    "[9] combobox 'Sort' autocomplete: both hasPopup: listbox expanded: False controls: a b",
    {
      role: 'combobox',
      bid: '9',
      name: 'Sort',
      attributes: [
        { name: 'autocomplete', value: 'both' },
        { name: 'hasPopup', value: 'listbox' },
        { name: 'expanded', value: false },
        { name: 'controls', value: 'a b' },
      ],
    },
  ],
  [
    '- button "Add \\"it\\"" [disabled] [ref=e48] [cursor=pointer]',
    {
      role: 'button',
      bid: 'e48',
      name: 'Add "it"',
      attributes: [{ name: 'disabled' }, { name: 'cursor', value: 'pointer' }],
    },
  ],
  [
    `- 'cell "Rake \\"Pro\\": it''s" [ref=e3]': x`,
    { role: 'cell', bid: 'e3', name: `Rake "Pro": it's`, attributes: [], text: 'x' },
  ],
  [
    '- checkbox "a" [checked=mixed]',
    { role: 'checkbox', name: 'a', attributes: [{ name: 'checked', value: 'mixed' }] },
  ],
  ['- generic [ref=f1e28]: "-"', { role: 'generic', bid: 'f1e28', attributes: [], text: '-' }],
  [
    '- heading /item \\d+/ [level=2]',
    { role: 'heading', name: '/item \\d+/', attributes: [{ name: 'level', value: '2' }] },
  ],
  [
    'uid=1_3 textbox "Find" focusable focused value="a b"',
    {
      role: 'textbox',
      bid: '1_3',
      name: 'Find',
      attributes: [{ name: 'focusable' }, { name: 'focused' }, { name: 'value', value: 'a b' }],
    },
  ],
])('the node %j is read, and written as it was', (line, node) => {
  expect(first(line)).toEqual(node);
  expect(renderWebPage(parseWebPage(line))).toBe(line);
  expect(outlineWebPage(line).problems).toEqual([]);
});

test('a name over several lines is one node', () => {
  const text = "RootWebArea 'A', focused\n\tStaticText 'one\ntwo, three\n\nfour'\n\t[5] link 'x'";
  expect(nodesOf(text).map((node) => node.name)).toEqual(['A', 'one\ntwo, three\n\nfour', 'x']);
  expect(renderWebPage(parseWebPage(text))).toBe(text);
});

test('folded and block scalars of a snapshot are one node each', () => {
  const text =
    '- banner [ref=s1e3]:\n    - link "a" [ref=s1e6]:\n        - /url: "https://a.test/?q=%E4\\\n          %BB&x=1"\n    - text: one\n      two\n    - \'button "Save\n      it: now" [ref=s1e7]\'\n    - paragraph: >-\n        three\n        four\n    - text: |-\n        five\n        six\n    - button "b" [ref=s1e9]';
  expect(nodesOf(text).map((node) => node.text ?? node.name ?? node.bid)).toEqual([
    's1e3',
    'a',
    'https://a.test/?q=%E4%BB&x=1',
    'one two',
    'Save it: now',
    'three four',
    'five\nsix',
    'b',
  ]);
  expect(outlineWebPage(text).problems).toEqual([]);
  expect(renderWebPage(parseWebPage(text))).toBe(text);
});

test('a broken line stays as text, is a problem with its place, and takes nothing with it', () => {
  const text = "RootWebArea 'A'\n\t[5] list ''\n\t\t{injection}\n\t\t[6] link 'Home', clickable\n\t[7] butt";
  expect(nodesOf(text).map((node) => node.bid)).toEqual([undefined, '5', '6', '7']);
  expect(renderWebPage(parseWebPage(text))).toBe(text);
  expect(outlineWebPage(`${text}\n\t[8] link 'Ho`).problems).toEqual([
    {
      start: 31,
      end: 42,
      message: `"{injection}" is no node of the tree around it; wanted: [bid] role 'name', attributes`,
    },
    {
      start: 83,
      end: 95,
      message: `"[8] link 'Ho" is no node of the tree around it; wanted: [bid] role 'name', attributes`,
    },
  ]);
});

test('an id that is there twice, and a text without any page in it, are problems', () => {
  expect(outlineWebPage("[5] link 'a'\n[5] link 'b'").problems.map((one) => one.message)).toEqual([
    'the id "5" is on an earlier node of the tree too',
  ]);
  expect(outlineWebPage('The click worked well.').problems.map((one) => one.message)).toEqual([
    "there is no line of a page and no tree; wanted: [bid] role 'name', attributes",
  ]);
});

const state = { url: 'http://a.test/x', title: 'X', focused: 'a5' };
test.each([
  [
    'as recorded',
    "URL: http://a.test/x\nTitle: X\nOpen tabs:\n  Tab 0: S | http://a.test/\n  Tab 1 (active): X | http://a.test/x\nFocused bid: a5\nLast action error: Timeout\nCall log:\n  waiting\n\nAccessibility tree:\n[a5] link 'x'",
  ],
  [
    'of AgentLab',
    "## Currently open tabs:\nTab 0:\n    Title: S\n    URL: http://a.test/\nTab 1 (active tab):\n    Title: X\n    URL: http://a.test/x\n\n## AXTree:\nNote: [bid] is the id\n[a5] link 'x'\n\n## Focused element:\nbid='a5'\n\n## Last action error: Timeout\nCall log:\n  waiting",
  ],
  [
    'of OpenHands',
    "[Current URL: http://a.test/x]\n[Focused element bid: a5]\n\nTitle: X\nTab 0: S | http://a.test/\nTab 1 (active): X | http://a.test/x\n================ BEGIN error message ===============\nTimeout\nCall log:\n  waiting\n================ END error message ===============\nAccessibility tree of the COMPLETE webpage:\n[a5] link 'x'",
  ],
])('what stands around the tree is read %s', (_, text) => {
  expect(pageState(parseWebPage(text))).toEqual({
    ...state,
    tabs: [
      { index: 0, active: false, title: 'S', url: 'http://a.test/' },
      { index: 1, active: true, title: 'X', url: 'http://a.test/x' },
    ],
    error: 'Timeout\nCall log:\n  waiting',
  });
  expect(renderWebPage(parseWebPage(text))).toBe(text);
});

test("WebArena's tabs on one line, and Playwright's page state, are read", () => {
  expect(
    pageState(
      parseWebPage(
        "Tab 0: Map | Tab 1 (current): Blog | One\n\n[1] RootWebArea 'Blog' focused: True\nURL: http://b.test/",
      ),
    ),
  ).toMatchObject({
    url: 'http://b.test/',
    title: 'Blog | One',
    tabs: [
      { title: 'Map', active: false },
      { title: 'Blog | One', active: true },
    ],
  });
  const page = parseWebPage(
    '### Page state\n- Page URL: http://c.test/\n- Page Title: C\n- Page Snapshot:\n```yaml\n- main [ref=e1]:\n  - text: hi\n```\n',
  );
  expect(pageState(page)).toMatchObject({ url: 'http://c.test/', title: 'C' });
  expect([...webNodes(page.tree)].map((node) => node.role)).toEqual(['main', 'text']);
});

test('the same page in four notations has the same form for comparing', () => {
  const forms = [
    "RootWebArea ''\n\t[1] main ''\n\t\t[2] link 'Home', clickable, focused\n\t\t\tStaticText 'Home'\n\t\t[3] checkbox 'On', checked='true'\n\t\tStaticText 'a  b'",
    "RootWebArea '' focused: False\n  [1] main ''\n    [2] link 'Home' clickable: True focused: True\n    [3] checkbox 'On' checked: true required: False\n    StaticText 'a b'",
    "RootWebArea '', disabled=False\n        [1] main ''\n                [2] link 'Home', focused, clickable=True\n                generic\n                        [3] checkbox 'On', checked=True\n                        StaticText 'a b'",
  ].map(normaliseWebPage);
  expect(new Set(forms).size).toBe(1);
  expect(forms[0]).toBe(
    "RootWebArea ''\n\t[1] main ''\n\t\t[2] link 'Home', clickable='true', focused='true'\n\t\t[3] checkbox 'On', checked='true'\n\t\tStaticText 'a b'",
  );
  expect(
    normaliseWebPage(
      '- main [ref=1]:\n  - link "Home" [active] [ref=2] [cursor=pointer]:\n    - /url: /a\n  - checkbox "On" [checked] [ref=3]\n  - text: a b',
    ),
  ).toBe(
    "[1] main ''\n\t[2] link 'Home', clickable='true', focused='true', url='/a'\n\t[3] checkbox 'On', checked='true'\n\tStaticText 'a b'",
  );
});

test('a page in HTML is read with the ids of its elements, and written as it was', () => {
  const text =
    "'''\n<html> <div> <button id=0 book a table> <span> Book &amp; go </span> </button> <a bid=\"a7\" href=\"/x\">X</a> </div> </html>\n'''\n\nFocused bid: a7";
  expect(nodesOf(text).map((node) => [node.role, node.bid, node.name])).toEqual([
    ['html', undefined, undefined],
    ['div', undefined, undefined],
    ['button', '0', undefined],
    ['span', undefined, undefined],
    ['StaticText', undefined, 'Book & go'],
    ['a', 'a7', undefined],
    ['StaticText', undefined, 'X'],
  ]);
  expect(pageState(parseWebPage(text)).focused).toBe('a7');
  expect(renderWebPage(parseWebPage(text))).toBe(text);
  const { source: _source, ...made } = parseWebPage(text);
  expect(nodesOf(renderWebPage(made))).toEqual(nodesOf(text));
  expect(outlineWebPage(text).problems).toEqual([]);
});

test('a broken line under a property keeps its place among the parts', () => {
  const outline = outlineWebPage(
    '- list:\n  - link "a":\n    - /url: /a\n{broken}\n    - text: b\n  - link "c"',
  );
  const starts = outline.parts
    .flatMap((part) => part.parts.flatMap((one) => [one, ...one.parts]))
    .map((part) => part.start);
  expect(starts).toEqual([...starts].sort((a, b) => a - b));
  expect(outline.problems).toHaveLength(1);
});

test('the marker of a benchmark row is no part of a page', () => {
  const page = "URL: http://a.test/\n[1] main ''";
  const marked = `**Environment Observation:**\n${page}`;
  expect(outlineWebPage(marked).parts.map((part) => part.kind)).toEqual(['url', 'main']);
  expect(normaliseWebPage(marked)).toBe(normaliseWebPage(page));
});

test('a difference is never folded away', () => {
  const page =
    "URL: http://a.test/\n[1] main ''\n\t[2] textbox 'Name' value='Ada', required\n\tStaticText 'Hi'";
  const others = [
    page.replace('Ada', 'ada'),
    page.replace(', required', ''),
    page.replace('Hi', 'Ho'),
    page.replace('[2]', '[3]'),
    page.replace('\t[2]', '[2]'),
    `${page}\nDone!`,
  ];
  expect(new Set([page, ...others].map(normaliseWebPage)).size).toBe(7);
});

const shared = fileURLToPath(new URL('../../../../shared/samples/', import.meta.url));
describe.skipIf(!existsSync(shared))(
  'recorded pages (skipped where the samples are not beside the checkout)',
  () => {
    test('of a real browser are read whole: every line, every place, and written as they were', () => {
      const files = readdirSync(`${shared}web`).filter((name) => name.endsWith('.jsonl'));
      const pages = files.flatMap((name) => {
        const { system, turns } = JSON.parse(readFileSync(`${shared}web/${name}`, 'utf8').trim()) as {
          system: { initialState: string };
          turns: readonly { observation: string }[];
        };
        return [system.initialState, ...turns.map((turn) => turn.observation)];
      });
      expect(pages.length).toBeGreaterThan(90);
      for (const page of pages) {
        expect(renderWebPage(parseWebPage(page))).toBe(page);
        expect(outlineWebPage(page).problems).toEqual([]);
        expect(nodesOf(page).filter((node) => node.written !== undefined)).toEqual([]);
      }
    });

    test('of aria snapshots are read whole', () => {
      for (const name of readdirSync(`${shared}aria-snapshot`).filter((one) => one.endsWith('.yml'))) {
        const page = readFileSync(`${shared}aria-snapshot/${name}`, 'utf8');
        expect(renderWebPage(parseWebPage(page))).toBe(page);
        expect(outlineWebPage(page).problems).toEqual([]);
        expect(nodesOf(page).filter((node) => node.written !== undefined)).toEqual([]);
        expect(nodesOf(page)).toHaveLength(page.trimEnd().split('\n').length);
      }
    });
  },
);

test('a list of marks is read, with what has a number and what has none', () => {
  const text = '[] [StaticText] [3 left]\n[1] [A] [Home]\n[2] [INPUT] []\n[x7] [IMG] [a [b], url: u]';
  const page = parseWebPage(text);
  expect(page.notation).toBe('marks');
  expect([...webNodes(page.tree)].map(({ role, bid, name, written }) => [role, bid, name, written])).toEqual([
    ['StaticText', undefined, '3 left', undefined],
    ['A', '1', 'Home', undefined],
    ['INPUT', '2', '', undefined],
    ['IMG', 'x7', 'a [b], url: u', undefined],
  ]);
  expect(renderWebPage(page)).toBe(text);
});

test('a list of marks in angle brackets is read and kept as it was written', () => {
  const text = 'Some words first.\n[0]: <input> "q";\n[1]: "Home";\n[2]: <button> "";\n';
  const page = parseWebPage(text);
  expect([...webNodes(page.tree)].map(({ role, bid, name }) => [role, bid, name])).toEqual([
    ['input', '0', 'q'],
    ['link', '1', 'Home'],
    ['button', '2', ''],
  ]);
  expect(renderWebPage(page)).toBe(text);
});
