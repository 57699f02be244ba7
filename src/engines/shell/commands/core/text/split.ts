/**
 * `split` of coreutils 9.1.
 *
 * Source: split(1). `--filter` is refused.
 */
import { type Running, toBytes } from '../../../kernel/index.js';
import { bytesOf, latin1 } from '../../program/latin1.js';
import { defineOptions } from '../../program/options.js';
import { readSize } from '../../program/size.js';
import { defineTool, systemError, type Tool } from '../../program/tool.js';

const OPTIONS = defineOptions(
  'a,suffix-length: additional-suffix: b,bytes: C,line-bytes: d numeric-suffixes:: x hex-suffixes:: e,elide-empty-files ' +
    'filter: l,lines: n,number: t,separator: u,unbuffered verbose 0 1 2 3 4 5 6 7 8 9',
);
const SUFFIXES = 'bEGKkMmPTYZ0';
const ALPHABETS = { a: 'abcdefghijklmnopqrstuvwxyz', d: '0123456789', x: '0123456789abcdef' } as const;

interface SplitLine {
  how: 'lines' | 'bytes' | 'line-bytes' | 'number';
  count: number;
  /** Of `-n`: whole lines, round robin, or bytes; one chunk only. */
  chunks: { kind: 'bytes' | 'lines' | 'robin'; total: number; only: number | undefined };
  suffixLength: number;
  alphabet: string;
  start: number;
  extra: string;
  elide: boolean;
  verbose: boolean;
  separator: string;
}

function readChunks(tool: Tool, value: string): SplitLine['chunks'] {
  const match = /^(?:([lr])\/)?(?:([^/]+)\/)?([^/]+)$/.exec(value);
  const kind = match?.[1] === 'l' ? 'lines' : match?.[1] === 'r' ? 'robin' : 'bytes';
  const total = readSize(match?.[3] ?? '', '');
  const only = match?.[2] === undefined ? undefined : readSize(match[2], '');
  if (typeof total !== 'number' || total === 0)
    return tool.die(
      `invalid number of chunks: ${tool.quote(match?.[3] ?? value)}${total === 0 ? ': Numerical result out of range' : ''}`,
    );
  if (only !== undefined && (typeof only !== 'number' || only === 0 || only > total))
    return tool.die(`invalid chunk number: ${tool.quote(match?.[2] ?? '')}`);
  return { kind, total, only };
}

function readLine(tool: Tool): SplitLine {
  const line: SplitLine = {
    how: 'lines',
    count: 1000,
    chunks: { kind: 'bytes', total: 1, only: undefined },
    suffixLength: 0,
    alphabet: ALPHABETS.a,
    start: 0,
    extra: '',
    elide: false,
    verbose: false,
    separator: '\n',
  };
  let isChosen = false;
  let digits = '';
  const choose = (how: SplitLine['how']): void => {
    if (isChosen) tool.usage('cannot split in more than one way');
    isChosen = true;
    line.how = how;
  };
  for (const { key, value = '' } of tool.options(OPTIONS)) {
    if (/\d/.test(key)) {
      if (digits === '') choose('lines');
      digits += key;
      line.count = Number(digits);
    }
    if (key === 'a') {
      const length = readSize(value, '');
      if (typeof length !== 'number') tool.die(`invalid suffix length: ${tool.quote(value)}`);
      line.suffixLength = Number(length);
    }
    if (key === 'additional-suffix') {
      if (value.includes('/'))
        tool.usage(`invalid suffix ${tool.quote(value)}, contains directory separator`);
      line.extra = value;
    }
    if (key === 'b' || key === 'C' || key === 'l') {
      choose(key === 'b' ? 'bytes' : key === 'C' ? 'line-bytes' : 'lines');
      const size = readSize(value, key === 'l' ? '' : SUFFIXES);
      if (typeof size !== 'number' || size === 0)
        tool.die(
          `invalid number of ${key === 'l' ? 'lines' : 'bytes'}: ${tool.quote(value)}${size === 0 ? ': Numerical result out of range' : ''}`,
        );
      line.count = Number(size);
    }
    if (key === 'n') {
      choose('number');
      line.chunks = readChunks(tool, value);
    }
    if (key === 'd' || key === 'numeric-suffixes') line.alphabet = ALPHABETS.d;
    if (key === 'x' || key === 'hex-suffixes') line.alphabet = ALPHABETS.x;
    if ((key === 'numeric-suffixes' || key === 'hex-suffixes') && value !== '')
      line.start = Number.parseInt(value, key === 'numeric-suffixes' ? 10 : 16);
    if (key === 'e') line.elide = true;
    if (key === 'verbose') line.verbose = true;
    if (key === 'filter') tool.die('--filter is not available here');
    if (key === 't') {
      const bytes = latin1(toBytes(value));
      if (bytes === '') tool.die('empty record separator');
      if (bytes.length > 1 && bytes !== '\\0') tool.die(`multi-character separator ${tool.quote(value)}`);
      line.separator = bytes === '\\0' ? '\0' : bytes;
    }
  }
  tool.noMoreThan(2);
  return line;
}

