/**
 * The command line of `ps`: options with a dash, BSD's without, GNU's long ones.
 *
 * Source: ps(1). Not covered, asked instead: security labels (`Z`), threads' own rows, `--format` of rarely used columns.
 */
import type { Tool } from '../../program/tool.js';
import { headed, type PsField, psField } from './ps-fields.js';

/** What one run of ps shows. */
export interface PsSettings {
  /** Which processes: everybody's, those with a terminal, one's own, or one's own on this terminal. */
  scope: 'all' | 'terminals' | 'no-leaders' | 'with-terminal' | 'own' | 'here';
  isBsd: boolean;
  format: PsField[];
  isCustom: boolean;
  readonly pids: number[];
  readonly ppids: number[];
  readonly sids: number[];
  readonly commands: string[];
  readonly users: string[];
  readonly groups: string[];
  readonly ttys: string[];
  hasList: boolean;
  negated: boolean;
  tree: 'forest' | 'indent' | undefined;
  heading: boolean;
  readonly sort: string[];
  wide: number;
  columns: number | undefined;
  onlyRunning: boolean;
}

const USAGE = `
Usage:
 ps [options]

 Try 'ps --help <simple|list|output|threads|misc|all>'
  or 'ps --help <s|l|o|t|m|a>'
 for additional help text.

For more details see ps(1).
`;

function fail(tool: Tool, message: string): never {
  tool.io.err(`error: ${message}\n${USAGE}`);
  return tool.exit(1);
}

const unixDefault = (): PsField[] => fields('pid tty=TTY time cmd=CMD:comm');

/** Columns by their names; `name=HEADING`, and `:other` for the value of another column. */
function fields(text: string): PsField[] {
  return text.split(' ').map((word) => {
    const [, name = '', heading, value] = /^([^=:]+)(?:=([^:]*))?(?::(.*))?$/.exec(word) ?? [];
    return headed(value ?? name, heading ?? psField(name)?.heading ?? '');
  });
}

const FORMATS: Readonly<Record<string, string>> = {
  '-f': 'user=UID pid ppid c stime tty=TTY time cmd',
  '-F': 'user=UID pid ppid c sz rss psr stime tty=TTY time cmd',
  '-l': 'f s uid pid ppid c opri ni addr_sz wchan tty=TTY time cmd=CMD:comm',
  '-ly': 's uid pid ppid c opri ni rss sz wchan tty=TTY time cmd=CMD:comm',
  '-j': 'pid pgid sid tty=TTY time cmd=CMD:comm',
  '-T': 'pid spid tty=TTY time cmd=CMD:comm',
  bsd: 'pid tty=TTY stat bsdtime args',
  u: 'user pid %cpu %mem vsz rss tty=TTY stat bsdstart bsdtime args',
  j: 'ppid pid pgid sid tty=TTY tpgid stat uid bsdtime args',
  v: 'pid tty=TTY stat bsdtime majfl trs drs rss %mem args',
  l: 'f uid pid ppid priority ni vsz rss wchan stat tty=TTY bsdtime args',
};

/** Reads the command line. Ends the command where it is wrong. */
export function readPsSettings(tool: Tool): PsSettings {
  const settings: PsSettings = {
    scope: 'here',
    isBsd: false,
    format: [],
    isCustom: false,
    pids: [],
    ppids: [],
    sids: [],
    commands: [],
    users: [],
    groups: [],
    ttys: [],
    hasList: false,
    negated: false,
    tree: undefined,
    heading: true,
    sort: [],
    wide: 0,
    columns: undefined,
    onlyRunning: false,
  };
  const words = [...tool.args];
  const kinds = new Set<string>();
  for (let word = words.shift(); word !== undefined; word = words.shift()) {
    const at = { tool, settings, words, kinds };
    if (word.startsWith('--')) long(at, word);
    else if (word.startsWith('-')) unix(at, word.slice(1));
    else bsd(at, word);
  }
  if (settings.format.length === 0) settings.format = chosenFormat(settings, kinds);
  return settings;
}

function chosenFormat(settings: PsSettings, kinds: ReadonlySet<string>): PsField[] {
  if (kinds.has('-l') && kinds.has('y')) return fields(FORMATS['-ly'] ?? '');
  for (const key of ['-F', '-f', '-l', '-j', '-T', 'u', 'j', 'l', 'v'])
    if (kinds.has(key)) return fields(FORMATS[key] ?? '');
  return settings.isBsd ? fields(FORMATS.bsd ?? '') : unixDefault();
}

interface At {
  readonly tool: Tool;
  readonly settings: PsSettings;
  readonly words: string[];
  readonly kinds: Set<string>;
}

const LIST_NAMES: Readonly<Record<string, string>> = {
  p: 'process IDs',
  q: 'process IDs',
  C: 'command names',
  u: 'users',
  U: 'users',
  g: 'session leaders OR effective group IDs',
  G: 'real groups',
  t: 'terminals',
  s: 'session IDs',
};

function unix(at: At, letters: string): void {
  const { settings, tool, words, kinds } = at;
  for (let index = 0; index < letters.length; index++) {
    const letter = letters[index] ?? '';
    if ('pqCuUgGtsoO'.includes(letter)) {
      const value = letters.slice(index + 1) || words.shift();
      if (value === undefined)
        fail(
          tool,
          letter === 'o' || letter === 'O'
            ? 'format specification must follow -o'
            : `list of ${LIST_NAMES[letter]} must follow -${letter}`,
        );
      if (letter === 'o' || letter === 'O') custom(at, value, letter === 'O');
      else list(at, letter, value);
      return;
    }
    if (letter === 'e' || letter === 'A') settings.scope = 'all';
    else if (letter === 'a') settings.scope = 'terminals';
    else if (letter === 'd') settings.scope = 'no-leaders';
    else if (letter === 'N') settings.negated = true;
    else if (letter === 'H') settings.tree = 'indent';
    else if (letter === 'w') settings.wide += 1;
    else if (letter === 'y') kinds.add('y');
    else if (letter === 'V') version(tool);
    else if ('fFljT'.includes(letter)) kinds.add(`-${letter}`);
    else if (!'cLmM'.includes(letter))
      fail(
        tool,
        letter === 'Z' || letter === 'P' ? 'unsupported option (BSD syntax)' : 'unsupported SysV option',
      );
  }
}

