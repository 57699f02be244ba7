/**
 * Where system calls meet the world's Host: starts of programs, reads and writes of files.
 *
 * The idea: these happen by the thousand and inside calls that cannot wait, so the Host is asked in place
 * (`Consultant` of core) and only for the kinds that somebody listens to; with nobody listening a call pays one
 * comparison. An answer's `value` says what the system does: `{errno}` for files and for starts that fail,
 * `{stdout, stderr, exitCode, signal, waitMs}` for a program that runs otherwise. An answer in plain words is what a
 * program says on standard error before it gives up; for a file it is EIO.
 */
import {
  type Answer,
  type Consultant,
  isJsonObject,
  type JsonObject,
  type Operation,
  type OperationKind,
  traced,
} from '../../../core/index.js';
import { toText } from './byte-text.js';
import { type ErrorCode, isErrorCode, MissingProgram, SystemError } from './errors.js';
import type { FileCalls } from './file-calls.js';
import { captureOutput } from './output-capture.js';
import type { Process } from './process.js';
import { SIG, SIGNALS } from './signals.js';
import { type Program, type Running, SLICE } from './wait.js';

/** How a file is changed. */
export type ChangeKind =
  | 'open'
  | 'create'
  | 'write'
  | 'mkdir'
  | 'rmdir'
  | 'remove'
  | 'link'
  | 'rename'
  | 'mode'
  | 'owner'
  | 'times'
  | 'resize';

/** What is known of a change besides its path. */
export interface ChangeFacts {
  readonly how: ChangeKind;
  /** Bytes of a write. */
  readonly bytes?: number;
  /** Where a write begins. */
  readonly offset?: number;
}

/** What becomes of an access to a file: the error, and how many bytes still go through. */
export interface FileVerdict {
  readonly code: ErrorCode;
  readonly bytes: number;
}

/** The consultant, where it listens to a kind. */
export function listening(consult: Consultant | null, kind: OperationKind): Consultant | null {
  return consult?.listens.includes(kind) === true ? consult : null;
}

/** Raises what the Host says of a change of a file by its path. */
export function guardChange(calls: FileCalls, path: string, how: ChangeKind): void {
  const consult = listening(calls.kernel.consult, 'file.write');
  if (consult === null) return;
  const verdict = askWrite(consult, { name: calls.programName, path: absolute(calls, path), facts: { how } });
  if (verdict !== null) throw new SystemError(verdict.code, path);
}

/** What the Host says of a change; null to go on. */
export function askWrite(
  consult: Consultant,
  change: { readonly name: string; readonly path: string; readonly facts: ChangeFacts },
): FileVerdict | null {
  const { name, path, facts } = change;
  const reply = consult.before({ kind: 'file.write', name, target: path, args: { path, ...facts } });
  return reply.do === 'answer' ? verdictOf(reply.answer) : null;
}

/** What the Host says of opening a file for reading: go on, an error, or another text. */
export function askRead(
  calls: FileCalls,
  path: string,
  content: { readonly size: number; readonly read: () => Uint8Array },
): { readonly code: ErrorCode; readonly isLate: boolean } | { readonly text: string } | null {
  const consult = listening(calls.kernel.consult, 'file.read');
  if (consult === null) return null;
  const target = absolute(calls, path);
  const op: Operation = {
    kind: 'file.read',
    name: calls.programName,
    target,
    args: { path: target, sizeBytes: content.size },
  };
  const reply = consult.before(op);
  if (reply.do === 'answer') {
    const { code } = verdictOf(reply.answer);
    return { code, isLate: code === 'EIO' };
  }
  if (reply.watch !== true || content.size > MAX_WATCHED_BYTES) return null;
  const after = consult.after(op, { text: traced(toText(content.read()), 'computed'), isError: false });
  if (after.do !== 'answer') return null;
  const { answer } = after;
  if (answer.isError || isJsonObject(answer.value)) return { ...verdictOf(answer), isLate: true };
  return { text: answer.text.text };
}

/** Longer files and outputs are not shown to the Host. */
const MAX_WATCHED_BYTES = 1_048_576;

function verdictOf({ value }: Answer): FileVerdict {
  const known = isJsonObject(value) ? value : {};
  const code = typeof known.errno === 'string' && isErrorCode(known.errno) ? known.errno : 'EIO';
  return { code, bytes: typeof known.bytes === 'number' ? Math.max(0, Math.floor(known.bytes)) : 0 };
}

/**
 * What a path really starts: the program, or what the Host puts in its place. Raises `SystemError` for a start that
 * fails: one that is `missing` is not found, and taken off the disk where the answer says `remove`.
 */
