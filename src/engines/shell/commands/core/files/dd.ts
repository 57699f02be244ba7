/**
 * `dd` of coreutils 9.1.
 *
 * Source: dd(1). Not covered: `cbs=` conversions (`block`, `unblock`, `ascii`, `ebcdic`), `iseek` of devices.
 */
import { type Running, SystemError } from '../../../kernel/index.js';
import { formatFloat } from '../../program/c-number.js';
import { readSize } from '../../program/size.js';
import { defineTool, systemError, type Tool } from '../../program/tool.js';

const CONVERSIONS = [
  'lcase',
  'ucase',
  'swab',
  'notrunc',
  'nocreat',
  'excl',
  'noerror',
  'sync',
  'sparse',
  'fdatasync',
  'fsync',
];
const FLAGS = [
  'append',
  'binary',
  'cio',
  'direct',
  'directory',
  'dsync',
  'noatime',
  'nocache',
  'noctty',
  'nofollow',
  'nolinks',
  'nonblock',
  'sync',
  'text',
  'fullblock',
  'count_bytes',
  'skip_bytes',
  'seek_bytes',
];
const STATUSES = ['none', 'noxfer', 'progress'];
const SUFFIXES = 'bcEGkKMPTwYZ0B';

interface DdLine {
  input: string | undefined;
  output: string | undefined;
  inBlock: number;
  outBlock: number;
  count: number;
  countInBytes: boolean;
  skip: number;
  skipInBytes: boolean;
  seek: number;
  seekInBytes: boolean;
  conversions: Set<string>;
  inFlags: Set<string>;
  outFlags: Set<string>;
  status: string;
  /** `bs=` was given: blocks are written as they were read. */
  direct: boolean;
}

/** A number such as `2kx10`; undefined where it is none. */
function amount(tool: Tool, text: string): number {
  let product = 1;
  for (const part of text.split('x')) {
    const value = readSize(part.replace(/^(\d+)B$/, '$1'), SUFFIXES);
    if (typeof value !== 'number' || part === '')
      return tool.die(
        `invalid number: ${tool.quote(text)}${value === 'overflow' ? ': Value too large for defined data type' : ''}`,
      );
    if (part === '0' && text.includes('x'))
      tool.warn(
        `warning: ${tool.quote('0x')} is a zero multiplier; use ${tool.quote('00x')} if that is intended`,
      );
    product *= value;
  }
  return product;
}

function words(tool: Tool, text: string, known: readonly string[], message: string): Set<string> {
  const set = new Set<string>();
  for (const word of text.split(',')) {
    if (!known.includes(word)) tool.usage(`${message}: ${tool.quote(word)}`);
    set.add(word);
  }
  return set;
}

function setOperand(tool: Tool, line: DdLine, name: string, value: string): boolean {
  const blockSize = (): number => {
    const size = amount(tool, value);
    if (size === 0 || size > 2 ** 30) tool.die(`invalid number: ${tool.quote(value)}`);
    return size;
  };
  const isBytes = value.endsWith('B') && /^\d+B$/.test(value);
  switch (name) {
    case 'if':
      line.input = value;
      return true;
    case 'of':
      line.output = value;
      return true;
    case 'bs':
      line.inBlock = blockSize();
      line.outBlock = line.inBlock;
      line.direct = true;
      return true;
    case 'ibs':
      line.inBlock = blockSize();
      return true;
    case 'obs':
      line.outBlock = blockSize();
      return true;
    case 'cbs':
      amount(tool, value);
      return true;
    case 'count':
      line.count = amount(tool, value);
      line.countInBytes ||= isBytes;
      return true;
    case 'skip':
    case 'iseek':
      line.skip = amount(tool, value);
      line.skipInBytes ||= isBytes;
      return true;
    case 'seek':
    case 'oseek':
      line.seek = amount(tool, value);
      line.seekInBytes ||= isBytes;
      return true;
    case 'conv':
      line.conversions = words(tool, value, CONVERSIONS, 'invalid conversion');
      return true;
    case 'iflag':
      line.inFlags = words(tool, value, FLAGS, 'invalid input flag');
      return true;
    case 'oflag':
      line.outFlags = words(tool, value, FLAGS, 'invalid output flag');
      return true;
    case 'status':
      if (!STATUSES.includes(value)) tool.usage(`invalid status level: ${tool.quote(value)}`);
      line.status = value;
      return true;
    default:
      return false;
  }
}

