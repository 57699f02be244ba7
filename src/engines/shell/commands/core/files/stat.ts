/**
 * `stat` of coreutils 9.1.
 *
 * Source: stat(1). Not covered: SELinux contexts (`?`), `--cached`.
 */
import type { Inode, Mount } from '../../../kernel/index.js';
import { Accounts } from '../../program/accounts.js';
import { breakTime } from '../../program/calendar.js';
import { modeText } from '../../program/file-mode.js';
import { kindWords } from '../../program/kind-words.js';
import { defineOptions } from '../../program/options.js';
import { type QuotingStyle, quoteText } from '../../program/quote.js';
import { strftime } from '../../program/strftime.js';
import { plainTool, systemError, type Tool } from '../../program/tool.js';
import { allocatedBytes } from './ls-layout.js';
import { sizeOf } from './ls-sort.js';

const OPTIONS = defineOptions('L,dereference f,file-system cached: c,format: printf: t,terse');
const BLOCK = 4096;
const TYPES: Readonly<Record<string, readonly [name: string, magic: number]>> = {
  ext4: ['ext2/ext3', 0xef53],
  tmpfs: ['tmpfs', 0x01021994],
  proc: ['proc', 0x9fa0],
  sysfs: ['sysfs', 0x62656572],
  devtmpfs: ['tmpfs', 0x01021994],
  overlay: ['overlayfs', 0x794c7630],
};
const KIND_BITS: Readonly<Record<Inode['kind'], number>> = {
  file: 0o100000,
  directory: 0o040000,
  symlink: 0o120000,
  fifo: 0o010000,
  char: 0o020000,
  block: 0o060000,
  socket: 0o140000,
};
const TERSE = '%n %s %b %f %u %g %D %i %h %t %T %X %Y %Z %W %o\n';
const TERSE_FS = '%n %i %l %t %s %S %b %f %a %c %d\n';
const FULL_FS =
  '  File: "%n"\n    ID: %-8i Namelen: %-7l Type: %T\nBlock size: %-10s Fundamental block size: %S\n' +
  'Blocks: Total: %-10b Free: %-10f Available: %a\nInodes: Total: %-10c Free: %d\n';

function fullFormat(inode: Inode): string {
  const device = inode.kind === 'char' || inode.kind === 'block';
  return (
    '  File: %\x01\n  Size: %-10s\tBlocks: %-10b IO Block: %-6o %F\n' +
    (device
      ? 'Device: %Hd,%Ld\tInode: %-10i  Links: %-5h Device type: %Hr,%Lr\n'
      : 'Device: %Hd,%Ld\tInode: %-10i  Links: %h\n') +
    'Access: (%04a/%10.10A)  Uid: (%5u/%8U)   Gid: (%5g/%8G)\n' +
    'Access: %x\nModify: %y\nChange: %z\n Birth: %w\n'
  );
}

/** The device number as the C library packs it. */
function deviceNumbers(inode: Inode): { major: number; minor: number; packed: number } {
  const [major, minor] = inode.dev < 256 ? [8, inode.dev] : [inode.dev >> 8, inode.dev & 255];
  return { major, minor, packed: (major << 8) | minor };
}

interface Spec {
  readonly flags: string;
  readonly width: number;
  readonly precision: number | undefined;
}

function padded(text: string, spec: Spec, isNumber: boolean): string {
  let shown = text;
  if (!isNumber && spec.precision !== undefined) shown = [...shown].slice(0, spec.precision).join('');
  if (isNumber && spec.precision !== undefined) shown = shown.padStart(spec.precision, '0');
  if (spec.flags.includes('-')) return shown.padEnd(spec.width);
  return spec.flags.includes('0') && isNumber ? shown.padStart(spec.width, '0') : shown.padStart(spec.width);
}

function octal(value: number, spec: Spec): string {
  return (spec.flags.includes('#') && value !== 0 ? '0' : '') + value.toString(8);
}

function hex(value: number, spec: Spec): string {
  return (spec.flags.includes('#') && value !== 0 ? '0x' : '') + value.toString(16);
}

function epoch(us: number, spec: Spec, hasPrecision: boolean): string {
  const seconds = Math.floor(us / 1e6);
  if (!hasPrecision) return String(seconds);
  const digits = spec.precision ?? 9;
  const nanoseconds = String((us - seconds * 1e6) * 1000).padStart(9, '0');
  return digits === 0 ? String(seconds) : `${seconds}.${nanoseconds.slice(0, digits).padEnd(digits, '0')}`;
}

