/**
 * Faults of programs on a machine: killed, out of memory, missing, failing, hanging, cut short.
 *
 * `on: {command: GLOB}` names programs by the last part of their path (`git`, `deploy.sh`). What the shell does itself
 * (`echo`, `cd`, `test`, functions) starts no program. Before: the program does not get to work; after: its work is done
 * and its end is another one. Sources: signal(7), ld.so(8); the words of servers are those of the programs themselves.
 */
import { z } from 'zod';
import { type Answer, isJsonObject, type Json, type Operation } from '../../core/index.js';
import { compileGlob } from '../../rules/index.js';
import { defineOperationFault, type FaultAction, faultAnswer } from '../fault-kind.js';

const PLACE = {
  family: 'shell',
  domains: ['terminal', 'swe'],
  phases: ['before', 'after'],
  operations: ['proc.start'],
} as const;

/** An answer that says how a program goes. */
function program(kind: string, value: Readonly<Record<string, Json>>): Answer {
  return { ...faultAnswer(kind, ''), value };
}

const afterSeconds = z
  .number()
  .nonnegative()
  .max(86_400)
  .default(1)
  .describe('Simulated seconds until it is ended.');

function ended(kind: string, signal: string, seconds: number): FaultAction {
  const value = { signal, waitMs: Math.round(seconds * 1000), keepsOutput: true };
  return { do: 'answer', answer: program(kind, value), note: { detail: signal } };
}

/** The kind `out-of-memory`. */
const outOfMemoryFault = defineOperationFault({
  ...PLACE,
  name: 'out-of-memory',
  description:
    'A program is killed because there is no memory: the shell says Killed, exit status 137. Before: it has done nothing; after: its work is done, and it is killed all the same.',
  remedy: 'Look what it left behind; do with less at a time, or say so.',
  permanently: 'honest-report',
  parameters: z.strictObject({ afterSeconds }),
  example: { fault: { on: { command: 'sort' } }, keys: ['sort notes.txt; echo status $?'] },
  strike: ({ afterSeconds: seconds }) => ended('out-of-memory', 'SIGKILL', seconds),
  tookEffect: ({ seen, clean }) => seen.text.includes('Killed') && !clean.text.includes('Killed'),
});

const SAYS = {
  SIGTERM: 'Terminated',
  SIGKILL: 'Killed',
  SIGSEGV: 'Segmentation fault',
  SIGHUP: 'Hangup',
  SIGABRT: 'Aborted',
} as const;

/** The kind `process-killed`. */
const processKilledFault = defineOperationFault({
  ...PLACE,
  name: 'process-killed',
  description:
    'A program is ended by a signal. Before: it has done nothing; after: its work is done. The shell says which signal, and the status is 128 and its number.',
  remedy: 'Look what it left behind; start it again.',
  permanently: 'honest-report',
  parameters: z.strictObject({
    signal: z
      .enum(['SIGTERM', 'SIGKILL', 'SIGSEGV', 'SIGHUP', 'SIGABRT'])
      .default('SIGKILL')
      .describe('The signal.'),
    afterSeconds,
  }),
  example: {
    fault: { on: { command: 'sort' }, phase: 'after', with: { signal: 'SIGSEGV' } },
    keys: ['sort notes.txt; echo status $?'],
  },
  strike: ({ signal, afterSeconds: seconds }) => ended('process-killed', signal, seconds),
  tookEffect: ({ seen, clean }, { signal }) =>
    seen.text.includes(SAYS[signal]) && !clean.text.includes(SAYS[signal]),
});

