/**
 * The line discipline: what typing shows, what a reader gets, which signals control characters send.
 */
import { expect, test } from 'vitest';
import { DEFAULT_SPEC, openMachine, startAsUser } from '../machine/index.js';
import { joinBytes, type Process, type Program, SIG, Terminal, toBytes, toText } from './index.js';
import { OpenTerminal } from './terminal.js';

/** A machine whose user runs a program on a terminal; `type` types and lets 100 ms pass, and gives what was shown. */
function open(program: Program): { type: (keys: string) => string; proc: Process } {
  const machine = openMachine(DEFAULT_SPEC, 1);
  const { kernel } = machine;
  let shown: Uint8Array[] = [];
  const host = {
    show: (bytes: Uint8Array) => {
      shown.push(bytes);
    },
    spend: () => {},
    signal: (pgid: number, signal: number) => {
      kernel.postGroup(pgid, signal);
    },
  };
  const terminal = new Terminal(host, { uid: 1000, nowUs: kernel.clock.nowUs });
  kernel.terminal = terminal;
  const proc = startAsUser(machine, program, ['test']);
  terminal.sid = proc.sid;
  terminal.foreground = proc.pgid;
  proc.terminal = terminal;
  for (const fd of [0, 1, 2])
    expect(proc.place(new OpenTerminal(terminal, { read: true, write: true }, '/dev/pts/0'))).toBe(fd);
  const type = (keys: string): string => {
    terminal.type(toBytes(keys));
    const steps = kernel.run(kernel.clock.nowUs + 100_000);
    while (steps.next().done !== true);
    expect(kernel.crashes).toEqual([]);
    const now = toText(joinBytes(shown));
    shown = [];
    return now;
  };
  return { type, proc };
}

const cat: Program = function* (proc) {
  for (;;) {
    const bytes = yield* proc.read(0);
    if (bytes.length === 0) return 0;
    yield* proc.write(1, `[${toText(bytes)}]`);
  }
};

test('a line is edited before it is read, and shown as it is typed', () => {
  const { type } = open(cat);
  expect(type('abé\x7fc')).toBe('abé\b \bc');
  expect(type(' word\x17x\r')).toBe(` word${'\b \b'.repeat(4)}x\r\n[abc x\r\n]`);
  expect(type('gone\x15\n')).toBe(`gone${'\b \b'.repeat(4)}\r\n[\r\n]`);
});

test('end of file ends a reader only at the start of a line', () => {
  const { type, proc } = open(cat);
  expect(type('ab\x04')).toBe('ab[ab]');
  expect(proc.exit).toBe(null);
  expect(type('\x04')).toBe('');
  expect(proc.exit).toEqual({ code: 0 });
});

test('control characters interrupt, quit and suspend the foreground group', () => {
  const first = open(cat);
  expect(first.type('ab\x03')).toBe('ab^C');
  expect(first.proc.exit).toEqual({ signal: SIG.INT });
  const second = open(cat);
  expect(second.type('\x1c')).toBe('^\\');
  expect(second.proc.exit).toEqual({ signal: SIG.QUIT });
  const third = open(cat);
  expect(third.type('\x1a')).toBe('^Z');
  expect(third.proc.isStopped).toBe(true);
  expect(third.type('x\n')).toBe('x\r\n');
  third.proc.kernel.post(third.proc, SIG.CONT);
  expect(third.type('')).toBe('[x\r\n]');
});

test('a background group that reads from the terminal is stopped, and reads when it comes to the front', () => {
  let child: Process | undefined;
  const { type, proc } = open(function* (parent) {
    child = parent.fork(cat, { pgid: 0 });
    const event = yield* parent.wait({ pid: child.pid, stopped: true });
    yield* parent.write(1, JSON.stringify(event?.status));
    parent.tcsetpgrp(0, child.pgid);
    yield* parent.kill(-child.pgid, SIG.CONT);
    yield* parent.wait({ pid: child.pid });
    return 0;
  });
  expect(type('')).toBe('{"stopped":21}');
  expect(type('hi\n')).toBe('hi\r\n[hi\r\n]');
  expect(type('\x03')).toBe('^C');
  expect(child?.exit).toEqual({ signal: SIG.INT });
  expect(proc.exit).toEqual({ code: 0 });
});

test('raw input comes byte by byte and unseen', () => {
  const { type } = open(function* (proc) {
    proc.tcsetattr(0, { icanon: false, echo: false, isig: false });
    return yield* cat(proc);
  });
  type('');
  expect(type('a\x03')).toBe('[a\x03]');
});
