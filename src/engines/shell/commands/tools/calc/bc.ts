/**
 * `bc` of GNU bc 1.07.1: the calculator with its language, `-l` included.
 *
 * Input is taken chunk by chunk, as bc does: a line with a mistake is left out and the next one runs. Source: bc(1). Not
 * covered, asked instead: `read()`, `random()`, Bessel functions.
 */
import { type Running, SystemError, toText } from '../../../kernel/index.js';
import { bytesOf } from '../../program/latin1.js';
import { defineOptions } from '../../program/options.js';
import { defineTool, type Tool } from '../../program/tool.js';
import { unknownProgram } from '../../program/unknown-program.js';
import { helpText } from '../help-texts.js';
import { bcTokens, isWholeChunk } from './bc-lexer.js';
import { BcParser, BcSyntaxError } from './bc-parser.js';
import { BcRun, BcStop } from './bc-run.js';
import { lineLength, WrappedOutput } from './wrapped-output.js';

const TABLE = defineOptions('h,help i,interactive l,mathlib q,quiet s,standard v,version w,warn', '');
const FOREIGN = /\b(?:read|random)\s*\(|\bj\s*\(/;
const BANNER = `bc 1.07.1
Copyright 1991-1994, 1997, 1998, 2000, 2004, 2006, 2008, 2012-2017 Free Software Foundation, Inc.
This is free software with ABSOLUTELY NO WARRANTY.
For details type \`warranty'. 
`;

/** The command. */
export const bc = defineTool(
  'bc',
  function* (tool) {
    const asked = new Set<string>();
    for (const { key } of tool.options(TABLE, { onError: () => help(tool) })) asked.add(key);
    if (asked.has('h')) help(tool);
    if (asked.has('v')) tool.version();
    if (asked.has('s') || asked.has('w')) return yield* unknownProgram('bc')(tool.proc);
    const isTerminal = tool.proc.isatty(0) && tool.proc.isatty(1);
    if (isTerminal && !asked.has('q')) tool.out(BANNER);
    yield* calculate(tool, asked.has('l'));
    return 0;
  },
  { texts: helpText('bc'), sizeBytes: 84_360 },
);

function help(tool: Tool): never {
  tool.out(helpText('bc').help);
  return tool.exit(0);
}

function* calculate(tool: Tool, hasLibrary: boolean): Running<void> {
  const output = new WrappedOutput(tool.io, lineLength(tool.env('BC_LINE_LENGTH')));
  const say = (message: string): void => tool.io.err(`${message}\n`);
  const run = new BcRun(tool.proc, output, say, hasLibrary);
  for (const name of tool.operands) {
    let text: string;
    try {
      text = yield* tool.proc.readText(name);
    } catch (error) {
      if (!(error instanceof SystemError)) throw error;
      say(`File ${name} is unavailable.`);
      tool.exit(1);
    }
    yield* source(tool, run, { name, next: textLines(text) });
  }
  const lines = tool.lines(0);
  const next = function* (): Running<string | null> {
    const line = yield* lines.next();
    return line === null ? null : toText(bytesOf(line));
  };
  yield* source(tool, run, { name: '(standard_in)', next });
}

function textLines(text: string): () => Running<string | null> {
  const rest = text.split('\n');
  if (rest.at(-1) === '') rest.pop();
  // biome-ignore lint/correctness/useYield: a text does not wait
  return function* () {
    return rest.shift() ?? null;
  };
}

/** Runs one source to its end. */
function* source(
  tool: Tool,
  run: BcRun,
  from: { readonly name: string; readonly next: () => Running<string | null> },
): Running<void> {
  let count = 1;
  for (;;) {
    let chunk = '';
    let isAtEnd = false;
    const first = count;
    do {
      const line = yield* from.next();
      if (line === null) isAtEnd = true;
      else {
        chunk += `${line}\n`;
        count += 1;
      }
    } while (!isAtEnd && !isWholeChunk(chunk));
    if (chunk !== '') yield* runChunk(tool, run, { name: from.name, chunk, first });
    if (tool.io.mustDrain) yield* tool.io.drain();
    if (isAtEnd) return;
  }
}

function* runChunk(
  tool: Tool,
  run: BcRun,
  { name, chunk, first }: { readonly name: string; readonly chunk: string; readonly first: number },
): Running<void> {
  if (FOREIGN.test(chunk)) tool.exit(yield* unknownProgram('bc')(tool.proc));
  const tokens = bcTokens(chunk, first);
  const parser = new BcParser(tokens);
  try {
    while (!parser.isAtEnd) {
      const made = parser.line();
      if (!Array.isArray(made)) run.define(made);
      else {
        if (made.some((one) => one.kind === 'quit')) tool.exit(0);
        yield* run.line(made);
      }
    }
  } catch (error) {
    if (error instanceof BcStop) tool.exit(0);
    if (!(error instanceof BcSyntaxError)) throw error;
    tool.io.err(`${name} ${error.line}: ${error.message}\n`);
  }
}