export function startAsTold(
  proc: Process,
  start: { readonly path: string; readonly argv: readonly string[] },
): ((program: Program) => Program) | null {
  const consult = listening(proc.kernel.consult, 'proc.start');
  if (consult === null) return null;
  const { path, argv } = start;
  const name = path.replace(/^.*\//, '');
  const op: Operation = {
    kind: 'proc.start',
    name,
    target: absolute(proc, path),
    args: { argv: [...argv], line: argv.join(' '), cwd: folderOf(proc) },
  };
  const reply = consult.before(op);
  const delayUs = (reply.delayMs ?? 0) * 1000;
  if (reply.do === 'answer') {
    const { value } = reply.answer;
    if (isJsonObject(value) && typeof value.errno === 'string') throw failedStart(proc, path, value);
    return () => delayed(delayUs, instead(name, reply.answer));
  }
  if (reply.watch === true) return (program) => delayed(delayUs, watched(program, { op, consult, name }));
  return delayUs === 0 ? null : (program) => delayed(delayUs, program);
}

function failedStart(proc: Process, path: string, value: JsonObject): SystemError {
  const code = isErrorCode(String(value.errno)) ? (value.errno as ErrorCode) : 'EIO';
  if (value.missing !== true) return new SystemError(code, path);
  if (value.remove !== true) return new MissingProgram(path);
  const { files } = proc.kernel;
  const root = { uid: 0, gid: 0, groups: [0], cwdIno: proc.cwdIno, umask: 0o022 };
  if (files.walk(root, path, false).inode !== undefined) files.unlink(root, path);
  return new MissingProgram(path);
}

function delayed(us: number, program: Program): Program {
  if (us === 0) return program;
  return function* (proc) {
    yield* proc.sleep(us);
    return yield* program(proc);
  };
}

/** A program that does not run: its words and its end are the Host's. */
function instead(name: string, answer: Answer): Program {
  return writing(name, function* (proc) {
    const { value } = answer;
    if (isJsonObject(value)) return yield* endAsTold(proc, name, { value, status: 0 });
    const { text } = answer.text;
    const line = text === '' || text.endsWith('\n') ? text : `${text}\n`;
    yield* proc.write(answer.isError ? 2 : 1, line);
    return answer.isError ? 1 : 0;
  });
}

/** What is written here can fail like any write; then the program says so and fails. */
function writing(name: string, program: Program): Program {
  return function* (proc) {
    try {
      return yield* program(proc);
    } catch (error) {
      if (!(error instanceof SystemError)) throw error;
      if (error.code !== 'EPIPE' && proc.isOpen(2)) {
        try {
          yield* proc.write(2, `${name}: write error: ${error.text}\n`);
        } catch (second) {
          if (!(second instanceof SystemError)) throw second;
        }
      }
      return 1;
    }
  };
}

function* endAsTold(
  proc: Process,
  name: string,
  end: { readonly value: JsonObject; readonly status: number },
): Running<number> {
  const { stdout, stderr, exitCode, signal, waitMs } = end.value;
  if (typeof stdout === 'string') yield* proc.write(1, stdout);
  if (typeof stderr === 'string') yield* proc.write(2, stderr.replaceAll('{name}', name));
  if (typeof waitMs === 'number') yield* proc.sleep(waitMs * 1000);
  const number = typeof signal === 'string' ? SIGNALS[signal.replace(/^SIG/, '')] : undefined;
  if (number !== undefined) {
    if (number !== SIG.KILL) proc.onSignal(number, 'default');
    proc.kernel.post(proc, number);
    yield SLICE;
  }
  return typeof exitCode === 'number' ? exitCode & 0xff : end.status;
}

interface Watched {
  readonly op: Operation;
  readonly consult: Consultant;
  readonly name: string;
}

/** A program whose output is held back until the Host has seen it. */
function watched(program: Program, { op, consult, name }: Watched): Program {
  return writing(name, function* (proc) {
    const capture = captureOutput(proc, MAX_WATCHED_BYTES);
    const status = yield* program(proc);
    const bytes = capture?.take() ?? new Uint8Array(0);
    // What became too long, or went on in another program, is out already.
    if (capture?.isPassed === true) return status;
    const seen: Answer = { text: traced(toText(bytes), 'computed'), isError: false };
    const current = proc.kernel.consult ?? consult;
    const reply = current.after(op, seen);
    if (reply.do !== 'answer') {
      yield* proc.write(1, bytes);
      return status;
    }
    const { value, text } = reply.answer;
    if (isJsonObject(value)) {
      if (value.keepsOutput === true) yield* proc.write(1, bytes);
      return yield* endAsTold(proc, name, { value, status });
    }
    if (reply.delayMs !== undefined) yield* proc.sleep(reply.delayMs * 1000);
    const line = reply.answer.isError && !text.text.endsWith('\n') ? `${text.text}\n` : text.text;
    yield* proc.write(reply.answer.isError ? 2 : 1, line);
    return reply.answer.isError ? 1 : status;
  });
}

/** A path from `/` on without dots; links are left as they are. */
export function absolute(calls: FileCalls, path: string): string {
  const parts: string[] = [];
  const from = path.startsWith('/') ? path : `${folderOf(calls)}/${path}`;
  for (const part of from.split('/')) {
    if (part === '..') parts.pop();
    else if (part !== '' && part !== '.') parts.push(part);
  }
  return `/${parts.join('/')}`;
}

function folderOf(calls: FileCalls): string {
  try {
    return calls.getcwd();
  } catch (error) {
    if (error instanceof SystemError) return '/';
    throw error;
  }
}
