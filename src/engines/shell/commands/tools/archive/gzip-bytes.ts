/**
 * The gzip format (RFC 1952) around deflate: packing and unpacking of bytes.
 *
 * Deflate is pako's, a port of zlib. Unpacking is bounded: a small file may not become a huge one.
 */
import { deflateRaw, Inflate } from 'pako';
import { joinBytes, toBytes } from '../../../kernel/index.js';
import { crc32 } from './xz-bytes.js';

/** Bytes that one file may unpack to. */
const MAX_UNPACKED = 256 * 1024 * 1024;

/** True for bytes that start as gzip does. */
export function isGzip(bytes: Uint8Array): boolean {
  return bytes.length >= 10 && bytes[0] === 0x1f && bytes[1] === 0x8b;
}

/** Packs bytes. The name and the time (seconds since 1970) go into the header where they are given. */
export function packGzip(
  bytes: Uint8Array,
  { level, name, time }: { readonly level: number; readonly name?: string; readonly time?: number },
): Uint8Array {
  const head = [0x1f, 0x8b, 8, name === undefined ? 0 : 8];
  const stamp = time ?? 0;
  for (let at = 0; at < 4; at++) head.push(Math.floor(stamp / 256 ** at) % 256);
  head.push(level === 9 ? 2 : level === 1 ? 4 : 0, 3);
  const title = name === undefined ? [] : [...toBytes(name), 0];
  const tail = new DataView(new ArrayBuffer(8));
  tail.setUint32(0, crc32(bytes), true);
  tail.setUint32(4, bytes.length % 2 ** 32, true);
  const packed = deflateRaw(bytes, { level: level as 6 });
  return joinBytes([Uint8Array.from([...head, ...title]), packed, new Uint8Array(tail.buffer)]);
}

/** Unpacks all members; undefined for what is damaged, cut off or too large. */
export function unpackGzip(bytes: Uint8Array): Uint8Array | undefined {
  const parts: Uint8Array[] = [];
  let size = 0;
  const inflate = new Inflate({ chunkSize: 65_536 });
  inflate.onData = (chunk) => {
    const piece = chunk as Uint8Array;
    size += piece.length;
    if (size > MAX_UNPACKED) throw new RangeError('too large');
    parts.push(piece);
  };
  try {
    inflate.push(bytes, true);
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
  if (inflate.err !== 0 || !inflate.ended) return undefined;
  const out = new Uint8Array(size);
  let at = 0;
  for (const part of parts) {
    out.set(part, at);
    at += part.length;
  }
  return out;
}
