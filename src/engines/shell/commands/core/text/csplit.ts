/**
 * `csplit` of coreutils 9.1: cuts a file at line numbers and at lines that match.
 *
 * Source: csplit(1). Patterns are basic regular expressions of the simple kind.
 */
import type { Running } from '../../../kernel/index.js';
import { basicRegex, RegexError } from '../../program/basic-regex.js';
import { bytesOf } from '../../program/latin1.js';
import { defineOptions } from '../../program/options.js';
import { readSize } from '../../program/size.js';
import { defineTool, systemError, type Tool } from '../../program/tool.js';

const OPTIONS = defineOptions(
  'b,suffix-format: f,prefix: k,keep-files n,digits: s,silent,quiet suppress-matched z,elide-empty-files',
);

interface CutRule {
  readonly word: string;
  readonly line: number | undefined;
  readonly regex: RegExp | undefined;
  readonly skips: boolean;
  readonly offset: number;
  repeat: number;
}

interface CsplitLine {
  prefix: string;
  digits: number;
  format: string | undefined;
  keep: boolean;
  silent: boolean;
  suppress: boolean;
  elide: boolean;
}

function readRule(tool: Tool, word: string): CutRule {
  if (word.startsWith('/') || word.startsWith('%')) {
    const mark = word[0] ?? '/';
    const end = word.lastIndexOf(mark);
    if (end === 0) tool.die(`${word}: closing delimiter '${mark}' missing`);
    const offset = word.slice(end + 1);
    if (offset !== '' && !/^[+-]?\d+$/.test(offset)) tool.die(`${word}: integer expected after delimiter`);
    try {
      const regex = basicRegex(word.slice(1, end));
      return { word, line: undefined, regex, skips: mark === '%', offset: Number(offset || 0), repeat: 0 };
    } catch (error) {
      if (!(error instanceof RegexError)) throw error;
      return tool.die(`${word}: invalid regular expression: ${error.message}`);
    }
  }
  if (!/^\d+$/.test(word)) tool.die(`${tool.quote(word)}: invalid pattern`);
  if (Number(word) === 0) tool.die(`${word}: line number must be greater than zero`);
  return { word, line: Number(word), regex: undefined, skips: false, offset: 0, repeat: 0 };
}

function readRules(tool: Tool, words: readonly string[]): CutRule[] {
  const rules: CutRule[] = [];
  for (const word of words) {
    const last = rules[rules.length - 1];
    if (word.startsWith('{') && last !== undefined) {
      const count = /^\{(\*|\d+)\}$/.exec(word)?.[1];
      if (count === undefined)
        tool.die(
          `${word}: ${word.endsWith('}') ? "integer required between '{' and '}'" : "'}' is required in repeat count"}`,
        );
      last.repeat = count === '*' ? Number.POSITIVE_INFINITY : Number(count);
      continue;
    }
    const rule = readRule(tool, word);
    const before = rules.filter((one) => one.line !== undefined).pop();
    if (rule.line !== undefined && before?.line !== undefined) {
      if (rule.line < before.line)
        tool.die(`line number ${tool.quote(word)} is smaller than preceding line number, ${before.line}`);
      if (rule.line === before.line)
        tool.warn(`warning: line number ${tool.quote(word)} is the same as preceding line number`);
    }
    rules.push(rule);
  }
  return rules;
}

/** Writes the pieces; on a failure takes away what it made. */
class Cutter {
  private at = 0;
  private readonly made: string[] = [];

  constructor(
    private readonly tool: Tool,
    private readonly line: CsplitLine,
    private readonly lines: readonly string[],
  ) {}

  private name(): string {
    const number = String(this.made.length);
    const { format, prefix, digits } = this.line;
    if (format === undefined) return prefix + number.padStart(digits, '0');
    return (
      prefix +
      format.replace(/%(0?)(\d*)[dui]/, (_, zero: string, width: string) =>
        number.padStart(Number(width || 0), zero === '0' ? '0' : ' '),
      )
    );
  }

  *piece(to: number): Running<void> {
    const { tool, line } = this;
    const text = this.lines.slice(this.at, Math.max(this.at, to)).join('');
    this.at = Math.max(this.at, to);
    if (text === '' && line.elide) return;
    const name = this.name();
    try {
      const fd = yield* tool.proc.open(name, { write: true, create: true, truncate: true });
      this.made.push(name);
      yield* tool.proc.write(fd, bytesOf(text));
      tool.proc.close(fd);
    } catch (error) {
      this.fail(`${tool.path(name)}: ${systemError(error).text}`);
    }
    if (!line.silent) tool.out(`${text.length}\n`);
  }

