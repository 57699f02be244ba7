/**
 * Sessions of the shell engine: screens after keystrokes, forks and snapshots at any instant, programs nobody computes.
 */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { EngineSession, HostReply, ParsedAction } from '../../../core/index.js';
import { terminalFormat } from '../../../domains/index.js';
import { drive, type TestHost, testEngineContract } from '../../engine.contract.js';
import { DEFAULT_SPEC, type MachineSpec } from '../machine/index.js';
import { createShellEngine } from './shell-engine.js';

const engine = createShellEngine();
const START_MS = DEFAULT_SPEC.startMs;
const SPEC: MachineSpec = {
  ...DEFAULT_SPEC,
  id: 'one',
  hostname: 'box',
  cwd: '/w',
  env: { PS1: '\\h:\\w\\$ ' },
  files: [
    { path: '/etc/bash.bashrc', content: new Uint8Array(0) },
    { path: '/w/a.txt', content: new TextEncoder().encode('alpha\n') },
  ],
};

const action = (text: string): ParsedAction => terminalFormat.parseAction(text);
const keys = (keystrokes: string, duration = 1): ParsedAction =>
  action(JSON.stringify([{ keystrokes, duration }]));

/** A session that counts its own time. */
class Terminal {
  private turn = 1;

  constructor(
    readonly session: EngineSession = engine.open(SPEC, 1),
    private nowMs = START_MS,
  ) {}

  act(what: ParsedAction, host?: TestHost): string | null {
    const how = { nowMs: this.nowMs, turn: this.turn, ...(host === undefined ? {} : { host }) };
    const outcome = drive(this.session, what, how);
    this.nowMs += outcome.durationMs;
    this.turn += 1;
    return outcome.answer?.text.text ?? null;
  }

  type(keystrokes: string, duration?: number): string | null {
    return this.act(keys(keystrokes, duration));
  }
}

testEngineContract({
  name: 'shell',
  engine,
  spec: SPEC,
  other: { ...SPEC, id: 'other' },
  actions: [
    'echo one > b.txt\n',
    'cat a.txt b.txt\n',
    'x=5; cd /tmp\n',
    'echo $x $PWD\n',
    'rm -f /w/b.txt\n',
  ].map((text) => keys(text)),
  refused: { kind: 'tool-call', name: 'other', arguments: {} },
});

test('keys are keys only as a whole text, and nothing runs without a newline', () => {
  const terminal = new Terminal();
  expect(terminal.type('sleep 30\n')).toBe('box:/w$ sleep 30');
  expect(terminal.type('C-c')).toBe('box:/w$ sleep 30\n^C\nbox:/w$');
  expect(terminal.type('C-l')).toBe('box:/w$');
  expect(terminal.type('sleep 5\n')).toBe('box:/w$ sleep 5');
  expect(terminal.type('C-c\n')).toBe('box:/w$ sleep 5\nC-c');
  expect(terminal.type('', 6)).toBe(
    'box:/w$ sleep 5\nC-c\nbox:/w$ C-c\nbash: C-c: command not found\nbox:/w$',
  );
  terminal.type('C-l');
  expect(terminal.type('echo Enter')).toBe('box:/w$ echo Enter');
  expect(terminal.type('Enter')).toBe('box:/w$ echo Enter\nEnter\nbox:/w$');
  expect(terminal.type('ls')).toBe('box:/w$ echo Enter\nEnter\nbox:/w$ ls');
  terminal.type('C-u');
  terminal.type('C-l');
  expect(terminal.type('sleep 2; echo done\n', 0.5)).toBe('box:/w$ sleep 2; echo done');
  expect(terminal.type('', 2)).toBe('box:/w$ sleep 2; echo done\ndone\nbox:/w$');
});

test('the screen has forty rows, and waiting shows it again', () => {
  const terminal = new Terminal();
  const rows = [...Array.from({ length: 39 }, (_, index) => String(index + 22)), 'box:/w$'].join('\n');
  expect(terminal.type('seq 1 60\n')).toBe(rows);
  expect(terminal.type('')).toBe(rows);
  expect(terminal.type('clear\n')).toBe('box:/w$');
  expect(terminal.type('pwd\n')).toBe('box:/w$ pwd\n/w\nbox:/w$');
});

