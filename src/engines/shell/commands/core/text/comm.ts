/**
 * `comm` of coreutils 9.1: two sorted files in three columns.
 *
 * Source: comm(1).
 */
import { type Running, toBytes } from '../../../kernel/index.js';
import { latin1 } from '../../program/latin1.js';
import { defineOptions } from '../../program/options.js';
import { defineTool, systemError, type Tool } from '../../program/tool.js';

const OPTIONS = defineOptions('1 2 3 check-order nocheck-order output-delimiter: total z,zero-terminated');

/** One of the two files: its line, and whether disorder was told. */
class Side {
  line: string | null = null;
  isDisordered = false;
  private readonly lines;

  constructor(
    private readonly tool: Tool,
    readonly number: 1 | 2,
    from: { readonly fd: number; readonly separator: string },
  ) {
    this.lines = tool.lines(from.fd, from.separator);
  }

  *advance(check: 'always' | 'default' | 'never', hasUnpaired: () => boolean): Running<void> {
    const before = this.line;
    this.line = yield* this.lines.next();
    if (check === 'never' || before === null || this.line === null || before <= this.line) return;
    if (this.isDisordered || (check === 'default' && !hasUnpaired())) return;
    this.isDisordered = true;
    const message = `file ${this.number} is not in sorted order`;
    if (check === 'always') this.tool.die(message);
    this.tool.warn(message);
  }
}

interface CommLine {
  hidden: Set<string>;
  check: 'always' | 'default' | 'never';
  delimiter: string | undefined;
  total: boolean;
  separator: string;
}

function readLine(tool: Tool): CommLine {
  const line: CommLine = {
    hidden: new Set(),
    check: 'default',
    delimiter: undefined,
    total: false,
    separator: '\n',
  };
  for (const { key, value = '' } of tool.options(OPTIONS)) {
    if ('123'.includes(key)) line.hidden.add(key);
    if (key === 'check-order') line.check = 'always';
    if (key === 'nocheck-order') line.check = 'never';
    if (key === 'total') line.total = true;
    if (key === 'z') line.separator = '\0';
    if (key === 'output-delimiter') {
      const delimiter = latin1(toBytes(value)) || '\0';
      if (line.delimiter !== undefined && line.delimiter !== delimiter)
        tool.die('multiple output delimiters specified');
      line.delimiter = delimiter;
    }
  }
  const last = tool.operands[tool.operands.length - 1];
  if (last === undefined) tool.usage('missing operand');
  if (tool.operands.length === 1) tool.usage(`missing operand after ${tool.quote(last ?? '')}`);
  tool.noMoreThan(2);
  return line;
}

/** The command. */
export const comm = defineTool('comm', function* (tool) {
  const line = readLine(tool);
  const delimiter = line.delimiter ?? '\t';
  const sides: Side[] = [];
  for (const name of tool.operands) {
    try {
      const fd = name === '-' ? 0 : yield* tool.proc.open(name);
      sides.push(new Side(tool, sides.length === 0 ? 1 : 2, { fd, separator: line.separator }));
    } catch (error) {
      tool.die(`${tool.path(name)}: ${systemError(error).text}`);
    }
  }
  const [first, second] = sides;
  if (first === undefined || second === undefined) return 1;
  const counts = { 1: 0, 2: 0, 3: 0 };
  const hasUnpaired = (): boolean => counts[1] + counts[2] > 0;
  const show = (column: 1 | 2 | 3, text: string): void => {
    counts[column] += 1;
    if (line.hidden.has(String(column))) return;
    let indent = '';
    if (column > 1 && !line.hidden.has('1')) indent += delimiter;
    if (column > 2 && !line.hidden.has('2')) indent += delimiter;
    tool.raw(indent + text + line.separator);
  };
  const read = function* (side: Side, index: number): Running<void> {
    try {
      yield* side.advance(line.check, hasUnpaired);
    } catch (error) {
      tool.die(`${tool.path(tool.operands[index] ?? '')}: ${systemError(error).text}`);
    }
  };
  yield* read(first, 0);
  yield* read(second, 1);
  while (first.line !== null || second.line !== null) {
    const order =
      first.line === null
        ? 1
        : second.line === null
          ? -1
          : first.line < second.line
            ? -1
            : first.line > second.line
              ? 1
              : 0;
    show(order < 0 ? 1 : order > 0 ? 2 : 3, (order > 0 ? second.line : first.line) ?? '');
    if (order <= 0) yield* read(first, 0);
    if (order >= 0) yield* read(second, 1);
  }
  if (line.total)
    tool.raw(
      `${counts[1]}${delimiter}${counts[2]}${delimiter}${counts[3]}${delimiter}total${line.separator}`,
    );
  if (first.isDisordered || second.isDisordered) {
    tool.fail('input is not in sorted order');
  }
  return tool.status;
});
