/**
 * What GNU programs share beside their own work: name, options, `--help`, `--version`, wording of errors, quoting,
 * opening of operands, the locale.
 *
 * {@link defineTool} makes a command of the kernel out of a body that gets a {@link Tool}.
 */
import { type Command, Exit, type Io, type Process, type Running, SystemError } from '../../kernel/index.js';
import { ByteLines } from './byte-lines.js';
import { HELP_TEXTS } from './help-texts.js';
import { bytesOf } from './latin1.js';
import { type OptionHit, type OptionTable, parseLine } from './options.js';
import { quoteText } from './quote.js';
import { type TimeZone, timeZone } from './time-zone.js';

/** A running GNU program. */
export class Tool {
  /** The exit status so far; {@link fail} makes it {@link failStatus}. */
  status = 0;
  /** The name as it was called, with its folder: it stands before every message. */
  readonly name: string;
  readonly args: readonly string[];
  /** What was not an option, after {@link options} was read to its end. */
  operands: readonly string[] = [];
  readonly isUtf8: boolean;
  /** The status of failures. */
  readonly failStatus: number;

  constructor(
    readonly proc: Process,
    readonly io: Io,
    readonly command: string,
    readonly traits: ToolTraits & { readonly failStatus: number },
  ) {
    this.failStatus = traits.failStatus;
    this.name = proc.argv[0] ?? command;
    this.args = proc.argv.slice(1);
    const { env } = proc;
    const locale = env.get('LC_ALL') || env.get('LC_CTYPE') || env.get('LANG') || '';
    this.isUtf8 = /^C\.utf-?8$/i.test(locale);
  }

  /** An environment variable. */
  env(name: string): string | undefined {
    return this.proc.env.get(name);
  }

  /** The zone of `TZ`. */
  get zone(): TimeZone {
    return timeZone(this.env('TZ'));
  }

  // ---- output ----

  /** Text to standard output. */
  out(text: string): void {
    this.io.out(text);
  }

  /** A byte string (see `latin1.ts`) to standard output. */
  raw(text: string): void {
    this.io.out(bytesOf(text));
  }

  /** A message after the program's name; the status stays. */
  warn(message: string): void {
    this.io.error(message);
  }

  /** A message after the program's name; the program will fail. */
  fail(message: string): void {
    this.warn(message);
    this.status = this.failStatus;
  }

  /** As {@link fail} for a system call that threw: `PATH: strerror`. Other errors are thrown again. */
  failed(error: unknown, path: string): void {
    this.fail(`${this.path(path)}: ${systemError(error).text}`);
  }

  /** A message, and the end. */
  die(message: string, status = this.failStatus): never {
    this.warn(message);
    throw new Exit(status);
  }

  /** A message, the pointer to `--help`, and the end. */
  usage(message?: string, status = this.failStatus): never {
    if (message !== undefined) this.warn(message);
    this.io.err(`Try '${this.name} --help' for more information.\n`);
    throw new Exit(status);
  }

  /** The end with a status, after whatever was said. */
  exit(status: number): never {
    throw new Exit(status);
  }

  // ---- quoting ----

  /** A word in curly quotes (straight ones in the C locale). */
  quote(text: string): string {
    return quoteText(text, 'locale', this);
  }

  /** A name, quoted where a shell would need it: before a colon. */
  path(text: string): string {
    return quoteText(text, 'shell-escape', { isUtf8: this.isUtf8, also: ':' });
  }

  /** A name in quotes always: inside a sentence. */
  named(text: string): string {
    return quoteText(text, 'shell-escape-always', this);
  }

  // ---- the command line ----

  /**
   * The options one by one. `--help` and `--version` print and end; an error of the line ends as usage, or as `onError`
   * says it.
   */
  *options(
    table: OptionTable,
    how: { stop?: boolean; args?: readonly string[]; onError?: () => never } = {},
  ): Generator<OptionHit, void> {
    const stop = how.stop === true || this.proc.env.has('POSIXLY_CORRECT');
    const line = parseLine(how.args ?? this.args, table, stop);
    this.operands = line.operands;
    for (const hit of line.hits) {
      if (hit.key === 'help') this.help();
      if (hit.key === 'version') this.version();
      yield hit;
    }
    if (line.error === undefined) return;
    this.io.err(`${this.name}: ${line.error}\n`);
    how.onError?.();
    this.usage();
  }

