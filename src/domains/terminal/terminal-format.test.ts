/**
 * The terminal domain: the action grammar, and keys.
 */
import { expect, test } from 'vitest';
import type { ToolCall } from '../../core/index.js';
import { keystrokesToInput } from './keys.js';
import { visibleText } from './observation.js';
import { terminalFormat } from './terminal-format.js';

const keys = (...list: { keystrokes: string; duration: number }[]): ToolCall => ({
  kind: 'tool-call',
  name: 'terminal',
  arguments: { keys: list },
});

const one = (keystrokes: string, duration = 1): ToolCall => keys({ keystrokes, duration });

test.each([
  [
    '[{"keystrokes":"ls\\n","duration":0.1},{"keystrokes":""}]',
    keys({ keystrokes: 'ls\n', duration: 0.1 }, { keystrokes: '', duration: 1 }),
  ],
  ['{"keystrokes":"ls\\n"}', one('ls\n')],
  ['ls -l\n', one('ls -l\n')],
  ['"C-c"', one('C-c')],
  ['""', one('')],
  ['', one('')],
  ['[]', keys()],
  ['[ -f x ] && echo y\n', one('[ -f x ] && echo y\n')],
  ['{ echo a; }\n', one('{ echo a; }\n')],
  ['[1,2]', one('[1,2]')],
  ['**Action:**\n```json\n[{"keystrokes":"pwd\\n","duration":2}]\n```\n', one('pwd\n', 2)],
  ['### Turn 2\n**Action:**\n[{"keystrokes":"pwd\\n","duration":2}]', one('pwd\n', 2)],
  [
    '{"analysis":"a","plan":"b","commands":[{"keystrokes":"ls\\n","duration":0.1}],"task_complete":true}',
    one('ls\n', 0.1),
  ],
  ['{"analysis":"a","plan":"b","commands":[],"task_complete":true}', keys()],
  ['{"analysis":"a","plan":"wait","commands":[]}', one('')],
])('the action %j is read', (text, action) => {
  expect(terminalFormat.parseAction(text)).toEqual(action);
});

test.each([
  ['[{"keystrokes":5}]', '"keystrokes" is 5, not a text'],
  ['[{"keystrokes":"a"},{"keys":"b"}]', 'entry 1: "keystrokes" is null, not a text'],
  ['{"keystrokes":"a","duration":-1}', '"duration" is -1, not seconds from 0 to 86400'],
  ['{"keystrokes":"a","wait":3}', 'the key "wait" is not known beside "keystrokes" and "duration"'],
  ['{"commands":["ls"]}', '"ls" is no object with "keystrokes"'],
  ['[{"keystrokes":"a"', 'the JSON is broken'],
])('the action %j is malformed and says why', (text, why) => {
  const action = terminalFormat.parseAction(text);
  expect(action.kind === 'malformed' ? action.reason : action).toContain(why);
});

test('only a whole text is a key name', () => {
  const sent = [
    'C-c',
    'C-c\n',
    'Enter',
    'echo Enter',
    'Up',
    'C-Up',
    'M-b',
    '^C',
    'S-Tab',
    'a',
    '\x1b',
    'x\ny',
    'C-',
    'F5',
    'C-Space',
  ];
  expect(sent.map(keystrokesToInput)).toEqual([
    '\x03',
    'C-c\n',
    '\r',
    'echo Enter',
    '\x1b[A',
    '\x1b[1;5A',
    '\x1bb',
    '\x03',
    '\t',
    'a',
    '\x1b',
    'x\ny',
    'C-',
    '\x1b[15~',
    '\0',
  ]);
});

test.each([
  ['Downloading 10%\rDownloading 100%\rDone\n', 'Doneloading 100%'],
  ['Downloading 100%\r\x1b[KDone\n', 'Done'],
  ['a\tb\x1b[31mred\x1b[0m\x1b[?25l\x1b[?25hz\n', 'a       bredz'],
  ['one\r\ntwo\r\n', 'one\ntwo'],
  ['\x1b[?2004hbox:/w$ ls\x1b[?2004l\r\nx.txt\r\n', 'box:/w$ ls\nx.txt'],
])('raw output %j shows what a terminal shows', (raw, visible) => {
  expect(visibleText(raw)).toBe(visible);
});

test('done is done only when it is said twice in a row', () => {
  const [done, wait] = [terminalFormat.parseAction('[]'), terminalFormat.parseAction('""')];
  expect([
    terminalFormat.confirmsEnd?.(done, done),
    terminalFormat.confirmsEnd?.(done, wait),
    terminalFormat.confirmsEnd?.(wait, done),
  ]).toEqual([true, false, false]);
});
