/**
 * The zip format as Info-ZIP writes it on Unix: local headers, central directory, times and owners in extra fields.
 *
 * Source: the application note on the zip format; the manual of zip 3.0. Not covered: zip64, encryption, several disks.
 */
import { deflateRaw, Inflate } from 'pako';
import { joinBytes, toBytes, toText } from '../../../kernel/index.js';
import { crc32 } from './xz-bytes.js';

/** A member; `packed` holds its bytes as they are stored. */
export interface ZipEntry {
  readonly name: string;
  readonly method: 'stored' | 'deflated';
  readonly mode: number;
  /** `directory`, `file` or `symlink`, as the mode's upper bits say. */
  readonly kind: 'directory' | 'file' | 'symlink';
  /** Seconds since 1970. */
  readonly time: number;
  /** The same as the zone's clock shows it, in DOS form. */
  readonly dosTime: number;
  readonly crc: number;
  readonly size: number;
  readonly packed: Uint8Array;
  readonly isText: boolean;
  readonly uid: number;
  readonly gid: number;
  readonly level: number;
}

const MAX_UNPACKED = 256 * 1024 * 1024;
const KINDS = { directory: 0o040000, file: 0o100000, symlink: 0o120000 } as const;

function numbers(...fields: readonly (readonly [number, number])[]): Uint8Array {
  const out: number[] = [];
  for (const [width, value] of fields)
    for (let at = 0; at < width; at++) out.push(Math.floor(value / 256 ** at) % 256);
  return Uint8Array.from(out);
}

/** Packs bytes; what does not become smaller is stored. */
export function packEntry(
  bytes: Uint8Array,
  level: number,
): Pick<ZipEntry, 'method' | 'packed' | 'crc' | 'size'> {
  const made =
    level === 0 || bytes.length === 0 ? bytes : deflateRaw(bytes, { level: level as 6, memLevel: 8 });
  const isSmaller = made.length < bytes.length;
  return {
    method: isSmaller ? 'deflated' : 'stored',
    packed: isSmaller ? made : bytes,
    crc: crc32(bytes),
    size: bytes.length,
  };
}

/** A member's bytes; undefined where they are damaged. */
export function unpackEntry(entry: ZipEntry): Uint8Array | undefined {
  if (entry.method === 'stored') return crc32(entry.packed) === entry.crc ? entry.packed : undefined;
  if (entry.size > MAX_UNPACKED) return undefined;
  const inflate = new Inflate({ raw: true });
  inflate.push(entry.packed, true);
  const { result } = inflate;
  if (inflate.err !== 0 || !(result instanceof Uint8Array)) return undefined;
  return crc32(result) === entry.crc ? result : undefined;
}

function extra(entry: ZipEntry, isCentral: boolean): Uint8Array {
  const times = isCentral
    ? numbers([2, 0x5455], [2, 5], [1, 3], [4, entry.time])
    : numbers([2, 0x5455], [2, 9], [1, 3], [4, entry.time], [4, entry.time]);
  return joinBytes([
    times,
    numbers([2, 0x7875], [2, 11], [1, 1], [1, 4], [4, entry.uid], [1, 4], [4, entry.gid]),
  ]);
}

function commonFields(entry: ZipEntry): readonly (readonly [number, number])[] {
  const flags =
    entry.method === 'deflated'
      ? entry.level >= 8
        ? 2
        : entry.level <= 1
          ? 6
          : entry.level === 2
            ? 4
            : 0
      : 0;
  return [
    [2, entry.method === 'deflated' ? 20 : 10],
    [2, flags],
    [2, entry.method === 'deflated' ? 8 : 0],
    [4, entry.dosTime],
    [4, entry.crc],
    [4, entry.packed.length],
    [4, entry.size],
    [2, toBytes(entry.name).length],
  ];
}

