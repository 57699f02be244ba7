/**
 * The orders of `ls`.
 */
import type { Inode } from '../../../kernel/index.js';
import { textWidth } from '../../program/display-width.js';
import { compareVersions } from '../../program/version-order.js';
import type { LsEntry } from './ls.js';
import type { LsLine } from './ls-line.js';

/** The time of an inode that is shown and sorted by, in microseconds. */
export function timeOf(inode: Inode | null, line: LsLine): number {
  if (inode === null) return 0;
  if (line.time === 'atime') return inode.atimeUs;
  if (line.time === 'ctime') return inode.ctimeUs;
  return line.time === 'birth' ? inode.btimeUs : inode.mtimeUs;
}

/** The size of an inode as `stat` gives it. */
export function sizeOf(inode: Inode): number {
  if (inode.kind === 'symlink') return new TextEncoder().encode(inode.target ?? '').length;
  if (inode.kind === 'directory') return inode.computed === undefined ? 4096 : 0;
  return inode.content?.size ?? 0;
}

/** Byte order of UTF-8 names; that of UTF-16 differs only beyond the basic plane. */
function compareNames(one: string, other: string): number {
  if (one === other) return 0;
  const length = Math.min(one.length, other.length);
  for (let index = 0; index < length; index++) {
    const [a, b] = [one.charCodeAt(index), other.charCodeAt(index)];
    if (a === b) continue;
    const isHigh = (code: number): boolean => code >= 0xd800 && code <= 0xdfff;
    return isHigh(a) === isHigh(b) ? a - b : isHigh(a) ? 1 : -1;
  }
  return one.length - other.length;
}

function extension(name: string): string {
  const dot = name.lastIndexOf('.');
  return dot < 0 ? '' : name.slice(dot);
}

function comparison(line: LsLine): (one: LsEntry, other: LsEntry) => number {
  const byName = (one: LsEntry, other: LsEntry): number => compareNames(one.name, other.name);
  switch (line.sort) {
    case 'time':
      return (one, other) => timeOf(other.inode, line) - timeOf(one.inode, line) || byName(one, other);
    case 'size':
      return (one, other) =>
        (other.inode === null ? 0 : sizeOf(other.inode)) - (one.inode === null ? 0 : sizeOf(one.inode)) ||
        byName(one, other);
    case 'version':
      return (one, other) => compareVersions(one.name, other.name) || byName(one, other);
    case 'extension':
      return (one, other) => compareNames(extension(one.name), extension(other.name)) || byName(one, other);
    case 'width':
      return (one, other) =>
        textWidth(line.quote(one.name)) - textWidth(line.quote(other.name)) || byName(one, other);
    default:
      return byName;
  }
}

/** The entries in the order that is asked. */
export function sortEntries(entries: readonly LsEntry[], line: LsLine): LsEntry[] {
  if (line.sort === 'none') return [...entries];
  const compare = comparison(line);
  const sorted = [...entries].sort((one, other) =>
    line.reverse ? compare(other, one) : compare(one, other),
  );
  if (!line.dirsFirst) return sorted;
  const isFolder = (one: LsEntry): boolean => one.kind === 'directory' || one.behind?.kind === 'directory';
  return [...sorted.filter(isFolder), ...sorted.filter((one) => !isFolder(one))];
}
