/**
 * A running shell: everything that a command can see or change, and that a subshell gets a copy of.
 *
 * The idea: a plain object without behaviour of its own beyond names and numbers; expansion, running, jobs and builtins
 * are functions over it in their own files. A subshell is `fork`: a copy with its own process.
 */
import type { Process } from '../kernel/index.js';
import type { Command, FunctionCommand } from '../syntax/ast.js';
import type { ReadOptions } from '../syntax/lexer.js';
import type { Part } from '../syntax/word-parts.js';
import { dashWording } from './dash-wording.js';
import { KillRing } from './interactive/kill-ring.js';
import { JobTable } from './jobs/job-table.js';
import type { Level } from './run/trampoline.js';
import { CopyMap, CopySet } from './state/copy-map.js';
import { SHOPT_DEFAULTS } from './state/options.js';
import { Variables } from './state/variables.js';

const SHOPT_ENTRIES = Object.entries(SHOPT_DEFAULTS);

/** A defined function. */
export interface ShellFunction {
  readonly definition: FunctionCommand;
  /** The file that it was defined in, as `BASH_SOURCE` shows it. */
  readonly source: string;
  /** Added to the line numbers of its tree. */
  readonly lineOffset: number;
  isExported: boolean;
  isReadonly: boolean;
  isTraced: boolean;
}

/** A running function or sourced file. */
export interface CallFrame {
  readonly name: string;
  readonly source: string;
  /** The line of the call. */
  readonly callLine: number;
  readonly isFunction: boolean;
  readonly args: readonly string[];
}

/** Why commands that follow are not run. */
export type Jump =
  | { readonly kind: 'break' | 'continue'; levels: number }
  | { readonly kind: 'return' }
  | { readonly kind: 'exit' }
  /** Back to where lines are read: after errors of expansion. */
  | { readonly kind: 'discard' };

/** Text for a descriptor that waits to be written, in order. */
export interface Pending {
  readonly fd: number;
  text: string;
}

/** What a shell is started with. */
export interface ShellStart {
  readonly process: Process;
  readonly name: string;
  readonly isInteractive: boolean;
  readonly isPosixSh: boolean;
}

