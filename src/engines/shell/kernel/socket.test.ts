/**
 * Sockets of the kernel, between two processes.
 */
import { expect, test } from 'vitest';
import { DEFAULT_SPEC, openMachine, runProgram } from '../machine/index.js';
import {
  acceptSocket,
  bindSocket,
  connectSocket,
  listenSocket,
  openSocket,
  type Process,
  type Running,
  SIG,
  SystemError,
  socketOf,
} from './index.js';

const AT = { family: 'inet', host: '127.0.0.1', port: 7000 } as const;

function saidBy(body: (proc: Process, say: (text: string) => void) => Running<void>): string[] {
  const said: string[] = [];
  const on = openMachine(DEFAULT_SPEC, 1);
  runProgram(on, {
    program: function* (proc) {
      yield* body(proc, (text) => said.push(text));
      return 0;
    },
    argv: ['test'],
  });
  expect(on.kernel.crashes).toEqual([]);
  return said;
}

function codeOf(act: () => unknown): string {
  try {
    act();
    return 'ok';
  } catch (error) {
    if (error instanceof SystemError) return error.code;
    throw error;
  }
}

function* codeOfRun(act: () => Running<unknown>): Running<string> {
  try {
    yield* act();
    return 'ok';
  } catch (error) {
    if (error instanceof SystemError) return error.code;
    throw error;
  }
}

test('a connection carries bytes both ways, ends, and tells a writer that nobody reads', () => {
  const said = saidBy(function* (proc, say) {
    proc.onSignal(SIG.PIPE, 'ignore');
    const server = openSocket(proc, 'inet');
    bindSocket(proc, server, AT);
    listenSocket(proc, server, 1);
    const child = proc.fork(function* (own) {
      own.close(server);
      const fd = openSocket(own, 'inet');
      yield* connectSocket(own, fd, AT);
      yield* own.write(fd, 'ping');
      say(new TextDecoder().decode(yield* own.read(fd)));
      return 0;
    });
    const fd = yield* acceptSocket(proc, server);
    say(new TextDecoder().decode(yield* proc.read(fd)));
    yield* proc.write(fd, 'pong');
    yield* proc.wait({ pid: child.pid });
    say(`end ${(yield* proc.read(fd)).length}`);
    say(yield* codeOfRun(() => proc.write(fd, 'more')));
    say(yield* codeOfRun(() => proc.write(fd, 'more')));
  });
  expect(said).toEqual(['ping', 'pong', 'end 0', 'ok', 'EPIPE']);
});

test('addresses are taken once, ports without a listener refuse, and other machines are unreachable', () => {
  const said = saidBy(function* (proc, say) {
    const [one, two, three] = [0, 1, 2].map(() => openSocket(proc, 'inet'));
    bindSocket(proc, one as number, AT);
    say(codeOf(() => bindSocket(proc, two as number, { ...AT, host: '0.0.0.0' })));
    say(codeOf(() => bindSocket(proc, two as number, { ...AT, port: 80 })));
    say(codeOf(() => bindSocket(proc, two as number, { ...AT, host: '10.0.0.9' })));
    say(codeOf(() => socketOf(proc, 1)));
    say(yield* codeOfRun(() => connectSocket(proc, three as number, AT)));
    say(yield* codeOfRun(() => connectSocket(proc, three as number, { ...AT, host: '10.0.0.9' })));
    proc.file(three as number).setNonblocking(true);
    say(yield* codeOfRun(() => connectSocket(proc, three as number, AT)));
    say(String(socketOf(proc, three as number).error));
  });
  expect(said).toEqual([
    'EADDRINUSE',
    'EACCES',
    'EADDRNOTAVAIL',
    'ENOTSOCK',
    'ECONNREFUSED',
    'ENETUNREACH',
    'EINPROGRESS',
    'ECONNREFUSED',
  ]);
});
