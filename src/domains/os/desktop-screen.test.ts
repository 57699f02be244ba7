import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { desktopFormat } from './desktop-format.js';
import type { DesktopNode } from './desktop-node.js';

const { parseObservation, renderObservation, normaliseObservation, outline, contentTypes } = desktopFormat;
const SAMPLES = join(import.meta.dirname, '../../../../shared/samples');

const TREE = [
  'Screen: 1280x800',
  'Windows:',
  '  "~/notes.txt - Mousepad" active (mousepad)',
  '  "Files"',
  'Focused: text ""',
  '',
  'Accessibility tree:',
  'application "mousepad"',
  '  frame "~/notes.txt - Mousepad" active (319, 147, 642, 505)',
  '    text "" text="one\\ntwo" value="0.5" editable,focused (321, 195, 638, 449)',
].join('\n');

test('windows, focus and tree are read, and written back as they were', () => {
  const screen = parseObservation(TREE);
  expect(screen).toEqual({
    form: 'tree',
    size: { width: 1280, height: 800 },
    windows: [
      { title: '~/notes.txt - Mousepad', isActive: true, program: 'mousepad' },
      { title: 'Files', isActive: false },
    ],
    focused: { role: 'text', name: '' },
    notes: [],
    hasHeading: true,
    nodes: [
      {
        role: 'application',
        name: 'mousepad',
        states: [],
        children: [
          {
            role: 'frame',
            name: '~/notes.txt - Mousepad',
            states: ['active'],
            bounds: { x: 319, y: 147, width: 642, height: 505 },
            children: [
              {
                role: 'text',
                name: '',
                text: 'one\ntwo',
                value: '0.5',
                states: ['editable', 'focused'],
                bounds: { x: 321, y: 195, width: 638, height: 449 },
                children: [],
              },
            ],
          },
        ],
      },
    ],
  });
  expect(renderObservation(screen)).toBe(TREE);
});

test('lines of other programs are read in their own order and quotes, and lines of no form stay', () => {
  const text = `frame "calc" (915,216 333x368) enabled,showing\n  text "" text='0' focused\n  [12] push button 'OK' (1, 2, 3, 4)\n  ... 40 more`;
  expect(parseObservation(text)).toMatchObject({
    form: 'tree',
    nodes: [
      {
        role: 'frame',
        bounds: { x: 915, y: 216, width: 333, height: 368 },
        states: ['enabled', 'showing'],
        children: [
          { role: 'text', text: '0', states: ['focused'] },
          { role: 'push button', name: 'OK', extra: { id: '12' } },
          { role: '#line', text: '... 40 more' },
        ],
      },
    ],
  });
});

test('AT-SPI XML of every platform gives role, name, text, value, states and place', () => {
  const text =
    '<desktop-frame xmlns:st="uri:x" name="main" st:enabled="true"><slider name="Vol" st:focusable="true" st:enabled="false" class:id="k" cp:screencoord="(5, -6)" cp:size="(70, 8)" val:value="0.3" act:press_desc="y">a &lt;b&gt; </slider></desktop-frame>';
  const screen = parseObservation(text);
  expect(screen).toMatchObject({
    form: 'xml',
    dialect: 'atspi',
    nodes: [
      {
        role: 'desktop-frame',
        children: [
          {
            role: 'slider',
            name: 'Vol',
            text: 'a <b> ',
            value: '0.3',
            states: ['focusable'],
            bounds: { x: 5, y: -6, width: 70, height: 8 },
            extra: { 'st:enabled': 'false', 'class:id': 'k', 'act:press_desc': 'y' },
          },
        ],
      },
    ],
  });
});

test('trees of UI Automation give name, states and place, too', () => {
  const text =
    '<Pane Name="Desktop" ClassName="#32769" IsEnabled="True" x="0" y="0" width="800" height="600"><Button Name="Start" AutomationId="StartButton" IsOffscreen="False" x="1" y="2" width="3" height="4" /></Pane>';
  const screen = parseObservation(text);
  expect(screen).toMatchObject({
    form: 'xml',
    dialect: 'uia',
    nodes: [
      {
        role: 'Pane',
        name: 'Desktop',
        states: ['IsEnabled'],
        bounds: { x: 0, y: 0, width: 800, height: 600 },
        children: [{ role: 'Button', name: 'Start', extra: { IsOffscreen: 'False' } }],
      },
    ],
  });
  expect(normaliseObservation(renderObservation(screen))).toBe(normaliseObservation(text));
});

