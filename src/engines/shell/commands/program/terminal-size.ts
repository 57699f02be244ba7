/**
 * How large the terminal is: what a descriptor's terminal says, else `COLUMNS` and `LINES`, else 80 x 24.
 */
import type { Tool } from './tool.js';

/** Rows and columns. */
export interface TerminalSize {
  readonly rows: number;
  readonly columns: number;
}

/** The size of the terminal on standard output or error, if there is one. */
export function ownTerminalSize(tool: Tool): TerminalSize | undefined {
  for (const fd of [1, 2, 0]) {
    if (!tool.proc.isatty(fd)) continue;
    const file: object = tool.proc.file(fd);
    const terminal: unknown = 'terminal' in file ? file.terminal : file;
    if (typeof terminal === 'object' && terminal !== null && 'rows' in terminal && 'columns' in terminal)
      return { rows: Number(terminal.rows), columns: Number(terminal.columns) };
  }
  return undefined;
}

/** The size that programs go by. */
export function terminalSize(tool: Tool): TerminalSize {
  const own = ownTerminalSize(tool);
  const columns = Number(tool.env('COLUMNS') ?? 0) || own?.columns || 80;
  const rows = Number(tool.env('LINES') ?? 0) || own?.rows || 24;
  return { rows, columns };
}
