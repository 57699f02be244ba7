/**
 * `coproc`: a command in the background with a pipe to each side, whose descriptors are in an array.
 */
import type { Running } from '../../kernel/index.js';
import type { CoprocCommand } from '../../syntax/ast.js';
import { printCommandText } from '../../syntax/printer.js';
import type { Shell } from '../shell.js';
import { IndexedArray } from '../state/arrays.js';
import { ATTRIBUTE, Variable } from '../state/variable.js';
import { flushOutput } from './output.js';
import { subshellCommands } from './run-command.js';
import { forkShell } from './subshell.js';

/** Starts a coprocess. */
export function* runCoproc(shell: Shell, command: CoprocCommand): Running<number> {
  yield* flushOutput(shell);
  const { process: own } = shell;
  const [theirOutput, theirOutputEnd] = own.pipe();
  const [theirInput, theirInputEnd] = own.pipe();
  const readFd = own.place(own.file(theirOutput), { from: 63, closeOnExec: true });
  const writeFd = own.place(own.file(theirInputEnd), { from: 60, closeOnExec: true });
  const child = yield* forkShell(
    shell,
    { isAsynchronous: true, pgid: shell.is('monitor') ? 0 : undefined },
    function* (sub) {
      sub.process.dup2(theirInput, 0);
      sub.process.dup2(theirOutputEnd, 1);
      for (const fd of [theirOutput, theirOutputEnd, theirInput, theirInputEnd, readFd, writeFd])
        sub.process.close(fd);
      return yield* subshellCommands(sub, command.body);
    },
  );
  for (const fd of [theirOutput, theirOutputEnd, theirInput, theirInputEnd]) own.close(fd);
  const { name } = command;
  shell.coprocs.set(name, { pid: child.pid, readFd, writeFd });
  const array = new Variable(undefined, ATTRIBUTE.indexed);
  array.array = new IndexedArray([String(readFd), String(writeFd)]);
  shell.variables.globals.set(name, array);
  shell.variables.globals.set(`${name}_PID`, new Variable(String(child.pid)));
  shell.lastBackground = child.pid;
  const processes = [{ pid: child.pid, text: printCommandText(command), status: undefined }];
  const folder = shell.variables.find('PWD')?.value ?? '';
  shell.jobs.add({
    pgid: shell.is('monitor') ? child.pid : own.pgid,
    processes,
    text: printCommandText(command),
    folder,
  });
  return 0;
}
