/**
 * `more` on a terminal: the text runs over the screen page by page, with a prompt below.
 *
 * As util-linux 2.38 does: the end of the text is a page like the others, filled with empty lines, and waits for a key at
 * `(END)`. Source: more(1). Not covered: searching, shell escapes, editors, several files beyond their headers.
 */
import type { Running } from '../../../kernel/index.js';
import { terminalSize } from '../../program/terminal-size.js';
import type { Tool } from '../../program/tool.js';
import { NO_KEY, PagerKeys } from './pager-keys.js';
import { type PagerText, rowsOfLine } from './pager-text.js';

/** How a text is shown. */
export interface MoreOptions {
  /** Ends at the end of the text (`-e`). */
  readonly exitsAtEnd: boolean;
  /** Whether the whole text is known, so that the prompt says how far it is. */
  readonly hasSize: boolean;
  /** Rows of the header that stand on the first page. */
  readonly headerRows: number;
}

/** Shows a text until somebody quits; false when no other text is wanted. */
export function* showMore(tool: Tool, text: PagerText, options: MoreOptions): Running<boolean> {
  const { rows, columns } = terminalSize(tool);
  const page = rows - 1;
  const layout = { columns, chops: false, numbers: false, shift: 0 };
  /** The next line. */
  let at = 0;
  let isOver = false;
  const print = function* (count: number): Running<void> {
    let left = count;
    while (left > 0) {
      yield* text.need(at + 1);
      const line = text.lines[at];
      if (line === undefined) {
        isOver = true;
        if (options.exitsAtEnd) return;
        tool.out('\n');
        left -= 1;
        continue;
      }
      for (const row of rowsOfLine(line, at, layout)) {
        tool.out(`${row.text}\n`);
        left -= 1;
      }
      at += 1;
    }
    yield* text.need(at + 1);
    isOver ||= text.isOver && at >= text.lines.length;
  };
  yield* print(page - options.headerRows);
  if (isOver && options.exitsAtEnd) return true;
  const keys = yield* PagerKeys.open(tool);
  try {
    let given = '';
    for (;;) {
      tool.out(`\r\x1b[K\x1b[7m${promptOf(text, { at, isOver, hasSize: options.hasSize })}\x1b[27m`);
      const key = yield* keys.next();
      if (key === NO_KEY || /^[qQ\x03]$/.test(key)) return false;
      if (/^\d$/.test(key)) {
        given = (given + key).slice(0, 6);
        continue;
      }
      const count = given === '' ? undefined : Number(given);
      given = '';
      if (/^[ zf\x06]$/.test(key))
        yield* erased(tool, print(key === ' ' ? (count ?? page) : page * (count ?? 1)));
      else if (/^[\r\nj]$/.test(key)) yield* erased(tool, print(count ?? 1));
      else if (/^[d\x04]$/.test(key)) yield* erased(tool, print(count ?? 11));
      else if (/^[b\x02]$/.test(key) && options.hasSize) {
        at = Math.max(0, at - page * ((count ?? 1) + 1) - 1);
        isOver = false;
        yield* erased(tool, print(page));
      }
      if (isOver && options.exitsAtEnd) return true;
    }
  } finally {
    keys.close();
    tool.out('\r\x1b[K');
  }
}

function* erased(tool: Tool, run: Running<void>): Running<void> {
  tool.out('\r\x1b[K');
  yield* run;
}

function promptOf(
  text: PagerText,
  { at, isOver, hasSize }: { readonly at: number; readonly isOver: boolean; readonly hasSize: boolean },
): string {
  if (isOver) return '(END)';
  if (!hasSize) return '--More--';
  const size = text.size ?? 0;
  return `--More--(${size === 0 ? 0 : Math.floor(((text.ends[at - 1] ?? 0) * 100) / size)}%)`;
}
