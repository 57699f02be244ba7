/**
 * `sed` of GNU sed 4.8: options, in-place editing, and the run.
 *
 * Source: sed(1). Not covered: `--debug` (accepted, changes nothing).
 */
import {
  type Command,
  Exit,
  type Io,
  type Process,
  type Running,
  SystemError,
  toText,
} from '../../../kernel/index.js';
import { defineOptions, parseLine } from '../../program/options.js';
import { helpText } from '../help-texts.js';
import { RegexBudgetError } from '../regex/regex-tree.js';
import { SedInput } from './input.js';
import { SedOutput } from './output.js';
import { parseScript, type ScriptPart } from './parse-script.js';
import { runSed } from './run-script.js';
import { SedScriptError } from './script.js';

const TABLE = defineOptions(
  'n,quiet,silent debug e,expression: f,file: follow-symlinks i,in-place:: l,line-length: posix E,r,regexp-extended ' +
    's,separate sandbox u,unbuffered z,null-data b,binary',
);

/** The command. */
export const sed: Command = {
  name: 'sed',
  path: '/usr/bin/sed',
  sizeBytes: 126_424,
  failStatus: 4,
  run: (proc, io) => run(proc, io),
};

interface Settings {
  quiet: boolean;
  extended: boolean;
  separate: boolean;
  unbuffered: boolean;
  sandbox: boolean;
  posix: boolean;
  nullData: boolean;
  lineLength: number;
  /** The suffix of backups of in-place editing; undefined without it. */
  inPlace: string | undefined;
  readonly parts: ScriptPart[];
}

function* run(proc: Process, io: Io): Running<number> {
  try {
    const { settings, files } = yield* readCommandLine(proc, io);
    return yield* edit(proc, io, { settings, files });
  } catch (error) {
    if (error instanceof RegexBudgetError) return fail(io, 'regex memory exhausted', 4);
    if (error instanceof SedScriptError) return fail(io, error.message, error.status);
    if (!(error instanceof SystemError) || error.path === undefined || error.code === 'EPIPE') throw error;
    return fail(io, `read error on ${error.path}: ${error.text}`, 4);
  }
}

function fail(io: Io, message: string, status: number): number {
  io.err(`sed: ${message}\n`);
  return status;
}

function usage(io: Io): never {
  io.err(helpText('sed').help.replace(/^E-mail bug reports.*\n/m, ''));
  throw new Exit(1);
}

function* readCommandLine(
  proc: Process,
  io: Io,
): Running<{ readonly settings: Settings; readonly files: readonly string[] }> {
  const settings: Settings = {
    quiet: false,
    extended: false,
    separate: false,
    unbuffered: false,
    sandbox: false,
    posix: false,
    nullData: false,
    lineLength: 70,
    inPlace: undefined,
    parts: [],
  };
  const { hits, operands, error } = parseLine(proc.argv.slice(1), TABLE);
  for (const { key, value = '' } of hits) {
    if (key === 'f') settings.parts.push({ text: yield* scriptFile(proc, value), file: value });
    else apply(settings, io, { key, value });
  }
  if (error !== undefined) {
    io.err(`sed: ${error}\n`);
    usage(io);
  }
  const files = [...operands];
  if (settings.parts.length === 0) {
    const text = files.shift();
    if (text === undefined) usage(io);
    settings.parts.push({ text, file: undefined });
  }
  return { settings, files };
}

function apply(
  settings: Settings,
  io: Io,
  { key, value }: { readonly key: string; readonly value: string },
): void {
  if (key === 'n') settings.quiet = true;
  else if (key === 'E') settings.extended = true;
  else if (key === 's') settings.separate = true;
  else if (key === 'u') settings.unbuffered = true;
  else if (key === 'z') settings.nullData = true;
  else if (key === 'sandbox') settings.sandbox = true;
  else if (key === 'posix') settings.posix = true;
  else if (key === 'e') settings.parts.push({ text: value, file: undefined });
  else if (key === 'i') {
    settings.inPlace = value;
    settings.separate = true;
  } else if (key === 'l') {
    if (!/^\d+$/.test(value)) throw new SedScriptError(`invalid line length: ${value}`);
    settings.lineLength = Number(value);
  } else if (key === 'help') {
    io.out(helpText('sed').help);
    throw new Exit(0);
  } else if (key === 'version') {
    io.out(helpText('sed').version);
    throw new Exit(0);
  }
}