/** The bytes of an archive. */
export function encodeZip(entries: readonly ZipEntry[]): Uint8Array {
  const parts: Uint8Array[] = [];
  const central: Uint8Array[] = [];
  let at = 0;
  for (const entry of entries) {
    const name = toBytes(entry.name);
    const own = extra(entry, false);
    const local = joinBytes([
      numbers([4, 0x04034b50], ...commonFields(entry), [2, own.length]),
      name,
      own,
      entry.packed,
    ]);
    const last = extra(entry, true);
    const attributes = (KINDS[entry.kind] | entry.mode) * 65_536 + (entry.kind === 'directory' ? 0x10 : 0);
    central.push(
      numbers(
        [4, 0x02014b50],
        [1, 30],
        [1, 3],
        ...commonFields(entry),
        [2, last.length],
        [2, 0],
        [2, 0],
        [2, entry.isText ? 1 : 0],
        [4, attributes],
        [4, at],
      ),
      name,
      last,
    );
    parts.push(local);
    at += local.length;
  }
  const directory = joinBytes(central.length === 0 ? [new Uint8Array(0)] : central);
  const count = entries.length;
  return joinBytes([
    ...parts,
    directory,
    numbers([4, 0x06054b50], [2, 0], [2, 0], [2, count], [2, count], [4, directory.length], [4, at], [2, 0]),
  ]);
}

/** The members of an archive; undefined for bytes that are none. */
export function decodeZip(bytes: Uint8Array): ZipEntry[] | undefined {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  let end = bytes.length - 22;
  while (end >= 0 && view.getUint32(end, true) !== 0x06054b50) end--;
  if (end < 0) return undefined;
  const entries: ZipEntry[] = [];
  let at = view.getUint32(end + 16, true);
  for (let left = view.getUint16(end + 10, true); left > 0; left--) {
    if (at + 46 > bytes.length || view.getUint32(at, true) !== 0x02014b50) return undefined;
    const entry = centralEntry(bytes, view, at);
    if (entry === undefined) return undefined;
    entries.push(entry);
    at += 46 + view.getUint16(at + 28, true) + view.getUint16(at + 30, true) + view.getUint16(at + 32, true);
  }
  return entries;
}

function centralEntry(bytes: Uint8Array, view: DataView, at: number): ZipEntry | undefined {
  const nameLength = view.getUint16(at + 28, true);
  const name = toText(bytes.subarray(at + 46, at + 46 + nameLength));
  const local = view.getUint32(at + 42, true);
  const packedSize = view.getUint32(at + 20, true);
  if (local + 30 > bytes.length) return undefined;
  const start = local + 30 + view.getUint16(local + 26, true) + view.getUint16(local + 28, true);
  if (start + packedSize > bytes.length) return undefined;
  const upper = view.getUint32(at + 38, true) >>> 16;
  const type = upper & 0o170000;
  const dosTime = view.getUint32(at + 12, true);
  const fields = extraFields(
    bytes.subarray(at + 46 + nameLength, at + 46 + nameLength + view.getUint16(at + 30, true)),
  );
  return {
    name,
    method: view.getUint16(at + 10, true) === 0 ? 'stored' : 'deflated',
    mode: upper & 0o7777 || (name.endsWith('/') ? 0o755 : 0o644),
    kind: type === KINDS.symlink ? 'symlink' : name.endsWith('/') ? 'directory' : 'file',
    time: fields.time ?? Number.NaN,
    dosTime,
    crc: view.getUint32(at + 16, true),
    size: view.getUint32(at + 24, true),
    packed: bytes.slice(start, start + packedSize),
    isText: (view.getUint16(at + 36, true) & 1) === 1,
    uid: 0,
    gid: 0,
    level: (view.getUint16(at + 8, true) & 6) === 2 ? 9 : 6,
  };
}

function extraFields(bytes: Uint8Array): { readonly time: number | undefined } {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  for (let at = 0; at + 4 <= bytes.length; at += 4 + view.getUint16(at + 2, true))
    if (view.getUint16(at, true) === 0x5455 && at + 9 <= bytes.length)
      return { time: view.getUint32(at + 5, true) };
  return { time: undefined };
}
