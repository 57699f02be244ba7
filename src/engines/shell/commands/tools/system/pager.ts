/**
 * `less` 590 and `more` of util-linux 2.38: a pager on a terminal, `cat` elsewhere.
 *
 * Source: less(1), more(1). Options about looks are read and have no effect, except `-F`, `-N`, `-S`, `-X`.
 */
import { type Running, SystemError, toText } from '../../../kernel/index.js';
import { defineOptions } from '../../program/options.js';
import { terminalSize } from '../../program/terminal-size.js';
import { defineTool, type Tool } from '../../program/tool.js';
import { helpText } from '../help-texts.js';
import { page } from './pager-view.js';

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
    const isTerminal = tool.proc.isatty(1);
    if (tool.operands.length === 0 && tool.proc.isatty(0)) {
      tool.io.err('Missing filename ("less --help" for help)\n');
      return 1;
    }
    for (const name of tool.operands.length > 0 ? tool.operands : ['-']) {
      const text = yield* contentOf(tool, name);
      if (text === undefined) continue;
      if (!isTerminal) {
        // Only the first file is copied.
        tool.io.out(text);
        break;
      }
      yield* show(tool, { name: name === '-' ? '' : name, text: toText(text), flags });
      if (tool.io.mustDrain) yield* tool.io.drain();
    }
    return tool.status;
  },
  { sizeBytes: 199_048 },
);

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

function* show(
  tool: Tool,
  {
    name,
    text,
    flags,
  }: { readonly name: string; readonly text: string; readonly flags: ReadonlySet<string> },
): Running<void> {
  const lines = text.replace(/\n$/, '').split('\n');
  const numbered = flags.has('N') ? lines.map((line, at) => `${String(at + 1).padStart(7)} ${line}`) : lines;
  if (flags.has('F') && lines.length < terminalSize(tool).rows) {
    tool.out(text.endsWith('\n') || text === '' ? text : `${text}\n`);
    return;
  }
  yield* page(tool, { name, lines: numbered, isLess: true, chops: flags.has('S') });
}

/** The command `more`. */
export const more = defineTool(
  'more',
  function* (tool) {
    const args = tool.args.filter((word) => !/^[-+]\d+$/.test(word) && !word.startsWith('+'));
    for (const { key } of tool.options(MORE, { args })) {
      if (key === 'h') tool.help();
      if (key === 'V') tool.version();
    }
    const isTerminal = tool.proc.isatty(1);
    if (tool.operands.length === 0 && tool.proc.isatty(0)) {
      tool.io.err("more: bad usage\nTry 'more --help' for more information.\n");
      return 1;
    }
    const names = tool.operands.length > 0 ? tool.operands : ['-'];
    for (const name of names) yield* moreOf(tool, name, { isTerminal, isOne: names.length === 1 });
    return 0;
  },
  { texts: helpText('more'), sizeBytes: 51_592 },
);

function* moreOf(
  tool: Tool,
  name: string,
  { isTerminal, isOne }: { readonly isTerminal: boolean; readonly isOne: boolean },
): Running<void> {
  let bytes: Uint8Array;
  try {
    if (name !== '-' && tool.proc.stat(name).kind === 'directory') {
      tool.out(`\n*** ${name}: directory ***\n\n`);
      return;
    }
    bytes = name === '-' ? yield* tool.proc.readAll(0) : yield* tool.proc.readFile(name);
  } catch (error) {
    if (!(error instanceof SystemError)) throw error;
    tool.io.err(`more: cannot open ${name}: ${error.text}\n`);
    return;
  }
  const header = `::::::::::::::\n${name}\n::::::::::::::\n`;
  if (name !== '-' && (!isOne || !isTerminal || bytes.length === 0)) tool.out(header);
  const text = toText(bytes);
  const lines = text.replace(/\n$/, '').split('\n');
  if (!isTerminal || lines.length < terminalSize(tool).rows) {
    tool.io.out(bytes);
    if (tool.io.mustDrain) yield* tool.io.drain();
    return;
  }
  yield* page(tool, { name, lines, isLess: false, chops: false });
}
