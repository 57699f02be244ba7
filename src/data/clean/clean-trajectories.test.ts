import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Trajectory, Turn } from '../../core/index.js';
import type { Drop } from '../stages/stage.js';
import { callOf, trajectoryOf, turnOf } from '../trajectories.contract.js';
import { type CleanOptions, createCleanStage } from './clean-trajectories.js';

function clean(trajectory: Trajectory, options: CleanOptions = {}): readonly Trajectory[] {
  return createCleanStage(options).take(trajectory);
}

const keys = (keystrokes: string, duration = 1): string => JSON.stringify([{ keystrokes, duration }]);
const terminal = (turns: readonly Turn[], more: Partial<Trajectory> = {}): Trajectory =>
  trajectoryOf('t', turns, { domain: 'terminal', ...more });
const shown = (raw: string, domain: 'terminal' | 'mcp' = 'terminal'): string | null | undefined =>
  clean(trajectoryOf('t', [turnOf('x', raw)], { domain }), { steps: ['denoise'] })[0]?.turns[0]?.observation;

test('carriage returns write over, colours and private modes go, as tmux shows it (P-TTY-3)', () => {
  const rows: readonly (readonly [string, string])[] = [
    ['Downloading 10%\rDownloading 100%\rDone\n', 'Doneloading 100%'],
    ['Downloading 100%\r\u001b[KDone\n', 'Done'],
    ['a\tb\u001b[31mred\u001b[0m\u001b[?25l\u001b[?25hz\n', 'a       bredz'],
    ['one\r\ntwo\r\n', 'one\ntwo'],
    ['\u001b[?2004hbox:/w$ ls\u001b[?2004l\r\nx.txt\r\n', 'box:/w$ ls\nx.txt'],
    [`${'y'.repeat(80)}\r\nz`, `${'y'.repeat(80)}\nz`],
    ['one\ntwo\u001b[1A\rONE\u001b[1B\n\n', 'ONE\ntwo'],
    ['\u001b[2J\u001b[3;5Hhere', '\n\n    here'],
    ['⠋ load\r⠙ load\r⠹ load\r\u001b[2Kready', 'ready'],
  ];
  expect(rows.map(([raw]) => shown(raw))).toEqual(rows.map(([, visible]) => visible));
});

test('a raw log of many lines and a long line keep all they show', () => {
  const lines = Array.from({ length: 3_000 }, (_, i) => `line ${i} 10%\rline ${i} 99%`);
  expect(shown(lines.join('\n'))?.split('\n')).toEqual(lines.map((_, i) => `line ${i} 99%`));
  const long = `\u001b[1m${'word '.repeat(4_000)}\u001b[0mend`;
  expect(shown(long)).toBe(`${'word '.repeat(4_000)}end`);
});

test('text of files keeps its line ends, tabs and padding; colours go, inside JSON too, which stays JSON', () => {
  expect(shown('a\tb \r\nc  \r\n', 'mcp')).toBe('a\tb \r\nc  \r\n');
  expect(shown('\u001b[32mok\u001b[0m  \n', 'mcp')).toBe('ok  \n');
  const json = JSON.stringify({ out: '\u001b[1;31mred\u001b[0m', path: '\\u001b[31m' });
  expect(JSON.parse(shown(json, 'mcp') ?? '')).toEqual({ out: 'red', path: '\\u001b[31m' });
});

test('banners, repeated prompts and padding of a screen go; the raw form stays beside on demand', () => {
  const raw =
    'Welcome to Ubuntu 24.04 LTS (GNU/Linux 6.8.0 x86_64)\n\n * Documentation:  https://help.ubuntu.com\nLast login: Mon Nov 30 09:00:00 2026\nme@box:~$   \nme@box:~$\nme@box:~$ ls\n#\n#\na   \n\n\n';
  const [made] = clean(terminal([turnOf(keys('ls\n'), raw)]), { steps: ['denoise'], keepRaw: true });
  expect(made?.turns).toEqual([
    { action: keys('ls\n'), observation: 'me@box:~$\nme@box:~$ ls\n#\n#\na', status: 'ok', meta: { raw } },
  ]);
});

test('origins follow a shorter text, or the turn is left as it is', () => {
  const one = [{ start: 0, end: 5, origin: 'recorded' as const }];
  const two = [
    { start: 0, end: 2, origin: 'recorded' as const },
    { start: 2, end: 5, origin: 'predicted' as const },
  ];
  const turns = [one, two].map((origins) => turnOf('x', 'ab\n\n\n', { origins }));
  expect(clean(terminal(turns), { steps: ['denoise'] })[0]?.turns).toEqual([
    turnOf('x', 'ab', { origins: [{ start: 0, end: 2, origin: 'recorded' }] }),
    turnOf('x', 'ab\n\n\n', { origins: two }),
  ]);
});

