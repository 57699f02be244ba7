/**
 * The tests of find, by name. Actions are in `actions.ts`.
 *
 * Source: find(1), "TESTS" and "GLOBAL OPTIONS". Not covered: `-context`, `-used`, `-fstype` beyond the mounts' types.
 */
import { type FileKind, type Inode, SystemError } from '../../../kernel/index.js';
import { applyMode, readMode } from '../../program/file-mode.js';
import { matchGlob } from '../glob-match.js';
import { parsePosix } from '../regex/parse-posix.js';
import { Regex } from '../regex/regex.js';
import { RegexSyntaxError } from '../regex/regex-tree.js';
import { readAction } from './actions.js';
import { parseMoment } from './moment.js';
import { baseName, type FindRun, type Test, type Visit } from './visit.js';

/** What predicates ask of the reader of expressions. */
export interface PredicateReader {
  readonly run: FindRun;
  hasAction: boolean;
  regexType: string;
  dayStart: boolean;
  argument(name: string): string;
  command(name: string): { readonly words: readonly string[]; readonly together: boolean };
  fail(message: string): never;
  warn(message: string): void;
}

/** A test that does not wait. */
function simple(body: (visit: Visit) => boolean): Test {
  // biome-ignore lint/correctness/useYield: looking does not wait
  return function* (visit) {
    return body(visit);
  };
}

const ALWAYS = simple(() => true);

/** Reads the predicate of a name; undefined where there is none of it. */
export function readPredicate(reader: PredicateReader, word: string): Test | undefined {
  return (
    readOption(reader, word) ??
    readNameTest(reader, word) ??
    readInodeTest(reader, word) ??
    readTimeTest(reader, word) ??
    readAction(reader, word)
  );
}

/** Options that count for the whole run and are always true. */
function readOption(reader: PredicateReader, word: string): Test | undefined {
  const { run } = reader;
  switch (word) {
    case '-maxdepth':
    case '-mindepth': {
      const text = reader.argument(word);
      if (!/^\d+$/.test(text))
        reader.fail(`Expected a positive decimal integer argument to ${word}, but got ‘${text}’`);
      run[word === '-maxdepth' ? 'maxDepth' : 'minDepth'] = Number(text);
      return ALWAYS;
    }
    case '-depth':
    case '-d':
      run.depthFirst = true;
      return ALWAYS;
    case '-follow':
      run.follow = true;
      return ALWAYS;
    case '-mount':
    case '-xdev':
      run.oneFileSystem = true;
      return ALWAYS;
    case '-daystart':
      reader.dayStart = true;
      return ALWAYS;
    case '-regextype':
      regexType(reader, reader.argument(word));
      return ALWAYS;
    case '-noleaf':
    case '-warn':
    case '-nowarn':
    case '-ignore_readdir_race':
    case '-noignore_readdir_race':
    case '-true':
      return ALWAYS;
    case '-false':
      return simple(() => false);
    default:
      return undefined;
  }
}

const REGEX_TYPES = [
  'findutils-default',
  'ed',
  'emacs',
  'gnu-awk',
  'grep',
  'posix-awk',
  'awk',
  'posix-basic',
  'posix-egrep',
  'egrep',
  'posix-extended',
  'posix-minimal-basic',
  'sed',
];

function regexType(reader: PredicateReader, name: string): void {
  if (!REGEX_TYPES.includes(name)) {
    const list = REGEX_TYPES.map((one) => `‘${one}’`).join(', ');
    reader.fail(`Unknown regular expression type ‘${name}’; valid types are ${list}.`);
  }
  reader.regexType = name;
}

function compile(reader: PredicateReader, pattern: string, ignoreCase: boolean): Regex {
  const { regexType: type } = reader;
  const extended = /awk|egrep|extended/.test(type);
  try {
    return new Regex(
      parsePosix(pattern, {
        extended,
        plainPlus: type === 'findutils-default' || type === 'emacs',
        danglingRepeat: 'literal',
        literalBadInterval: true,
        literalRightParen: false,
        ignoreCase,
      }),
    );
  } catch (error) {
    if (!(error instanceof RegexSyntaxError)) throw error;
    return reader.fail(`failed to compile regular expression '${pattern}': ${error.message}`);
  }
}

