/**
 * The command line of `ls`: what the options and the environment together mean.
 *
 * Source: ls(1), messages of coreutils 9.1.
 */
import { defineOptions } from '../../program/options.js';
import { type QuotingStyle, quoteText } from '../../program/quote.js';
import { type BlockSize, readBlockSize, readSize } from '../../program/size.js';
import { ownTerminalSize } from '../../program/terminal-size.js';
import type { Tool } from '../../program/tool.js';

const OPTIONS = defineOptions(
  'a,all b,escape d,directory D,dired full-time g group-directories-first h,human-readable i,inode k,kibibytes ' +
    'n,numeric-uid-gid G,no-group q,hide-control-chars r,reverse s,size w,width: A,almost-all B,ignore-backups ' +
    'classify:: file-type si dereference-command-line-symlink-to-dir hide: I,ignore: indicator-style: L,dereference ' +
    'N,literal Q,quote-name quoting-style: R,recursive format: show-control-chars sort: T,tabsize: time: time-style: ' +
    'zero color:: hyperlink:: block-size: Z,context author c f l m o p t u v x C F H S U X 1',
);
const STYLES = [
  ['literal'],
  ['shell'],
  ['shell-always'],
  ['shell-escape'],
  ['shell-escape-always'],
  ['c'],
  ['c-maybe'],
  ['escape'],
  ['locale'],
  ['clocale'],
] as const;
const FORMATS = [['long', 'verbose'], ['commas'], ['horizontal', 'across'], ['vertical'], ['single-column']];
const FORMAT_WORDS = [
  ['verbose', 'long'],
  ['commas'],
  ['horizontal', 'across'],
  ['vertical'],
  ['single-column'],
] as const;
const WHEN = [
  ['always', 'yes', 'force'],
  ['never', 'no', 'none'],
  ['auto', 'tty', 'if-tty'],
] as const;
const TIMES = [
  ['atime', 'access', 'use'],
  ['ctime', 'status'],
  ['birth', 'creation'],
] as const;

/** Terminals that have colours where `LS_COLORS` does not say so. */
const KNOWN_TERMINALS =
  /^(Eterm|ansi|.*color.*|con\d+x\d+|cons25|console|cygwin|.*direct.*|dtterm|gnome|hurd|jfbterm|konsole.*|kterm|linux|linux-c|mlterm|putty.*|rxvt.*|screen.*|st|st-.*|terminator|tmux.*|vt100|vt220|xterm.*)$/s;

/** How entries are laid out. */
export type LsFormat = 'long' | 'commas' | 'horizontal' | 'vertical' | 'single-column';

/** What a command line says. */
export interface LsLine {
  format: LsFormat;
  sort: 'name' | 'none' | 'time' | 'size' | 'version' | 'extension' | 'width';
  time: 'mtime' | 'atime' | 'ctime' | 'birth';
  reverse: boolean;
  hidden: 'none' | 'almost' | 'all';
  recursive: boolean;
  directoriesAsFiles: boolean;
  dirsFirst: boolean;
  follow: 'never' | 'directories' | 'operands' | 'always';
  inodes: boolean;
  sizes: boolean;
  owner: boolean;
  group: boolean;
  author: boolean;
  numeric: boolean;
  context: boolean;
  indicator: 'none' | 'slash' | 'file-type' | 'classify';
  color: boolean;
  /** For `-s` and totals. */
  block: BlockSize;
  /** For the size column. */
  fileBlock: BlockSize;
  quoting: QuotingStyle | 'c-maybe';
  /** Shell quoting puts a blank before names without quotes, where columns are aligned. */
  alignsQuotes: boolean;
  hideControls: boolean;
  width: number;
  tabSize: number;
  timeFormat: readonly [recent: string, old: string];
  ignored: string[];
  hiddenPatterns: string[];
  end: string;
  quote: (name: string) => string;
  quoteHeading: (name: string) => string;
}

const KIBI: BlockSize = { kind: 'blocks', bytes: 1024, suffix: '' };
const BYTES: BlockSize = { kind: 'blocks', bytes: 1, suffix: '' };

