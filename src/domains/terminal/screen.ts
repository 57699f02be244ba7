/**
 * A terminal screen: bytes in, what is visible out.
 *
 * The subset of ECMA-48, VT100 and xterm that programs in shells use: cursor movement, erasing, inserting and deleting,
 * scroll regions, the alternate screen, tabs, line drawing, wide characters, wrapping at the last column. Colours are
 * read and dropped. Own code instead of a library, because a screen must be forked at every step and be part of
 * snapshots; `@xterm/headless` is the judge in tests. Not covered: mouse, sixel, status strings, 8-bit controls.
 */
import { cellWidth } from './cell-width.js';
import { ScreenGrid } from './screen-grid.js';

const LINE_DRAWING = '◆▒␉␌␍␊°±␤␋┘┐┌└┼⎺⎻─⎼⎽├┤┴┬│≤≥π≠£·';

const NO_BYTES = new Uint8Array(0);
const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

function joined(one: Uint8Array, other: Uint8Array): Uint8Array {
  const all = new Uint8Array(one.length + other.length);
  all.set(one);
  all.set(other, one.length);
  return all;
}

/** How many bytes at the end begin a UTF-8 character that is not complete. */
function openBytes(bytes: Uint8Array): number {
  for (let back = 1; back <= Math.min(3, bytes.length); back++) {
    const byte = bytes[bytes.length - back] as number;
    if ((byte & 0xc0) === 0x80) continue;
    const length = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : byte >= 0xc0 ? 2 : 1;
    return length > back ? back : 0;
  }
  return 0;
}

/** A screen as plain data. */
export interface ScreenState {
  readonly columns: number;
  readonly rows: number;
  readonly main: readonly string[];
  readonly alternate: readonly string[] | null;
  readonly cursors: readonly number[];
  readonly pending: string;
  /** Bytes of a character that is not complete. */
  readonly tail: readonly number[];
}

/** One screen. */
export class Screen {
  private main: ScreenGrid;
  private alternate: ScreenGrid | null = null;
  private saved = { x: 0, y: 0, drawsLines: false };
  /** What was saved on the main grid, while the other one is shown. */
  private mainSaved = this.saved;
  private isInserting = false;
  private drawsLines = false;
  private wrapsAround = true;
  /** An unfinished escape sequence. */
  private pending = '';
  /** An unfinished character. */
  private tail: Uint8Array = NO_BYTES;
  /** What the terminal answers to questions of programs (cursor position, kind of terminal). */
  readonly replies: string[] = [];

  constructor(
    readonly columns = 80,
    readonly rows = 40,
  ) {
    this.main = new ScreenGrid(columns, rows);
  }

  /** An equal screen that changes apart from this one. Cheap. */
  fork(): Screen {
    const copy = new Screen(this.columns, this.rows);
    copy.main = this.main.fork();
    copy.alternate = this.alternate?.fork() ?? null;
    copy.saved = this.saved;
    copy.mainSaved = this.mainSaved;
    copy.isInserting = this.isInserting;
    copy.drawsLines = this.drawsLines;
    copy.wrapsAround = this.wrapsAround;
    copy.pending = this.pending;
    copy.tail = this.tail;
    return copy;
  }

  /** As plain data, for snapshots. */
  state(): ScreenState {
    const { main, alternate, saved } = this;
    const flags = [this.isInserting, this.drawsLines, this.wrapsAround].map(Number);
    const grids = [main, ...(alternate === null ? [] : [alternate])];
    const cursors = grids.flatMap((grid) => [grid.x, grid.y, Number(grid.wraps), grid.top, grid.bottom]);
    return {
      columns: this.columns,
      rows: this.rows,
      main: main.dump(),
      alternate: alternate?.dump() ?? null,
      cursors: [saved, this.mainSaved]
        .flatMap((one) => [one.x, one.y, Number(one.drawsLines)])
        .concat(flags, cursors),
      pending: this.pending,
      tail: [...this.tail],
    };
  }