function* scriptFile(proc: Process, name: string): Running<string> {
  try {
    return toText(name === '-' ? yield* proc.readAll(0) : yield* proc.readFile(name));
  } catch (error) {
    if (!(error instanceof SystemError)) throw error;
    throw new SedScriptError(`couldn't open file ${name}: ${error.text}`, 4);
  }
}

function* edit(
  proc: Process,
  io: Io,
  { settings, files }: { readonly settings: Settings; readonly files: readonly string[] },
): Running<number> {
  const script = parseScript(settings.parts, settings);
  const end = settings.nullData ? '\0' : '\n';
  const output = new SedOutput(proc, io, end);
  yield* output.open(script.outputs);
  const inPlace = settings.inPlace === undefined ? undefined : new InPlace(proc, output, settings.inPlace);
  let isRefused = false;
  const input = new SedInput({
    proc,
    io,
    files: files.length === 0 ? ['-'] : files,
    separate: settings.separate,
    separator: settings.nullData ? 0 : 10,
    events: {
      *opened(name, fd) {
        if (inPlace === undefined) return true;
        const problem = yield* inPlace.begin(name, fd);
        if (problem !== undefined) {
          isRefused = true;
          io.err(`sed: ${problem}\n`);
        }
        return problem === undefined;
      },
      *closed(name) {
        if (inPlace !== undefined) yield* inPlace.finish(name);
      },
    },
  });
  const quiet = settings.quiet || script.quiet;
  const { lineLength, unbuffered } = settings;
  const status = yield* runSed({ proc, io, script, input, output, quiet, lineLength, unbuffered, end });
  if (status !== 0) return status;
  return isRefused ? 4 : input.failed ? 2 : 0;
}

/** Edits files in place: writes beside them, then renames. */
class InPlace {
  private temporary: string | undefined;
  private fd = -1;

  constructor(
    private readonly proc: Process,
    private readonly output: SedOutput,
    private readonly suffix: string,
  ) {}

  /** Starts on an opened file; what is wrong, or undefined. */
  *begin(name: string, fd: number): Running<string | undefined> {
    if (name === '-') return `couldn't edit -: not a regular file`;
    const inode = this.proc.fstat(fd);
    if (inode.kind !== 'file') return `couldn't edit ${name}: not a regular file`;
    const folder = name.includes('/') ? name.slice(0, name.lastIndexOf('/') + 1) : './';
    const letters = Array.from({ length: 6 }, () => LETTERS[Math.floor(this.proc.random() * LETTERS.length)]);
    const temporary = `${folder}sed${letters.join('')}`;
    try {
      this.fd = yield* this.proc.open(temporary, {
        write: true,
        create: true,
        exclusive: true,
        mode: 0o600,
      });
    } catch (error) {
      if (!(error instanceof SystemError)) throw error;
      throw new SedScriptError(`couldn't open temporary file ${temporary}: ${error.text}`, 4);
    }
    this.proc.chmod(temporary, inode.mode & 0o7777);
    this.temporary = temporary;
    yield* this.output.edit(this.fd);
    return undefined;
  }

  *finish(name: string): Running<void> {
    if (this.temporary === undefined) return;
    yield* this.output.edit(undefined);
    this.proc.close(this.fd);
    if (this.suffix !== '') this.proc.rename(name, this.backupOf(name));
    this.proc.rename(this.temporary, name);
    this.temporary = undefined;
  }

  private backupOf(name: string): string {
    if (!this.suffix.includes('*')) return `${name}${this.suffix}`;
    const at = name.lastIndexOf('/') + 1;
    const base = this.suffix.replaceAll('*', name.slice(at));
    return base.includes('/') ? base : `${name.slice(0, at)}${base}`;
  }
}

const LETTERS = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789';
