/**
 * Samples of the web domain for the suites that run over all domains.
 */
import fc from 'fast-check';
import type { JsonObject, ToolCall } from '../../core/index.js';
import type { DomainSamples } from '../domain-format.contract.js';
import type { PageLine, TreeItem, TreeNotation, WebAttribute, WebNode, WebPage } from './page.js';
import type { WebActionSpace } from './prompt.js';
import { webFormat } from './web-format.js';

const call = (name: string, args: fc.Arbitrary<JsonObject>): fc.Arbitrary<ToolCall> =>
  args.map((given) => ({ kind: 'tool-call' as const, name, arguments: given }));
const text = fc.string({ unit: 'binary', maxLength: 12 });
const number = fc.integer({ min: -2000, max: 2000 });
const single = fc.oneof(
  call('noop', fc.constantFrom<JsonObject>({}, { wait_ms: 300 })),
  call('click', fc.record({ bid: text, button: fc.constantFrom('left', 'right') })),
  call('click', fc.record({ bid: text, modifiers: fc.constantFrom(['Alt'], ['Shift', 'Meta']) })),
  call('fill', fc.record({ bid: text, value: text })),
  call('mouse_click', fc.record({ x: number, y: number })),
  call('scroll', fc.record({ delta_x: number, delta_y: number })),
  call('select_option', fc.record({ bid: text, options: fc.array(text, { maxLength: 3 }) })),
  call('goto', fc.record({ url: fc.webUrl() })),
  call('send_msg_to_user', fc.record({ text })),
);
const several = fc.array(single, { minLength: 2, maxLength: 3 }).map(
  (calls): ToolCall => ({
    kind: 'tool-call',
    name: 'actions',
    arguments: { calls: calls.map((one) => ({ name: one.name, arguments: one.arguments })) },
  }),
);