  skip(to: number): void {
    this.at = Math.max(this.at, to);
  }

  fail(message: string): never {
    if (!this.line.keep)
      for (const name of this.made)
        this.tool.attempt(
          () => this.tool.proc.unlink(name),
          () => undefined,
        );
    return this.tool.die(message);
  }

  *byLine(rule: CutRule, round: number): Running<void> {
    const wanted = (rule.line ?? 1) * (round + 1) - 1;
    if (wanted > this.lines.length || (wanted >= this.lines.length && this.at >= this.lines.length)) {
      yield* this.piece(this.lines.length);
      const again = round > 0 ? ` on repetition ${round}` : '';
      this.fail(`${this.tool.quote(rule.word)}: line number out of range${again}`);
    }
    yield* this.piece(wanted);
    if (this.line.suppress) this.skip(wanted + 1);
  }

  *byRegex(rule: CutRule, round: number): Running<boolean> {
    let found = round > 0 || this.at > 0 ? this.at + 1 : this.at;
    if (this.line.suppress) found = this.at;
    while (
      found < this.lines.length &&
      rule.regex?.test((this.lines[found] ?? '').replace(/\n$/, '')) !== true
    )
      found += 1;
    if (found >= this.lines.length) {
      if (rule.repeat === Number.POSITIVE_INFINITY) return false;
      if (!rule.skips) yield* this.piece(this.lines.length);
      const again = round > 0 ? ` on repetition ${round}` : '';
      this.fail(`${this.tool.quote(rule.word)}: match not found${again}`);
    }
    const cut = found + rule.offset;
    if (cut < this.at || cut > this.lines.length)
      this.fail(`${this.tool.quote(rule.word)}: line number out of range`);
    if (rule.skips) this.skip(cut);
    else yield* this.piece(cut);
    if (this.line.suppress) this.skip(cut + 1);
    return true;
  }
}

function readLine(tool: Tool): CsplitLine {
  const line: CsplitLine = {
    prefix: 'xx',
    digits: 2,
    format: undefined,
    keep: false,
    silent: false,
    suppress: false,
    elide: false,
  };
  for (const { key, value = '' } of tool.options(OPTIONS)) {
    if (key === 'b') line.format = value;
    if (key === 'f') line.prefix = value;
    if (key === 'k') line.keep = true;
    if (key === 'n') {
      const digits = readSize(value, '');
      if (typeof digits !== 'number') tool.die(`invalid number: ${tool.quote(value)}`);
      line.digits = Number(digits);
    }
    if (key === 's') line.silent = true;
    if (key === 'suppress-matched') line.suppress = true;
    if (key === 'z') line.elide = true;
  }
  const [first] = tool.operands;
  if (first === undefined) tool.usage('missing operand');
  if (tool.operands.length < 2) tool.usage(`missing operand after ${tool.quote(first ?? '')}`);
  return line;
}

/** The command. */
export const csplit = defineTool('csplit', function* (tool) {
  const line = readLine(tool);
  const [name = '-', ...words] = tool.operands;
  const rules = readRules(tool, words);
  let lines: string[];
  try {
    const fd = name === '-' ? 0 : yield* tool.proc.open(name);
    const reader = tool.lines(fd);
    lines = (yield* reader.all()).map((text) => `${text}\n`);
    const last = lines.length - 1;
    if (!reader.endedWithSeparator && last >= 0) lines[last] = (lines[last] ?? '').replace(/\n$/, '');
  } catch (error) {
    const failure = systemError(error);
    const what =
      failure.code === 'EISDIR'
        ? `read error: ${failure.text}`
        : `cannot open ${tool.named(name)} for reading: ${failure.text}`;
    return tool.die(what);
  }
  const cutter = new Cutter(tool, line, lines);
  for (const rule of rules) {
    for (let round = 0; round <= rule.repeat; round++) {
      if (rule.line !== undefined) yield* cutter.byLine(rule, round);
      else if (!(yield* cutter.byRegex(rule, round))) break;
      if (tool.proc.tick(5)) yield* tool.proc.pause();
    }
  }
  yield* cutter.piece(lines.length);
  return tool.status;
});
