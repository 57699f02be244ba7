/**
 * Simple commands: assignments, words, redirections, and then a function, a builtin or a program.
 *
 * Source: bash manual, Simple Command Expansion and Command Search and Execution.
 */
import type { Running, SystemError } from '../../kernel/index.js';
import type { SimpleCommand, Word } from '../../syntax/ast.js';
import type { Builtin } from '../builtins/call.js';
import { BUILTINS, type BuiltinCall, DECLARATION_BUILTINS, SPECIAL_BUILTINS } from '../builtins/table.js';
import { writeVariable } from '../expand/names.js';
import { ShellFailure } from '../failures.js';
import type { Shell } from '../shell.js';
import { ATTRIBUTE, Variable } from '../state/variable.js';
import { assign, type ExpandedAssignment, expandAssignment, traceAssignment } from './assignments.js';
import { runExternal } from './external.js';
import { callFunction } from './functions.js';
import { flushOutput } from './output.js';
import {
  applyRedirects,
  type PreparedRedirect,
  prepareRedirects,
  RedirectError,
  SavedDescriptors,
} from './redirects.js';
import { debugTrap, tracedWord, traceLine } from './trace.js';
import { expandWordInto } from './words.js';

/** A simple command with its words expanded. */
interface Expanded {
  readonly assignments: readonly Word[];
  readonly argv: string[];
  /** Assignment arguments of `declare` and its like, by position. */
  readonly declared: ReadonlyMap<number, ExpandedAssignment>;
}

/** Runs a simple command. */
export function* runSimple(shell: Shell, command: SimpleCommand): Running<number> {
  shell.line = command.line + shell.lineOffset;
  yield* debugTrap(shell, command);
  if (shell.jump !== undefined) return shell.lastStatus;
  shell.lastSubstitutionStatus = undefined;
  const expanded = yield* expandCommand(shell, command);
  try {
    if (expanded.argv.length === 0) return yield* runAssignments(shell, command, expanded);
    return yield* dispatch(shell, command, expanded);
  } finally {
    closeSubstitutions(shell);
  }
}

function closeSubstitutions(shell: Shell): void {
  if (shell.substitutionFds.length === 0) return;
  for (const fd of shell.substitutionFds) if (shell.process.isOpen(fd)) shell.process.close(fd);
  shell.substitutionFds = [];
}

function* expandCommand(shell: Shell, command: SimpleCommand): Running<Expanded> {
  const assignments: Word[] = [];
  const argv: string[] = [];
  let declared: Map<number, ExpandedAssignment> | undefined;
  let declares = false;
  for (const word of command.words) {
    if (argv.length === 0 && word.assignment !== undefined) {
      assignments.push(word);
      continue;
    }
    if (declares && word.assignment !== undefined) {
      const assignment = yield* expandAssignment(shell, word);
      declared ??= new Map();
      declared.set(argv.length, assignment);
      const { head } = assignment;
      argv.push(head.items === undefined ? word.text.slice(0, head.valueAt) + assignment.value : word.text);
      continue;
    }
    const first = argv.length === 0;
    yield* expandWordInto(shell, word, argv);
    if (first && argv.length > 0) {
      // `command declare`, `builtin local`: the next word decides.
      declares =
        DECLARATION_BUILTINS.has(argv[0] as string) || argv[0] === 'command' || argv[0] === 'builtin';
    }
  }
  return { assignments, argv, declared: declared ?? NONE };
}

const NONE: ReadonlyMap<number, ExpandedAssignment> = new Map();

/** A command without a name: its assignments stay. */
function* runAssignments(shell: Shell, command: SimpleCommand, expanded: Expanded): Running<number> {
  if (command.redirects.length > 0) {
    const saved = new SavedDescriptors(shell.process);
    try {
      const prepared = yield* prepareRedirects(shell, command.redirects);
      yield* applyRedirects(shell.process, prepared, { saved, shell });
    } catch (error) {
      if (!(error instanceof RedirectError)) throw error;
      shell.error(error.message);
      saved.undo();
      return 1;
    }
    saved.undo();
  }
  for (const word of expanded.assignments) {
    const assignment = yield* expandAssignment(shell, word);
    yield* traceAssignment(shell, assignment);
    yield* assign(shell, assignment);
  }
  const status = shell.lastSubstitutionStatus ?? 0;
  shell.pipeStatus = [status];
  shell.lastArgument = '';
  return status;
}

/** Finds what a name means and runs it. */
function* dispatch(shell: Shell, command: SimpleCommand, expanded: Expanded): Running<number> {
  const { argv } = expanded;
  const name = argv[0] as string;
  const definition = shell.functions.get(name);
  const special = SPECIAL_BUILTINS.has(name);
  const usesFunction = definition !== undefined && !(special && shell.is('posix'));
  const builtin = usesFunction || shell.disabledBuiltins.has(name) ? undefined : BUILTINS.get(name);
  if (definition === undefined && builtin === undefined) {
    if (expanded.assignments.length > 0) return yield* runWithScope(shell, command, expanded);
    return yield* runExternalCommand(shell, command, argv);
  }
  if (expanded.assignments.length > 0) return yield* runWithScope(shell, command, expanded);
  return yield* runInShell(shell, command, expanded);
}

