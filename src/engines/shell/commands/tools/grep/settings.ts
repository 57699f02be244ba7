/**
 * The command line of grep 3.8 as settings.
 *
 * Source: grep(1). `-NUM` is `-C NUM`. Not covered: `GREP_COLORS`, `-D`.
 */
import { Exit, type Io, type Process, type Running, SystemError, toText } from '../../../kernel/index.js';
import { defineOptions, parseLine } from '../../program/options.js';
import { helpText } from '../help-texts.js';

/** What one run of grep does. */
export interface GrepSettings {
  patterns: string[] | undefined;
  kind: 'basic' | 'extended' | 'fixed' | 'perl';
  ignoreCase: boolean;
  wholeWord: boolean;
  wholeLine: boolean;
  invert: boolean;
  nullData: boolean;
  count: boolean;
  list: 'matching' | 'others' | undefined;
  quiet: boolean;
  noMessages: boolean;
  onlyMatching: boolean;
  lineNumbers: boolean;
  byteOffsets: boolean;
  withNames: boolean | undefined;
  label: string;
  nullAfterName: boolean;
  initialTab: boolean;
  maxCount: number;
  before: number;
  after: number;
  separator: string | undefined;
  binary: 'binary' | 'text' | 'without-match';
  directories: 'read' | 'recurse' | 'skip';
  followAll: boolean;
  include: string[];
  exclude: string[];
  excludeFolders: string[];
  colour: boolean;
  files: readonly string[];
}

const TABLE = defineOptions(
  'E,extended-regexp F,fixed-strings G,basic-regexp P,perl-regexp e,regexp: f,file: i,y,ignore-case no-ignore-case w,word-regexp ' +
    'x,line-regexp z,null-data s,no-messages v,invert-match V,version m,max-count: b,byte-offset n,line-number line-buffered ' +
    'H,with-filename h,no-filename label: o,only-matching q,quiet,silent binary-files: a,text I d,directories: D,devices: ' +
    'r,recursive R,dereference-recursive include: exclude: exclude-from: exclude-dir: L,files-without-match l,files-with-matches ' +
    'c,count T,initial-tab Z,null B,before-context: A,after-context: C,context: group-separator: no-group-separator ' +
    'color,colour:: U,binary u,unix-byte-offsets',
  'help',
);

const USAGE = "Usage: grep [OPTION]... PATTERNS [FILE]...\nTry 'grep --help' for more information.\n";

/** The settings before any option. */
function initial(): GrepSettings {
  return {
    patterns: undefined,
    kind: 'basic',
    ignoreCase: false,
    wholeWord: false,
    wholeLine: false,
    invert: false,
    nullData: false,
    count: false,
    list: undefined,
    quiet: false,
    noMessages: false,
    onlyMatching: false,
    lineNumbers: false,
    byteOffsets: false,
    withNames: undefined,
    label: '(standard input)',
    nullAfterName: false,
    initialTab: false,
    maxCount: Number.POSITIVE_INFINITY,
    before: -1,
    after: -1,
    separator: '--',
    binary: 'binary',
    directories: 'read',
    followAll: false,
    include: [],
    exclude: [],
    excludeFolders: [],
    colour: false,
    files: [],
  };
}

/** Options that only set fields to fixed values. */
const SIMPLE: Readonly<Record<string, Partial<GrepSettings>>> = {
  i: { ignoreCase: true },
  'no-ignore-case': { ignoreCase: false },
  w: { wholeWord: true },
  x: { wholeLine: true },
  z: { nullData: true },
  s: { noMessages: true },
  v: { invert: true },
  b: { byteOffsets: true },
  n: { lineNumbers: true },
  H: { withNames: true },
  h: { withNames: false },
  o: { onlyMatching: true },
  q: { quiet: true },
  a: { binary: 'text' },
  I: { binary: 'without-match' },
  r: { directories: 'recurse', followAll: false },
  R: { directories: 'recurse', followAll: true },
  L: { list: 'others' },
  l: { list: 'matching' },
  c: { count: true },
  T: { initialTab: true },
  Z: { nullAfterName: true },
  'no-group-separator': { separator: undefined },
};

/** Writes words without a program name and ends with status 2. */
function refuse(io: Io, message: string): never {
  io.error(message);
  throw new Exit(2);
}

/** Reads the command line and the files of patterns. Ends the command where it is wrong. */
export function* readSettings(proc: Process, io: Io): Running<GrepSettings> {
  return yield* new SettingsReader(proc, io).read();
}

class SettingsReader {
  private readonly settings = initial();
  private readonly matchers = new Set<string>();
  private contextLines = -1;

  constructor(
    private readonly proc: Process,
    private readonly io: Io,
  ) {}

  *read(): Running<GrepSettings> {
    const { io, settings } = this;
    const args = expandNumbers(this.proc.argv.slice(1));
    const { hits, operands, error } = parseLine(args, TABLE);
    for (const { key, value } of hits) {
      if (key === 'f' || key === 'exclude-from') yield* this.fromFile(key, value ?? '');
      else this.apply(key, value ?? '');
    }
    if (error !== undefined) {
      io.error(error);
      io.err(USAGE);
      throw new Exit(2);
    }
    const rest = [...operands];
    if (settings.after < 0) settings.after = this.contextLines;
    if (settings.before < 0) settings.before = this.contextLines;
    if (settings.patterns === undefined) {
      const first = rest.shift();
      if (first === undefined) {
        io.err(USAGE);
        throw new Exit(2);
      }
      settings.patterns = first.split('\n');
    }
    settings.files = rest;
    return settings;
  }