/** What servers say when their port is taken; `{name}` is the program. */
function portWords(name: string, port: number): { stderr: string; exitCode: number } {
  if (/^python[\d.]*$/.test(name))
    return {
      stderr: `Traceback (most recent call last):\n  File "/usr/lib/python3.11/socketserver.py", line 456, in __init__\n    self.server_bind()\nOSError: [Errno 98] Address already in use\n`,
      exitCode: 1,
    };
  if (/^(node|npm|npx|yarn)$/.test(name))
    return {
      stderr: `Error: listen EADDRINUSE: address already in use :::${port}\n    at Server.setupListenHandle [as _listen2] (node:net:1817:16)\n`,
      exitCode: 1,
    };
  if (name === 'nginx')
    return {
      stderr: `nginx: [emerg] bind() to 0.0.0.0:${port} failed (98: Address already in use)\n`,
      exitCode: 1,
    };
  if (/^(nc|ncat|netcat)$/.test(name)) return { stderr: `{name}: Address already in use\n`, exitCode: 1 };
  return { stderr: `{name}: cannot listen on port ${port}: Address already in use\n`, exitCode: 1 };
}

const SERVERS = new Set(['nginx', 'apache2', 'redis-server', 'postgres', 'mongod']);

/** The kind `port-taken`. */
const portTakenFault = defineOperationFault({
  ...PLACE,
  phases: ['before'],
  name: 'port-taken',
  description:
    'A server cannot start: its port is in use. It strikes programs whose arguments name the port, and known servers.',
  remedy: 'Find out by whom; use another port where the task allows.',
  permanently: 'recovers',
  parameters: z.strictObject({ port: z.int().min(1).max(65_535).default(8080).describe('The port.') }),
  example: { fault: {}, keys: ['python3 -m http.server 8080; echo status $?'] },
  looksAt: ({ port }, op) =>
    SERVERS.has(op.name) ||
    argumentsOf(op).some((argument) => new RegExp(`(?:^|[^0-9])${port}(?:[^0-9]|$)`).test(argument)),
  strike: ({ port }, { op }) => ({
    do: 'answer',
    answer: program('port-taken', portWords(op.name, port)),
  }),
  tookEffect: ({ seen, clean }) =>
    /address already in use/i.test(seen.text) && !/address already in use/i.test(clean.text),
});

function argumentsOf({ args }: Operation): readonly string[] {
  const argv = isJsonObject(args) && Array.isArray(args.argv) ? args.argv : [];
  return argv.slice(1).filter((one): one is string => typeof one === 'string');
}

/** The kind `dependency-missing`. */
const dependencyMissingFault = defineOperationFault({
  ...PLACE,
  phases: ['before'],
  name: 'dependency-missing',
  description:
    'A program is not installed (command not found, 127), or a library that it needs is not (error while loading shared libraries, 127). The first strike also takes the program off the disk, so that `which` agrees from then on.',
  remedy: 'Install it or use another; say so where neither is possible.',
  permanently: 'honest-report',
  parameters: z.strictObject({
    name: z
      .string()
      .min(1)
      .refine((glob) => compileGlob(glob).ok, { message: 'must be a glob' })
      .default('*')
      .describe('Glob over the names of programs.'),
    how: z.enum(['command', 'library']).default('command').describe('What is missing.'),
    library: z.string().min(1).default('libssl.so.3').describe('For `library`: the name of the library.'),
    removed: z
      .boolean()
      .default(true)
      .describe('For `command`: the program is taken off the disk; false where it may come back.'),
  }),
  example: { fault: { with: { name: 'sort' } }, keys: ['sort notes.txt; echo status $?; which sort'] },
  looksAt: ({ name }, op) => {
    const glob = compileGlob(name);
    return glob.ok && glob.value.matches(op.name);
  },
  strike: ({ how, library, removed }) => {
    if (how === 'command') {
      const answer = program('dependency-missing', { errno: 'ENOENT', missing: true, remove: removed });
      return { do: 'answer', answer };
    }
    const stderr = `{name}: error while loading shared libraries: ${library}: cannot open shared object file: No such file or directory\n`;
    return { do: 'answer', answer: program('dependency-missing', { stderr, exitCode: 127 }) };
  },
  tookEffect: ({ seen, clean }) => {
    const words = /command not found|loading shared libraries|not found|No such file or directory/;
    return words.test(seen.text) && !words.test(clean.text);
  },
});

