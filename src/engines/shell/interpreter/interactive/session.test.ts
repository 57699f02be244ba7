/**
 * An interactive shell on a terminal: what typing shows, jobs, history, and going on from a copy.
 */
import { expect, test } from 'vitest';
import { joinBytes, type Process, type Program, Terminal, toBytes, toText } from '../../kernel/index.js';
import { OpenTerminal } from '../../kernel/terminal.js';
import { DEFAULT_SPEC, openMachine, startAsUser } from '../../machine/index.js';
import { bashProgram } from '../bash.js';

interface Screen {
  readonly type: (keys: string, ms?: number) => string;
  readonly proc: Process;
}

function open(program: Program = bashProgram): Screen {
  const env = { PS1: '$ ', TERM: 'dumb', PATH: '/usr/bin:/bin' };
  const machine = openMachine({ ...DEFAULT_SPEC, env }, 1);
  const { kernel } = machine;
  let shown: Uint8Array[] = [];
  const show = (bytes: Uint8Array): void => {
    shown.push(bytes);
  };
  const signal = (pgid: number, number: number): void => {
    kernel.postGroup(pgid, number);
  };
  const terminal = new Terminal({ show, signal, spend: () => {} }, { uid: 1000, nowUs: kernel.clock.nowUs });
  kernel.terminal = terminal;
  const proc = startAsUser(machine, program, ['bash', '--norc']);
  terminal.sid = proc.sid;
  terminal.foreground = proc.pgid;
  proc.terminal = terminal;
  for (const _fd of [0, 1, 2])
    proc.place(new OpenTerminal(terminal, { read: true, write: true }, '/dev/pts/0'));
  const type = (keys: string, ms = 100): string => {
    terminal.type(toBytes(keys));
    const steps = kernel.run(kernel.clock.nowUs + ms * 1000);
    while (steps.next({ do: 'proceed' }).done !== true);
    expect(kernel.crashes).toEqual([]);
    const text = toText(joinBytes(shown));
    shown = [];
    return text;
  };
  return { type, proc };
}

test('a typed command is shown, run, and followed by a prompt', () => {
  const { type } = open();
  expect(type('')).toBe('$ ');
  expect(type('echo hi\r')).toBe('echo hi\r\nhi\r\n$ ');
  expect(type('if true\rthen echo yes; fi\r')).toBe('if true\r\n> then echo yes; fi\r\nyes\r\n$ ');
  expect(type('nope; echo $?\r')).toBe('nope; echo $?\r\nbash: nope: command not found\r\n127\r\n$ ');
});

test('control characters interrupt, end and recall', () => {
  const { type, proc } = open();
  type('');
  type('half a line');
  expect(type('\x03')).toBe('^C\r\n$ ');
  expect(type('echo $?\r')).toBe('echo $?\r\n130\r\n$ ');
  expect(type('while :; do :; done\r')).toBe('while :; do :; done\r\n');
  expect(type('\x03')).toBe('^C\r\n$ ');
  expect(type('!e\r')).toBe('!e\r\necho $?\r\n130\r\n$ ');
  expect(type('\x04')).toBe('exit\r\n');
  expect(proc.exit).toEqual({ code: 0 });
});

test('words are completed: commands, files, and variables after a second Tab', () => {
  const { type } = open();
  type('');
  expect(type('unali\t')).toBe('unalias ');
  type('\x15');
  expect(type('echo /etc/host\t')).toBe('echo /etc/host\x07');
  expect(type('n\t')).toBe('name ');
  type('\x15');
  expect(type('echo $HOST\t\t')).toBe(
    'echo $HOST\x07\r\n$HOSTNAME  $HOSTTYPE\r\n\r$ echo $HOST\x1b[J\r\x1b[12C',
  );
});

test('a shell at its prompt goes on from a copy, also from its JSON', () => {
  const first = open();
  first.type('');
  first.type('x=5; a=(1 "2 3"); f() { echo "f $x" $a; }; alias hi="f; f"; set -u\r');
  first.type('cd /usr; hi');
  const checkpoint = first.proc.checkpoint;
  expect(checkpoint).not.toBe(null);
  if (checkpoint === null) return;
  const captured = checkpoint.capture();
  const stored = checkpoint.decode(JSON.parse(JSON.stringify(checkpoint.encode(captured))));
  const expected = first.type('\rpwd\r');
  expect(expected).toBe('\r\nf 5 1\r\nf 5 1\r\n$ pwd\r\n/usr\r\n$ ');
  for (const one of [captured, stored]) {
    const copy = open(checkpoint.resume(one));
    expect(copy.type('')).toBe('');
    expect(copy.type('\rpwd\r')).toBe(expected);
  }
});

test('messages of pipelines and subshells of an interactive shell have no line number either', () => {
  const { type } = open();
  type('');
  expect(
    type('nosuch1 | nosuch2; (nosuch3)\n')
      .match(/bash: .*/g)
      ?.map((line) => line.trim())
      .sort(),
  ).toEqual([
    'bash: nosuch1: command not found',
    'bash: nosuch2: command not found',
    'bash: nosuch3: command not found',
  ]);
});
