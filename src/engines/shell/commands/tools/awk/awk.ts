/**
 * `awk` and `mawk`: mawk 1.3.4-20200120, the awk of Debian 12.
 *
 * Source: POSIX awk, mawk(1). Byte strings, 32-bit integers and hash order are mawk's. Not covered: `-W dump`,
 * `-W exec`, mawk's check of names used both as array and value.
 */
import {
  type Command,
  Exit,
  type Io,
  type Process,
  type Running,
  SystemError,
} from '../../../kernel/index.js';
import { latin1 } from '../../program/latin1.js';
import { RegexBudgetError } from '../regex/regex-tree.js';
import type { AwkProgram, AwkRule } from './ast.js';
import { type Code, plain, runCode } from './code.js';
import { unescapeAwk } from './lexer.js';
import { MainInput } from './main-input.js';
import { parseAwk } from './parser.js';
import { AwkRuntime, bytes } from './runtime.js';
import { type Signal, StatementCompiler, Unwind } from './statements.js';
import { AwkFatal, AwkRunError, AwkSyntaxError } from './syntax-error.js';
import { inputValue } from './values.js';

/** The commands. */
export const AWK_COMMANDS: readonly Command[] = ['awk', 'mawk'].map((name) => ({
  name,
  path: `/usr/bin/${name}`,
  sizeBytes: 158_824,
  failStatus: 2,
  run: (proc: Process, io: Io) => awk(proc, io),
}));

const USAGE = `Usage: mawk [Options] [Program] [file ...]

Program:
    The -f option value is the name of a file containing program text.
    If no -f option is given, a "--" ends option processing; the following
    parameters are the program text.

Options:
    -f program-file  Program  text is read from file instead of from the
                     command-line.  Multiple -f options are accepted.
    -F value         sets the field separator, FS, to value.
    -v var=value     assigns value to program variable var.
    --               unambiguous end of options.

    Implementation-specific options are prefixed with "-W".  They can be
    abbreviated:

    -W version       show version information and exit.
    -W dump          show assembler-like listing of program and exit.
    -W help          show this message and exit.
    -W interactive   set unbuffered output, line-buffered input.
    -W exec file     use file as program as well as last option.
    -W random=number set initial random seed.
    -W sprintf=number adjust size of sprintf buffer.
    -W posix_space   do not consider "\\n" a space.
    -W usage         show this message and exit.
`;

const VERSION = `mawk 1.3.4 20200120
Copyright 2008-2019,2020, Thomas E. Dickey
Copyright 1991-1996,2014, Michael D. Brennan

random-funcs:       srandom/random
regex-funcs:        internal
compiled limits:
sprintf buffer      8192
maximum-integer     2147483647
`;

interface CommandLine {
  program: string | undefined;
  separator: string | undefined;
  readonly assignments: (readonly [string, string])[];
  operands: readonly string[];
}

