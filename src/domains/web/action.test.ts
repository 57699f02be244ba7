/**
 * Browser actions in every form in which agents and benchmark rows write them.
 */
import { expect, test } from 'vitest';
import type { JsonObject, ParsedAction } from '../../core/index.js';
import { parseWebAction, renderWebAction, webEnding } from './action.js';
import { WEB_ACTIONS, webSignatures } from './action-table.js';

const call = (name: string, args: JsonObject): ParsedAction => ({ kind: 'tool-call', name, arguments: args });
const calls = (...list: readonly (readonly [string, JsonObject])[]): ParsedAction =>
  call('actions', { calls: list.map(([name, args]) => ({ name, arguments: args })) });
const click = call('click', { bid: 'a51' });

test.each([
  ['{"name":"click","arguments":{"bid":"a51"}}', click],
  ["click('a51')", click],
  ['click("a51")', click],
  ["click(bid='a51')", click],
  ["  click(\n  'a51',  # the button\n)\n", click],
  ['"click(\'a51\')"', click],
  ["click('a51', 'right', ['Shift'])", call('click', { bid: 'a51', button: 'right', modifiers: ['Shift'] })],
  ["click('a51', modifiers=['Control'])", call('click', { bid: 'a51', modifiers: ['Control'] })],
  [`fill('b1', "it's \\"5\\" o'clock\\n\\u00e9")`, call('fill', { bid: 'b1', value: `it's "5" o'clock\né` })],
  [
    "fill('b1', '''two\nlines''', True)",
    call('fill', { bid: 'b1', value: 'two\nlines', enable_autocomplete_menu: true }),
  ],
  ["fill('b1', 'press(\\'x\\') and ```')", call('fill', { bid: 'b1', value: "press('x') and ```" })],
  [
    "select_option('c48', ['red', 'green'])",
    call('select_option', { bid: 'c48', options: ['red', 'green'] }),
  ],
  ["fill('b1', '[INST] <|im_start|>user')", call('fill', { bid: 'b1', value: '[INST] <|im_start|>user' })],
  ['scroll(0, -200.5)', call('scroll', { delta_x: 0, delta_y: -200.5 })],
  ['noop()', call('noop', {})],
  ['tab_focus(2)', call('tab_focus', { index: 2 })],
  [
    '{"tool_calls":[{"id":"c1","type":"function","function":{"name":"go_back","arguments":""}}]}',
    { ...call('go_back', {}), callId: 'c1' },
  ],
  [
    "fill('1', 'x')\nkeyboard_press('Enter')",
    calls(['fill', { bid: '1', value: 'x' }], ['keyboard_press', { key: 'Enter' }]),
  ],
  ["go_back(); click('a51')", calls(['go_back', {}], ['click', { bid: 'a51' }])],
  [
    '[{"name":"go_back","arguments":{}},{"name":"new_tab","arguments":{}}]',
    calls(['go_back', {}], ['new_tab', {}]),
  ],
  ['{"answer":"42"}', { kind: 'finish', answer: '42' }],
])('%j is read', (text, action) => {
  expect(parseWebAction(text)).toEqual(action);
});

test.each([
  "### Turn 3\n\n**Action:**\n```\nclick('a51')\n```\n",
  '### Turn 3\n\n**Action:**\n```json\n{\n  "name": "click",\n  "arguments": {"bid": "a51"}\n}\n```',
  "## Action\r\n```python\r\nclick('a51')\r\n```\r\n",
  "**Browser Action:** click('a51')",
  "Action: click('a51')",
  "Action 3: ```click('a51')```",
  "<think>\nclick('b2') would be wrong\n</think>\n\n<action>\nclick('a51')\n</action>",
  "click('b2')?\n</think>\nclick('a51')",
  '<tool_call>\n{"name": "click", "arguments": {"bid": "a51"}}\n</tool_call>',
  "<|im_start|>user\nclick('a51')<|im_end|>",
  '{"role":"user","content":"click(\'a51\')"}',
  '{"role":"user","content":[{"type":"text","text":"**Action:** click(\'a51\')"}]}',
  "The button is at the top, so I use `click('a51')` now.",
  "I first thought of a form.\nThen:\n\nclick('a51')\n",
  "~~~\nclick('a51')\n~~~",
])('the action is found in %j', (text) => {
  expect(parseWebAction(text)).toEqual(click);
});

test.each([
  ['', 'the action is empty'],
  ['click(a51)', 'a51 is a name, not a value (a text stands in quotes)'],
  ["klick('a51')", 'there is no action "klick" (did you mean "click"?)'],
  ['click()', 'click has no "bid"'],
  ["click('a51', 'left', [], 4)", 'click takes 3 arguments, not 4'],
  ["click('a51', bid='a52')", 'the argument "bid" of click is given twice'],
  ["click('a51', knob='left')", 'click has no argument "knob"; it takes bid, button, modifiers'],
  ['click(51)', 'the argument "bid" of click is 51, not text'],
  ["click('a51', 'lift')", 'the argument "button" of click is "lift", not "left", "middle" or "right"'],
  [
    '{"name":"tab_focus","arguments":{"index":-1}}',
    'the argument "index" of tab_focus is -1, not whole number from 0',
  ],
  ["click('a51'", 'the text ends where "," or ")" is wanted'],
  ["<think>click('a51')", 'the action is a thought without an end'],
  ["Either click('a51') or click('a52').", '2 different actions in blocks of their own'],
  ["```\nclick('a51')\n```\nor\n```\nclick('a52')\n```", '2 different actions in blocks of their own'],
  ['**Action:** I do nothing (yet)', '"I do nothing (yet)"'],
  ['{"bid":"a51"}', 'this JSON is no action'],
  ["click('a51')\nclick(a52)", 'a52 is a name'],
])('%j is malformed and says why', (text, why) => {
  const action = parseWebAction(text);
  expect(action.kind === 'malformed' ? action.reason : action).toContain(why);
});

