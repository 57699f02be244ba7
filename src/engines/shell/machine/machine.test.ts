/**
 * A machine's files: who may do what, what a fork shares, what a program's output is.
 */
import { expect, test } from 'vitest';
import { COMMAND_PROGRAMS } from '../commands/table.js';
import { execOrScript, type Process, type Program, SystemError } from '../kernel/index.js';
import { ROOT_ACTOR } from './debian-image.js';
import { DEFAULT_SPEC, type MachineSpec, openMachine, runProgram } from './index.js';
import { laidFiles } from './machine.js';

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

const SPEC: MachineSpec = {
  ...DEFAULT_SPEC,
  files: [
    { path: '/home/user/a.txt', content: bytes('alpha\n') },
    { path: '/home/user/locked', kind: 'directory', mode: 0o000 },
    { path: '/srv/app/secret', content: bytes('s'), mode: 0o600 },
    { path: '/home/user/link', kind: 'symlink', target: 'a.txt' },
    { path: '/home/user/loop', kind: 'symlink', target: 'loop' },
    { path: '/home/user/plain.sh', content: bytes('echo no'), mode: 0o755 },
  ],
};

/** Runs calls as the user and gives what each said: its value, or the error's code. */
function asUser(...calls: ((proc: Process) => unknown)[]): unknown[] {
  const seen: unknown[] = [];
  const program: Program = function* (proc) {
    for (const call of calls) {
      try {
        seen.push(call(proc));
      } catch (error) {
        if (!(error instanceof SystemError)) throw error;
        seen.push(error.code);
      }
      yield* proc.pause();
    }
    return 0;
  };
  expect(runProgram(openMachine(SPEC, 1), { program, argv: ['test'] }).crashes).toEqual([]);
  return seen;
}

test('a command runs and its output is caught', () => {
  const program = COMMAND_PROGRAMS.get('echo');
  if (program === undefined) throw new Error('no echo');
  const result = runProgram(openMachine(SPEC, 1), { program, argv: ['echo', '-e', 'a\\tb', 'c'] });
  expect(result).toEqual({
    stdout: 'a\tb c\n',
    stderr: '',
    merged: 'a\tb c\n',
    exitCode: 0,
    durationMs: result.durationMs,
    isCut: false,
    crashes: [],
  });
});

test('permissions are those of the user', () => {
  const seen = asUser(
    (proc) => proc.stat('/srv/app/secret').content?.size,
    (proc) => proc.openNow('/srv/app/secret'),
    (proc) => proc.readdir('/home/user/locked'),
    (proc) => proc.stat('/home/user/locked/x'),
    (proc) => proc.mkdir('/etc/x'),
    (proc) => proc.unlink('/etc/passwd'),
    (proc) => proc.chown('/home/user/a.txt', { uid: 0 }),
    (proc) => proc.chmod('/etc/passwd', 0o777),
    (proc) => proc.openNow('/etc/shadow'),
    (proc) => proc.readdir('/root'),
    (proc) => proc.rmdir('/tmp'),
    (proc) => proc.stat('/home/user/a.txt/x'),
    (proc) => proc.stat('/home/user/loop'),
    (proc) => proc.openNow('/home/user', { write: true }),
    (proc) => proc.rename('/home/user', '/home/user/locked/x'),
    (proc) => proc.stat(`/${'n'.repeat(256)}`),
  );
  expect(seen).toEqual([
    1,
    'EACCES',
    'EACCES',
    'EACCES',
    'EACCES',
    'EACCES',
    'EPERM',
    'EPERM',
    'EACCES',
    'EACCES',
    'EACCES',
    'ENOTDIR',
    'ELOOP',
    'EISDIR',
    'EACCES',
    'ENAMETOOLONG',
  ]);
});

test('links, modes and folders keep their counts', () => {
  const seen = asUser(
    (proc) => proc.link('a.txt', 'b.txt'),
    (proc) => proc.stat('link').nlink,
    (proc) => proc.unlink('a.txt'),
    (proc) => proc.stat('b.txt').nlink,
    (proc) => proc.stat('link'),
    (proc) => proc.mkdir('d'),
    (proc) => proc.mkdir('d/e'),
    (proc) => proc.stat('d').nlink,
    (proc) => proc.rmdir('d'),
    (proc) => proc.rename('d/e', 'e'),
    (proc) => [proc.stat('d').nlink, proc.realpath('e/..')],
    (proc) => proc.chdir('e'),
    (proc) => proc.rmdir('/home/user/e'),
    (proc) => proc.getcwd(),
    (proc) => proc.openNow('x', { create: true, write: true }),
  );
  const done = undefined;
  expect(seen).toEqual([
    done,
    2,
    done,
    1,
    'ENOENT',
    done,
    done,
    3,
    'ENOTEMPTY',
    done,
    [2, '/home/user'],
    done,
    done,
    'ENOENT',
    'ENOENT',
  ]);
});

