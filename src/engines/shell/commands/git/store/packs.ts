/**
 * Packs, read only: index version 2, whole objects and both kinds of deltas.
 *
 * Source: gitformat-pack. Not covered: index version 1, multi-pack indexes, packs over 2 GiB.
 */
import type { GitFiles } from './files.js';
import { type GitObject, hexOf, type ObjectType } from './objects.js';
import { inflateFrom } from './zlib.js';

const TYPES: Readonly<Record<number, ObjectType>> = { 1: 'commit', 2: 'tree', 3: 'blob', 4: 'tag' };
const MAX_DEPTH = 200;

/** One pack. */
export interface Pack {
  names(): Iterable<string>;
  read(oid: string, find: (oid: string) => GitObject | undefined): GitObject | undefined;
}

/** Opens a pack by its path without extension; undefined for what is damaged or of another version. */
export function openPack(files: GitFiles, path: string): Pack | undefined {
  const index = files.read(`${path}.idx`);
  const view = new DataView(index.buffer, index.byteOffset, index.byteLength);
  if (index.length < 1032 || view.getUint32(0) !== 0xff744f63 || view.getUint32(4) !== 2) return undefined;
  const count = view.getUint32(8 + 255 * 4);
  const namesAt = 8 + 1024;
  const offsetsAt = namesAt + count * 24;
  if (index.length < offsetsAt + count * 4) return undefined;
  const offsets = new Map<string, number>();
  for (let at = 0; at < count; at++)
    offsets.set(
      hexOf(index.subarray(namesAt + at * 20, namesAt + at * 20 + 20)),
      view.getUint32(offsetsAt + at * 4),
    );
  let data: Uint8Array | undefined;
  return {
    names: () => offsets.keys(),
    read(oid, find) {
      const offset = offsets.get(oid);
      if (offset === undefined) return undefined;
      data ??= files.read(`${path}.pack`);
      return readAt(data, offset, find, 0);
    },
  };
}

function readAt(
  data: Uint8Array,
  offset: number,
  find: (oid: string) => GitObject | undefined,
  depth: number,
): GitObject | undefined {
  if (depth > MAX_DEPTH || offset >= data.length) return undefined;
  let at = offset;
  let byte = data[at++] ?? 0;
  const kind = (byte >> 4) & 7;
  while ((byte & 0x80) !== 0) byte = data[at++] ?? 0;
  let base: GitObject | undefined;
  if (kind === 6) {
    byte = data[at++] ?? 0;
    let back = byte & 0x7f;
    while ((byte & 0x80) !== 0) {
      byte = data[at++] ?? 0;
      back = (back + 1) * 128 + (byte & 0x7f);
    }
    base = readAt(data, offset - back, find, depth + 1);
  } else if (kind === 7) {
    base = find(hexOf(data.subarray(at, at + 20)));
    at += 20;
  }
  const body = inflateFrom(data.subarray(at))?.data;
  if (body === undefined) return undefined;
  const type = TYPES[kind];
  if (type !== undefined) return { type, bytes: body };
  return base === undefined ? undefined : { type: base.type, bytes: applyDelta(base.bytes, body) };
}

function applyDelta(base: Uint8Array, delta: Uint8Array): Uint8Array {
  let at = 0;
  const size = (): number => {
    let [value, shift, byte] = [0, 0, 0];
    do {
      byte = delta[at++] ?? 0;
      value += (byte & 0x7f) * 2 ** shift;
      shift += 7;
    } while ((byte & 0x80) !== 0);
    return value;
  };
  size();
  const out = new Uint8Array(size());
  let to = 0;
  while (at < delta.length) {
    const op = delta[at++] ?? 0;
    if ((op & 0x80) === 0) {
      out.set(delta.subarray(at, at + op), to);
      at += op;
      to += op;
      continue;
    }
    let [from, length] = [0, 0];
    for (let bit = 0; bit < 4; bit++) if ((op & (1 << bit)) !== 0) from += (delta[at++] ?? 0) * 256 ** bit;
    for (let bit = 0; bit < 3; bit++) if ((op & (16 << bit)) !== 0) length += (delta[at++] ?? 0) * 256 ** bit;
    if (length === 0) length = 0x10000;
    out.set(base.subarray(from, from + length), to);
    to += length;
  }
  return out;
}
