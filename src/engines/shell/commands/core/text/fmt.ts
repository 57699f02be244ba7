/**
 * `fmt` of coreutils 9.1: fills paragraphs with the same costs of line breaks as the original.
 *
 * Source: fmt(1). Knuth and Plass's idea: the breaks of a paragraph that cost least; columns are bytes.
 */
import type { Running } from '../../../kernel/index.js';
import { toBytes } from '../../../kernel/index.js';
import { latin1 } from '../../program/latin1.js';
import { defineOptions } from '../../program/options.js';
import { readSize } from '../../program/size.js';
import { defineTool, systemError, type Tool } from '../../program/tool.js';

const OPTIONS = defineOptions(
  'c,crown-margin p,prefix: s,split-only t,tagged-paragraph u,uniform-spacing w,width: g,goal:',
);

interface Word {
  readonly text: string;
  /** Blanks that follow it. */
  space: number;
  paren: boolean;
  period: boolean;
  punct: boolean;
  final: boolean;
}

interface FmtLine {
  crown: boolean;
  tagged: boolean;
  splitOnly: boolean;
  uniform: boolean;
  prefix: string;
  width: number;
  goal: number;
  otherIndent: number;
  /** A tab was read. */
  tabs: boolean;
}

const square = (value: number): number => value * value;
const SHORT_COST = (short: number): number => square(short * 10);
const RAGGED_COST = (difference: number): number => SHORT_COST(difference) / 2;

function baseCost(words: readonly Word[], at: number): number {
  let cost = square(70);
  const before = words[at - 1];
  const beforeThat = words[at - 2];
  const here = words[at] as Word;
  if (before !== undefined && at > 0) {
    if (before.period) cost = before.final ? cost - square(50) : cost + square(600);
    else if (before.punct) cost -= square(40);
    else if (at > 1 && beforeThat?.final === true) cost += Math.floor(square(200) / (before.text.length + 2));
  }
  if (here.paren) cost -= square(40);
  else if (here.final) cost += Math.floor(square(150) / (here.text.length + 2));
  return cost;
}

/** Where lines of a paragraph begin; index of the first word of each. */
function breaks(words: readonly Word[], line: FmtLine, indents: { first: number; other: number }): number[] {
  const count = words.length;
  const best = new Array<number>(count + 1).fill(0);
  const next = new Array<number>(count + 1).fill(count);
  const lengths = new Array<number>(count + 1).fill(0);
  for (let start = count - 1; start >= 0; start--) {
    let cost = Number.POSITIVE_INFINITY;
    let length = (start === 0 ? indents.first : indents.other) + (words[start] as Word).text.length;
    let end = start;
    for (;;) {
      end += 1;
      let one = 0;
      if (end < count) {
        const short = line.goal - length;
        one = SHORT_COST(short);
        if (next[end] !== count) one += RAGGED_COST(length - (lengths[end] ?? 0));
      }
      one += best[end] ?? 0;
      if (one < cost) {
        cost = one;
        next[start] = end;
        lengths[start] = length;
      }
      if (end === count) break;
      length += (words[end - 1] as Word).space + (words[end] as Word).text.length;
      if (length >= line.width) break;
    }
    best[start] = cost + baseCost(words, start);
  }
  const starts: number[] = [];
  for (let at = 0; at < count; at = next[at] ?? count) starts.push(at);
  return starts;
}