/** Tests of names and paths. */
function readNameTest(reader: PredicateReader, word: string): Test | undefined {
  const { run } = reader;
  const ignoreCase = word.startsWith('-i');
  switch (word) {
    case '-name':
    case '-iname': {
      const glob = reader.argument(word);
      return simple((visit) => matchGlob(glob, baseName(visit.path), { ignoreCase }));
    }
    case '-path':
    case '-wholename':
    case '-ipath':
    case '-iwholename': {
      const glob = reader.argument(word);
      return simple((visit) => matchGlob(glob, visit.path, { ignoreCase }));
    }
    case '-lname':
    case '-ilname': {
      const glob = reader.argument(word);
      return simple(
        (visit) =>
          visit.inode.kind === 'symlink' && matchGlob(glob, run.proc.readlink(visit.path), { ignoreCase }),
      );
    }
    case '-regex':
    case '-iregex': {
      const regex = compile(reader, reader.argument(word), ignoreCase);
      return simple((visit) => regex.matchAt(visit.path, 0)?.[1] === visit.path.length);
    }
    default:
      return undefined;
  }
}

const KIND_LETTERS: Readonly<Record<string, FileKind>> = {
  f: 'file',
  d: 'directory',
  l: 'symlink',
  p: 'fifo',
  c: 'char',
  b: 'block',
  s: 'socket',
};

function kinds(reader: PredicateReader, word: string): readonly FileKind[] {
  const text = reader.argument(word);
  if (text === '') reader.fail(`Arguments to ${word} should contain at least one letter`);
  if (text.endsWith(','))
    reader.fail(`Last file type in list argument to ${word} is missing, i.e., list is ending on: ','`);
  return text.split(',').map((letter) => {
    if (letter.length > 1) reader.fail(`Must separate multiple arguments to ${word} using: ','`);
    const kind = Object.hasOwn(KIND_LETTERS, letter) ? KIND_LETTERS[letter] : undefined;
    return kind ?? reader.fail(`Unknown argument to ${word}: ${letter}`);
  });
}

/** A number with `+` or `-` before it, as a comparison. */
function compareWith(reader: PredicateReader, word: string, text: string): (value: number) => boolean {
  const found = /^([+-]?)(\d+)$/.exec(text);
  if (found === null) return reader.fail(`invalid argument \`${text}' to \`${word}'`);
  const wanted = Number(found[2]);
  if (found[1] === '+') return (value) => value > wanted;
  return found[1] === '-' ? (value) => value < wanted : (value) => value === wanted;
}

const UNITS: Readonly<Record<string, number>> = { c: 1, w: 2, b: 512, k: 1024, M: 1024 ** 2, G: 1024 ** 3 };

function sizeTest(reader: PredicateReader): Test {
  const text = reader.argument('-size');
  const last = text.slice(-1);
  const unit = /\d/.test(last) ? 512 : Object.hasOwn(UNITS, last) ? UNITS[last] : undefined;
  if (text === '') reader.fail('invalid null argument to -size');
  if (unit === undefined) return reader.fail(`invalid -size type \`${last}'`);
  const number = /\d/.test(last) ? text : text.slice(0, -1);
  if (!/^[+-]?\d+$/.test(number)) reader.fail(`Invalid argument \`${text}' to -size`);
  const compare = compareWith(reader, '-size', number);
  return simple((visit) => compare(Math.ceil(sizeOf(visit.inode) / unit)));
}

/** The size that stat shows. */
export function sizeOf(inode: Inode): number {
  if (inode.kind === 'directory') return 4096;
  if (inode.kind === 'symlink') return inode.target?.length ?? 0;
  return inode.content?.size ?? 0;
}

function permissionTest(reader: PredicateReader): Test {
  const text = reader.argument('-perm');
  const how = text[0] === '-' || text[0] === '/' ? text[0] : '';
  const changes = readMode(text.slice(how.length));
  if (changes === undefined) return reader.fail(`invalid mode ‘${text}’`);
  const wanted = applyMode(0, changes, { isDirectory: false, umask: 0 }) & 0o7777;
  return simple(({ inode }) => {
    const mode = inode.mode & 0o7777;
    if (how === '-') return (mode & wanted) === wanted;
    return how === '/' ? wanted === 0 || (mode & wanted) !== 0 : mode === wanted;
  });
}

