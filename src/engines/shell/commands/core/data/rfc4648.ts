/**
 * `base64`, `base32`, `basenc` of coreutils 9.1.
 *
 * Source: their manual pages, RFC 4648.
 */
import type { Running } from '../../../kernel/index.js';
import { latin1 } from '../../program/latin1.js';
import { defineOptions } from '../../program/options.js';
import { readSize } from '../../program/size.js';
import { defineTool, systemError, type Tool } from '../../program/tool.js';

const PLAIN = defineOptions('d,decode w,wrap: i,ignore-garbage');
const BASENC = defineOptions(
  'd,decode w,wrap: i,ignore-garbage base64 base64url base32 base32hex base16 base2msbf base2lsbf z85',
);

const UPPER = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ';
const LOWER = UPPER.toLowerCase();
/** Alphabet, bits a letter, letters a group. */
const CODES: Readonly<Record<string, readonly [alphabet: string, bits: number, group: number]>> = {
  base64: [`${UPPER}${LOWER}0123456789+/`, 6, 4],
  base64url: [`${UPPER}${LOWER}0123456789-_`, 6, 4],
  base32: [`${UPPER}234567`, 5, 8],
  base32hex: ['0123456789ABCDEFGHIJKLMNOPQRSTUV', 5, 8],
  base16: ['0123456789ABCDEF', 4, 2],
  base2msbf: ['01', 1, 8],
  base2lsbf: ['01', 1, 8],
};
const Z85 = `0123456789${LOWER}${UPPER}.-:+=^!/*?&<>()[]{}@%$#`;

function encode(bytes: Uint8Array, code: string): string {
  const [alphabet = '', bits = 8, group = 1] = CODES[code] ?? [];
  if (code === 'base2lsbf')
    return [...bytes].map((byte) => [...byte.toString(2).padStart(8, '0')].reverse().join('')).join('');
  let out = '';
  let buffer = 0;
  let count = 0;
  for (const byte of bytes) {
    buffer = (buffer << 8) | byte;
    count += 8;
    while (count >= bits) {
      count -= bits;
      out += alphabet[(buffer >> count) & ((1 << bits) - 1)];
      buffer &= (1 << count) - 1;
    }
  }
  if (count > 0) out += alphabet[(buffer << (bits - count)) & ((1 << bits) - 1)];
  while (out.length % group !== 0) out += '=';
  return out;
}

/** Decodes; `isWhole` is false where something was wrong, and then the part before it is given. */
function decode(text: string, code: string): { bytes: Uint8Array; isWhole: boolean } {
  const [alphabet = '', bits = 8, group = 1] = CODES[code] ?? [];
  const out: number[] = [];
  for (let at = 0; at < text.length; at += group) {
    const piece = text.slice(at, at + group);
    const letters = piece.replace(/=+$/, '');
    const isPadded = letters.length < piece.length;
    const values = [...letters].map((letter) => alphabet.indexOf(letter));
    const wrong = values.indexOf(-1);
    let buffer = 0;
    let count = 0;
    const kept = wrong < 0 ? values : values.slice(0, wrong);
    if (code === 'base2lsbf') {
      if (kept.length === 8) out.push(kept.reduce((sum, bit, index) => sum | (bit << index), 0));
    } else
      for (const value of kept) {
        buffer = (buffer << bits) | value;
        count += bits;
        if (count >= 8) {
          count -= 8;
          out.push((buffer >> count) & 255);
          buffer &= (1 << count) - 1;
        }
      }
    const tooShort =
      letters.length * bits < 8 || (group === 8 && bits === 5 && [1, 3, 6].includes(letters.length));
    const isBroken =
      wrong >= 0 ||
      piece.length < group ||
      (letters.length < group && (tooShort || !isPadded)) ||
      (isPadded && (group === 2 || bits === 1)) ||
      (isPadded && buffer !== 0);
    if (isBroken) return { bytes: Uint8Array.from(out), isWhole: false };
  }
  return { bytes: Uint8Array.from(out), isWhole: true };
}