test('binaries are files: a copy runs, a text without an interpreter is given to sh', () => {
  const program: Program = function* (proc) {
    const copy = yield* proc.open('/home/user/mine', { create: true, write: true, mode: 0o755 });
    yield* proc.write(copy, yield* proc.readFile('/usr/bin/echo'));
    proc.close(copy);
    const child = proc.fork((forked) => execOrScript(forked, './mine', ['mine', 'works']));
    yield* proc.wait({ pid: child.pid });
    return yield* proc.exec('./plain.sh', ['plain.sh']);
  };
  const caught: Program = function* (proc) {
    try {
      return yield* program(proc);
    } catch (error) {
      yield* proc.write(2, `${(error as Error).message}\n`);
      return 126;
    }
  };
  const result = runProgram(openMachine(SPEC, 1), { program: caught, argv: ['test'] });
  expect([result.stdout, result.stderr, result.exitCode]).toEqual([
    'works\n',
    './plain.sh: Exec format error\n',
    126,
  ]);
});

test('machines of one specification do not see each other', () => {
  const [one, other] = [openMachine(SPEC, 1), openMachine(SPEC, 1)];
  one.kernel.files.unlink({ uid: 0, gid: 0, groups: [], cwdIno: 2, umask: 0 }, '/home/user/a.txt');
  const root = { uid: 0, gid: 0, groups: [], cwdIno: 2, umask: 0 };
  expect(one.kernel.files.walk(root, '/home/user/a.txt', true).inode).toBe(undefined);
  expect(other.kernel.files.walk(root, '/home/user/a.txt', true).inode?.kind).toBe('file');
});

test('the files of /proc and /dev/fd are those of the process that looks', () => {
  const seen = asUser(
    (proc) => proc.readlink('/proc/self') === String(proc.pid),
    (proc) => proc.readdir('/proc/self/fd').map(({ name }) => name),
    (proc) => proc.readdir('/proc').some(({ name }) => name === '1'),
    (proc) => proc.openNow('/dev/fd/1', { write: true }),
    (proc) => proc.file(3) === proc.file(1),
    (proc) => proc.chdir('/proc/self'),
    (proc) => proc.getcwd() === `/proc/${proc.pid}`,
    (proc) => proc.mkdir('/proc/x'),
    (proc) => proc.stat('/proc/99999'),
    (proc) => proc.openNow('/proc/1/environ'),
    (proc) => proc.openNow('/proc/uptime', { write: true }),
  );
  expect(seen).toEqual([
    true,
    ['0', '1', '2'],
    true,
    3,
    true,
    undefined,
    true,
    'EACCES',
    'ENOENT',
    'EACCES',
    'EACCES',
  ]);
});

test('mounts are read only or full where the world says so', () => {
  const spec: MachineSpec = {
    ...DEFAULT_SPEC,
    files: [{ path: '/mnt/old/a', content: bytes('a'), owner: 'user' }],
    mounts: [
      { path: '/mnt/old', source: '/dev/sdb1', type: 'ext4', isReadOnly: true },
      { path: '/mnt/small', source: 'tmpfs', type: 'tmpfs', sizeBytes: 8192 },
    ],
  };
  const seen: unknown[] = [];
  const program: Program = function* (proc) {
    proc.uid = 0;
    for (const [path, flags] of [
      ['/mnt/old/a', { write: true }],
      ['/mnt/old/b', { write: true, create: true }],
      ['/mnt/small/c', { write: true, create: true }],
    ] as const) {
      try {
        const fd = yield* proc.open(path, flags);
        yield* proc.write(fd, 'x'.repeat(10_000));
      } catch (error) {
        seen.push((error as Error).message);
      }
    }
    seen.push(proc.stat('/mnt/small/c').content?.size, proc.mountOf(proc.stat('/mnt/small/c')).usedBytes);
    return 0;
  };
  expect(runProgram(openMachine(spec, 1), { program, argv: ['test'] }).crashes).toEqual([]);
  expect(seen).toEqual([
    '/mnt/old/a: Read-only file system',
    '/mnt/old/b: Read-only file system',
    'No space left on device',
    8192,
    8192,
  ]);
});

test('what is laid on a small disk is taken from it, and what is deleted gives back no more', () => {
  const spec = {
    ...DEFAULT_SPEC,
    mounts: [{ path: '/srv/data', source: '/dev/sdb1', type: 'ext4', sizeBytes: 65_536 }],
    files: [{ path: '/srv/data/a', content: new Uint8Array(30_000), owner: 'user' }],
  };
  const files = laidFiles(spec);
  const used = (): number => files.mounts.find(({ path }) => path === '/srv/data')?.usedBytes ?? -1;
  expect(used()).toBe(32_768);
  files.unlink(ROOT_ACTOR, '/srv/data/a');
  expect(used()).toBe(0);
});

test('the free part of the root disk is what the world says, whatever is laid on it', () => {
  const spec = { ...DEFAULT_SPEC, diskBytes: 1_000_000_000, freeBytes: 5_000 };
  const files = laidFiles({ ...spec, files: [{ path: '/home/user/a', content: new Uint8Array(300_000) }] });
  const root = files.mounts.find(({ path }) => path === '/');
  expect((root?.sizeBytes ?? 0) - (root?.usedBytes ?? 0)).toBe(5_000);
});

test('a program that every Debian has is a question, not "command not found", whatever packages a world has', () => {
  const files = laidFiles({ ...DEFAULT_SPEC, packages: ['git'] });
  const isThere = (name: string): boolean =>
    files.walk(ROOT_ACTOR, `/usr/bin/${name}`, false).inode !== undefined;
  expect(['perl', 'ps', 'less', 'git', 'file', 'python3'].map(isThere)).toEqual([
    true,
    true,
    true,
    true,
    false,
    false,
  ]);
});
