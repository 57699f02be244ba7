import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseJson, type Trajectory } from '../../core/index.js';
import { type ImportReport, importTrajectories } from '../import-trajectories.js';

async function importText(
  text: string,
): Promise<{ readonly trajectories: Trajectory[]; readonly report: ImportReport }> {
  const opened = importTrajectories('cast', [new TextEncoder().encode(text)]);
  if (!opened.ok) throw opened.error;
  const trajectories: Trajectory[] = [];
  for await (const trajectory of opened.value.trajectories) trajectories.push(trajectory);
  return { trajectories, report: opened.value.report() };
}

type Event = readonly [number, string, string];

const HEADER = { version: 2, width: 20, height: 6, timestamp: 1_772_355_600 };

function castOf(events: readonly Event[], header: object = HEADER): string {
  return [header, ...events].map((line) => `${JSON.stringify(line)}\n`).join('');
}

/** Keystrokes of every turn, with the screen after it. */
function turnsOf(trajectories: readonly Trajectory[]): readonly (readonly [string, string | null])[] {
  return trajectories.flatMap(({ turns }) =>
    turns.map(({ action, observation }) => {
      const parsed = parseJson(action);
      const batches = (parsed.ok ? parsed.value : []) as readonly { readonly keystrokes: string }[];
      return [batches.map(({ keystrokes }) => keystrokes).join('|'), observation] as const;
    }),
  );
}

const ON = '\u001b[?2004h';
const OFF = '\u001b[?2004l';

/** A session of three commands: a wrapped one, a here-document, a mistyped one with colour and a redrawn line. */
const SESSION: readonly Event[] = [
  [0.1, 'o', `${ON}$ `],
  [1, 'i', 'echo 123456789012345678\r'],
  [1.1, 'o', 'echo 1234567890123 \r45678\r\n'],
  [1.2, 'o', `${OFF}\r123456789012345678\r\n${ON}$ `],
  [2, 'i', 'cat <<E\r'],
  [2.1, 'o', `cat <<E\r\n${OFF}\r${ON}> `],
  [3, 'i', 'é\r'],
  [3.1, 'o', `é\r\n${OFF}\r${ON}> `],
  [4, 'i', 'E\r'],
  [4.1, 'o', `E\r\n${OFF}\r\u001b[31mé\u001b[0m\r\n${ON}$ `],
  [5, 'i', 'lsx'],
  [5.1, 'o', 'lsx'],
  [5.2, 'i', '\u007f\r'],
  [5.3, 'o', '\b\u001b[K\r\n'],
  [5.4, 'o', `${OFF}\ra\r\n${ON}$ `],
  [6, 'i', 'exit\r'],
  [6.1, 'o', `exit\r\n${OFF}\rexit\r\n`],
];

const SCREENS = [
  '$ echo 1234567890123\n45678\n123456789012345678\n$',
  '$ cat <<E\n> é\n> E\né\n$',
  '> é\n> E\né\n$ ls\na\n$',
];
const KEYS = ['echo 123456789012345678\n', 'cat <<E\n|é\n|E\n', 'lsx\u007f\n'];

test('recorded keys are the actions, commands of the shell the turns, and screens the observations', async () => {
  const { trajectories, report } = await importText(castOf(SESSION));
  const [made] = trajectories;
  expect(turnsOf(trajectories).map(([keys]) => keys)).toEqual(KEYS);
  expect(made?.turns.map(({ observation }) => observation)).toEqual([
    SCREENS[0],
    '123456789012345678\n$ cat <<E\n> é\n> E\né\n$',
    SCREENS[2],
  ]);
  expect([made?.domain, made?.system.initialState]).toEqual(['terminal', '$']);
  expect(made?.turns[0]?.action).toBe('[{"keystrokes":"echo 123456789012345678\\n","duration":0.2}]');
  expect(made?.turns[0]?.meta).toEqual({
    startedAt: '2026-03-01T09:00:01.000Z',
    durationMs: 200,
    raw: `$ echo 1234567890123 \r45678\r\n\r123456789012345678\r\n$ `,
  });
  expect(made?.meta).toMatchObject({ terminal: { columns: 20, rows: 6 }, events: { i: 7, o: 10 } });
  expect(report.skipped).toEqual({ 'command that ended the session': 1 });
});

test('without recorded keys the commands are what stood on the line when it was sent', async () => {
  const { trajectories } = await importText(castOf(SESSION.filter(([, code]) => code === 'o')));
  expect(turnsOf(trajectories).map(([keys]) => keys)).toEqual([
    'echo 123456789012345678\n',
    'cat <<E\n|é\n|E\n',
    'ls\n',
  ]);
});

