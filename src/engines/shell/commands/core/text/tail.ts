/**
 * `tail` of coreutils 9.1, `-f` included: a live proc that looks at its files once a second of the machine's clock.
 *
 * Source: tail(1). The old forms `-5`, `+5`, `-5c`, `-f` are read. Not covered: inotify (changes show up at the next look).
 */
import { type Running, SystemError } from '../../../kernel/index.js';
import { defineOptions } from '../../program/options.js';
import { readSize } from '../../program/size.js';
import { defineTool, systemError, type Tool } from '../../program/tool.js';
import { followFiles } from './tail-follow.js';

const OPTIONS = defineOptions(
  'c,bytes: f follow:: F n,lines: max-unchanged-stats: pid: q,quiet,silent retry s,sleep-interval: v,verbose ' +
    'z,zero-terminated -disable-inotify -presume-input-pipe',
);
const SUFFIXES = 'bkKmMGTPEZY0';

/** What is shown of a file. */
export interface TailRequest {
  count: number;
  isBytes: boolean;
  isFromStart: boolean;
  separator: number;
}

/** One operand. */
export interface TailFile {
  readonly name: string;
  /** Null where it could not be opened. */
  fd: number | null;
}

function readCount(tool: Tool, text: string, request: TailRequest): void {
  const what = request.isBytes ? 'bytes' : 'lines';
  request.isFromStart = text.startsWith('+');
  const digits = text.replace(/^[+-]/, '');
  const count = readSize(digits, SUFFIXES);
  if (count === 'overflow')
    tool.die(`invalid number of ${what}: ${tool.quote(digits)}: Value too large for defined data type`);
  if (count === 'invalid') tool.die(`invalid number of ${what}: ${tool.quote(text.replace(/^-/, ''))}`);
  request.count = count;
}

/** The old form `-5`, `+5c`, `-10f`, as options. */
function oldForm(args: readonly string[]): readonly string[] {
  const match = /^([+-])(\d*)([bcl]?)(f?)$/.exec(args[0] ?? '');
  if (match === null || args.length > 2 || (args.length === 2 && /^-./.test(args[1] ?? ''))) {
    const plain = /^-(\d+)$/.exec(args[0] ?? '');
    return plain && args.length > 2 ? [`-n${plain[1]}`, ...args.slice(1)] : args;
  }
  const [, sign = '', digits = '', unit = '', follow = ''] = match;
  if (digits === '' && unit === '' && follow === '') return args;
  if (sign === '-' && digits === '' && unit !== 'l' && unit !== 'b') return args;
  const amount = digits === '' ? '10' : digits;
  const factor = unit === 'b' ? 'b' : '';
  const letter = unit === 'b' || unit === 'c' ? '-c' : '-n';
  return [`${letter}${sign}${amount}${factor}`, ...(follow === 'f' ? ['-f'] : []), ...args.slice(1)];
}

function* skipStart(tool: Tool, fd: number, request: TailRequest): Running<void> {
  let left = Math.max(0, request.count - 1);
  for (;;) {
    const piece = yield* tool.io.read(tool.proc, fd);
    if (piece.length === 0) return;
    let at = 0;
    if (request.isBytes) {
      at = Math.min(left, piece.length);
      left -= at;
    } else
      while (left > 0) {
        const end = piece.indexOf(request.separator, at);
        at = end < 0 ? piece.length : end + 1;
        if (end < 0) break;
        left -= 1;
      }
    if (at < piece.length) tool.io.out(piece.subarray(at));
  }
}

/** Where the last `count` lines or bytes begin. */
function startOfEnd(bytes: Uint8Array, request: TailRequest): number {
  if (request.isBytes) return Math.max(0, bytes.length - request.count);
  if (request.count === 0) return bytes.length;
  let at = bytes.length;
  if (bytes[at - 1] === request.separator) at -= 1;
  for (let left = request.count; left > 0; left--) {
    at = at === 0 ? -1 : bytes.lastIndexOf(request.separator, at - 1);
    if (at < 0) return 0;
  }
  return at + 1;
}

/** Keeps only what the end may need while it reads: memory is bounded by what is shown. */
function* lastPart(tool: Tool, fd: number, request: TailRequest): Running<void> {
  let kept: Uint8Array = new Uint8Array(0);
  if (tool.proc.fstat(fd).kind === 'file' && request.isBytes) {
    const left = (tool.proc.fstat(fd).content?.size ?? 0) - tool.proc.seek(fd, 0, 'current');
    if (left > request.count) tool.proc.seek(fd, left - request.count, 'current');
  }
  for (;;) {
    const piece = yield* tool.io.read(tool.proc, fd);
    if (piece.length === 0) break;
    const joined = new Uint8Array(kept.length + piece.length);
    joined.set(kept);
    joined.set(piece, kept.length);
    kept = joined.length > 262_144 ? joined.slice(startOfEnd(joined, request)) : joined;
  }
  tool.io.out(kept.subarray(startOfEnd(kept, request)));
}

