/**
 * `cut` of coreutils 9.1: bytes (characters are bytes, too), or fields.
 *
 * Source: cut(1).
 */
import { toBytes } from '../../../kernel/index.js';
import { latin1 } from '../../program/latin1.js';
import { defineOptions } from '../../program/options.js';
import { complementOf, readRanges } from '../../program/ranges.js';
import { defineTool, systemError, type Tool } from '../../program/tool.js';

const OPTIONS = defineOptions(
  'b,bytes: c,characters: f,fields: d,delimiter: n s,only-delimited output-delimiter: complement z,zero-terminated',
);

type Ranges = readonly (readonly [number, number])[];

function cutBytes(line: string, ranges: Ranges, join: string): string {
  const parts: string[] = [];
  for (const [from, to] of ranges) if (from <= line.length) parts.push(line.slice(from - 1, to));
  return parts.join(join);
}

function cutFields(
  line: string,
  ranges: Ranges,
  how: { delimiter: string; join: string; only: boolean },
): string | null {
  if (!line.includes(how.delimiter)) return how.only ? null : line;
  const fields = line.split(how.delimiter);
  const parts: string[] = [];
  for (const [from, to] of ranges)
    for (let index = from; index <= Math.min(to, fields.length); index++)
      parts.push(fields[index - 1] as string);
  return parts.join(how.join);
}

interface CutLine {
  list: string | undefined;
  unit: 'bytes' | 'fields';
  delimiter: string | undefined;
  join: string | undefined;
  only: boolean;
  complement: boolean;
  separator: string;
}

function readLine(tool: Tool): CutLine {
  const line: CutLine = {
    list: undefined,
    unit: 'bytes',
    delimiter: undefined,
    join: undefined,
    only: false,
    complement: false,
    separator: '\n',
  };
  for (const { key, value = '' } of tool.options(OPTIONS)) {
    if (key === 'b' || key === 'c' || key === 'f') {
      if (line.list !== undefined) tool.usage('only one list may be specified');
      line.list = value;
      line.unit = key === 'f' ? 'fields' : 'bytes';
    }
    if (key === 'd') {
      line.delimiter = latin1(toBytes(value));
      if (line.delimiter.length > 1) tool.usage('the delimiter must be a single character');
    }
    if (key === 'output-delimiter') line.join = latin1(toBytes(value)) || '\0';
    if (key === 's') line.only = true;
    if (key === 'complement') line.complement = true;
    if (key === 'z') line.separator = '\0';
  }
  if (line.list === undefined) tool.usage('you must specify a list of bytes, characters, or fields');
  if (line.unit === 'bytes' && line.delimiter !== undefined)
    tool.usage('an input delimiter may be specified only when operating on fields');
  if (line.unit === 'bytes' && line.only)
    tool.usage('suppressing non-delimited lines makes sense\n\tonly when operating on fields');
  return line;
}

/** The command. */
export const cut = defineTool('cut', function* (tool) {
  const line = readLine(tool);
  const isFields = line.unit === 'fields';
  const list = readRanges(line.list ?? '', {
    what: isFields ? 'field' : 'byte/character',
    quote: (text) => tool.quote(text),
  });
  if ('error' in list) return tool.usage(list.error);
  const ranges = line.complement ? complementOf(list.ranges) : list.ranges;
  const delimiter = line.delimiter === undefined ? '\t' : line.delimiter || '\0';
  const join = line.join ?? (isFields ? delimiter : '');
  const how = { delimiter, join, only: line.only };
  for (const name of tool.operands.length > 0 ? tool.operands : ['-']) {
    const fd = yield* tool.input(name);
    if (fd === null) continue;
    const lines = tool.lines(fd, line.separator);
    try {
      for (;;) {
        const text = yield* lines.next();
        if (text === null) break;
        const shown = isFields ? cutFields(text, ranges, how) : cutBytes(text, ranges, join);
        if (shown !== null) tool.raw(shown + line.separator);
      }
    } catch (error) {
      if (systemError(error).code !== 'EISDIR') throw error;
      tool.failed(error, name);
    }
    tool.close(fd);
  }
  return tool.status;
});
