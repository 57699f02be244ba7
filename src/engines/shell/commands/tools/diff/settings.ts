/**
 * The command line of diff 3.8 as settings.
 *
 * Not covered: group formats, conditions in line formats, `--speed-large-files` and the like (read, change nothing).
 */
import { Exit, type Io, type Process } from '../../../kernel/index.js';
import { defineOptions, parseLine } from '../../program/options.js';
import { helpText } from '../help-texts.js';
import { parsePosix } from '../regex/parse-posix.js';
import { Regex } from '../regex/regex.js';
import { RegexSyntaxError } from '../regex/regex-tree.js';

/** What one run of diff does. */
export interface DiffSettings {
  style: 'normal' | 'unified' | 'context' | 'side' | 'ed' | 'rcs' | 'merged';
  /** The name of -D. */
  ifdef: string | undefined;
  /** Formats of lines, for the merged style. */
  readonly formats: { old: string; new: string; unchanged: string };
  context: number;
  brief: boolean;
  reportSame: boolean;
  recursive: boolean;
  newFile: boolean;
  newFirst: boolean;
  text: boolean;
  ignoreCase: boolean;
  space: 'all' | 'amount' | 'trailing' | 'none';
  tabs: boolean;
  carriage: boolean;
  blankLines: boolean;
  ignored: Regex | undefined;
  functions: Regex | undefined;
  readonly labels: string[];
  readonly excluded: string[];
  width: number;
  leftColumn: boolean;
  suppressCommon: boolean;
  expand: boolean;
  initialTab: boolean;
  suppressBlank: boolean;
  colour: boolean;
  operands: readonly string[];
}

const TABLE = defineOptions(
  '0 1 2 3 4 5 6 7 8 9 normal q,brief s,report-identical-files c C: context:: u U: unified:: e,ed n,rcs y,side-by-side W,width: left-column ' +
    'suppress-common-lines p,show-c-function F,show-function-line: label,L: t,expand-tabs T,initial-tab tabsize: suppress-blank-empty l,paginate ' +
    'r,recursive no-dereference N,new-file unidirectional-new-file P ignore-file-name-case no-ignore-file-name-case x,exclude: X,exclude-from: ' +
    'S,starting-file: from-file: to-file: i,ignore-case E,ignore-tab-expansion Z,ignore-trailing-space b,ignore-space-change w,ignore-all-space ' +
    'B,ignore-blank-lines I,ignore-matching-lines: a,text strip-trailing-cr D,ifdef: line-format: old-line-format: ' +
    'new-line-format: unchanged-line-format: old-group-format: new-group-format: changed-group-format: unchanged-group-format: d,minimal ' +
    'horizon-lines: H,speed-large-files color:: palette: h binary v,version',
  'help',
);

/** Tells what is wrong and ends with status 2. */
function usage(io: Io, message: string): never {
  io.error(message);
  io.error("Try 'diff --help' for more information.");
  throw new Exit(2);
}

function initial(): DiffSettings {
  return {
    style: 'normal',
    ifdef: undefined,
    formats: { old: '%l\n', new: '%l\n', unchanged: '%l\n' },
    context: 3,
    brief: false,
    reportSame: false,
    recursive: false,
    newFile: false,
    newFirst: false,
    text: false,
    ignoreCase: false,
    space: 'none',
    tabs: false,
    carriage: false,
    blankLines: false,
    ignored: undefined,
    functions: undefined,
    labels: [],
    excluded: [],
    width: 130,
    leftColumn: false,
    suppressCommon: false,
    expand: false,
    initialTab: false,
    suppressBlank: false,
    colour: false,
    operands: [],
  };
}

/** Options that choose a format and may set its context. */
const STYLES: Readonly<Record<string, DiffSettings['style']>> = {
  U: 'unified',
  unified: 'unified',
  C: 'context',
  context: 'context',
  D: 'merged',
  'line-format': 'merged',
  'old-line-format': 'merged',
  'new-line-format': 'merged',
  'unchanged-line-format': 'merged',
};

