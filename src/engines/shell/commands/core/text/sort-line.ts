/**
 * The command line of `sort`: options, keys (`-k 2,2nr`, old `+1 -2`), and what is wrong with them.
 *
 * Source: sort(1) and the messages of coreutils 9.1.
 */
import { type Running, toBytes } from '../../../kernel/index.js';
import { latin1 } from '../../program/latin1.js';
import { defineOptions } from '../../program/options.js';
import { readSize } from '../../program/size.js';
import { systemError, type Tool } from '../../program/tool.js';

const OPTIONS = defineOptions(
  'b,ignore-leading-blanks c check:: C compress-program: debug d,dictionary-order f,ignore-case files0-from: ' +
    'g,general-numeric-sort h,human-numeric-sort i,ignore-nonprinting k,key: m,merge M,month-sort n,numeric-sort o,output: ' +
    'batch-size: parallel: R,random-sort random-source: r,reverse s,stable S,buffer-size: sort: t,field-separator: ' +
    'T,temporary-directory: u,unique V,version-sort y:: z,zero-terminated',
);
const SORT_WORDS = [
  ['general-numeric'],
  ['human-numeric'],
  ['month'],
  ['numeric'],
  ['random'],
  ['version'],
] as const;
const SORT_LETTERS: Readonly<Record<string, string>> = {
  'general-numeric': 'g',
  'human-numeric': 'h',
  month: 'M',
  numeric: 'n',
  random: 'R',
  version: 'V',
};

/** How one key compares: letters of `d f g h i M n R V r`; blanks are skipped at its ends where told. */
export interface SortKey {
  startField: number;
  startChar: number;
  skipStartBlanks: boolean;
  /** Undefined: to the end of the line. */
  endField: number | undefined;
  endChar: number;
  skipEndBlanks: boolean;
  letters: Set<string>;
}

/** Everything a command line of `sort` says. */
export interface SortLine {
  keys: SortKey[];
  letters: Set<string>;
  tab: string | undefined;
  check: 'no' | 'quiet' | 'diagnose';
  merge: boolean;
  unique: boolean;
  stable: boolean;
  output: string | undefined;
  separator: string;
}

function badKey(tool: Tool, spec: string, message: string): never {
  return tool.die(`${message}: invalid field specification ${tool.quote(spec)}`);
}

/** Reads `-k POS1[,POS2]`. */
function readKey(tool: Tool, spec: string): SortKey {
  const key: SortKey = {
    startField: 0,
    startChar: 0,
    skipStartBlanks: false,
    endField: undefined,
    endChar: 0,
    skipEndBlanks: false,
    letters: new Set(),
  };
  let rest = spec;
  const take = (message: string): number => {
    const digits = /^\d+/.exec(rest)?.[0];
    if (digits === undefined) tool.die(`${message}: invalid count at start of ${tool.quote(rest)}`);
    rest = rest.slice(digits?.length ?? 0);
    return Number(digits);
  };
  const flags = (isEnd: boolean): void => {
    for (; /^[bdfghiMnRrV]/.test(rest); rest = rest.slice(1)) {
      const letter = rest[0] ?? '';
      if (letter !== 'b') key.letters.add(letter);
      else if (isEnd) key.skipEndBlanks = true;
      else key.skipStartBlanks = true;
    }
  };
  key.startField = take('invalid number at field start') - 1;
  if (key.startField < 0) badKey(tool, spec, 'field number is zero');
  if (rest.startsWith('.')) {
    rest = rest.slice(1);
    key.startChar = take("invalid number after '.'") - 1;
    if (key.startChar < 0) badKey(tool, spec, 'character offset is zero');
  }
  flags(false);
  if (rest.startsWith(',')) {
    rest = rest.slice(1);
    key.endField = take("invalid number after ','") - 1;
    if (key.endField < 0) badKey(tool, spec, 'field number is zero');
    if (rest.startsWith('.')) {
      rest = rest.slice(1);
      key.endChar = take("invalid number after '.'");
    }
    flags(true);
  }
  if (rest !== '') badKey(tool, spec, 'stray character in field spec');
  return key;
}

function readTab(tool: Tool, value: string): string {
  const tab = latin1(toBytes(value));
  if (tab === '') tool.die('empty tab');
  if (tab.length > 1 && tab !== '\\0') tool.die(`multi-character tab ${tool.quote(value)}`);
  return tab === '\\0' ? '\0' : tab;
}

/** Options that only have to be well formed. */
function checkValue(tool: Tool, key: string, value: string): void {
  if (key === 'S') {
    const size = readSize(value.replace(/%$/, ''), 'EgGkKmMPtTYZb');
    if (size === 'invalid') tool.die(`invalid -S argument ${tool.named(value)}`);
  }
  if (key === 'parallel' || key === 'batch-size') {
    const count = readSize(value, '');
    if (typeof count !== 'number') tool.die(`invalid --${key} argument ${tool.named(value)}`);
    if (key === 'parallel' && count === 0) tool.die('number in parallel must be nonzero');
    if (key === 'batch-size' && count < 2) {
      tool.warn(`invalid --batch-size argument ${tool.named(value)}`);
      tool.die(`minimum --batch-size argument is ${tool.named('2')}`);
    }
  }
}