test('a linearised table keeps names with tabs and line ends, quoted cells and its cut end', () => {
  const header = 'tag\tname\ttext\tclass\tdescription\tposition (top-left x&y)\tsize (w&h)';
  const rows = [
    'label\tHome\t\t\t\t(1833, 1037)\t(40, 17)',
    'entry\tAd\tdress\n bar\tx\t\t\t(5, 6)\t(7, 8)',
    'push-button\tOK\t"say ""hi"""\t\t\t(1, 2)\t(3, 4)',
    'menu\tFi',
  ];
  const text = [header, ...rows].join('\n');
  const screen = parseObservation(text);
  expect(screen).toMatchObject({
    form: 'table',
    rows: [
      { cells: ['label', 'Home', '', '', '', '(1833, 1037)', '(40, 17)'] },
      { cells: ['entry', 'Ad\tdress\n bar', 'x', '', '', '(5, 6)', '(7, 8)'] },
      { cells: ['push-button', 'OK', 'say "hi"', '', '', '(1, 2)', '(3, 4)'] },
      { kind: 'text', text: 'menu\tFi' },
    ],
  });
  expect(parseObservation(renderObservation(screen))).toEqual(screen);
  expect(outline(text).problems.map(({ message }) => message)).toEqual(['no row of 7 cells between tabs']);
  expect(outline(text).parts.map(({ kind }) => kind)).toEqual(['label', 'entry', 'push-button']);
});

test('order of attributes and states, layout and replacement characters do not count for comparing', () => {
  const a =
    '<desktop-frame name="m"><text name="x " st:enabled="true" st:active="true" act:click_kb="q">t\ufffc</text></desktop-frame>';
  const b =
    '<desktop-frame name="m">\n  <text st:active="true" st:enabled="true" name="x">t</text>\n</desktop-frame>';
  expect(normaliseObservation(a)).toBe(normaliseObservation(b));
  expect(normaliseObservation(a.replace('t\ufffc', 'u'))).not.toBe(normaliseObservation(b));
  const line = 'Accessibility tree:\nmenu "a" active,enabled (1, 2, 3, 4)';
  expect(normaliseObservation(line.replace('active,enabled', 'enabled,active'))).toBe(
    normaliseObservation(line),
  );
});

test('states are determined, known names too; new names are content and a clock is runtime metadata', () => {
  const text = 'Accessibility tree:\nframe "Files" active\n  label "New" enabled\n  label "Mon Nov 30 12:05"';
  const spans = contentTypes(text, { state: 'Accessibility tree:\nframe "Files" (1, 2, 3, 4)' });
  const shown = spans
    .filter(({ type }) => type !== 'deterministic')
    .map(({ start, end, type }) => [text.slice(start, end), type]);
  expect(shown).toEqual([
    ['New', 'pre-existing'],
    ['Mon Nov 30 12:05', 'runtime-metadata'],
  ]);
});

function count(nodes: readonly DesktopNode[]): number {
  return nodes.reduce((sum, { children }) => sum + 1 + count(children), 0);
}

test.skipIf(!existsSync(SAMPLES)).each([
  ['rec-a', [323, 323, 323, 323, 341, 341, 341, 341]],
  ['rec-b', [82, 82, 82, 82, 82, 82]],
])('the trees of %s (where samples are there) are written back as they were', (folder, counts) => {
  const path = join(SAMPLES, 'osworld', folder);
  const texts = readdirSync(path)
    .filter((file) => file.endsWith('.xml'))
    .map((file) => readFileSync(join(path, file), 'utf8').trimEnd());
  const screens = texts.map((text) => parseObservation(text));
  expect(screens.map((screen) => (screen.form === 'xml' ? count(screen.nodes) : 0))).toEqual(counts);
  expect(screens.map(renderObservation)).toEqual(texts);
});
