import { expect, test } from 'vitest';
import { androidFormat } from './android-format.js';

const { parseAction, ending } = androidFormat;
const call = (name: string, args: object = {}): object => ({ kind: 'tool-call', name, arguments: args });

test.each([
  // contracts.md
  ['{"action_type":"click","x":540,"y":1200}', call('click', { x: 540, y: 1200 })],
  ['{"action_type":"click","index":7}', call('click', { index: 7 })],
  ['{"action_type":"double_tap","index":0}', call('double_tap', { index: 0 })],
  ['{"action_type":"long_press","x":1,"y":2}', call('long_press', { x: 1, y: 2 })],
  ['{"action_type":"scroll","direction":"down"}', call('scroll', { direction: 'down' })],
  ['{"action_type":"scroll","direction":"up","index":3}', call('scroll', { direction: 'up', index: 3 })],
  ['{"action_type":"swipe","direction":"left"}', call('swipe', { direction: 'left' })],
  ['{"action_type":"input_text","text":"a\\nb","index":4}', call('input_text', { text: 'a\nb', index: 4 })],
  ['{"action_type":"clear_text","index":4}', call('clear_text', { index: 4 })],
  ['{"action_type":"keyboard_enter"}', call('keyboard_enter')],
  ['{"action_type":"navigate_back"}', call('navigate_back')],
  ['{"action_type":"navigate_home"}', call('navigate_home')],
  ['{"action_type":"open_app","app_name":"Clock"}', call('open_app', { app_name: 'Clock' })],
  ['{"action_type":"wait"}', call('wait')],
  ['{"action_type":"status","goal_status":"infeasible"}', call('status', { goal_status: 'infeasible' })],
  ['{"action_type":"answer","text":"42"}', call('answer', { text: '42' })],
  // members that are null, and words beside the action
  ['{"action_type":"click","index":7,"x":null,"y":null,"reason":"go"}', call('click', { index: 7 })],
  // AITW, AndroidControl
  ['{"action_type":"PRESS_BACK"}', call('navigate_back')],
  ['{"action_type":"TYPE","typed_text":"hi"}', call('input_text', { text: 'hi' })],
  ['{"action_type":"STATUS_TASK_COMPLETE"}', call('status', { goal_status: 'complete' })],
  [
    '{"action_type":"DUAL_POINT","touch_point":[0.5,0.25],"lift_point":[0.51,0.25]}',
    call('click', { x: 0.25, y: 0.5, unit: 'fraction' }),
  ],
  [
    '{"action_type":4,"yx_touch":[0.8,0.5],"yx_lift":[0.2,0.5]}',
    call('swipe', { x: 0.5, y: 0.8, end_x: 0.5, end_y: 0.2, unit: 'fraction' }),
  ],
  // AndroidLab, AppAgent, DroidRun
  ['do(action="Tap", element=[540, 1200])', call('click', { x: 540, y: 1200 })],
  ['do(action="Long Press", element=[1, 2])', call('long_press', { x: 1, y: 2 })],
  ['do(action="Type", text="it\'s")', call('input_text', { text: "it's" })],
  ['do(action="Launch", app="Maps")', call('open_app', { app_name: 'Maps' })],
  ['finish(message="It is 5.")', call('answer', { text: 'It is 5.' })],
  ['tap(7)', call('click', { index: 7 })],
  ['tap(10, 20, 30, 60)', call('click', { x: 20, y: 40 })],
  ['swipe(3, "up", "medium")', call('swipe', { direction: 'up', index: 3, distance: 'medium' })],
  ['text("Hello (you)")', call('input_text', { text: 'Hello (you)' })],
  ['Thought: done.\nAction: FINISH', call('status', { goal_status: 'complete' })],
  // grounding models
  ["click(start_box='(120,340)')", call('click', { x: 120, y: 340 })],
  ["click(point='<point>120 340</point>')", call('click', { x: 120, y: 340 })],
  ['press_back()', call('navigate_back')],
  ['{"name":"mobile_use","arguments":{"action":"system_button","button":"Home"}}', call('navigate_home')],
  [
    '{"name":"mobile_use","arguments":{"action":"swipe","coordinate":[5,9],"coordinate2":[5,1]}}',
    call('swipe', { x: 5, y: 9, end_x: 5, end_y: 1 }),
  ],
  ['{"name":"click","arguments":{"index":2}}', call('click', { index: 2 })],
  [
    '{"type":"function","id":"c1","function":{"name":"wait","arguments":"{}"}}',
    { ...call('wait'), callId: 'c1' },
  ],
])('%s is read', (text, action) => {
  expect(parseAction(text)).toEqual(action);
});

test('an action is found in what a benchmark, a chat or a model puts around it', () => {
  const json = '{"action_type": "click", "index": 7}';
  const texts = [
    `### Turn 3\n\n**Action:**\n\`\`\`json\n${json}\n\`\`\`\n`,
    `Reason: {the list} is open.\nAction: ${json}`,
    `<think>maybe {"action_type":"wait"}</think>\n${json}`,
    `<tool_call>\n${json}\n</tool_call>`,
    JSON.stringify({ role: 'assistant', content: `I tap it.\n${json}` }),
    `[${json}]`,
  ];
  for (const text of texts) expect(parseAction(text)).toEqual(call('click', { index: 7 }));
});

test.each([
  ['{"action_type":"click"}', 'click has neither "index" nor "x" and "y"'],
  ['{"action_type":"click","index":2,"x":1,"y":2}', 'both "index" and a point'],
  ['{"action_type":"click","index":-1}', '"index" is -1'],
  ['{"action_type":"click","x":"left","y":2}', 'not two numbers'],
  ['{"action_type":"fly"}', 'the action type "fly" is not known'],
  ['{"action_type":"scroll","direction":"north"}', '"north", not one of up, down, left, right'],
  ['{"action_type":"input_text","index":1}', 'input_text has no "text"'],
  ['{"action_type":"status","goal_status":"maybe"}', '"maybe", not "complete" or "infeasible"'],
  ['{"action_type":null}', '"action_type" is null'],
  ['{"action_type":"click","index":1}\n{"action_type":"wait"}', '2 different actions in one text'],
  ['<think>{"action_type":"wait"}', 'a thought without an end'],
  ['I look at the screen (it is dark).', 'no action in'],
])('%s is malformed with what was seen', (text, reason) => {
  const action = parseAction(text);
  expect(action).toMatchObject({ kind: 'malformed', reason: expect.stringContaining(reason) });
});

test('answer and status end the episode, other actions do not', () => {
  const endings = [
    '{"action_type":"answer","text":"5"}',
    '{"action_type":"status","goal_status":"complete"}',
    '{"action_type":"wait"}',
  ].map((text) => {
    const action = parseAction(text);
    return action.kind === 'tool-call' ? ending?.(action) : undefined;
  });
  expect(endings).toEqual([{ answer: '5' }, { answer: null }, null]);
});
