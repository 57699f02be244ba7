import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { isJsonObject, type Json } from '../../core/index.js';
import { desktopSteps, isDesktopCode } from './action.js';
import { desktopFormat } from './desktop-format.js';

const { parseAction, ending } = desktopFormat;
const SAMPLES = join(import.meta.dirname, '../../../../shared/samples');

function steps(text: string): unknown {
  const action = parseAction(text);
  return action.kind === 'tool-call' ? desktopSteps(action) : action;
}

test.each([
  ['pyautogui.click(420, 300)', [{ do: 'click', x: 420, y: 300 }]],
  [
    'pyautogui.click(x=420, y=300, clicks=2, button="right")',
    [{ do: 'click', x: 420, y: 300, clicks: 2, button: 'right' }],
  ],
  ['pyautogui.click((420, 300))', [{ do: 'click', x: 420, y: 300 }]],
  ['pyautogui.click()', [{ do: 'click' }]],
  ['pyautogui.moveTo(1.5, -2, duration=0.25)', [{ do: 'moveTo', x: 1.5, y: -2, duration: 0.25 }]],
  [
    'pyautogui.dragTo(5, 6, 0.5, button="left")',
    [{ do: 'dragTo', x: 5, y: 6, duration: 0.5, button: 'left' }],
  ],
  ['pyautogui.dragTo(5, 6, 1, pyautogui.easeInQuad)', [{ do: 'dragTo', x: 5, y: 6, duration: 1 }]],
  ['pyautogui.doubleClick(1, 2)', [{ do: 'doubleClick', x: 1, y: 2 }]],
  ['pyautogui.rightClick(1, 2)', [{ do: 'click', x: 1, y: 2, button: 'right' }]],
  ['pyautogui.scroll(-5)', [{ do: 'scroll', clicks: -5 }]],
  ['pyautogui.scroll(amount=-5)', [{ do: 'scroll', clicks: -5 }]],
  [
    "pyautogui.write('a\\tb\\'c\\x41\\u00e9\\n', interval=0.02)",
    [{ do: 'write', message: "a\tb'cAé\n", interval: 0.02 }],
  ],
  ['pyautogui.typewrite("""two\nlines""")', [{ do: 'write', message: 'two\nlines' }]],
  ['pyautogui.write(\'one \' "two")', [{ do: 'write', message: 'one two' }]],
  ["pyautogui.press(['down', 'enter'], presses=3)", [{ do: 'press', keys: ['down', 'enter'], presses: 3 }]],
  ["pyautogui.hotkey('ctrl', 'shift', 't')", [{ do: 'hotkey', keys: ['ctrl', 'shift', 't'] }]],
  ["pyautogui.hotkey(['ctrl', 'c'])", [{ do: 'hotkey', keys: ['ctrl', 'c'] }]],
  ["pyautogui.hotkey(*['ctrl', 'c'])", [{ do: 'hotkey', keys: ['ctrl', 'c'] }]],
  [
    "pyautogui.keyDown('shift'); pyautogui.keyUp('shift')",
    [
      { do: 'keyDown', key: 'shift' },
      { do: 'keyUp', key: 'shift' },
    ],
  ],
  ['import time\ntime.sleep(0.5)', [{ do: 'sleep', seconds: 0.5 }]],
  ['from time import sleep\nsleep(1)', [{ do: 'sleep', seconds: 1 }]],
  ['import pyautogui as pg\npg.click(1, 2)  # here', [{ do: 'click', x: 1, y: 2 }]],
  [
    'from pyautogui import (click, write as w,)\nclick(1, 2)\nw("x")',
    [
      { do: 'click', x: 1, y: 2 },
      { do: 'write', message: 'x' },
    ],
  ],
  ['x, y = 10, 20\npyautogui.click(x, y)', [{ do: 'click', x: 10, y: 20 }]],
  [
    'pyautogui.PAUSE = 0.5\npyautogui.FAILSAFE = False\npyautogui.click(\n    1,\n    2,\n)',
    [
      { do: 'pause', seconds: 0.5 },
      { do: 'click', x: 1, y: 2 },
    ],
  ],
  [
    '  pyautogui.click(1, 2)\n  pyautogui.press("a")',
    [
      { do: 'click', x: 1, y: 2 },
      { do: 'press', keys: 'a' },
    ],
  ],
  [
    "CalcTools.set_cell_value('S', 'B2', -4.5, bold=True)",
    [{ do: 'call', name: 'CalcTools.set_cell_value', args: ['S', 'B2', -4.5], keywords: { bold: true } }],
  ],
  [
    "import subprocess\nsubprocess.run(['ls', '-l'], check=False)",
    [{ do: 'call', name: 'subprocess.run', args: [['ls', '-l']], keywords: { check: false } }],
  ],
  ['WAIT', [{ do: 'wait' }]],
  ['```\nWAIT\nWAIT\n```', [{ do: 'wait' }, { do: 'wait' }]],
  ['```\nDONE\n```', [{ do: 'done' }]],
  ['```FAIL```', [{ do: 'fail' }]],
  [
    '{"action_type":"CLICK","parameters":{"x":5,"y":6,"button":"left"}}',
    [{ do: 'click', x: 5, y: 6, button: 'left' }],
  ],
  ['{"action_type":"TYPING","parameters":{"text":"hi"}}', [{ do: 'write', message: 'hi' }]],
  ['{"action_type":"HOTKEY","parameters":{"keys":["ctrl","c"]}}', [{ do: 'hotkey', keys: ['ctrl', 'c'] }]],
  ['{"action_type":"DONE"}', [{ do: 'done' }]],
  [
    '{"name":"computer","arguments":{"action":"left_click","coordinate":[5,6]}}',
    [{ do: 'click', x: 5, y: 6, button: 'left' }],
  ],
  [
    '{"name":"computer","arguments":{"action":"key","text":"ctrl+Return"}}',
    [{ do: 'hotkey', keys: ['ctrl', 'enter'] }],
  ],
  ['{"type":"scroll","x":1,"y":2,"scroll_x":0,"scroll_y":100}', [{ do: 'scroll', clicks: -100, x: 1, y: 2 }]],
])('%s is read', (text, wanted) => {
  expect(steps(text)).toEqual(wanted);
});