function human(tool: Tool, us: number): string {
  const seconds = Math.floor(us / 1e6);
  return strftime('%Y-%m-%d %H:%M:%S.%N %z', breakTime(seconds, (us - seconds * 1e6) * 1000, tool.zone));
}

/** Everything the directives need. */
interface Seen {
  readonly name: string;
  readonly path: string;
  readonly inode: Inode;
  readonly accounts: Accounts;
}

function fileDirective(
  tool: Tool,
  seen: Seen,
  letter: string,
  spec: Spec & { hasPrecision: boolean; modifier: string },
): string | undefined {
  const { inode, accounts } = seen;
  const device = deviceNumbers(inode);
  const rdev = inode.rdev ?? 0;
  const text = (value: string): string => padded(value, spec, false);
  const number = (value: number): string => padded(String(value), spec, true);
  const time = (us: number): string =>
    spec.hasPrecision
      ? padded(epoch(us, spec, true), { ...spec, precision: undefined }, false)
      : number(Math.floor(us / 1e6));
  switch (letter) {
    case 'a':
      return padded(octal(inode.mode & 0o7777, spec), spec, true);
    case 'A':
      return text(modeText(inode));
    case 'b':
      return number(allocatedBytes(inode) / 512);
    case 'B':
      return number(512);
    case 'C':
      return text('?');
    case 'd':
      return number(
        spec.modifier === 'H' ? device.major : spec.modifier === 'L' ? device.minor : device.packed,
      );
    case 'D':
      return padded(hex(device.packed, spec), spec, true);
    case 'f':
      return padded(hex(KIND_BITS[inode.kind] | (inode.mode & 0o7777), spec), spec, true);
    case 'F':
      return text(kindWords(inode));
    case 'g':
      return number(inode.gid);
    case 'G':
      return text(accounts.group(inode.gid)?.name ?? 'UNKNOWN');
    case 'h':
      return number(inode.nlink);
    case 'i':
      return number(inode.ino);
    case 'm':
      return text(tool.proc.mountOf(inode).path);
    case 'n':
      return text(seen.name);
    case '\x01':
      return seen.inode.kind === 'symlink' ? `${seen.name} -> ${tool.proc.readlink(seen.path)}` : seen.name;
    case 'N':
      return text(quotedName(tool, seen));
    case 'o':
      return number(BLOCK);
    case 's':
      return number(sizeOf(inode));
    case 'r':
      return number(spec.modifier === 'H' ? rdev >> 8 : spec.modifier === 'L' ? rdev & 255 : rdev);
    case 'R':
      return padded(hex(rdev, spec), spec, true);
    case 't':
      return padded(hex(rdev >> 8, spec), spec, true);
    case 'T':
      return padded(hex(rdev & 255, spec), spec, true);
    case 'u':
      return number(inode.uid);
    case 'U':
      return text(accounts.user(inode.uid)?.name ?? 'UNKNOWN');
    case 'w':
      return text(human(tool, inode.btimeUs));
    case 'W':
      return time(inode.btimeUs);
    case 'x':
      return text(human(tool, inode.atimeUs));
    case 'X':
      return time(inode.atimeUs);
    case 'y':
      return text(human(tool, inode.mtimeUs));
    case 'Y':
      return time(inode.mtimeUs);
    case 'z':
      return text(human(tool, inode.ctimeUs));
    case 'Z':
      return time(inode.ctimeUs);
    default:
      return undefined;
  }
}

function quotedName(tool: Tool, seen: Seen): string {
  const style = (tool.env('QUOTING_STYLE') ?? 'shell-escape-always') as QuotingStyle;
  const quote = (text: string): string => quoteText(text, style, tool) ?? text;
  if (seen.inode.kind !== 'symlink') return quote(seen.name);
  return `${quote(seen.name)} -> ${quote(tool.proc.readlink(seen.path))}`;
}

function mountDirective(tool: Tool, seen: Seen, letter: string, spec: Spec): string | undefined {
  const mount: Mount = tool.proc.mountOf(seen.inode);
  const [type, magic] = TYPES[mount.type] ?? ['UNKNOWN', 0];
  const number = (value: number): string => padded(String(value), spec, true);
  const blocks = Math.floor(mount.sizeBytes / BLOCK);
  const free = Math.max(0, blocks - Math.ceil(mount.usedBytes / BLOCK));
  const values: Record<string, () => string> = {
    a: () => number(free),
    b: () => number(blocks),
    c: () => number(mount.sizeInodes),
    d: () => number(Math.max(0, mount.sizeInodes - mount.usedInodes)),
    f: () => number(free),
    i: () => padded(mount.dev.toString(16), spec, true),
    l: () => number(255),
    n: () => padded(seen.name, spec, false),
    s: () => number(BLOCK),
    S: () => number(BLOCK),
    t: () => padded(hex(magic, spec), spec, true),
    T: () => padded(type, spec, false),
  };
  return values[letter]?.();
}

