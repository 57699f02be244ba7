/**
 * `hexdump` and `hd` of util-linux 2.38.
 *
 * Source: hexdump(1). The named displays are format strings as users write them. Not covered: colours.
 */
import { joinBytes, type Running } from '../../../kernel/index.js';
import { bytesOf } from '../../program/latin1.js';
import { defineOptions } from '../../program/options.js';
import { readSize } from '../../program/size.js';
import { defineTool, type Tool } from '../../program/tool.js';
import { helpText } from '../help-texts.js';
import { BadFormat, type FormatUnit, parseFormat } from './hexdump-format.js';
import { formatSize, printBlock, printEnd, stretch } from './hexdump-print.js';

const TABLE = defineOptions(
  'b,one-byte-octal c,one-byte-char C,canonical d,two-bytes-decimal o,two-bytes-octal x,two-bytes-hex L,color:: ' +
    'e,format: f,format-file: n,length: s,skip: v,no-squeezing help,h version,V',
  '',
);
const END = '"%07.7_Ax\n"';
const CANONICAL = ['"%08.8_Ax\n"', '"%08.8_ax  " 8/1 "%02x " "  " 8/1 "%02x "', '"  |" 16/1 "%_p" "|\\n"'];
const DISPLAYS: Readonly<Record<string, readonly string[]>> = {
  b: [END, '"%07.7_ax " 16/1 "%03o " "\\n"'],
  c: [END, '"%07.7_ax " 16/1 "%3_c " "\\n"'],
  C: CANONICAL,
  d: [END, '"%07.7_ax " 8/2 "  %05u " "\\n"'],
  o: [END, '"%07.7_ax " 8/2 " %06o " "\\n"'],
  x: [END, '"%07.7_ax " 8/2 "   %04x " "\\n"'],
};
const DEFAULT = [END, '"%07.7_ax " 8/2 "%04x " "\\n"'];

interface Settings {
  readonly formats: FormatUnit[][];
  length: number | undefined;
  skip: number;
  squeezes: boolean;
}

/** The command. */
export const hexdump = dumper('hexdump');

/** The same under the name that means `-C`. */
export const hd = dumper('hd');

function dumper(name: string) {
  return defineTool(
    name,
    function* (tool) {
      const settings = yield* readSettings(tool);
      const bytes = yield* input(tool, settings);
      if (bytes === undefined) return 1;
      yield* show(tool, settings, bytes);
      return tool.status;
    },
    { texts: helpText('hexdump') },
  );
}

function* readSettings(tool: Tool): Running<Settings> {
  const settings: Settings = { formats: [], length: undefined, skip: 0, squeezes: true };
  const add = (text: string): void => {
    try {
      settings.formats.push(parseFormat(text));
    } catch (error) {
      if (!(error instanceof BadFormat)) throw error;
      tool.die(error.message);
    }
  };
  if (tool.name.endsWith('hd')) CANONICAL.forEach(add);
  for (const { key, value = '' } of tool.options(TABLE)) {
    if (key === 'v') settings.squeezes = false;
    else if (key === 'n') settings.length = size(tool, value, 'length');
    else if (key === 's') settings.skip = size(tool, value, 'skip');
    else if (key === 'e') add(value);
    else if (key === 'f') {
      const fd = yield* tool.input(value);
      if (fd === null) return tool.exit(1);
      for (const line of yield* tool.lines(fd).all()) if (/^\s*[^#\s]/.test(line)) add(line);
    } else DISPLAYS[key]?.forEach(add);
  }
  if (settings.formats.length === 0) DEFAULT.forEach(add);
  return settings;
}

function size(tool: Tool, value: string, what: string): number {
  const hexadecimal = /^0x[0-9a-f]+$/i.test(value) ? Number(value) : undefined;
  const read = hexadecimal ?? readSize(value, 'KMGTPEZY0');
  if (typeof read !== 'number' && typeof read !== 'bigint') tool.die(`failed to parse ${what}: '${value}'`);
  return Number(read);
}

/** All operands as one stream, from the skipped place on; undefined where none could be opened. */
function* input(tool: Tool, settings: Settings): Running<Uint8Array | undefined> {
  const parts: Uint8Array[] = [];
  for (const name of tool.operands.length > 0 ? tool.operands : ['-']) {
    const fd = yield* tool.input(name);
    if (fd === null) continue;
    if (settings.skip > 0 && parts.length === 0 && tool.proc.file(fd).stat().kind === 'fifo')
      tool.die(`${name === '-' ? 'stdin' : name}: Illegal seek`);
    parts.push(yield* tool.proc.readAll(fd));
    tool.close(fd);
  }
  if (parts.length === 0) {
    tool.warn('all input file arguments failed');
    return undefined;
  }
  const whole = joinBytes(parts).subarray(settings.skip);
  return settings.length === undefined ? whole : whole.subarray(0, settings.length);
}

function* show(tool: Tool, settings: Settings, bytes: Uint8Array): Running<void> {
  const { formats } = settings;
  const blockSize = Math.max(...formats.map(formatSize));
  if (blockSize === 0) return;
  for (const format of formats) stretch(format, blockSize);
  const withData = formats.filter((format) =>
    format.some((unit) => unit.conversions.some((one) => one.kind !== 'end-address')),
  );
  let last = '';
  let isSqueezed = false;
  for (let at = 0; at < bytes.length; at += blockSize) {
    const real = bytes.subarray(at, at + blockSize);
    const isWhole = real.length === blockSize;
    const key = String.fromCharCode(...real);
    if (settings.squeezes && isWhole && key === last) {
      if (!isSqueezed) tool.out('*\n');
      isSqueezed = true;
      continue;
    }
    [last, isSqueezed] = [key, false];
    const filled = new Uint8Array(blockSize);
    filled.set(real);
    const block = { bytes: filled, real: real.length, address: at + settings.skip };
    for (const format of withData) tool.io.out(bytesOf(printBlock(format, block)));
    if (tool.io.mustDrain) yield* tool.io.drain();
  }
  if (bytes.length === 0) return;
  for (const format of formats) tool.out(printEnd(format, settings.skip + bytes.length));
}