/** Tests of what stat tells. */
function readInodeTest(reader: PredicateReader, word: string): Test | undefined {
  const { run } = reader;
  const { proc, accounts } = run;
  const number = (field: (inode: Inode) => number): Test => {
    const compare = compareWith(reader, word, reader.argument(word));
    return simple((visit) => compare(field(visit.inode)));
  };
  switch (word) {
    case '-type': {
      const list = kinds(reader, word);
      return simple((visit) => list.includes(visit.inode.kind));
    }
    case '-xtype': {
      const list = kinds(reader, word);
      return simple((visit) => list.includes(otherKind(run, visit)));
    }
    case '-size':
      return sizeTest(reader);
    case '-perm':
      return permissionTest(reader);
    case '-empty':
      return simple((visit) => isEmpty(run, visit));
    case '-links':
      return number((inode) => inode.nlink);
    case '-inum':
      return number((inode) => inode.ino);
    case '-uid':
      return number((inode) => inode.uid);
    case '-gid':
      return number((inode) => inode.gid);
    case '-user': {
      const name = reader.argument(word);
      const uid = accounts.userNamed(name)?.uid ?? (/^\d+$/.test(name) ? Number(name) : undefined);
      if (uid === undefined) return reader.fail(`‘${name}’ is not the name of a known user`);
      return simple((visit) => visit.inode.uid === uid);
    }
    case '-group': {
      const name = reader.argument(word);
      const gid = accounts.groupNamed(name)?.gid ?? (/^\d+$/.test(name) ? Number(name) : undefined);
      if (gid === undefined) return reader.fail(`‘${name}’ is not the name of an existing group`);
      return simple((visit) => visit.inode.gid === gid);
    }
    case '-nouser':
      return simple((visit) => accounts.user(visit.inode.uid) === undefined);
    case '-nogroup':
      return simple((visit) => accounts.group(visit.inode.gid) === undefined);
    case '-readable':
      return simple((visit) => mayAccess(run, visit, 4));
    case '-writable':
      return simple((visit) => mayAccess(run, visit, 2));
    case '-executable':
      return simple((visit) => mayAccess(run, visit, 1));
    case '-samefile': {
      const wanted = referenced(reader, reader.argument(word));
      return simple(({ inode }) => inode.ino === wanted.ino && inode.dev === wanted.dev);
    }
    case '-fstype': {
      const type = reader.argument(word);
      return simple((visit) => proc.mountOf(visit.inode).type === type);
    }
    case '-context':
      return reader.fail('invalid predicate -context: SELinux is not enabled.');
    default:
      return undefined;
  }
}

function otherKind(run: FindRun, visit: Visit): FileKind {
  try {
    return (run.follow ? run.proc.lstat(visit.path) : run.proc.stat(visit.path)).kind;
  } catch {
    return 'symlink';
  }
}

function isEmpty(run: FindRun, visit: Visit): boolean {
  if (visit.inode.kind === 'file') return sizeOf(visit.inode) === 0;
  if (visit.inode.kind !== 'directory') return false;
  try {
    return run.proc.readdir(visit.path).length === 0;
  } catch {
    return false;
  }
}

function mayAccess(run: FindRun, visit: Visit, bits: number): boolean {
  try {
    run.proc.access(visit.path, bits);
    return true;
  } catch {
    return false;
  }
}

/** The file that a test compares with. */
function referenced(reader: PredicateReader, name: string): Inode {
  try {
    return reader.run.proc.stat(name);
  } catch (error) {
    if (!(error instanceof SystemError)) throw error;
    return reader.fail(`‘${name}’: ${error.text}`);
  }
}

type TimeField = 'atimeUs' | 'mtimeUs' | 'ctimeUs' | 'btimeUs';
const TIME_FIELDS: Readonly<Record<string, TimeField>> = {
  a: 'atimeUs',
  m: 'mtimeUs',
  c: 'ctimeUs',
  B: 'btimeUs',
};

/** Tests of times. */
function readTimeTest(reader: PredicateReader, word: string): Test | undefined {
  const { run } = reader;
  const age = /^-([amc])(time|min)$/.exec(word);
  if (age !== null) {
    const field = TIME_FIELDS[age[1] ?? 'm'] ?? 'mtimeUs';
    const unitUs = age[2] === 'time' ? 86_400e6 : 60e6;
    const compare = compareWith(reader, word, reader.argument(word));
    const isMinutes = age[2] === 'min';
    return simple((visit) => {
      const day = 86_400e6;
      const now = reader.dayStart ? (Math.floor(run.proc.now() / day) + 1) * day : run.proc.now();
      const passed = (now - visit.inode[field]) / unitUs;
      return compare(isMinutes ? Math.ceil(passed) : Math.floor(passed));
    });
  }
  const newer = /^-(newer|anewer|cnewer)$|^-newer([aBcm])([aBcmt])$/.exec(word);
  if (newer === null) {
    if (/^-newer../.test(word)) reader.fail(`invalid predicate \`${word}'`);
    return undefined;
  }
  const text = reader.argument(word);
  const field =
    TIME_FIELDS[newer[2] ?? (word === '-anewer' ? 'a' : word === '-cnewer' ? 'c' : 'm')] ?? 'mtimeUs';
  if (newer[3] === 't') {
    const moment = parseMoment(text, run.proc);
    if (moment === undefined)
      return reader.fail(`I cannot figure out how to interpret ‘${text}’ as a date or time`);
    return simple((visit) => visit.inode[field] > moment);
  }
  const other = referenced(reader, text)[TIME_FIELDS[newer[3] ?? 'm'] ?? 'mtimeUs'];
  return simple((visit) => visit.inode[field] > other);
}