test('a shell that marks nothing is read by its keys, else by prompts that look like one', async () => {
  const plain: readonly Event[] = [
    [0, 'o', 'me@box:~$ '],
    [1, 'i', 'l'],
    [1, 'o', 'l'],
    [1, 'i', 's\r'],
    [1, 'o', 's\r\na b\r\nme@box:~$ '],
    [2, 'i', 'id\r'],
    [2, 'o', 'id\r\n100% of it $ \r\nme@box:~$ '],
  ];
  const expected = [
    ['ls\n', 'me@box:~$ ls\na b\nme@box:~$'],
    ['id\n', 'me@box:~$ ls\na b\nme@box:~$ id\n100% of it $\nme@box:~$'],
  ];
  expect(turnsOf((await importText(castOf(plain))).trajectories)).toEqual(expected);
  const shown = plain.filter(([, code]) => code === 'o');
  expect(turnsOf((await importText(castOf(shown))).trajectories)).toEqual(expected);
});

test('where output is cut into events changes nothing', async () => {
  const whole = turnsOf((await importText(castOf(SESSION))).trajectories);
  await fc.assert(
    fc.asyncProperty(fc.array(fc.integer({ min: 1, max: 6 }), { minLength: 1 }), async (sizes) => {
      let next = 0;
      const cut = SESSION.flatMap(([time, code, data]): Event[] => {
        if (code !== 'o') return [[time, code, data]];
        const pieces: Event[] = [];
        for (let at = 0; at < data.length; ) {
          const size = sizes[next++ % sizes.length] ?? 1;
          pieces.push([time, code, data.slice(at, at + size)]);
          at += size;
        }
        return pieces;
      });
      expect(turnsOf((await importText(castOf(cut))).trajectories)).toEqual(whole);
    }),
    { numRuns: 40 },
  );
});

test('v1 is one document and v3 has relative times, comments, resizes and an exit status', async () => {
  const frames = SESSION.filter(([, code]) => code === 'o').map(([, , data]) => [0.1, data]);
  const one = await importText(JSON.stringify({ version: 1, width: 20, height: 6, stdout: frames }, null, 2));
  expect(turnsOf(one.trajectories).map(([keys]) => keys)).toEqual([KEYS[0], KEYS[1], 'ls\n']);
  const three = [
    JSON.stringify({ version: 3, term: { cols: 20, rows: 6 } }),
    '# a comment',
    '[0.1,"o","\\u001b[?2004h$ "]',
    '',
    '[1,"i","ls\\r"]',
    '[0.5,"m",""]',
    '[0,"o","ls\\r\\n\\u001b[?2004l\\r"]',
    '[0,"r","10x3"]',
    '[0,"o","a\\r\\nb\\r\\n\\u001b[?2004h$ "]',
    '[1,"q","?"]',
    '[1,"o"]',
    '[0,"x","3"]',
    '# the end',
  ].join('\n');
  const { trajectories, report } = await importText(three);
  expect(turnsOf(trajectories)).toEqual([['ls\n', 'a\nb\n$']]);
  expect(trajectories[0]?.meta).toMatchObject({ exitStatus: '3', format: 'asciicast-3' });
  expect(report.skipped).toEqual({
    'comment line': 2,
    'event of unknown code': 1,
    'exit status': 1,
    'malformed event': 1,
    marker: 1,
    resize: 1,
  });
});

test('a command without a prompt after it is unanswered; a program on the whole screen has no keys to tell', async () => {
  const cut = await importText(castOf(SESSION.slice(0, 6)));
  expect([cut.report.pairs, cut.report.dangling]).toEqual([1, 1]);
  const vim = await importText(
    castOf([
      [0, 'o', `${ON}$ `],
      [1, 'o', 'vi\r\n'],
      [1, 'o', `${OFF}\u001b[?1049h${ON}~ empty `],
      [2, 'o', `${OFF}\u001b[?1049l${ON}$ `],
    ]),
  );
  expect(turnsOf(vim.trajectories).map(([keys]) => keys)).toEqual(['vi\n']);
  expect(vim.report.skipped).toEqual({ 'full-screen program without recorded keys': 1 });
});

test('a long recording comes in parts', async () => {
  const line = `${'x'.repeat(60_000)}\r\n`;
  const events = Array.from({ length: 150 }, (_, n): Event[] => [
    [n, 'i', 'y\r'],
    [n, 'o', `y\r\n${OFF}\r${line}${ON}$ `],
  ]).flat();
  const { trajectories, report } = await importText(castOf([[0, 'o', `${ON}$ `], ...events]));
  expect(trajectories.map(({ id, gaps, meta }) => [id, gaps, meta.part])).toEqual([
    ['cast#1', undefined, undefined],
    ['cast#1~2', [0], 2],
  ]);
  expect(report.pairs).toBe(150);
});
