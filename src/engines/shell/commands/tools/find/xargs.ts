/**
 * `xargs` of GNU findutils 4.9.
 *
 * Source: xargs(1). `-P` runs commands one after the other: their output would be interleaved by chance otherwise. Not
 * covered: `--process-slot-var`, `--show-limits`.
 */
import {
  type Command,
  Exit,
  type Io,
  type Process,
  type Running,
  runCommand,
  SystemError,
  toText,
} from '../../../kernel/index.js';
import { defineOptions, parseLine } from '../../program/options.js';
import { quoteText } from '../../program/quote.js';
import { helpText } from '../help-texts.js';
import { splitInput } from './xargs-input.js';

const TABLE = defineOptions(
  '0,null a,arg-file: d,delimiter: E: e,eof:: I: i,replace:: L: l,max-lines:: n,max-args: o,open-tty p,interactive ' +
    'process-slot-var: P,max-procs: r,no-run-if-empty s,max-chars: show-limits t,verbose x,exit',
);

/** The command. */
export const xargs: Command = {
  name: 'xargs',
  path: '/usr/bin/xargs',
  sizeBytes: 68_000,
  run: (proc, io) => run(proc, io),
};

interface Settings {
  delimiter: string | undefined;
  end: string | undefined;
  replace: string | undefined;
  lines: number | undefined;
  words: number | undefined;
  chars: number;
  trace: boolean;
  ask: boolean;
  runEmpty: boolean;
  exitIfTooLong: boolean;
  file: string | undefined;
}

const MAX_CHARS = 131_072;

function* run(proc: Process, io: Io): Running<number> {
  const { hits, operands, error } = parseLine(proc.argv.slice(1), TABLE, true);
  const settings: Settings = {
    delimiter: undefined,
    end: undefined,
    replace: undefined,
    lines: undefined,
    words: undefined,
    chars: MAX_CHARS,
    trace: false,
    ask: false,
    runEmpty: true,
    exitIfTooLong: false,
    file: undefined,
  };
  for (const { key, value } of hits) apply(settings, io, { key, value });
  if (error !== undefined) {
    io.error(error);
    usage(io);
  }
  let text: string;
  try {
    text = toText(settings.file === undefined ? yield* proc.readAll(0) : yield* proc.readFile(settings.file));
  } catch (failure) {
    if (!(failure instanceof SystemError)) throw failure;
    io.error(`Cannot open input file ‘${settings.file ?? '-'}’: ${failure.text}`);
    return 1;
  }
  const command = operands.length === 0 ? ['echo'] : operands;
  return yield* new XargsRun({ proc, io, settings, command }).run(text);
}

function usage(io: Io): never {
  io.err("Try 'xargs --help' for more information.\n");
  throw new Exit(1);
}

function number(io: Io, option: string, text: string, least: number): number {
  const value = /^\s*[+-]?\d+$/.test(text) ? Number(text) : undefined;
  if (value === undefined) {
    io.error(`invalid number "${text}" for -${option} option`);
    usage(io);
  }
  if (value < least) {
    io.error(`value ${text} for -${option} option should be >= ${least}`);
    usage(io);
  }
  return value;
}

function apply(
  settings: Settings,
  io: Io,
  { key, value }: { readonly key: string; readonly value: string | undefined },
): void {
  const text = value ?? '';
  switch (key) {
    case '0':
      settings.delimiter = '\0';
      return;
    case 'a':
      settings.file = text;
      return;
    case 'd':
      settings.delimiter = delimiter(io, text);
      return;
    case 'E':
    case 'e':
      settings.end = value === undefined || text === '' ? undefined : text;
      return;
    case 'I':
    case 'i':
      settings.replace = key === 'i' && text === '' ? '{}' : text;
      settings.lines = undefined;
      settings.words = undefined;
      return;
    case 'L':
    case 'l':
      settings.lines = value === undefined ? 1 : number(io, key, text, 1);
      settings.words = undefined;
      settings.replace = undefined;
      return;
    case 'n':
      settings.words = number(io, key, text, 1);
      settings.lines = undefined;
      if (settings.words > 1 || settings.replace === undefined) settings.replace = undefined;
      return;
    case 's':
      settings.chars = number(io, key, text, 1);
      return;
    case 'P':
      number(io, key, text, 0);
      return;
    case 't':
      settings.trace = true;
      return;
    case 'p':
      settings.ask = true;
      settings.trace = true;
      return;
    case 'r':
      settings.runEmpty = false;
      return;
    case 'x':
      settings.exitIfTooLong = true;
      return;
    case 'help':
      io.out(helpText('xargs').help);
      throw new Exit(0);
    case 'version':
      io.out(helpText('xargs').version);
      throw new Exit(0);
    default:
  }
}

