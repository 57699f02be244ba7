/**
 * Members of archives that tar makes of files, and how it lists them.
 *
 * Source: tar(1).
 */
import type { Inode } from '../../../kernel/index.js';
import type { Accounts } from '../../program/accounts.js';
import { breakTime } from '../../program/calendar.js';
import { applyMode, permissionText, readMode } from '../../program/file-mode.js';
import { quoteText } from '../../program/quote.js';
import { strftime } from '../../program/strftime.js';
import { type TimeZone, timeZone } from '../../program/time-zone.js';
import type { TarMember } from './tar-format.js';
import type { TarSettings } from './tar-settings.js';
import { transformed } from './tar-transform.js';

/** A file as a member; `links` holds the first names of files that have several. */
export function memberOf(
  settings: TarSettings,
  {
    inode,
    name: stored,
    content,
  }: { readonly inode: Inode; readonly name: string; readonly content: Uint8Array },
  { accounts, links }: { readonly accounts: Accounts; readonly links: Map<number, string> },
): TarMember {
  const { owner, group, mode, mtime } = settings;
  const time = Math.floor(inode.mtimeUs / 1e6);
  const changes = mode === undefined ? undefined : readMode(mode);
  const isDirectory = inode.kind === 'directory';
  const uid = owner === undefined ? inode.uid : ownerId(owner, accounts.userNamed(ownerName(owner))?.uid);
  const gid = group === undefined ? inode.gid : ownerId(group, accounts.groupNamed(ownerName(group))?.gid);
  const known = isDirectory || inode.kind === 'symlink' || inode.kind === 'fifo' ? inode.kind : 'file';
  const hard = known === 'file' && inode.nlink > 1 ? links.get(inode.ino) : undefined;
  const name = transformed(stored, settings.transforms);
  if (known === 'file' && inode.nlink > 1 && hard === undefined) links.set(inode.ino, name);
  return {
    name,
    kind: hard === undefined ? known : 'hardlink',
    mode: changes === undefined ? inode.mode : applyMode(inode.mode, changes, { isDirectory, umask: 0o022 }),
    uid,
    gid,
    user: settings.numericOwner
      ? ''
      : owner === undefined
        ? accounts.userName(uid)
        : ownerName(owner) || accounts.userName(uid),
    group: settings.numericOwner
      ? ''
      : group === undefined
        ? accounts.groupName(gid)
        : ownerName(group) || accounts.groupName(gid),
    time: mtime !== undefined && (!settings.clampMtime || time > mtime) ? mtime : time,
    link: hard ?? inode.target ?? '',
    content: hard === undefined ? content : new Uint8Array(0),
  };
}

/** The long line of a member; `width` is that of owner and size. */
export function longLine(
  member: TarMember,
  settings: TarSettings,
  {
    name,
    zone: local,
    isUtf8,
    width,
  }: { readonly name: string; readonly zone: TimeZone; readonly isUtf8: boolean; readonly width: number },
): string {
  const letters = {
    file: '-',
    directory: 'd',
    symlink: 'l',
    hardlink: 'h',
    fifo: 'p',
    label: 'V',
  } as const;
  const owner = ownerText(member, settings);
  const size = String(member.content.length);
  const who = `${owner}${size.padStart(width - owner.length)}`;
  const zone = settings.utc ? timeZone('UTC0') : local;
  const time = strftime(
    settings.fullTime ? '%Y-%m-%d %H:%M:%S' : '%Y-%m-%d %H:%M',
    breakTime(member.time, 0, zone),
  );
  const link =
    member.kind === 'symlink'
      ? ` -> ${member.link}`
      : member.kind === 'hardlink'
        ? ` link to ${member.link}`
        : '';
  return `${letters[member.kind]}${permissionText(member.mode)} ${who} ${time} ${quoteText(name, 'escape', { isUtf8 })}${link}\n`;
}

/** The owner column of a long line. */
export function ownerText(member: TarMember, settings: TarSettings): string {
  return settings.numericOwner
    ? `${member.uid}/${member.gid}`
    : `${member.user || member.uid}/${member.group || member.gid}`;
}

function ownerName(text: string): string {
  return text.replace(/^\+/, '').replace(/:.*$/, '').replace(/^\d+$/, '');
}

function ownerId(text: string, known: number | undefined): number {
  const digits = /^(?:.*:)?\+?(\d+)$/.exec(text)?.[1];
  return digits === undefined ? (known ?? 0) : Number(digits);
}

/** A size for people: `10KiB`. */
export function humanBytes(bytes: number): string {
  const units = ['B', 'KiB', 'MiB', 'GiB'];
  let value = bytes;
  let unit = 0;
  for (; value >= 1024 && unit < units.length - 1; unit++) value /= 1024;
  const text = value < 10 && unit > 0 ? (Math.ceil(value * 10) / 10).toFixed(1) : String(Math.ceil(value));
  return `${text}${units[unit]}`;
}

/** The member that holds a label. */
export function labelMember(name: string, nowUs: number): TarMember {
  const none = { mode: 0, uid: 0, gid: 0, user: '', group: '', link: '', content: new Uint8Array(0) };
  return { name, kind: 'label', time: Math.floor(nowUs / 1e6), ...none };
}

/** How a file on the disk differs from a member, in the words of `tar -d`. */
export function differences(member: TarMember, inode: Inode, bytes: Uint8Array): string[] {
  const out: string[] = [];
  if ((inode.mode & 0o7777) !== (member.mode & 0o7777)) out.push('Mode differs');
  if (member.kind !== 'file') return out;
  if (Math.floor(inode.mtimeUs / 1e6) !== member.time) out.push('Mod time differs');
  if (bytes.length !== member.content.length) out.push('Size differs');
  else if (bytes.some((byte, at) => byte !== member.content[at])) out.push('Contents differ');
  return out;
}
