/**
 * The command line of GNU tar 1.34, the old style without a dash included.
 *
 * Options of incremental archives, volumes, commands and the like are read; a run that has them is asked about.
 */
import { Exit, type Io, type Process, SystemError } from '../../../kernel/index.js';
import { defineOptions, parseLine } from '../../program/options.js';
import { parseDate } from '../../program/parse-date.js';
import { timeZone } from '../../program/time-zone.js';
import { helpText } from '../help-texts.js';
import { parseTransform, type TarTransform } from './tar-transform.js';

/** What one run of tar does. */
export interface TarSettings {
  operation: 'c' | 'x' | 't' | 'r' | 'u' | 'A' | 'd' | 'delete' | 'test-label' | undefined;
  archive: string | undefined;
  compress: 'gzip' | 'bzip2' | 'xz' | undefined;
  /** A program that packs and is not computed; only reading its own name matters. */
  unsupported: string | undefined;
  /** The compression goes by the archive's name. */
  autoCompress: boolean;
  verbose: number;
  keepOld: boolean;
  skipOld: boolean;
  keepNewer: boolean;
  touch: boolean;
  dereference: boolean;
  recursion: boolean;
  removeFiles: boolean;
  totals: boolean;
  utc: boolean;
  fullTime: boolean;
  sortsByName: boolean;
  ignoreCase: boolean;
  /** What is set on members that are added. */
  owner: string | undefined;
  group: string | undefined;
  mode: string | undefined;
  /** Seconds since 1970. */
  mtime: number | undefined;
  /** Only files whose contents changed at or after this second are added. */
  newer: number | undefined;
  /** A folder that everything goes into; an empty text is that of the archive's name. */
  topLevel: string | undefined;
  label: string | undefined;
  readonly transforms: TarTransform[];
  /** Options that this tar takes and does not compute. */
  readonly foreign: string[];
  /** Lists of names and patterns that are still to be read. */
  readonly lists: {
    readonly kind: 'names' | 'patterns';
    readonly path: string;
    readonly folder: string;
    readonly isNull: boolean;
  }[];
  indexFile: string | undefined;
  toOutput: boolean;
  numericOwner: boolean;
  absoluteNames: boolean;
  wildcards: boolean;
  strip: number;
  readonly excluded: string[];
  /** Names in order, with the folder that -C had set before each. */
  readonly names: { readonly folder: string; readonly name: string }[];
  folder: string;
  /** Patterns that came behind so many names: those before are not meant. */
  readonly late: { readonly pattern: string; readonly after: number }[];
  /** Bytes of a record. */
  recordBytes: number;
  toCommand: boolean;
  isNull: boolean;
  clampMtime: boolean;
  /** Names are shown as they are stored. */
  showsStored: boolean;
}

const TABLE = defineOptions(
  'c,create x,extract,get t,list r,append u,update A,catenate,concatenate d,diff,compare delete test-label f,file: ' +
    'z,gzip,gunzip,ungzip j,bzip2 J,xz Z,compress,uncompress lzip lzma lzop zstd a,auto-compress no-auto-compress I,use-compress-program: ' +
    'v,verbose C,directory: O,to-stdout k,keep-old-files skip-old-files keep-newer-files overwrite overwrite-dir no-overwrite-dir ' +
    'U,unlink-first recursive-unlink keep-directory-symlink one-top-level:: remove-files W,verify p,preserve-permissions,same-permissions ' +
    'P,absolute-names exclude: X,exclude-from: exclude-backups exclude-caches exclude-caches-all exclude-caches-under exclude-ignore: ' +
    'exclude-ignore-recursive: exclude-tag: exclude-tag-all: exclude-tag-under: exclude-vcs exclude-vcs-ignores null no-null no-recursion recursion ' +
    'no-unquote unquote no-verbatim-files-from verbatim-files-from anchored no-anchored ignore-case no-ignore-case wildcards no-wildcards ' +
    'wildcards-match-slash no-wildcards-match-slash strip-components: numeric-owner totals:: h,dereference hard-dereference T,files-from: ' +
    'w,interactive,confirmation m,touch S,sparse sparse-version: owner: owner-map: group: group-map: mode: mtime: clamp-mtime sort: transform,xform: ' +
    'same-owner no-same-owner no-same-permissions o checkpoint:: checkpoint-action: utc full-time show-transformed-names,show-stored-names warning: ' +
    'add-file: ignore-failed-read n,seek no-seek occurrence:: g,listed-incremental: G,incremental level: check-device no-check-device hole-detection: ' +
    'ignore-command-error no-ignore-command-error to-command: atime-preserve:: delay-directory-restore no-delay-directory-restore ' +
    's,preserve-order,same-order acls no-acls selinux no-selinux xattrs no-xattrs xattrs-exclude: xattrs-include: force-local F,info-script,new-volume-script: ' +
    'L,tape-length: M,multi-volume rmt-command: rsh-command: volno-file: b,blocking-factor: B,read-full-records i,ignore-zeros record-size: H,format: ' +
    'old-archive,portability pax-option: posix V,label: backup:: K,starting-file: newer-mtime: N,newer,after-date: one-file-system suffix: ' +
    'index-file: l,check-links no-quote-chars: quote-chars: quoting-style: R,block-number show-defaults show-omitted-dirs restrict usage add-file: ' +
    'show-snapshot-field-ranges',
  'help version',
);
const NEEDS_VALUE = 'fCXTbIVHNKLFg';