test('a session is cut at another task and after an hour of nothing, not at a mere clear', () => {
  const at = (minute: number, task?: string): Partial<Turn> => ({
    meta: {
      startedAt: new Date(Date.UTC(2026, 0, 1, 0, minute)).toISOString(),
      durationMs: 1_000,
      ...(task !== undefined && { task }),
    },
  });
  const turns = [
    turnOf(callOf('a'), '1', at(0, 'x')),
    turnOf(callOf('b'), '2', at(1, 'x')),
    turnOf(callOf('c'), '3', at(2, 'y')),
    turnOf(callOf('d'), '4', at(3, 'y')),
    turnOf(callOf('e'), '5', at(90, 'y')),
    turnOf(callOf('f'), '6', at(91, 'y')),
  ];
  const parts = clean(trajectoryOf('s', turns, { gaps: [1, 6] }), { steps: ['segment'] });
  expect(parts.map(({ id, gaps, meta, turns: own }) => [id, gaps, meta.segment, own])).toEqual([
    [
      's/1',
      [1],
      { of: 's', part: 1, parts: 3, firstTurn: 1, why: 'the start of the session' },
      turns.slice(0, 2),
    ],
    ['s/2', [0], { of: 's', part: 2, parts: 3, firstTurn: 3, why: 'another task' }, turns.slice(2, 4)],
    [
      's/3',
      [0, 2],
      { of: 's', part: 3, parts: 3, firstTurn: 5, why: 'an hour without a turn' },
      turns.slice(4),
    ],
  ]);
  expect(parts[1]?.system.text).toBe(
    'You are a service.\n\n2 earlier turns of this session are not shown. The last observation before this part:\n2',
  );
  const cleared = ['ls src\n', 'make\n', 'clear\n', 'cd src\n', 'make test\n'].map((one) =>
    turnOf(keys(one), '$'),
  );
  expect(clean(terminal(cleared), { steps: ['segment'] })).toEqual([terminal(cleared)]);
});

test('a session is cut where the screen is cleared, the folder changes and nothing is in common', () => {
  const turns = ['vim notes.md\n', 'wc notes.md\n', 'clear\n', 'cd /srv/shop\n', 'npm install\n'].map((one) =>
    turnOf(keys(one), '$'),
  );
  expect(clean(terminal(turns), { steps: ['segment'] }).map(({ turns: own }) => own.length)).toEqual([2, 3]);
});

test('an action stands with its effect: waits are joined where nothing shown is lost', () => {
  const drops: Drop[] = [];
  const turns = [
    turnOf(keys('ls\n'), '$ ls\na\n$'),
    turnOf(keys('make\n', 0.1), '$ ls\na\n$ make'),
    turnOf(keys('', 2), '$ ls\na\n$ make\ncc x.c'),
    turnOf(keys('', 3), '$ ls\na\n$ make\ncc x.c\ndone\n$'),
    turnOf(keys('', 1), '$ ls\na\n$ make\ncc x.c\ndone\n$'),
    turnOf(keys('top\n'), 'screen one'),
    turnOf(keys('', 1), 'screen two'),
  ];
  const [made] = clean(terminal(turns, { gaps: [5] }), {
    steps: ['align'],
    onDrop: (drop) => drops.push(drop),
  });
  expect(made?.turns).toEqual([
    turns[0],
    turnOf(keys('make\n', 6.1), '$ ls\na\n$ make\ncc x.c\ndone\n$'),
    turns[5],
    turns[6],
  ]);
  expect(made?.gaps).toEqual([2]);
  expect(drops.map(({ turn, rule }) => [turn, rule])).toEqual([
    [4, 'waits joined'],
    [5, 'a wait that changed nothing'],
    [3, 'an effect that showed after a wait'],
  ]);
});

test('quality is told with reasons, and the bad are dropped on demand', () => {
  const good = trajectoryOf(
    'g',
    ['a', 'b', 'c', 'd'].map((one) => turnOf(callOf(one), `answer ${one}`)),
  );
  const bad = trajectoryOf('b', [
    turnOf(callOf('a'), ' '),
    turnOf(callOf('a'), 'caf\ufffd', { flags: ['truncated'] }),
    turnOf(callOf('a'), null, { status: 'limit' }),
    turnOf(callOf('a'), 'cafÃ© <system-reminder>x</system-reminder>'),
  ]);
  const stage = createCleanStage({ steps: ['score'], minQuality: 0.5 });
  expect(stage.take(good)[0]?.meta).toEqual({ quality: { score: 1, reasons: {} } });
  expect(stage.take(bad)).toEqual([]);
  expect(stage.report()).toEqual({
    score: {
      trajectories: 2,
      dropped: 1,
      meanScore: expect.closeTo(0.6, 0),
      scores: { 'from 0.3': 1, 'from 0.9': 1 },
      reasons: { cut: 1, dangling: 1, empty: 1, harness: 1, mojibake: 1, undecodable: 1 },
    },
  });
});

test('cleaning twice changes nothing, whatever the texts', () => {
  const piece = fc.constantFrom(
    '\u001b[31m',
    '\r',
    '\n',
    '\u001b[2K',
    '\u001b[1A',
    'me@box:~$ ',
    'Last login: x',
    'word',
    ' ',
    '\t',
    '\b',
    '\u001b',
    '[0m',
    '\u0007',
    'a@firma.de',
    '93.184.216.34',
    'token=q9w8e7r6t5',
    '/home/emma/',
    '\\u001b[1m',
    '"',
    '\\',
    '{"a":',
    '%40',
    '漢',
    'e\u0301',
    '\u009b',
    '🎉',
  );
  const text = fc.array(piece, { maxLength: 30 }).map((parts) => parts.join(''));
  const action = fc.oneof(
    text,
    fc.constantFrom(
      keys(''),
      keys('', 2),
      keys('ls\n'),
      keys('clear\n'),
      keys('cd /x\n'),
      keys('exit\n'),
      '[]',
    ),
  );
  const turn = fc.record({
    action,
    observation: fc.option(text, { freq: 9 }),
    status: fc.constant('ok' as const),
  });
  fc.assert(
    fc.property(
      fc.array(turn, { maxLength: 12 }),
      fc.constantFrom('terminal' as const, 'mcp' as const),
      fc.boolean(),
      (turns, domain, keepRaw) => {
        const once = clean(trajectoryOf('t', turns, { domain }), { keepRaw });
        expect(once.flatMap((one) => clean(one, { keepRaw }))).toEqual(once);
      },
    ),
    { numRuns: 400 },
  );
});