  /** A screen out of {@link state}. */
  static from(state: ScreenState): Screen {
    const screen = new Screen(state.columns, state.rows);
    const [x = 0, y = 0, draws, mainX = 0, mainY = 0, mainDraws, ...rest] = state.cursors;
    const [inserting, drawing, wrapping, ...cursors] = rest;
    screen.saved = { x, y, drawsLines: draws === 1 };
    screen.mainSaved = { x: mainX, y: mainY, drawsLines: mainDraws === 1 };
    screen.isInserting = inserting === 1;
    screen.drawsLines = drawing === 1;
    screen.wrapsAround = wrapping === 1;
    screen.pending = state.pending;
    screen.tail = Uint8Array.from(state.tail);
    screen.main.load(state.main);
    if (state.alternate !== null) {
      screen.alternate = new ScreenGrid(state.columns, state.rows);
      screen.alternate.load(state.alternate);
    }
    [screen.main, screen.alternate].forEach((grid, index) => {
      if (grid === null) return;
      const [gx = 0, gy = 0, wraps = 0, top = 0, bottom = state.rows - 1] = cursors.slice(
        index * 5,
        index * 5 + 5,
      );
      Object.assign(grid, { x: gx, y: gy, wraps: wraps === 1, top, bottom });
    });
    return screen;
  }

  /** What is visible: rows without trailing spaces, without empty rows at the end, joined by newlines. */
  text(): string {
    const lines = this.grid.lines();
    let end = lines.length;
    while (end > 0 && lines[end - 1] === '') end -= 1;
    return lines.slice(0, end).join('\n');
  }

  /** Column and row of the cursor, from 0. */
  cursor(): { readonly x: number; readonly y: number } {
    return { x: this.grid.x, y: this.grid.y };
  }

  /** Shows bytes; sequences and characters may be cut anywhere. */
  write(bytes: Uint8Array): void {
    const all = this.tail.length === 0 ? bytes : joined(this.tail, bytes);
    const end = all.length - openBytes(all);
    this.tail = end === all.length ? NO_BYTES : all.slice(end);
    this.show(decoder.decode(end === all.length ? all : all.subarray(0, end)));
  }

  private get grid(): ScreenGrid {
    return this.alternate ?? this.main;
  }

  private show(text: string): void {
    const all = this.pending === '' ? text : this.pending + text;
    this.pending = '';
    let at = 0;
    while (at < all.length) {
      const code = all.codePointAt(at) ?? 0;
      if (code === 0x1b) {
        const end = this.sequence(all, at);
        if (end < 0) {
          this.pending = all.slice(at, at + 4096);
          return;
        }
        at = end;
        continue;
      }
      if (code < 32 || code === 127) this.control(code);
      else this.character(all, at, code);
      at += code > 0xffff ? 2 : 1;
    }
  }

  private character(all: string, at: number, code: number): void {
    const { grid } = this;
    const width = cellWidth(code);
    const shown = code > 0xffff ? all.slice(at, at + 2) : (all[at] as string);
    if (width === 0) {
      grid.combine(shown);
      return;
    }
    if (!this.wrapsAround) grid.wraps = false;
    const drawn =
      this.drawsLines && code >= 0x60 && code <= 0x7e ? (LINE_DRAWING[code - 0x60] ?? shown) : shown;
    grid.put(drawn, width, this.isInserting);
  }

  private control(code: number): void {
    const { grid } = this;
    if (code === 13) grid.moveTo(0, grid.y);
    else if (code >= 10 && code <= 12) {
      grid.wraps = false;
      grid.lineFeed();
    } else if (code === 8) grid.moveTo(grid.x - 1, grid.y);
    else if (code === 9) grid.moveTo((Math.floor(grid.x / 8) + 1) * 8, grid.y);
    else if (code === 14) this.drawsLines = true;
    else if (code === 15) this.drawsLines = false;
  }