const ESCAPES: Readonly<Record<string, string>> = {
  a: '\x07',
  b: '\b',
  e: '\x1b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
  '"': '"',
  '\\': '\\',
};

/** Fills a format. Backslashes mean something with `--printf` only. */
function fill(tool: Tool, format: string, seen: Seen, how: { escapes: boolean; mounts: boolean }): string {
  let out = '';
  let at = 0;
  while (at < format.length) {
    const rest = format.slice(at);
    const directive = /^%([-#0+ ']*)(\d*)(?:(\.)(\d*))?([HL]?)([A-Za-z%\x01]?)/.exec(rest);
    if (directive !== null) {
      const [whole, flags = '', width = '', dot, precision = '', modifier = '', letter = ''] = directive;
      at += whole.length;
      const isTime = 'WXYZ'.includes(letter) && letter !== '';
      const spec = {
        flags,
        width: Math.min(Number(width || 0), 10_000),
        precision: dot === undefined || (isTime && precision === '') ? undefined : Number(precision || 0),
        hasPrecision: dot !== undefined,
        modifier,
      };
      if (letter === '%' || letter === '') {
        if (whole !== '%%' && letter === '%') tool.die(`${tool.quote(whole)}: invalid directive`);
        if (letter === '' && whole !== '%') tool.die(`${tool.quote(whole)}: invalid directive`);
        out += '%';
        continue;
      }
      const value = how.mounts
        ? mountDirective(tool, seen, letter, spec)
        : fileDirective(tool, seen, letter, spec);
      out += value ?? '?';
      continue;
    }
    if (how.escapes && rest.startsWith('\\')) {
      const octalDigits = /^\\([0-7]{1,3})/.exec(rest);
      const hexDigits = /^\\x([0-9a-fA-F]{1,2})/.exec(rest);
      if (octalDigits !== null || hexDigits !== null) {
        const code =
          octalDigits !== null
            ? Number.parseInt(octalDigits[1] ?? '0', 8) & 255
            : Number.parseInt(hexDigits?.[1] ?? '0', 16);
        out += String.fromCharCode(code < 128 ? code : 0xdc00 + code);
        at += (octalDigits ?? hexDigits)?.[0].length ?? 2;
        continue;
      }
      const next = rest[1];
      if (next === undefined) {
        tool.warn('warning: backslash at end of format');
        out += '\\';
        at += 1;
        continue;
      }
      const shown = ESCAPES[next];
      if (shown === undefined) tool.warn(`warning: unrecognized escape '\\${next}'`);
      out += shown ?? next;
      at += 2;
      continue;
    }
    out += rest[0];
    at += 1;
  }
  return out;
}

/** The command. */
export const stat = plainTool('stat', (tool) => {
  let format: string | undefined;
  let escapes = false;
  let follow = false;
  let mounts = false;
  let terse = false;
  for (const { key, value } of tool.options(OPTIONS)) {
    if (key === 'L') follow = true;
    if (key === 'f') mounts = true;
    if (key === 't') terse = true;
    if (key === 'c' || key === 'printf') {
      format = key === 'c' ? `${value}\n` : value;
      escapes = key === 'printf';
    }
    if (key === 'cached') tool.choice('--cached', value ?? '', [['default'], ['never'], ['always']]);
  }
  if (tool.operands.length === 0) tool.usage('missing operand');
  const accounts = new Accounts(tool.proc);
  for (const path of tool.operands) {
    let inode: Inode;
    try {
      inode =
        path === '-' && !mounts
          ? tool.proc.fstat(0)
          : follow || mounts
            ? tool.proc.stat(path)
            : tool.proc.lstat(path);
    } catch (error) {
      const what = mounts ? 'read file system information for' : 'statx';
      tool.fail(`cannot ${what} ${tool.named(path)}: ${systemError(error).text}`);
      continue;
    }
    const seen: Seen = { name: path, path, inode, accounts };
    const shape = format ?? (mounts ? (terse ? TERSE_FS : FULL_FS) : terse ? TERSE : fullFormat(inode));
    tool.out(fill(tool, shape, seen, { escapes, mounts }));
  }
});