function delimiter(io: Io, text: string): string {
  const simple: Readonly<Record<string, string>> = {
    n: '\n',
    t: '\t',
    '0': '\0',
    r: '\r',
    f: '\f',
    v: '\v',
    a: '\x07',
    b: '\b',
    '\\': '\\',
  };
  const letter = /^\\(.)$/s.exec(text)?.[1];
  if (letter !== undefined && Object.hasOwn(simple, letter)) return simple[letter] ?? '\n';
  const code = /^\\(?:x([0-9a-fA-F]{1,2})|0?([0-7]{1,3}))$/.exec(text);
  if (code !== null)
    return String.fromCharCode(Number.parseInt(code[1] ?? code[2] ?? '0', code[1] === undefined ? 8 : 16));
  if ([...text].length === 1) return text;
  io.error(
    `Invalid input delimiter specification ${text}: the delimiter must be either a single character or an escape sequence starting with \\.`,
  );
  return usage(io);
}

class XargsRun {
  private status = 0;

  constructor(
    private readonly parts: {
      readonly proc: Process;
      readonly io: Io;
      readonly settings: Settings;
      readonly command: readonly string[];
    },
  ) {}

  *run(text: string): Running<number> {
    const { settings, io, command } = this.parts;
    const { items, error, warning } = splitInput(text, {
      delimiter: settings.delimiter,
      end: settings.end,
      byLine: settings.replace !== undefined,
    });
    if (warning !== undefined) io.error(warning);
    try {
      if (settings.replace !== undefined) {
        for (const item of items)
          yield* this.start(
            command.map((word, at) => (at === 0 ? word : word.replaceAll(settings.replace ?? '', item.text))),
          );
      } else
        for (const words of this.groups(items, error !== undefined))
          yield* this.start([...command, ...words]);
    } catch (failure) {
      if (failure instanceof Exit) return failure.status;
      throw failure;
    }
    if (error !== undefined) {
      io.error(error);
      return 1;
    }
    return this.status;
  }

  /** The words of each command. */
  private *groups(
    items: ReturnType<typeof splitInput>['items'],
    isBroken: boolean,
  ): Generator<readonly string[]> {
    const { settings, command, io } = this.parts;
    const fixed = command.reduce((sum, word) => sum + word.length + 1, 0);
    let words: string[] = [];
    let size = fixed;
    let lines = 0;
    let any = false;
    for (const item of items) {
      const cost = new TextEncoder().encode(item.text).length + 1;
      if (fixed + cost > settings.chars) {
        if (words.length > 0) yield words;
        io.error('argument line too long');
        throw new Exit(1);
      }
      const isFull =
        (settings.words !== undefined && words.length >= settings.words) ||
        size + cost > settings.chars ||
        (settings.lines !== undefined && lines >= settings.lines);
      if (isFull && words.length > 0) {
        any = true;
        yield words;
        words = [];
        size = fixed;
        lines = 0;
      }
      words.push(item.text);
      size += cost;
      if (item.endsLine) lines++;
    }
    // Words before a mistake in the input are not used unless they filled a command.
    if (isBroken) return;
    if (words.length > 0 || (!any && settings.runEmpty)) yield words;
  }

  /** Asks on the terminal whether a command shall run. */
  private *confirmed(): Running<boolean> {
    const { proc, io } = this.parts;
    let fd: number;
    try {
      fd = yield* proc.open('/dev/tty');
    } catch (error) {
      if (!(error instanceof SystemError)) throw error;
      io.error(`failed to open /dev/tty for reading: ${error.text}`);
      throw new Exit(1);
    }
    io.err('?...');
    yield* io.flush();
    let answer = '';
    while (!answer.endsWith('\n')) {
      const bytes = yield* proc.read(fd, 1);
      if (bytes.length === 0) break;
      answer += toText(bytes);
    }
    proc.close(fd);
    return /^[yY]/.test(answer);
  }

  private *start(argv: readonly string[]): Running<void> {
    const { proc, io, settings } = this.parts;
    if (settings.chars < MAX_CHARS && argv.length === 1 && (argv[0]?.length ?? 0) + 1 > settings.chars)
      this.tooLong();
    if (settings.trace) {
      const shown = argv.map((word) => quoteText(word, 'shell-escape', { isUtf8: true })).join(' ');
      io.err(settings.ask ? shown : `${shown}\n`);
    }
    yield* io.flush();
    if (settings.ask && !(yield* this.confirmed())) return;
    const name = argv[0] ?? '';
    try {
      const status = yield* runCommand(proc, argv, function* (child) {
        const none = yield* child.open('/dev/null');
        child.dup2(none, 0);
        child.close(none);
      });
      if (status.signal !== undefined) {
        io.error(`${name}: terminated by signal ${status.signal}`);
        throw new Exit(125);
      }
      if (status.code === 255) {
        io.error(`${name}: exited with status 255; aborting`);
        throw new Exit(124);
      }
      if (status.code !== 0) this.status = 123;
    } catch (error) {
      if (!(error instanceof SystemError)) throw error;
      io.error(`${name}: ${error.text}`);
      throw new Exit(error.code === 'ENOENT' ? 127 : 126);
    }
  }

  private tooLong(): never {
    this.parts.io.error('cannot fit single argument within argument list size limit');
    throw new Exit(1);
  }
}
