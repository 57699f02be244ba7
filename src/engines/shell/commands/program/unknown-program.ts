/**
 * Programs that the machine has but nobody can compute: each run is a question to the Host.
 *
 * The question names the program and gives its arguments, folder, environment's PATH, standard input and the files its
 * arguments name. The answer's value may hold `stdout`, `stderr`, `exitCode` and `files` {path: text}; a plain text is
 * standard output. Where nobody answers, the whole step has no observation.
 */
import { isJsonObject, type Json } from '../../../../core/index.js';
import { type Process, type Program, type Running, SystemError, toText } from '../../kernel/index.js';

const MAX_FILE_BYTES = 65_536;
const MAX_FILES = 20;

/** The program for a name that is none of ours. */
export function unknownProgram(name: string): Program {
  return function* (proc) {
    const stdin = proc.isatty(0) || !proc.isOpen(0) ? null : toText(yield* proc.readAll(0));
    const args: Json = { argv: [...proc.argv], cwd: proc.getcwd(), stdin, files: yield* namedFiles(proc) };
    const op = { kind: 'proc.start' as const, name, target: proc.exe, args };
    const reply = yield* proc.ask({ phase: 'unknown', op });
    if (reply.do !== 'answer') {
      yield* proc.write(2, `${name}: cannot be run here\n`);
      return 126;
    }
    if (reply.delayMs !== undefined) yield* proc.sleep(reply.delayMs * 1000);
    return yield* give(proc, {
      value: reply.answer.value,
      text: reply.answer.text.text,
      isError: reply.answer.isError,
    });
  };
}

/** The texts of the readable files that arguments name. */
function* namedFiles(proc: Process): Running<Record<string, string>> {
  const files: Record<string, string> = {};
  for (const argument of proc.argv.slice(1).slice(0, MAX_FILES)) {
    try {
      const inode = proc.stat(argument);
      if (inode.kind !== 'file' || (inode.content?.size ?? 0) > MAX_FILE_BYTES) continue;
      files[argument] = yield* proc.readText(argument);
    } catch (error) {
      if (!(error instanceof SystemError)) throw error;
    }
  }
  return files;
}

function* give(
  proc: Process,
  answer: { readonly value: Json | undefined; readonly text: string; readonly isError: boolean },
): Running<number> {
  const { value } = answer;
  if (!isJsonObject(value)) {
    yield* proc.write(1, answer.text === '' || answer.text.endsWith('\n') ? answer.text : `${answer.text}\n`);
    return answer.isError ? 1 : 0;
  }
  const { stdout = '', stderr = '', exitCode = 0, files = {} } = value;
  for (const [path, text] of isJsonObject(files) ? Object.entries(files) : []) {
    if (typeof text !== 'string') continue;
    const fd = yield* proc.open(path, { write: true, create: true, truncate: true });
    yield* proc.write(fd, text);
    proc.close(fd);
  }
  if (typeof stdout === 'string') yield* proc.write(1, stdout);
  if (typeof stderr === 'string') yield* proc.write(2, stderr);
  return typeof exitCode === 'number' && Number.isInteger(exitCode) ? exitCode & 0xff : 1;
}
