/**
 * Samples of the os domain for the suites that run over all domains. All are made up here.
 */
import fc from 'fast-check';
import type { Json, ToolCall } from '../../core/index.js';
import type { DomainSamples } from '../domain-format.contract.js';
import { desktopFormat } from './desktop-format.js';
import type { DesktopNode } from './desktop-node.js';
import type { DesktopScreen } from './desktop-screen.js';
import type { DesktopActionSpace } from './prompt.js';

const pixel = fc.integer({ min: 0, max: 4_000 });
const text = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.constantFrom("it's", 'a\nb', '```', '\\n', '# no comment'),
);
const key = fc.constantFrom('ctrl', 'shift', 'enter', 'f5', 'a');
const seconds = fc.constantFrom(0.5, 1, 2.25);

const step: fc.Arbitrary<object> = fc.oneof(
  fc.record({ do: fc.constantFrom('click', 'doubleClick', 'moveTo', 'dragTo'), x: pixel, y: pixel }),
  fc.record({
    do: fc.constant('click'),
    x: pixel,
    y: pixel,
    clicks: fc.nat({ max: 3 }),
    button: fc.constant('right'),
  }),
  fc.record({
    do: fc.constant('moveRel'),
    xOffset: fc.integer({ min: -99, max: 99 }),
    yOffset: fc.integer({ min: -9, max: 9 }),
  }),
  fc.record({ do: fc.constantFrom('scroll', 'hscroll'), clicks: fc.integer({ min: -20, max: 20 }) }),
  fc.record({ do: fc.constant('write'), message: text }),
  fc.record({ do: fc.constant('write'), message: text, interval: seconds }),
  fc.record({ do: fc.constant('press'), keys: fc.oneof(key, fc.array(key, { minLength: 1, maxLength: 3 })) }),
  fc.record({ do: fc.constant('hotkey'), keys: fc.array(key, { minLength: 2, maxLength: 3 }) }),
  fc.record({ do: fc.constantFrom('keyDown', 'keyUp'), key }),
  fc.record({ do: fc.constant('sleep'), seconds }),
  fc.record({ do: fc.constant('pause'), seconds }),
  fc.record({ do: fc.constant('wait') }),
  fc.record({
    do: fc.constant('call'),
    name: fc.constant('CalcTools.set_cell_value'),
    args: fc.array(text, { maxLength: 2 }),
  }),
);

const action = fc
  .oneof(
    fc.array(step, { minLength: 1, maxLength: 4 }),
    fc.constant([{ do: 'done' }]),
    fc.constant([{ do: 'fail' }]),
  )
  .map(
    (steps): ToolCall => ({
      kind: 'tool-call',
      name: 'desktop',
      arguments: { steps: steps as unknown as Json },
    }),
  );

const anyText = fc.string({ unit: 'binary', maxLength: 12 });

/** Leaves out what is undefined. */
function given<Value extends object>(value: Value): Value {
  return Object.fromEntries(Object.entries(value).filter(([, one]) => one !== undefined)) as Value;
}

const common = {
  role: fc.constantFrom('push-button', 'menu', 'text'),
  name: anyText,
  value: fc.option(anyText, { nil: undefined }),
  states: fc.subarray(['active', 'enabled', 'focused', 'multi-line']),
  bounds: fc.option(
    fc.record({ x: fc.integer({ min: -99, max: 999 }), y: pixel, width: pixel, height: pixel }),
    {
      nil: undefined,
    },
  ),
};
const trees = fc.letrec<{ line: DesktopNode; element: DesktopNode }>((tie) => ({
  line: fc
    .record({
      ...common,
      text: fc.option(anyText, { nil: undefined }),
      children: fc.oneof({ maxDepth: 2 }, fc.constant([]), fc.array(tie('line'), { maxLength: 2 })),
    })
    .map((made) => given(made) as DesktopNode),
  element: fc
    .record({
      ...common,
      text: fc.option(
        anyText.map((one) => one.trim()).filter((one) => one !== ''),
        { nil: undefined },
      ),
      extra: fc.option(fc.record({ 'attr:toolkit': fc.constant('gtk') }), { nil: undefined }),
      children: fc.oneof({ maxDepth: 2 }, fc.constant([]), fc.array(tie('element'), { maxLength: 2 })),
    })
    .map((made) => given(made) as DesktopNode),
}));

