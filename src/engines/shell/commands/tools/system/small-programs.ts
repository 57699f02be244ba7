/**
 * Small programs of util-linux and the like: `uuidgen`, `logger`, `setsid`, `flock`, `su`, `sudo`.
 *
 * Source: their manual pages. `su` and `sudo` know no password: they run a command for root, ask where a terminal could
 * answer, and fail elsewhere. Not covered, asked instead: uuidgen's name-based forms, flock of other descriptors' files.
 */
import { type Running, SystemError } from '../../../kernel/index.js';
import { Accounts } from '../../program/accounts.js';
import { defineOptions } from '../../program/options.js';
import { defineTool, type Tool } from '../../program/tool.js';
import { unknownProgram } from '../../program/unknown-program.js';
import { helpText } from '../help-texts.js';

/** The command `uuidgen`: random ones from the machine's seeded chance. */
export const uuidgen = defineTool(
  'uuidgen',
  function* (tool) {
    const flags = new Set<string>();
    for (const { key } of tool.options(
      defineOptions('r,random t,time n,namespace: N,name: m,md5 s,sha1 x,hex h,help V,version', ''),
    ))
      flags.add(key);
    if (flags.has('h')) tool.help();
    if (flags.has('V')) tool.version();
    if ([...flags].some((flag) => flag !== 'r')) return yield* unknownProgram('uuidgen')(tool.proc);
    const digits = Array.from({ length: 32 }, () => Math.floor(tool.proc.random() * 16).toString(16));
    digits[12] = '4';
    digits[16] = (8 + (Number.parseInt(digits[16] ?? '0', 16) & 3)).toString(16);
    const text = digits.join('');
    tool.out(
      `${[text.slice(0, 8), text.slice(8, 12), text.slice(12, 16), text.slice(16, 20), text.slice(20)].join('-')}\n`,
    );
    return 0;
  },
  { texts: helpText('uuidgen'), sizeBytes: 14_656 },
);

const LOGGER = defineOptions(
  'i id:: f,file: e,skip-empty no-act p,priority: octet-count prio-prefix s,stderr S,size: t,tag: n,server: P,port: T,tcp d,udp rfc3164 rfc5424:: sd-id: sd-param: msgid: u,socket: socket-errors:: journald:: h,help V,version',
  '',
);

/** The command `logger`: nothing listens, so messages go nowhere, except with `-s`. */
export const logger = defineTool(
  'logger',
  function* (tool) {
    const flags = new Map<string, string>();
    for (const { key, value = '' } of tool.options(LOGGER)) flags.set(key, value);
    if (flags.has('h')) tool.help();
    if (flags.has('V')) tool.version();
    const listens = tool.proc.exists('/dev/log') || tool.proc.exists('/var/log/syslog');
    if (listens || flags.has('s') || flags.has('n')) return yield* unknownProgram('logger')(tool.proc);
    if (tool.operands.length === 0 && !flags.has('f')) yield* tool.proc.readAll(0);
    return 0;
  },
  { texts: helpText('logger'), sizeBytes: 47_400 },
);

/** Runs a command found through PATH in a child; returns its status. */
function* runCommand(
  tool: Tool,
  argv: readonly string[],
  how: { readonly newSession?: boolean; readonly wait?: boolean },
): Running<number> {
  const [name = ''] = argv;
  const path = name.includes('/') ? name : find(tool, name);
  yield* tool.io.flush();
  const child = tool.proc.fork(
    function* (own) {
      if (how.newSession === true) own.setsid();
      try {
        return yield* own.exec(path ?? name, argv);
      } catch (error) {
        if (!(error instanceof SystemError)) throw error;
        yield* own.write(2, `${tool.name}: failed to execute ${name}: ${error.text}\n`);
        return error.code === 'ENOENT' ? 127 : 126;
      }
    },
    how.newSession === true ? { pgid: tool.proc.pgid } : {},
  );
  if (how.wait === false) return 0;
  const event = yield* tool.proc.wait({ pid: child.pid });
  return event?.status.code ?? 128 + (event?.status.signal ?? 0);
}

