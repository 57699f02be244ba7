/**
 * Times and pages as the programs of systemd 252 show them.
 *
 * Source: `format_timestamp_relative`, `format_timespan`, and the pager that they start on a terminal
 * (`less -FRSXMK`). Times are UTC where `TZ` says nothing else.
 */
import { type Running, toBytes } from '../../kernel/index.js';
import { breakTime } from '../program/calendar.js';
import { strftime } from '../program/strftime.js';
import { terminalSize } from '../program/terminal-size.js';
import type { Tool } from '../program/tool.js';
import { showLess } from '../tools/system/less-view.js';
import { PagerText } from '../tools/system/pager-text.js';

const SECOND = 1e6;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const WEEK = 7 * DAY;
const MONTH = 30.4375 * DAY;
const YEAR = 365.25 * DAY;

/** A moment in a format of strftime, in the program's zone. */
export function timeWords(tool: Tool, atUs: number, format: string): string {
  return strftime(format, breakTime(Math.floor(atUs / 1e6), 0, tool.zone));
}

/** `Mon 2026-01-05 09:00:00 UTC`. */
export function stampWords(tool: Tool, atUs: number): string {
  return timeWords(tool, atUs, '%a %Y-%m-%d %H:%M:%S %Z');
}

/** `5min ago`. */
export function agoWords(us: number): string {
  const part = (size: number): number => Math.floor(us / size);
  const many = (count: number, word: string): string => `${count} ${word}${count === 1 ? '' : 's'}`;
  const two = (size: number, word: string, small: readonly [number, string]): string => {
    const rest = Math.floor((us % size) / small[0]);
    const whole = many(part(size), word);
    return rest > 0 ? `${whole} ${many(rest, small[1])}` : whole;
  };
  if (us >= YEAR) return `${two(YEAR, 'year', [MONTH, 'month'])} ago`;
  if (us >= MONTH) return `${two(MONTH, 'month', [DAY, 'day'])} ago`;
  if (us >= WEEK) return `${two(WEEK, 'week', [DAY, 'day'])} ago`;
  if (us >= 2 * DAY) return `${part(DAY)} days ago`;
  if (us >= 25 * HOUR) return `1 day ${Math.floor((us - DAY) / HOUR)}h ago`;
  if (us >= 6 * HOUR) return `${part(HOUR)}h ago`;
  if (us >= HOUR) return `${part(HOUR)}h ${Math.floor((us % HOUR) / MINUTE)}min ago`;
  if (us >= 5 * MINUTE) return `${part(MINUTE)}min ago`;
  if (us >= MINUTE) return `${part(MINUTE)}min ${Math.floor((us % MINUTE) / SECOND)}s ago`;
  if (us >= SECOND) return `${part(SECOND)}s ago`;
  if (us >= 1000) return `${part(1000)}ms ago`;
  return us > 0 ? `${Math.floor(us)}us ago` : 'now';
}

/** `3min 2.104s`. */
export function spanWords(us: number): string {
  if (us < SECOND) return `${Math.floor(us / 1000)}ms`;
  const words: string[] = [];
  const sizes = [
    ['w', WEEK],
    ['d', DAY],
    ['h', HOUR],
    ['min', MINUTE],
  ] as const;
  let rest = us;
  for (const [word, size] of sizes) {
    if (rest >= size) words.push(`${Math.floor(rest / size)}${word}`);
    rest %= size;
  }
  if (rest >= 1000) words.push(`${(Math.floor(rest / 1000) / 1000).toFixed(3).replace(/\.?0+$/, '')}s`);
  return words.join(' ');
}

/** Whether output goes through a pager. */
export function hasPager(tool: Tool, isOff: boolean): boolean {
  const wished = tool.env('SYSTEMD_PAGER') ?? tool.env('PAGER');
  return !isOff && tool.proc.isatty(1) && wished !== 'cat' && wished !== '';
}

/** Prints a text: whole, or through the pager, where long lines are cut and what fits on the screen stays there. */
export function* showText(tool: Tool, text: string, isPaged: boolean): Running<void> {
  if (!isPaged) {
    tool.out(text);
    return;
  }
  const { rows, columns } = terminalSize(tool);
  const lines = text
    .replace(/\n$/, '')
    .split('\n')
    .map((line) => cut(line, columns));
  if (lines.length < rows) tool.out(lines.map((line) => `${line}\n`).join(''));
  else {
    const whole = toBytes(lines.map((line) => `${line}\n`).join(''));
    // The options of `SYSTEMD_LESS`: FRSXMK.
    yield* showLess(tool, [new PagerText('', tool, { whole })], {
      chops: true,
      numbers: false,
      staysOnScreen: true,
      quits: null,
      prompt: 'long',
      first: undefined,
    });
  }
}

function cut(line: string, columns: number): string {
  const letters = [...line];
  return letters.length <= columns ? line : `${letters.slice(0, columns - 1).join('')}>`;
}