function usage(io: Io, message: string): never {
  io.err(`tar: ${message}\nTry 'tar --help' or 'tar --usage' for more information.\n`);
  throw new Exit(2);
}

/** Reads the command line. Ends the command where it is wrong. */
export function readTarSettings(proc: Process, io: Io): TarSettings {
  const settings: TarSettings = {
    operation: undefined,
    archive: undefined,
    compress: undefined,
    unsupported: undefined,
    autoCompress: false,
    verbose: 0,
    keepOld: false,
    skipOld: false,
    keepNewer: false,
    touch: false,
    dereference: false,
    recursion: true,
    removeFiles: false,
    totals: false,
    utc: false,
    fullTime: false,
    sortsByName: false,
    ignoreCase: false,
    owner: undefined,
    group: undefined,
    mode: undefined,
    mtime: undefined,
    newer: undefined,
    topLevel: undefined,
    label: undefined,
    transforms: [],
    foreign: [],
    lists: [],
    indexFile: undefined,
    toOutput: false,
    numericOwner: false,
    absoluteNames: false,
    wildcards: false,
    strip: 0,
    excluded: [],
    names: [],
    folder: '.',
    late: [],
    recordBytes: 20 * 512,
    toCommand: false,
    isNull: false,
    clampMtime: false,
    showsStored: false,
  };
  // Each word is read by itself, so that -C counts for the names behind it.
  const words = oldStyle(proc.argv.slice(1), io);
  for (let at = 0; at < words.length; at++) {
    const word = words[at] ?? '';
    if (word === '--') {
      for (const name of words.slice(at + 1)) settings.names.push({ folder: settings.folder, name });
      break;
    }
    if (!word.startsWith('-') || word === '-') {
      settings.names.push({ folder: settings.folder, name: word });
      continue;
    }
    const alone = parseLine([word], TABLE);
    const next = words[at + 1];
    const takesNext = alone.error?.includes('requires an argument') === true && next !== undefined;
    const { hits, error } = takesNext ? parseLine([word, next], TABLE) : alone;
    if (error !== undefined) usage(io, error);
    for (const { key, value } of hits) apply(settings, { proc, io, key, value: value ?? '' });
    if (takesNext) at++;
  }
  if (settings.clampMtime && settings.mtime === undefined)
    usage(io, '--clamp-mtime needs a date specified using --mtime');
  if (settings.operation === undefined)
    usage(io, "You must specify one of the '-Acdtrux', '--delete' or '--test-label' options");
  return settings;
}

/** `tar cf a b` as `tar -c -f a b`. */
function oldStyle(words: readonly string[], io: Io): string[] {
  const [first, ...rest] = words;
  if (first === undefined || first.startsWith('-')) return [...words];
  const out: string[] = [];
  for (const letter of first) {
    out.push(`-${letter}`);
    if (!NEEDS_VALUE.includes(letter)) continue;
    const value = rest.shift();
    if (value === undefined) usage(io, `Old option '${letter}' requires an argument.`);
    out.push(value);
  }
  return [...out, ...rest];
}

