/**
 * `df` of coreutils 9.1: how full the machine's file systems are.
 *
 * Source: df(1).
 */
import type { Mount } from '../../../kernel/index.js';
import { defineOptions } from '../../program/options.js';
import { type BlockSize, readBlockSize, showSize } from '../../program/size.js';
import { plainTool, systemError, type Tool } from '../../program/tool.js';

const OPTIONS = defineOptions(
  'a,all B,block-size: i,inodes h,human-readable H,si k l,local no-sync output:: P,portability sync total t,type: ' +
    'T,print-type v x,exclude-type:',
);
const FIELDS = [
  'source',
  'fstype',
  'itotal',
  'iused',
  'iavail',
  'ipcent',
  'size',
  'used',
  'avail',
  'pcent',
  'file',
  'target',
];
const HEADS: Readonly<Record<string, string>> = {
  source: 'Filesystem',
  fstype: 'Type',
  itotal: 'Inodes',
  iused: 'IUsed',
  iavail: 'IFree',
  ipcent: 'IUse%',
  used: 'Used',
  pcent: 'Use%',
  file: 'File',
  target: 'Mounted on',
};

interface DfLine {
  all: boolean;
  block: BlockSize;
  fields: string[] | undefined;
  inodes: boolean;
  portable: boolean;
  types: string[];
  excluded: string[];
  printType: boolean;
  total: boolean;
}

function readLine(tool: Tool): DfLine {
  const word = tool.env('DF_BLOCK_SIZE') ?? tool.env('BLOCK_SIZE');
  const own = word === undefined ? undefined : readBlockSize(word);
  const line: DfLine = {
    all: false,
    block: own !== undefined && typeof own !== 'string' ? own : { kind: 'blocks', bytes: 1024, suffix: '' },
    fields: undefined,
    inodes: false,
    portable: false,
    types: [],
    excluded: [],
    printType: false,
    total: false,
  };
  for (const { key, value, isShort } of tool.options(OPTIONS)) {
    if (key === 'a') line.all = true;
    if (key === 'h') line.block = { kind: 'human', base: 1024 };
    if (key === 'H') line.block = { kind: 'human', base: 1000 };
    if (key === 'k') line.block = { kind: 'blocks', bytes: 1024, suffix: '' };
    if (key === 'i') line.inodes = true;
    if (key === 'P') line.portable = true;
    if (key === 'T') line.printType = true;
    if (key === 't') line.types.push(value ?? '');
    if (key === 'x') line.excluded.push(value ?? '');
    if (key === 'total') line.total = true;
    if (key === 'B') {
      const block = readBlockSize(value ?? '');
      if (typeof block === 'string')
        tool.die(`invalid ${isShort ? '-B' : '--block-size'} argument ${tool.named(value ?? '')}`);
      else line.block = block;
    }
    if (key === 'output') {
      const names = value === undefined ? FIELDS : value.split(',');
      for (const name of names)
        if (!FIELDS.includes(name)) tool.usage(`option --output: field ${tool.quote(name)} unknown`);
      line.fields = names;
    }
  }
  if (line.fields !== undefined && line.inodes) tool.usage('options -i and --output are mutually exclusive');
  if (line.fields !== undefined && line.printType)
    tool.usage('options -T and --output are mutually exclusive');
  if (line.fields !== undefined && line.portable)
    tool.usage('options -P and --output are mutually exclusive');
  return line;
}

interface Row {
  readonly mount: Mount;
  readonly file: string;
}

function sizeHead(line: DfLine): string {
  const { block } = line;
  if (block.kind === 'human') return 'Size';
  const labels: Readonly<Record<number, string>> = {
    1024: '1K',
    1048576: '1M',
    1073741824: '1G',
    1000: '1kB',
    1000000: '1MB',
  };
  const label =
    labels[block.bytes] ?? (block.bytes % 1024 === 0 ? `${block.bytes / 1024}K` : `${block.bytes}B`);
  return line.portable ? `${block.bytes}-blocks` : `${label}-blocks`;
}

function percent(used: number, available: number): string {
  return used + available === 0 ? '-' : `${Math.ceil((used * 100) / (used + available))}%`;
}

