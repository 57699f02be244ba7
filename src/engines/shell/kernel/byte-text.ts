/**
 * Text of bytes without loss: UTF-8, where a byte that is not valid UTF-8 becomes the lone surrogate U+DC00 + byte.
 *
 * The idea is Python's `surrogateescape` (PEP 383): names, arguments and lines are ordinary strings, and what was
 * read can always be written again byte for byte. Bytes of a string that has other lone surrogates become U+FFFD.
 */

const strictDecoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
const encoder = new TextEncoder();
/** From this length on the platform's decoder is faster than a loop. */
const LOOP_BYTES = 48;
const LONE = /[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/;

/** The text of some bytes; {@link toBytes} gives exactly the same bytes back. */
export function toText(bytes: Uint8Array): string {
  if (bytes.length <= LOOP_BYTES) {
    let text = '';
    let index = 0;
    for (; index < bytes.length; index++) {
      const byte = bytes[index] as number;
      if (byte >= 0x80) break;
      text += String.fromCharCode(byte);
    }
    if (index === bytes.length) return text;
  }
  try {
    return strictDecoder.decode(bytes);
  } catch {
    return escapeInvalid(bytes);
  }
}

/** The bytes of a text. */
export function toBytes(text: string): Uint8Array {
  if (text.length <= LOOP_BYTES) {
    const bytes = new Uint8Array(text.length);
    let index = 0;
    for (; index < text.length; index++) {
      const code = text.charCodeAt(index);
      if (code >= 0x80) break;
      bytes[index] = code;
    }
    if (index === text.length) return bytes;
  }
  return LONE.test(text) ? unescapeBytes(text) : encoder.encode(text);
}

/** The bytes of a text that is known to be ASCII. */
export function asciiBytes(text: string): Uint8Array {
  return encoder.encode(text);
}

/** How many bytes the sequence at `at` has, or 0 where it is not valid UTF-8 (RFC 3629, table 3-7 of Unicode). */
function sequenceLength(bytes: Uint8Array, at: number): number {
  const first = bytes[at] as number;
  if (first < 0x80) return 1;
  const second = bytes[at + 1] ?? 0;
  const isTail = (offset: number): boolean => ((bytes[at + offset] ?? 0) & 0xc0) === 0x80;
  if (first >= 0xc2 && first <= 0xdf) return isTail(1) ? 2 : 0;
  if (first >= 0xe0 && first <= 0xef) {
    if (!isTail(1) || !isTail(2)) return 0;
    if (first === 0xe0 && second < 0xa0) return 0;
    return first === 0xed && second > 0x9f ? 0 : 3;
  }
  if (first >= 0xf0 && first <= 0xf4) {
    if (!isTail(1) || !isTail(2) || !isTail(3)) return 0;
    if (first === 0xf0 && second < 0x90) return 0;
    return first === 0xf4 && second > 0x8f ? 0 : 4;
  }
  return 0;
}

function escapeInvalid(bytes: Uint8Array): string {
  let text = '';
  let start = 0;
  let index = 0;
  while (index < bytes.length) {
    const length = sequenceLength(bytes, index);
    if (length > 0) {
      index += length;
      continue;
    }
    if (index > start) text += strictDecoder.decode(bytes.subarray(start, index));
    text += String.fromCharCode(0xdc00 + (bytes[index] as number));
    index += 1;
    start = index;
  }
  return index > start ? text + strictDecoder.decode(bytes.subarray(start)) : text;
}

function unescapeBytes(text: string): Uint8Array {
  const parts: number[] = [];
  for (const character of text) {
    const code = character.codePointAt(0) ?? 0;
    if (code >= 0xdc80 && code <= 0xdcff) parts.push(code - 0xdc00);
    else for (const byte of encoder.encode(character)) parts.push(byte);
  }
  return Uint8Array.from(parts);
}

/** Several byte strings as one. */
export function joinBytes(parts: readonly Uint8Array[]): Uint8Array {
  if (parts.length === 1) return parts[0] as Uint8Array;
  let length = 0;
  for (const part of parts) length += part.length;
  const joined = new Uint8Array(length);
  let at = 0;
  for (const part of parts) {
    joined.set(part, at);
    at += part.length;
  }
  return joined;
}
