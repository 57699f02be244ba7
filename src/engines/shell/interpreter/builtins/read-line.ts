/**
 * Reading lines from a descriptor without taking more than the line: the rest belongs to who reads next.
 */
import { type Running, toText } from '../../kernel/index.js';
import type { Shell } from '../shell.js';

/** Reads bytes up to a delimiter byte; null at the end without any. `ended` says that the delimiter was there. */
export function* readUntil(
  shell: Shell,
  fd: number,
  how: { readonly delimiter: number; readonly maxBytes?: number },
): Running<{ text: string; ended: boolean } | null> {
  const { process: own } = shell;
  const bytes: number[] = [];
  const file = own.file(fd);
  const seekable = file.stat().kind === 'file';
  for (;;) {
    // A file is read in blocks and the position set back; anything else byte by byte.
    const piece = yield* own.read(fd, seekable ? 4096 : 1);
    if (piece.length === 0)
      return bytes.length === 0 ? null : { text: toText(Uint8Array.from(bytes)), ended: false };
    const end = piece.indexOf(how.delimiter);
    const taken = end === -1 ? piece.length : end;
    for (let index = 0; index < taken; index += 1) bytes.push(piece[index] as number);
    if (end !== -1) {
      if (seekable && end + 1 < piece.length) own.seek(fd, end + 1 - piece.length, 'current');
      return { text: toText(Uint8Array.from(bytes)), ended: true };
    }
    if (bytes.length > 64_000_000) return { text: toText(Uint8Array.from(bytes)), ended: false };
  }
}

/** Reads one line without its newline; null at the end. */
export function* readLine(shell: Shell, fd: number): Running<string | null> {
  const read = yield* readUntil(shell, fd, { delimiter: 10 });
  return read === null ? null : read.text;
}
