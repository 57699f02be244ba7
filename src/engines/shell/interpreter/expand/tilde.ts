/**
 * Tilde expansion: `~`, `~user`, `~+`, `~-`, `~2`.
 */
import { type Process, SmallFileReader, SystemError, toText } from '../../kernel/index.js';
import type { Shell } from '../shell.js';

/** The text of a file that can be read at once; undefined where it cannot be opened. */
function readSmallFile(proc: Process, path: string): string | undefined {
  try {
    const fd = proc.openNow(path);
    try {
      let text = '';
      for (;;) {
        const bytes = proc.file(fd).readNow(65_536);
        if (bytes === null || bytes.length === 0) return text;
        text += toText(bytes);
      }
    } finally {
      proc.close(fd);
    }
  } catch (error) {
    if (error instanceof SystemError) return undefined;
    throw error;
  }
}

const HOST_NAME = new SmallFileReader('/etc/hostname', (text) => text.trim(), readSmallFile);

const PASSWORD_LINES = new SmallFileReader<readonly (readonly string[])[]>(
  '/etc/passwd',
  (text) =>
    text
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => line.split(':')),
  readSmallFile,
);

/** The text of `/etc/hostname`; undefined where it cannot be read. */
export function readHostName(shell: Shell): string | undefined {
  return HOST_NAME.read(shell.process);
}

/** The users of `/etc/passwd`: name, uid, gid, folder, shell. */
export function passwordLines(shell: Shell): readonly (readonly string[])[] {
  return PASSWORD_LINES.read(shell.process) ?? [];
}

/** The folder that `~name` means; undefined where it stays as written. */
export function expandTilde(shell: Shell, name: string): string | undefined {
  if (name === '') {
    const home = shell.variables.find('HOME');
    if (home !== undefined) return home.value ?? '';
    return passwordLines(shell).find((line) => line[2] === String(shell.process.uid))?.[5];
  }
  if (name === '+') return shell.variables.find('PWD')?.value;
  if (name === '-') return shell.variables.find('OLDPWD')?.value;
  if (/^[+-]?\d+$/.test(name)) {
    const stack = [shell.variables.find('PWD')?.value ?? '', ...shell.directoryStack];
    const index = Number(name.replace(/^[+-]/, ''));
    return name.startsWith('-') ? stack[stack.length - 1 - index] : stack[index];
  }
  return passwordLines(shell).find((line) => line[0] === name)?.[5];
}
