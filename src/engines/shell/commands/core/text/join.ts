/**
 * `join` of coreutils 9.1: lines of two sorted files that have a field in common.
 *
 * Source: join(1).
 */
import { type Running, toBytes } from '../../../kernel/index.js';
import type { ByteLines } from '../../program/byte-lines.js';
import { latin1 } from '../../program/latin1.js';
import { defineOptions } from '../../program/options.js';
import { readSize } from '../../program/size.js';
import { defineTool, systemError, type Tool } from '../../program/tool.js';

const OPTIONS = defineOptions(
  'a: e: i,ignore-case 1: 2: j: o: t: v: z,zero-terminated check-order nocheck-order header',
);

interface JoinLine {
  fields: [number, number];
  unpaired: [boolean, boolean];
  paired: boolean;
  empty: string | undefined;
  ignoreCase: boolean;
  /** `auto`, or pairs of file (0 is the join field) and field. */
  format: 'auto' | readonly (readonly [number, number])[] | undefined;
  tab: string | undefined;
  separator: string;
  check: 'default' | 'always' | 'never';
  header: boolean;
}

interface Row {
  readonly fields: readonly string[];
  readonly key: string;
  readonly text: string;
}

/** One of the two files, a row ahead. */
class Input {
  row: Row | null = null;
  private number = 0;
  isDisordered = false;

  constructor(
    private readonly tool: Tool,
    private readonly lines: ByteLines,
    private readonly how: { readonly side: 0 | 1; readonly name: string; readonly line: JoinLine },
  ) {}

  *next(hasUnpaired: boolean, isHeader = false): Running<void> {
    const { line, side, name } = this.how;
    let text: string | null;
    try {
      text = yield* this.lines.next();
    } catch (error) {
      text = null;
      this.tool.die(`${this.tool.path(name)}: ${systemError(error).text}`);
    }
    const before = this.row;
    if (text === null) {
      this.row = null;
      return;
    }
    this.number += 1;
    const fields = splitFields(text, line.tab);
    const key = fields[line.fields[side]] ?? '';
    this.row = { fields, key: line.ignoreCase ? key.toUpperCase() : key, text };
    if (
      before === null ||
      isHeader ||
      before.key <= this.row.key ||
      line.check === 'never' ||
      this.isDisordered
    )
      return;
    if (line.check === 'default' && !hasUnpaired) return;
    this.isDisordered = true;
    const message = `${name}:${this.number}: is not sorted: ${text}`;
    if (line.check === 'always') this.tool.die(message);
    this.tool.warn(message);
  }
}

function splitFields(text: string, tab: string | undefined): string[] {
  if (tab === '\n') return [text];
  if (tab !== undefined) return text.split(tab);
  const trimmed = text.replace(/^[ \t\n]+/, '');
  if (trimmed === '') return [];
  const fields = trimmed.split(/[ \t\n]+/);
  return fields;
}

function fieldNumber(tool: Tool, text: string): number {
  const value = readSize(text, '');
  if (typeof value !== 'number' || value === 0) return tool.die(`invalid field number: ${tool.quote(text)}`);
  return value - 1;
}

function readFormat(tool: Tool, text: string): JoinLine['format'] {
  if (text === 'auto') return 'auto';
  return text.split(/[, \t]/).map((word) => {
    if (word === '0') return [0, 0] as const;
    const match = /^([12])\.(.*)$/.exec(word);
    if (match === null) {
      if (/^0/.test(word)) return tool.die(`invalid field specifier: ${tool.quote(word)}`);
      if (/^[12]/.test(word)) return tool.die(`invalid field specifier: ${tool.quote(word)}`);
      return tool.die(`invalid file number in field spec: ${tool.quote(word)}`);
    }
    return [Number(match[1]), fieldNumber(tool, match[2] ?? '')] as const;
  });
}

