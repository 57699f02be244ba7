/**
 * A pure hash: the same text or bytes give the same digest everywhere, with no platform module.
 *
 * SHA-256 (FIPS 180-4) from @noble/hashes. Used for content hashes of worlds and to derive random streams.
 */
import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';
import { canonicalJson, type Json } from './json.js';

/** SHA-256 of a text (as UTF-8) or of bytes, as 64 lower-case hex digits. */
export function hashText(input: string | Uint8Array): string {
  return bytesToHex(sha256(typeof input === 'string' ? utf8ToBytes(input) : input));
}

/** SHA-256 of the canonical JSON of a value: equal values, whatever their key order, hash alike. */
export function hashJson(value: Json): string {
  return hashText(canonicalJson(value));
}

/** The first 16 bytes of SHA-256 of a text as four unsigned 32-bit words (big-endian). */
export function hashWords(text: string): readonly [number, number, number, number] {
  const view = new DataView(sha256(utf8ToBytes(text)).buffer);
  return [view.getUint32(0), view.getUint32(4), view.getUint32(8), view.getUint32(12)];
}
