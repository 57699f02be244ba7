/**
 * `head` of coreutils 9.1.
 *
 * Source: head(1); the old form `-5`, with the letters b c k l m q v after it, too.
 */
import type { Running } from '../../../kernel/index.js';
import { defineOptions } from '../../program/options.js';
import { readSize } from '../../program/size.js';
import { defineTool, systemError, type Tool } from '../../program/tool.js';

const OPTIONS = defineOptions(
  'c,bytes: n,lines: q,quiet,silent v,verbose z,zero-terminated -presume-input-pipe',
);
const SUFFIXES = 'bkKmMGTPEZY0';
const NEWLINE = 10;

interface Request {
  count: number;
  isBytes: boolean;
  isFromEnd: boolean;
  separator: number;
}

/** Reads the number of `-n` or `-c`; a minus leaves the end out. */
function readCount(tool: Tool, text: string, request: Request): void {
  const what = request.isBytes ? 'bytes' : 'lines';
  request.isFromEnd = text.startsWith('-');
  const digits = text.replace(/^-/, '');
  const count = readSize(digits, SUFFIXES);
  if (count === 'overflow')
    tool.die(`invalid number of ${what}: ${tool.quote(digits)}: Value too large for defined data type`);
  if (count === 'invalid') tool.die(`invalid number of ${what}: ${tool.quote(digits)}`);
  request.count = count;
}

function* firstBytes(tool: Tool, fd: number, count: number): Running<void> {
  let left = count;
  while (left > 0) {
    const piece = yield* tool.io.read(tool.proc, fd, Math.min(left, 8192));
    if (piece.length === 0) return;
    tool.io.out(piece);
    left -= piece.length;
  }
}

function* firstLines(tool: Tool, fd: number, request: Request): Running<void> {
  let left = request.count;
  while (left > 0) {
    const piece = yield* tool.io.read(tool.proc, fd, 8192);
    if (piece.length === 0) return;
    let at = 0;
    while (left > 0) {
      const end = piece.indexOf(request.separator, at);
      if (end < 0) break;
      at = end + 1;
      left -= 1;
    }
    if (left > 0) {
      tool.io.out(piece);
      continue;
    }
    tool.io.out(piece.subarray(0, at));
    if (tool.proc.fstat(fd).kind === 'file') tool.proc.seek(fd, at - piece.length, 'current');
  }
}

/** Everything but the end: what is kept back is never more than the end itself. */
function* allButEnd(tool: Tool, fd: number, request: Request): Running<void> {
  const bytes = yield* tool.proc.readAll(fd);
  let end = bytes.length;
  if (request.isBytes) end = Math.max(0, end - request.count);
  else {
    let left = request.count;
    if (left > 0 && end > 0 && bytes[end - 1] !== request.separator) left -= 1;
    if (left > 0 || bytes[end - 1] === request.separator) {
      let at = end;
      for (; left >= 0 && at >= 0; left--) at = bytes.lastIndexOf(request.separator, at - 1);
      end = at < 0 ? 0 : at + 1;
    } else if (request.count > 0) end = bytes.lastIndexOf(request.separator) + 1;
  }
  for (let at = 0; at < end; at += 65_536) {
    tool.io.out(bytes.subarray(at, Math.min(end, at + 65_536)));
    yield* tool.io.drain();
  }
}

/** Takes `-NUM[bckmlqvz]` of old apart, as if it were options. */
function oldForm(tool: Tool, args: readonly string[]): readonly string[] {
  const match = /^-(\d+)([a-zA-Z]*)$/.exec(args[0] ?? '');
  if (match === null) return args;
  let unit = '-n';
  let factor = '';
  const rest: string[] = [];
  for (const letter of match[2] ?? '') {
    if ('bkm'.includes(letter)) {
      unit = '-c';
      factor = letter;
    } else if (letter === 'c') unit = '-c';
    else if (letter === 'l') unit = '-n';
    else if ('qvz'.includes(letter)) rest.push(`-${letter}`);
    else tool.usage(`invalid trailing option -- ${letter}`);
  }
  return [`${unit}${match[1]}${factor}`, ...rest, ...args.slice(1)];
}

/** The command. */
export const head = defineTool('head', function* (tool) {
  const request: Request = { count: 10, isBytes: false, isFromEnd: false, separator: NEWLINE };
  let headers: 'auto' | 'never' | 'always' = 'auto';
  for (const { key, value = '' } of tool.options(OPTIONS, { args: oldForm(tool, tool.args) })) {
    if (key === 'c' || key === 'n') {
      request.isBytes = key === 'c';
      readCount(tool, value, request);
    }
    if (key === 'q') headers = 'never';
    if (key === 'v') headers = 'always';
    if (key === 'z') request.separator = 0;
  }
  const names = tool.operands.length > 0 ? tool.operands : ['-'];
  const shows = headers === 'always' || (headers === 'auto' && names.length > 1);
  let isFirst = true;
  for (const name of names) {
    let fd = 0;
    try {
      fd = name === '-' ? 0 : yield* tool.proc.open(name);
    } catch (error) {
      tool.fail(`cannot open ${tool.named(name)} for reading: ${systemError(error).text}`);
      continue;
    }
    if (shows) {
      tool.out(`${isFirst ? '' : '\n'}==> ${name === '-' ? 'standard input' : name} <==\n`);
      isFirst = false;
    }
    try {
      if (request.isFromEnd) yield* allButEnd(tool, fd, request);
      else if (request.isBytes) yield* firstBytes(tool, fd, request.count);
      else yield* firstLines(tool, fd, request);
    } catch (error) {
      const failure = systemError(error);
      if (failure.code !== 'EISDIR') throw error;
      tool.fail(`error reading ${tool.named(name)}: ${failure.text}`);
    }
    tool.close(fd);
  }
});