test('calls are found in what a benchmark, a chat or a model puts around them', () => {
  const code = "pyautogui.click(420, 300)\npyautogui.write('x = (1)')";
  const texts = [
    `### Turn 3\n\n**Action:**\n\`\`\`python\nimport pyautogui\n${code}\n\`\`\`\n`,
    `I click (the box).\n\n\`\`\`python\n${code}\n\`\`\`\nThen it is done.`,
    `<think>pyautogui.click(1, 1)</think>\n${code}`,
    `Thought: the box.\nAction:\n${code}`,
    `The box is there.\n${code}`,
    JSON.stringify({ role: 'assistant', content: `\`\`\`\n${code}\n\`\`\`` }),
  ];
  for (const text of texts) {
    expect(steps(text)).toEqual([
      { do: 'click', x: 420, y: 300 },
      { do: 'write', message: 'x = (1)' },
    ]);
  }
});

describe('what has to be computed, or is no call, is malformed with the line and the reason', () => {
  test.each([
    ["name = 'x'\npyautogui.write(f'{name}')", 'line 2: a string f"…" has to be computed'],
    ["pyautogui.write(r'\\d')", 'a raw string'],
    ["pyautogui.write(b'x')", 'a byte string'],
    ['pyautogui.click(100 + 5, 3)', 'has to be computed'],
    ['pyautogui.click(*pyautogui.locateOnScreen("a.png"))', 'has to be computed'],
    ["pyautogui.click('ok.png')", 'not a number of pixels'],
    ['for i in range(3):\n    pyautogui.press("a")', '"for" has to be computed'],
    ['pyautogui.press("a").x', 'behind the statement'],
    ["pyautogui.write('never ends)", 'a string'],
    ['pyautogui.write("a"', '")" is missing'],
    ['pyautogui.click(1, 2, 3, 4, "left", 5, 6, 7, 8, 9)', 'takes 9 values'],
    ['pyautogui.clik(1, 2)', 'clik is no call of pyautogui'],
    ['pyautogui.write()', 'write has no "message"'],
    ['pyautogui.click(1, 2, speed=3)', 'click has no parameter "speed"'],
    ['time.sleep(-1)', 'not seconds from 0'],
    ['time.sleep(1e999)', 'beyond a double'],
    ['pyautogui.click(1, 2)\nDONE', 'DONE beside calls'],
    ['import pyautogui', 'no call'],
    ['__import__("os").system("ls")', 'behind the statement'],
    ['exec("1")', 'exec(…) is no call of pyautogui'],
    ['print(open("/etc/passwd").read())', 'has to be computed'],
    ['I would click the button.', 'no calls in'],
    ['```\npyautogui.click(1, 2)\n```\nor\n```\npyautogui.click(3, 4)\n```', '2 different blocks'],
    ['', 'no calls in'],
  ])('%s', (text, reason) => {
    expect(steps(text)).toMatchObject({ kind: 'malformed', reason: expect.stringContaining(reason) });
  });

  test('brackets that nest without end are refused, not followed', () => {
    expect(steps(`pyautogui.click(${'['.repeat(50_000)}`)).toMatchObject({ kind: 'malformed' });
    expect(steps(`pyautogui.click(1, 2)\n`.repeat(20_000))).toMatchObject({
      reason: expect.stringContaining('more than 10000 calls'),
    });
  });
});

test('Python of other kinds is told from prose, so that a recorded action of it is no garbage', () => {
  expect(isDesktopCode('```python\nfor i in range(3):\n    pyautogui.press("a")\n```')).toBe(true);
  expect(isDesktopCode("with open('/tmp/x', 'w') as f:\n    f.write('y')")).toBe(true);
  expect(isDesktopCode('I would click the button (the blue one).')).toBe(false);
});

test('DONE and FAIL end the episode, other actions do not', () => {
  const endings = ['DONE', 'FAIL', 'WAIT', 'pyautogui.click(1, 2)'].map((text) => {
    const action = parseAction(text);
    return action.kind === 'tool-call' ? ending?.(action) : undefined;
  });
  expect(endings).toEqual([{ answer: null }, { answer: 'FAIL' }, null, null]);
});

function lines(file: string): readonly Json[] {
  return readFileSync(join(SAMPLES, file), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Json);
}

test.skipIf(!existsSync(SAMPLES))(
  'all actions of the recorded OSWorld folders (where samples are there) are read',
  () => {
    const actions = ['osworld/rec-a/traj.jsonl', 'osworld/rec-b/traj.jsonl']
      .flatMap(lines)
      .flatMap((line) => (isJsonObject(line) && typeof line.action === 'string' ? [line.action] : []));
    expect(actions.length).toBe(14);
    expect(actions.filter((action) => parseAction(action).kind === 'malformed')).toEqual([]);
  },
);
