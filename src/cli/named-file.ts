/**
 * Files that the user names on the command line: read as text, and never written over by mistake.
 *
 * A name that does not exist is the user's slip (`usage/unknown-name`, exit 2); a file that cannot be read is a
 * failure (exit 1) in words, with the system's code behind them. A byte order mark at the start is dropped.
 */
import { readFileSync, type Stats, statSync } from 'node:fs';
import { DataError, UsageError } from '../core/index.js';

const REASONS: Readonly<Record<string, string>> = {
  EACCES: 'you may not',
  EISDIR: 'it is a folder',
  ENOENT: 'its folder does not exist',
  ENOSPC: 'the disk is full',
  ENOTDIR: 'a part of its path is no folder',
  EPERM: 'the system does not allow it',
  EROFS: 'its disk is read-only',
};

/** Why the system refused, in words with the code; other errors by their code alone. */
export function reasonOf(error: unknown): string {
  const code = (error as NodeJS.ErrnoException).code ?? 'unknown';
  const words = Object.hasOwn(REASONS, code) ? REASONS[code] : undefined;
  return words === undefined ? code : `${words}, ${code}`;
}

/** What to raise when reading a named file failed: `usage/unknown-name` where it is not there. */
export function unreadable(path: string, named: { readonly flag: string; readonly error: unknown }): Error {
  const { flag, error } = named;
  if ((error as NodeJS.ErrnoException).code === 'ENOENT') {
    const message = `${flag} names the file ${path}, which does not exist`;
    return new UsageError(message, { code: 'usage/unknown-name', data: { path } });
  }
  return new DataError(`cannot read ${path} (${reasonOf(error)})`, { code: 'data/unreadable', cause: error });
}

/** Text of UTF-8 bytes without its byte order mark. Raises `data/invalid` with a next step for other bytes. */
function textOfBytes(bytes: Uint8Array, name: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (cause) {
    throw new DataError(`${name} is not UTF-8 text; save it as UTF-8`, { code: 'data/invalid', cause });
  }
}

/** Reads a named file as text; `-` is standard input where the flag allows it. */
export function readNamedText(path: string, flag: string): string {
  let bytes: Uint8Array;
  try {
    bytes = readFileSync(path === '-' ? 0 : path);
  } catch (error) {
    throw unreadable(path, { flag, error });
  }
  return textOfBytes(bytes, path === '-' ? 'standard input' : path);
}

/**
 * Refuses to write where something is read from, also through links and with `--force`, and to write to `-`.
 * Raises `usage/bad-argument`.
 */
export function mustNotBeInput(
  output: { readonly flag: string; readonly path: string },
  inputs: Readonly<Record<string, string | undefined>>,
): void {
  const { flag, path } = output;
  const refuse = (message: string): UsageError =>
    new UsageError(message, { code: 'usage/bad-argument', data: { path } });
  if (path === '-') throw refuse(`${flag} writes a file, not standard output; ./- is a file of that name`);
  const target = fileAt(path);
  if (target === undefined) return;
  for (const [name, input] of Object.entries(inputs)) {
    const read = input === undefined || input === '-' ? undefined : fileAt(input);
    if (read === undefined || read.ino !== target.ino || read.dev !== target.dev) continue;
    throw refuse(`${flag} ${path} is the file that ${name} is read from; choose another`);
  }
}

function fileAt(path: string): Stats | undefined {
  const about = statSync(path, { throwIfNoEntry: false });
  return about?.isFile() === true ? about : undefined;
}
