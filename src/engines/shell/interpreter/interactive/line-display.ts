/**
 * How a line that is being edited is shown: prompt and text over as many rows as they need, with the cursor in its place.
 *
 * The idea: what is shown is always drawn anew from the first row, except that a character typed at the end is only
 * written. Widths count East Asian wide characters as two, tabs up to the next column of eight. Control sequences are
 * those of VT100.
 */

/** The text of a prompt as it is written, and how much room its last row takes. */
export interface PromptShape {
  readonly text: string;
  readonly width: number;
}

function isWide(code: number): boolean {
  return (
    (code >= 0x1100 && code <= 0x115f) ||
    (code >= 0x2e80 && code <= 0xa4cf) ||
    (code >= 0xac00 && code <= 0xd7a3) ||
    (code >= 0xf900 && code <= 0xfaff) ||
    (code >= 0xfe30 && code <= 0xfe6f) ||
    (code >= 0xff00 && code <= 0xff60) ||
    (code >= 0x1f300 && code <= 0x1faff) ||
    (code >= 0x20000 && code <= 0x3fffd)
  );
}

const TAB = 8;

/** A text from a column on: control characters as `^X`, tabs as spaces; and the column behind it. */
function lay(text: string, from: number): { readonly shown: string; readonly end: number } {
  let shown = '';
  let end = from;
  for (const char of text) {
    const code = char.codePointAt(0) ?? 0;
    if (char === '\t') {
      const next = end - (end % TAB) + TAB;
      shown += ' '.repeat(next - end);
      end = next;
    } else if (code < 0x20 || code === 0x7f) {
      shown += `^${String.fromCharCode(code ^ 64)}`;
      end += 2;
    } else {
      shown += char;
      if (!/\p{Mn}/u.test(char)) end += isWide(code) ? 2 : 1;
    }
  }
  return { shown, end };
}

/** Takes the marks of parts without width (`\[ … \]`) out of a prompt. */
export function shapeOfPrompt(prompt: string): PromptShape {
  const last = prompt.slice(prompt.lastIndexOf('\n') + 1);
  const visible = last.replace(/\x01[^\x02]*\x02?/g, '').replace(/\x1b\[[0-9;?]*[A-Za-z]/g, '');
  return { text: prompt.replace(/[\x01\x02]/g, ''), width: lay(visible, 0).end };
}

/** One edited line on the screen. */
export class LineDisplay {
  /** The row of the cursor, counted from the row where the prompt's last line is. */
  private row = 0;

  constructor(private readonly columns: number) {}

  private place(width: number): { row: number; column: number } {
    return { row: Math.floor(width / this.columns), column: width % this.columns };
  }

  /** Writes text that was added at the end of the line. */
  append(prompt: PromptShape, text: string, added: string): string {
    const before = lay(text.slice(0, text.length - added.length), prompt.width).end;
    const { shown, end } = lay(added, before);
    const { row, column } = this.place(end);
    this.row = row;
    // At the right edge the cursor goes to the next row at once.
    return shown + (column === 0 && added !== '' ? ' \r' : '');
  }

  /** Draws everything; the cursor stands behind `cursor` characters. */
  draw(prompt: PromptShape, text: string, cursor: number): string {
    let out = this.row > 0 ? `\x1b[${this.row}A` : '';
    const lastLine = prompt.text.slice(prompt.text.lastIndexOf('\n') + 1);
    const laid = lay(text, prompt.width);
    out += `\r${lastLine}${laid.shown}`;
    const end = this.place(laid.end);
    if (end.column === 0 && text !== '') out += ' \r';
    out += '\x1b[J';
    const target = this.place(lay(text.slice(0, cursor), prompt.width).end);
    if (end.row > target.row) out += `\x1b[${end.row - target.row}A`;
    out += '\r';
    if (target.column > 0) out += `\x1b[${target.column}C`;
    this.row = target.row;
    return out;
  }

  /** Goes to the row below the line; where the cursor is alone on a row below a full one, that is this row. */
  finish(prompt: PromptShape, text: string, cursor: number): string {
    const end = this.place(lay(text, prompt.width).end);
    const down = end.row - this.row;
    this.row = 0;
    if (end.column === 0 && text !== '' && cursor === text.length) return '\r';
    return `${down > 0 ? `\x1b[${down}B` : ''}\n`;
  }

  /** Starts on a fresh row: a new prompt has been written. */
  reset(): void {
    this.row = 0;
  }
}
