/**
 * Functions: definition, calls, and where a call came from.
 */
import { type Running, SIG } from '../../kernel/index.js';
import type { FunctionCommand } from '../../syntax/ast.js';
import { SPECIAL_BUILTINS } from '../builtins/table.js';
import { ShellFailure } from '../failures.js';
import type { CallFrame, Shell, ShellFunction } from '../shell.js';
import { run } from './run-command.js';
import { debugTrap } from './trace.js';
import { nest } from './trampoline.js';
import { runTrap } from './traps.js';

const CALL_TICKS = 4;

/** How deep calls go before the process ends as one whose stack is full. */
const MAX_CALLS = 6000;

/** Where code that runs now was written. */
function currentSource(shell: Shell): string {
  const frame = shell.frames[shell.frames.length - 1];
  if (frame !== undefined) return frame.source;
  if (shell.scriptSource !== '') return shell.scriptSource;
  return shell.isCommandString ? 'environment' : 'main';
}

/** Defines a function. */
export function defineFunction(shell: Shell, command: FunctionCommand): number {
  shell.line = command.line + shell.lineOffset;
  if (/[$'"`\\]|^\d+$/.test(command.name) || command.name.includes('=')) {
    shell.error(`\`${command.name}': not a valid identifier`);
    return 1;
  }
  if (shell.is('posix') && SPECIAL_BUILTINS.has(command.name))
    throw new ShellFailure(`\`${command.name}': is a special builtin`, 'exit', 2);
  const old = shell.functions.get(command.name);
  if (old?.isReadonly === true) {
    shell.error(`${command.name}: readonly function`);
    return 1;
  }
  shell.functions.set(command.name, {
    definition: command,
    source: currentSource(shell),
    lineOffset: shell.lineOffset,
    isExported: shell.is('allexport'),
    isReadonly: false,
    isTraced: false,
  });
  return 0;
}

/** Calls a function. */
export function* callFunction(shell: Shell, called: ShellFunction, argv: readonly string[]): Running<number> {
  const limit = Number(shell.variables.find('FUNCNEST')?.value ?? 0);
  const depth = shell.frames.length;
  if (limit > 0 && depth >= limit)
    throw new ShellFailure(`${argv[0]}: maximum function nesting level exceeded (${limit})`, 'discard');
  if (depth >= MAX_CALLS) {
    yield* shell.process.kill(shell.process.pid, SIG.SEGV);
    return 139;
  }
  const frame: CallFrame = {
    name: argv[0] as string,
    source: called.source,
    callLine: shell.line,
    isFunction: true,
    args: argv.slice(1),
  };
  return yield* nest(shell.level, inFrame(shell, frame, bodyOf(shell, called)));
}

function* bodyOf(shell: Shell, called: ShellFunction): Running<number> {
  if (shell.process.tick(CALL_TICKS)) yield* shell.process.pause();
  shell.lineOffset = called.lineOffset;
  shell.line = called.definition.line + called.lineOffset;
  if (shell.is('functrace')) yield* debugTrap(shell, called.definition);
  return yield* run(shell, called.definition.body);
}

/** Runs code with a frame, positional parameters and a scope of its own; takes up `return`. */
function* inFrame(shell: Shell, frame: CallFrame, running: Running<number>): Running<number> {
  const { positional, lineOffset, loopDepth, line } = shell;
  shell.frames.push(frame);
  shell.positional = frame.args;
  shell.loopDepth = 0;
  const scope = shell.variables.push('function');
  const debug = shell.traps.get('DEBUG');
  try {
    let status = yield* running;
    if (shell.jump?.kind === 'return') {
      shell.jump = undefined;
      status = shell.lastStatus;
    }
    const action = shell.traps.get('RETURN');
    if (action !== undefined && action !== '' && shell.is('functrace')) {
      shell.lastStatus = status;
      yield* runTrap(shell, 'RETURN', action);
    }
    return status;
  } finally {
    shell.variables.scopes.splice(shell.variables.scopes.lastIndexOf(scope));
    shell.variables.revision += 1;
    shell.frames.pop();
    shell.positional = positional;
    shell.lineOffset = lineOffset;
    shell.loopDepth = loopDepth;
    shell.line = line;
    if (debug !== undefined && !shell.traps.has('DEBUG')) shell.traps.delete('DEBUG');
  }
}