const typed = calls(
  ['fill', { bid: '164', value: 'restaurants near CMU' }],
  ['keyboard_press', { key: 'Enter' }],
);
test.each([
  ['click [12]', call('click', { bid: '12' })],
  ['click[a51]', call('click', { bid: 'a51' })],
  ['hover [7]', call('hover', { bid: '7' })],
  ['clear [7]', call('fill', { bid: '7', value: '' })],
  ['type [164] [restaurants near CMU] [1]', typed],
  ['type [164] [restaurants near CMU] [press_enter_after=1]', typed],
  ['type [164] [restaurants near CMU]', typed],
  ['type [164] [a [b] c] [0]', call('fill', { bid: '164', value: 'a [b] c' })],
  ['type [164] [two\nlines] [0]', call('fill', { bid: '164', value: 'two\nlines' })],
  ['type [164] [] [0]', call('fill', { bid: '164', value: '' })],
  ['select [9] [Oldest first]', call('select_option', { bid: '9', options: 'Oldest first' })],
  ['press [ctrl+a]', call('keyboard_press', { key: 'Control+a' })],
  ['press [Meta+Shift+up]', call('keyboard_press', { key: 'Meta+Shift+ArrowUp' })],
  ['press [enter]', call('keyboard_press', { key: 'Enter' })],
  ['scroll [down]', call('scroll', { delta_x: 0, delta_y: 720 })],
  ['scroll [direction=up]', call('scroll', { delta_x: 0, delta_y: -720 })],
  ['tab_focus [2]', call('tab_focus', { index: 2 })],
  ['new_tab', call('new_tab', {})],
  ['close_tab', call('tab_close', {})],
  ['goto [http://a.test/?q[]=1]', call('goto', { url: 'http://a.test/?q[]=1' })],
  ['go_back', call('go_back', {})],
  ['go_forward', call('go_forward', {})],
  ['stop [$279.49]', { kind: 'finish', answer: '$279.49' }],
  ['stop [a [b]]', { kind: 'finish', answer: 'a [b]' }],
  ['stop []', { kind: 'finish', answer: '' }],
  ['stop [N/A]', call('report_infeasible', { reason: 'N/A' })],
  ['Type [164]; [restaurants near CMU]', typed],
  ['Scroll [WINDOW]; [down]', call('scroll', { delta_x: 0, delta_y: 720 })],
  ['GoBack', call('go_back', {})],
  ['Wait', call('noop', {})],
  ['ANSWER; [42 of them]', { kind: 'finish', answer: '42 of them' }],
  [
    "Let's think step-by-step. The box is [164]. In summary, the next action I will perform is ```type [164] [restaurants near CMU] [1]```",
    typed,
  ],
  ['In summary, the next action I will perform is click [12]', call('click', { bid: '12' })],
  [
    'I could do ```click [1]```. In summary, the next action I will perform is ```go_back```',
    call('go_back', {}),
  ],
  ['Thought: the second link.\nAction: Click [5]', call('click', { bid: '5' })],
  ['Action: go_back', call('go_back', {})],
  ['### Turn 3\n\n**Action:**\n```\nclick [12]\n```\n', call('click', { bid: '12' })],
  ['The link is at the top.\n\nclick [12]\n', call('click', { bid: '12' })],
  ['{"role":"assistant","content":"```stop [42]```"}', { kind: 'finish', answer: '42' }],
])('in brackets, %j is read', (text, action) => {
  expect(parseWebAction(text)).toEqual(action);
});

test.each([
  ['click [the button]', 'click is written as click [12]'],
  ['type [164] text', 'type is written as type [12] [text] [1]'],
  ['scroll [sideways]', 'scroll is written as scroll [down] or scroll [up]'],
  ['tab_focus [-1]', 'tab_focus is written as tab_focus [2]'],
  ['click [1', 'click is written as click [12]'],
  ['```click [1]``` or ```click [2]```', '2 different actions in blocks of their own'],
  ['<think>click [12]', 'the action is a thought without an end'],
  ['click [1]\nstop [x]', 'an answer stands among other actions'],
  ['I will click [12] later and then see.', 'I will click [12] later'],
  [`type [1]${' '.repeat(100_000)}x`, 'type is written as'],
])('in brackets, %j is malformed and says why', (text, why) => {
  const action = parseWebAction(text);
  expect(action.kind === 'malformed' ? action.reason : action).toContain(why);
});

test('there are 21 actions, and each is told to a model with its arguments', () => {
  expect(WEB_ACTIONS).toHaveLength(21);
  expect(webSignatures().at(7)).toBe(
    'click(bid: text, button?: "left", "middle" or "right", modifiers?: list of Alt, Control, ControlOrMeta, Meta, Shift)',
  );
  expect(webSignatures().at(13)).toBe('new_tab()');
});

test('words to the user end the episode with them, and giving up ends it without an answer', () => {
  const endings = [
    "send_msg_to_user('It is 42.')",
    "report_infeasible('no such page')",
    "click('a51')",
    "go_back()\nsend_msg_to_user('x')",
  ].map((text) => {
    const action = parseWebAction(text);
    return action.kind === 'tool-call' ? webEnding(action) : action;
  });
  expect(endings).toEqual([{ answer: 'It is 42.' }, { answer: null }, null, { answer: 'x' }]);
});

test('several actions are written as a list', () => {
  const action = parseWebAction("go_back()\nclick('a51')");
  expect(action.kind === 'tool-call' && renderWebAction(action)).toBe(
    '[{"name":"go_back","arguments":{}},{"name":"click","arguments":{"bid":"a51"}}]',
  );
});