function defaults(tool: Tool, name: 'ls' | 'dir' | 'vdir'): LsLine {
  const isTerminal = tool.proc.isatty(1);
  const columns =
    Number(tool.env('COLUMNS') ?? 0) || (isTerminal ? (ownTerminalSize(tool)?.columns ?? 80) : 80);
  return {
    format: name === 'vdir' ? 'long' : name === 'dir' || isTerminal ? 'vertical' : 'single-column',
    sort: 'name',
    time: 'mtime',
    reverse: false,
    hidden: 'none',
    recursive: false,
    directoriesAsFiles: false,
    dirsFirst: false,
    follow: 'directories',
    inodes: false,
    sizes: false,
    owner: true,
    group: true,
    author: false,
    numeric: false,
    context: false,
    indicator: 'none',
    color: false,
    block: KIBI,
    fileBlock: BYTES,
    quoting: name !== 'ls' ? 'escape' : isTerminal ? 'shell-escape' : 'literal',
    alignsQuotes: false,
    hideControls: name === 'ls' && isTerminal,
    width: columns > 0 ? columns : 80,
    tabSize: 8,
    timeFormat: ['%b %e %H:%M', '%b %e  %Y'],
    ignored: [],
    hiddenPatterns: [],
    end: '\n',
    quote: (text) => text,
    quoteHeading: (text) => text,
  };
}

/** What is decided only when all options were read. */
interface Later {
  format: LsFormat | undefined;
  sort: LsLine['sort'] | undefined;
  timeStyle: string | undefined;
  follow: LsLine['follow'] | undefined;
  block: string | undefined;
  human: BlockSize | undefined;
  kibi: boolean;
  quoting: LsLine['quoting'] | undefined;
  timeGiven: boolean;
}

/** Options of one letter that only set something. */
function setSwitch(line: LsLine, later: Later, key: string): boolean {
  const set: Record<string, () => void> = {
    a: () => (line.hidden = 'all'),
    A: () => (line.hidden = 'almost'),
    b: () => (later.quoting = 'escape'),
    B: () => line.ignored.push('*~', '.*~'),
    c: () => setTime(line, later, 'ctime'),
    u: () => setTime(line, later, 'atime'),
    C: () => (later.format = 'vertical'),
    d: () => (line.directoriesAsFiles = true),
    f: () => {
      line.hidden = 'all';
      later.sort = 'none';
      if (later.format === 'long') later.format = undefined;
      line.color = false;
      line.sizes = false;
    },
    F: () => (line.indicator = 'classify'),
    'file-type': () => (line.indicator = 'file-type'),
    g: () => {
      later.format = 'long';
      line.owner = false;
    },
    G: () => (line.group = false),
    'group-directories-first': () => (line.dirsFirst = true),
    h: () => (later.human = { kind: 'human', base: 1024 }),
    si: () => (later.human = { kind: 'human', base: 1000 }),
    H: () => (later.follow = 'operands'),
    'dereference-command-line-symlink-to-dir': () => (later.follow = 'directories'),
    i: () => (line.inodes = true),
    k: () => (later.kibi = true),
    l: () => (later.format = 'long'),
    L: () => (later.follow = 'always'),
    m: () => (later.format = 'commas'),
    n: () => {
      line.numeric = true;
      later.format = 'long';
    },
    N: () => (later.quoting = 'literal'),
    o: () => {
      later.format = 'long';
      line.group = false;
    },
    p: () => (line.indicator = 'slash'),
    q: () => (line.hideControls = true),
    'show-control-chars': () => (line.hideControls = false),
    Q: () => (later.quoting = 'c'),
    r: () => (line.reverse = true),
    R: () => (line.recursive = true),
    s: () => (line.sizes = true),
    S: () => (later.sort = 'size'),
    t: () => (later.sort = 'time'),
    U: () => (later.sort = 'none'),
    v: () => (later.sort = 'version'),
    x: () => (later.format = 'horizontal'),
    X: () => (later.sort = 'extension'),
    Z: () => (line.context = true),
    author: () => (line.author = true),
    '1': () => {
      if (later.format !== 'long') later.format = 'single-column';
    },
    'full-time': () => {
      later.format = 'long';
      later.timeStyle = 'full-iso';
    },
    zero: () => {
      line.end = '\0';
      if (later.format !== 'long') later.format = 'single-column';
      line.hideControls = false;
      later.quoting = 'literal';
      line.color = false;
    },
  };
  const action = set[key];
  action?.();
  return action !== undefined;
}

