/**
 * `less` 590 and `more` of util-linux 2.38: a pager on a terminal, `cat` elsewhere.
 *
 * Source: less(1), more(1). Options about looks are read and have no effect, except `-F`, `-N`, `-S`, `-X`.
 */
import { type Running, SystemError } from '../../../kernel/index.js';
import { defineOptions } from '../../program/options.js';
import { terminalSize } from '../../program/terminal-size.js';
import { defineTool, type Tool } from '../../program/tool.js';
import { helpText } from '../help-texts.js';
import { showLess } from './less-view.js';
import { showMore } from './more-view.js';
import { PagerText } from './pager-text.js';

const LESS = defineOptions(
  'F,quit-if-one-screen N,LINE-NUMBERS S,chop-long-lines X,no-init R,RAW-CONTROL-CHARS r,raw-control-chars i,ignore-case I,IGNORE-CASE ' +
    'E,QUIT-AT-EOF e,quit-at-eof n,line-numbers s,squeeze-blank-lines M,LONG-PROMPT m,long-prompt g G f,force K q,quiet Q,QUIET ' +
    'c C a A J W w u U L B d b: h: j: k: o: O: p: P: t: T: x: y: z: D: V,version help,?',
  '',
);
const MORE = defineOptions(
  'd,silent f,logical l,no-pause c,print-over p,clean-print e,exit-on-eof s,squeeze u,plain n,lines: h,help V,version',
  '',
);

/** The command `less`. */
export const less = defineTool(
  'less',
  function* (tool) {
    const flags = new Set<string>();
    const args = tool.args.filter((word) => !/^\+/.test(word));
    const onError = (): never => {
      return tool.exit(1);
    };
    for (const { key } of tool.options(LESS, { args, onError })) flags.add(key);
    if (flags.has('V')) {
      tool.out(
        'less 590 (GNU regular expressions)\nCopyright (C) 1984-2021  Mark Nudelman\n\nless comes with NO WARRANTY, to the extent permitted by law.\nFor information about the terms of redistribution,\nsee the file named README in the less distribution.\nHome page: https://greenwoodsoftware.com/less\n',
      );
      return 0;
    }
    if (tool.operands.length === 0 && tool.proc.isatty(0)) {
      tool.io.err('Missing filename ("less --help" for help)\n');
      return 1;
    }
    const names = tool.operands.length > 0 ? tool.operands : ['-'];
    if (tool.proc.isatty(1)) yield* lessOnTerminal(tool, names, flags);
    else yield* copyFirst(tool, names);
    return tool.status;
  },
  { sizeBytes: 199_048 },
);

/** Where output is no terminal, the first file is copied. */
function* copyFirst(tool: Tool, names: readonly string[]): Running<void> {
  for (const name of names) {
    const bytes = yield* contentOf(tool, name);
    if (bytes === undefined) continue;
    tool.io.out(bytes);
    if (tool.io.mustDrain) yield* tool.io.drain();
    return;
  }
}

function* lessOnTerminal(tool: Tool, names: readonly string[], flags: ReadonlySet<string>): Running<void> {
  const texts: PagerText[] = [];
  for (const name of names) {
    if (name === '-') texts.push(new PagerText('', tool, { fd: 0 }));
    else {
      const whole = yield* contentOf(tool, name);
      if (whole !== undefined) texts.push(new PagerText(name, tool, { whole }));
    }
  }
  const [only] = texts;
  if (only === undefined) return;
  if (flags.has('F') && texts.length === 1) {
    const { rows } = terminalSize(tool);
    yield* only.need(rows);
    if (only.isOver && only.lines.length < rows) {
      tool.out(only.lines.map((line) => `${line}\n`).join(''));
      return;
    }
  }
  const first = tool.args.find((word) => word.startsWith('+'))?.slice(1);
  yield* showLess(tool, texts, {
    chops: flags.has('S'),
    numbers: flags.has('N'),
    staysOnScreen: flags.has('X'),
    quits: flags.has('E') ? 'first' : flags.has('e') ? 'second' : null,
    prompt: flags.has('M') ? 'long' : flags.has('m') ? 'medium' : 'short',
    first,
  });
}

/** Where nothing is a terminal, less complains on standard output. */
function complain(tool: Tool, message: string): void {
  if (tool.proc.isatty(1)) tool.io.err(message);
  else tool.out(message);
}

function* contentOf(tool: Tool, name: string): Running<Uint8Array | undefined> {
  try {
    if (name === '-') return yield* tool.proc.readAll(0);
    if (tool.proc.stat(name).kind === 'directory') {
      complain(tool, `${name} is a directory\n`);
      return undefined;
    }
    return yield* tool.proc.readFile(name);
  } catch (error) {
    if (!(error instanceof SystemError)) throw error;
    complain(tool, `${name}: ${error.text}\n`);
    return undefined;
  }
}

/** The command `more`. */
export const more = defineTool(
  'more',
  function* (tool) {
    const args = tool.args.filter((word) => !/^[-+]\d+$/.test(word) && !word.startsWith('+'));
    let exitsAtEnd = false;
    for (const { key } of tool.options(MORE, { args })) {
      if (key === 'h') tool.help();
      if (key === 'V') tool.version();
      exitsAtEnd ||= key === 'e';
    }
    const isTerminal = tool.proc.isatty(1);
    if (tool.operands.length === 0 && tool.proc.isatty(0)) {
      tool.io.err("more: bad usage\nTry 'more --help' for more information.\n");
      return 1;
    }
    const names = tool.operands.length > 0 ? tool.operands : ['-'];
    for (const name of names)
      if (!(yield* moreOf(tool, name, { isTerminal, isOne: names.length === 1, exitsAtEnd }))) break;
    return 0;
  },
  { texts: helpText('more'), sizeBytes: 51_592 },
);

/** One file of `more`; false when no other one is wanted. */
function* moreOf(
  tool: Tool,
  name: string,
  {
    isTerminal,
    isOne,
    exitsAtEnd,
  }: { readonly isTerminal: boolean; readonly isOne: boolean; readonly exitsAtEnd: boolean },
): Running<boolean> {
  let bytes: Uint8Array | undefined;
  try {
    if (name !== '-' && tool.proc.stat(name).kind === 'directory') {
      tool.out(`\n*** ${name}: directory ***\n\n`);
      return true;
    }
    if (name !== '-') bytes = yield* tool.proc.readFile(name);
    else if (!isTerminal) bytes = yield* tool.proc.readAll(0);
  } catch (error) {
    if (!(error instanceof SystemError)) throw error;
    tool.io.err(`more: cannot open ${name}: ${error.text}\n`);
    return true;
  }
  const hasHeader = name !== '-' && (!isOne || !isTerminal || bytes?.length === 0);
  if (hasHeader) tool.out(`::::::::::::::\n${name}\n::::::::::::::\n`);
  if (isTerminal) {
    const text = new PagerText(name, tool, bytes === undefined ? { fd: 0 } : { whole: bytes });
    return yield* showMore(tool, text, {
      exitsAtEnd,
      hasSize: bytes !== undefined,
      headerRows: hasHeader ? 3 : 0,
    });
  }
  tool.io.out(bytes ?? new Uint8Array(0));
  if (tool.io.mustDrain) yield* tool.io.drain();
  return true;
}