const observations: fc.Arbitrary<DesktopScreen> = fc.oneof(
  fc.record({
    form: fc.constant('tree' as const),
    size: fc.option(fc.record({ width: pixel, height: pixel })),
    windows: fc.option(
      fc.array(
        fc
          .record({ title: anyText, isActive: fc.boolean(), program: fc.constantFrom('mousepad', undefined) })
          .map(given),
        { maxLength: 3 },
      ),
    ),
    focused: fc.option(fc.record({ role: fc.constant('text'), name: anyText })),
    notes: fc.constant([]),
    hasHeading: fc.constant(true),
    nodes: fc.array(trees.line, { maxLength: 3 }),
  }),
  fc.array(trees.element, { minLength: 1, maxLength: 2 }).map(
    (children): DesktopScreen => ({
      form: 'xml',
      dialect: 'atspi',
      declaration: null,
      indent: 0,
      emptyEnd: ' />',
      before: '',
      after: '',
      nodes: [{ role: 'desktop-frame', name: 'main', states: ['active'], children }],
    }),
  ),
  fc.array(fc.tuple(anyText, anyText), { minLength: 1, maxLength: 4 }).map(
    (cells): DesktopScreen => ({
      form: 'table',
      before: '',
      columns: ['tag', 'name', 'text', 'position (top-left x&y)', 'size (w&h)'],
      rows: cells.map(([name, said]) => ({
        kind: 'row',
        cells: ['label', name, said, '(1, 2)', '(30, 40)'],
      })),
    }),
  ),
);

/** What the suites need to know about the os domain. */
export const desktopSamples: DomainSamples<DesktopScreen, DesktopActionSpace> = {
  format: desktopFormat,
  actions: action,
  observations,
  actionTexts: [
    'pyautogui.click(420, 300)',
    "### Turn 3\n\n**Action:**\n```python\nimport pyautogui, time\n# save\npyautogui.hotkey('ctrl', 's'); time.sleep(0.5)\npyautogui.write('it\\'s \"done\"\\n', interval=0.02)\n```\n",
    'I wait for the page.\n\n```WAIT```',
    "CalcTools.set_cell_value('Sheet1', 'B2', -4.5)\nCalcTools.save()",
    '{"action_type": "DRAG_TO", "parameters": {"x": 5, "y": 6}}',
    'FAIL',
  ],
  observationTexts: [
    'Screen: 1280x800\nWindows:\n  "*~/notes.txt - Mousepad" active (mousepad)\n  "Files"\nFocused: text ""\n\nAccessibility tree:\napplication "mousepad"\n  frame "*~/notes.txt - Mousepad" active (319, 147, 642, 505)\n    menu "File" (320, 167, 39, 25)\n    text "" text="first line\\n" value="0.5" editable,focused,multi-line (321, 195, 638, 449)',
    '<desktop-frame xmlns:st="https://accessibility.ubuntu.example.org/ns/state" xmlns:cp="https://accessibility.ubuntu.example.org/ns/component" name="main" st:enabled="true" cp:screencoord="(0, 0)" cp:size="(1280, 800)"><application name="app"><text name="" st:editable="true" cp:screencoord="(5, 6)" cp:size="(70, 8)">a &amp; b</text></application></desktop-frame>',
    '<?xml version="1.0"?>\n<Window AutomationId="" ClassName="Notepad" Name="Untitled" IsEnabled="True" x="10" y="20" width="300" height="200">\n  <Button AutomationId="Close" Name="Close" IsEnabled="True" x="290" y="20" width="20" height="20"/>\n</Window>',
    'tag\tname\ttext\tclass\tdescription\tposition (top-left x&y)\tsize (w&h)\nlabel\tHome\t\t\t\t(1833, 1037)\t(40, 17)\npush-button\t"a ""b"""\t\t\t\t(5, 6)\t(7, 8)',
    '[3] push-button "OK" enabled (10, 20, 30, 40)\n[4] label "20:31"',
  ],
  actionSpace: null,
};
