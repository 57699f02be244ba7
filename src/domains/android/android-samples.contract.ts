/**
 * Samples of the android domain for the suites that run over all domains. All are made up here.
 */
import fc from 'fast-check';
import type { JsonObject, ToolCall } from '../../core/index.js';
import type { DomainSamples } from '../domain-format.contract.js';
import { androidFormat } from './android-format.js';
import { type AndroidNode, NODE_STATES } from './android-node.js';
import type { AndroidScreen } from './android-screen.js';
import type { AndroidActionSpace } from './prompt.js';

const pixel = fc.integer({ min: 0, max: 3_000 });
const place = fc.oneof(
  fc.record({ index: fc.nat({ max: 200 }) }),
  fc.record({ x: pixel, y: pixel }),
  fc.constant({ x: 0.25, y: 0.5, unit: 'fraction' }),
);
const anyPlace = fc.oneof(place, fc.constant({}));
const direction = fc.constantFrom('up', 'down', 'left', 'right');
const text = fc.oneof(fc.string(), fc.constantFrom('a\nb', '"} {"', '```', '完 🙂', '**Action:**'));

const args: Readonly<Record<string, fc.Arbitrary<object>>> = {
  click: place,
  double_tap: place,
  long_press: place,
  scroll: fc.tuple(direction, anyPlace).map(([to, where]) => ({ direction: to, ...where })),
  swipe: fc.oneof(
    direction.map((to) => ({ direction: to })),
    fc.record({ x: pixel, y: pixel, end_x: pixel, end_y: pixel }),
  ),
  input_text: fc.tuple(text, anyPlace).map(([typed, where]) => ({ text: typed, ...where })),
  clear_text: anyPlace,
  keyboard_enter: fc.constant({}),
  navigate_back: fc.constant({}),
  navigate_home: fc.constant({}),
  open_app: fc.string({ minLength: 1 }).map((app) => ({ app_name: app })),
  wait: fc.constantFrom({}, { seconds: 2 }),
  status: fc.constantFrom({ goal_status: 'complete' }, { goal_status: 'infeasible' }),
  answer: text.map((said) => ({ text: said })),
};

const action = fc
  .constantFrom(...Object.keys(args))
  .chain((name) =>
    (args[name] ?? fc.constant({})).map(
      (fields): ToolCall => ({ kind: 'tool-call', name, arguments: fields as JsonObject }),
    ),
  );

const anyText = fc.string({ unit: 'binary', maxLength: 12 });
const content = fc.option(
  anyText.map((one) => one.trim()).filter((one) => one !== ''),
  { nil: undefined },
);

/** Leaves out what is undefined. */
function given<Value extends object>(value: Value): Value {
  return Object.fromEntries(Object.entries(value).filter(([, one]) => one !== undefined)) as Value;
}

const states = fc
  .record(Object.fromEntries(NODE_STATES.map((name) => [name, fc.boolean()])), { requiredKeys: [] })
  .map((all) => (Object.keys(all).length === 0 ? undefined : all));
const fields = {
  tag: fc.constantFrom('node', 'android.widget.Button', 'view'),
  index: fc.option(fc.nat({ max: 99 }), { nil: undefined }),
  text: fc.option(anyText, { nil: undefined }),
  resourceId: fc.option(anyText, { nil: undefined }),
  contentDesc: fc.option(anyText, { nil: undefined }),
  className: fc.option(fc.constant('android.widget.TextView'), { nil: undefined }),
  states,
  bounds: fc.option(
    fc.record({ left: fc.integer({ min: -9, max: 99 }), top: pixel, right: pixel, bottom: pixel }),
    {
      nil: undefined,
    },
  ),
  extra: fc.option(fc.record({ hint: anyText, 'drawing-order': fc.constant('1') }), { nil: undefined }),
  content,
};
const { node } = fc.letrec<{ node: AndroidNode }>((tie) => ({
  node: fc
    .record({
      ...fields,
      children: fc.oneof({ maxDepth: 2 }, fc.constant([]), fc.array(tie('node'), { maxLength: 2 })),
    })
    .map((made) => given(made) as AndroidNode),
}));

