/**
 * `locale`, `getconf`, `tput`: the few answers of them that scripts ask for.
 *
 * Source: their manual pages; terminfo's `xterm` for the sequences. Not covered: all other variables and capabilities.
 */
import { terminalSize } from '../../program/terminal-size.js';
import { plainTool, type Tool } from '../../program/tool.js';

const CATEGORIES =
  'CTYPE NUMERIC TIME COLLATE MONETARY MESSAGES PAPER NAME ADDRESS TELEPHONE MEASUREMENT IDENTIFICATION'.split(
    ' ',
  );

/** The command `locale`. */
export const locale = plainTool('locale', (tool) => {
  const [first] = tool.args;
  if (first === '--help' || first === '-?') tool.help();
  if (first === '--version' || first === '-V') tool.version();
  if (first === '-a' || first === '--all-locales') {
    tool.out('C\nC.utf8\nPOSIX\n');
    return 0;
  }
  if (first === 'charmap') {
    tool.out(tool.isUtf8 ? 'UTF-8\n' : 'ANSI_X3.4-1968\n');
    return 0;
  }
  if (first !== undefined) {
    tool.io.err(`locale: unknown name "${first}"\n`);
    return 1;
  }
  const all = tool.env('LC_ALL') ?? '';
  const lang = tool.env('LANG') ?? '';
  tool.out(`LANG=${lang}\nLANGUAGE=${tool.env('LANGUAGE') ?? ''}\n`);
  for (const name of CATEGORIES) {
    const own = tool.env(`LC_${name}`);
    tool.out(all === '' && own ? `LC_${name}=${own}\n` : `LC_${name}="${all || lang || 'POSIX'}"\n`);
  }
  tool.out(`LC_ALL=${all}\n`);
  return 0;
});

const CONFIGURATION: Readonly<Record<string, string>> = {
  ARG_MAX: '2097152',
  PAGE_SIZE: '4096',
  PAGESIZE: '4096',
  _NPROCESSORS_ONLN: '1',
  _NPROCESSORS_CONF: '1',
  NAME_MAX: '255',
  PATH_MAX: '4096',
  PIPE_BUF: '4096',
  OPEN_MAX: '1024',
  CLK_TCK: '100',
  LONG_BIT: '64',
  WORD_BIT: '32',
  CHAR_BIT: '8',
  INT_MAX: '2147483647',
  HOST_NAME_MAX: '64',
  LOGIN_NAME_MAX: '256',
  CHILD_MAX: '7800',
  NGROUPS_MAX: '65536',
  LINE_MAX: '2048',
  PATH: '/bin:/usr/bin',
  CS_PATH: '/bin:/usr/bin',
  GNU_LIBC_VERSION: 'glibc 2.36',
  _POSIX_VERSION: '200809',
};

/** The command `getconf`. */
export const getconf = plainTool('getconf', (tool) => {
  const [first] = tool.args;
  if (first === '--help') tool.help();
  if (first === '--version') tool.version();
  if (first === undefined) {
    tool.io.err('Usage: getconf [-v specification] variable_name [pathname]\n       getconf -a [pathname]\n');
    return 2;
  }
  const value = CONFIGURATION[first];
  if (value === undefined) {
    tool.io.err(`getconf: Unrecognized variable \`${first}'\n`);
    return 2;
  }
  tool.out(`${value}\n`);
  return 0;
});

const CAPABILITIES: Readonly<Record<string, string>> = {
  bold: '\x1b[1m',
  dim: '\x1b[2m',
  sitm: '\x1b[3m',
  smul: '\x1b[4m',
  rmul: '\x1b[24m',
  blink: '\x1b[5m',
  rev: '\x1b[7m',
  smso: '\x1b[7m',
  rmso: '\x1b[27m',
  sgr0: '\x1b(B\x1b[m',
  clear: '\x1b[H\x1b[2J\x1b[3J',
  home: '\x1b[H',
  el: '\x1b[K',
  ed: '\x1b[J',
  civis: '\x1b[?25l',
  cnorm: '\x1b[?12l\x1b[?25h',
  smcup: '\x1b[?1049h\x1b[22;0;0t',
  rmcup: '\x1b[?1049l\x1b[23;0;0t',
  bel: '\x07',
  cuu1: '\x1bM',
  cud1: '\n',
  cuf1: '\x1b[C',
  cub1: '\b',
  cr: '\r',
  el1: '\x1b[1K',
  il1: '\x1b[L',
  dl1: '\x1b[M',
  dch1: '\x1b[P',
  sc: '\x1b7',
  rc: '\x1b8',
  ind: '\n',
  ri: '\x1bM',
  ht: '\t',
  cbt: '\x1b[Z',
  smir: '\x1b[4h',
  rmir: '\x1b[4l',
  smkx: '\x1b[?1h\x1b=',
  rmkx: '\x1b[?1l\x1b>',
  ritm: '\x1b[23m',
  flash: '\x1bg',
  op: '\x1b[39;49m',
};

/** The sequence of a capability with its arguments; undefined where there is none. */
function capability(tool: Tool, name: string, values: readonly number[]): string | undefined {
  const [first = 0, second = 0] = values;
  const colors = (tool.env('TERM') ?? '').includes('256color') ? 256 : 8;
  if (name === 'cols') return `${terminalSize(tool).columns}\n`;
  if (name === 'lines') return `${terminalSize(tool).rows}\n`;
  if (name === 'colors') return `${colors}\n`;
  const moved = { cuu: 'A', cud: 'B', cuf: 'C', cub: 'D', il: 'L', dl: 'M', dch: 'P', ech: 'X', ich: '@' }[
    name
  ];
  if (moved !== undefined) return `\x1b[${first}${moved}`;
  if (name === 'hpa') return `\x1b[${first + 1}G`;
  if (name === 'vpa') return `\x1b[${first + 1}d`;
  if (name === 'cup') return `\x1b[${first + 1};${second + 1}H`;
  if (name === 'setaf' || name === 'setab') {
    const base = name === 'setaf' ? 3 : 4;
    if (colors === 8 || first < 8) return `\x1b[${base}${first}m`;
    return first < 16 ? `\x1b[${base === 3 ? 9 : 10}${first - 8}m` : `\x1b[${base}8;5;${first}m`;
  }
  return CAPABILITIES[name];
}

/** The command `tput`. */
export const tput = plainTool('tput', (tool) => {
  const words = tool.args.filter((word) => !word.startsWith('-T'));
  const [name, ...values] = words;
  if (name === undefined) {
    tool.io.err('usage: tput [-V] [-S] [-T TERM] capname\n');
    return 2;
  }
  const term = tool.env('TERM') ?? '';
  if (term === '') {
    tool.io.err('tput: No value for $TERM and no -T specified\n');
    return 2;
  }
  if (name === 'init' || name === 'reset') return 0;
  const isDumb = term === 'dumb' && !['cols', 'lines', 'bel'].includes(name);
  if (isDumb && name === 'colors') {
    tool.out('-1\n');
    return 0;
  }
  const sequence = capability(tool, name, values.map(Number));
  if (sequence === undefined) {
    tool.io.err(`tput: unknown terminfo capability '${name}'\n`);
    return 4;
  }
  if (isDumb) return 1;
  tool.out(sequence);
  return 0;
});