/** The old `+POS1 -POS2`, as `-k`. */
function oldKeys(args: readonly string[]): readonly string[] {
  const result: string[] = [];
  for (let index = 0; index < args.length; index++) {
    const start = /^\+(\d+)(?:\.(\d+))?([bdfghiMnRrV]*)$/.exec(args[index] ?? '');
    if (start === null) {
      result.push(args[index] ?? '');
      continue;
    }
    let spec = `${Number(start[1]) + 1}${start[2] === undefined ? '' : `.${Number(start[2]) + 1}`}${start[3]}`;
    const end = /^-(\d+)(?:\.(\d+))?([bdfghiMnRrV]*)$/.exec(args[index + 1] ?? '');
    if (end !== null) {
      const chars = Number(end[2] ?? 0);
      spec += chars > 0 ? `,${Number(end[1]) + 1}.${chars}${end[3]}` : `,${end[1]}${end[3]}`;
      index += 1;
    }
    result.push('-k', spec);
  }
  return result;
}

function checkLetters(tool: Tool, letters: ReadonlySet<string>): void {
  const kinds = [...'dfghiMnRV'].filter((letter) => letters.has(letter));
  const numeric = ['n', 'g', 'h', 'M'].filter((letter) => letters.has(letter));
  const others =
    (letters.has('V') ? 1 : 0) + (letters.has('R') ? 1 : 0) + (letters.has('d') || letters.has('i') ? 1 : 0);
  if (numeric.length + others <= 1) return;
  const shown = kinds.filter((letter) => letter !== 'f').join('');
  tool.die(`options '-${shown}' are incompatible`);
}

function* namesFrom(tool: Tool, from: string): Running<string[]> {
  if (tool.operands[0] !== undefined) {
    tool.warn(`extra operand ${tool.named(tool.operands[0])}`);
    tool.io.err('file operands cannot be combined with --files0-from\n');
    tool.usage();
  }
  try {
    const text = yield* tool.proc.readText(from === '-' ? '/dev/stdin' : from);
    const names = text.replace(/\0$/, '').split('\0');
    if (text === '') tool.die(`no input from ${tool.named(from)}`);
    return names;
  } catch (error) {
    return tool.die(`open failed: ${tool.path(from)}: ${systemError(error).text}`);
  }
}

/** Reads the command line; wrong ones end the program. */
export function* readSortLine(tool: Tool): Running<SortLine> {
  const line: SortLine = {
    keys: [],
    letters: new Set(),
    tab: undefined,
    check: 'no',
    merge: false,
    unique: false,
    stable: false,
    output: undefined,
    separator: '\n',
  };
  let from: string | undefined;
  for (const { key, value } of tool.options(OPTIONS, { args: oldKeys(tool.args) })) {
    if (key.length === 1 && 'bdfghiMnRrV'.includes(key)) line.letters.add(key);
    else if (key === 'sort')
      line.letters.add(SORT_LETTERS[tool.choice('--sort', value ?? '', SORT_WORDS, 1)] ?? '');
    else if (key === 'c' || key === 'check' || key === 'C') {
      const word =
        key === 'C'
          ? 'quiet'
          : value === undefined
            ? 'diagnose-first'
            : tool.choice('--check', value, [['quiet', 'silent'], ['diagnose-first']], 1);
      const kind = word === 'quiet' ? 'quiet' : 'diagnose';
      if (line.check !== 'no' && line.check !== kind) tool.die("options '-cC' are incompatible");
      line.check = kind;
    } else if (key === 'k') line.keys.push(readKey(tool, value ?? ''));
    else if (key === 'm') line.merge = true;
    else if (key === 'u') line.unique = true;
    else if (key === 's') line.stable = true;
    else if (key === 'o') {
      if (line.output !== undefined && line.output !== value) tool.die('multiple output files specified');
      line.output = value;
    } else if (key === 't') {
      const tab = readTab(tool, value ?? '');
      if (line.tab !== undefined && line.tab !== tab) tool.die('incompatible tabs');
      line.tab = tab;
    } else if (key === 'z') line.separator = '\0';
    else if (key === 'random-source') {
      const name = value ?? '';
      tool.attempt(
        () => tool.proc.access(name, 4),
        (error) => tool.die(`open failed: ${tool.path(name)}: ${error.text}`),
      );
    } else if (key === 'files0-from') from = value;
    else checkValue(tool, key, value ?? '');
  }
  if (from !== undefined) tool.operands = yield* namesFrom(tool, from);
  checkLetters(tool, line.letters);
  for (const key of line.keys) checkLetters(tool, key.letters);
  if (line.check !== 'no') {
    if (tool.operands[1] !== undefined)
      tool.die(
        `extra operand ${tool.named(tool.operands[1])} not allowed with -${line.check === 'quiet' ? 'C' : 'c'}`,
      );
    if (line.output !== undefined)
      tool.die(`options '-${line.check === 'quiet' ? 'C' : 'c'}o' are incompatible`);
  }
  return line;
}