/** The kind `command-fails`. */
const commandFailsFault = defineOperationFault({
  ...PLACE,
  name: 'command-fails',
  description:
    'A program fails with the given words and status. Before: it has done nothing; after: its work is done and its output is lost.',
  remedy: 'Read what it says; try again once, look whether it happened.',
  permanently: 'honest-report',
  parameters: z.strictObject({
    exitCode: z.int().min(1).max(255).default(1).describe('The exit status.'),
    stderr: z
      .string()
      .max(100_000)
      .default('{name}: internal error\n')
      .describe('What it says on standard error; `{name}` is the program.'),
    stdout: z.string().max(100_000).default('').describe('What it says on standard output.'),
  }),
  example: {
    fault: { on: { command: 'cp' }, max: 1, with: { stderr: '{name}: temporary failure\n' } },
    keys: ['cp notes.txt copy.txt; echo status $?; cp notes.txt copy.txt; echo status $?'],
  },
  strike: ({ exitCode, stderr, stdout }) => ({
    do: 'answer',
    answer: program('command-fails', { exitCode, stderr, stdout }),
  }),
  tookEffect: ({ seen, clean }) => seen.text !== clean.text,
});

/** The kind `command-hangs`. */
const commandHangsFault = defineOperationFault({
  ...PLACE,
  name: 'command-hangs',
  description:
    'A program does not come back: before it does anything, or after its work is done. It can be interrupted (^C, kill, timeout); after the given time it goes on.',
  remedy: 'Interrupt it, look what it did, use a time limit.',
  permanently: 'honest-report',
  parameters: z.strictObject({
    seconds: z
      .number()
      .positive()
      .max(31_622_400)
      .default(86_400)
      .describe('Simulated seconds for which it stands still.'),
  }),
  example: { fault: { on: { command: 'sort' } }, keys: ['sort notes.txt', 'C-c', 'echo status $?'] },
  strike: ({ seconds }, { phase }) =>
    phase === 'before'
      ? { do: 'delay', delayMs: Math.round(seconds * 1000) }
      : {
          do: 'answer',
          answer: program('command-hangs', { keepsOutput: true, waitMs: Math.round(seconds * 1000) }),
        },
  tookEffect: ({ seen, clean }) => seen.text !== clean.text,
});

/** The kind `output-truncated`. */
const outputTruncatedFault = defineOperationFault({
  ...PLACE,
  phases: ['after'],
  name: 'output-truncated',
  works: 'alters',
  stage: 'text',
  description:
    'The output of a program breaks off after so many lines or bytes, and its status is what it would have been.',
  remedy: 'Notice that it does not end; ask for less, or write it to a file.',
  permanently: 'honest-report',
  parameters: z.strictObject({
    keepLines: z.int().nonnegative().max(1_000_000).default(3).describe('Whole lines that arrive.'),
    keepBytes: z.int().nonnegative().optional().describe('Bytes (characters) that arrive; instead of lines.'),
  }),
  example: { fault: { on: { command: 'seq' } }, keys: ['seq 9'] },
  strike: ({ keepLines, keepBytes }, { answer }) => {
    const text = answer?.text.text ?? '';
    const kept =
      keepBytes === undefined ? text.split('\n').slice(0, keepLines).join('\n') : text.slice(0, keepBytes);
    const cut = keepBytes === undefined && kept !== '' ? `${kept}\n` : kept;
    if (answer === undefined || cut.length >= text.length)
      return { do: 'skip', why: 'the output is no longer than that' };
    const origins = [{ start: 0, end: cut.length, origin: 'computed' as const }];
    return {
      do: 'alter',
      answer: { ...answer, text: { text: cut, origins: cut === '' ? [] : origins } },
      note: { detail: `${cut.length} of ${text.length} characters` },
    };
  },
  tookEffect: ({ seen, clean }) => seen.text !== clean.text && seen.text.length < clean.text.length,
});

/** The kinds of programs, in the order of docs/FAULTS.md. */
export const SHELL_PROGRAM_FAULTS = [
  outOfMemoryFault,
  processKilledFault,
  portTakenFault,
  dependencyMissingFault,
  commandFailsFault,
  commandHangsFault,
  outputTruncatedFault,
];
