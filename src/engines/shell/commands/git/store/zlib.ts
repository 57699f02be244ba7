/**
 * Unpacking of zlib data, bounded; packs need to know where a stream ends.
 */
import { Inflate } from 'pako';
import { joinBytes } from '../../../kernel/index.js';

const MAX_OBJECT_BYTES = 256 * 1024 * 1024;

/** Unpacks zlib data; also says how many bytes it took. Undefined for damaged data. */
export function inflateFrom(
  bytes: Uint8Array,
): { readonly data: Uint8Array; readonly used: number } | undefined {
  const parts: Uint8Array[] = [];
  let size = 0;
  const inflate = new Inflate({ chunkSize: 65_536 });
  inflate.onData = (chunk) => {
    size += (chunk as Uint8Array).length;
    if (size > MAX_OBJECT_BYTES) throw new RangeError('too large');
    parts.push(chunk as Uint8Array);
  };
  try {
    inflate.push(bytes, true);
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
  if (inflate.err !== 0 || !inflate.ended) return undefined;
  const left = (inflate as unknown as { strm: { avail_in: number } }).strm.avail_in;
  return { data: joinBytes(parts), used: bytes.length - left };
}
