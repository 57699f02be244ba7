import { expect, test } from 'vitest';
import type { Trajectory } from '../../core/index.js';
import type { Drop } from '../stages/stage.js';
import { trainingOf } from '../stages/turn-training.js';
import { callOf, trajectoryOf, turnOf } from '../trajectories.contract.js';
import { createFilterStage } from './filter-trajectories.js';

function filter(
  trajectory: Trajectory,
  without: readonly string[] = [],
): { kept: Trajectory | undefined; drops: Drop[] } {
  const drops: Drop[] = [];
  const [kept] = createFilterStage({ without, onDrop: (drop) => drops.push(drop) }).take(trajectory);
  return { kept, drops };
}

const GOOD = [turnOf(callOf('read'), 'one'), turnOf(callOf('read'), 'two')];

test('trajectories of fewer than two turns are dropped', () => {
  const { kept, drops } = filter(trajectoryOf('t', GOOD.slice(1)));
  expect(kept).toBeUndefined();
  expect(drops).toEqual([
    { what: 'trajectory', trajectory: 't', rule: 'too-few-turns', detail: '1 of 1 turns left' },
  ]);
});

test('calls of undeclared tools drop the trajectory, in every form of list', () => {
  const lists = [
    [{ name: 'read' }],
    { tools: [{ type: 'function', function: { name: 'read' } }] },
    [{ functionDeclarations: [{ name: 'read' }] }],
  ];
  for (const list of lists) {
    const system = { text: '', demonstrations: [], actionSpace: JSON.stringify(list) };
    expect(filter(trajectoryOf('t', GOOD, { system })).kept?.turns).toHaveLength(2);
    const bad = filter(trajectoryOf('t', [...GOOD, turnOf(callOf('write'), 'x')], { system }));
    expect(bad.drops).toEqual([
      { what: 'trajectory', trajectory: 't', rule: 'undeclared-tools', detail: 'calls write' },
    ]);
  }
  const unknown = { text: '', demonstrations: [], actionSpace: 'You may read and write.' };
  expect(filter(trajectoryOf('t', GOOD, { system: unknown })).kept?.turns).toHaveLength(2);
});

test('an action without keystrokes and wait leaves the trajectory; a wait stays', () => {
  const keys = (keystrokes: string, duration?: number): string => JSON.stringify([{ keystrokes, duration }]);
  const { kept, drops } = filter(
    trajectoryOf(
      't',
      [
        turnOf(keys('ls\n', 0.1), 'a'),
        turnOf(keys('', 0), 'a'),
        turnOf(keys('', 2), 'b'),
        turnOf('[]', 'sure?'),
      ],
      {
        domain: 'terminal',
        gaps: [2],
      },
    ),
    ['missing-history'],
  );
  expect(kept?.turns.map(({ action }) => action)).toEqual([keys('ls\n', 0.1), keys('', 2)]);
  expect(kept?.gaps).toEqual([1]);
  expect(drops.map(({ turn, rule, detail }) => [turn, rule, detail])).toEqual([
    [2, 'empty-action', 'no keystrokes and no wait'],
    [4, 'empty-action', 'says that the task is done'],
  ]);
});

test('garbage that was tried again is skipped; garbage that was given up stays as context', () => {
  const error = 'could not parse your call';
  const { kept, drops } = filter(
    trajectoryOf('t', [
      ...GOOD,
      turnOf('{"name": "read", "argum', error),
      turnOf(callOf('read'), 'three'),
      turnOf('read it!', error),
    ]),
  );
  expect(kept?.turns.map(({ observation }) => observation)).toEqual(['one', 'two', 'three', error]);
  expect(kept?.turns.map((turn) => trainingOf(turn).dropped)).toEqual([
    undefined,
    undefined,
    undefined,
    'retry-cycle',
  ]);
  expect(drops.map(({ turn, detail }) => [turn, detail])).toEqual([
    [3, 'a malformed action that was tried again'],
    [5, 'a malformed action that was given up'],
  ]);
});

test('screens that did not effectively change are context only', () => {
  const screen = (clock: string, text: string): string =>
    `[a1] RootWebArea 'Shop', focused\n  [a2] StaticText '${text}'\n  ${clock}`;
  const { kept } = filter(
    trajectoryOf(
      't',
      [
        turnOf('click("a2")', screen('10:01', 'x')),
        turnOf('click("a2")', screen('10:02', 'x')),
        turnOf('scroll(0, 9)', screen('10:02', 'y')),
      ],
      {
        domain: 'web',
      },
    ),
  );
  expect(kept?.turns.map((turn) => trainingOf(turn).dropped)).toEqual([undefined, 'no-change', undefined]);
});

