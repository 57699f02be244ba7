/**
 * What `execve` runs: a known program behind a binary, an interpreter behind `#!`, or nothing.
 *
 * The idea: a binary in the base image is an ordinary file that starts as ELF files do and then names its program, so
 * copying, renaming, removing, chmod and PATH work without a special case. A binary that names no known program is
 * `ENOEXEC`.
 */
import { toBytes, toText } from './byte-text.js';
import { Content } from './content.js';
import { SystemError } from './errors.js';
import { mayAccess } from './path-walk.js';
import type { Process } from './process.js';
import type { Program } from './wait.js';

const ELF = '\x7fELF\x02\x01\x01';
const NAME_AT = 64;
const MARK = 'umwelt-program:';
const HEAD_BYTES = 256;
const MAX_INTERPRETERS = 4;

/** A program that was found. */
export interface FoundProgram {
  readonly program: Program;
  readonly argv: readonly string[];
  readonly path: string;
  readonly setuid?: number;
  readonly setgid?: number;
}

/** The content of a binary that stands for a program; `sizeBytes` is what `ls -l` shows. */
export function programContent(name: string, sizeBytes: number): Content {
  const bytes = new Uint8Array(NAME_AT + MARK.length + name.length + 1);
  bytes.set(toBytes(ELF));
  bytes.set(toBytes(`${MARK}${name}`), NAME_AT);
  const content = new Content(bytes, Math.max(sizeBytes, bytes.length));
  content.allocatedBytes = content.size;
  return content;
}

/** The program a binary's bytes stand for, or undefined. */
export function programName(head: Uint8Array): string | undefined {
  if (head[0] !== 0x7f || head[1] !== 0x45) return undefined;
  const text = toText(head.subarray(NAME_AT, HEAD_BYTES));
  if (!text.startsWith(MARK)) return undefined;
  return text.slice(MARK.length).split('\0')[0];
}

/** Finds what a path runs. Raises `ENOENT`, `EACCES`, `ENOEXEC`, `ELOOP`. */
export function findProgram(proc: Process, path: string, argv: readonly string[], depth = 0): FoundProgram {
  const inode = proc.stat(path);
  if (inode.kind !== 'file' || !mayAccess(inode, proc.actor, 1)) throw new SystemError('EACCES', path);
  const head = inode.content?.read(0, HEAD_BYTES) ?? new Uint8Array(0);
  const name = programName(head);
  if (name !== undefined) {
    const program = proc.kernel.programs(name);
    const ids = {
      ...((inode.mode & 0o4000) !== 0 ? { setuid: inode.uid } : {}),
      ...((inode.mode & 0o2000) !== 0 ? { setgid: inode.gid } : {}),
    };
    return { program, argv, path, ...ids };
  }
  const line = toText(head).split('\n')[0] ?? '';
  if (!line.startsWith('#!')) throw new SystemError('ENOEXEC', path);
  if (depth >= MAX_INTERPRETERS) throw new SystemError('ELOOP', path);
  const match = /^#![ \t]*([^ \t]+)[ \t]*(.*?)[ \t]*$/.exec(line);
  if (match === null) throw new SystemError('ENOEXEC', path);
  const [, interpreter = '', argument = ''] = match;
  const rest = [path, ...argv.slice(1)];
  return findProgram(
    proc,
    interpreter,
    [interpreter, ...(argument === '' ? [] : [argument]), ...rest],
    depth + 1,
  );
}
