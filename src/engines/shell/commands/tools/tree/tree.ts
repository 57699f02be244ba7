/**
 * `tree` 2.1.0: folders as a tree of lines, or as JSON.
 *
 * Source: tree(1) and the program's own output. Names are sorted by bytes; folders count themselves. Not covered, and asked of the world's model: HTML and
 * XML, colours, `--gitignore`, `--info`, `--fromfile`, `--filelimit`, `--du`, `--prune`, sorting by size and change time.
 */
import {
  type Command,
  Exit,
  type Inode,
  type Io,
  type Process,
  type Running,
  SystemError,
  sizeOf,
} from '../../../kernel/index.js';
import { Accounts } from '../../program/accounts.js';
import { breakTime } from '../../program/calendar.js';
import { modeText } from '../../program/file-mode.js';
import { strftime } from '../../program/strftime.js';
import { timeZone } from '../../program/time-zone.js';
import { unknownProgram } from '../../program/unknown-program.js';
import { matchGlob } from '../glob-match.js';
import { helpText } from '../help-texts.js';

const USAGE = `usage: tree [-acdfghilnpqrstuvxACDFJQNSUX] [-L level [-R]] [-H  baseHREF]
\t[-T title] [-o filename] [-P pattern] [-I pattern] [--gitignore]
\t[--gitfile[=]file] [--matchdirs] [--metafirst] [--ignore-case]
\t[--nolinks] [--hintro[=]file] [--houtro[=]file] [--inodes] [--device]
\t[--sort[=]<name>] [--dirsfirst] [--filesfirst] [--filelimit #] [--si]
\t[--du] [--prune] [--charset[=]X] [--timefmt[=]format] [--fromfile]
\t[--fflinks] [--info] [--infofile[=]file] [--noreport] [--version]
\t[--help] [--] [directory ...]
`;

interface Settings {
  readonly flags: Set<string>;
  level: number;
  readonly wanted: string[];
  readonly unwanted: string[];
}

interface Entry {
  readonly name: string;
  readonly path: string;
  readonly inode: Inode;
  readonly target?: string;
}

/** The command. */
export const tree: Command = {
  name: 'tree',
  path: '/usr/bin/tree',
  sizeBytes: 98_872,
  run: (proc, io) => run(proc, io),
};

/** Options that are computed. */
const LETTERS = new Set('adfghinpqrstuADFJQNU');
const WORDS = new Set(['noreport', 'dirsfirst', 'filesfirst', 'ignore-case', 'fflinks']);
/** Options that the real program has and this one does not compute: such a call is a question to the world's model. */
const FOREIGN_LETTERS = new Set('clvxCSXRHTo');
const FOREIGN_WORDS =
  /^(gitignore|gitfile|matchdirs|metafirst|nolinks|hintro|houtro|inodes|device|sort|filelimit|si|du|prune|charset|timefmt|fromfile|info|infofile)(=|$)/;

function isForeign(words: readonly string[]): boolean {
  const end = words.indexOf('--');
  const options = end < 0 ? words : words.slice(0, end);
  return options.some((word) =>
    word.startsWith('--')
      ? FOREIGN_WORDS.test(word.slice(2))
      : word.startsWith('-') && [...word.slice(1)].some((letter) => FOREIGN_LETTERS.has(letter)),
  );
}

function invalid(io: Io, message: string): never {
  io.err(`tree: ${message}\n`);
  throw new Exit(1);
}

function readLine(
  proc: Process,
  io: Io,
): { readonly settings: Settings; readonly folders: readonly string[] } {
  const settings: Settings = { flags: new Set(), level: Number.POSITIVE_INFINITY, wanted: [], unwanted: [] };
  const folders: string[] = [];
  const words = proc.argv.slice(1);
  while (words.length > 0) {
    const word = words.shift() ?? '';
    if (word === '--') return { settings, folders: [...folders, ...words] };
    if (word.startsWith('--')) readWord(io, word.slice(2), settings);
    else if (word.startsWith('-') && word !== '-') readLetters(io, word.slice(1), { settings, words });
    else folders.push(word);
  }
  return { settings, folders };
}

function readWord(io: Io, word: string, { flags }: Settings): void {
  if (word === 'help' || word === 'version') {
    io.out(helpText('tree')[word]);
    throw new Exit(0);
  }
  if (WORDS.has(word)) flags.add(word);
  else {
    io.err(`tree: Invalid argument \`--${word}'.\n${USAGE}`);
    throw new Exit(1);
  }
}