test('removed files stay removed', () => {
  const terminal = new Terminal();
  for (const line of ['echo first > note.txt', 'cat note.txt', 'rm note.txt', 'ls', 'pwd', 'clear'])
    terminal.type(`${line}\n`);
  expect(terminal.type('cat note.txt; echo rc=$?\n')).toBe(
    'box:/w$ cat note.txt; echo rc=$?\ncat: note.txt: No such file or directory\nrc=1\nbox:/w$',
  );
});

test('what runs in the background goes on while nobody types, also between actions', () => {
  const terminal = new Terminal();
  expect(terminal.type('(sleep 3; echo late) & sleep 1; echo early\n', 2)).toContain('\nearly\nbox:/w$');
  expect(terminal.type('', 2)).toContain('late');
  const { session } = terminal;
  terminal.type('(sleep 60; echo x > later.txt) &\n');
  expect(session.advance({ nowMs: START_MS + 30_000, turn: 9 })).toBe(true);
  expect(session.view()).not.toHaveProperty(['files', '/w/later.txt']);
  session.advance({ nowMs: START_MS + 90_000, turn: 9 });
  expect(session.view()).toHaveProperty(['files', '/w/later.txt'], 'x\n');
});

const answer = (value: object): HostReply => ({
  do: 'answer',
  answer: { text: { text: '', origins: [] }, value: value as never, isError: false },
});

test('a program that nobody computes is asked for, and the pipe around it is computed', () => {
  const seen: unknown[] = [];
  const host: TestHost = (call) => {
    if (call.phase !== 'unknown') return undefined;
    seen.push(call.op);
    return answer({ stdout: '3 files\n2 dirs\n', exitCode: 4, files: { 'made.txt': 'new\n' } });
  };
  const terminal = new Terminal();
  expect(terminal.act(keys('echo in | ruby count a.txt | sort; echo $?; cat made.txt\n'), host)).toBe(
    'box:/w$ echo in | ruby count a.txt | sort; echo $?; cat made.txt\n2 dirs\n3 files\n0\nnew\nbox:/w$',
  );
  expect(seen).toEqual([
    {
      kind: 'proc.start',
      name: 'ruby',
      target: '/usr/bin/ruby',
      args: {
        argv: ['ruby', 'count', 'a.txt'],
        cwd: '/w',
        stdin: 'in\n',
        files: { 'a.txt': 'alpha\n' },
        env: expect.objectContaining({ PWD: '/w' }),
      },
      stateMark: expect.stringMatching(/^[0-9a-f]{8,16}$/),
    },
  ]);
});

test('where nobody knows the program, the step has no observation and the state is as before', () => {
  const terminal = new Terminal();
  const before = terminal.type('x=1\n');
  const abstain: TestHost = (call) =>
    call.phase === 'unknown' ? { do: 'abstain', status: 'abstained', reason: 'nobody knows' } : undefined;
  expect(terminal.act(keys('x=2; touch t; ruby status\n'), abstain)).toBe(null);
  expect(terminal.type('')).toBe(before);
  expect(terminal.type('echo $x; ls\n')).toContain('\n1\na.txt\nbox:/w$');
});

test('a foreign screen is taken in: its picture, its folder, and files that it shows whole', () => {
  const { session } = new Terminal();
  const cat = keys('cat notes.txt\n');
  if (cat.kind !== 'tool-call') throw new Error('no action');
  const spec = { nowMs: START_MS, turn: 1 };
  const screen = 'user@lab:/srv/data$ cat notes.txt\none\ntwo\nuser@lab:/srv/data$ ';
  expect(session.absorb(cat, screen, spec)).toEqual({ absorbed: 3, conflicts: [] });
  expect(new Terminal(session).type('pwd; wc -l notes.txt\n')).toBe(
    'user@lab:/srv/data$ cat notes.txt\none\ntwo\nuser@lab:/srv/data$ pwd; wc -l notes.txt\n/srv/data\n2 notes.txt\nbox:/srv/data$',
  );
});