function* awk(proc: Process, io: Io): Running<number> {
  const name = (proc.argv[0] ?? 'awk').replace(/^.*\//, '');
  let runtime: AwkRuntime | undefined;
  try {
    const line = yield* readCommandLine(proc, io, name);
    runtime = new AwkRuntime(proc, io);
    return yield* run(proc, io, { line, runtime, name });
  } catch (error) {
    if (error instanceof AwkRunError) runtime?.streams.print(error.partial);
    const message = messageOf(error, runtime);
    if (message === undefined) throw error;
    io.err(`${message.map((one) => `${name}: ${one}`).join('\n')}\n`);
    return 2;
  }
}

function messageOf(error: unknown, runtime: AwkRuntime | undefined): string[] | undefined {
  if (error instanceof AwkSyntaxError)
    return [error.message, ...(error.second === undefined ? [] : [error.second])];
  if (error instanceof AwkFatal) return [error.message];
  if (error instanceof RegexBudgetError) return ['regular expression compile failed (resource exhaustion)'];
  if (!(error instanceof AwkRunError)) return undefined;
  const place = (name: string): string => runtime?.special(name) ?? '';
  return [
    `run time error: ${error.message}\n\tFILENAME="${place('FILENAME')}" FNR=${place('FNR')} NR=${place('NR')}`,
  ];
}

function* readCommandLine(proc: Process, io: Io, name: string): Running<CommandLine> {
  const line: CommandLine = { program: undefined, separator: undefined, assignments: [], operands: [] };
  const args = proc.argv.slice(1);
  let at = 0;
  for (; at < args.length; at++) {
    const word = args[at] ?? '';
    if (word === '--') {
      at++;
      break;
    }
    if (!word.startsWith('-') || word === '-') break;
    const letter = word[1] ?? '';
    if (!'fFvW'.includes(letter)) throw new AwkFatal(`not an option: ${word}`);
    const value = word.length > 2 ? word.slice(2) : args[++at];
    if (value === undefined) throw new AwkFatal(`option ${word} lacks argument`);
    if (letter === 'f') line.program = `${line.program ?? ''}${yield* programFile(proc, value)}`;
    else if (letter === 'F') line.separator = unescapeAwk(bytes(value));
    else if (letter === 'v') line.assignments.push(assignment(value));
    else dialect(io, value);
  }
  const rest = args.slice(at);
  if (line.program === undefined) {
    const text = rest.shift();
    if (text === undefined) {
      io.err(USAGE.replace('mawk', name));
      throw new Exit(0);
    }
    line.program = bytes(text);
  }
  line.operands = rest;
  return line;
}

function assignment(text: string): readonly [string, string] {
  const found = /^([A-Za-z_]\w*)=([\s\S]*)$/.exec(text);
  if (found === null) throw new AwkFatal(`improper assignment: -v ${text}`);
  return [found[1] ?? '', unescapeAwk(bytes(found[2] ?? ''))];
}

/** The options behind -W. */
function dialect(io: Io, word: string): void {
  if (word !== '' && 'version'.startsWith(word)) {
    io.out(VERSION);
    throw new Exit(0);
  }
  if (word !== '' && ('help'.startsWith(word) || 'usage'.startsWith(word))) {
    io.err(USAGE);
    throw new Exit(0);
  }
}

function* programFile(proc: Process, name: string): Running<string> {
  try {
    return latin1(name === '-' ? yield* proc.readAll(0) : yield* proc.readFile(name));
  } catch (error) {
    if (!(error instanceof SystemError)) throw error;
    throw new AwkFatal(`cannot open ${name} (${error.text})`);
  }
}

interface Rule {
  readonly first: Code<boolean> | undefined;
  readonly last: Code<boolean> | undefined;
  readonly body: Code<Signal>;
  open: boolean;
}

function* run(
  proc: Process,
  io: Io,
  {
    line,
    runtime,
    name,
  }: { readonly line: CommandLine; readonly runtime: AwkRuntime; readonly name: string },
): Running<number> {
  const program = parseAwk(line.program ?? '');
  const argv = runtime.global('ARGV').asArray();
  [name, ...line.operands].forEach((word, at) => {
    argv.set(at, inputValue(bytes(word)));
  });
  runtime.global('ARGC').set(line.operands.length + 1);
  if (line.separator !== undefined) runtime.global('FS').set(line.separator);
  const input = new MainInput(proc, io, runtime);
  const compiler = new StatementCompiler(runtime, program.functions, () => input.next());
  compiler.prepare();
  for (const [variable, value] of line.assignments) runtime.global(variable).set(inputValue(value));
  const machine = new AwkMachine({ runtime, compiler, input, io }, program);
  return yield* machine.run();
}

/** Runs BEGIN, the rules over the input, END. */
class AwkMachine {
  private readonly begin: readonly Code<Signal>[];
  private readonly end: readonly Code<Signal>[];
  private readonly rules: readonly Rule[];

  constructor(
    private readonly parts: {
      readonly runtime: AwkRuntime;
      readonly compiler: StatementCompiler;
      readonly input: MainInput;
      readonly io: Io;
    },
    program: AwkProgram,
  ) {
    const { compiler } = parts;
    this.begin = program.begin.map((one) => compiler.statement(one));
    this.rules = program.rules.map((rule) => this.rule(rule));
    this.end = program.end.map((one) => compiler.statement(one));
  }

  private rule({ pattern, rangeEnd, body }: AwkRule): Rule {
    const { compiler } = this.parts;
    return {
      first: pattern === undefined ? undefined : compiler.condition(pattern),
      last: rangeEnd === undefined ? undefined : compiler.condition(rangeEnd),
      body: compiler.statement(body ?? { kind: 'print', args: [] }),
      open: false,
    };
  }

  *run(): Running<number> {
    const { compiler, runtime } = this.parts;
    let signal = yield* this.all(this.begin);
    const reads = this.rules.length > 0 || this.end.length > 0;
    if (signal !== 'exit' && reads) signal = yield* this.records();
    if (this.end.length > 0) yield* this.all(this.end);
    yield* runtime.streams.closeAll();
    return compiler.exitStatus ?? 0;
  }

  private *all(list: readonly Code<Signal>[]): Running<Signal> {
    for (const one of list) {
      const signal = yield* this.guarded(one);
      if (signal === 'exit') return signal;
    }
    return undefined;
  }

  /** Runs a piece; what leaves through a function's body ends it alike. */
  private *guarded(code: Code<Signal>): Running<Signal> {
    try {
      return yield* runCode(code);
    } catch (error) {
      if (!(error instanceof Unwind)) throw error;
      this.parts.runtime.frame = [];
      this.parts.runtime.depth = 0;
      return error.signal;
    }
  }

  private *records(): Running<Signal> {
    const { input, runtime, io } = this.parts;
    for (;;) {
      const record = yield* input.next();
      if (record === undefined) return undefined;
      runtime.setRecord(record);
      const signal = yield* this.record();
      if (signal === 'exit') return signal;
      if (signal === 'nextfile') input.skipFile();
      if (io.mustDrain) yield* io.drain();
    }
  }

  private *record(): Running<Signal> {
    for (const rule of this.rules) {
      if (!(yield* this.selects(rule))) continue;
      const signal = yield* this.guarded(rule.body);
      if (signal !== undefined) return signal;
    }
    return undefined;
  }

  private *selects(rule: Rule): Running<boolean> {
    const { first = plain(() => true), last } = rule;
    if (last === undefined) return yield* runCode(first);
    if (!rule.open) {
      if (!(yield* runCode(first))) return false;
      rule.open = true;
    }
    if (yield* runCode(last)) rule.open = false;
    return true;
  }
}
