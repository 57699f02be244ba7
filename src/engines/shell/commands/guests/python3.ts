/**
 * `python3`: CPython 3.11 on the machine's files.
 *
 * What the interpreter lacks (a module in C, threads that wait for one another) is asked of the Host like any program that
 * nobody computes, and so is everything where the interpreter's package is not installed.
 * Source: Debian 12's python3 3.11.2. Not covered: see docs/TERMINAL.md.
 */
import { whyMissing } from '../../../../guests/index.js';
import { type Command, findInPath, type Process, type Running, SystemError } from '../../kernel/index.js';
import { unknownProgram } from '../program/unknown-program.js';
import { processFacts, runGuest } from './guest-program.js';

function* run(proc: Process): Running<number> {
  const missing = whyMissing('python');
  if (missing !== null) return yield* unknownProgram('python3', missing)(proc);
  const end = yield* runGuest(proc, 'python', { ...processFacts(proc), executable: executableOf(proc) });
  if ('status' in end) return end.status;
  return yield* unknownProgram('python3', `this interpreter does not have ${end.lacks}`)(proc);
}

/** `sys.executable`: the name it was called by, as it was found. */
function executableOf(proc: Process): string {
  const name = proc.argv[0] ?? 'python3';
  try {
    const found = findInPath(proc, name);
    return found.startsWith('/') ? found : `${proc.getcwd()}/${found.replace(/^\.\//, '')}`;
  } catch (error) {
    if (error instanceof SystemError) return proc.exe;
    throw error;
  }
}

/** The interpreter. */
export const python3: Command = { name: 'python3', path: '/usr/bin/python3', sizeBytes: 6_838_696, run };
