/**
 * `shuf` of coreutils 9.1, by the machine's seeded chance.
 *
 * Source: shuf(1). Not covered: `--random-source` is read for being there, the order is the machine's.
 */
import { toBytes } from '../../../kernel/index.js';
import { latin1 } from '../../program/latin1.js';
import { defineOptions } from '../../program/options.js';
import { readSize } from '../../program/size.js';
import { defineTool, systemError, type Tool } from '../../program/tool.js';

const OPTIONS = defineOptions(
  'e,echo i,input-range: n,head-count: o,output: random-source: r,repeat z,zero-terminated',
);
const MAX_LINES = 5_000_000;

interface ShufLine {
  echo: boolean;
  range: readonly [number, number] | undefined;
  count: number;
  output: string | undefined;
  repeat: boolean;
  end: string;
}

function readRange(tool: Tool, text: string): readonly [number, number] {
  const match = /^(\d+)-(\d+)$/.exec(text);
  if (match === null || Number(match[1]) > Number(match[2]) + 1) {
    return tool.die(`invalid input range: ${tool.quote(text)}`);
  }
  return [Number(match[1]), Number(match[2])];
}

function readLine(tool: Tool): ShufLine {
  const line: ShufLine = {
    echo: false,
    range: undefined,
    count: Infinity,
    output: undefined,
    repeat: false,
    end: '\n',
  };
  for (const { key, value = '' } of tool.options(OPTIONS)) {
    if (key === 'e') line.echo = true;
    if (key === 'i') {
      if (line.range !== undefined) tool.die('multiple -i options specified');
      line.range = readRange(tool, value);
    }
    if (key === 'n') {
      const count = readSize(value, '');
      if (count === 'invalid') tool.die(`invalid line count: ${tool.quote(value)}`);
      if (typeof count === 'number') line.count = Math.min(line.count, count);
    }
    if (key === 'o') {
      if (line.output !== undefined && line.output !== value) tool.die('multiple output files specified');
      line.output = value;
    }
    if (key === 'r') line.repeat = true;
    if (key === 'z') line.end = '\0';
  }
  if (line.echo && line.range !== undefined) tool.usage('cannot combine -e and -i options');
  if (!line.echo) tool.noMoreThan(line.range === undefined ? 1 : 0);
  return line;
}

/** The command. */
export const shuf = defineTool('shuf', function* (tool) {
  const line = readLine(tool);
  let items: string[] = [];
  if (line.echo) items = tool.operands.map((word) => latin1(toBytes(word)));
  else if (line.range !== undefined) {
    const [low, high] = line.range;
    if (high - low > MAX_LINES) tool.die('memory exhausted');
    for (let value = low; value <= high; value++) items.push(String(value));
  } else {
    const name = tool.operands[0] ?? '-';
    try {
      const fd = name === '-' ? 0 : yield* tool.proc.open(name);
      items = yield* tool.lines(fd, line.end).all();
    } catch (error) {
      const failure = systemError(error);
      tool.die(
        failure.code === 'EISDIR' ? `read error: ${failure.text}` : `${tool.path(name)}: ${failure.text}`,
      );
    }
  }
  if (line.output !== undefined) {
    try {
      tool.proc.dup2(yield* tool.proc.open(line.output, { write: true, create: true, truncate: true }), 1);
    } catch (error) {
      tool.die(`${tool.path(line.output)}: ${systemError(error).text}`);
    }
  }
  const pick = (from: number, to: number): number => from + Math.floor(tool.proc.random() * (to - from));
  if (line.repeat) {
    if (items.length === 0 && line.count > 0) tool.die('no lines to repeat');
    for (let count = 0; count < line.count; count++) {
      tool.raw(items[pick(0, items.length)] + line.end);
      if (tool.io.mustDrain) yield* tool.io.drain();
    }
    return tool.status;
  }
  const count = Math.min(line.count, items.length);
  for (let index = 0; index < count; index++) {
    const other = pick(index, items.length);
    const chosen = items[other] as string;
    items[other] = items[index] as string;
    tool.raw(chosen + line.end);
    if (tool.io.mustDrain) yield* tool.io.drain();
  }
  return tool.status;
});