/** The state of one shell process. */
export class Shell {
  process: Process;
  variables = new Variables();
  functions = new CopyMap<string, ShellFunction>();
  aliases = new CopyMap<string, string>();
  options = new CopySet<string>(['braceexpand', 'hashall', 'interactive-comments']);
  shopts = new CopyMap<string, boolean>(SHOPT_ENTRIES);
  /** Commands by signal name (`EXIT`, `ERR`, `DEBUG`, `RETURN`, `INT` …); '' ignores. */
  traps = new CopyMap<string, string>();
  /** Traps of the parent that `trap -p` in a subshell still shows. */
  inheritedTraps = new CopyMap<string, string>();
  /** Signals that arrived and whose trap has not run yet. */
  pendingTraps: string[] = [];
  /** Signals that were ignored when the shell started and stay so. */
  ignoredAtStart = new Set<number>();
  runningTraps = new Set<string>();
  positional: readonly string[] = [];
  /** `$0`. */
  name: string;
  /** The name in messages of an interactive shell. */
  readonly messageName: string;
  /** The file of the script, for `BASH_SOURCE`; empty for `-c` and standard input. */
  scriptSource = '';
  /** The text of `-c` is run. */
  isCommandString = false;
  isInteractive: boolean;
  /** A shell made by an interactive one: its messages are worded like its maker's. */
  isOfInteractive = false;
  isLogin = false;
  readonly isPosixSh: boolean;
  lastStatus = 0;
  pipeStatus: readonly number[] = [0];
  /** `$!`. */
  lastBackground: number | undefined;
  lastArgument = '';
  jump: Jump | undefined;
  loopDepth = 0;
  frames: CallFrame[] = [];
  line = 0;
  lineOffset = 0;
  /** The command that runs, for `BASH_COMMAND` and error texts. */
  currentCommand: Command | undefined;
  /** The one command that this process was made for: a program takes the place of the shell, as bash does. */
  onlyCommand: Command | undefined;
  /** Builtin whose arithmetic or assignment is evaluated; error texts begin with it. */
  commandName = '';
  /** In the test of `if`, before `&&` and the like: `set -e` and ERR do nothing. */
  ignoresErrors = 0;
  subshellLevel = 0;
  pid: number;
  directoryStack: string[] = [];
  hashTable = new CopyMap<string, { path: string; hits: number }>();
  disabledBuiltins = new CopySet<string>();
  history: readonly string[] = [];
  historyStart = 1;
  /** What was cut out of edited lines. */
  readonly killRing = new KillRing();
  /** How many lines of the history are in its file already. */
  historyLoaded = 0;
  jobs = new JobTable();
  /** How many signs of PS4 come before the first: subshells of `$(…)` and `eval` add one. */
  traceLevel = 0;
  /** How many `eval` are running inside one another. */
  textDepth = 0;
  /** A wait of a builtin ends when a trapped signal arrives. */
  interruptible = false;
  /** Ctrl-C arrived at an interactive shell. */
  wasInterrupted = false;
  /** Native nesting of the generators of this process. */
  level: Level = { native: 0 };
  /** What `getopts` has looked at: position inside a word of options. */
  getoptsOffset = 1;
  getoptsIndex = 1;
  /** The folder as `cd` names it, links included. */
  logicalCwd: string | undefined;
  /** `exit` has told of stopped jobs. */
  warnedOfJobs = false;
  randomSeed = 0;
  secondsBaseUs = 0;
  completions = new CopyMap<string, string>();
  /** Status of the last `$(…)`: that of a command without a name. */
  lastSubstitutionStatus: number | undefined;
  /** Outputs of commands, and results that must not happen twice, of the word that is expanded. */
  outputs: Map<Part, string> | undefined;
  pending: Pending[] = [];
  /** Descriptors that `{name}>` and `exec` hold, saved ones of redirections above 10. */
  depth = 0;
  /** Processes of `<(…)` of the running command: descriptors to close afterwards. */
  substitutionFds: number[] = [];
  coprocs = new CopyMap<string, { pid: number; readFd: number; writeFd: number }>();
  ulimits = new CopyMap<string, string>();
  /** A syntax error or `exit` in a trap ends the shell with this. */
  isExiting = false;
  exportsRevision = -1;
  exportsCache: ReadonlyMap<string, string> = new Map();

  constructor(start: ShellStart) {
    this.process = start.process;
    this.name = start.name;
    this.messageName = start.name.replace(/^-/, '').replace(/^.*\//, '');
    this.isInteractive = start.isInteractive;
    this.isPosixSh = start.isPosixSh;
    this.pid = start.process.pid;
    this.secondsBaseUs = start.process.now();
  }

  /** Whether an option of `set -o` is on. */
  is(option: string): boolean {
    return this.options.has(option);
  }

  /** Whether an option of `shopt` is on. */
  shopt(option: string): boolean {
    return this.shopts.get(option) === true;
  }

  /** How words and scripts are read now. */
  readOptions(): ReadOptions {
    const expands = this.shopt('expand_aliases');
    return {
      extglob: () => this.shopt('extglob'),
      ...(expands ? { alias: (name: string) => this.aliases.get(name) } : {}),
    };
  }

  /** Queues text for standard output. */
  out(text: string): void {
    this.queue(1, text);
  }

  /** Queues text for standard error. */
  err(text: string): void {
    this.queue(2, text);
  }

  private queue(fd: number, text: string): void {
    if (text === '') return;
    const last = this.pending[this.pending.length - 1];
    if (last !== undefined && last.fd === fd) last.text += text;
    else this.pending.push({ fd, text });
  }

  /** The beginning of a message: the shell or script, and the line where that is told. */
  errorPrefix(): string {
    if (this.isInteractive || this.isOfInteractive) return `${this.messageName}: `;
    const source = this.frames[this.frames.length - 1]?.source ?? this.scriptSource;
    const name = source === '' ? this.name : source;
    if (this.isPosixSh) return `${name}: ${this.line}: `;
    return this.line > 0 ? `${name}: line ${this.line}: ` : `${name}: `;
  }

  /** Queues a message of the shell. */
  error(message: string): void {
    this.err(`${this.errorPrefix()}${this.isPosixSh ? dashWording(message) : message}\n`);
  }
}