/** Takes a line apart; blanks after sentence ends become two where spacing is uniform. */
function wordsOf(text: string, line: FmtLine): Word[] {
  const words: Word[] = [];
  const parts = text.matchAll(/([^ \t]+)([ \t]*)/g);
  let column = 0;
  for (const [, word = '', blanks = ''] of parts) {
    column += word.length;
    let space = 0;
    for (const blank of blanks) space += blank === '\t' ? 8 - ((column + space) % 8) : 1;
    column += space;
    const bare = word.replace(/['")\]]+$/, '');
    const period = /[.?!]$/.test(bare);
    words.push({
      text: word,
      space,
      paren: /^[([`'"]/.test(word),
      period,
      punct: /[!-/:-@[-`{-~]$/.test(word),
      final: false,
    });
  }
  words.forEach((word, index) => {
    const isLast = index === words.length - 1;
    word.final = word.period && (isLast || word.space > 1);
    if (line.uniform || isLast) word.space = word.final ? 2 : 1;
  });
  return words;
}

function indentOf(text: string): number {
  let column = 0;
  for (const character of text) {
    if (character === ' ') column += 1;
    else if (character === '\t') column += 8 - (column % 8);
    else break;
  }
  return column;
}

interface Row {
  readonly raw: string;
  readonly indent: number;
  readonly body: string;
  /** Blank, or without the prefix. */
  readonly isPlain: boolean;
  readonly prefixIndent: number;
}

function rowOf(raw: string, line: FmtLine): Row {
  const before = indentOf(raw);
  const trimmed = raw.replace(/^[ \t]+/, '');
  const prefix = line.prefix.trim();
  if (!trimmed.startsWith(prefix)) return { raw, indent: 0, body: '', isPlain: true, prefixIndent: before };
  const rest = trimmed.slice(prefix.length);
  const inner = indentOf(rest);
  const body = rest.replace(/^[ \t]+/, '');
  return {
    raw,
    indent: before + prefix.length + inner,
    body,
    isPlain: body.trim() === '',
    prefixIndent: before,
  };
}

/** The indent of all lines but the first; tagged paragraphs of one line keep the one before. */
function otherIndent(line: FmtLine, first: number, second: number | undefined): number {
  if (line.splitOnly) line.otherIndent = first;
  else if (line.crown) line.otherIndent = second ?? first;
  else if (!line.tagged) line.otherIndent = first;
  else if (second !== undefined && second !== first) line.otherIndent = second;
  else if (line.otherIndent === first) line.otherIndent = first === 0 ? 3 : 0;
  return line.otherIndent;
}

/** Blanks between two columns; tabs where the input had some. */
function gap(line: FmtLine, from: number, to: number): string {
  let at = from;
  let text = '';
  const stop = to - (to % 8);
  if (line.tabs && at + 1 < stop)
    while (at < stop) {
      text += '\t';
      at += 8 - (at % 8);
    }
  return text + ' '.repeat(Math.max(0, to - at));
}

/** Prints one paragraph. */
function emit(tool: Tool, line: FmtLine, rows: readonly Row[]): void {
  const [first, second] = rows;
  if (first === undefined) return;
  const other = otherIndent(line, first.indent, second?.indent);
  const words = rows.flatMap((row) => wordsOf(row.body, line));
  const last = words[words.length - 1];
  if (last !== undefined) last.period = last.final = true;
  const prefix = line.prefix.trim();
  const starts = breaks(words, line, { first: first.indent, other });
  starts.forEach((start, index) => {
    const end = starts[index + 1] ?? words.length;
    const indent = index === 0 ? first.indent : other;
    let text = prefix === '' ? '' : gap(line, 0, first.prefixIndent) + prefix;
    let column = prefix === '' ? 0 : first.prefixIndent + prefix.length;
    text += gap(line, column, indent);
    column = Math.max(column, indent);
    for (let at = start; at < end; at++) {
      const word = words[at] as Word;
      text += word.text;
      column += word.text.length;
      if (at === end - 1) break;
      text += gap(line, column, column + word.space);
      column += word.space;
    }
    tool.raw(`${text}\n`);
  });
}

function* formatFile(tool: Tool, line: FmtLine, fd: number): Running<void> {
  const lines = tool.lines(fd);
  let paragraph: Row[] = [];
  const flush = (): void => {
    emit(tool, line, paragraph);
    paragraph = [];
  };
  for (;;) {
    const raw = yield* lines.next();
    if (raw === null) break;
    line.tabs ||= raw.includes('\t');
    const row = rowOf(raw, line);
    if (row.isPlain) {
      flush();
      const isBlank = row.raw.trim() === '';
      tool.raw(isBlank ? '\n' : `${row.raw}\n`);
      continue;
    }
    if (paragraph.length > 0 && !continues(line, paragraph, row)) flush();
    paragraph.push(row);
    if (line.splitOnly) flush();
    if (tool.proc.tick(row.body.length)) yield* tool.proc.pause();
  }
  flush();
}

/** True where a line goes on with the paragraph. */
function continues(line: FmtLine, paragraph: readonly Row[], row: Row): boolean {
  const [first, second] = paragraph;
  if (first === undefined) return true;
  if (line.crown) return second === undefined || row.indent === second.indent;
  if (line.tagged) return second === undefined ? row.indent !== first.indent : row.indent === second.indent;
  return row.indent === first.indent;
}

function readWidth(tool: Tool, text: string, what: string): number {
  const size = readSize(text, '');
  if (typeof size !== 'number') return tool.die(`invalid ${what}: ${tool.quote(text)}`);
  if (size > 2500) return tool.die(`invalid ${what}: ${tool.quote(text)}: Numerical result out of range`);
  return size;
}

/** The command. */
export const fmt = defineTool('fmt', function* (tool) {
  const line: FmtLine = {
    crown: false,
    tagged: false,
    splitOnly: false,
    uniform: false,
    prefix: '',
    width: 75,
    goal: 0,
    otherIndent: 0,
    tabs: false,
  };
  let width: string | undefined;
  let goal: string | undefined;
  const args = /^-\d+$/.test(tool.args[0] ?? '')
    ? [`-w${(tool.args[0] ?? '').slice(1)}`, ...tool.args.slice(1)]
    : tool.args;
  for (const { key, value } of tool.options(OPTIONS, { args })) {
    if (key === 'c') line.crown = true;
    if (key === 't') line.tagged = true;
    if (key === 's') line.splitOnly = true;
    if (key === 'u') line.uniform = true;
    if (key === 'w') width = value;
    if (key === 'g') goal = value;
    if (key === 'p') line.prefix = latin1(toBytes(value ?? ''));
  }
  if (width !== undefined) line.width = readWidth(tool, width, 'width');
  if (goal !== undefined) {
    line.goal = readWidth(tool, goal, 'goal');
    if (width === undefined) line.width = line.goal + 10;
    else if (line.goal > line.width)
      tool.die(`invalid goal: ${tool.quote(goal)}: Numerical result out of range`);
  } else line.goal = Math.floor((line.width * (2 * (100 - 7) + 1)) / 200);
  for (const name of tool.operands.length > 0 ? tool.operands : ['-']) {
    let fd = 0;
    try {
      fd = name === '-' ? 0 : yield* tool.proc.open(name);
    } catch (error) {
      tool.fail(`cannot open ${tool.named(name)} for reading: ${systemError(error).text}`);
      continue;
    }
    try {
      yield* formatFile(tool, line, fd);
    } catch (error) {
      if (systemError(error).code !== 'EISDIR') throw error;
      tool.fail('read error');
    }
    tool.close(fd);
  }
  return tool.status;
});
