/**
 * `node`: JavaScript as Node 18 runs it, on QuickJS and the machine's files.
 *
 * What is not there (a module such as `http`, the prompt, `--test`) is asked of the Host like any program that nobody
 * computes, and so is everything where the interpreter's package is not installed.
 * Source: Debian 12's nodejs 18. Not covered: see docs/TERMINAL.md.
 */
import { whyMissing } from '../../../../guests/index.js';
import type { Command, Process, Running } from '../../kernel/index.js';
import { unknownProgram } from '../program/unknown-program.js';
import { processFacts, runGuest } from './guest-program.js';

function* run(proc: Process): Running<number> {
  const missing = whyMissing('node');
  if (missing !== null) return yield* unknownProgram('node', missing)(proc);
  const facts = { ...processFacts(proc), executable: proc.exe, tty: [0, 1, 2].map((fd) => proc.isatty(fd)) };
  const end = yield* runGuest(proc, 'node', facts);
  if ('status' in end) return end.status;
  return yield* unknownProgram('node', `this interpreter does not have ${end.lacks}`)(proc);
}

/** The interpreter. */
export const node: Command = { name: 'node', path: '/usr/bin/node', sizeBytes: 67_240, run };
