/**
 * `xxd` (2022-01-14): a file as hexadecimal digits, as bits, as C, and back.
 *
 * Source: xxd(1). Patching an existing output file with `-r` writes at the offsets that the dump names.
 */
import type { Running } from '../../../kernel/index.js';
import { bytesOf, latin1 } from '../../program/latin1.js';
import { defineTool, type Tool } from '../../program/tool.js';
import { readXxdSettings, type XxdSettings } from './xxd-settings.js';

/** The command. */
export const xxd = defineTool(
  'xxd',
  function* (tool) {
    const settings = readXxdSettings(tool);
    const whole = yield* bytesToRead(tool, settings);
    if (whole === undefined) return 2;
    if (settings.reverse) return yield* writeBack(tool, settings, latin1(whole));
    const from = settings.fromEnd ? Math.max(0, whole.length - settings.seek) : settings.seek;
    const to = settings.length === undefined ? whole.length : from + settings.length;
    const text = dump(settings, whole.subarray(from, to), from + settings.offset);
    if (settings.output === undefined) tool.io.out(bytesOf(text));
    else yield* save(tool, settings.output, [{ at: 0, bytes: bytesOf(text) }], true);
    return 0;
  },
  { sizeBytes: 18_744 },
);

function* bytesToRead(tool: Tool, settings: XxdSettings): Running<Uint8Array | undefined> {
  const fd = yield* tool.input(settings.input);
  if (fd === null) return undefined;
  const bytes = yield* tool.proc.readAll(fd);
  tool.close(fd);
  return bytes;
}

function dump(settings: XxdSettings, bytes: Uint8Array, offset: number): string {
  if (settings.kind === 'include') return included(settings, bytes);
  if (settings.kind === 'plain') return plain(settings, bytes);
  return listing(settings, bytes, offset);
}

function hex(byte: number, settings: XxdSettings): string {
  const text = byte.toString(16).padStart(2, '0');
  return settings.upper ? text.toUpperCase() : text;
}

function plain(settings: XxdSettings, bytes: Uint8Array): string {
  const width = settings.columns ?? 30;
  const all = [...bytes].map((byte) => hex(byte, settings)).join('');
  if (width === 0) return all === '' ? '' : `${all}\n`;
  return (all.match(new RegExp(`.{1,${width * 2}}`, 'g')) ?? []).map((row) => `${row}\n`).join('');
}

function included(settings: XxdSettings, bytes: Uint8Array): string {
  const width = settings.columns || 12;
  const rows: string[] = [];
  const prefix = settings.upper ? '0X' : '0x';
  for (let at = 0; at < bytes.length; at += width)
    rows.push(
      [...bytes.subarray(at, at + width)].map((byte) => `${prefix}${hex(byte, settings)}`).join(', '),
    );
  const body = rows.length === 0 ? '' : `  ${rows.join(',\n  ')}\n`;
  const given = settings.name ?? (settings.input === '-' ? undefined : settings.input);
  if (given === undefined) return body;
  const safe = (/^\d/.test(given) ? `__${given}` : given).replace(/[^A-Za-z0-9_]/g, '_');
  const name = settings.capital ? safe.toUpperCase() : safe;
  const length = settings.capital ? `${name}_LEN` : `${name}_len`;
  return `unsigned char ${name}[] = {\n${body}};\nunsigned int ${length} = ${bytes.length};\n`;
}

/** Rows of an offset, groups and characters. */
function listing(settings: XxdSettings, bytes: Uint8Array, offset: number): string {
  const isBits = settings.kind === 'bits';
  const width = settings.columns || (isBits ? 6 : 16);
  const group = settings.group ?? (isBits ? 1 : settings.kind === 'little' ? 4 : 2);
  const size = group <= 0 || group > width ? width : group;
  const digits = isBits ? 8 : 2;
  const area = width * digits + Math.ceil(width / size) - 1;
  const rows: string[] = [];
  let zeroRows = 0;
  for (let at = 0; at < bytes.length; at += width) {
    const row = bytes.subarray(at, at + width);
    const isLast = at + width >= bytes.length;
    zeroRows = settings.autoskip && row.every((byte) => byte === 0) ? zeroRows + 1 : 0;
    if (zeroRows > 1 && !isLast) {
      if (zeroRows === 2) rows.push('*\n');
      continue;
    }
    const number = settings.decimal
      ? String(at + offset).padStart(8, '0')
      : (at + offset).toString(16).padStart(8, '0');
    const shown =
      settings.kind === 'little' ? littleGroups(row, size, settings) : groups(row, size, settings);
    rows.push(`${number}: ${shown.padEnd(area)}  ${characters(row, settings)}\n`);
  }
  return rows.join('');
}