const hierarchy = fc.array(node, { minLength: 1, maxLength: 2 }).map(
  (nodes): AndroidScreen => ({
    form: 'xml',
    declaration: "<?xml version='1.0' encoding='UTF-8' standalone='yes' ?>",
    indent: 0,
    emptyEnd: ' />',
    before: '',
    after: '',
    nodes: [{ tag: 'hierarchy', extra: { rotation: '0' }, children: nodes }],
  }),
);

const label = fc.string({ maxLength: 8 }).map((one) => `x${one.replace(/\n/g, ' ')}`);
const observations: fc.Arbitrary<AndroidScreen> = fc.oneof(
  hierarchy,
  fc.array(fc.tuple(label, label), { minLength: 1, maxLength: 4 }).map(
    (all): AndroidScreen => ({
      form: 'html',
      nodes: all.flatMap(([id, said], index) => [
        ...(index > 0 ? ['\n'] : []),
        { tag: 'button', attributes: [['id', `${index}`] as const, ['text', id] as const], children: [said] },
      ]),
    }),
  ),
  fc.array(label, { minLength: 1, maxLength: 4 }).map(
    (all): AndroidScreen => ({
      form: 'list',
      elements: all.map((said, index) => ({
        kind: 'element',
        form: index % 2 === 0 ? 'fields' : 'record',
        index,
        fields: { index, text: said.replaceAll('"', "'"), is_clickable: true },
      })),
    }),
  ),
  fc.constant<AndroidScreen>({ form: 'text', text: 'The screen is off.' }),
);

const ROW =
  '<node index="0" text="Wi-Fi &amp; &quot;more&quot;&#10;on" resource-id="com.app:id/row" class="android.widget.TextView" package="com.app" content-desc="" checkable="false" checked="false" clickable="true" enabled="true" focusable="true" focused="false" scrollable="false" long-clickable="false" password="false" selected="false" bounds="[0,142][1080,300]" />';

/** What the suites need to know about the android domain. */
export const androidSamples: DomainSamples<AndroidScreen, AndroidActionSpace> = {
  format: androidFormat,
  actions: action,
  observations,
  actionTexts: [
    '{"action_type":"click","x":540,"y":1200}',
    '### Turn 3\n\n**Action:**\n```json\n{"action_type": "input_text", "text": "milk\\n🙂", "index": 7}\n```\n',
    'Reason: the list goes on.\nAction: {"action_type": "scroll", "direction": "down"}',
    'do(action="Tap", element=[540, 1200])',
    '<tool_call>\n{"name": "mobile_use", "arguments": {"action": "swipe", "coordinate": [500, 1500], "coordinate2": [500, 500]}}\n</tool_call>',
  ],
  observationTexts: [
    `<?xml version='1.0' encoding='UTF-8' standalone='yes' ?><hierarchy rotation="0">${ROW}</hierarchy>`,
    `**Environment Observation:**\n<hierarchy rotation="1">\n  <node index="0" class="android.widget.FrameLayout" bounds="[0,0][1080,2400]">\n    ${ROW}\n  </node>\n</hierarchy>`,
    `UI hierchary dumped to: /dev/tty\n<displays><display id="0"><window index="0" title="App" bounds="[0,0][1080,2400]"><hierarchy rotation="0">${ROW}</hierarchy></window></display></displays>`,
    "<button id=0 text='More apps'></button>\n<p id=1>05:00</p>\n<input id=2 checked>Name<br>required</input>",
    'UI element 0: {"index": 0, "text": "He said "hi"", "is_clickable": True, "is_long_clickable": False}\nUI element 1: UIElement(text=\'Phone\', content_description=None, bbox_pixels=BoundingBox(x_min=0, x_max=1080, y_min=0, y_max=142), is_checked=False)',
    '[0] Home\n[1] Phone (clickable)\n[2] 15:34',
    '{"foreground_activity":"com.app/.Main","views":[{"text":"OK","bounds":[[0,0],[10,10]]}]}',
  ],
  actionSpace: null,
};
