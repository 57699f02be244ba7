/**
 * What is kept of typed lines: `HISTCONTROL`, `HISTIGNORE`, `HISTSIZE` and the history file.
 */
import { type Running, SystemError, toText } from '../../kernel/index.js';
import { patternOf } from '../patterns/pattern.js';
import type { Shell } from '../shell.js';

function value(shell: Shell, name: string): string | undefined {
  return shell.variables.find(name)?.value;
}

/** Adds a command that was typed. */
export function rememberLine(shell: Shell, text: string): void {
  if (!shell.is('history')) return;
  const line = joined(shell, text.replace(/\n+$/, ''));
  const control = (value(shell, 'HISTCONTROL') ?? '').split(':');
  const both = control.includes('ignoreboth');
  if (line.trim() === '') return;
  if ((both || control.includes('ignorespace')) && line.startsWith(' ')) return;
  if ((both || control.includes('ignoredups')) && shell.history.at(-1) === line) return;
  const ignored = value(shell, 'HISTIGNORE');
  if (ignored?.split(':').some((pattern) => pattern !== '' && patternOf(pattern).test(line)) === true) return;
  if (control.includes('erasedups')) shell.history = shell.history.filter((one) => one !== line);
  // Subshells share the list, so it is never changed in place.
  shell.history = [...shell.history, line];
  trimHistory(shell);
}

/** Drops the oldest lines where there are more than `HISTSIZE`. */
export function trimHistory(shell: Shell): void {
  const size = Number(value(shell, 'HISTSIZE') ?? 500);
  if (Number.isInteger(size) && size >= 0 && shell.history.length > size) {
    shell.historyStart += shell.history.length - size;
    shell.history = shell.history.slice(-size || shell.history.length);
  }
}

/** Several lines of one command become one, joined by semicolons where that is right. */
function joined(shell: Shell, text: string): string {
  if (!text.includes('\n') || !shell.shopt('cmdhist') || shell.shopt('lithist') || text.includes('<<'))
    return text;
  const lines = text.split('\n');
  return lines.reduce((whole, line) => {
    if (/\\$/.test(whole)) return whole.slice(0, -1) + line;
    const open = /(^|[\s;])(do|then|else|in|\{|\(|&&|\|\||\|)$|[;&|({]$/.test(whole);
    const quotes = (whole.match(/"/g) ?? []).length % 2 === 1 || (whole.match(/'/g) ?? []).length % 2 === 1;
    return quotes ? `${whole}\n${line}` : `${whole}${open ? ' ' : '; '}${line.trimStart()}`;
  });
}

/** Reads the history file. */
export function* loadHistory(shell: Shell): Running<void> {
  const path = value(shell, 'HISTFILE');
  if (path === undefined || path === '') return;
  try {
    const text = toText(yield* shell.process.readFile(path));
    const lines = text.split('\n').filter((line) => line !== '' && !/^#\d+$/.test(line));
    shell.history = [...shell.history, ...lines];
  } catch (error) {
    if (!(error instanceof SystemError)) throw error;
  }
  shell.historyLoaded = shell.history.length;
}

/** Adds the lines of this session to the history file. */
export function* saveHistory(shell: Shell): Running<void> {
  const path = value(shell, 'HISTFILE');
  const added = shell.history.slice(shell.historyLoaded);
  if (path === undefined || path === '' || added.length === 0) return;
  try {
    const fd = yield* shell.process.open(path, { write: true, create: true, append: true, mode: 0o600 });
    yield* shell.process.write(fd, added.map((line) => `${line}\n`).join(''));
    shell.process.close(fd);
  } catch (error) {
    if (!(error instanceof SystemError)) throw error;
  }
}