  /** Carries out the escape sequence at `at`; returns where it ends, or -1 where it is not complete. */
  private sequence(all: string, at: number): number {
    const kind = all[at + 1];
    if (kind === undefined) return -1;
    if (kind === '[') return this.csi(all, at + 2);
    if (kind === ']' || kind === 'P' || kind === '_' || kind === '^' || kind === 'X') {
      const end = /\x07|\x1b\\|\x18/.exec(all.slice(at + 2, at + 2 + 100_000));
      if (end === null) return all.length - at > 100_000 ? all.length : -1;
      return at + 2 + end.index + end[0].length;
    }
    if ('()*+#%'.includes(kind)) {
      const set = all[at + 2];
      if (set === undefined) return -1;
      if (kind === '(') this.drawsLines = set === '0';
      return at + 3;
    }
    this.escape(kind);
    return at + 2;
  }

  private escape(kind: string): void {
    const { grid } = this;
    if (kind === '7') this.saved = { x: grid.x, y: grid.y, drawsLines: this.drawsLines };
    else if (kind === '8') this.restoreCursor();
    else if (kind === 'D') grid.lineFeed();
    else if (kind === 'E') {
      grid.moveTo(0, grid.y);
      grid.lineFeed();
    } else if (kind === 'M') grid.reverseLineFeed();
    else if (kind === 'c') this.reset();
  }

  private restoreCursor(): void {
    const { x, y, drawsLines } = this.saved;
    this.grid.moveTo(x, y);
    this.drawsLines = drawsLines;
  }

  private reset(): void {
    this.main = new ScreenGrid(this.columns, this.rows);
    this.alternate = null;
    this.saved = { x: 0, y: 0, drawsLines: false };
    this.isInserting = false;
    this.drawsLines = false;
    this.wrapsAround = true;
  }

  /** A control sequence: parameters, intermediates, a final letter. Control characters inside are carried out. */
  private csi(all: string, start: number): number {
    let at = start;
    let body = '';
    for (; at < all.length; at++) {
      const code = all.charCodeAt(at);
      if (code >= 0x40 && code <= 0x7e) {
        this.finishCsi(body, all[at] as string);
        return at + 1;
      }
      if (code === 0x1b) return at;
      if (code < 32) this.control(code);
      else if (code < 0x40) body += all[at];
      else return at + 1;
      if (body.length > 256) return at + 1;
    }
    return -1;
  }