const SIMPLE: Readonly<Record<string, Partial<DiffSettings>>> = {
  normal: { style: 'normal' },
  q: { brief: true },
  s: { reportSame: true },
  c: { style: 'context' },
  u: { style: 'unified' },
  e: { style: 'ed' },
  n: { style: 'rcs' },
  y: { style: 'side' },
  'left-column': { leftColumn: true },
  'suppress-common-lines': { suppressCommon: true },
  t: { expand: true },
  T: { initialTab: true },
  r: { recursive: true },
  N: { newFile: true },
  P: { newFirst: true },
  'unidirectional-new-file': { newFirst: true },
  i: { ignoreCase: true },
  E: { tabs: true },
  Z: { space: 'trailing' },
  b: { space: 'amount' },
  w: { space: 'all' },
  B: { blankLines: true },
  a: { text: true },
  'strip-trailing-cr': { carriage: true },
  'suppress-blank-empty': { suppressBlank: true },
};

/** Reads the command line. Ends the command where it is wrong. */
export function readDiffSettings(proc: Process, io: Io): DiffSettings {
  const settings = initial();
  const { hits, operands, error } = parseLine(proc.argv.slice(1), TABLE);
  let digits = '';
  let chosen: string | undefined;
  for (const { key, value } of hits) {
    if (/^\d$/.test(key)) {
      digits += key;
      continue;
    }
    const style = SIMPLE[key]?.style ?? STYLES[key];
    if (style !== undefined) {
      if (chosen !== undefined && chosen !== style) usage(io, 'conflicting output style options');
      chosen = style;
      settings.style = style;
    }
    apply({ settings, io, proc }, key, value);
  }
  if (error !== undefined) {
    io.error(error);
    io.error("Try 'diff --help' for more information.");
    throw new Exit(2);
  }
  if (settings.functions !== undefined && chosen === undefined) settings.style = 'context';
  if (digits !== '') settings.context = Number(digits);
  settings.operands = operands;
  const last = proc.argv[proc.argv.length - 1] ?? 'diff';
  if (operands.length < 2) usage(io, `missing operand after '${operands.length === 0 ? 'diff' : last}'`);
  if (operands.length > 2) usage(io, `extra operand '${operands[2] ?? ''}'`);
  return settings;
}

type Target = { readonly settings: DiffSettings; readonly io: Io; readonly proc: Process };

function apply({ settings, io, proc }: Target, key: string, value: string | undefined): void {
  const simple = Object.hasOwn(SIMPLE, key) ? SIMPLE[key] : undefined;
  if (simple !== undefined) {
    Object.assign(settings, simple);
    return;
  }
  switch (key) {
    case 'U':
    case 'C':
    case 'unified':
    case 'context':
      if (value !== undefined) {
        if (!/^\d+$/.test(value)) usage(io, `invalid context length '${value}'`);
        settings.context = Number(value);
      }
      return;
    case 'W':
      if (!/^[1-9]\d*$/.test(value ?? '')) usage(io, `invalid width '${value ?? ''}'`);
      settings.width = Number(value);
      return;
    case 'label':
      settings.labels.push(value ?? '');
      if (settings.labels.length > 2) usage(io, 'too many file label options');
      return;
    case 'D':
      settings.ifdef = value ?? '';
      return;
    case 'line-format':
      Object.assign(settings.formats, { old: value, new: value, unchanged: value });
      return;
    case 'old-line-format':
    case 'new-line-format':
    case 'unchanged-line-format':
      Object.assign(settings.formats, { [key.replace('-line-format', '')]: value });
      return;
    case 'x':
      settings.excluded.push(value ?? '');
      return;
    case 'p':
      settings.functions = expression(io, '^[[:alpha:]$_]');
      return;
    case 'F':
      settings.functions = expression(io, value ?? '');
      return;
    case 'I':
      settings.ignored = expression(io, value ?? '');
      return;
    case 'color':
      if (!['always', 'never', 'auto'].includes(value ?? 'auto')) usage(io, `invalid color '${value ?? ''}'`);
      settings.colour = value === 'always' || (value !== 'never' && proc.isatty(1));
      return;
    case 'v':
      io.out(helpText('diff').version);
      throw new Exit(0);
    case 'help':
      io.out(helpText('diff').help);
      throw new Exit(0);
    default:
  }
}

function expression(io: Io, source: string): Regex {
  try {
    return new Regex(
      parsePosix(source, {
        extended: false,
        danglingRepeat: 'literal',
        literalBadInterval: true,
        literalRightParen: true,
        ignoreCase: false,
      }),
    );
  } catch (error) {
    if (!(error instanceof RegexSyntaxError)) throw error;
    io.error(`${source}: ${error.message}`);
    throw new Exit(2);
  }
}