function readLine(tool: Tool): JoinLine {
  const line: JoinLine = {
    fields: [0, 0],
    unpaired: [false, false],
    paired: true,
    empty: undefined,
    ignoreCase: false,
    format: undefined,
    tab: undefined,
    separator: '\n',
    check: 'default',
    header: false,
  };
  for (const { key, value = '' } of tool.options(OPTIONS)) {
    if (key === 'a' || key === 'v') {
      if (value !== '1' && value !== '2') tool.die(`invalid field number: ${tool.quote(value)}`);
      line.unpaired[value === '1' ? 0 : 1] = true;
      if (key === 'v') line.paired = false;
    }
    if (key === 'e') {
      if (line.empty !== undefined && line.empty !== latin1(toBytes(value)))
        tool.die('conflicting empty-field replacement strings');
      line.empty = latin1(toBytes(value));
    }
    if (key === 'i') line.ignoreCase = true;
    if (key === '1') line.fields[0] = fieldNumber(tool, value);
    if (key === '2') line.fields[1] = fieldNumber(tool, value);
    if (key === 'j') line.fields = [fieldNumber(tool, value), fieldNumber(tool, value)];
    if (key === 'o') line.format = readFormat(tool, value);
    if (key === 't') {
      const tab = latin1(toBytes(value));
      if (tab.length > 1 && tab !== '\\0') tool.die(`multi-character tab ${tool.quote(value)}`);
      line.tab = tab === '' ? '\n' : tab === '\\0' ? '\0' : tab;
    }
    if (key === 'z') line.separator = '\0';
    if (key === 'check-order') line.check = 'always';
    if (key === 'nocheck-order') line.check = 'never';
    if (key === 'header') line.header = true;
  }
  const last = tool.operands[tool.operands.length - 1];
  if (last === undefined) tool.usage('missing operand');
  if (tool.operands.length === 1) tool.usage(`missing operand after ${tool.quote(last ?? '')}`);
  tool.noMoreThan(2);
  if (tool.operands[0] === '-' && tool.operands[1] === '-') tool.die('both files cannot be standard input');
  return line;
}

/** The text of one joined line; a missing side is null. */
function joined(
  line: JoinLine,
  one: Row | null,
  other: Row | null,
  counts: readonly [number, number],
): string {
  const glue = line.tab ?? ' ';
  const empty = line.empty ?? '';
  const show = (text: string | undefined): string => (text === undefined || text === '' ? empty : text);
  const key = one !== null ? one.fields[line.fields[0]] : other?.fields[line.fields[1]];
  const rows = [one, other];
  if (line.format !== undefined && line.format !== 'auto')
    return line.format
      .map(([file, field]) => show(file === 0 ? key : (rows[file - 1] ?? null)?.fields[field]))
      .join(glue);
  const parts = [show(key)];
  for (const side of [0, 1] as const) {
    const row = rows[side] ?? null;
    const count = line.format === 'auto' ? counts[side] : (row?.fields.length ?? 0);
    for (let index = 0; index < count; index++)
      if (index !== line.fields[side]) parts.push(show(row?.fields[index]));
  }
  return parts.join(glue);
}

/** The command. */
export const join = defineTool('join', function* (tool) {
  const line = readLine(tool);
  const inputs: Input[] = [];
  for (const [index, name] of tool.operands.entries()) {
    try {
      const fd = name === '-' ? 0 : yield* tool.proc.open(name);
      inputs.push(new Input(tool, tool.lines(fd, line.separator), { side: index === 0 ? 0 : 1, name, line }));
    } catch (error) {
      tool.die(`${tool.path(name)}: ${systemError(error).text}`);
    }
  }
  const [first, second] = inputs;
  if (first === undefined || second === undefined) return 1;
  let hasUnpaired = false;
  yield* first.next(false);
  yield* second.next(false);
  const counts = [first.row?.fields.length ?? 0, second.row?.fields.length ?? 0] as const;
  const show = (one: Row | null, other: Row | null): void =>
    tool.raw(joined(line, one, other, counts) + line.separator);
  if (line.header && (first.row !== null || second.row !== null)) {
    show(first.row, second.row);
    if (first.row !== null) yield* first.next(false, true);
    if (second.row !== null) yield* second.next(false, true);
  }
  while (first.row !== null && second.row !== null) {
    if (first.row.key < second.row.key) {
      hasUnpaired = true;
      if (line.unpaired[0]) show(first.row, null);
      yield* first.next(hasUnpaired);
      continue;
    }
    if (first.row.key > second.row.key) {
      hasUnpaired = true;
      if (line.unpaired[1]) show(null, second.row);
      yield* second.next(hasUnpaired);
      continue;
    }
    const { key }: Row = first.row;
    const ones: Row[] = [];
    const others: Row[] = [];
    for (; first.row !== null && first.row.key === key; yield* first.next(hasUnpaired)) ones.push(first.row);
    for (; second.row !== null && second.row.key === key; yield* second.next(hasUnpaired))
      others.push(second.row);
    if (line.paired)
      for (const one of ones)
        for (const other of others) {
          show(one, other);
          if (tool.io.mustDrain) yield* tool.io.drain();
        }
  }
  const watches = line.check !== 'never';
  for (const side of [0, 1] as const) {
    const input = side === 0 ? first : second;
    const drains = line.unpaired[side] || watches;
    for (; drains && input.row !== null; yield* input.next(true))
      if (line.unpaired[side]) show(side === 0 ? input.row : null, side === 1 ? input.row : null);
  }
  if (first.isDisordered || second.isDisordered) tool.fail('input is not in sorted order');
  return tool.status;
});