function bsd(at: At, letters: string): void {
  const { settings, tool, words, kinds } = at;
  if (/^\d/.test(letters)) {
    settings.isBsd = true;
    list(at, 'p', letters);
    return;
  }
  settings.isBsd = true;
  for (let index = 0; index < letters.length; index++) {
    const letter = letters[index] ?? '';
    if ('opUtk'.includes(letter)) {
      const value = letters.slice(index + 1) || words.shift();
      if (value === undefined) fail(tool, `option ${letter} requires an argument`);
      if (letter === 'o') custom(at, value, false);
      else if (letter === 'k') settings.sort.push(...value.split(','));
      else list(at, letter, value);
      return;
    }
    if (letter === 'a') settings.scope = settings.scope === 'own' ? 'all' : 'with-terminal';
    else if (letter === 'x') settings.scope = settings.scope === 'with-terminal' ? 'all' : 'own';
    else if (letter === 'f') settings.tree = 'forest';
    else if (letter === 'h') settings.heading = false;
    else if (letter === 'w') settings.wide += 1;
    else if (letter === 'r') settings.onlyRunning = true;
    else if (letter === 'V') version(tool);
    else if ('ujlv'.includes(letter)) kinds.add(letter);
    else if (!'ceHnST'.includes(letter)) fail(tool, 'unsupported option (BSD syntax)');
  }
}

function version(tool: Tool): never {
  tool.out('ps from procps-ng 4.0.2\n');
  return tool.exit(0);
}

function long(at: At, word: string): void {
  const { settings, tool, words } = at;
  const [name = '', given] = word.slice(2).split(/=(.*)/s);
  const value = (): string => given ?? words.shift() ?? fail(tool, `list of something must follow --${name}`);
  if (name === 'help') {
    tool.out(USAGE);
    tool.exit(0);
  }
  if (name === 'version') version(tool);
  if (name === 'forest') settings.tree = 'forest';
  else if (/^no-?headers?$|^no-?heading$/.test(name)) settings.heading = false;
  else if (name === 'headers' || name === 'heading' || name === 'info' || name === 'cumulative') return;
  else if (name === 'deselect') settings.negated = true;
  else if (name === 'sort') settings.sort.push(...value().split(','));
  else if (name === 'format') custom(at, value(), false);
  else if (/^(cols|columns|width)$/.test(name)) settings.columns = Number(value());
  else if (name === 'lines' || name === 'rows') value();
  else if (name === 'ppid') list(at, 'ppid', value());
  else {
    const letter = {
      pid: 'p',
      'quick-pid': 'q',
      user: 'u',
      User: 'U',
      group: 'g',
      Group: 'G',
      tty: 't',
      sid: 's',
    }[name];
    if (letter === undefined) fail(tool, 'unknown gnu long option');
    list(at, letter, value());
  }
}

function list(at: At, letter: string, value: string): void {
  const { settings, tool } = at;
  settings.hasList = true;
  const items = value.split(/[ ,]+/).filter((item) => item !== '');
  if ('pqs'.includes(letter) || letter === 'ppid') {
    const what = letter === 's' ? 'session ID' : 'process ID';
    if (items.some((item) => !/^\d+$/.test(item))) fail(tool, `${what} list syntax error`);
    const target = letter === 'ppid' ? settings.ppids : letter === 's' ? settings.sids : settings.pids;
    target.push(...items.map(Number));
  } else if (letter === 'C') settings.commands.push(...items);
  else if (letter === 'u' || letter === 'U') settings.users.push(...items);
  else if (letter === 't') {
    if (items.some((item) => !/^(\/dev\/)?(pts\/\d+|tty\d*|\?|-)$/.test(item)))
      fail(tool, 'TTY could not be found');
    if (
      items.some(
        (item) =>
          /^(\/dev\/)?(pts|tty)/.test(item) && !tool.proc.exists(`/dev/${item.replace(/^\/dev\//, '')}`),
      )
    )
      fail(tool, 'TTY could not be found');
    settings.ttys.push(...items.map((item) => item.replace(/^\/dev\//, '').replace('-', '?')));
  } else settings.groups.push(...items);
}

/** `-o`: names, widths after a colon, headings after an equals sign that takes the rest. */
function custom(at: At, value: string, withDefaults: boolean): void {
  const { settings, tool } = at;
  settings.isCustom = true;
  const made: PsField[] = [];
  let rest = value.trim();
  while (rest !== '') {
    const match = /^([^ ,=:]+)(?::(\d+))?(?:=((?:[^,].*)?))?[ ,]*/s.exec(rest);
    if (match === null) fail(tool, 'improper list');
    const [whole, name = '', width, heading] = match;
    rest = rest.slice(whole.length);
    const field = psField(name);
    if (field === undefined) fail(tool, `unknown user-defined format specifier "${name}"`);
    made.push({
      ...field,
      ...(heading !== undefined && { heading, width: Math.max(field.width, heading.length) }),
      ...(width !== undefined && { width: Number(width) }),
    });
  }
  if (withDefaults) settings.format.push(...fields('pid'), ...made, ...fields('s tty=TTY time args'));
  else settings.format.push(...made);
}
