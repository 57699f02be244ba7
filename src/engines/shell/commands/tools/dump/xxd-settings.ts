/**
 * The command line of `xxd` (2022-01-14): options of one dash that may be written out, one argument behind each.
 *
 * Source: xxd(1). Not covered: `-R` (colours came later).
 */
import type { Tool } from '../../program/tool.js';
import { helpText } from '../help-texts.js';

/** What one run of xxd does. */
export interface XxdSettings {
  kind: 'hex' | 'plain' | 'bits' | 'little' | 'include';
  reverse: boolean;
  autoskip: boolean;
  capital: boolean;
  ebcdic: boolean;
  decimal: boolean;
  upper: boolean;
  /** Undefined: the default of the kind. */
  columns: number | undefined;
  group: number | undefined;
  length: number | undefined;
  seek: number;
  fromEnd: boolean;
  offset: number;
  name: string | undefined;
  input: string;
  output: string | undefined;
}

const FLAGS: Readonly<Record<string, (settings: XxdSettings) => void>> = {
  a: (settings) => {
    settings.autoskip = !settings.autoskip;
  },
  b: (settings) => {
    settings.kind = 'bits';
  },
  e: (settings) => {
    settings.kind = 'little';
  },
  u: (settings) => {
    settings.upper = true;
  },
  p: (settings) => {
    settings.kind = 'plain';
  },
  i: (settings) => {
    settings.kind = 'include';
  },
  C: (settings) => {
    settings.capital = true;
  },
  d: (settings) => {
    settings.decimal = true;
  },
  r: (settings) => {
    settings.reverse = true;
  },
  E: (settings) => {
    settings.ebcdic = true;
  },
};

/** C's `strtol` with base 0: what it cannot read is 0. */
function number(text: string): number {
  const match = /^\s*([+-]?)(0[xX][0-9a-fA-F]+|0[0-7]*|[1-9]\d*)/.exec(text);
  if (match === null) return 0;
  const [, sign, digits = '0'] = match;
  const value = /^0[0-7]+$/.test(digits) ? Number.parseInt(digits, 8) : Number(digits);
  return sign === '-' ? -value : value;
}

function usage(tool: Tool): never {
  tool.io.err(helpText('xxd').help.replaceAll('xxd [options]', `${tool.name} [options]`));
  return tool.exit(1);
}

/** Reads the command line. Ends the command where it is wrong. */
export function readXxdSettings(tool: Tool): XxdSettings {
  const settings: XxdSettings = {
    kind: 'hex',
    reverse: false,
    autoskip: false,
    capital: false,
    ebcdic: false,
    decimal: false,
    upper: false,
    columns: undefined,
    group: undefined,
    length: undefined,
    seek: 0,
    fromEnd: false,
    offset: 0,
    name: undefined,
    input: '-',
    output: undefined,
  };
  const words = [...tool.args];
  while (words[0]?.startsWith('-') === true && words[0] !== '-') {
    const word = (words.shift() ?? '').replace(/^--/, '-');
    if (word === '-') break;
    option(tool, settings, { word, words });
  }
  if (words.length > 2) usage(tool);
  settings.input = words[0] ?? '-';
  settings.output = words[1];
  return settings;
}

function option(tool: Tool, settings: XxdSettings, at: { word: string; words: string[] }): void {
  const letter = /^-ps/.test(at.word) ? 'p' : (at.word[1] ?? '');
  const flag = FLAGS[letter];
  if (flag !== undefined) {
    flag(settings);
    return;
  }
  if (letter === 'v') {
    tool.io.err(helpText('xxd').version);
    tool.exit(0);
  }
  if (!'cglsno'.includes(letter)) usage(tool);
  // `-l5`, `-l 5` and `-len 5` mean the same.
  const written = at.word.slice(2);
  const isOwn = written !== '' && !/^(ols|roup|en|kip|eek|ame|ff)/.test(written);
  const value = isOwn ? written : at.words.shift();
  if (value === undefined) usage(tool);
  takeValue(tool, settings, { letter, value });
}

function takeValue(
  tool: Tool,
  settings: XxdSettings,
  { letter, value }: { letter: string; value: string },
): void {
  if (letter === 'c') settings.columns = number(value);
  else if (letter === 'g') settings.group = number(value);
  else if (letter === 'l') settings.length = number(value);
  else if (letter === 'n') settings.name = value;
  else if (letter === 'o') settings.offset = number(value);
  else {
    settings.seek = Math.abs(number(value.replace(/^\+/, '')));
    settings.fromEnd = /^\+?-/.test(value);
  }
  if (letter === 'c' && (settings.columns ?? 0) > 256 && settings.kind !== 'plain')
    tool.die('invalid number of columns (max. 256).');
}