  private finishCsi(body: string, final: string): void {
    if (/^[<=>]/.test(body) || / |!|"|\$|'/.test(body)) return;
    const isPrivate = body.startsWith('?');
    const numbers = body
      .replace('?', '')
      .split(/[;:]/)
      .map((part) => Number.parseInt(part, 10) || 0);
    if (isPrivate) {
      if (final === 'h' || final === 'l') for (const mode of numbers) this.privateMode(mode, final === 'h');
      return;
    }
    if (!this.moveCursor(final, numbers)) this.edit(final, numbers);
  }

  private moveCursor(final: string, numbers: readonly number[]): boolean {
    const { grid } = this;
    const count = Math.max(1, numbers[0] ?? 0);
    const second = Math.max(1, numbers[1] ?? 0);
    if (final === 'A') grid.moveTo(grid.x, Math.max(grid.y - count, grid.y >= grid.top ? grid.top : 0));
    else if (final === 'B' || final === 'e') {
      grid.moveTo(grid.x, Math.min(grid.y + count, grid.y <= grid.bottom ? grid.bottom : this.rows - 1));
    } else if (final === 'C' || final === 'a') grid.moveTo(grid.x + count, grid.y);
    else if (final === 'D') grid.moveTo(grid.x - count, grid.y);
    else if (final === 'E' || final === 'F') {
      this.moveCursor(final === 'E' ? 'B' : 'A', numbers);
      grid.moveTo(0, grid.y);
    } else if (final === 'G' || final === '`') grid.moveTo(count - 1, grid.y);
    else if (final === 'H' || final === 'f') grid.moveTo(second - 1, count - 1);
    else if (final === 'd') grid.moveTo(grid.x, count - 1);
    else if (final === 'I') grid.moveTo((Math.floor(grid.x / 8) + count) * 8, grid.y);
    else if (final === 'Z') grid.moveTo(Math.max(0, (Math.ceil(grid.x / 8) - count) * 8), grid.y);
    else if (final === 's') this.escape('7');
    else if (final === 'u') this.restoreCursor();
    else return false;
    return true;
  }

  private edit(final: string, numbers: readonly number[]): void {
    const { grid } = this;
    const first = numbers[0] ?? 0;
    const count = Math.max(1, first);
    if (final === 'J') this.eraseDisplay(first);
    else if (final === 'K') {
      grid.erase(grid.y, first === 0 ? grid.x : 0, first === 1 ? grid.x + 1 : this.columns);
      grid.wraps = false;
    } else if (final === 'L' || final === 'M') {
      if (grid.y < grid.top || grid.y > grid.bottom) return;
      if (final === 'L') grid.scrollDown(grid.y, count);
      else grid.scrollUp(grid.y, count);
      grid.moveTo(0, grid.y);
    } else if (final === '@') grid.insertCells(count);
    else if (final === 'P') grid.deleteCells(count);
    else if (final === 'X') grid.erase(grid.y, grid.x, grid.x + count);
    else if (final === 'S') grid.scrollUp(grid.top, count);
    else if (final === 'T') grid.scrollDown(grid.top, count);
    else if (final === 'r') this.setRegion(first, numbers[1] ?? 0);
    else if (final === 'h' || final === 'l') {
      if (first === 4) this.isInserting = final === 'h';
    } else if (final === 'n') this.report(first);
    else if (final === 'c' && first === 0) this.replies.push('\x1b[?1;2c');
  }

  private report(what: number): void {
    const { x, y } = this.cursor();
    if (what === 5) this.replies.push('\x1b[0n');
    else if (what === 6) this.replies.push(`\x1b[${y + 1};${x + 1}R`);
  }

  private eraseDisplay(what: number): void {
    const { grid } = this;
    if (what === 0) {
      grid.erase(grid.y, grid.x, this.columns);
      grid.eraseRows(grid.y + 1, this.rows);
    } else if (what === 1) {
      grid.eraseRows(0, grid.y);
      grid.erase(grid.y, 0, grid.x + 1);
    } else if (what === 2) grid.eraseRows(0, this.rows);
    grid.wraps = false;
  }

  private setRegion(top: number, bottom: number): void {
    const { grid } = this;
    const first = Math.max(1, top) - 1;
    const last = bottom === 0 ? this.rows - 1 : Math.min(bottom, this.rows) - 1;
    if (first >= last) return;
    grid.top = first;
    grid.bottom = last;
    grid.moveTo(0, 0);
  }

  private privateMode(mode: number, isOn: boolean): void {
    if (mode === 7) this.wrapsAround = isOn;
    else if (mode === 1048) this.escape(isOn ? '7' : '8');
    else if (mode === 47 || mode === 1047 || mode === 1049) this.switchGrid(mode, isOn);
  }

  private switchGrid(mode: number, isOn: boolean): void {
    if (isOn && this.alternate === null) {
      if (mode === 1049) this.escape('7');
      this.mainSaved = this.saved;
      this.saved = { x: 0, y: 0, drawsLines: false };
      const alternate = new ScreenGrid(this.columns, this.rows);
      alternate.copyCursor(this.main);
      this.alternate = alternate;
    } else if (!isOn && this.alternate !== null) {
      this.main.copyCursor(this.alternate);
      this.alternate = null;
      this.saved = this.mainSaved;
      if (mode === 1049) this.escape('8');
    }
  }
}