interface Hit {
  readonly proc: Process;
  readonly io: Io;
  readonly key: string;
  readonly value: string;
}

const OPERATIONS = 'c x t r u A d delete test-label'.split(' ');
const FLAGS = {
  k: 'keepOld',
  'skip-old-files': 'skipOld',
  'keep-newer-files': 'keepNewer',
  m: 'touch',
  h: 'dereference',
  'remove-files': 'removeFiles',
  totals: 'totals',
  utc: 'utc',
  'full-time': 'fullTime',
  'ignore-case': 'ignoreCase',
  O: 'toOutput',
  'numeric-owner': 'numericOwner',
  P: 'absoluteNames',
  wildcards: 'wildcards',
  a: 'autoCompress',
  'show-transformed-names': 'showsStored',
} as const;
/** What is taken and asks for something that is not computed. */
const FOREIGN =
  'w W g G M L F R checkpoint checkpoint-action exclude-tag exclude-tag-all exclude-tag-under exclude-ignore exclude-ignore-recursive ' +
  'exclude-vcs-ignores occurrence K posix pax-option backup suffix show-defaults usage show-snapshot-field-ranges quoting-style owner-map group-map';
const VCS =
  '.git .gitignore .gitattributes .gitmodules CVS RCS SCCS .svn .arch-ids {arch} =RELEASE-ID =meta-update =update .bzr .bzrignore .bzrtags .hg .hgignore .hgtags _darcs .cvsignore'.split(
    ' ',
  );

function apply(settings: TarSettings, hit: Hit): void {
  const { io, key } = hit;
  if (OPERATIONS.includes(key)) {
    if (settings.operation !== undefined && settings.operation !== key)
      usage(io, "You may not specify more than one '-Acdtrux', '--delete' or  '--test-label' option");
    settings.operation = key as 'c';
    return;
  }
  if (Object.hasOwn(FLAGS, key)) {
    settings[FLAGS[key as 'k']] = true;
    return;
  }
  if (key === 'to-command') settings.toCommand = true;
  else if (FOREIGN.split(' ').includes(key)) checkForeign(settings, hit);
  else if (!applyFiles(settings, hit) && !applyFormat(settings, hit)) applyMember(settings, hit);
  if (key === 'help' || key === 'version') {
    io.out(helpText('tar')[key]);
    throw new Exit(0);
  }
}

function checkForeign(settings: TarSettings, { io, key, value }: Hit): void {
  if (key === 'backup' && !/^(none|off|t|numbered|nil|existing|never|simple|)$/.test(value)) {
    io.err(
      `tar: invalid argument ‘${value}’ for ‘--backup’\nValid arguments are:\n  - ‘none’, ‘off’\n  - ‘simple’, ‘never’\n  - ‘existing’, ‘nil’\n  - ‘numbered’, ‘t’\n`,
    );
    throw new Exit(2);
  }
  settings.foreign.push(key);
}

/** Options about names; false where this is another. */
function applyFiles(settings: TarSettings, { key, value }: Hit): boolean {
  const { folder } = settings;
  switch (key) {
    case 'v':
      settings.verbose++;
      return true;
    case 'f':
      settings.archive = value;
      return true;
    case 'C':
      settings.folder = value.startsWith('/') || folder === '.' ? value : `${folder}/${value}`;
      return true;
    case 'exclude':
      settings.excluded.push(value);
      if (settings.names.length > 0) settings.late.push({ pattern: value, after: settings.names.length });
      return true;
    case 'exclude-vcs':
      settings.excluded.push(...VCS);
      return true;
    case 'exclude-backups':
      settings.excluded.push('.#*', '*~', '#*#');
      return true;
    case 'X':
      settings.lists.push({ kind: 'patterns', path: value, folder, isNull: false });
      return true;
    case 'T':
      settings.lists.push({ kind: 'names', path: value, folder, isNull: settings.isNull });
      return true;
    case 'null':
    case 'no-null':
      settings.isNull = key === 'null';
      return true;
    case 'add-file':
      settings.names.push({ folder, name: value });
      return true;
    case 'index-file':
      settings.indexFile = value;
      return true;
    default:
      return false;
  }
}

