/**
 * Small programs that look something up: `getent`, `mountpoint`, `whereis`, `look`, `man`.
 *
 * Source: their manual pages. Not covered, asked instead: getent's hosts and services, manual pages themselves.
 */
import { type Running, SystemError } from '../../../kernel/index.js';
import { textNow } from '../../program/accounts.js';
import { defineOptions } from '../../program/options.js';
import { defineTool, type Tool } from '../../program/tool.js';
import { unknownProgram } from '../../program/unknown-program.js';
import { helpText } from '../help-texts.js';

const NOTHING_FOUND = 2;
const DATABASES =
  'ahosts ahostsv4 ahostsv6 aliases ethers group gshadow hosts initgroups netgroup networks passwd protocols rpc services shadow'.split(
    ' ',
  );
const FILES: Readonly<Record<string, string>> = {
  passwd: '/etc/passwd',
  group: '/etc/group',
  shadow: '/etc/shadow',
  gshadow: '/etc/gshadow',
};

/** The command `getent`. */
export const getent = defineTool(
  'getent',
  function* (tool) {
    for (const { key } of tool.options(defineOptions('i,no-idn s,service: help,? usage V,version', ''), {
      onError: () => getentUsage(tool),
    })) {
      if (key === 'help') tool.help();
      if (key === 'V') tool.version();
    }
    const [database, ...keys] = tool.operands;
    if (database === undefined) {
      tool.warn('wrong number of arguments');
      return getentUsage(tool);
    }
    if (!DATABASES.includes(database)) {
      tool.io.err(`Unknown database: ${database}\n`);
      getentUsage(tool);
    }
    const path = FILES[database];
    if (path === undefined) return yield* unknownProgram('getent')(tool.proc);
    const rows = textNow(tool.proc, path)
      .split('\n')
      .filter((row) => row !== '');
    if (keys.length === 0) tool.out(rows.map((row) => `${row}\n`).join(''));
    for (const key of keys) {
      const found = rows.find(
        (row) => row.split(':')[0] === key || (/^\d+$/.test(key) && row.split(':')[2] === key),
      );
      if (found === undefined) tool.status = NOTHING_FOUND;
      else tool.out(`${found}\n`);
    }
    return tool.status;
  },
  { texts: helpText('getent'), sizeBytes: 35_112 },
);

function getentUsage(tool: Tool): never {
  tool.out("Try `getent --help' or `getent --usage' for more information.\n");
  return tool.exit(1);
}

/** The command `mountpoint`. */
export const mountpoint = defineTool('mountpoint', mountpointBody, { sizeBytes: 14_656 });

function* mountpointBody(tool: Tool): Running<number> {
  const flags = new Set<string>();
  for (const { key } of tool.options(
    defineOptions('q,quiet nofollow d,fs-devno x,devno h,help V,version', ''),
  ))
    flags.add(key);
  if (flags.has('h')) tool.out(MOUNTPOINT_HELP);
  if (flags.has('V')) tool.out('mountpoint from util-linux 2.38.1\n');
  if (flags.has('h') || flags.has('V')) return 0;
  const [path] = tool.operands;
  if (path === undefined || tool.operands.length > 1) return tool.usage('bad usage');
  let inode: ReturnType<typeof tool.proc.stat>;
  try {
    inode = tool.proc.stat(path);
  } catch (error) {
    if (!(error instanceof SystemError)) throw error;
    if (!flags.has('q')) tool.warn(`${path}: ${error.text}`);
    return 1;
  }
  const isMount =
    inode.kind === 'directory' &&
    tool.proc.kernel.files.mounts.some((mount) => mount.path === tool.proc.kernel.files.pathOf(inode.ino));
  if (flags.has('d')) tool.out(`${inode.dev >> 8}:${inode.dev & 255}\n`);
  else if (!flags.has('q')) tool.out(`${path} is ${isMount ? 'a' : 'not a'} mountpoint\n`);
  return isMount ? 0 : 32;
}

