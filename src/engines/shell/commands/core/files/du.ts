/**
 * `du` of coreutils 9.1: what files take on the disk.
 *
 * Source: du(1). Not covered: `--inodes` with `--time` together with other clocks than mtime, `-x` across mounts only by
 * device number.
 */
import type { Inode, Running } from '../../../kernel/index.js';
import { breakTime } from '../../program/calendar.js';
import { globMatcher } from '../../program/glob.js';
import { defineOptions } from '../../program/options.js';
import { joinPath, lastName } from '../../program/path-words.js';
import { type BlockSize, readBlockSize, readSize, showSize } from '../../program/size.js';
import { strftime } from '../../program/strftime.js';
import { defineTool, systemError, type Tool } from '../../program/tool.js';
import { allocatedBytes } from './ls-layout.js';
import { sizeOf } from './ls-sort.js';

const OPTIONS = defineOptions(
  'a,all apparent-size B,block-size: b,bytes c,total D,dereference-args H d,max-depth: files0-from: h,human-readable ' +
    'inodes k L,dereference l,count-links m P,no-dereference S,separate-dirs si s,summarize t,threshold: time:: ' +
    'time-style: X,exclude-from: exclude: x,one-file-system 0,null',
);

interface DuLine {
  all: boolean;
  apparent: boolean;
  block: BlockSize;
  total: boolean;
  maxDepth: number;
  inodes: boolean;
  follow: 'never' | 'operands' | 'always';
  countLinks: boolean;
  separate: boolean;
  threshold: number;
  time: boolean;
  timeFormat: string;
  excluded: ((name: string) => boolean)[];
  oneFileSystem: boolean;
  end: string;
}

interface Sum {
  size: number;
  mtimeUs: number;
}

/** Adds sizes up, tells what has to be told. */
class Counter {
  private readonly seen = new Set<number>();

  constructor(
    private readonly tool: Tool,
    private readonly line: DuLine,
  ) {}

  private own(inode: Inode): Sum {
    const { line } = this;
    const size = line.inodes
      ? 1
      : line.apparent
        ? inode.kind === 'file' || inode.kind === 'symlink' || inode.kind === 'directory'
          ? sizeOf(inode)
          : 0
        : allocatedBytes(inode);
    return { size, mtimeUs: inode.mtimeUs };
  }

  show(sum: Sum, name: string): void {
    const { line, tool } = this;
    if (line.threshold < 0 ? sum.size > -line.threshold : sum.size < line.threshold) return;
    const size =
      line.inodes && line.block.kind === 'blocks' ? String(sum.size) : showSize(sum.size, line.block);
    const seconds = Math.floor(sum.mtimeUs / 1e6);
    const time = line.time
      ? `\t${strftime(line.timeFormat, breakTime(seconds, (sum.mtimeUs - seconds * 1e6) * 1000, tool.zone))}`
      : '';
    tool.out(`${size}${time}\t${name}${line.end}`);
  }

  *count(path: string, depth: number, dev?: number): Running<Sum> {
    const { tool, line } = this;
    const nothing: Sum = { size: 0, mtimeUs: 0 };
    const follows = line.follow === 'always' || (line.follow === 'operands' && depth === 0);
    let inode: Inode;
    try {
      inode = follows ? tool.proc.stat(path) : tool.proc.lstat(path);
    } catch (error) {
      tool.fail(`cannot access ${tool.named(path)}: ${systemError(error).text}`);
      return nothing;
    }
    if (depth > 0 && this.isExcluded(path)) return nothing;
    if (line.oneFileSystem && dev !== undefined && inode.dev !== dev) return nothing;
    if (
      !line.countLinks &&
      inode.kind !== 'directory' &&
      (inode.nlink > 1 || depth === 0 || line.follow === 'always')
    ) {
      if (this.seen.has(inode.ino)) return nothing;
      this.seen.add(inode.ino);
    }
    const sum = this.own(inode);
    if (inode.kind === 'directory') {
      if (this.seen.has(inode.ino) && !line.countLinks) return nothing;
      this.seen.add(inode.ino);
      yield* this.inside(path, { depth, inode, sum });
    } else if (line.all && depth <= line.maxDepth && depth > 0) this.show(sum, path);
    if (depth === 0 && inode.kind !== 'directory') this.show(sum, path);
    return sum;
  }

  private *inside(path: string, at: { depth: number; inode: Inode; sum: Sum }): Running<void> {
    const { tool, line } = this;
    const { depth, inode, sum } = at;
    const shown: Sum = { ...sum };
    let names: string[] = [];
    try {
      names = tool.proc.readdir(path).map((entry) => entry.name);
    } catch (error) {
      tool.fail(`cannot read directory ${tool.named(path)}: ${systemError(error).text}`);
    }
    for (const name of names) {
      tool.proc.tick(2);
      if (tool.io.mustDrain) yield* tool.io.drain();
      const child = joinPath(path, name);
      const isFolder = tool.proc.lstat(child).kind === 'directory';
      const part = yield* this.count(child, depth + 1, inode.dev);
      sum.size += part.size;
      sum.mtimeUs = Math.max(sum.mtimeUs, part.mtimeUs);
      if (!(line.separate && isFolder)) {
        shown.size += part.size;
        shown.mtimeUs = Math.max(shown.mtimeUs, part.mtimeUs);
      }
    }
    if (depth <= line.maxDepth) this.show(line.separate ? shown : sum, path);
  }