function groups(row: Uint8Array, size: number, settings: XxdSettings): string {
  const parts: string[] = [];
  for (let at = 0; at < row.length; at += size)
    parts.push(
      [...row.subarray(at, at + size)]
        .map((byte) => (settings.kind === 'bits' ? byte.toString(2).padStart(8, '0') : hex(byte, settings)))
        .join(''),
    );
  return parts.join(' ');
}

function littleGroups(row: Uint8Array, size: number, settings: XxdSettings): string {
  const parts: string[] = [];
  for (let at = 0; at < row.length; at += size) {
    const part = [...row.subarray(at, at + size)].reverse();
    parts.push(
      part
        .map((byte) => hex(byte, settings))
        .join('')
        .padStart(size * 2),
    );
  }
  return parts.join(' ');
}

const EBCDIC =
  '................................................................ ...........<(+|&.........!$*);.-/........|,%_>?.........`:#@\'="' +
  '.abcdefghi.......jklmnopqr.......~stuvwxyz......................{ABCDEFGHI......}JKLMNOPQR......\\.STUVWXYZ......0123456789......';

function characters(row: Uint8Array, settings: XxdSettings): string {
  return [...row]
    .map((byte) => {
      if (settings.ebcdic) return EBCDIC[byte] ?? '.';
      return byte >= 32 && byte < 127 ? String.fromCharCode(byte) : '.';
    })
    .join('');
}

// ---- back to bytes ----

interface Piece {
  readonly at: number;
  readonly bytes: Uint8Array;
}

function* writeBack(tool: Tool, settings: XxdSettings, text: string): Running<number> {
  const pieces =
    settings.kind === 'plain' ? [{ at: 0, bytes: plainBytes(text) }] : listedBytes(text, settings);
  if (settings.output !== undefined) return yield* save(tool, settings.output, pieces, false);
  let position = 0;
  for (const { at, bytes } of pieces) {
    if (at < position) tool.die('Sorry, cannot seek backwards.', 5);
    if (at > position) tool.io.out(new Uint8Array(Math.min(at - position, 1 << 24)));
    tool.io.out(bytes);
    position = at + bytes.length;
  }
  return 0;
}

/** Pairs of digits; anything else but blanks ends a line. */
function plainBytes(text: string): Uint8Array {
  const found: number[] = [];
  let half = -1;
  for (const line of text.split('\n')) {
    for (const character of line) {
      if (/\s/.test(character)) continue;
      const digit = Number.parseInt(character, 16);
      if (Number.isNaN(digit)) {
        half = -1;
        break;
      }
      if (half < 0) half = digit;
      else {
        found.push(half * 16 + digit);
        half = -1;
      }
    }
  }
  return Uint8Array.from(found);
}

function listedBytes(text: string, settings: XxdSettings): Piece[] {
  const pieces: Piece[] = [];
  const shift = settings.fromEnd ? -settings.seek : settings.seek;
  const width = settings.columns ?? 16;
  for (const line of text.split('\n')) {
    const match = /^\s*([0-9a-fA-F]+):?[ \t]?(.*)$/s.exec(line);
    if (match === null) continue;
    const [, offset = '', rest = ''] = match;
    const found: number[] = [];
    // Two blanks, or what is no digit, end the digits: the characters follow.
    for (let at = 0; at < rest.length && found.length < width; ) {
      if (rest[at] === ' ' && rest[at + 1] !== ' ' && at > 0) at++;
      const pair = /^[0-9a-fA-F]{2}/.exec(rest.slice(at, at + 2));
      if (pair === null) break;
      found.push(Number.parseInt(pair[0], 16));
      at += 2;
    }
    pieces.push({ at: Number.parseInt(offset, 16) + shift, bytes: Uint8Array.from(found) });
  }
  return pieces;
}

/** Writes pieces into a file at their places. */
function* save(
  tool: Tool,
  ...[path, pieces, truncate]: [string, readonly Piece[], boolean]
): Running<number> {
  const old = !truncate && tool.proc.exists(path) ? yield* tool.proc.readFile(path) : new Uint8Array(0);
  const size = Math.max(old.length, ...pieces.map(({ at, bytes }) => at + bytes.length));
  const made = new Uint8Array(size);
  made.set(old);
  for (const { at, bytes } of pieces) made.set(bytes, at);
  const fd = yield* tool.proc.open(path, { write: true, create: true, truncate: true });
  yield* tool.proc.write(fd, made);
  tool.proc.close(fd);
  return 0;
}
