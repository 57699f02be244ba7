/**
 * Colours of `ls`: the codes of `LS_COLORS`, or the built-in ones.
 *
 * Source: dir_colors(5), the defaults compiled into coreutils 9.1. Not covered: `ln=target` as a chain of links.
 */
import type { Inode } from '../../../kernel/index.js';
import type { Tool } from '../../program/tool.js';
import type { LsEntry } from './ls.js';

const DEFAULTS: Readonly<Record<string, string>> = {
  di: '01;34',
  ln: '01;36',
  pi: '33',
  so: '01;35',
  bd: '01;33',
  cd: '01;33',
  su: '37;41',
  sg: '30;43',
  st: '37;44',
  ow: '34;42',
  tw: '30;42',
  ex: '01;32',
};
const primed = new WeakSet<Tool>();

function codesOf(tool: Tool): { byType: Record<string, string>; bySuffix: [string, string][] } {
  const byType: Record<string, string> = { ...DEFAULTS };
  const bySuffix: [string, string][] = [];
  for (const part of (tool.env('LS_COLORS') ?? '').split(':')) {
    const [key = '', code] = part.split('=');
    if (code === undefined) continue;
    if (key.startsWith('*')) bySuffix.push([key.slice(1), code]);
    else byType[key] = code;
  }
  return { byType, bySuffix };
}

function typeKey(inode: Inode): string {
  const { mode, kind } = inode;
  if (kind === 'directory') {
    if ((mode & 0o1002) === 0o1002) return 'tw';
    if ((mode & 0o002) !== 0) return 'ow';
    return (mode & 0o1000) !== 0 ? 'st' : 'di';
  }
  if (kind === 'file') {
    if ((mode & 0o4000) !== 0) return 'su';
    if ((mode & 0o2000) !== 0) return 'sg';
    return (mode & 0o111) !== 0 ? 'ex' : 'fi';
  }
  return { symlink: 'ln', fifo: 'pi', socket: 'so', block: 'bd', char: 'cd' }[kind];
}

/** A name between the codes of its colour. */
export function colored(tool: Tool, entry: LsEntry, shown: string): string {
  const { byType, bySuffix } = codesOf(tool);
  if (entry.inode === null) return shown;
  let key = typeKey(entry.inode);
  if (key === 'ln' && entry.behind === null && byType.or !== undefined) key = 'or';
  let code = byType[key];
  if (key === 'fi')
    code =
      bySuffix.filter(([suffix]) => entry.name.toLowerCase().endsWith(suffix.toLowerCase())).pop()?.[1] ??
      code;
  if (code === undefined || code === '' || code === '0' || code === '00') return shown;
  const isFirst = !primed.has(tool);
  primed.add(tool);
  return `${isFirst ? '\x1b[0m' : ''}\x1b[${code}m${shown}\x1b[0m`;
}
