/**
 * Permission bits as text: what `ls -l` shows, and the modes that `chmod`, `mkdir -m`, `install -m` read.
 *
 * Source: "File permissions" in the manual of coreutils.
 */
import type { FileKind, Inode } from '../../kernel/index.js';

const KIND_LETTERS: Readonly<Record<FileKind, string>> = {
  file: '-',
  directory: 'd',
  symlink: 'l',
  fifo: 'p',
  char: 'c',
  block: 'b',
  socket: 's',
};

/** The nine letters of permission bits, special bits in their places. */
export function permissionText(mode: number): string {
  let text = '';
  for (const [shift, special, letter] of [
    [6, 0o4000, 's'],
    [3, 0o2000, 's'],
    [0, 0o1000, 't'],
  ] as const) {
    const bits = (mode >> shift) & 7;
    const isSpecial = (mode & special) !== 0;
    text += (bits & 4 ? 'r' : '-') + (bits & 2 ? 'w' : '-');
    if (isSpecial) text += bits & 1 ? letter : letter.toUpperCase();
    else text += bits & 1 ? 'x' : '-';
  }
  return text;
}

/** The ten letters of `ls -l`. */
export function modeText(inode: Inode): string {
  return KIND_LETTERS[inode.kind] + permissionText(inode.mode);
}

/** One change: `u+x`, or an octal number. */
interface ModeChange {
  readonly op: '=' | '+' | '-';
  readonly affected: number;
  readonly value: number;
  /** `u`, `g`, `o`: copies these bits. */
  readonly copy?: number;
  readonly conditionalX: boolean;
  /** Nobody was named: the umask counts. */
  readonly usesUmask: boolean;
  /** Special bits that were said; octal numbers of up to four digits keep a folder's set-id bits. */
  readonly mentioned: number;
}

/** A mode that was read. */
export type ModeChanges = readonly ModeChange[];

const USERS: Readonly<Record<string, number>> = { u: 0o4700, g: 0o2070, o: 0o1007, a: 0o7777 };
const BITS: Readonly<Record<string, number>> = { r: 0o444, w: 0o222, x: 0o111, s: 0o6000, t: 0o1000 };
const COPIES: Readonly<Record<string, number>> = { u: 0o700, g: 0o070, o: 0o007 };

/** Reads `755`, `u+x,go-w`, `=rw`; undefined where it is no mode. */
export function readMode(text: string): ModeChanges | undefined {
  if (/^[0-7]+$/.test(text)) {
    const value = Number.parseInt(text, 8);
    if (value > 0o7777) return undefined;
    const mentioned = text.length < 5 ? (value & 0o6000) | 0o1777 : 0o7777;
    return [{ op: '=', affected: 0o7777, value, conditionalX: false, usesUmask: false, mentioned }];
  }
  const changes: ModeChange[] = [];
  for (const clause of text.split(',')) {
    const match = /^([ugoa]*)((?:[-+=](?:[ugo]|[0-7]+|[rwxXst]*))+)$/.exec(clause);
    if (match === null) return undefined;
    let affected = 0;
    for (const user of match[1] ?? '') affected |= USERS[user] ?? 0;
    for (const [, op = '=', what = ''] of (match[2] ?? '').matchAll(/([-+=])([0-7]+|[ugo]|[rwxXst]*)/g))
      changes.push(readChange(op as '=' | '+' | '-', what, affected));
  }
  return changes;
}

function readChange(op: '=' | '+' | '-', what: string, affected: number): ModeChange {
  const usesUmask = affected === 0;
  const reach = usesUmask ? 0o7777 : affected;
  if (/^[0-7]+$/.test(what)) {
    const value = Number.parseInt(what, 8) & 0o7777;
    return { op, affected: 0o7777, value, conditionalX: false, usesUmask: false, mentioned: 0o7777 };
  }
  const copy = COPIES[what];
  if (copy !== undefined)
    return {
      op,
      affected: reach,
      value: 0,
      copy,
      conditionalX: false,
      usesUmask,
      mentioned: affected & 0o777,
    };
  let value = 0;
  for (const letter of what) value |= BITS[letter] ?? 0;
  const mentioned = usesUmask ? value : affected & (op === '=' ? 0o7777 : value);
  return { op, affected: reach, value, conditionalX: what.includes('X'), usesUmask, mentioned };
}

function copied(mode: number, from: number): number {
  const bits = mode & from;
  let value = 0;
  if (bits & 0o444) value |= 0o444;
  if (bits & 0o222) value |= 0o222;
  if (bits & 0o111) value |= 0o111;
  return value;
}

/** Applies changes to a mode. `umask` counts where a clause names nobody. */
export function applyMode(
  mode: number,
  changes: ModeChanges,
  on: { readonly isDirectory: boolean; readonly umask: number },
): number {
  let result = mode & 0o7777;
  for (const change of changes) {
    let value = change.copy === undefined ? change.value : copied(result, change.copy);
    if (change.conditionalX && (on.isDirectory || (result & 0o111) !== 0)) value |= 0o111;
    const allowed = change.usesUmask ? change.affected & ~on.umask : change.affected;
    const kept = on.isDirectory ? 0o6000 & ~change.mentioned : 0;
    value &= allowed & ~kept;
    if (change.op === '+') result |= value;
    else if (change.op === '-') result &= ~value;
    else {
      const cleared = change.usesUmask ? 0o7777 : change.affected;
      result = (result & (~cleared | kept)) | value;
    }
  }
  return result;
}
