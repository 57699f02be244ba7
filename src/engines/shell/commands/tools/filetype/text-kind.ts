/**
 * Whether bytes are text, in which encoding, and what is odd about its lines: the last step of `file`.
 *
 * Source: file(1), file 5.44.
 */

/** The encoding of a text and how `file` names it. */
export interface TextKind {
  /** `ASCII text`, `Unicode text, UTF-8 text`. */
  readonly name: string;
  /** The name for `--mime-encoding`. */
  readonly encoding: string;
  /** `, with CRLF line terminators` and the like. */
  readonly oddities: string;
}

/** Control characters that texts have. */
const TEXT_CONTROLS = new Set([7, 8, 9, 10, 12, 13, 27]);
const LONG_LINE = 300;

/** What kind of text bytes are; undefined for none. */
export function textKind(bytes: Uint8Array): TextKind | undefined {
  if (bytes.length === 0) return undefined;
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return wide(bytes, 'little');
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return wide(bytes, 'big');
  const oddities = lineOddities(bytes);
  const isPlain = (byte: number): boolean => (byte >= 32 && byte < 127) || TEXT_CONTROLS.has(byte);
  if (bytes.every(isPlain)) return { name: 'ASCII text', encoding: 'us-ascii', oddities };
  if (bytes.every((byte) => byte >= 128 || isPlain(byte)) && isUtf8(bytes)) {
    const hasMark = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
    return { name: `Unicode text, UTF-8${hasMark ? ' (with BOM)' : ''} text`, encoding: 'utf-8', oddities };
  }
  if (bytes.every((byte) => byte >= 160 || byte === 0x85 || isPlain(byte)))
    return { name: 'ISO-8859 text', encoding: 'iso-8859-1', oddities };
  if (bytes.every((byte) => byte >= 128 || isPlain(byte)))
    return { name: 'Non-ISO extended-ASCII text', encoding: 'unknown-8bit', oddities };
  return undefined;
}

function isUtf8(bytes: Uint8Array): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return true;
  } catch {
    return false;
  }
}

function wide(bytes: Uint8Array, order: 'little' | 'big'): TextKind {
  const units: number[] = [];
  for (let at = 2; at + 1 < bytes.length; at += 2) {
    const [first = 0, second = 0] = [bytes[at], bytes[at + 1]];
    const unit = order === 'little' ? first + second * 256 : second + first * 256;
    units.push(unit < 256 ? unit : 255);
  }
  const oddities = lineOddities(Uint8Array.from(units));
  return {
    name: `Unicode text, UTF-16, ${order}-endian text`,
    encoding: `utf-16${order === 'little' ? 'le' : 'be'}`,
    oddities,
  };
}

function lineOddities(bytes: Uint8Array): string {
  const counts = { lf: 0, crlf: 0, cr: 0 };
  let longest = 0;
  let length = 0;
  let [escapes, overstrikes] = [false, false];
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at];
    if (byte === 10) {
      if (bytes[at - 1] === 13) counts.crlf += 1;
      else counts.lf += 1;
    } else if (byte === 13 && bytes[at + 1] !== 10) counts.cr += 1;
    if (byte === 27) escapes = true;
    if (byte === 8) overstrikes = true;
    if (byte === 10 || byte === 13) {
      longest = Math.max(longest, length);
      length = 0;
    } else length += 1;
  }
  longest = Math.max(longest, length);
  let text = longest > LONG_LINE ? `, with very long lines (${longest})` : '';
  const kinds = [counts.crlf > 0 && 'CRLF', counts.cr > 0 && 'CR', counts.lf > 0 && 'LF'].filter(
    (kind) => kind !== false,
  );
  if (kinds.length === 0) text += ', with no line terminators';
  else if (kinds.length > 1 || kinds[0] !== 'LF') text += `, with ${kinds.join(', ')} line terminators`;
  if (escapes) text += ', with escape sequences';
  if (overstrikes) text += ', with overstriking';
  return text;
}

/** Whether a text is a table of commas: as many in each of its lines, and more than one line. */
export function isCsv(text: string): boolean {
  let expected = -1;
  let lines = 0;
  let commas = 0;
  let quoted = false;
  for (const character of text) {
    if (character === '"') quoted = !quoted;
    if (quoted) continue;
    if (character === ',') commas += 1;
    if (character !== '\n') continue;
    lines += 1;
    if (expected < 0) expected = commas;
    else if (commas !== expected) return false;
    if (expected === 0) return false;
    if (lines === 10) return true;
    commas = 0;
  }
  return expected > 0 && lines >= 2;
}

/** Whether a text is JSON: an object or an array and nothing more. */
export function isJson(text: string): boolean {
  if (!/^\s*[[{]/.test(text)) return false;
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