/** Shows what was asked of an open file. */
function* showTail(tool: Tool, fd: number, request: TailRequest): Running<void> {
  if (request.isFromStart) yield* skipStart(tool, fd, request);
  else yield* lastPart(tool, fd, request);
}

/** How long `-s` waits, in microseconds. */
function interval(tool: Tool, text: string): number {
  const seconds = Number(text);
  if (text === '' || !(seconds >= 0)) tool.die(`invalid number of seconds: ${tool.quote(text)}`);
  return seconds * 1e6;
}

/** Options of one call. */
interface TailLine {
  readonly request: TailRequest;
  headers: 'auto' | 'never' | 'always';
  follow: 'no' | 'descriptor' | 'name';
  retry: boolean;
  pauseUs: number;
  pid: number | undefined;
}

function readLine(tool: Tool): TailLine {
  const request: TailRequest = { count: 10, isBytes: false, isFromStart: false, separator: 10 };
  const line: TailLine = {
    request,
    headers: 'auto',
    follow: 'no',
    retry: false,
    pauseUs: 1e6,
    pid: undefined,
  };
  for (const { key, value } of tool.options(OPTIONS, { args: oldForm(tool.args) })) {
    if (key === 'c' || key === 'n') {
      request.isBytes = key === 'c';
      readCount(tool, value ?? '', request);
    }
    if (key === 'f') line.follow = 'descriptor';
    if (key === 'follow')
      line.follow =
        value === undefined
          ? 'descriptor'
          : (tool.choice('--follow', value, [['descriptor'], ['name']]) as 'descriptor' | 'name');
    if (key === 'F') {
      line.follow = 'name';
      line.retry = true;
    }
    if (key === 'retry') line.retry = true;
    if (key === 'q') line.headers = 'never';
    if (key === 'v') line.headers = 'always';
    if (key === 'z') request.separator = 0;
    if (key === 's') line.pauseUs = interval(tool, value ?? '');
    if (key === 'pid') {
      if (!/^\d+$/.test(value ?? '')) tool.die(`invalid PID: ${tool.quote(value ?? '')}`);
      line.pid = Number(value);
    }
  }
  if (line.retry && line.follow === 'no')
    tool.warn('warning: --retry ignored; --retry is useful only when following');
  if (line.pid !== undefined && line.follow === 'no')
    tool.warn('warning: PID ignored; --pid=PID is useful only when following');
  return line;
}

/** The command. */
export const tail = defineTool('tail', function* (tool) {
  const line = readLine(tool);
  const names = tool.operands.length > 0 ? tool.operands : ['-'];
  if (line.follow === 'name' && names.includes('-')) tool.die(`cannot follow ${tool.named('-')} by name`);
  // Nothing is asked of any file: none is opened.
  if (line.request.count === 0 && !line.request.isFromStart && line.follow === 'no') tool.exit(0);
  const shows = line.headers === 'always' || (line.headers === 'auto' && names.length > 1);
  const files: TailFile[] = [];
  let isFirst = true;
  for (const name of names) {
    const file: TailFile = { name, fd: null };
    try {
      file.fd = name === '-' ? 0 : yield* tool.proc.open(name);
    } catch (error) {
      tool.fail(`cannot open ${tool.named(name)} for reading: ${systemError(error).text}`);
      if (line.follow === 'name' || line.retry) files.push(file);
      continue;
    }
    if (shows) tool.out(`${isFirst ? '' : '\n'}==> ${name === '-' ? 'standard input' : name} <==\n`);
    isFirst = false;
    try {
      yield* showTail(tool, file.fd, line.request);
      files.push(file);
    } catch (error) {
      if (!(error instanceof SystemError) || error.code !== 'EISDIR') throw error;
      tool.fail(`error reading ${tool.named(name)}: ${error.text}`);
      if (line.follow === 'no') tool.close(file.fd);
      else
        tool.warn(
          `${tool.path(name)}: cannot follow end of this type of file${line.retry ? '' : '; giving up on this name'}`,
        );
      continue;
    }
    if (line.follow === 'no') tool.close(file.fd);
  }
  if (line.follow !== 'no')
    yield* followFiles(tool, files, { ...line, shows, byName: line.follow === 'name' });
});