const MOUNTPOINT_HELP = `
Usage:
 mountpoint [-qd] /path/to/directory
 mountpoint -x /dev/device

Check whether a directory or file is a mountpoint.

Options:
 -q, --quiet        quiet mode - don't print anything
     --nofollow     do not follow symlink
 -d, --fs-devno     print maj:min device number of the filesystem
 -x, --devno        print maj:min device number of the block device

 -h, --help         display this help
 -V, --version      display version

For more details see mountpoint(1).
`;

const PLACES = [
  '/usr/bin',
  '/usr/sbin',
  '/usr/lib',
  '/etc',
  '/usr/share',
  '/usr/local/bin',
  '/usr/local/sbin',
  '/usr/games',
];

/** The command `whereis`. */
export const whereis = defineTool(
  'whereis',
  function* (tool) {
    const flags = new Set<string>();
    for (const { key } of tool.options(defineOptions('b B: m M: s S: u g l f h,help V,version', ''), {
      onError: () => badUsage(tool),
    }))
      flags.add(key);
    if (flags.has('h')) tool.help();
    if (flags.has('V')) tool.version();
    if (tool.operands.length === 0) return tool.usage('not enough arguments');
    for (const name of tool.operands) {
      const base = name.replace(/^.*\//, '').replace(/\.[^.]*$/, '');
      const binaries = PLACES.map((place) => `${place}/${base}`).filter((path) => tool.proc.exists(path));
      const manuals = [1, 5, 8]
        .map((part) => `/usr/share/man/man${part}/${base}.${part}.gz`)
        .filter((path) => tool.proc.exists(path));
      const found = [
        ...(flags.has('m') && !flags.has('b') ? [] : binaries),
        ...(flags.has('b') && !flags.has('m') ? [] : manuals),
      ];
      tool.out(`${[`${base}:`, ...found].join(' ')}\n`);
    }
    return 0;
  },
  { texts: helpText('whereis'), sizeBytes: 31_032 },
);

function badUsage(tool: Tool): never {
  return tool.usage('bad usage');
}

/** The command `look`. */
export const look = defineTool('look', function* (tool) {
  const flags = new Map<string, string>();
  for (const { key, value = '' } of tool.options(
    defineOptions('a,alternative d,alphanum f,ignore-case t,terminate: h,help V,version', ''),
  ))
    flags.set(key, value);
  const [word, name = '/usr/share/dict/words'] = tool.operands;
  if (word === undefined) return tool.usage('bad usage');
  const fold = flags.has('f') || tool.operands.length === 1;
  const terminator = flags.get('t')?.[0];
  const wanted =
    terminator !== undefined && word.includes(terminator)
      ? word.slice(0, word.indexOf(terminator) + 1)
      : word;
  const plain = (text: string): string => {
    const bare = flags.has('d') || tool.operands.length === 1 ? text.replace(/[^A-Za-z0-9 \t]/g, '') : text;
    return fold ? bare.toLowerCase() : bare;
  };
  const fd = yield* tool.input(name);
  if (fd === null) return 1;
  const found = (yield* tool.lines(fd).all()).filter((line) => plain(line).startsWith(plain(wanted)));
  for (const line of found) tool.raw(`${line}\n`);
  tool.close(fd);
  return found.length > 0 ? 0 : 1;
});

/** The command `man`: says where there is no page; a page itself is asked. */
export const man = defineTool('man', function* (tool) {
  const names = tool.args.filter((word) => !word.startsWith('-') && !/^[1-8]$/.test(word));
  if (tool.args.some((word) => word.startsWith('-'))) return yield* unknownProgram('man')(tool.proc);
  const section = tool.args.find((word) => /^[1-8]$/.test(word));
  if (names.length === 0) {
    tool.io.err("What manual page do you want?\nFor example, try 'man man'.\n");
    return 1;
  }
  const known = names.some(
    (name) =>
      PLACES.some((place) => tool.proc.exists(`${place}/${name}`)) || /^[a-z_]+$/.test(name) === false,
  );
  if (known) return yield* unknownProgram('man')(tool.proc);
  for (const name of names)
    tool.io.err(`No manual entry for ${name}${section === undefined ? '' : ` in section ${section}`}\n`);
  return 16;
});
