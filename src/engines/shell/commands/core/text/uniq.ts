/**
 * `uniq` of coreutils 9.1: neighbouring lines that are the same.
 *
 * Source: uniq(1); the old forms `-2` and `+3` too.
 */
import type { Running } from '../../../kernel/index.js';
import { defineOptions } from '../../program/options.js';
import { readSize } from '../../program/size.js';
import { defineTool, systemError, type Tool } from '../../program/tool.js';

const OPTIONS = defineOptions(
  'c,count d,repeated D all-repeated:: group:: f,skip-fields: i,ignore-case s,skip-chars: u,unique w,check-chars: ' +
    'z,zero-terminated 0 1 2 3 4 5 6 7 8 9',
);
const FOLLOWED = [['none'], ['prepend'], ['separate']] as const;
const GROUPS = [['prepend'], ['append'], ['separate'], ['both']] as const;

interface UniqLine {
  counts: boolean;
  repeated: boolean;
  unique: boolean;
  all: string | undefined;
  group: string | undefined;
  fields: number;
  characters: number;
  width: number;
  ignoreCase: boolean;
  separator: string;
}

function number(tool: Tool, text: string, message: string): number {
  const value = readSize(text, '');
  if (value === 'overflow') return Number.MAX_SAFE_INTEGER;
  if (value === 'invalid') tool.die(`${text}: ${message}`);
  return value;
}

function readLine(tool: Tool): UniqLine {
  const line: UniqLine = {
    counts: false,
    repeated: false,
    unique: false,
    all: undefined,
    group: undefined,
    fields: 0,
    characters: 0,
    width: Number.POSITIVE_INFINITY,
    ignoreCase: false,
    separator: '\n',
  };
  let digits = '';
  let isExclusive = false;
  for (const { key, value } of tool.options(OPTIONS)) {
    if (/\d/.test(key)) {
      digits += key;
      line.fields = Number(digits);
    } else digits = '';
    if ('cduD'.includes(key) || key === 'all-repeated') isExclusive = true;
    if (key === 'c') line.counts = true;
    if (key === 'd') line.repeated = true;
    if (key === 'u') line.unique = true;
    if (key === 'i') line.ignoreCase = true;
    if (key === 'z') line.separator = '\0';
    if (key === 'D' || key === 'all-repeated') {
      line.repeated = true;
      line.all = value === undefined ? 'none' : tool.choice('--all-repeated', value, FOLLOWED);
    }
    if (key === 'group')
      line.group = value === undefined ? 'separate' : tool.choice('--group', value, GROUPS);
    if (key === 'f') line.fields = number(tool, value ?? '', 'invalid number of fields to skip');
    if (key === 's') line.characters = number(tool, value ?? '', 'invalid number of bytes to skip');
    if (key === 'w') line.width = number(tool, value ?? '', 'invalid number of bytes to compare');
  }
  tool.noMoreThan(2);
  if (line.group !== undefined && isExclusive) tool.usage('--group is mutually exclusive with -c/-d/-D/-u');
  if (line.all !== undefined && line.counts)
    tool.usage('printing all duplicated lines and repeat counts is meaningless');
  return line;
}

/** What of a line is compared. */
function keyOf(text: string, line: UniqLine): string {
  let at = 0;
  for (let left = line.fields; left > 0 && at < text.length; left--) {
    while (text[at] === ' ' || text[at] === '\t') at += 1;
    while (at < text.length && text[at] !== ' ' && text[at] !== '\t') at += 1;
  }
  at = Math.min(text.length, at + line.characters);
  const key = text.slice(at, at + line.width);
  return line.ignoreCase ? key.replace(/[a-z]+/g, (letters) => letters.toUpperCase()) : key;
}

/** Lines that go together, printed when the next group begins (or at once, where all are shown). */
function* everyLine(tool: Tool, line: UniqLine, next: () => Running<string | null>): Running<void> {
  const method = line.group ?? line.all ?? 'none';
  const isGroup = line.group !== undefined;
  let first: string | null = yield* next();
  let hasPrinted = false;
  while (first !== null) {
    const key = keyOf(first, line);
    const members: string[] = [first];
    let other: string | null = yield* next();
    let isOpen = isGroup;
    const open = (): void => {
      if (method === 'prepend' || method === 'both' || (method === 'separate' && hasPrinted)) {
        if (!(method === 'both' && hasPrinted)) tool.raw(line.separator);
      }
      hasPrinted = true;
    };
    if (isGroup) open();
    while (other !== null && keyOf(other, line) === key) {
      if (!isOpen) open();
      isOpen = true;
      for (const member of members.splice(0)) tool.raw(member + line.separator);
      tool.raw(other + line.separator);
      other = yield* next();
    }
    if (isGroup) for (const member of members) tool.raw(member + line.separator);
    if (isGroup && (method === 'append' || method === 'both')) tool.raw(line.separator);
    first = other;
  }
}

function* oneOfEach(tool: Tool, line: UniqLine, next: () => Running<string | null>): Running<void> {
  let first: string | null = yield* next();
  while (first !== null) {
    const key = keyOf(first, line);
    let count = 1;
    let other: string | null = yield* next();
    while (other !== null && keyOf(other, line) === key) {
      count += 1;
      other = yield* next();
    }
    const isShown =
      line.repeated && line.unique ? false : line.repeated ? count > 1 : line.unique ? count === 1 : true;
    if (isShown) tool.raw((line.counts ? `${String(count).padStart(7)} ` : '') + first + line.separator);
    first = other;
  }
}

/** The command. */
export const uniq = defineTool('uniq', function* (tool) {
  const line = readLine(tool);
  const [from = '-', to = '-'] = tool.operands;
  const fd = yield* tool.input(from);
  if (fd === null) return 1;
  if (to !== '-')
    try {
      tool.proc.dup2(yield* tool.proc.open(to, { write: true, create: true, truncate: true }), 1);
    } catch (error) {
      tool.failed(error, to);
      return 1;
    }
  const lines = tool.lines(fd, line.separator);
  const next = (): Running<string | null> => lines.next();
  try {
    if (line.group !== undefined || line.all !== undefined) yield* everyLine(tool, line, next);
    else yield* oneOfEach(tool, line, next);
  } catch (error) {
    if (systemError(error).code !== 'EISDIR') throw error;
    tool.die(`error reading ${tool.quote(from)}`);
  }
  return tool.status;
});