function setTime(line: LsLine, later: Later, time: LsLine['time']): void {
  line.time = time;
  later.timeGiven = true;
}

function readWhen(tool: Tool, option: string, value: string | undefined): boolean {
  if (value === undefined) return true;
  const when = tool.choice(option, value, WHEN);
  return when === 'always' || (when === 'auto' && tool.proc.isatty(1));
}

function readColumns(tool: Tool, value: string, what: string): number {
  const size = readSize(value, '');
  if (size === 'overflow') return 0;
  if (size === 'invalid') tool.die(`invalid ${what}: ${tool.quote(value)}`);
  return Number(size);
}

/** Options with arguments. */
function setValue(
  tool: Tool,
  line: LsLine,
  later: Later,
  hit: { key: string; value: string | undefined },
): void {
  const { key, value = '' } = hit;
  if (key === 'w') line.width = readColumns(tool, value, 'line width');
  if (key === 'T') line.tabSize = readColumns(tool, value, 'tab size');
  if (key === 'classify')
    line.indicator = readWhen(tool, '--classify', hit.value) ? 'classify' : line.indicator;
  if (key === 'color') line.color = readWhen(tool, '--color', hit.value);
  if (key === 'hyperlink') readWhen(tool, '--hyperlink', hit.value);
  if (key === 'I') line.ignored.push(value);
  if (key === 'hide') line.hiddenPatterns.push(value);
  if (key === 'indicator-style')
    line.indicator = tool.choice('--indicator-style', value, [
      ['none'],
      ['slash'],
      ['file-type'],
      ['classify'],
    ]) as LsLine['indicator'];
  if (key === 'quoting-style') later.quoting = tool.choice('--quoting-style', value, STYLES) as QuotingStyle;
  if (key === 'format') {
    const word = tool.choice('--format', value, FORMAT_WORDS);
    later.format = (
      word === 'verbose' ? 'long' : (FORMATS.find((row) => row.includes(word))?.[0] ?? word)
    ) as LsFormat;
  }
  if (key === 'sort')
    later.sort = tool.choice('--sort', value, [
      ['none'],
      ['time'],
      ['size'],
      ['extension'],
      ['version'],
      ['width'],
    ]) as LsLine['sort'];
  if (key === 'time') setTime(line, later, tool.choice('--time', value, TIMES) as LsLine['time']);
  if (key === 'time-style') later.timeStyle = value;
  if (key === 'block-size') {
    const block = readBlockSize(value);
    if (block === 'invalid') tool.die(`invalid --block-size argument ${tool.named(value)}`);
    if (block === 'overflow') tool.die(`--block-size argument ${tool.named(value)} too large`);
    later.block = value;
  }
}

function timeFormats(tool: Tool, style: string): readonly [string, string] {
  const word = style.replace(/^(posix-)+/, '');
  if (word.startsWith('+')) {
    const [recent = '', old, ...more] = word.slice(1).split('\n');
    if (more.length > 0) tool.die(`invalid time style format ${tool.quote(word.slice(1))}`);
    return [recent, old ?? recent];
  }
  if (word !== style) return ['%b %e %H:%M', '%b %e  %Y'];
  const known = ['full-iso', 'long-iso', 'iso', 'locale'];
  const found =
    known.find((name) => name === word) ??
    (word === ''
      ? undefined
      : known.filter((name) => name.startsWith(word)).length === 1
        ? known.find((name) => name.startsWith(word))
        : undefined);
  if (found === 'full-iso') return ['%Y-%m-%d %H:%M:%S.%N %z', '%Y-%m-%d %H:%M:%S.%N %z'];
  if (found === 'long-iso') return ['%Y-%m-%d %H:%M', '%Y-%m-%d %H:%M'];
  if (found === 'iso') return ['%m-%d %H:%M', '%Y-%m-%d '];
  if (found === 'locale') return ['%b %e %H:%M', '%b %e  %Y'];
  const isAmbiguous = word === '';
  tool.warn(
    `${isAmbiguous ? 'ambiguous' : 'invalid'} argument ${tool.quote(word)} for ${tool.quote('time style')}`,
  );
  tool.io.err('Valid arguments are:\n');
  for (const name of known) tool.io.err(`  - [posix-]${name}\n`);
  tool.io.err("  - +FORMAT (e.g., +%H:%M) for a 'date'-style format\n");
  return tool.usage();
}