function find(tool: Tool, name: string): string | undefined {
  return (tool.env('PATH') ?? '/usr/bin:/bin')
    .split(':')
    .map((folder) => `${folder}/${name}`)
    .find((path) => tool.proc.exists(path));
}

/** The command `setsid`. */
export const setsid = defineTool(
  'setsid',
  function* (tool) {
    const flags = new Set<string>();
    for (const { key } of tool.options(defineOptions('c,ctty f,fork w,wait h,help V,version', ''), {
      stop: true,
    }))
      flags.add(key);
    if (flags.has('h')) tool.help();
    if (flags.has('V')) tool.version();
    if (tool.operands.length === 0) return tool.usage('no command specified');
    if (tool.proc.pgid === tool.proc.pid || flags.has('f')) {
      const wait = flags.has('w');
      return yield* runCommand(tool, tool.operands, { newSession: true, wait });
    }
    tool.proc.setsid();
    return yield* runCommand(tool, tool.operands, {});
  },
  { texts: helpText('setsid'), sizeBytes: 14_656 },
);

const FLOCK = defineOptions(
  's,shared x,exclusive,e u,unlock n,nonblock,nb w,wait,timeout: E,conflict-exit-code: o,close c,command: F,no-fork verbose h,help V,version',
  '',
);

/** The command `flock`. Nobody else on the machine holds a lock unless another flock runs. */
export const flock = defineTool(
  'flock',
  function* (tool) {
    const flags = new Map<string, string>();
    for (const { key, value = '' } of tool.options(FLOCK, { stop: true })) flags.set(key, value);
    if (flags.has('h')) tool.help();
    if (flags.has('V')) tool.version();
    const [target, ...words] = tool.operands;
    if (target === undefined) return tool.usage('not enough arguments');
    const others = tool.proc.processes().some((one) => one.comm === 'flock' && one !== tool.proc);
    const isNumber = /^\d+$/.test(target) && words.length === 0 && !flags.has('c');
    if (others || (isNumber && !tool.proc.isOpen(Number(target))))
      return yield* unknownProgram('flock')(tool.proc);
    if (isNumber) return 0;
    if (!tool.proc.exists(target))
      tool.proc.close(yield* tool.proc.open(target, { write: true, create: true, mode: 0o666 }));
    const text = flags.get('c') ?? (words[0] === '-c' ? words[1] : undefined);
    if (text === undefined && words.length === 0) return tool.usage('not enough arguments');
    const argv = text === undefined ? words : [tool.env('SHELL') || '/bin/sh', '-c', text];
    return yield* runCommand(tool, argv, {});
  },
  { texts: helpText('flock'), sizeBytes: 22_880 },
);

/** The command `sudo`: root runs commands; others are asked for a password that nobody has. */
export const sudo = defineTool('sudo', function* (tool) {
  const words = [...tool.args];
  const plain = words[0] !== undefined && !words[0].startsWith('-');
  if (tool.proc.uid === 0 && plain) return yield* runCommand(tool, words, {});
  return yield* unknownProgram('sudo')(tool.proc);
});

/** The command `su`: root becomes anybody; others fail to say a password. */
export const su = defineTool('su', function* (tool) {
  const accounts = new Accounts(tool.proc);
  const name = tool.args.find((word) => !word.startsWith('-')) ?? 'root';
  const account = accounts.userNamed(name);
  if (account === undefined) {
    tool.io.err(
      `su: user ${name} does not exist or the user entry does not contain all the required fields\n`,
    );
    return 1;
  }
  if (tool.proc.uid === 0 || tool.proc.isatty(0)) return yield* unknownProgram('su')(tool.proc);
  tool.io.err('Password: ');
  yield* tool.proc.readAll(0);
  tool.io.err('su: Authentication failure\n');
  return 1;
});
