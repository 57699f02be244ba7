/**
 * `fold` of coreutils 9.1: wraps lines; columns are bytes, as there.
 *
 * Source: fold(1); the old form `-20` too.
 */
import { defineOptions } from '../../program/options.js';
import { readSize } from '../../program/size.js';
import { defineTool, systemError } from '../../program/tool.js';

const OPTIONS = defineOptions('b,bytes s,spaces w,width: 0:: 1:: 2:: 3:: 4:: 5:: 6:: 7:: 8:: 9::');

function advance(column: number, character: string, countsBytes: boolean): number {
  if (countsBytes) return column + 1;
  if (character === '\b') return Math.max(0, column - 1);
  if (character === '\r') return 0;
  if (character === '\t') return column + 8 - (column % 8);
  return column + 1;
}

/** Wraps one line; the result has newlines inside. */
function foldLine(text: string, how: { width: number; bytes: boolean; spaces: boolean }): string {
  if (text.length <= how.width && !/[\t\b\r]/.test(text)) return text;
  let out = '';
  let line = '';
  let column = 0;
  for (const character of text) {
    let next = advance(column, character, how.bytes);
    while (next > how.width && line !== '') {
      const blank = how.spaces ? Math.max(line.lastIndexOf(' '), line.lastIndexOf('\t')) : -1;
      const cut = blank >= 0 ? blank + 1 : line.length;
      out += `${line.slice(0, cut)}\n`;
      line = line.slice(cut);
      column = 0;
      for (const kept of line) column = advance(column, kept, how.bytes);
      next = advance(column, character, how.bytes);
    }
    line += character;
    column = next;
  }
  return out + line;
}

/** The command. */
export const fold = defineTool('fold', function* (tool) {
  const how = { width: 80, bytes: false, spaces: false };
  for (const { key, value } of tool.options(OPTIONS)) {
    if (key === 'b') how.bytes = true;
    if (key === 's') how.spaces = true;
    if (key !== 'w' && !/\d/.test(key)) continue;
    const text = key === 'w' ? (value ?? '') : key + (value ?? '');
    const width = readSize(text, '');
    if (typeof width !== 'number') tool.die(`invalid number of columns: ${tool.quote(text)}`);
    if (width === 0)
      tool.die(`invalid number of columns: ${tool.quote(text)}: Numerical result out of range`);
    how.width = Number(width);
  }
  for (const name of tool.operands.length > 0 ? tool.operands : ['-']) {
    const fd = yield* tool.input(name);
    if (fd === null) continue;
    const lines = tool.lines(fd);
    try {
      for (;;) {
        const text = yield* lines.next();
        if (text === null) break;
        tool.raw(foldLine(text, how) + (lines.endedWithSeparator ? '\n' : ''));
        tool.proc.tick(text.length >> 8);
      }
    } catch (error) {
      if (systemError(error).code !== 'EISDIR') throw error;
      tool.failed(error, name);
    }
    tool.close(fd);
  }
});