function readLine(tool: Tool): DdLine {
  const line: DdLine = {
    input: undefined,
    output: undefined,
    inBlock: 512,
    outBlock: 512,
    count: Number.POSITIVE_INFINITY,
    countInBytes: false,
    skip: 0,
    skipInBytes: false,
    seek: 0,
    seekInBytes: false,
    conversions: new Set(),
    inFlags: new Set(),
    outFlags: new Set(),
    status: '',
    direct: false,
  };
  if (tool.args[0] === '--help') tool.help();
  if (tool.args[0] === '--version') tool.version();
  for (const word of tool.args) {
    if (word === '--') continue;
    const equals = word.indexOf('=');
    if (equals < 0 || !setOperand(tool, line, word.slice(0, equals), word.slice(equals + 1)))
      tool.usage(`unrecognized operand ${tool.quote(word)}`);
  }
  if (line.conversions.has('lcase') && line.conversions.has('ucase'))
    tool.die('cannot combine lcase and ucase');
  if (line.conversions.has('excl') && line.conversions.has('nocreat'))
    tool.die('cannot combine excl and nocreat');
  line.countInBytes ||= line.inFlags.has('count_bytes');
  line.skipInBytes ||= line.inFlags.has('skip_bytes');
  line.seekInBytes ||= line.outFlags.has('seek_bytes');
  return line;
}

interface Records {
  fullIn: number;
  partialIn: number;
  fullOut: number;
  partialOut: number;
  bytes: number;
}

function* openFiles(tool: Tool, line: DdLine): Running<void> {
  const { proc } = tool;
  if (line.input !== undefined)
    try {
      proc.dup2(yield* proc.open(line.input), 0);
    } catch (error) {
      tool.die(`failed to open ${tool.named(line.input)}: ${systemError(error).text}`);
    }
  if (line.output === undefined) return;
  const keeps = line.conversions.has('notrunc') || line.seek > 0;
  try {
    const flags = {
      write: true,
      append: line.outFlags.has('append'),
      create: !line.conversions.has('nocreat'),
      exclusive: line.conversions.has('excl'),
      truncate: !keeps,
    };
    proc.dup2(yield* proc.open(line.output, flags), 1);
    if (line.seek > 0 && !line.conversions.has('notrunc') && proc.fstat(1).kind === 'file')
      proc.ftruncate(1, line.seek * (line.seekInBytes ? 1 : line.outBlock));
  } catch (error) {
    tool.die(`failed to open ${tool.named(line.output)}: ${systemError(error).text}`);
  }
}

function* skipInput(tool: Tool, line: DdLine): Running<void> {
  const { proc } = tool;
  if (line.skip === 0) return;
  const bytes = line.skip * (line.skipInBytes ? 1 : line.inBlock);
  const name = line.input ?? 'standard input';
  try {
    const size = proc.fstat(0).content?.size;
    const at = proc.seek(0, 0, 'current');
    if (size !== undefined && at + bytes > size) {
      tool.warn(`${tool.path(name)}: cannot skip to specified offset`);
      proc.seek(0, 0, 'end');
    } else proc.seek(0, bytes, 'current');
  } catch (error) {
    systemError(error);
    let left = bytes;
    while (left > 0) {
      const piece = yield* proc.read(0, Math.min(left, 65_536));
      if (piece.length === 0) break;
      left -= piece.length;
    }
    if (left > 0) tool.warn(`${tool.path(name)}: cannot skip to specified offset`);
  }
}

function converted(bytes: Uint8Array, line: DdLine): Uint8Array {
  const { conversions } = line;
  let out = bytes;
  if (conversions.has('lcase')) out = out.map((byte) => (byte >= 65 && byte <= 90 ? byte + 32 : byte));
  if (conversions.has('ucase')) out = out.map((byte) => (byte >= 97 && byte <= 122 ? byte - 32 : byte));
  if (conversions.has('swab')) {
    out = out.slice();
    for (let at = 0; at + 1 < out.length; at += 2) [out[at], out[at + 1]] = [out[at + 1] ?? 0, out[at] ?? 0];
  }
  return out;
}

/** Gathers output blocks where input and output sizes differ. */
class Writer {
  private pending: Uint8Array = new Uint8Array(0);

  constructor(
    private readonly tool: Tool,
    private readonly line: DdLine,
    private readonly records: Records,
  ) {}

  *write(bytes: Uint8Array): Running<void> {
    if (this.line.direct) {
      yield* this.put(bytes);
      return;
    }
    const joined = new Uint8Array(this.pending.length + bytes.length);
    joined.set(this.pending);
    joined.set(bytes, this.pending.length);
    const { outBlock } = this.line;
    let at = 0;
    for (; joined.length - at >= outBlock; at += outBlock)
      yield* this.put(joined.subarray(at, at + outBlock));
    this.pending = joined.slice(at);
  }

  *finish(): Running<void> {
    if (this.pending.length > 0) yield* this.put(this.pending);
  }

