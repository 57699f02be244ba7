/**
 * Terminal observations: the visible screen as text.
 *
 * One rule for what cannot be seen: rows have no trailing spaces and the screen no trailing empty rows, as
 * `tmux capture-pane -p` and its readers do. Raw output (carriage returns, escape sequences) is turned into what it shows.
 */
import type { ContentContext, ContentSpan, ContentType } from '../domain-format.js';
import { findRuntimeText } from '../runtime-metadata.js';
import { Screen } from './screen.js';

/** A screen, row by row. */
export interface ScreenText {
  readonly rows: readonly string[];
}

/** Reads a screen's rows. */
export function parseScreen(text: string): ScreenText {
  return { rows: text.split('\n') };
}

/** Writes a screen's rows. */
export function renderScreen(screen: ScreenText): string {
  return screen.rows.join('\n');
}

/** Rows of a raw output that may be long: only what a line discipline would show, without scrolling anything off. */
const RAW_ROWS = 2_000;
const RAW_CHARS = 400_000;

/** What raw output shows: carriage returns write over, escape sequences act. Text without controls stays as it is. */
export function visibleText(raw: string): string {
  if (!/[\x00-\x08\x0b-\x1f\x7f]/.test(raw) || raw.length > RAW_CHARS) return raw;
  const lines = raw.split('\n').length;
  const longest = Math.max(...raw.split('\n').map((line) => line.length));
  const screen = new Screen(Math.min(4096, Math.max(80, longest + 8)), Math.min(RAW_ROWS, lines + 1));
  screen.write(new TextEncoder().encode(raw.replace(/\r?\n/g, '\r\n')));
  return screen.text();
}

/** The form in which two screens are compared. */
export function normaliseScreen(text: string): string {
  const visible = visibleText(text).replace(/[\x00-\x08\x0b-\x1f\x7f\u0085\u2028\u2029\ufeff]/g, '');
  return visible
    .split('\n')
    .map((row) => row.trimEnd())
    .join('\n')
    .replace(/\n+$/, '');
}

/** Times, process numbers and the like are runtime metadata; the rest follows from state and keys. */
export function screenContentTypes(text: string, _context: ContentContext = {}): readonly ContentSpan[] {
  const spans: { start: number; end: number; type: ContentType }[] = [];
  const push = (start: number, end: number, type: ContentType): void => {
    if (end <= start) return;
    const last = spans.at(-1);
    if (last?.type === type) last.end = end;
    else spans.push({ start, end, type });
  };
  let at = 0;
  for (const { start, end } of findRuntimeText(text)) {
    if (start < at) continue;
    push(at, start, 'deterministic');
    push(start, end, 'runtime-metadata');
    at = end;
  }
  push(at, text.length, 'deterministic');
  return spans;
}
