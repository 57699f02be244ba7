/**
 * How a line that is being edited is shown: prompt and text over as many rows as they need, with the cursor in its place.
 *
 * The idea: what is shown is always drawn anew from the first row, except that a character typed at the end is only
 * written. Widths count East Asian wide characters as two. Control sequences are those of VT100.
 */

/** The text of a prompt as it is written, and how much room its last row takes. */
export interface PromptShape {
  readonly text: string;
  readonly width: number;
}

/** Columns that a text takes. */
function widthOf(text: string): number {
  let width = 0;
  for (const char of text) {
    const code = char.codePointAt(0) ?? 0;
    if (code < 0x20 || code === 0x7f) width += 2;
    else if (/\p{Mn}/u.test(char)) continue;
    else width += isWide(code) ? 2 : 1;
  }
  return width;
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

/** Takes the marks of parts without width (`\[ … \]`) out of a prompt. */
export function shapeOfPrompt(prompt: string): PromptShape {
  const last = prompt.slice(prompt.lastIndexOf('\n') + 1);
  const visible = last.replace(/\x01[^\x02]*\x02?/g, '').replace(/\x1b\[[0-9;?]*[A-Za-z]/g, '');
  return { text: prompt.replace(/[\x01\x02]/g, ''), width: widthOf(visible) };
}

/** Text with control characters as `^X`. */
function shown(text: string): string {
  return text.replace(/[\x00-\x1f\x7f]/g, (char) => `^${String.fromCharCode(char.charCodeAt(0) ^ 64)}`);
}

/** One edited line on the screen. */
export class LineDisplay {
  /** The row of the cursor, counted from the row where the prompt's last line is. */
  private row = 0;

  constructor(private readonly columns: number) {}

  private place(width: number): { row: number; column: number } {
    return { row: Math.floor(width / this.columns), column: width % this.columns };
  }

  /** Writes a character at the end of the line. */
  append(prompt: PromptShape, text: string, added: string): string {
    const total = prompt.width + widthOf(text);
    const { row, column } = this.place(total);
    this.row = row;
    // At the right edge the cursor goes to the next row at once.
    return shown(added) + (column === 0 && added !== '' ? ' \r' : '');
  }

  /** Draws everything; the cursor stands behind `cursor` characters. */
  draw(prompt: PromptShape, text: string, cursor: number): string {
    let out = this.row > 0 ? `\x1b[${this.row}A` : '';
    const lastLine = prompt.text.slice(prompt.text.lastIndexOf('\n') + 1);
    out += `\r${lastLine}${shown(text)}`;
    const end = this.place(prompt.width + widthOf(text));
    if (end.column === 0 && text !== '') out += ' \r';
    out += '\x1b[J';
    const target = this.place(prompt.width + widthOf(text.slice(0, cursor)));
    if (end.row > target.row) out += `\x1b[${end.row - target.row}A`;
    out += '\r';
    if (target.column > 0) out += `\x1b[${target.column}C`;
    this.row = target.row;
    return out;
  }

  /** Goes to the row below the line. */
  finish(prompt: PromptShape, text: string): string {
    const end = this.place(prompt.width + widthOf(text));
    const down = end.row - this.row;
    this.row = 0;
    return `${down > 0 ? `\x1b[${down}B` : ''}\n`;
  }

  /** Starts on a fresh row: a new prompt has been written. */
  reset(): void {
    this.row = 0;
  }
}
