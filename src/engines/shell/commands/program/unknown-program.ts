/**
 * Programs that the machine has but nobody can compute: each run is a question to the Host.
 *
 * The question names the program and gives its arguments, folder, environment, standard input and the files its arguments
 * name. The answer's value may hold `stdout`, `stderr`, `exitCode` and `files` {path: text, or null to remove}; a plain text
 * is standard output. What it writes is written as the process that runs: where the machine does not allow a file, nothing
 * of the answer is true, and the program fails with the machine's own words. Where nobody answers, the whole step has no
 * observation.
 */
import { isJsonObject, type Json, type JsonObject, traced } from '../../../../core/index.js';
import { type Process, type Program, type Running, SystemError, toText } from '../../kernel/index.js';
import { writeEffects } from './write-effects.js';

const MAX_FILE_BYTES = 65_536;
const MAX_FILES = 20;
const MAX_VARIABLES = 60;
const MAX_VALUE_CHARS = 300;

/** The program for a name that is none of ours; `hint` says what would let it be computed. */
export function unknownProgram(name: string, hint?: string): Program {
  return function* (proc) {
    const stdin = proc.isatty(0) || !proc.isOpen(0) ? null : toText(yield* proc.readAll(0));
    const args: Json = {
      argv: [...proc.argv],
      cwd: proc.getcwd(),
      stdin,
      files: yield* namedFiles(proc),
      env: variables(proc),
      ...(hint !== undefined && { hint }),
    };
    const op = { kind: 'proc.start' as const, name, target: proc.exe, args, stateMark: stateMark(proc) };
    const reply = yield* proc.ask({ phase: 'unknown', op });
    if (reply.do !== 'answer') {
      yield* proc.write(2, `${name}: cannot be run here\n`);
      return 126;
    }
    if (reply.delayMs !== undefined) yield* proc.sleep(reply.delayMs * 1000);
    const { value, text, isError } = reply.answer;
    const given = yield* give(proc, { value, text: text.text, isError });
    if (typeof given === 'number') return given;
    // What could not be is told to the Host; the reply changes nothing.
    const answer = {
      text: traced(given.refused, 'computed'),
      isError: true,
      value: { refused: given.refused },
    };
    yield* proc.ask({ phase: 'after', op, answer });
    return 1;
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

/** The exported variables, as far as they are short. */
function variables(proc: Process): JsonObject {
  const short = [...proc.env].filter(([, value]) => value.length <= MAX_VALUE_CHARS);
  return Object.fromEntries(short.slice(0, MAX_VARIABLES));
}

/** A fingerprint of all files of the machine, two lanes of 32 bits. */
function stateMark(proc: Process): string {
  let one = 0x811c9dc5;
  let two = 0x1b873593;
  const mix = (value: number): void => {
    one = Math.imul(one ^ (value % 4_294_967_296), 0x01000193);
    two = Math.imul(two ^ (value % 4_294_967_291), 0x85ebca6b) ^ (two >>> 13);
  };
  for (const { ino, mtimeUs, mode, uid, nlink } of proc.kernel.files.table.all()) {
    for (const value of [ino, mtimeUs, mode, uid, nlink]) mix(value);
  }
  return `${(one >>> 0).toString(16)}${(two >>> 0).toString(16)}`;
}

function* give(
  proc: Process,
  answer: { readonly value: Json | undefined; readonly text: string; readonly isError: boolean },
): Running<number | { readonly refused: string }> {
  const { value } = answer;
  if (!isJsonObject(value)) {
    yield* proc.write(1, answer.text === '' || answer.text.endsWith('\n') ? answer.text : `${answer.text}\n`);
    return answer.isError ? 1 : 0;
  }
  const { stdout = '', stderr = '', exitCode = 0, files = {} } = value;
  const refused = isJsonObject(files) ? yield* writeEffects(proc, files) : null;
  if (refused !== null) {
    yield* proc.write(2, `${proc.argv[0] ?? ''}: ${refused}\n`);
    return { refused };
  }
  if (typeof stdout === 'string') yield* proc.write(1, stdout);
  if (typeof stderr === 'string') yield* proc.write(2, stderr);
  return typeof exitCode === 'number' && Number.isInteger(exitCode) ? exitCode & 0xff : 1;
}