/** Runs a command with the assignments in front of it visible to it only. */
function* runWithScope(shell: Shell, command: SimpleCommand, expanded: Expanded): Running<number> {
  const { argv } = expanded;
  const name = argv[0] as string;
  const temporary = new Map<string, Variable>();
  for (const word of expanded.assignments) {
    const assignment = yield* expandAssignment(shell, word);
    yield* traceAssignment(shell, assignment);
    const { head, value } = assignment;
    const old = shell.variables.find(head.name);
    if (old?.has(ATTRIBUTE.readonly) === true) {
      shell.error(`${head.name}: readonly variable`);
      yield* flushOutput(shell);
      continue;
    }
    const variable = new Variable(
      head.append ? (old?.value ?? '') : undefined,
      ATTRIBUTE.exported | ((old?.attributes ?? 0) & (ATTRIBUTE.integer | ATTRIBUTE.lower | ATTRIBUTE.upper)),
    );
    writeVariable(shell, variable, { name: head.name, value, append: head.append });
    temporary.set(head.name, variable);
  }
  const isInShell = shell.functions.has(name) || (BUILTINS.has(name) && !shell.disabledBuiltins.has(name));
  if (SPECIAL_BUILTINS.has(name) && shell.is('posix')) {
    for (const [key, variable] of temporary) shell.variables.globals.set(key, variable);
    return yield* runInShell(shell, command, expanded);
  }
  const scope = shell.variables.push('command');
  for (const [key, variable] of temporary) scope.variables.set(key, variable);
  shell.variables.revision += 1;
  if (temporary.has('PATH')) shell.hashTable.clear();
  try {
    if (isInShell) return yield* runInShell(shell, command, expanded);
    return yield* runExternalCommand(shell, command, argv);
  } finally {
    shell.variables.scopes = shell.variables.scopes.filter((one) => one !== scope);
    shell.variables.revision += 1;
    if (temporary.has('PATH')) shell.hashTable.clear();
  }
}

function* traceCommand(shell: Shell, expanded: Expanded): Running<void> {
  if (!shell.is('xtrace')) return;
  const words = expanded.argv.map((word, index) => {
    const declared = expanded.declared.get(index);
    if (declared === undefined) return tracedWord(word);
    if (declared.items !== undefined) return tracedWord(word.replace(/^[^=]*=/, (left) => left));
    return `${word.slice(0, declared.head.valueAt)}${declared.value === '' ? '' : tracedWord(declared.value)}`;
  });
  yield* traceLine(shell, words.join(' '));
}

function* runExternalCommand(shell: Shell, command: SimpleCommand, argv: readonly string[]): Running<number> {
  yield* traceCommand(shell, { argv: [...argv], assignments: [], declared: NONE });
  shell.lastArgument = argv[argv.length - 1] ?? '';
  return yield* runExternal(shell, command, argv);
}

/** Runs a function or builtin in this process, with redirections that are undone afterwards. */
function* runInShell(shell: Shell, command: SimpleCommand, expanded: Expanded): Running<number> {
  const { argv } = expanded;
  const name = argv[0] as string;
  yield* traceCommand(shell, expanded);
  for (const declared of expanded.declared.values())
    if (shell.is('xtrace')) yield* traceAssignment(shell, declared);
  const keepsRedirects = name === 'exec' && !shell.functions.has('exec');
  let saved: SavedDescriptors | undefined;
  if (command.redirects.length > 0) {
    let prepared: readonly PreparedRedirect[] = [];
    saved = new SavedDescriptors(shell.process);
    try {
      prepared = yield* prepareRedirects(shell, command.redirects);
      yield* applyRedirects(shell.process, prepared, { saved, shell });
    } catch (error) {
      saved.undo();
      if (error instanceof ShellFailure && error.effect === 'command') shell.error(error.message);
      else if (error instanceof RedirectError) shell.error(error.message);
      else throw error;
      yield* flushOutput(shell);
      if (keepsRedirects && !shell.isInteractive && shell.is('posix')) {
        shell.lastStatus = 1;
        shell.jump = { kind: 'exit' };
      }
      return 1;
    }
  }
  try {
    const status = yield* runNamed(shell, expanded);
    const failure = shell.pending.length > 0 ? yield* flushOutput(shell) : undefined;
    if (keepsRedirects && status === 0) saved?.forget();
    return failure === undefined ? status : yield* writeFailed(shell, name, failure);
  } finally {
    saved?.undo();
  }
}

function* writeFailed(shell: Shell, name: string, failure: SystemError): Running<number> {
  shell.error(`${name}: write error: ${failure.text}`);
  yield* flushOutput(shell);
  return 1;
}

function* runNamed(shell: Shell, expanded: Expanded): Running<number> {
  const { argv, declared } = expanded;
  const name = argv[0] as string;
  const definition = shell.functions.get(name);
  if (definition !== undefined) {
    const status = yield* callFunction(shell, definition, argv);
    shell.lastArgument = argv[argv.length - 1] ?? '';
    return status;
  }
  const builtin = BUILTINS.get(name);
  if (builtin === undefined) return 127;
  const call: BuiltinCall = { shell, name, args: argv.slice(1), declared };
  const status = yield* runBuiltin(call, builtin);
  shell.lastArgument = argv[argv.length - 1] ?? '';
  if (name !== 'eval' && name !== '.' && name !== 'source') shell.pipeStatus = [status];
  return status;
}

/** Runs a builtin; a variable that may not change fails it and nothing more. */
function* runBuiltin(call: BuiltinCall, builtin: Builtin): Running<number> {
  try {
    const result = builtin(call);
    return typeof result === 'number' ? result : yield* result;
  } catch (error) {
    if (!(error instanceof ShellFailure) || !error.message.endsWith('readonly variable')) throw error;
    call.shell.error(error.message);
    return 1;
  }
}