function settleBlocks(tool: Tool, line: LsLine, later: Later): void {
  const fromEnvironment = tool.env('LS_BLOCK_SIZE') ?? tool.env('BLOCK_SIZE');
  const word = later.block ?? fromEnvironment;
  const block = word === undefined ? undefined : readBlockSize(word);
  if (block !== undefined && typeof block !== 'string') {
    line.block = block;
    line.fileBlock = block;
  } else if (tool.env('POSIXLY_CORRECT') !== undefined)
    line.block = { kind: 'blocks', bytes: 512, suffix: '' };
  if (later.kibi) line.block = KIBI;
  if (later.human !== undefined) {
    line.block = later.human;
    line.fileBlock = later.human;
  }
}

function settleQuoting(tool: Tool, line: LsLine, later: Later): void {
  const fromEnvironment = STYLES.find(([name]) => name === tool.env('QUOTING_STYLE'))?.[0];
  if (later.quoting === undefined && fromEnvironment !== undefined) line.quoting = fromEnvironment;
  else line.quoting = later.quoting ?? line.quoting;
  const style = line.quoting;
  const isShell = style === 'shell' || style === 'shell-escape' || style === 'c-maybe';
  line.alignsQuotes =
    isShell &&
    (line.format === 'long' ||
      ((line.format === 'vertical' || line.format === 'horizontal') && line.width > 0));
  const base = { isUtf8: tool.isUtf8 };
  const setting = style === 'escape' ? { ...base, also: ' ' } : base;
  line.quote = (name) => {
    let shown: string;
    if (style === 'c-maybe') {
      const quoted = quoteText(name, 'c', base);
      shown = quoted === `"${name}"` ? name : quoted;
    } else shown = quoteText(name, style, setting);
    if (!line.hideControls || style === 'c' || style.includes('escape')) return shown;
    return [...shown]
      .map((one) => (/[\p{Cc}\p{Cn}\p{Cs}]/u.test(one) || (!tool.isUtf8 && one > '~') ? '?' : one))
      .join('');
  };
  line.quoteHeading = (name) =>
    style === 'literal'
      ? line.quote(name)
      : style === 'c-maybe'
        ? line.quote(name)
        : quoteText(name, style, { ...base, also: style === 'escape' ? ' :' : ':' });
}

/** Reads the command line; wrong ones end the program. */
export function readLsLine(tool: Tool, name: 'ls' | 'dir' | 'vdir'): LsLine {
  const line = defaults(tool, name);
  const later: Later = {
    format: undefined,
    sort: undefined,
    timeStyle: undefined,
    follow: undefined,
    block: undefined,
    human: undefined,
    kibi: false,
    quoting: undefined,
    timeGiven: false,
  };
  for (const hit of tool.options(OPTIONS)) {
    if (!setSwitch(line, later, hit.key)) setValue(tool, line, later, hit);
  }
  line.format = later.format ?? line.format;
  line.sort = later.sort ?? (later.timeGiven && line.format !== 'long' ? 'time' : 'name');
  settleBlocks(tool, line, later);
  settleQuoting(tool, line, later);
  if (line.format === 'long')
    line.timeFormat = timeFormats(tool, later.timeStyle ?? tool.env('TIME_STYLE') ?? 'locale');
  const strict = line.directoriesAsFiles || line.indicator === 'classify' || line.format === 'long';
  line.follow = later.follow ?? (strict ? 'never' : 'directories');
  if (line.directoriesAsFiles) line.recursive = false;
  if (!(tool.env('LS_COLORS') || tool.env('COLORTERM')) && !KNOWN_TERMINALS.test(tool.env('TERM') ?? ''))
    line.color = false;
  if (line.color) line.tabSize = 0;
  return line;
}
