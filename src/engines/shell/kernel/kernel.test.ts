/**
 * The kernel with small programs: order of output, pipes, signals, the virtual clock.
 */
import { expect, test } from 'vitest';
import { randomStream } from '../../../core/index.js';
import { FileSystem } from './file-system.js';
import { SIG } from './index.js';
import { Io } from './io.js';
import { Kernel } from './kernel.js';
import type { Process } from './process.js';
import type { Program } from './wait.js';

const START_US = 1_700_000_000_000_000;

/** Runs a program as pid 1 with descriptors 1 and 2 on `/out`; gives what was written and the virtual time. */
function run(program: Program): { out: string; ms: number; kernel: Kernel } {
  const clock = { nowUs: START_US };
  const root = { path: '/', source: '/dev/sda1', type: 'ext4', options: 'rw', isReadOnly: false };
  const mount = { ...root, dev: 1, sizeBytes: 1 << 24, usedBytes: 0, sizeInodes: 1000, usedInodes: 0 };
  const files = FileSystem.empty(mount, clock);
  const limits = { processes: 50, descriptors: 64 };
  const kernel = new Kernel({
    clock,
    files,
    random: randomStream(1, 'shell'),
    limits,
    programs: () => () => {
      throw new Error('none');
    },
  });
  const spec = {
    argv: ['init'],
    env: new Map(),
    uid: 0,
    gid: 0,
    groups: [0],
    ppid: 0,
    cwdIno: 2,
    umask: 0o022,
  };
  const proc = kernel.start(spec, program);
  proc.openNow('/out', { create: true, read: true, write: true, append: true });
  proc.dup2(0, 1);
  proc.dup2(0, 2);
  const steps = kernel.run(START_US + 60e6);
  while (steps.next().done !== true);
  expect(kernel.crashes).toEqual([]);
  const content = files.resolve(proc.actor, '/out').content;
  return {
    out: new TextDecoder().decode(content?.read(0, 1e6)),
    ms: Math.round((clock.nowUs - START_US) / 1000),
    kernel,
  };
}

/** Two children, the first writing into a pipe that the second reads. */
function* pipeline(parent: Process, left: Program, right: Program) {
  const [read, write] = parent.pipe();
  const first = parent.fork(function* (child) {
    child.dup2(write, 1);
    child.close(read);
    child.close(write);
    return yield* left(child);
  });
  const second = parent.fork(function* (child) {
    child.dup2(read, 0);
    child.close(read);
    child.close(write);
    return yield* right(child);
  });
  parent.close(read);
  parent.close(write);
  const one = yield* parent.wait({ pid: first.pid });
  const two = yield* parent.wait({ pid: second.pid });
  return [one?.status, two?.status];
}

const yes: Program = function* (proc) {
  const io = new Io(proc);
  for (;;) {
    io.out('y\n');
    if (io.mustDrain) yield* io.drain();
  }
};

const headTwo: Program = function* (proc) {
  const io = new Io(proc);
  const input = io.lines(0);
  for (let count = 0; count < 2; count++) io.out(`${yield* input.line()}\n`);
  yield* io.flush();
  return 0;
};

test('a producer without end is ended by SIGPIPE when its reader goes', () => {
  let statuses: unknown;
  const { out } = run(function* (init) {
    statuses = yield* pipeline(init, yes, headTwo);
    return 0;
  });
  expect(out).toBe('y\ny\n');
  expect(statuses).toEqual([{ signal: SIG.PIPE }, { code: 0 }]);
});

test('standard error comes before buffered standard output', () => {
  const { out } = run(function* (init) {
    const io = new Io(init);
    io.out('listing\n');
    io.err('cannot access\n');
    yield* io.flush();
    return 0;
  });
  expect(out).toBe('cannot access\nlisting\n');
});

test('sleeping costs virtual time only, and sleepers overlap', () => {
  const { out, ms } = run(function* (init) {
    const late = init.fork(function* (child) {
      yield* child.sleep(200_000);
      yield* child.write(1, 'late\n');
      return 0;
    });
    yield* init.sleep(100_000);
    yield* init.write(1, 'early\n');
    yield* init.wait({ pid: late.pid });
    yield* init.write(1, 'done\n');
    return 0;
  });
  expect(out).toBe('early\nlate\ndone\n');
  expect(ms).toBe(60_000);
});

test('a signal ends, a handler interrupts a wait, an ignored signal does nothing', () => {
  let seen: unknown[] = [];
  run(function* (init) {
    const plain = init.fork(function* (child) {
      yield* child.sleep(10e6);
      return 0;
    });
    const deaf = init.fork(function* (child) {
      child.onSignal(SIG.TERM, 'ignore');
      yield* child.sleep(1e6);
      return 3;
    });
    yield* init.sleep(1000);
    yield* init.kill(plain.pid, SIG.TERM);
    yield* init.kill(deaf.pid, SIG.TERM);
    const one = yield* init.wait({ pid: plain.pid });
    const two = yield* init.wait({ pid: deaf.pid });
    seen = [one?.status, two?.status];
    return 0;
  });
  expect(seen).toEqual([{ signal: SIG.TERM }, { code: 3 }]);
});

test('processes that multiply stop at the limit of the machine', () => {
  const bomb: Program = function* (proc) {
    for (;;) {
      try {
        proc.fork(bomb);
      } catch {
        yield* proc.sleep(1e6);
      }
      yield* proc.pause();
    }
  };
  expect(run(bomb).kernel.processes.size).toBe(50);
});
