/**
 * `cat` of coreutils 9.1. Without options bytes go through as they come; with options every line is shown.
 *
 * Source: cat(1).
 */
import { joinBytes, type Running } from '../../../kernel/index.js';
import { bytesOf, latin1 } from '../../program/latin1.js';
import { defineOptions } from '../../program/options.js';
import { defineTool, systemError, type Tool } from '../../program/tool.js';

const OPTIONS = defineOptions(
  'b,number-nonblank n,number s,squeeze-blank v,show-nonprinting E,show-ends T,show-tabs A,show-all e t u',
);

interface Shown {
  numbers: 'none' | 'all' | 'nonblank';
  squeeze: boolean;
  controls: boolean;
  ends: boolean;
  tabs: boolean;
}

/** A byte as `-v` shows it. */
function visible(byte: number): string {
  if (byte >= 128) return `M-${visible(byte - 128)}`;
  if (byte === 127) return '^?';
  return byte < 32 ? `^${String.fromCharCode(byte + 64)}` : String.fromCharCode(byte);
}

/** Shows pieces of input; keeps the line number, and whether a line is open, between pieces and files. */
class Display {
  private line = 0;
  private blankLines = 0;
  private isAtStart = true;
  private pendingReturn = false;

  constructor(private readonly shown: Shown) {}

  show(text: string): string {
    let out = '';
    let from = 0;
    while (from < text.length) {
      const end = text.indexOf('\n', from);
      const part = text.slice(from, end < 0 ? text.length : end);
      out += this.part(part, end >= 0);
      from += part.length + 1;
    }
    return out;
  }

  /** What a last carriage return still owes at the end of everything. */
  end(): string {
    const owed = this.pendingReturn ? '\r' : '';
    this.pendingReturn = false;
    return owed;
  }

  private part(text: string, isWhole: boolean): string {
    const { shown } = this;
    const isEmpty = this.isAtStart && text === '' && !this.pendingReturn;
    if (isEmpty) {
      this.blankLines += 1;
      if (shown.squeeze && this.blankLines > 1) return '';
    } else this.blankLines = 0;
    let out = '';
    if (this.isAtStart && (shown.numbers === 'all' || (shown.numbers === 'nonblank' && !isEmpty))) {
      this.line += 1;
      out += `${String(this.line).padStart(6)}\t`;
    }
    out += this.letters(text, isWhole);
    if (isWhole) out += shown.ends ? '$\n' : '\n';
    this.isAtStart = isWhole;
    return out;
  }

  private letters(text: string, isWhole: boolean): string {
    const { shown } = this;
    let body = this.pendingReturn ? `\r${text}` : text;
    this.pendingReturn = false;
    if (shown.controls) {
      body = body.replace(/[^\x20-\x7e]/g, (byte) => (byte === '\t' ? byte : visible(byte.charCodeAt(0))));
    } else if (shown.ends && body.endsWith('\r')) {
      this.pendingReturn = !isWhole;
      body = body.slice(0, -1) + (isWhole ? '^M' : '');
    }
    return shown.tabs ? body.replaceAll('\t', '^I') : body;
  }
}

function* copy(tool: Tool, fd: number, display: Display | null): Running<void> {
  const { proc } = tool;
  for (;;) {
    const bytes = yield* tool.io.read(proc, fd);
    if (bytes.length === 0) return;
    yield* proc.write(1, display === null ? bytes : bytesOf(display.show(latin1(bytes))));
  }
}

/** True where reading the file would never end because it is also written to. */
function isOutput(tool: Tool, fd: number): boolean {
  const { proc } = tool;
  const [input, output] = [proc.fstat(fd), proc.fstat(1)];
  if (output.kind !== 'file' || input.ino !== output.ino) return false;
  const { append } = proc.file(1).mode;
  return append === true || proc.seek(fd, 0, 'current') < (input.content?.size ?? 0);
}

/** The command. */
export const cat = defineTool('cat', function* (tool) {
  const shown: Shown = { numbers: 'none', squeeze: false, controls: false, ends: false, tabs: false };
  for (const { key } of tool.options(OPTIONS)) {
    if (key === 'b') shown.numbers = 'nonblank';
    if (key === 'n' && shown.numbers === 'none') shown.numbers = 'all';
    if (key === 's') shown.squeeze = true;
    if ('veAt'.includes(key)) shown.controls = true;
    if ('EeA'.includes(key)) shown.ends = true;
    if ('TtA'.includes(key)) shown.tabs = true;
  }
  const isPlain = shown.numbers === 'none' && !shown.squeeze && !shown.controls && !shown.ends && !shown.tabs;
  const display = isPlain ? null : new Display(shown);
  for (const name of tool.operands.length > 0 ? tool.operands : ['-']) {
    const fd = yield* tool.input(name);
    if (fd === null) continue;
    try {
      if (isOutput(tool, fd)) tool.fail(`${tool.path(name)}: input file is output file`);
      else yield* copy(tool, fd, display);
    } catch (error) {
      if (systemError(error).code === 'EPIPE') throw error;
      if (systemError(error).code === 'ENOSPC') tool.die(`write error: ${systemError(error).text}`);
      tool.failed(error, name);
    }
    tool.close(fd);
  }
  const owed = display?.end() ?? '';
  if (owed !== '') yield* tool.proc.write(1, joinBytes([bytesOf(owed)]));
});