function readLetters(
  io: Io,
  letters: string,
  { settings, words }: { settings: Settings; words: string[] },
): void {
  for (const letter of letters) {
    if (letter === 'L') {
      const text = words.shift();
      if (text === undefined) invalid(io, 'Missing argument to -L option.');
      const level = /^\s*\d+/.test(text) ? Number.parseInt(text, 10) : 0;
      if (level <= 0) invalid(io, 'Invalid level, must be greater than 0.');
      settings.level = level;
    } else if (letter === 'P' || letter === 'I') {
      const pattern = words.shift();
      if (pattern === undefined) invalid(io, `Missing argument to -${letter} option.`);
      (letter === 'P' ? settings.wanted : settings.unwanted).push(...pattern.split('|'));
    } else if (LETTERS.has(letter)) settings.flags.add(letter);
    else {
      io.err(`tree: Invalid argument -\`${letter}'.\n${USAGE}`);
      throw new Exit(1);
    }
  }
}

function* run(proc: Process, io: Io): Running<number> {
  if (isForeign(proc.argv.slice(1))) return yield* unknownProgram('tree')(proc);
  const { settings, folders } = readLine(proc, io);
  const work = new Tree(proc, io, settings);
  const isJson = settings.flags.has('J');
  if (isJson) io.out('[\n');
  for (const folder of folders.length === 0 ? ['.'] : folders) yield* work.show(folder);
  work.report();
  return work.status;
}

class Tree {
  status = 0;
  private directories = 0;
  private files = 0;
  private readonly accounts: Accounts;

  constructor(
    private readonly proc: Process,
    private readonly io: Io,
    private readonly settings: Settings,
  ) {
    this.accounts = new Accounts(proc);
  }

  *show(folder: string): Running<void> {
    const { flags } = this.settings;
    let inode: Inode;
    try {
      inode = this.proc.stat(folder);
      if (inode.kind !== 'directory') throw new SystemError('ENOTDIR', folder);
    } catch (error) {
      if (!(error instanceof SystemError)) throw error;
      if (flags.has('J'))
        this.io.out(`  {"type":"directory","name":${JSON.stringify(folder)},"error": "opening dir"}\n`);
      else this.io.out(`${this.quoted(folder)}  [error opening dir]\n`);
      this.status = 2;
      return;
    }
    const root: Entry = { name: folder, path: folder, inode };
    // An empty folder that is named does not count itself.
    const isEmpty = this.entriesOf(root).length === 0;
    if (!isEmpty) this.directories += 1;
    if (flags.has('J')) {
      this.io.out(`  {"type":"directory","name":${JSON.stringify(folder)}`);
      if (!isEmpty) {
        this.io.out(',"contents":[');
        yield* this.json(root, 1);
        this.io.out(']');
      }
      this.io.out('}\n');
      return;
    }
    this.io.out(`${this.facts(inode)}${this.quoted(folder)}${this.sign(inode)}\n`);
    yield* this.lines(root, '', 1);
  }

  report(): void {
    const { flags } = this.settings;
    const { directories, files } = this;
    if (flags.has('J')) {
      const report = flags.has('d') ? '' : `,"files":${files}`;
      this.io.out(
        flags.has('noreport') ? ']\n' : `,\n  {"type":"report","directories":${directories}${report}}\n]\n`,
      );
      return;
    }
    if (flags.has('noreport')) return;
    const folders = `${directories} director${directories === 1 ? 'y' : 'ies'}`;
    this.io.out(`\n${folders}${flags.has('d') ? '' : `, ${files} file${files === 1 ? '' : 's'}`}\n`);
  }

  private *lines(folder: Entry, indent: string, depth: number): Running<void> {
    const entries = this.entriesOf(folder);
    const { flags } = this.settings;
    for (const [index, entry] of entries.entries()) {
      if (this.proc.tick()) yield* this.proc.pause();
      const isLast = index === entries.length - 1;
      const branch = flags.has('i') ? '' : `${indent}${isLast ? '└' : '├'}── `;
      const arrow = entry.target === undefined ? '' : ` -> ${this.quoted(entry.target)}`;
      const shown = this.quoted(flags.has('f') ? entry.path : entry.name);
      this.io.out(`${branch}${this.facts(entry.inode)}${shown}${arrow}${this.sign(this.followed(entry))}\n`);
      this.count(entry);
      if (this.isOpened(entry, depth)) {
        yield* this.lines(entry, `${indent}${isLast ? '    ' : '│\u00a0\u00a0 '}`, depth + 1);
      }
    }
  }

  private *json(folder: Entry, depth: number): Running<void> {
    const entries = this.entriesOf(folder);
    const pad = '  '.repeat(depth + 1);
    for (const [index, entry] of entries.entries()) {
      if (this.proc.tick()) yield* this.proc.pause();
      const { inode, target } = entry;
      const type = inode.kind === 'symlink' ? 'link' : inode.kind;
      const name = JSON.stringify(this.settings.flags.has('f') ? entry.path : entry.name);
      const to = target === undefined ? '' : `,"target":${JSON.stringify(target)}`;
      this.io.out(`${index === 0 ? '\n' : ',\n'}${pad}{"type":"${type}","name":${name}${to}`);
      this.count(entry);
      if (this.isOpened(entry, depth) && this.entriesOf(entry).length > 0) {
        this.io.out(',"contents":[');
        yield* this.json(entry, depth + 1);
        this.io.out(']');
      }
      this.io.out('}');
    }
    if (entries.length > 0) this.io.out(`\n${'  '.repeat(depth)}`);
  }

