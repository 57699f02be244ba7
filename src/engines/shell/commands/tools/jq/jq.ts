/**
 * `jq` 1.6, as Debian 12 has it: options, inputs, output, errors and exit codes.
 *
 * Source: jq(1). Statuses: 5 an error of the program, 4 an input that is no JSON, 3 a program that does not compile, 2
 * usage and files, with -e also 1 and 4. Not covered: `-L`, modules, `--jsonargs`, `--seq`.
 */
import {
  type Command,
  type Io,
  type Process,
  type Running,
  SystemError,
  toText,
} from '../../../kernel/index.js';
import { helpText } from '../help-texts.js';
import { checkNames } from './check-names.js';
import { JsonReader, JsonTextError } from './json-reader.js';
import { JqSyntaxError } from './lexer.js';
import { JqBudgetError, JqHalt, JqMachine } from './machine.js';
import { parseJq } from './parser.js';
import { type JqSettings, JqUsageError, readJqSettings } from './settings.js';
import { isArray, isObject, JqError, type JqValue, toJson } from './values.js';

/** The command. */
export const jq: Command = {
  name: 'jq',
  path: '/usr/bin/jq',
  sizeBytes: 31_136,
  failStatus: 2,
  run: (proc, io) => run(proc, io),
};

const ADVICE =
  'Use jq --help for help with command-line options,\nor see the jq manpage, or online docs  at https://stedolan.github.io/jq\n';

function* run(proc: Process, io: Io): Running<number> {
  let settings: JqSettings;
  try {
    settings = yield* readJqSettings(proc);
  } catch (error) {
    if (!(error instanceof JqUsageError)) throw error;
    io.err(`jq: ${error.message}\n${error.advises ? ADVICE : ''}`);
    return 2;
  }
  if (settings.help || settings.version) {
    io.out(settings.help ? helpText('jq').help : 'jq-1.6\n');
    return 0;
  }
  return yield* new JqRun(proc, io, settings).run();
}

/** One input: a value, or why it is none. */
interface Input {
  readonly value: JqValue;
  readonly file: string;
  readonly line: number;
}

class JqRun {
  private status = 0;
  private last: JqValue | undefined;
  private line = 0;
  private inputs: Iterator<Input> = ([] as Input[])[Symbol.iterator]();

  constructor(
    private readonly proc: Process,
    private readonly io: Io,
    private readonly settings: JqSettings,
  ) {}

  *run(): Running<number> {
    const { settings, io } = this;
    const texts = yield* this.read();
    this.inputs = this.values(texts);
    const machine = new JqMachine(
      {
        nextInput: () => this.take()?.value,
        environment: this.proc.env,
        nowSeconds: this.proc.now() / 1e6,
        fileName: null,
        lineNumber: () => this.line,
        message: (text) => io.err(text),
      },
      settings.variables,
    );
    try {
      const program = parseJq(settings.program);
      checkNames(program, settings.program, settings.variables.keys());
      if (settings.nullInput) yield* this.each(machine.results(program, null), '(at <unknown>)');
      else
        for (let input = this.take(); input !== undefined; input = this.take())
          yield* this.each(machine.results(program, input.value), `(at ${input.file}:${input.line})`);
    } catch (error) {
      return this.ended(error);
    }
    if (this.status !== 0) return this.status;
    if (!settings.exitStatus) return 0;
    return this.last === undefined ? 4 : this.last === null || this.last === false ? 1 : 0;
  }

  private ended(error: unknown): number {
    const { io } = this;
    if (error instanceof JqSyntaxError) {
      for (const message of error.messages) io.err(`jq: error: ${message}\n`);
      const count = error.messages.length;
      io.err(`jq: ${count} compile error${count === 1 ? '' : 's'}\n`);
      return 3;
    }
    if (error instanceof JsonTextError) {
      io.err(`parse error: ${error.message}\n`);
      return 4;
    }
    const isTooDeep = error instanceof RangeError && /call stack/.test(error.message);
    if (error instanceof JqBudgetError || isTooDeep) {
      io.err(`jq: error: ${isTooDeep ? 'the program nests too deeply' : error.message}\n`);
      return 5;
    }
    if (!(error instanceof JqHalt)) throw error;
    if (typeof error.value === 'string') io.err(error.value);
    else if (error.value !== undefined) io.err(`${toJson(error.value)}\n`);
    return error.status;
  }

