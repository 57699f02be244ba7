/**
 * The tar format as GNU tar writes and reads it: ustar headers with GNU's long names.
 *
 * Source: the manual of GNU tar, "Basic Tar Format". Not covered: pax headers (skipped), sparse files, devices.
 */
import { joinBytes, toBytes, toText } from '../../../kernel/index.js';

/** One member of an archive. */
export interface TarMember {
  readonly name: string;
  readonly kind: 'file' | 'directory' | 'symlink' | 'hardlink' | 'fifo' | 'label';
  readonly mode: number;
  readonly uid: number;
  readonly gid: number;
  readonly user: string;
  readonly group: string;
  /** Seconds since 1970. */
  readonly time: number;
  readonly link: string;
  readonly content: Uint8Array;
}

const BLOCK = 512;
const TYPES = { file: '0', hardlink: '1', symlink: '2', directory: '5', fifo: '6', label: 'V' } as const;

/** The blocks of one member. */
export function encodeMember(member: TarMember): Uint8Array {
  const name = member.kind === 'directory' && !member.name.endsWith('/') ? `${member.name}/` : member.name;
  const parts: Uint8Array[] = [];
  if (toBytes(name).length > 100) parts.push(longName('L', name));
  if (toBytes(member.link).length > 100) parts.push(longName('K', member.link));
  parts.push(header({ ...member, name }, TYPES[member.kind], member.content.length), padded(member.content));
  return joinBytes(parts);
}

/** The end of an archive, filled up to whole records. */
export function archiveEnd(size: number, recordBytes: number): Uint8Array {
  const total = Math.ceil((size + 2 * BLOCK) / recordBytes) * recordBytes;
  return new Uint8Array(total - size);
}

function padded(bytes: Uint8Array): Uint8Array {
  const out = new Uint8Array(Math.ceil(bytes.length / BLOCK) * BLOCK);
  out.set(bytes);
  return out;
}

function longName(type: string, name: string): Uint8Array {
  const bytes = joinBytes([toBytes(name), new Uint8Array(1)]);
  const head = {
    name: '././@LongLink',
    mode: 0o644,
    uid: 0,
    gid: 0,
    user: 'root',
    group: 'root',
    time: 0,
    link: '',
  };
  return joinBytes([header(head, type, bytes.length), padded(bytes)]);
}

function header(member: Omit<TarMember, 'kind' | 'content'>, type: string, size: number): Uint8Array {
  const block = new Uint8Array(BLOCK);
  const put = (at: number, text: string, width: number): void => {
    block.set(toBytes(text).subarray(0, width), at);
  };
  const octal = (at: number, value: number, width: number): void =>
    put(at, value.toString(8).padStart(width - 1, '0'), width - 1);
  put(0, member.name, 100);
  octal(100, member.mode & 0o7777, 8);
  octal(108, member.uid, 8);
  octal(116, member.gid, 8);
  octal(124, size, 12);
  octal(136, Math.max(0, member.time), 12);
  put(148, '        ', 8);
  put(156, type, 1);
  put(157, member.link, 100);
  put(257, 'ustar  \0', 8);
  put(265, member.user, 32);
  put(297, member.group, 32);
  let sum = 0;
  for (const byte of block) sum += byte;
  put(148, `${sum.toString(8).padStart(6, '0')}\0 `, 8);
  return block;
}

/** An archive that is none. */
export class NotTar extends Error {}

/** The members of an archive. Raises {@link NotTar}. */
export function decodeArchive(bytes: Uint8Array): TarMember[] {
  const members: TarMember[] = [];
  let [longest, longLink] = ['', ''];
  for (let at = 0; at + BLOCK <= bytes.length; ) {
    const block = bytes.subarray(at, at + BLOCK);
    if (block.every((byte) => byte === 0)) break;
    const text = (from: number, width: number): string => {
      const part = block.subarray(from, from + width);
      const end = part.indexOf(0);
      return toText(end < 0 ? part : part.subarray(0, end));
    };
    const number = (from: number, width: number): number =>
      Number.parseInt(text(from, width).trim() || '0', 8);
    if (!isHeader(block, number(148, 8))) throw new NotTar('This does not look like a tar archive');
    const size = number(124, 12);
    const content = bytes.subarray(at + BLOCK, at + BLOCK + size);
    at += BLOCK + Math.ceil(size / BLOCK) * BLOCK;
    const type = text(156, 1);
    if (type === 'L' || type === 'K') {
      const name = toText(content).replace(/\0.*$/s, '');
      if (type === 'L') longest = name;
      else longLink = name;
      continue;
    }
    if (type === 'x' || type === 'g') continue;
    const prefix = text(257, 6) === 'ustar' && block[262] === 0 ? text(345, 155) : '';
    const name = longest || (prefix === '' ? text(0, 100) : `${prefix}/${text(0, 100)}`);
    const kind = (Object.entries(TYPES).find(([, letter]) => letter === type)?.[0] ??
      'file') as TarMember['kind'];
    members.push({
      name,
      kind,
      mode: number(100, 8),
      uid: number(108, 8),
      gid: number(116, 8),
      user: text(265, 32),
      group: text(297, 32),
      time: number(136, 12),
      link: longLink || text(157, 100),
      content: content.slice(),
    });
    [longest, longLink] = ['', ''];
  }
  if (members.length === 0 && bytes.length > 0 && bytes.length < BLOCK)
    throw new NotTar('This does not look like a tar archive');
  return members;
}

function isHeader(block: Uint8Array, wanted: number): boolean {
  let sum = 0;
  for (let at = 0; at < BLOCK; at++) sum += at >= 148 && at < 156 ? 32 : (block[at] ?? 0);
  return sum === wanted;
}