  private isExcluded(path: string): boolean {
    const name = lastName(path);
    return this.line.excluded.some((matches) => matches(name) || matches(path));
  }
}

function initialBlock(tool: Tool): BlockSize {
  const word = tool.env('DU_BLOCK_SIZE') ?? tool.env('BLOCK_SIZE') ?? tool.env('BLOCKSIZE');
  const block = word === undefined ? undefined : readBlockSize(word);
  if (block !== undefined && typeof block !== 'string') return block;
  return { kind: 'blocks', bytes: tool.env('POSIXLY_CORRECT') === undefined ? 1024 : 512, suffix: '' };
}

function timeFormat(tool: Tool, style: string): string {
  if (style.startsWith('+')) return style.slice(1);
  const word = tool.choice('--time-style', style, [['full-iso'], ['long-iso'], ['iso']]);
  if (word === 'full-iso') return '%Y-%m-%d %H:%M:%S.%N %z';
  return word === 'iso' ? '%Y-%m-%d' : '%Y-%m-%d %H:%M';
}

function* readLine(tool: Tool): Running<{ line: DuLine; names: readonly string[] }> {
  const line: DuLine = {
    all: false,
    apparent: false,
    block: initialBlock(tool),
    total: false,
    maxDepth: Number.POSITIVE_INFINITY,
    inodes: false,
    follow: 'never',
    countLinks: false,
    separate: false,
    threshold: 0,
    time: false,
    timeFormat: '%Y-%m-%d %H:%M',
    excluded: [],
    oneFileSystem: false,
    end: '\n',
  };
  let summarize = false;
  let depth: number | undefined;
  let from: string | undefined;
  for (const hit of tool.options(OPTIONS)) {
    const { key, value = '' } = hit;
    if (key === 'a') line.all = true;
    if (key === 'apparent-size') line.apparent = true;
    if (key === 'b') {
      line.apparent = true;
      line.block = { kind: 'blocks', bytes: 1, suffix: '' };
    }
    if (key === 'c') line.total = true;
    if (key === 'D' || key === 'H') line.follow = 'operands';
    if (key === 'L') line.follow = 'always';
    if (key === 'P') line.follow = 'never';
    if (key === 'h') line.block = { kind: 'human', base: 1024 };
    if (key === 'si') line.block = { kind: 'human', base: 1000 };
    if (key === 'k') line.block = { kind: 'blocks', bytes: 1024, suffix: '' };
    if (key === 'm') line.block = { kind: 'blocks', bytes: 1_048_576, suffix: '' };
    if (key === 'inodes') line.inodes = true;
    if (key === 'l') line.countLinks = true;
    if (key === 'S') line.separate = true;
    if (key === 's') summarize = true;
    if (key === 'x') line.oneFileSystem = true;
    if (key === '0') line.end = '\0';
    if (key === 'time') {
      line.time = true;
      if (hit.value !== undefined)
        tool.choice('--time', value, [
          ['atime', 'access', 'use'],
          ['ctime', 'status'],
        ]);
    }
    if (key === 'time-style') line.timeFormat = timeFormat(tool, value);
    if (key === 'exclude') line.excluded.push(globMatcher(value));
    if (key === 'files0-from') from = value;
    if (key === 'X')
      for (const row of (yield* tool.proc.readText(value)).split('\n'))
        if (row !== '') line.excluded.push(globMatcher(row));
    if (key === 'B') {
      const block = readBlockSize(value);
      if (typeof block === 'string')
        tool.die(`invalid ${hit.isShort ? '-B' : '--block-size'} argument ${tool.named(value)}`);
      else line.block = block;
    }
    if (key === 'd') {
      if (!/^\d+$/.test(value)) {
        tool.warn(`invalid maximum depth ${tool.quote(value)}`);
        tool.usage();
      }
      depth = Number(value);
    }
    if (key === 't') {
      const size = readSize(value.replace(/^-/, ''), 'kKmMGTPEZY0');
      if (typeof size !== 'number') tool.die(`invalid --threshold argument ${tool.named(value)}`);
      if (value.startsWith('-') && size === 0) tool.die(`invalid --threshold argument ${tool.named('-0')}`);
      line.threshold = value.startsWith('-') ? -Number(size) : Number(size);
    }
  }
  if (summarize && line.all) tool.usage('cannot both summarize and show all entries');
  if (summarize && depth !== undefined) {
    if (depth === 0) tool.warn('warning: summarizing is the same as using --max-depth=0');
    else tool.usage(`warning: summarizing conflicts with --max-depth=${depth}`);
  }
  line.maxDepth = summarize ? 0 : (depth ?? line.maxDepth);
  if (from === undefined) return { line, names: tool.operands.length > 0 ? tool.operands : ['.'] };
  const text = yield* tool.proc.readText(from === '-' ? '/dev/stdin' : from);
  return {
    line,
    names: text
      .replace(/\0$/, '')
      .split('\0')
      .filter((name) => name !== ''),
  };
}

/** The command. */
export const du = defineTool('du', function* (tool) {
  const { line, names } = yield* readLine(tool);
  const counter = new Counter(tool, line);
  const total: Sum = { size: 0, mtimeUs: 0 };
  for (const name of names) {
    if (name === '') {
      tool.fail('invalid zero-length file name');
      continue;
    }
    const sum = yield* counter.count(name, 0);
    total.size += sum.size;
    total.mtimeUs = Math.max(total.mtimeUs, sum.mtimeUs);
  }
  if (line.total) counter.show(total, 'total');
});