  private count(entry: Entry): void {
    if (this.followed(entry).kind === 'directory') this.directories += 1;
    else this.files += 1;
  }

  private isOpened({ inode }: Entry, depth: number): boolean {
    return inode.kind === 'directory' && depth < this.settings.level;
  }

  /** What a link leads to; the link itself where it leads nowhere. */
  private followed({ inode, path }: Entry): Inode {
    if (inode.kind !== 'symlink') return inode;
    try {
      return this.proc.stat(path);
    } catch (error) {
      if (error instanceof SystemError) return inode;
      throw error;
    }
  }

  private entriesOf(folder: Entry): readonly Entry[] {
    const { flags, wanted, unwanted } = this.settings;
    const base = folder.path === '/' ? '' : folder.path;
    let names: readonly string[];
    try {
      names = this.proc.readdir(folder.path).map(({ name }) => name);
    } catch (error) {
      if (error instanceof SystemError) return [];
      throw error;
    }
    const fits = (patterns: readonly string[], name: string): boolean =>
      patterns.some((pattern) => matchGlob(pattern, name, { ignoreCase: flags.has('ignore-case') }));
    const entries = names
      .filter((name) => flags.has('a') || !name.startsWith('.'))
      .map((name): Entry => {
        const path = `${base}/${name}`;
        const inode = this.proc.lstat(path);
        return { name, path, inode, ...(inode.kind === 'symlink' && { target: this.proc.readlink(path) }) };
      })
      .filter((entry) => !flags.has('d') || this.followed(entry).kind === 'directory')
      .filter(({ name, inode }) => inode.kind === 'directory' || wanted.length === 0 || fits(wanted, name))
      .filter(({ name }) => !fits(unwanted, name));
    const order = flags.has('r') ? -1 : 1;
    const isFolder = (entry: Entry): number => (entry.inode.kind === 'directory' ? 1 : 0);
    const first = flags.has('dirsfirst') ? -1 : flags.has('filesfirst') ? 1 : 0;
    const byTime = (a: Entry, b: Entry): number => (flags.has('t') ? a.inode.mtimeUs - b.inode.mtimeUs : 0);
    if (flags.has('U')) return entries;
    return entries.sort(
      (a, b) =>
        first * (isFolder(a) - isFolder(b)) ||
        order * (byTime(a, b) || (a.name < b.name ? -1 : a.name > b.name ? 1 : 0)),
    );
  }

  private time(us: number): string {
    const seconds = Math.floor(us / 1_000_000);
    const age = Math.floor(this.proc.now() / 1_000_000) - seconds;
    const format = age >= 0 && age < HALF_YEAR ? '%b %e %H:%M' : '%b %e  %Y';
    return strftime(format, breakTime(seconds, 0, timeZone(this.proc.env.get('TZ'))));
  }

  private quoted(text: string): string {
    return this.settings.flags.has('Q') ? `"${text}"` : text;
  }

  /** The sign of `-F`. */
  private sign(inode: Inode): string {
    const { flags } = this.settings;
    if (!flags.has('F') || flags.has('d')) return '';
    if (inode.kind === 'directory') return '/';
    if (inode.kind === 'fifo') return '|';
    return inode.kind === 'file' && (inode.mode & 0o111) !== 0 ? '*' : '';
  }

  /** What stands in brackets before a name. */
  private facts(inode: Inode): string {
    const { flags } = this.settings;
    const parts: string[] = [];
    if (flags.has('p')) parts.push(modeText(inode));
    if (flags.has('u')) parts.push(this.accounts.userName(inode.uid).padEnd(8));
    if (flags.has('g')) parts.push(this.accounts.groupName(inode.gid).padEnd(8));
    if (flags.has('h')) parts.push(shortSize(sizeOf(inode)).padStart(4));
    else if (flags.has('s')) parts.push(String(sizeOf(inode)).padStart(11));
    if (flags.has('D')) parts.push(this.time(inode.mtimeUs));
    return parts.length === 0 ? '' : `[${parts.join(' ')}]  `;
  }
}

/** Half a year of seconds: younger files show the hour, older ones and those of the future the year. */
const HALF_YEAR = 6 * 31 * 24 * 60 * 60;

/** Sizes as `-h` shows them: below ten with one digit. */
function shortSize(bytes: number): string {
  if (bytes < 1024) return String(bytes);
  let value = bytes;
  let unit = -1;
  while (value >= 1024) {
    value /= 1024;
    unit += 1;
  }
  return `${value >= 10 ? Math.floor(value) : value.toFixed(1)}${'KMGTPE'[unit] ?? ''}`;
}
