/**
 * `strings` of GNU binutils 2.40: runs of printable characters in any file.
 *
 * Source: strings(1). Not covered: `--data` (sections of object files), `--unicode`, `@FILE`, `-T`.
 */
import { latin1 } from '../../program/latin1.js';
import { defineOptions } from '../../program/options.js';
import { defineTool, type Tool } from '../../program/tool.js';
import { STRINGS_HELP, STRINGS_VERSION } from './strings-texts.js';

const TABLE = defineOptions(
  'a,all d,data f,print-file-name n,bytes: t,radix: w,include-all-whitespace o T,target: e,encoding: U,unicode: ' +
    's,output-separator: help,h version,v,V 0 1 2 3 4 5 6 7 8 9',
  '',
);
const RADIX: Readonly<Record<string, number>> = { o: 8, d: 10, x: 16 };
/** Bytes of a character, by the letter of its encoding. */
const UNITS: Readonly<Record<string, number>> = { s: 1, S: 1, b: 2, l: 2, B: 4, L: 4 };
const OFFSET_WIDTH = 7;

interface Settings {
  least: number;
  radix: number | undefined;
  names: boolean;
  blanks: boolean;
  encoding: string;
  separator: string;
}

/** The command. */
export const strings = defineTool(
  'strings',
  function* (tool) {
    const settings = readSettings(tool);
    for (const name of tool.operands.length > 0 ? tool.operands : ['-']) {
      if (name !== '-' && !tool.proc.exists(name)) {
        tool.fail(`'${name}': No such file`);
        continue;
      }
      if (name !== '-' && tool.proc.stat(name).kind === 'directory') {
        tool.fail(`Warning: '${name}' is a directory`);
        continue;
      }
      const fd = yield* tool.input(name);
      if (fd === null) continue;
      show(tool, settings, {
        name: name === '-' ? '{standard input}' : name,
        text: latin1(yield* tool.proc.readAll(fd)),
      });
      tool.close(fd);
      if (tool.io.mustDrain) yield* tool.io.drain();
    }
  },
  { sizeBytes: 33_976, texts: { help: STRINGS_HELP, version: STRINGS_VERSION } },
);

function readSettings(tool: Tool): Settings {
  const settings: Settings = {
    least: 4,
    radix: undefined,
    names: false,
    blanks: false,
    encoding: 's',
    separator: '\n',
  };
  let digits = '';
  // What ends the options is told with the whole help, not with a pointer to it.
  for (const { key, value = '' } of tool.options(TABLE, { onError: () => help(tool) })) {
    if (/^\d$/.test(key)) digits += key;
    else if (key === 'n') settings.least = leastOf(tool, value);
    else if (key === 't') settings.radix = RADIX[value] ?? help(tool);
    else if (key === 'o') settings.radix = 8;
    else if (key === 'f') settings.names = true;
    else if (key === 'w') settings.blanks = true;
    else if (key === 's') settings.separator = value;
    else if (key === 'e') settings.encoding = /^[sSblBL]$/.test(value) ? value : help(tool);
  }
  if (digits !== '') settings.least = leastOf(tool, digits);
  return settings;
}

function help(tool: Tool): never {
  tool.io.err(STRINGS_HELP.replace(/^Report bugs.*\n/m, ''));
  return tool.exit(1);
}

function leastOf(tool: Tool, value: string): number {
  if (!/^(0x[\da-f]+|\d+)$/i.test(value)) tool.die(`invalid integer argument ${value}`);
  if (Number(value) < 1) tool.die(`invalid minimum string length ${Number(value)}`);
  return Number(value);
}

function show(tool: Tool, settings: Settings, { name, text }: { name: string; text: string }): void {
  const unit = UNITS[settings.encoding] ?? 1;
  for (const [at, found] of unit === 1 ? narrow(text, settings) : wide(text, settings, unit)) {
    const file = settings.names ? `${name}: ` : '';
    const offset =
      settings.radix === undefined ? '' : `${at.toString(settings.radix).padStart(OFFSET_WIDTH)} `;
    tool.raw(`${file}${offset}${found}${settings.separator}`);
  }
}

function classOf(settings: Settings): string {
  return `[\\t\\x20-\\x7e${settings.blanks ? '\\n\\v\\f\\r' : ''}${settings.encoding === 'S' ? '\\x80-\\xff' : ''}]`;
}

function* narrow(text: string, settings: Settings): Generator<readonly [number, string]> {
  for (const match of text.matchAll(new RegExp(`${classOf(settings)}{${settings.least},}`, 'g')))
    yield [match.index, match[0]];
}

/** Characters of two or four bytes whose other bytes are zero. */
function* wide(text: string, settings: Settings, unit: number): Generator<readonly [number, string]> {
  const zeros = `\\x00{${unit - 1}}`;
  const one =
    settings.encoding === 'l' || settings.encoding === 'L'
      ? `${classOf(settings)}${zeros}`
      : `${zeros}${classOf(settings)}`;
  for (const match of text.matchAll(new RegExp(`(?:${one}){${settings.least},}`, 'g')))
    yield [match.index, match[0].replaceAll('\0', '')];
}
