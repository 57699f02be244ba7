/**
 * The escapes of prompts: `\u@\h:\w\$` and the rest.
 *
 * Source: bash manual, Controlling the Prompt. Not covered: `\j` counts live jobs only, `\l` is the terminal's number.
 */

import { expandString } from './expand/expander.js';
import { passwordLines, readHostName } from './expand/tilde.js';
import type { Shell } from './shell.js';
import { formatTime } from './time-format.js';

/** A folder with `~` for the home folder. */
export function abbreviated(shell: Shell, folder: string): string {
  const home = shell.variables.find('HOME')?.value ?? '';
  if (home === '' || home === '/') return folder;
  if (folder === home) return '~';
  return folder.startsWith(`${home}/`) ? `~${folder.slice(home.length)}` : folder;
}

/** The name of the machine. */
export function hostName(shell: Shell): string {
  return readHostName(shell) ?? 'localhost';
}

/** The name of the user that runs the shell. */
function userName(shell: Shell): string {
  return passwordLines(shell).find((line) => line[2] === String(shell.process.uid))?.[0] ?? 'I have no name!';
}

function trimmed(shell: Shell, folder: string): string {
  const limit = Number(shell.variables.find('PROMPT_DIRTRIM')?.value ?? 0);
  if (!(limit > 0)) return folder;
  const start = folder.startsWith('~') ? '~' : '';
  const parts = folder
    .slice(start.length)
    .split('/')
    .filter((part) => part !== '');
  if (parts.length <= limit) return folder;
  return `${start === '' ? '' : '~/'}.../${parts.slice(-limit).join('/')}`;
}

function escaped(shell: Shell, char: string): string | undefined {
  const now = Math.floor(shell.process.now() / 1e6);
  const folder = abbreviated(shell, shell.variables.find('PWD')?.value ?? '');
  switch (char) {
    case 'a':
      return '\x07';
    case 'd':
      return formatTime(shell, '%a %b %d', now);
    case 'e':
      return '\x1b';
    case 'h':
      return hostName(shell).split('.')[0];
    case 'H':
      return hostName(shell);
    case 'j':
      return String(shell.jobs.count());
    case 'l':
      return '0';
    case 'n':
      return '\n';
    case 'r':
      return '\r';
    case 's':
      return shell.messageName;
    case 't':
      return formatTime(shell, '%H:%M:%S', now);
    case 'T':
      return formatTime(shell, '%I:%M:%S', now);
    case '@':
      return formatTime(shell, '%I:%M %p', now);
    case 'A':
      return formatTime(shell, '%H:%M', now);
    case 'u':
      return userName(shell);
    case 'v':
      return '5.2';
    case 'V':
      return '5.2.15';
    case 'w':
      return trimmed(shell, folder);
    case 'W':
      return folder === '/' || folder === '~' ? folder : folder.slice(folder.lastIndexOf('/') + 1);
    case '!':
    case '#':
      return String(shell.historyStart + shell.history.length);
    case '$':
      return shell.process.uid === 0 ? '#' : '\\$';
    case '\\':
      return '\\\\';
    case '[':
      return '\x01';
    case ']':
      return '\x02';
    default:
      return undefined;
  }
}

/** A prompt as it is shown: escapes decoded, then expanded as between double quotes. */
export function renderPrompt(shell: Shell, text: string): string {
  let out = '';
  for (let at = 0; at < text.length; at += 1) {
    const char = text[at] as string;
    if (char !== '\\' || at + 1 >= text.length) {
      out += char;
      continue;
    }
    const octal = /^[0-7]{1,3}/.exec(text.slice(at + 1, at + 4))?.[0];
    if (octal !== undefined) {
      out += String.fromCharCode(Number.parseInt(octal, 8));
      at += octal.length;
      continue;
    }
    const date = /^D\{([^}]*)\}/.exec(text.slice(at + 1));
    if (date !== null) {
      out += formatTime(
        shell,
        date[1] === '' ? '%X' : (date[1] as string),
        Math.floor(shell.process.now() / 1e6),
      );
      at += date[0].length;
      continue;
    }
    out += escaped(shell, text[at + 1] as string) ?? `\\${text[at + 1]}`;
    at += 1;
  }
  return shell.shopt('promptvars') ? expandString(shell, out, 'double') : out;
}