/** Options about the archive as a whole. */
function applyFormat(settings: TarSettings, { io, key, value }: Hit): boolean {
  const programs: Readonly<Record<string, 'gzip' | 'bzip2' | 'xz'>> = { z: 'gzip', j: 'bzip2', J: 'xz' };
  if (key === 'no-auto-compress') settings.autoCompress = false;
  else if (programs[key] !== undefined) settings.compress = programs[key];
  else if (key === 'I') {
    const name = value.split(' ')[0] ?? '';
    if (name === 'gzip' || name === 'bzip2' || name === 'xz') settings.compress = name;
    else settings.unsupported = name;
  } else if (['Z', 'lzip', 'lzma', 'lzop', 'zstd'].includes(key))
    settings.unsupported = key === 'Z' ? 'compress' : key;
  else if (key === 'b') {
    if (!/^\d+$/.test(value) || Number(value) === 0) usage(io, 'Invalid blocking factor');
    settings.recordBytes = Number(value) * 512;
  } else if (key === 'record-size') {
    if (!/^\d+[kKbMG]?$/.test(value)) usage(io, 'Invalid record size');
    if (/^\d+$/.test(value) && Number(value) % 512 !== 0) usage(io, 'Record size must be a multiple of 512.');
  } else if (key === 'H') {
    if (!/^(gnu|oldgnu|pax|posix|ustar|v7)$/.test(value)) {
      io.err(
        `tar: invalid archive format: ${value}\nTry 'tar --help' or 'tar --usage' for more information.\n`,
      );
      throw new Exit(2);
    }
    if (value === 'pax' || value === 'posix') settings.foreign.push('H');
  } else if (key === 'V') settings.label = value;
  else if (key === 'sort') {
    if (!/^(none|name|inode)$/.test(value))
      invalidChoice(io, { key, value, words: ['none', 'name', 'inode'] });
    settings.sortsByName = value === 'name';
  } else if (key === 'atime-preserve') {
    if (!/^(replace|system|)$/.test(value)) invalidChoice(io, { key, value, words: ['replace', 'system'] });
  } else return false;
  return true;
}

function invalidChoice(
  io: Io,
  { key, value, words }: { key: string; value: string; words: readonly string[] },
): never {
  io.err(
    `tar: invalid argument ‘${value}’ for ‘--${key}’\nValid arguments are:\n${words.map((word) => `  - ‘${word}’\n`).join('')}`,
  );
  throw new Exit(2);
}

/** Options about how members are written and made. */
function applyMember(settings: TarSettings, { proc, io, key, value }: Hit): void {
  switch (key) {
    case 'no-recursion':
    case 'recursion':
      settings.recursion = key === 'recursion';
      return;
    case 'strip-components':
      if (!/^\d+$/.test(value)) usage(io, `${value}: Invalid number of elements`);
      settings.strip = Number(value);
      return;
    case 'owner':
    case 'group':
    case 'mode':
      settings[key] = value;
      return;
    case 'one-top-level':
      settings.topLevel = value;
      return;
    case 'clamp-mtime':
      settings.clampMtime = true;
      return;
    case 'transform': {
      const made = parseTransform(value);
      if (made === undefined) settings.foreign.push(key);
      else settings.transforms.push(made);
      return;
    }
    case 'mtime':
      settings.mtime = dateOrFile(proc, io, value);
      return;
    case 'N':
    case 'newer-mtime':
      settings.newer = dateOrFile(proc, io, value);
  }
}

/** The second that a date, or a file's time, means. */
function dateOrFile(proc: Process, io: Io, value: string): number {
  if (/^[./]/.test(value)) {
    try {
      return Math.floor(proc.stat(value).mtimeUs / 1e6);
    } catch (error) {
      if (!(error instanceof SystemError)) throw error;
      io.err(
        `tar: ${value}: Cannot stat: ${error.text}\ntar: Date sample file not found\ntar: Error is not recoverable: exiting now\n`,
      );
      throw new Exit(2);
    }
  }
  const zone = timeZone(proc.env.get('TZ'));
  const now = proc.now();
  const parsed = parseDate(value, { seconds: Math.floor(now / 1e6), nanoseconds: (now % 1e6) * 1000 }, zone);
  if (parsed !== null) return parsed.seconds;
  io.err(`tar: Substituting -9223372036854775808 for unknown date format ‘${value}’\n`);
  return Number.NEGATIVE_INFINITY;
}