  /** The texts of all files, or of standard input. */
  private *read(): Running<{ readonly name: string; readonly text: string }[]> {
    const { proc, io, settings } = this;
    if (settings.files.length === 0) {
      if (settings.nullInput && !/\binputs?\b/.test(settings.program)) return [];
      return [{ name: '<stdin>', text: toText(yield* proc.readAll(0)) }];
    }
    const texts: { name: string; text: string }[] = [];
    for (const name of settings.files) {
      try {
        texts.push({ name, text: toText(yield* proc.readFile(name)) });
      } catch (error) {
        if (!(error instanceof SystemError)) throw error;
        this.status = 2;
        const what =
          error.code === 'EISDIR'
            ? `Input error: ${error.text}`
            : `Could not open file ${name}: ${error.text}`;
        io.err(`jq: error: ${what}\n`);
      }
    }
    return texts;
  }

  private take(): Input | undefined {
    const next = this.inputs.next();
    if (next.done === true) return undefined;
    this.line = next.value.line;
    return next.value;
  }

  private *values(texts: readonly { readonly name: string; readonly text: string }[]): Generator<Input> {
    const { settings } = this;
    if (settings.raw) {
      yield* this.rawValues(texts);
      return;
    }
    const all: JqValue[] = [];
    for (const { name, text } of texts) {
      const reader = new JsonReader(text);
      for (let value = reader.next(); value !== undefined; value = reader.next()) {
        const input = { file: name, line: reader.line };
        if (settings.slurp) all.push(value);
        else if (settings.stream) for (const event of streamOf(value)) yield { ...input, value: event };
        else yield { ...input, value };
      }
    }
    const last = texts[texts.length - 1];
    if (settings.slurp)
      yield { value: all, file: last?.name ?? '<stdin>', line: (last?.text.split('\n').length ?? 1) - 1 };
  }

  private *rawValues(texts: readonly { readonly name: string; readonly text: string }[]): Generator<Input> {
    const whole = texts.map((one) => one.text).join('');
    const file = texts[0]?.name ?? '<stdin>';
    const lines = whole.split('\n');
    if (this.settings.slurp) yield { value: whole, file, line: lines.length - 1 };
    else {
      if (lines[lines.length - 1] === '') lines.pop();
      for (const [at, value] of lines.entries()) yield { value, file, line: at + 1 };
    }
  }

  private *each(results: Generator<JqValue>, place: string): Running<void> {
    const { io, settings } = this;
    try {
      for (const value of results) {
        this.last = value;
        io.out(this.written(value) + (settings.join ? '' : '\n'));
        if (io.mustDrain) yield* io.drain();
      }
    } catch (error) {
      if (!(error instanceof JqError)) throw error;
      // An error without a value only ends the results.
      if (error.value === null) return;
      this.status = 5;
      const isText = typeof error.value === 'string';
      io.err(
        `jq: error ${place}${isText ? '' : ' (not a string)'}: ${isText ? error.message : toJson(error.value)}\n`,
      );
    }
  }

  private written(value: JqValue): string {
    const { settings } = this;
    if (settings.rawOutput && typeof value === 'string') return value;
    return toJson(value, {
      indent: settings.indent,
      sortKeys: settings.sortKeys,
      ascii: settings.ascii,
      colour: settings.colour,
    });
  }
}

/** The events of --stream: each leaf with its path, and the closing of each container. */
function* streamOf(value: JqValue, path: readonly JqValue[] = []): Generator<JqValue> {
  const entries: readonly (readonly [JqValue, JqValue])[] = isArray(value)
    ? [...value.entries()]
    : isObject(value)
      ? [...value]
      : [];
  if (entries.length === 0) {
    yield [path, value];
    return;
  }
  for (const [key, one] of entries) yield* streamOf(one, [...path, key]);
  yield [[...path, entries[entries.length - 1]?.[0] ?? null]];
}
