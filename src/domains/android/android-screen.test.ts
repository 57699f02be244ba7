import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { androidFormat } from './android-format.js';
import type { AndroidNode } from './android-node.js';

const { parseObservation, renderObservation, normaliseObservation, outline, contentTypes } = androidFormat;
const SAMPLES = join(import.meta.dirname, '../../../../shared/samples');

function count(nodes: readonly AndroidNode[]): number {
  return nodes.reduce((sum, { tag, children }) => sum + (tag === 'node' ? 1 : 0) + count(children), 0);
}

test('a node is read with its flags, bounds and decoded texts', () => {
  const text =
    '<hierarchy rotation="0"><node index="2" text="a &amp; &quot;b&quot;&#10;&#55357;&#56832;" class="android.widget.Switch" checked="true" enabled="maybe" bounds="[945,168][1040,291]" hint="x"/></hierarchy>';
  expect(parseObservation(text)).toEqual({
    form: 'xml',
    declaration: null,
    indent: 0,
    emptyEnd: '/>',
    before: '',
    after: '',
    nodes: [
      {
        tag: 'hierarchy',
        extra: { rotation: '0' },
        children: [
          {
            tag: 'node',
            index: 2,
            text: 'a & "b"\n😀',
            className: 'android.widget.Switch',
            states: { checked: true },
            bounds: { left: 945, top: 168, right: 1040, bottom: 291 },
            extra: { enabled: 'maybe', hint: 'x' },
            children: [],
          },
        ],
      },
    ],
  });
});

test('dumps that say the same in another way are equal for comparing, and other dumps are not', () => {
  const dump = (more: string): string =>
    `<?xml version='1.0' ?><hierarchy rotation="0"><node index="0" text="OK" class="android.widget.Button" ${more} bounds="[0,0][9,9]" /></hierarchy>`;
  const same = [
    dump('checked="false" enabled="true" content-desc=""'),
    dump('').replace('<?xml', 'UI hierchary dumped to: /dev/tty\n<?xml'),
    '<hierarchy>\n  <android.widget.Button bounds="[0,0][9,9]" text="&#79;K" index="0"></android.widget.Button>\n</hierarchy>',
    '<hierarchy><node text="OK" class="android.widget.Button" index="0" bounds="[0,0][9,9]"><!-- x --></node></hierarchy>',
  ].map(normaliseObservation);
  expect(new Set(same).size).toBe(1);
  for (const other of [dump('checked="true"'), dump('enabled="false"'), dump('content-desc="x"')]) {
    expect(normaliseObservation(other)).not.toBe(same[0]);
  }
});

test('CDATA, foreign entities, a cut and a wrong end are read, and what was wrong is told with its place', () => {
  const doctype = '<!DOCTYPE h [<!ENTITY a "&b;"><!ENTITY b "boom">]>';
  const text = `<?xml version="1.0"?>${doctype}<hierarchy><node text="&a;"><![CDATA[<b>]]></node></window><node text="cut`;
  const screen = parseObservation(text);
  expect(screen).toMatchObject({
    form: 'xml',
    nodes: [{ children: [{ text: '&a;', content: '<b>' }, { text: 'cut' }] }],
  });
  expect(outline(text).problems.map(({ message }) => message)).toEqual([
    '</window> ends nothing',
    'a value without its closing quote; is the text cut?',
    '<node has no ">"; is the text cut?',
    '<node> has no end; is the text cut?',
    '<hierarchy> has no end; is the text cut?',
  ]);
});

test('trees that are too deep or too large are bounded and told', () => {
  const deep = `<hierarchy>${'<node>'.repeat(5_000)}</hierarchy>`;
  expect(outline(deep).problems[0]?.message).toContain('deeper');
  const large = `<hierarchy>${'<node/>'.repeat(200_100)}</hierarchy>`;
  expect(outline(large).problems[0]?.message).toContain('more than 200000 elements');
});