test.each([
  [
    "URL: https://x\nTitle: Just a moment...\n[1] RootWebArea 'Just a moment...'",
    'a question for robots: Just a moment...',
  ],
  ["[1] RootWebArea '502 Bad Gateway'\n  [2] heading 'nginx'", 'an error of a server: 502 Bad Gateway'],
  [
    "This site can't be reached\nERR_CONNECTION_REFUSED",
    "an error of the browser: This site can't be reached",
  ],
  ['   \n', 'an empty screen'],
  ['null', 'no state: null'],
])('a broken screen drops its trajectory: %j', (screen, seen) => {
  const { drops } = filter(
    trajectoryOf('t', [turnOf('goto("x")', 'fine'), turnOf('noop()', screen)], { domain: 'web' }),
  );
  expect(drops).toEqual([
    { what: 'trajectory', trajectory: 't', rule: 'broken-environment', detail: `turn 2 shows ${seen}` },
  ]);
});

test.each([
  [
    'android',
    '<hierarchy rotation="0"><node class="android.webkit.WebView" text="This site can&#39;t be reached" bounds="[0,0][1080,2400]"><node text="ERR_NAME_NOT_RESOLVED" bounds="[0,0][1080,200]" /></node></hierarchy>'.replace(
      '<node ',
      `<node resource-id="${'x'.repeat(400)}" `,
    ),
    "an error of the browser: This site can't be reached",
  ],
  ['android', 'ERROR: could not get idle state.', 'no state: ERROR: could not get idle state.'],
  ['android', '<?xml version="1.0"?><hierarchy rotation="0"></hierarchy>', 'an empty screen'],
  [
    'os',
    `<desktop-frame name="main"><application name="Chrome"><frame name="502 Bad Gateway - Chrome">${'<label name="a long list of other things" />'.repeat(30)}</frame></application></desktop-frame>`,
    'an error of a server: 502 Bad Gateway',
  ],
] as const)('a broken screen of domain %s is found inside its markup', (domain, screen, seen) => {
  const { drops } = filter(trajectoryOf('t', [turnOf('WAIT', 'fine'), turnOf('WAIT', screen)], { domain }));
  expect(drops.map(({ detail }) => detail)).toEqual([`turn 2 shows ${seen}`]);
});

test('a screen whose dump only differs in layout, order of attributes or the clock did not change', () => {
  const node = (more: string): string =>
    `<node index="0" text="OK" ${more} /><node index="1" text="10:41" />`;
  const screens = [
    `<hierarchy rotation="0">${node('checked="false" clickable="true"')}</hierarchy>`,
    `<hierarchy>\n  ${node('clickable="true"').replace('10:41', '10:42')}\n</hierarchy>`,
    `<hierarchy rotation="0">${node('checked="true" clickable="true"')}</hierarchy>`,
  ];
  const action = '{"action_type":"click","index":0}';
  const { kept } = filter(
    trajectoryOf(
      't',
      screens.map((screen) => turnOf(action, screen)),
      { domain: 'android' },
    ),
  );
  expect(kept?.turns.map((turn) => trainingOf(turn).dropped)).toEqual([undefined, 'no-change', undefined]);
});

test('recorded Python that a world would not read is no garbage, prose is; shell in a fence is a call', () => {
  const loop = 'for i in range(3):\n    pyautogui.press("down")';
  const turns = [
    turnOf(loop, 'a'),
    turnOf('I would press down.', 'b'),
    turnOf('pyautogui.press("down")', 'c'),
  ];
  const { kept } = filter(trajectoryOf('t', turns, { domain: 'os' }));
  expect(kept?.turns.map(({ action }) => action)).toEqual([loop, 'pyautogui.press("down")']);
  const shell = [turnOf('Look.\n```bash\nls\n```', 'a'), turnOf('```bash\npwd\n```', 'b')];
  expect(filter(trajectoryOf('t', shell, { domain: 'swe' })).kept?.turns).toHaveLength(2);
});

test('a page that merely writes about captchas and errors is no broken environment', () => {
  const page = `URL: https://forum.example/threads\nTitle: Questions\n${"[5] link 'How do I solve a captcha or a 404 not found error?'\n".repeat(12)}`;
  expect(
    filter(trajectoryOf('t', [turnOf('noop()', page), turnOf('noop()', `${page}x`)], { domain: 'web' }))
      .drops,
  ).toEqual([]);
});

test('simulated, cut and missing observations and turns after a gap are no targets', () => {
  const origins = [{ start: 0, end: 1, origin: 'predicted' as const }];
  const { kept } = filter(
    trajectoryOf(
      't',
      [
        turnOf(callOf('a'), 'x', { origins }),
        turnOf(callOf('a'), 'x', { origins: [{ start: 0, end: 1, origin: 'recorded' }] }),
        turnOf(callOf('a'), 'x', { flags: ['truncated'] }),
        turnOf(callOf('a'), null, { status: 'limit' }),
        turnOf(callOf('a'), 'x'),
      ],
      { gaps: [4] },
    ),
  );
  expect(kept?.turns.map((turn) => trainingOf(turn).dropped)).toEqual([
    'simulated',
    undefined,
    'incomplete-observation',
    'incomplete-observation',
    'missing-history',
  ]);
});

test('filtering twice changes nothing and counts nothing twice', () => {
  const first = filter(trajectoryOf('t', [...GOOD, turnOf(callOf('a'), 'x', { flags: ['truncated'] })]));
  const second = filter(first.kept as Trajectory);
  expect(second.kept).toEqual(first.kept);
  expect(second.drops).toEqual([]);
});
