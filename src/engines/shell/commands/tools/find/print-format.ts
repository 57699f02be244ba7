/**
 * `find -printf` and `-ls`.
 *
 * Source: find(1), "-printf format". Not covered: `%Z`, `%S` of sparse files.
 */
import type { FileKind, Inode } from '../../../kernel/index.js';
import { breakTime } from '../../program/calendar.js';
import { modeText } from '../../program/file-mode.js';
import { strftime } from '../../program/strftime.js';
import { timeZone } from '../../program/time-zone.js';
import { sizeOf } from './predicates.js';
import { baseName, type FindRun, type Visit } from './visit.js';

/** A piece of a format: text, a directive, or the end of output. */
export type FormatPiece =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'stop' }
  | {
      readonly kind: 'directive';
      readonly flags: string;
      readonly width: string;
      readonly letter: string;
      readonly time: string;
    };

const ESCAPES: Readonly<Record<string, string>> = {
  a: '\x07',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
  '\\': '\\',
  '0': '\0',
};

/** Reads a format. */
export function readFormat(text: string): {
  readonly pieces: readonly FormatPiece[];
  readonly warnings: readonly string[];
  readonly error?: string;
} {
  const pieces: FormatPiece[] = [];
  const warnings: string[] = [];
  let literal = '';
  const close = (): void => {
    if (literal !== '') pieces.push({ kind: 'text', text: literal });
    literal = '';
  };
  for (let at = 0; at < text.length; at++) {
    const here = text[at] ?? '';
    if (here === '\\') {
      const octal = /^[0-7]{1,3}/.exec(text.slice(at + 1, at + 4))?.[0];
      const next = text[at + 1];
      if (octal !== undefined) {
        literal += String.fromCharCode(Number.parseInt(octal, 8) & 0xff);
        at += octal.length;
      } else if (next === 'c') {
        close();
        pieces.push({ kind: 'stop' });
        at = text.length;
      } else if (next !== undefined && Object.hasOwn(ESCAPES, next)) {
        literal += ESCAPES[next];
        at++;
      } else {
        if (next === undefined) warnings.push("escape `\\' followed by nothing at all");
        else warnings.push(`unrecognized escape \`\\${next}'`);
        literal += `\\${next ?? ''}`;
        at++;
      }
      continue;
    }
    if (here !== '%') {
      literal += here;
      continue;
    }
    const found = /^%([-+ #0]*)(\d*(?:\.\d+)?)(.?)/su.exec(text.slice(at));
    const [whole = '%', flags = '', width = '', letter = ''] = found ?? [];
    if (letter === '') return { pieces, warnings, error: 'error: % at end of format string' };
    if (letter === '%') {
      literal += '%';
      at += whole.length - 1;
      continue;
    }
    const isTime = 'ABCT'.includes(letter);
    const time = isTime ? (text[at + whole.length] ?? '') : '';
    if (!isTime && !'abcdDfFgGhHiklmMnpPsStuUyYZ'.includes(letter)) {
      warnings.push(`unrecognized format directive \`%${letter}'`);
      literal += whole;
      at += whole.length - 1;
      continue;
    }
    close();
    pieces.push({ kind: 'directive', flags, width, letter, time });
    at += whole.length - 1 + time.length;
  }
  close();
  return { pieces, warnings };
}

const KIND_LETTERS: Readonly<Record<FileKind, string>> = {
  file: 'f',
  directory: 'd',
  symlink: 'l',
  fifo: 'p',
  char: 'c',
  block: 'b',
  socket: 's',
};

/** A file by a format. */
export function renderFormat(pieces: readonly FormatPiece[], visit: Visit, run: FindRun): string {
  let out = '';
  for (const piece of pieces) {
    if (piece.kind === 'stop') break;
    if (piece.kind === 'text') out += piece.text;
    else out += padded(directive(piece.letter, piece.time, { visit, run }), piece);
  }
  return out;
}

function padded(value: string, { flags, width, letter }: FormatPiece & { kind: 'directive' }): string {
  const [size = '', cut] = width.split('.');
  const text = cut === undefined ? value : value.slice(0, Number(cut));
  if (flags.includes('-')) return text.padEnd(Number(size));
  const zero = flags.includes('0') && 'dmsn'.includes(letter) && letter !== 's';
  return text.padStart(Number(size), zero ? '0' : ' ');
}

/** Blocks of 1 KiB or 512 bytes that a file takes. */
function blocks(inode: Inode, unit: number): number {
  const size = inode.kind === 'symlink' ? 0 : sizeOf(inode);
  return (Math.ceil(size / 4096) * 4096) / unit;
}

function directive(
  letter: string,
  time: string,
  { visit, run }: { readonly visit: Visit; readonly run: FindRun },
): string {
  const { inode, path, start } = visit;
  switch (letter) {
    case 'p':
      return path;
    case 'P':
      return path === start ? '' : path.slice(start.endsWith('/') ? start.length : start.length + 1);
    case 'f':
      return baseName(path);
    case 'h': {
      const at = path.replace(/\/+$/, '').lastIndexOf('/');
      return at < 0 ? '.' : path.slice(0, at);
    }
    case 'H':
      return start;
    case 's':
      return String(sizeOf(inode));
    case 'k':
      return String(blocks(inode, 1024));
    case 'b':
      return String(blocks(inode, 512));
    case 'm':
      return (inode.mode & 0o7777).toString(8);
    case 'M':
      return modeText(inode);
    case 'n':
      return String(inode.nlink);
    case 'i':
      return String(inode.ino);
    case 'd':
      return String(visit.depth);
    case 'D':
      return String(inode.dev);
    case 'u':
      return run.accounts.userName(inode.uid);
    case 'U':
      return String(inode.uid);
    case 'g':
      return run.accounts.groupName(inode.gid);
    case 'G':
      return String(inode.gid);
    case 'l':
      return inode.kind === 'symlink' ? (inode.target ?? '') : '';
    case 'y':
      return KIND_LETTERS[inode.kind];
    case 'Y':
      return inode.kind === 'symlink' ? targetLetter(path, run) : KIND_LETTERS[inode.kind];
    case 'F':
      return run.proc.mountOf(inode).type;
    case 'a':
    case 'c':
    case 't':
      return fullTime(timeOf(inode, letter), run);
    case 'A':
    case 'B':
    case 'C':
    case 'T':
      return timePart(timeOf(inode, letter), time, run);
    default:
      return '';
  }
}

function targetLetter(path: string, run: FindRun): string {
  try {
    return KIND_LETTERS[run.proc.stat(path).kind];
  } catch {
    return 'N';
  }
}

function timeOf(inode: Inode, letter: string): number {
  const fields = { a: 'atimeUs', A: 'atimeUs', c: 'ctimeUs', C: 'ctimeUs', B: 'btimeUs' } as const;
  return inode[Object.hasOwn(fields, letter) ? fields[letter as 'a'] : 'mtimeUs'];
}

function broken(us: number, run: FindRun): ReturnType<typeof breakTime> {
  const seconds = Math.floor(us / 1e6);
  return breakTime(seconds, (us - seconds * 1e6) * 1000, timeZone(run.proc.env.get('TZ')));
}

function fraction(us: number): string {
  return `${String(Math.round(us - Math.floor(us / 1e6) * 1e6)).padStart(6, '0')}0000`;
}

function fullTime(us: number, run: FindRun): string {
  return strftime(`%a %b %e %H:%M:%S.${fraction(us)} %Y`, broken(us, run));
}

function timePart(us: number, letter: string, run: FindRun): string {
  if (letter === '@') return `${Math.floor(us / 1e6)}.${fraction(us)}`;
  if (letter === '+') return strftime(`%Y-%m-%d+%H:%M:%S.${fraction(us)}`, broken(us, run));
  if (letter === 'S') return `${strftime('%S', broken(us, run))}.${fraction(us)}`;
  if (letter === 'T' || letter === 'X') return `${strftime('%H:%M:%S', broken(us, run))}.${fraction(us)}`;
  return strftime(`%${letter}`, broken(us, run));
}

/** A line of `-ls`. */
export function listing(visit: Visit, run: FindRun): string {
  const { inode } = visit;
  const recent = Math.abs(run.proc.now() - inode.mtimeUs) < 15_778_476e6;
  const time = strftime(recent ? '%b %e %H:%M' : '%b %e  %Y', broken(inode.mtimeUs, run));
  const owner = run.accounts.userName(inode.uid).padEnd(8);
  const group = run.accounts.groupName(inode.gid).padEnd(8);
  const head = `${String(inode.ino).padStart(9)} ${String(blocks(inode, 1024)).padStart(6)}`;
  const link = inode.kind === 'symlink' ? ` -> ${inode.target ?? ''}` : '';
  const size = String(sizeOf(inode)).padStart(8);
  return `${head} ${modeText(inode)} ${String(inode.nlink).padStart(3)} ${owner} ${group} ${size} ${time} ${visit.path}${link}\n`;
}