test('several windows and displays are one screen', () => {
  const window = (id: number): string =>
    `<window index="${id}" bounds="[0,0][9,9]" title="w${id}"><hierarchy rotation="0"><node index="0" text="t${id}" /></hierarchy></window>`;
  const text = `<displays><display id="0">${window(0)}${window(1)}</display></displays>`;
  const screen = parseObservation(text);
  expect(screen.form === 'xml' ? count(screen.nodes) : 0).toBe(2);
  expect(renderObservation(screen)).toBe(text);
});

test('lists of elements give their fields, also where texts hold quotes', () => {
  const text =
    'UI element 3: {"index": 3, "text": "say "hi", now", "is_clickable": True}\n' +
    "UI element 4: UIElement(text=None, bbox_pixels=BoundingBox(x_min=0, x_max=0.5), class_name='android.widget.Button')";
  expect(parseObservation(text)).toEqual({
    form: 'list',
    elements: [
      {
        kind: 'element',
        form: 'fields',
        index: 3,
        fields: { index: 3, text: 'say "hi", now', is_clickable: true },
      },
      {
        kind: 'element',
        form: 'record',
        index: 4,
        fields: {
          text: null,
          bbox_pixels: { record: 'BoundingBox', x_min: 0, x_max: 0.5 },
          class_name: 'android.widget.Button',
        },
      },
    ],
  });
  expect(outline(text).parts.map(({ id }) => id)).toEqual(['3', '4']);
});

test('HTML is read without quotes and ends, and quotes inside a value are told', () => {
  const text = "<button id=3 text='It's me' checked=True>Max<br>5</button>\n<p id=4>Name";
  expect(parseObservation(text)).toEqual({
    form: 'html',
    nodes: [
      {
        tag: 'button',
        attributes: [
          ['id', '3'],
          ['text', "It's me"],
          ['checked', 'True'],
        ],
        children: ['Max', { tag: 'br', attributes: [], children: [] }, '5'],
      },
      '\n',
      { tag: 'p', attributes: [['id', '4']], children: ['Name'] },
    ],
  });
  expect(outline(text).parts.map(({ kind, id }) => [kind, id])).toEqual([
    ['button', '3'],
    ['p', '4'],
  ]);
});

test('flags are determined, known texts too; new texts are content and the clock is runtime metadata', () => {
  const node = (text: string, more = ''): string => `<node index="0" text="${text}" checked="true" ${more}/>`;
  const screen = `<hierarchy>${node('Alarm')}${node('Ringtone')}${node('10:41')}${node('87%', 'resource-id="com.android.systemui:id/battery_text"')}</hierarchy>`;
  const spans = contentTypes(screen, { state: { before: `<hierarchy>${node('Alarm')}</hierarchy>` } });
  const shown = spans
    .filter(({ type }) => type !== 'deterministic')
    .map(({ start, end, type }) => [screen.slice(start, end), type]);
  expect(shown).toEqual([
    ['Ringtone', 'pre-existing'],
    ['10:41', 'runtime-metadata'],
    ['87%', 'runtime-metadata'],
    ['com.android.systemui:id/battery_text', 'pre-existing'],
  ]);
});

const DUMPS: readonly (readonly [string, number])[] = [
  ['compose-finance.xml', 64],
  ['flutter-ide-drawer.xml', 20],
  ['flutter-ide-picker.xml', 25],
  ['flutter-ide-window.xml', 17],
  ['fractal-ui.xml', 23],
];

test.skipIf(!existsSync(SAMPLES)).each(DUMPS)(
  'the dump %s (where samples are there) is written back as it was',
  (file, nodes) => {
    const text = readFileSync(join(SAMPLES, 'uiautomator', file), 'utf8').trimEnd();
    const screen = parseObservation(text);
    expect(screen.form === 'xml' ? count(screen.nodes) : 0).toBe(nodes);
    expect(renderObservation(screen)).toBe(text);
    expect(outline(text).problems).toEqual([]);
  },
);

test.skipIf(!existsSync(SAMPLES))('all dumps there are of a known form', () => {
  const folder = join(SAMPLES, 'uiautomator');
  const forms = readdirSync(folder).map(
    (file) => parseObservation(readFileSync(join(folder, file), 'utf8')).form,
  );
  expect(new Set(forms)).toEqual(new Set(['xml']));
});