  /** `--help`. */
  help(): never {
    const text = this.traits.texts?.help ?? HELP_TEXTS[this.command]?.help ?? '';
    this.out(text.replaceAll('\x01', this.name));
    throw new Exit(0);
  }

  /** `--version`. */
  version(): never {
    this.out(this.traits.texts?.version ?? HELP_TEXTS[this.command]?.version ?? '');
    throw new Exit(0);
  }

  /** The first operand too many: `extra operand`, and the end. */
  noMoreThan(count: number): void {
    const extra = this.operands[count];
    if (extra !== undefined) this.usage(`extra operand ${this.quote(extra)}`);
  }

  /**
   * Which word of a list an argument means, shortened words included. `words` are rows of synonyms; the result is the
   * first word of the row. Wrong and ambiguous arguments end the program.
   */
  choice(option: string, value: string, words: readonly (readonly string[])[], status = 1): string {
    for (const row of words) if (row.includes(value)) return row[0] ?? value;
    const rows = words.filter((row) => row.some((word) => word.startsWith(value)));
    if (rows.length === 1) return rows[0]?.[0] ?? value;
    const what = rows.length > 1 ? 'ambiguous' : 'invalid';
    this.warn(`${what} argument ${this.quote(value)} for ${this.quote(option)}`);
    const list = words.map((row) => `  - ${row.map((word) => this.quote(word)).join(', ')}\n`).join('');
    this.io.err(`Valid arguments are:\n${list}`);
    return this.usage(undefined, status);
  }

  // ---- files ----

  /** Opens an operand for reading (`-` is standard input); null, with a message, where that fails. */
  *input(name: string): Running<number | null> {
    if (name === '-') return 0;
    try {
      return yield* this.proc.open(name);
    } catch (error) {
      this.failed(error, name);
      return null;
    }
  }

  /** Closes what {@link input} opened. */
  close(fd: number): void {
    if (fd !== 0) this.proc.close(fd);
  }

  /** A reader of lines as byte strings. */
  lines(fd: number, separator = '\n'): ByteLines {
    return new ByteLines(this, fd, separator);
  }

  /** Runs something; what a system call threw goes to `handle`, which says whether that was the answer. */
  attempt(action: () => void, handle: (error: SystemError) => void): boolean {
    try {
      action();
      return true;
    } catch (error) {
      handle(systemError(error));
      return false;
    }
  }
}

/** The error of a system call; anything else is thrown again. */
export function systemError(error: unknown): SystemError {
  if (error instanceof SystemError) return error;
  throw error;
}

/** What {@link defineTool} may be told. */
export interface ToolTraits {
  /** Status of failures and wrong usage. Default 1. */
  readonly failStatus?: number;
  /** Default `/usr/bin/NAME`. */
  readonly path?: string;
  /** What `--help` and `--version` print. Default: what coreutils print. */
  readonly texts?: { readonly help: string; readonly version: string };
  /** The size of its binary. Default: as recorded, else 35,000. */
  readonly sizeBytes?: number;
}

/** A command whose body gets a {@link Tool}; its status is the tool's, or what the body returns. */
export function defineTool(
  name: string,
  // biome-ignore lint/suspicious/noConfusingVoidType: a body that only sets the tool's status returns nothing
  body: (tool: Tool) => Running<number | void>,
  traits: ToolTraits = {},
): Command {
  const failStatus = traits.failStatus ?? 1;
  return {
    name,
    path: traits.path ?? `/usr/bin/${name}`,
    sizeBytes: traits.sizeBytes ?? HELP_TEXTS[name]?.sizeBytes ?? 35_000,
    failStatus,
    run: function* (proc, io) {
      const tool = new Tool(proc, io, name, { ...traits, failStatus });
      return (yield* body(tool)) ?? tool.status;
    },
  };
}

/** As {@link defineTool}, for a body that never waits: a plain function. */
export function plainTool(
  name: string,
  // biome-ignore lint/suspicious/noConfusingVoidType: a body that only sets the tool's status returns nothing
  body: (tool: Tool) => number | void,
  traits: ToolTraits = {},
): Command {
  return defineTool(
    name,
    // biome-ignore lint/correctness/useYield: nothing here waits
    function* (tool) {
      return body(tool);
    },
    traits,
  );
}
