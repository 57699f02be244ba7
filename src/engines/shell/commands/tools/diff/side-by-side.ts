/**
 * diff's side by side format (`-y`), also sdiff's.
 *
 * Two halves with a gutter of three columns; tabs fill the gap unless `-t` expands them. Source: the manual of diffutils
 * 3.8, "Side by Side Format".
 */
import type { Change } from './edit-script.js';
import type { TextFile } from './text-file.js';

/** How to show. */
export interface SideOptions {
  readonly width: number;
  readonly expand: boolean;
  readonly leftColumn: boolean;
  readonly suppressCommon: boolean;
}

const TAB = 8;
const GUTTER = 3;

/** Shows both files. */
export function renderSides(
  files: readonly [TextFile, TextFile],
  changes: readonly Change[],
  options: SideOptions,
): string {
  const view = new SideView(files, options);
  let at = 0;
  let other = 0;
  for (const change of changes) {
    for (; at < change.oldAt; at++, other++) view.common(at, other);
    const both = Math.min(change.deleted, change.inserted);
    for (let i = 0; i < both; i++) view.row(change.oldAt + i, '|', change.newAt + i);
    for (let i = both; i < change.deleted; i++) view.row(change.oldAt + i, '<', undefined);
    for (let i = both; i < change.inserted; i++) view.row(undefined, '>', change.newAt + i);
    at = change.oldAt + change.deleted;
    other = change.newAt + change.inserted;
  }
  for (; at < files[0].lines.length; at++, other++) view.common(at, other);
  return view.out;
}

class SideView {
  out = '';
  private readonly half: number;
  private readonly second: number;

  constructor(
    private readonly files: readonly [TextFile, TextFile],
    private readonly options: SideOptions,
  ) {
    const { width, expand } = options;
    const tab = expand ? 1 : TAB;
    const unit = tab + GUTTER;
    const middle = (width >> 1) + (unit >> 1) + (width & unit & 1);
    const offset = middle - (middle % tab);
    this.half = Math.max(0, Math.min(offset - GUTTER, width - offset));
    this.second = this.half > 0 ? offset : width;
  }

  common(at: number, other: number): void {
    if (this.options.suppressCommon) return;
    if (this.options.leftColumn) this.row(at, '(', undefined);
    else this.row(at, ' ', other);
  }

  row(left: number | undefined, mark: string, right: number | undefined): void {
    const { half, second } = this;
    const unended = (side: 0 | 1, at: number | undefined): boolean =>
      at !== undefined && this.files[side].unended && at === this.files[side].lines.length - 1;
    let column = 0;
    let text = '';
    if (left !== undefined) {
      const shown = this.cut(this.files[0].lines[left] ?? '', half, 0);
      text += shown.text;
      column = shown.width;
    }
    let sign = mark;
    if (mark === '|' && unended(0, left) !== unended(1, right)) sign = unended(0, left) ? '/' : '\\';
    if (sign !== ' ') {
      const place = (half + second - 1) >> 1;
      text += this.fill(column, place) + sign;
      column = place + 1;
    }
    if (right !== undefined) {
      const line = this.files[1].lines[right] ?? '';
      if (line !== '' || mark === '|')
        text += line === '' ? '' : this.fill(column, second) + this.cut(line, half, second).text;
    }
    this.out += `${text}\n`;
  }

  /** Blanks or tabs from one column to another. */
  private fill(from: number, to: number): string {
    if (this.options.expand) return ' '.repeat(Math.max(0, to - from));
    let out = '';
    let at = from;
    for (let next = at + TAB - (at % TAB); next <= to; next = at + TAB - (at % TAB)) {
      out += '\t';
      at = next;
    }
    return out + ' '.repeat(Math.max(0, to - at));
  }

  /** As much of a line as fits. */
  private cut(line: string, width: number, start: number): { readonly text: string; readonly width: number } {
    let text = '';
    let column = 0;
    for (const one of line) {
      if (one === '\t') {
        const step = TAB - (column % TAB);
        if (column + step > width) {
          if (this.options.expand) text += ' '.repeat(Math.max(0, width - column));
          column = width;
          break;
        }
        text += this.options.expand ? ' '.repeat(step) : start === 0 ? '\t' : '\t';
        column += step;
        continue;
      }
      if (column + 1 > width) break;
      text += one;
      column++;
    }
    return { text, width: column };
  }
}
