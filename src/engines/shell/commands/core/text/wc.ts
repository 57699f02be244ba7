/**
 * `wc` of coreutils 9.1: lines, words, characters, bytes and the longest line, in constant memory.
 *
 * Source: wc(1). The width of the columns follows the sizes of the files, as in the original.
 */
import { type Running, toText } from '../../../kernel/index.js';
import { displayWidth } from '../../program/display-width.js';
import { latin1 } from '../../program/latin1.js';
import { defineOptions } from '../../program/options.js';
import { defineTool, systemError, type Tool } from '../../program/tool.js';

const OPTIONS = defineOptions('c,bytes m,chars l,lines w,words L,max-line-length files0-from: -debug');

interface Counts {
  lines: number;
  words: number;
  chars: number;
  bytes: number;
  longest: number;
}

interface Columns {
  readonly keys: readonly (keyof Counts)[];
  width: number;
}

const ORDER = [
  ['l', 'lines'],
  ['w', 'words'],
  ['m', 'chars'],
  ['c', 'bytes'],
  ['L', 'longest'],
] as const;

/** Counts a stream piece by piece. */
class Counter {
  readonly counts: Counts = { lines: 0, words: 0, chars: 0, bytes: 0, longest: 0 };
  private inWord = false;
  private column = 0;

  constructor(
    private readonly isUtf8: boolean,
    private readonly columns: Columns,
  ) {}

  add(bytes: Uint8Array): void {
    const { counts } = this;
    counts.bytes += bytes.length;
    for (let at = bytes.indexOf(10); at >= 0; at = bytes.indexOf(10, at + 1)) counts.lines += 1;
    if (this.columns.keys.includes('words')) this.addWords(bytes);
    if (this.columns.keys.includes('chars')) this.addChars(bytes);
    if (this.columns.keys.includes('longest')) this.addWidths(this.isUtf8 ? toText(bytes) : latin1(bytes));
  }

  finish(): Counts {
    this.counts.longest = Math.max(this.counts.longest, this.column);
    return this.counts;
  }

  private addWords(bytes: Uint8Array): void {
    for (const byte of bytes) {
      const isSpace = byte === 32 || (byte >= 9 && byte <= 13);
      if (isSpace) this.inWord = false;
      else if ((byte > 32 && byte < 127) || (byte >= 128 && this.isUtf8)) {
        if (!this.inWord) this.counts.words += 1;
        this.inWord = true;
      }
    }
  }

  private addChars(bytes: Uint8Array): void {
    if (!this.isUtf8) this.counts.chars += bytes.length;
    else for (const byte of bytes) if (byte < 0x80 || (byte >= 0xc2 && byte < 0xf5)) this.counts.chars += 1;
  }

  private addWidths(text: string): void {
    for (const character of text) {
      if (character === '\n' || character === '\r' || character === '\f') {
        this.counts.longest = Math.max(this.counts.longest, this.column);
        this.column = 0;
      } else if (character === '\t') this.column += 8 - (this.column % 8);
      else this.column += Math.max(0, displayWidth(character));
    }
  }
}

function show(tool: Tool, counts: Counts, columns: Columns, name: string | null): void {
  const numbers = columns.keys.map((key) => String(counts[key]).padStart(columns.width)).join(' ');
  const shown = name === null ? '' : ` ${name.includes('\n') ? tool.path(name) : name}`;
  tool.out(`${numbers}${shown}\n`);
}

/** The width that the numbers get: of the sizes of the files that are known, 7 where one is no plain file. */
function columnWidth(tool: Tool, names: readonly string[], columns: Columns): number {
  if (names.length <= 1 && columns.keys.length === 1) return 1;
  let width = 1;
  let total = 0;
  for (const name of names) {
    try {
      const inode = name === '-' ? tool.proc.fstat(0) : tool.proc.stat(name);
      if (inode.kind === 'file') total += inode.content?.size ?? 0;
      else width = 7;
    } catch (error) {
      systemError(error);
    }
  }
  return Math.max(width, String(total).length);
}

function* listedNames(tool: Tool, from: string): Running<string[]> {
  if (tool.operands[0] !== undefined) {
    tool.warn(`extra operand ${tool.named(tool.operands[0])}`);
    tool.io.err('file operands cannot be combined with --files0-from\n');
    tool.usage();
  }
  let text: string;
  try {
    text = from === '-' ? toText(yield* tool.proc.readAll(0)) : yield* tool.proc.readText(from);
  } catch (error) {
    return tool.die(`cannot open ${tool.named(from)} for reading: ${systemError(error).text}`);
  }
  return text === '' ? [] : text.replace(/\0$/, '').split('\0');
}

/** The command. */
export const wc = defineTool('wc', function* (tool) {
  const asked = new Set<string>();
  let from: string | undefined;
  for (const { key, value } of tool.options(OPTIONS)) {
    if (key === 'files0-from') from = value;
    else asked.add(key);
  }
  if (asked.size === 0) for (const key of ['l', 'w', 'c']) asked.add(key);
  const columns: Columns = {
    keys: ORDER.filter(([key]) => asked.has(key)).map(([, name]) => name),
    width: 1,
  };
  const isBare = tool.operands.length === 0 && from === undefined;
  const names = from !== undefined ? yield* listedNames(tool, from) : isBare ? ['-'] : tool.operands;
  columns.width = from === undefined || from !== '-' ? columnWidth(tool, names, columns) : 1;
  const total: Counts = { lines: 0, words: 0, chars: 0, bytes: 0, longest: 0 };
  for (const name of names) {
    if (name === '') {
      tool.fail('invalid zero-length file name');
      continue;
    }
    const fd = yield* tool.input(name);
    if (fd === null) continue;
    const counter = new Counter(tool.isUtf8, columns);
    try {
      for (;;) {
        const piece = yield* tool.io.read(tool.proc, fd);
        if (piece.length === 0) break;
        counter.add(piece);
        tool.proc.tick(piece.length >> 8);
      }
    } catch (error) {
      tool.failed(error, name);
    }
    tool.close(fd);
    const counts = counter.finish();
    show(tool, counts, columns, isBare ? null : name);
    for (const key of ['lines', 'words', 'chars', 'bytes'] as const) total[key] += counts[key];
    total.longest = Math.max(total.longest, counts.longest);
  }
  if (names.length > 1) show(tool, total, columns, 'total');
});