test('what was typed elsewhere is carried out here too', () => {
  const { session } = new Terminal();
  const typed = keys('mkdir made; x=7\n');
  if (typed.kind !== 'tool-call') throw new Error('no action');
  session.absorb(typed, 'ann@other:~$ mkdir made; x=7\nsome banner', { nowMs: START_MS, turn: 1 });
  expect(new Terminal(session).type('clear; ls -d made; echo $x\n')).toContain('made\n7\n');
});

test('a world that lists its packages has no others', () => {
  const terminal = new Terminal(engine.open({ ...SPEC, packages: [] }, 1));
  expect(terminal.type('ruby status\n')).toBe('box:/w$ ruby status\nbash: ruby: command not found\nbox:/w$');
});

test('a command of a verifier changes nothing', () => {
  const { session } = new Terminal();
  expect(session.command?.('cat a.txt; touch b; exit 3')).toEqual({ exitCode: 3, stdout: 'alpha\n' });
  expect(session.command?.('test -e b')).toEqual({ exitCode: 1, stdout: '' });
  expect(session.command?.('sleep 1000')).toBe(null);
});

test('processes that multiply end with the time of the action, at the limit of the machine', () => {
  const terminal = new Terminal();
  terminal.type(':(){ :|:& };:\n', 2);
  const { processes } = terminal.session.view() as { processes: object[] };
  expect(processes.length).toBeLessThanOrEqual(512);
});

const LINES = [
  'echo $RANDOM >> r.txt',
  'sleep 2 &',
  'sleep 3; echo woke',
  'for i in 1 2 3; do echo $i; sleep 1; done',
  'cd /tmp; pwd',
  'cd /w; ls',
  'f() { echo "<$1>"; }; f $x',
  'x=$((x + 1)); export x',
  'cat',
  'jobs; wait',
  'echo "half',
  'yes | head -2',
  'alias ll="ls -l"; ll',
];
const anyKeys = fc.oneof(
  fc.constantFrom(...LINES).map((line) => `${line}\n`),
  fc.constantFrom('C-c', 'C-z', 'C-d', 'fg\n', 'bg\n', 'Up', 'ab', 'C-w', '"\n', ''),
);
const anyStep = fc.tuple(anyKeys, fc.constantFrom(0.1, 0.5, 1.5, 4));

test('forks and snapshots at random instants live as a replay does', () => {
  fc.assert(
    fc.property(fc.array(anyStep, { minLength: 2, maxLength: 8 }), fc.nat(), (steps, at) => {
      const cut = at % steps.length;
      const whole = new Terminal();
      const screens = steps.map(([text, duration]) => whole.type(text, duration));
      const first = new Terminal();
      for (const [text, duration] of steps.slice(0, cut)) first.type(text, duration);
      const rest = steps.slice(cut);
      const goOn = (session: EngineSession): (string | null)[] => {
        const terminal = new Terminal(session, timeAt(steps.slice(0, cut)));
        return rest.map(([text, duration]) => terminal.type(text, duration));
      };
      const restored = createShellEngine().restore(SPEC, 1, first.session.snapshot());
      const wanted = screens.slice(cut);
      expect(goOn(first.session.fork())).toEqual(wanted);
      expect(goOn(restored)).toEqual(wanted);
      expect(goOn(first.session.fork())).toEqual(wanted);
    }),
    { numRuns: 40 },
  );
});

/** The clock after some steps. */
function timeAt(steps: readonly (readonly [string, number])[]): number {
  return START_MS + steps.reduce((sum, [, duration]) => sum + duration * 1000, 0);
}

test.each([
  ['an endless loop', 'while :; do :; done\n'],
  ['endless output', 'yes\n'],
  ['endless recursion', 'f() { f; }; f\n'],
  ['a link that leads to itself', 'ln -s l l; cat l; cd l\n'],
  ['a large file', 'head -c 1G /dev/zero > big; ls -l big\n'],
  ['a disk that is filled', 'yes > full\n'],
])('%s ends with its time', (_name, line) => {
  const terminal = new Terminal();
  const screen = terminal.type(line, 2);
  expect(screen?.split('\n').length).toBeLessThanOrEqual(40);
  terminal.type('C-c');
  expect(terminal.type('C-c', 5)).toContain('box:/w$');
});