  private apply(key: string, value: string): void {
    const { settings, io } = this;
    const simple = SIMPLE[key];
    if (simple !== undefined && Object.hasOwn(SIMPLE, key)) {
      Object.assign(settings, simple);
      return;
    }
    switch (key) {
      case 'E':
      case 'F':
      case 'G':
      case 'P':
        this.matcher(key);
        return;
      case 'e':
        settings.patterns = [...(settings.patterns ?? []), ...value.split('\n')];
        return;
      case 'm':
        if (!/^[+-]?\d+[kKMGTPEZYb]?$/.test(value)) refuse(io, 'invalid max count');
        settings.maxCount =
          Number.parseInt(value, 10) < 0 ? Number.POSITIVE_INFINITY : Number.parseInt(value, 10);
        return;
      case 'A':
        settings.after = this.context(value);
        return;
      case 'B':
        settings.before = this.context(value);
        return;
      case 'C':
        this.contextLines = this.context(value);
        return;
      default:
        this.applyRare(key, value);
    }
  }

  private applyRare(key: string, value: string): void {
    const { settings, io } = this;
    switch (key) {
      case 'label':
        settings.label = value;
        return;
      case 'group-separator':
        settings.separator = value;
        return;
      case 'include':
        settings.include.push(value);
        return;
      case 'exclude':
        settings.exclude.push(value);
        return;
      case 'exclude-dir':
        settings.excludeFolders.push(value.replace(/(.)\/+$/, '$1'));
        return;
      case 'binary-files':
        if (value !== 'binary' && value !== 'text' && value !== 'without-match')
          refuse(io, 'unknown binary-files type');
        settings.binary = value;
        return;
      case 'd':
        if (value !== 'read' && value !== 'recurse' && value !== 'skip') this.badDirectories(value);
        settings.directories = value as GrepSettings['directories'];
        return;
      case 'D':
        if (value !== 'read' && value !== 'skip') refuse(io, 'unknown devices method');
        return;
      case 'color':
        this.colour(value);
        return;
      case 'u':
        io.error('warning: --unix-byte-offsets (-u) is obsolete');
        return;
      case 'help':
        io.out(helpText('grep').help);
        throw new Exit(0);
      case 'V':
        io.out(helpText('grep').version);
        throw new Exit(0);
      default:
    }
  }

  private matcher(letter: string): void {
    const kinds = { E: 'extended', F: 'fixed', G: 'basic', P: 'perl' } as const;
    this.matchers.add(letter);
    if (this.matchers.size > 1) refuse(this.io, 'conflicting matchers specified');
    this.settings.kind = kinds[letter as 'E'];
  }

  private badDirectories(value: string): never {
    this.io.error(`invalid argument ‘${value}’ for ‘--directories’`);
    this.io.err(`Valid arguments are:\n  - ‘read’\n  - ‘recurse’\n  - ‘skip’\n${USAGE}`);
    throw new Exit(1);
  }

  private colour(value: string): void {
    const when = value === '' ? 'auto' : value;
    if (['always', 'yes', 'force'].includes(when)) this.settings.colour = true;
    else if (['never', 'no', 'none'].includes(when)) this.settings.colour = false;
    else if (['auto', 'tty', 'if-tty'].includes(when))
      this.settings.colour = this.proc.isatty(1) && (this.proc.env.get('TERM') ?? 'dumb') !== 'dumb';
    else {
      this.io.out(helpText('grep').help);
      throw new Exit(0);
    }
  }

  private context(value: string): number {
    if (!/^\d+$/.test(value)) refuse(this.io, `${value}: invalid context length argument`);
    return Number(value);
  }

  /** Takes patterns or globs from the lines of a file; `-` is standard input. */
  private *fromFile(key: string, name: string): Running<void> {
    const { settings, proc } = this;
    let text: string;
    try {
      text = toText(name === '-' ? yield* proc.readAll(0) : yield* proc.readFile(name));
    } catch (error) {
      if (!(error instanceof SystemError)) throw error;
      return refuse(this.io, `${name}: ${error.text}`);
    }
    const lines = text === '' ? [] : text.replace(/\n$/, '').split('\n');
    if (key === 'f') settings.patterns = [...(settings.patterns ?? []), ...lines];
    else settings.exclude.push(...lines);
  }
}

/** Writes `-5`, `-5n` and `-n5` as `-C 5`. */
function expandNumbers(args: readonly string[]): string[] {
  const out: string[] = [];
  let ended = false;
  for (const word of args) {
    const found = ended ? null : /^-([ivwxzsbnHhoqaIrRLlcTZEFGPUuy]*)(\d+)([a-zA-Z]*)$/.exec(word);
    if (word === '--') ended = true;
    if (found === null) {
      out.push(word);
      continue;
    }
    const [, before = '', digits = '', after = ''] = found;
    if (before !== '') out.push(`-${before}`);
    out.push('-C', digits);
    if (after !== '') out.push(`-${after}`);
  }
  return out;
}
