/**
 * The command line of GNU tar 1.34, the old style without a dash included.
 *
 * Not covered: incremental archives, volumes, `--transform` beyond one substitution, ownership options.
 */
import { Exit, type Io, type Process } from '../../../kernel/index.js';
import { defineOptions, parseLine } from '../../program/options.js';
import { helpText } from '../help-texts.js';

/** What one run of tar does. */
export interface TarSettings {
  operation: 'c' | 'x' | 't' | 'r' | 'd' | 'delete' | undefined;
  archive: string | undefined;
  compress: 'gzip' | undefined;
  unsupported: string | undefined;
  verbose: number;
  keepOld: boolean;
  toOutput: boolean;
  numericOwner: boolean;
  absoluteNames: boolean;
  wildcards: boolean;
  strip: number;
  readonly excluded: string[];
  /** Names in order, with the folder that -C had set before each. */
  readonly names: { readonly folder: string; readonly name: string }[];
  folder: string;
}

const TABLE = defineOptions(
  'c,create x,extract,get t,list r,append u,update A,catenate,concatenate d,diff,compare delete f,file: z,gzip,gunzip,ungzip j,bzip2 J,xz a,auto-compress ' +
    'v,verbose C,directory: O,to-stdout k,keep-old-files skip-old-files overwrite p,preserve-permissions,same-permissions P,absolute-names exclude: X,exclude-from: ' +
    'strip-components: numeric-owner wildcards no-wildcards totals h,dereference T,files-from: w,interactive W,verify m,touch S,sparse ' +
    'owner: group: mode: mtime: sort: transform: no-recursion same-owner no-same-owner o checkpoint utc full-time show-transformed-names warning:',
  'help version',
);
const NEEDS_VALUE = 'fCXTb';

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
    verbose: 0,
    keepOld: false,
    toOutput: false,
    numericOwner: false,
    absoluteNames: false,
    wildcards: false,
    strip: 0,
    excluded: [],
    names: [],
    folder: '.',
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
    for (const { key, value } of hits) apply(settings, { io, key, value: value ?? '' });
    if (takesNext) at++;
  }
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

function apply(
  settings: TarSettings,
  { io, key, value }: { readonly io: Io; readonly key: string; readonly value: string },
): void {
  switch (key) {
    case 'c':
    case 'x':
    case 't':
    case 'r':
    case 'd':
    case 'delete':
      if (settings.operation !== undefined && settings.operation !== key)
        usage(io, "You may not specify more than one '-Acdtrux', '--delete' or  '--test-label' option");
      settings.operation = key;
      return;
    case 'f':
      settings.archive = value;
      return;
    case 'z':
      settings.compress = 'gzip';
      return;
    case 'j':
    case 'J':
      settings.unsupported = key === 'j' ? 'bzip2' : 'xz';
      return;
    case 'v':
      settings.verbose++;
      return;
    case 'C':
      settings.folder =
        value.startsWith('/') || settings.folder === '.' ? value : `${settings.folder}/${value}`;
      return;
    case 'exclude':
      settings.excluded.push(value);
      return;
    case 'strip-components':
      settings.strip = Number.parseInt(value, 10) || 0;
      return;
    case 'help':
    case 'version':
      io.out(helpText('tar')[key]);
      throw new Exit(0);
    default: {
      const flags = {
        k: 'keepOld',
        O: 'toOutput',
        'numeric-owner': 'numericOwner',
        P: 'absoluteNames',
        wildcards: 'wildcards',
      } as const;
      if (Object.hasOwn(flags, key)) settings[flags[key as 'k']] = true;
    }
  }
}
