/**
 * `cmp` of GNU diffutils 3.8.
 *
 * Source: cmp(1). Status 0 for the same, 1 for a difference, 2 for trouble.
 */
import {
  type Command,
  Exit,
  type Io,
  type Process,
  type Running,
  SystemError,
} from '../../../kernel/index.js';
import { defineOptions, parseLine } from '../../program/options.js';
import { readSize } from '../../program/size.js';
import { helpText } from '../help-texts.js';

const TABLE = defineOptions(
  'b,print-bytes i,ignore-initial: l,verbose n,bytes: s,quiet,silent v,version',
  'help',
);

/** The command. */
export const cmp: Command = {
  name: 'cmp',
  path: '/usr/bin/cmp',
  sizeBytes: 43_912,
  failStatus: 2,
  run: (proc, io) => run(proc, io),
};

interface Settings {
  bytes: boolean;
  verbose: boolean;
  silent: boolean;
  limit: number;
  skips: [number, number];
}

function usage(io: Io, message: string): never {
  io.error(message);
  io.error("Try 'cmp --help' for more information.");
  throw new Exit(2);
}

function number(io: Io, text: string, what: string): number {
  const value = readSize(text, 'kKMGTPEZY0');
  if (typeof value === 'number') return value;
  return usage(io, `invalid ${what} '${text}'`);
}

function* run(proc: Process, io: Io): Running<number> {
  const { hits, operands, error } = parseLine(proc.argv.slice(1), TABLE);
  const settings: Settings = {
    bytes: false,
    verbose: false,
    silent: false,
    limit: Number.POSITIVE_INFINITY,
    skips: [0, 0],
  };
  for (const { key, value = '' } of hits) {
    if (key === 'b') settings.bytes = true;
    else if (key === 'l') settings.verbose = true;
    else if (key === 's') settings.silent = true;
    else if (key === 'n') settings.limit = number(io, value, '--bytes value');
    else if (key === 'i') {
      const [first = '', second] = value.split(':');
      const skip = number(io, first, '--ignore-initial value');
      settings.skips = [skip, second === undefined ? skip : number(io, second, '--ignore-initial value')];
    } else if (key === 'v' || key === 'help') {
      io.out(key === 'v' ? helpText('cmp').version : helpText('cmp').help);
      return 0;
    }
  }
  if (error !== undefined) usage(io, error);
  if (settings.verbose && settings.silent) usage(io, 'options -l and -s are incompatible');
  const [first, second = '-', ...more] = operands;
  if (first === undefined) usage(io, "missing operand after 'cmp'");
  if (more.length > 2) usage(io, `extra operand '${more[2] ?? ''}'`);
  more.forEach((text, at) => {
    settings.skips[at as 0 | 1] = number(io, text, '--ignore-initial value');
  });
  const contents: Uint8Array[] = [];
  for (const [at, name] of [first, second].entries()) {
    const bytes = yield* read(proc, io, { name, silent: settings.silent });
    if (bytes === undefined) return 2;
    contents.push(bytes.subarray(settings.skips[at as 0 | 1]));
  }
  const [a = new Uint8Array(0), b = new Uint8Array(0)] = contents;
  return compare(io, settings, { names: [first, second], a, b });
}

function* read(
  proc: Process,
  io: Io,
  { name, silent }: { readonly name: string; readonly silent: boolean },
): Running<Uint8Array | undefined> {
  try {
    return name === '-' ? yield* proc.readAll(0) : yield* proc.readFile(name);
  } catch (error) {
    if (!(error instanceof SystemError)) throw error;
    if (!silent || error.code !== 'ENOENT') io.error(`${name}: ${error.text}`);
    return undefined;
  }
}

function compare(
  io: Io,
  settings: Settings,
  {
    names,
    a,
    b,
  }: { readonly names: readonly [string, string]; readonly a: Uint8Array; readonly b: Uint8Array },
): number {
  const end = Math.min(settings.limit, a.length, b.length);
  let line = 1;
  let status = 0;
  const width = String(Math.min(settings.limit, Math.max(a.length, b.length))).length;
  for (let at = 0; at < end; at++) {
    const [one = 0, two = 0] = [a[at], b[at]];
    if (one !== two) {
      status = 1;
      if (settings.silent) return 1;
      const shown = settings.bytes
        ? ` ${octal(one)} ${character(one).padEnd(4)} ${octal(two)} ${character(two)}`
        : ` ${octal(one)} ${octal(two)}`;
      if (settings.verbose) io.out(`${String(at + 1).padStart(width)}${shown}\n`);
      else {
        const byteWord = settings.bytes ? 'byte' : 'byte';
        const tail = settings.bytes
          ? ` is ${octal(one)} ${character(one)} ${octal(two)} ${character(two)}`
          : '';
        io.out(`${names[0]} ${names[1]} differ: ${byteWord} ${at + 1}, line ${line}${tail}\n`);
        return 1;
      }
    }
    if (one === 10) line++;
  }
  if (end >= settings.limit || a.length === b.length) return status;
  if (settings.silent) return 1;
  const [name, size, bytes] = a.length < b.length ? [names[0], a.length, a] : [names[1], b.length, b];
  const place = settings.verbose ? '' : bytes[size - 1] === 10 ? `, line ${line - 1}` : `, in line ${line}`;
  if (size === 0) io.error(`EOF on ${name} which is empty`);
  else io.error(`EOF on ${name} after byte ${size}${place}`);
  return 1;
}

function octal(byte: number): string {
  return byte.toString(8).padStart(3);
}

function character(byte: number): string {
  if (byte >= 128) return `M-${character(byte - 128)}`;
  if (byte === 127) return '^?';
  return byte < 32 ? `^${String.fromCharCode(byte + 64)}` : String.fromCharCode(byte);
}