function encodeZ85(tool: Tool, bytes: Uint8Array): string {
  if (bytes.length % 4 !== 0) tool.die('invalid input (length must be multiple of 4 characters)');
  let out = '';
  for (let at = 0; at < bytes.length; at += 4) {
    let value =
      (bytes[at] ?? 0) * 2 ** 24 +
      ((bytes[at + 1] ?? 0) << 16) +
      ((bytes[at + 2] ?? 0) << 8) +
      (bytes[at + 3] ?? 0);
    let part = '';
    for (let index = 0; index < 5; index++) {
      part = (Z85[value % 85] ?? '') + part;
      value = Math.floor(value / 85);
    }
    out += part;
  }
  return out;
}

function decodeZ85(text: string): { bytes: Uint8Array; isWhole: boolean } {
  const out: number[] = [];
  for (let at = 0; at < text.length; at += 5) {
    const piece = text.slice(at, at + 5);
    const values = [...piece].map((letter) => Z85.indexOf(letter));
    const value = values.reduce((sum, one) => sum * 85 + one, 0);
    if (piece.length < 5 || values.includes(-1) || value >= 2 ** 32)
      return { bytes: Uint8Array.from(out), isWhole: false };
    out.push(Math.floor(value / 2 ** 24) & 255, (value >>> 16) & 255, (value >>> 8) & 255, value & 255);
  }
  return { bytes: Uint8Array.from(out), isWhole: true };
}

interface CodeLine {
  code: string | undefined;
  decodes: boolean;
  ignores: boolean;
  wrap: number;
}

function* runCode(tool: Tool, line: CodeLine): Running<number> {
  const code = line.code ?? 'base64';
  const name = tool.operands[0] ?? '-';
  let bytes: Uint8Array;
  try {
    const fd = name === '-' ? 0 : yield* tool.proc.open(name);
    bytes = yield* readFd(tool, fd);
  } catch (error) {
    return tool.die(`${tool.path(name)}: ${systemError(error).text}`);
  }
  if (line.decodes) {
    let text = latin1(bytes).replaceAll('\n', '');
    const alphabet = code === 'z85' ? Z85 : `${CODES[code]?.[0]}=`;
    if (code === 'base16') text = text.toUpperCase();
    if (line.ignores) text = [...text].filter((letter) => alphabet.includes(letter)).join('');
    const decoded = code === 'z85' ? decodeZ85(text) : decode(text, code);
    tool.io.out(decoded.bytes);
    if (!decoded.isWhole) tool.die('invalid input');
    return tool.status;
  }
  const text = code === 'z85' ? encodeZ85(tool, bytes) : encode(bytes, code);
  if (line.wrap === 0) tool.raw(text);
  else
    for (let at = 0; at < text.length; at += line.wrap) {
      tool.raw(`${text.slice(at, at + line.wrap)}\n`);
      if (tool.io.mustDrain) yield* tool.io.drain();
    }
  return tool.status;
}

function* readFd(tool: Tool, fd: number): Running<Uint8Array> {
  try {
    return yield* tool.proc.readAll(fd);
  } catch (error) {
    return tool.die(`read error: ${systemError(error).text}`);
  }
}

function readLine(tool: Tool, table: typeof PLAIN, code: string | undefined): CodeLine {
  const line: CodeLine = { code, decodes: false, ignores: false, wrap: 76 };
  for (const { key, value = '' } of tool.options(table)) {
    if (key === 'd') line.decodes = true;
    if (key === 'i') line.ignores = true;
    if (key === 'w') {
      const width = readSize(value, '');
      if (width === 'invalid') tool.die(`invalid wrap size: ${tool.quote(value)}`);
      line.wrap = width === 'overflow' ? 0 : Number(width);
    }
    if (CODES[key] !== undefined || key === 'z85') line.code = key;
  }
  if (line.code === undefined) tool.usage('missing encoding type');
  tool.noMoreThan(1);
  return line;
}

/** The command `base64`. */
export const base64 = defineTool('base64', (tool) => runCode(tool, readLine(tool, PLAIN, 'base64')));
/** The command `base32`. */
export const base32 = defineTool('base32', (tool) => runCode(tool, readLine(tool, PLAIN, 'base32')));
/** The command `basenc`. */
export const basenc = defineTool('basenc', (tool) => runCode(tool, readLine(tool, BASENC, undefined)));