const word = fc.stringMatching(/^[A-Za-zÄ完🙂'" ]{0,8}[A-Za-z]$/u);
const role = fc.constantFrom('link', 'button', 'heading', 'textbox', 'listitem');
const field = fc.oneof(
  fc.record({ kind: fc.constant('url' as const), value: fc.webUrl() }),
  fc.record({ kind: fc.constant('title' as const), value: word }),
  fc.constant({ kind: 'focused' as const, value: 'a51' }),
  fc.constant({ kind: 'tabs' as const }),
  fc.record({
    kind: fc.constant('tab' as const),
    index: fc.nat({ max: 9 }),
    active: fc.boolean(),
    title: word,
    url: fc.option(fc.constant('http://localhost/a')),
  }),
  fc.constant({ kind: 'text' as const, text: '' }),
) as fc.Arbitrary<PageLine>;

/** A tree of a notation; every node has an attribute, so that the notation can be told. */
function treeOf(attribute: fc.Arbitrary<WebAttribute>, isAria: boolean): fc.Arbitrary<readonly TreeItem[]> {
  const node = (children: fc.Arbitrary<readonly TreeItem[]>): fc.Arbitrary<WebNode> =>
    fc.record({
      kind: fc.constant('node' as const),
      role,
      bid: fc.stringMatching(/^[a-z]?\d{1,3}$/),
      name: isAria ? fc.stringMatching(/^[A-Za-z:{'" ]{0,8}[A-Za-z]$/) : text,
      attributes: fc.uniqueArray(attribute, { minLength: 1, maxLength: 3, selector: (one) => one.name }),
      children,
    });
  const leaf = node(fc.constant([]));
  const inner = node(fc.array(node(fc.array(leaf, { maxLength: 2 })), { maxLength: 2 }));
  return fc.array(inner, { minLength: 1, maxLength: 3 });
}

const flag = fc.constantFrom<WebAttribute>({ name: 'clickable' }, { name: 'visible' }, { name: 'focused' });
const valued = fc.record({
  name: fc.constantFrom('value', 'hasPopup', 'expanded', 'valuemax'),
  value: fc.oneof(text, fc.boolean(), fc.integer()),
});
const trees: readonly (readonly [TreeNotation, string, fc.Arbitrary<readonly TreeItem[]>])[] = [
  ['browsergym', '\t', treeOf(fc.oneof(flag, valued), false)],
  [
    'webarena',
    '\t',
    treeOf(
      fc.record({
        name: fc.constantFrom('focused', 'hasPopup'),
        value: fc.oneof(fc.boolean(), fc.constantFrom('menu', 'a b')),
      }),
      false,
    ),
  ],
  [
    'aria',
    '  ',
    treeOf(
      fc.constantFrom<WebAttribute>(
        { name: 'checked' },
        { name: 'level', value: '2' },
        { name: 'cursor', value: 'pointer' },
      ),
      true,
    ),
  ],
  [
    'devtools',
    '  ',
    treeOf(fc.oneof(flag, fc.record({ name: fc.constant('url'), value: fc.webUrl() })), true),
  ],
];
const pages = fc.oneof(
  ...trees.map(([notation, indent, tree]) =>
    fc.record({
      notation: fc.constant(notation),
      indent: fc.constant(indent),
      before: fc.array(field, { minLength: 1, maxLength: 5 }),
      tree,
      after: fc.constant([]),
    }),
  ),
) as fc.Arbitrary<WebPage>;

/** What the suites need to know about the web domain. */
export const webSamples: DomainSamples<WebPage, WebActionSpace> = {
  format: webFormat,
  actions: fc.oneof(single, several),
  observations: pages,
  actionTexts: [
    `fill('b12', "it's \\"fine\\"\\n\\u00e9")`,
    '### Turn 3\n**Action:**\n```json\n{"name":"click","arguments":{"bid":"a51","button":"left"}}\n```\n',
    "<think>click('a1') first?</think>\n<action>\nclick('a51')\nkeyboard_press('Enter')\n</action>",
    "Let's think step-by-step. In summary, the next action I will perform is ```type [164] [it's [x]] [1]```",
    'Thought: the field.\nAction: Type [5]; [a b]',
    'I will open it. {"type":"function","id":"c1","function":{"name":"goto","arguments":"{\\"url\\":\\"http://a.test/\\"}"}}',
  ],
  observationTexts: [
    "URL: http://127.0.0.1/p?a=1\nTitle: It's | Shop\nOpen tabs:\n  Tab 0: Start | http://127.0.0.1/\n  Tab 1 (active): It's | Shop | http://127.0.0.1/p?a=1\nFocused bid: a51\nLast action error: Timeout 800ms exceeded\n\nAccessibility tree:\nRootWebArea \"It's | Shop\", focused\n\t[a51] textbox 'Name' value='Ada', clickable, visible, focused, hasPopup='menu', valuemax=20\n\t\tStaticText 'at 12:30:45'\n\t[12] generic, box=\"(1,2,3,4)\"",
    "Tab 0 (current): Map | Tab 1: Blog\n\n[1] RootWebArea 'Map' focused: True\n\t[164] textbox 'Search' focused: True required: False controls: a b\n\t[171] button 'Go'",
    '- banner [ref=e2]:\n  - link "Home" [ref=e4] [cursor=pointer]:\n    - /url: "#home"\n  - \'link "Rake \\"Pro\\": steel" [ref=e5]\'\n  - text: 3 items\n  - /url: "http://a.test/?q=%E4\\\n      %BB"\n  - paragraph: >-\n      one\n      two',
    'URL: http://a.test/\n<html> <div bid="a1"> <button id=0 open. toggle> Book &amp; go </button>\n<select id=1 type> <option a> One </option></select></div></html>\n\nFocused bid: a1',
    "[] [StaticText] [What do you want?]\n[1] [A] [Home]\n[2] [IMG] [a red bicycle, description: it's new [sic], url: http://a.test/1.png]\n[3] [INPUT] []\nURL: http://a.test/",
    '[0]: <input> "q";\n[1]: "Home";\n[2]: <button> "Search";',
    'uid=1_0 RootWebArea "Docs" url="http://a.test/"\n  uid=1_1 heading "Docs" level="1"\n  uid=1_2 textbox "Find" focusable focused value="x"',
  ],
  actionSpace: null,
};