/** Names and files of the pieces. */
class Pieces {
  private index: number;
  private fd: number | null = null;

  constructor(
    private readonly tool: Tool,
    private readonly line: SplitLine,
    private readonly prefix: string,
  ) {
    this.index = line.start;
  }

  private name(): string {
    const { line } = this;
    const { alphabet } = line;
    const base = alphabet.length;
    if (line.suffixLength > 0) {
      if (this.index >= base ** line.suffixLength) this.tool.die('output file suffixes exhausted');
      return this.prefix + digitsOf(this.index, alphabet, line.suffixLength) + line.extra;
    }
    let rest = this.index;
    let lead = '';
    for (let length = 2; ; length++) {
      const room = (base - 1) * base ** (length - 1);
      if (rest < room) return this.prefix + lead + digitsOf(rest, alphabet, length) + line.extra;
      rest -= room;
      lead += alphabet[base - 1];
    }
  }

  /** Begins the next piece. */
  *next(): Running<void> {
    this.close();
    const { tool } = this;
    const name = this.name();
    this.index += 1;
    if (this.line.verbose) tool.out(`creating file ${tool.named(name)}\n`);
    try {
      this.fd = yield* tool.proc.open(name, { write: true, create: true, truncate: true });
    } catch (error) {
      tool.die(`${tool.path(name)}: ${systemError(error).text}`);
    }
  }

  *write(text: string): Running<void> {
    if (this.fd !== null) yield* this.tool.proc.write(this.fd, bytesOf(text));
  }

  close(): void {
    if (this.fd !== null) this.tool.proc.close(this.fd);
    this.fd = null;
  }
}

function digitsOf(value: number, alphabet: string, length: number): string {
  let rest = value;
  let text = '';
  for (let index = 0; index < length; index++) {
    text = (alphabet[rest % alphabet.length] ?? '') + text;
    rest = Math.floor(rest / alphabet.length);
  }
  return text;
}

/** Lines with their separators. */
function records(text: string, separator: string): string[] {
  const list = text.split(separator);
  const last = list.pop() ?? '';
  return [...list.map((one) => one + separator), ...(last === '' ? [] : [last])];
}

function byNumber(line: SplitLine, text: string): string[] {
  const { kind, total } = line.chunks;
  const pieces = new Array<string>(total).fill('');
  if (kind === 'robin') {
    records(text, line.separator).forEach((record, index) => {
      pieces[index % total] += record;
    });
    return pieces;
  }
  const size = Math.max(1, Math.floor(text.length / total));
  if (kind === 'bytes')
    return pieces.map((_, index) =>
      text.slice(index * size, index === total - 1 ? text.length : (index + 1) * size),
    );
  let at = 0;
  for (const record of records(text, line.separator)) {
    const index = Math.min(total - 1, Math.floor(at / size));
    pieces[index] += record;
    at += record.length;
  }
  return pieces;
}

function byLineBytes(line: SplitLine, text: string): string[] {
  const pieces: string[] = [];
  let piece = '';
  for (let record of records(text, line.separator)) {
    if (piece !== '' && piece.length + record.length > line.count) {
      pieces.push(piece);
      piece = '';
    }
    while (record.length > line.count) {
      pieces.push(record.slice(0, line.count));
      record = record.slice(line.count);
    }
    piece += record;
  }
  if (piece !== '') pieces.push(piece);
  return pieces;
}

/** The command. */
export const split = defineTool('split', function* (tool) {
  const line = readLine(tool);
  const [name = '-', prefix = 'x'] = tool.operands;
  if (
    line.suffixLength > 0 &&
    line.how === 'number' &&
    line.alphabet.length ** line.suffixLength < line.chunks.total
  )
    tool.die(
      `the suffix length needs to be at least ${Math.ceil(Math.log(line.chunks.total) / Math.log(line.alphabet.length))}`,
    );
  let text: string;
  try {
    const fd = name === '-' ? 0 : yield* tool.proc.open(name);
    text = latin1(yield* tool.proc.readAll(fd));
  } catch (error) {
    const failure = systemError(error);
    if (failure.code === 'EISDIR') return tool.die(`${tool.path(name)}: ${failure.text}`);
    return tool.die(`cannot open ${tool.named(name)} for reading: ${failure.text}`);
  }
  const pieces: string[] = [];
  if (line.how === 'number') pieces.push(...byNumber(line, text));
  else if (line.how === 'line-bytes') pieces.push(...byLineBytes(line, text));
  else if (line.how === 'bytes')
    for (let at = 0; at < text.length; at += line.count) pieces.push(text.slice(at, at + line.count));
  else {
    const lines = records(text, line.separator);
    for (let at = 0; at < lines.length; at += line.count)
      pieces.push(lines.slice(at, at + line.count).join(''));
  }
  if (line.how === 'number' && line.chunks.only !== undefined) {
    tool.raw(pieces[line.chunks.only - 1] ?? '');
    return tool.status;
  }
  const files = new Pieces(tool, line, prefix);
  for (const piece of pieces) {
    if (piece === '' && line.elide) continue;
    yield* files.next();
    yield* files.write(piece);
  }
  files.close();
  return tool.status;
});