/** One cell of a row. */
function cell(line: DfLine, row: Row, field: string): string {
  const { mount } = row;
  const hasSize = mount.sizeBytes > 0;
  const free = Math.max(0, mount.sizeBytes - mount.usedBytes);
  const freeInodes = Math.max(0, mount.sizeInodes - mount.usedInodes);
  const blocks = (bytes: number): string => (hasSize ? showSize(bytes, line.block) : '0');
  const count = (value: number): string => {
    if (line.block.kind === 'blocks') return String(value);
    return showSize(value, line.block);
  };
  switch (field) {
    case 'source':
      return mount.source;
    case 'fstype':
      return mount.type;
    case 'itotal':
      return count(mount.sizeInodes);
    case 'iused':
      return count(mount.usedInodes);
    case 'iavail':
      return count(freeInodes);
    case 'ipcent':
      return percent(mount.usedInodes, freeInodes);
    case 'size':
      return blocks(mount.sizeBytes);
    case 'used':
      return blocks(mount.usedBytes);
    case 'avail':
      return blocks(free);
    case 'pcent':
      return hasSize ? percent(mount.usedBytes, free) : '-';
    case 'file':
      return row.file;
    default:
      return mount.path;
  }
}

function fieldsOf(line: DfLine): string[] {
  if (line.fields !== undefined) return line.fields;
  const type = line.printType ? ['fstype'] : [];
  return line.inodes
    ? ['source', ...type, 'itotal', 'iused', 'iavail', 'ipcent', 'target']
    : ['source', ...type, 'size', 'used', 'avail', 'pcent', 'target'];
}

function headOf(line: DfLine, field: string): string {
  if (field === 'size') return sizeHead(line);
  if (field === 'avail')
    return line.block.kind === 'human' && !line.portable && line.fields === undefined
      ? 'Avail'
      : line.fields !== undefined
        ? 'Avail'
        : 'Available';
  if (field === 'pcent' && line.portable) return 'Capacity';
  return HEADS[field] ?? field;
}

function print(tool: Tool, line: DfLine, rows: readonly Row[]): void {
  const fields = fieldsOf(line);
  const table = [
    fields.map((field) => headOf(line, field)),
    ...rows.map((row) => fields.map((field) => cell(line, row, field))),
  ];
  const isLeft = (field: string): boolean =>
    field === 'source' || field === 'fstype' || field === 'target' || field === 'file';
  const minimum = (field: string): number =>
    field === 'source'
      ? 14
      : field === 'fstype'
        ? 4
        : field === 'pcent' || field === 'ipcent'
          ? 4
          : line.block.kind === 'human'
            ? 5
            : 5;
  const widths = fields.map((field, column) =>
    Math.max(minimum(field), ...table.map((row) => (row[column] ?? '').length)),
  );
  for (const row of table) {
    const cells = row.map((text, column) => {
      const field = fields[column] ?? '';
      if (!isLeft(field)) return text.padStart(widths[column] ?? 0);
      return column === row.length - 1 ? text : text.padEnd(widths[column] ?? 0);
    });
    tool.out(`${cells.join(' ')}\n`);
  }
}

function totalRow(rows: readonly Row[]): Row {
  const add = (pick: (mount: Mount) => number): number => rows.reduce((sum, row) => sum + pick(row.mount), 0);
  return {
    file: '-',
    mount: {
      dev: -1,
      path: '-',
      source: 'total',
      type: '-',
      options: '',
      isReadOnly: false,
      sizeBytes: add((mount) => mount.sizeBytes),
      usedBytes: add((mount) => (mount.sizeBytes > 0 ? mount.usedBytes : 0)),
      sizeInodes: add((mount) => mount.sizeInodes),
      usedInodes: add((mount) => mount.usedInodes),
    },
  };
}

/** The command. */
export const df = plainTool('df', (tool) => {
  const line = readLine(tool);
  let rows: Row[] = [];
  if (tool.operands.length === 0)
    rows = tool.proc
      .mounts()
      .filter((mount) => line.all || line.types.length > 0 || mount.sizeBytes > 0)
      .map((mount) => ({ mount, file: '-' }));
  else
    for (const path of tool.operands) {
      try {
        rows.push({ mount: tool.proc.mountOf(tool.proc.stat(path)), file: path });
      } catch (error) {
        tool.fail(`${tool.path(path)}: ${systemError(error).text}`);
      }
    }
  rows = rows.filter(({ mount }) => line.types.length === 0 || line.types.includes(mount.type));
  rows = rows.filter(({ mount }) => !line.excluded.includes(mount.type));
  if (rows.length === 0) {
    if (tool.status === 0) tool.fail('no file systems processed');
    return tool.status;
  }
  print(tool, line, line.total ? [...rows, totalRow(rows)] : rows);
  return tool.status;
});
