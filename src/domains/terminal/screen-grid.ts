/**
 * The cells of a screen: rows that are shared until they change, a cursor, a scroll region, an alternate grid.
 *
 * Only text is kept, no colours. Not covered: scrollback (the observation is the visible screen), right-to-left text.
 */

/** One row: a string per column; the second column of a wide character is the empty string. */
interface Row {
  readonly cells: string[];
  /** Which grid may change it in place. */
  readonly owner: number;
  /** Its text, once somebody asked and until it changes. */
  text?: string | undefined;
}

let owners = 0;
/** Blank rows by width; nobody owns them, so they are copied before they change. */
const BLANKS = new Map<number, Row>();

/** A grid of cells with a cursor. Columns and rows count from 0. */
export class ScreenGrid {
  x = 0;
  y = 0;
  /** The cursor stands behind the last column and wraps before the next character. */
  wraps = false;
  top = 0;
  bottom: number;
  private owner = ++owners;
  private list: Row[];

  constructor(
    readonly columns: number,
    readonly rows: number,
  ) {
    this.bottom = rows - 1;
    const blank = this.blank();
    this.list = Array.from({ length: rows }, () => blank);
  }

  /** An equal grid that changes apart from this one. */
  fork(): ScreenGrid {
    const copy = new ScreenGrid(this.columns, this.rows);
    copy.list = this.list.slice();
    this.owner = ++owners;
    copy.copyCursor(this);
    copy.top = this.top;
    copy.bottom = this.bottom;
    return copy;
  }

  /** Puts the cursor where another grid's is. */
  copyCursor(other: ScreenGrid): void {
    this.x = other.x;
    this.y = other.y;
    this.wraps = other.wraps;
  }

  /** The rows as texts without trailing spaces. */
  lines(): string[] {
    return this.list.map((row) => {
      row.text ??= row.cells.join('').trimEnd();
      return row.text;
    });
  }

  /** The rows with all their cells, for a snapshot. */
  dump(): string[] {
    return this.list.map(({ cells }) => JSON.stringify(cells.join('').trimEnd() === '' ? [] : cells));
  }

  /** Takes rows from {@link dump}. */
  load(rows: readonly string[]): void {
    this.list = rows.map((row) => {
      const cells = JSON.parse(row) as string[];
      return cells.length === 0 ? this.blank() : { cells, owner: this.owner };
    });
  }

  /** Puts a character at the cursor and moves on; inserted, it pushes the rest of the row to the right. */
  put(character: string, width: 1 | 2, isInserted = false): void {
    if (this.wraps || (width === 2 && this.x === this.columns - 1)) {
      this.x = 0;
      this.lineFeed();
    }
    this.wraps = false;
    if (isInserted) this.insertCells(width);
    const row = this.own(this.y);
    this.breakWide(row, this.x);
    row[this.x] = character;
    if (width === 2) {
      this.breakWide(row, this.x + 1);
      row[this.x + 1] = '';
    }
    this.x += width;
    if (this.x >= this.columns) {
      this.x = this.columns - 1;
      this.wraps = true;
    }
  }

  /** Adds a mark to the character before the cursor. */
  combine(mark: string): void {
    const at = this.wraps ? this.x : this.x - 1;
    if (at < 0) return;
    const row = this.own(this.y);
    const cell = row[at] === '' ? at - 1 : at;
    if (row[cell] !== undefined) row[cell] += mark;
  }

  /** Moves down one line, scrolling at the end of the region. */
  lineFeed(): void {
    if (this.y === this.bottom) this.scrollUp(this.top, 1);
    else if (this.y < this.rows - 1) this.y += 1;
  }

  /** Moves up one line, scrolling at the start of the region. */
  reverseLineFeed(): void {
    if (this.y === this.top) this.scrollDown(this.top, 1);
    else if (this.y > 0) this.y -= 1;
  }

  /** Takes `count` rows out at `from`; blank ones come in at the bottom of the region. */
  scrollUp(from: number, count: number): void {
    const rows = Math.min(count, this.bottom - from + 1);
    if (rows <= 0) return;
    const blank = this.blank();
    if (rows === 1 && from === 0 && this.bottom === this.rows - 1) {
      this.list.shift();
      this.list.push(blank);
      return;
    }
    this.list.splice(from, rows);
    this.list.splice(this.bottom - rows + 1, 0, ...Array.from({ length: rows }, () => blank));
  }

  /** Puts `count` blank rows in at `from`; rows at the bottom of the region go. */
  scrollDown(from: number, count: number): void {
    const rows = Math.min(count, this.bottom - from + 1);
    if (rows <= 0) return;
    this.list.splice(this.bottom - rows + 1, rows);
    const blank = this.blank();
    this.list.splice(from, 0, ...Array.from({ length: rows }, () => blank));
  }

  /** Blanks columns from `start` up to before `end` of a row. */
  erase(y: number, start: number, end: number): void {
    if (start <= 0 && end >= this.columns) {
      this.list[y] = this.blank();
      return;
    }
    const row = this.own(y);
    this.breakWide(row, start);
    if (end < this.columns) this.breakWide(row, end);
    row.fill(' ', Math.max(0, start), Math.min(end, this.columns));
  }

  /** Blanks whole rows. */
  eraseRows(start: number, end: number): void {
    for (let y = start; y < end; y++) this.list[y] = this.blank();
  }

  /** Moves the rest of the row right by blanks. */
  insertCells(count: number): void {
    const row = this.own(this.y);
    if (row[this.x] === '') this.breakWide(row, this.x);
    row.splice(this.x, 0, ...new Array<string>(Math.min(count, this.columns)).fill(' '));
    row.length = this.columns;
  }

  /** Takes cells out at the cursor; blanks come in at the end of the row. */
  deleteCells(count: number): void {
    const row = this.own(this.y);
    const cells = Math.min(count, this.columns - this.x);
    this.breakWide(row, this.x);
    row.splice(this.x, cells);
    while (row.length < this.columns) row.push(' ');
  }

  /** Moves the cursor, inside the screen. */
  moveTo(x: number, y: number): void {
    this.x = Math.max(0, Math.min(this.columns - 1, x));
    this.y = Math.max(0, Math.min(this.rows - 1, y));
    this.wraps = false;
  }

  private blank(): Row {
    let row = BLANKS.get(this.columns);
    if (row === undefined) {
      row = { cells: new Array<string>(this.columns).fill(' '), owner: 0 };
      BLANKS.set(this.columns, row);
    }
    return row;
  }

  /** A wide character of which one half is overwritten becomes blank. */
  private breakWide(row: string[], x: number): void {
    if (row[x] === '' && x > 0) row[x - 1] = ' ';
    if (row[x] === '') row[x] = ' ';
    else if (row[x + 1] === '') row[x + 1] = ' ';
  }

  private own(y: number): string[] {
    const row = this.list[y] as Row;
    if (row.owner === this.owner) {
      row.text = undefined;
      return row.cells;
    }
    const cells = row.cells.slice();
    this.list[y] = { cells, owner: this.owner };
    return cells;
  }
}
