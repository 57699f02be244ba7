/**
 * sed's l command: a line with everything unprintable as an escape, folded at a width, ended with `$`.
 */
import { toBytes } from '../../../kernel/index.js';

const SIMPLE: Readonly<Record<number, string>> = {
  7: '\\a',
  8: '\\b',
  9: '\\t',
  10: '\\n',
  11: '\\v',
  12: '\\f',
  13: '\\r',
  92: '\\\\',
};

/** The line as l shows it; a width of 0 or 1 does not fold. */
export function shownLine(text: string, width: number): string {
  let out = '';
  let column = 0;
  for (const byte of toBytes(text)) {
    const piece = pieceOf(byte);
    if (width > 1 && column + piece.length > width - 1) {
      out += '\\\n';
      column = 0;
    }
    out += piece;
    column += piece.length;
  }
  return `${out}$\n`;
}

function pieceOf(byte: number): string {
  const simple = SIMPLE[byte];
  if (simple !== undefined) return simple;
  if (byte >= 32 && byte < 127) return String.fromCharCode(byte);
  return `\\${byte.toString(8).padStart(3, '0')}`;
}