  private *put(bytes: Uint8Array): Running<void> {
    const { records, line, tool } = this;
    const size = tool.proc.fstat(1);
    const before = size.kind === 'file' ? tool.proc.seek(1, 0, 'current') : 0;
    try {
      yield* tool.proc.write(1, bytes);
    } catch (error) {
      const failure = systemError(error);
      if (size.kind === 'file') {
        const part = tool.proc.seek(1, 0, 'current') - before;
        records.bytes += part;
        if (part > 0) records.partialOut += 1;
      }
      throw new SystemError(failure.code, line.output ?? 'standard output');
    }
    records.bytes += bytes.length;
    if (bytes.length === line.outBlock) records.fullOut += 1;
    else records.partialOut += 1;
  }
}

/** `1.0 kB, 1.0 KiB`, as the last line shows sizes. */
function scaled(bytes: number, base: 1000 | 1024): string {
  const letters =
    base === 1000 ? ['', 'k', 'M', 'G', 'T', 'P', 'E'] : ['', 'Ki', 'Mi', 'Gi', 'Ti', 'Pi', 'Ei'];
  let value = bytes;
  let power = 0;
  while (value >= base && power < letters.length - 1) {
    value /= base;
    power += 1;
  }
  if (power === 0) return `${bytes} B`;
  const tenth = Math.round(value * 10) / 10;
  const shown = tenth < 10 ? tenth.toFixed(1) : String(Math.round(value));
  return `${shown} ${letters[power]}B`;
}

function report(tool: Tool, line: DdLine, records: Records, startUs: number): void {
  if (line.status === 'none') return;
  tool.io.err(
    `${records.fullIn}+${records.partialIn} records in\n${records.fullOut}+${records.partialOut} records out\n`,
  );
  if (line.status === 'noxfer') return;
  const seconds = Math.max(1e-6, (tool.proc.now() - startUs) / 1e6);
  const { bytes } = records;
  const si = scaled(bytes, 1000);
  const iec = scaled(bytes, 1024);
  const extra = bytes < 1000 ? '' : ` (${si}${bytes < 1024 ? '' : `, ${iec}`})`;
  const time = formatFloat(seconds, { flags: '', width: 0, precision: 6, letter: 'g' });
  tool.io.err(
    `${bytes} byte${bytes === 1 ? '' : 's'}${extra} copied, ${time} s, ${scaled(Math.round(bytes / seconds), 1000)}/s\n`,
  );
}

/** The command. */
export const dd = defineTool('dd', function* (tool) {
  const line = readLine(tool);
  yield* openFiles(tool, line);
  const { proc } = tool;
  const startUs = proc.now();
  const records: Records = { fullIn: 0, partialIn: 0, fullOut: 0, partialOut: 0, bytes: 0 };
  yield* skipInput(tool, line);
  if (line.seek > 0)
    try {
      proc.seek(1, line.seek * (line.seekInBytes ? 1 : line.outBlock), 'start');
    } catch (error) {
      tool.fail(`${tool.quote(line.output ?? 'standard output')}: cannot seek: ${systemError(error).text}`);
      report(tool, line, records, startUs);
      return 1;
    }
  const writer = new Writer(tool, line, records);
  let left = line.countInBytes ? line.count : Number.POSITIVE_INFINITY;
  try {
    while (left > 0 && (line.countInBytes || records.fullIn + records.partialIn < line.count)) {
      const block = yield* readBlock(tool, line, Math.min(line.inBlock, left));
      if (block.length === 0) break;
      left -= block.length;
      if (block.length === line.inBlock) records.fullIn += 1;
      else records.partialIn += 1;
      let bytes = converted(block, line);
      if (line.conversions.has('sync') && bytes.length < line.inBlock) {
        const full = new Uint8Array(line.inBlock);
        full.set(bytes);
        bytes = full;
      }
      yield* writer.write(bytes);
    }
    yield* writer.finish();
  } catch (error) {
    const failure = systemError(error);
    if (failure.code === 'EISDIR')
      tool.fail(`error reading ${tool.named(line.input ?? 'standard input')}: ${failure.text}`);
    else
      tool.fail(
        `${line.direct ? 'error writing' : 'writing to'} ${tool.named(failure.path ?? line.output ?? 'standard output')}: ${failure.text}`,
      );
  }
  report(tool, line, records, startUs);
  return tool.status;
});

function* readBlock(tool: Tool, line: DdLine, size: number): Running<Uint8Array> {
  const first = yield* tool.proc.read(0, size);
  if (!line.inFlags.has('fullblock') || first.length === size || first.length === 0) return first;
  const block = new Uint8Array(size);
  block.set(first);
  let length = first.length;
  while (length < size) {
    const piece = yield* tool.proc.read(0, size - length);
    if (piece.length === 0) break;
    block.set(piece, length);
    length += piece.length;
  }
  return block.subarray(0, length);
}
