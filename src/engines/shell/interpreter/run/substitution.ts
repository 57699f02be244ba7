/**
 * Outputs of commands inside words: `$(…)`, backquotes, `<(…)` and `>(…)`.
 */
import { joinBytes, type Running, SystemError, toText } from '../../kernel/index.js';
import type { Command } from '../../syntax/ast.js';
import type { CommandPart, ProcessPart } from '../../syntax/word-parts.js';
import { expandText } from '../expand/expander.js';
import { NeedOutput } from '../failures.js';
import { waitForChild } from '../jobs/waiting.js';
import type { Shell } from '../shell.js';
import { flushOutput } from './output.js';
import { runList } from './run-command.js';
import { forkShell } from './subshell.js';

const MAX_OUTPUT_BYTES = 64 * 1024 * 1024;

/** Runs a function of the expander, and the commands whose output it asks for; then it starts again. */
export function* withOutputs<T>(shell: Shell, work: () => T): Running<T> {
  const outer = shell.outputs;
  const outputs: NonNullable<Shell['outputs']> = new Map();
  try {
    for (;;) {
      shell.outputs = outputs;
      try {
        return work();
      } catch (error) {
        shell.depth = 0;
        if (!(error instanceof NeedOutput)) throw error;
        shell.outputs = undefined;
        outputs.set(error.part, yield* outputOf(shell, error.part));
      }
    }
  } finally {
    shell.outputs = outer;
  }
}

function* outputOf(shell: Shell, part: CommandPart | ProcessPart): Running<string> {
  if (part.kind === 'process') return yield* processPath(shell, part);
  if (part.error !== undefined) {
    for (const [index, text] of [part.error.message, part.error.quoted].entries()) {
      if (text === undefined) continue;
      const line = part.error.line + Math.max(0, shell.line - 1);
      shell.err(
        `${shell
          .errorPrefix()
          .replace(/line \d+: $|: $/, '')
          .replace(/:? $/, '')}: command substitution: line ${line}: ${index === 0 ? text : `\`${text}'`}\n`,
      );
    }
    yield* flushOutput(shell);
  }
  const commands = part.command ?? [];
  if (commands.length === 0) {
    shell.lastSubstitutionStatus = part.error === undefined ? 0 : 2;
    return '';
  }
  const file = redirectedFile(commands);
  if (file !== undefined) return yield* fileText(shell, file);
  return yield* commandOutput(shell, commands);
}

/** `$(<file)`: the file, read without a process. */
function redirectedFile(commands: readonly Command[]): Command | undefined {
  const [only] = commands;
  if (commands.length !== 1 || only?.kind !== 'simple' || only.words.length > 0) return undefined;
  return only.redirects.length === 1 &&
    only.redirects[0]?.operator === '<' &&
    only.redirects[0].fd === undefined
    ? only
    : undefined;
}

function* fileText(shell: Shell, command: Command): Running<string> {
  const target = command.redirects[0]?.target;
  if (target === undefined) return '';
  const path = yield* withOutputs(shell, () => expandText(shell, target));
  try {
    const fd = yield* shell.process.open(path);
    const text = yield* readAll(shell, fd);
    shell.lastSubstitutionStatus = 0;
    return text;
  } catch (error) {
    if (!(error instanceof SystemError)) throw error;
    shell.error(`${path}: ${error.text}`);
    yield* flushOutput(shell);
    shell.lastSubstitutionStatus = 1;
    return '';
  }
}

/** Reads a descriptor to its end and closes it; the text without NULs and final newlines. */
function* readAll(shell: Shell, fd: number): Running<string> {
  const pieces: Uint8Array[] = [];
  let size = 0;
  for (;;) {
    const bytes = yield* shell.process.read(fd);
    if (bytes.length === 0) break;
    size += bytes.length;
    if (size <= MAX_OUTPUT_BYTES) pieces.push(bytes);
    else break;
  }
  shell.process.close(fd);
  const all = pieces.length === 1 ? (pieces[0] as Uint8Array) : joinBytes(pieces);
  let text = toText(all);
  if (text.includes('\0')) {
    shell.error('warning: command substitution: ignored null byte in input');
    yield* flushOutput(shell);
    text = text.replaceAll('\0', '');
  }
  let end = text.length;
  while (end > 0 && text[end - 1] === '\n') end -= 1;
  return end === text.length ? text : text.slice(0, end);
}

function* commandOutput(shell: Shell, commands: readonly Command[]): Running<string> {
  yield* flushOutput(shell);
  const [read, write] = shell.process.pipe();
  const child = yield* forkShell(shell, { isSubstitution: true }, function* (sub) {
    sub.process.close(read);
    sub.process.dup2(write, 1);
    sub.process.close(write);
    sub.lineOffset = Math.max(0, shell.line - 1);
    sub.traceLevel += 1;
    return yield* runList(sub, commands);
  });
  shell.process.close(write);
  const text = yield* readAll(shell, read);
  shell.lastSubstitutionStatus = yield* waitForChild(shell, child.pid);
  return text;
}

/** `<(…)`: a process at the other end of a pipe whose path is given to the command. */
function* processPath(shell: Shell, part: ProcessPart): Running<string> {
  yield* flushOutput(shell);
  const [read, write] = shell.process.pipe();
  const [mine, theirs] = part.direction === '<' ? [read, write] : [write, read];
  const kept = shell.process.place(shell.process.file(mine), {
    from: 63 - (shell.substitutionFds.length % 40),
  });
  shell.process.close(mine);
  const { command } = part;
  const child = yield* forkShell(shell, { isSubstitution: true }, function* (sub) {
    sub.process.dup2(theirs, part.direction === '<' ? 1 : 0);
    sub.process.close(theirs);
    sub.process.close(kept);
    return command === undefined ? 0 : yield* runList(sub, [command]);
  });
  shell.process.close(theirs);
  shell.substitutionFds.push(kept);
  shell.lastBackground = child.pid;
  return `/dev/fd/${kept}`;
}
