/**
 * `python3`: CPython 3.11 on the machine's files.
 *
 * What the interpreter lacks (a module in C, threads that wait for one another) is asked of the Host like any program that
 * nobody computes, and so is everything where the interpreter's package is not installed.
 * Source: Debian 12's python3 3.11.2. Not covered: see docs/TERMINAL.md.
 */
import { whyMissing } from '../../../../guests/index.js';
import {
  type Command,
  findInPath,
  type Io,
  type Process,
  type Running,
  SystemError,
} from '../../kernel/index.js';
import type { PackageIndex } from '../../kernel/package-index.js';
import { libraryOf } from '../packages/package-files.js';
import { runPip } from '../packages/pip.js';
import { makeVenv, PIP_SCRIPT_MARK } from '../packages/venv.js';
import { unknownProgram } from '../program/unknown-program.js';
import { processFacts, runGuest } from './guest-program.js';

function* run(proc: Process, io: Io): Running<number> {
  const own = yield* packageTool(proc, io);
  if (own !== null) return own;
  const missing = whyMissing('python');
  if (missing !== null) return yield* unknownProgram('python3', missing)(proc);
  const end = yield* runGuest(proc, 'python', {
    ...processFacts(proc),
    executable: executableOf(proc),
    sourceless: sourceless(proc.kernel.packageIndex),
  });
  if ('status' in end) return end.status;
  return yield* unknownProgram('python3', `this interpreter does not have ${end.lacks}`)(proc);
}

/** `-m pip`, `-m venv` and pip's own scripts, where the world has an index of packages; null for everything else. */
function* packageTool(proc: Process, io: Io): Running<number | null> {
  if (proc.kernel.packageIndex === null) return null;
  const [, first = '', second = '', ...rest] = proc.argv;
  const executable = executableOf(proc);
  if (first === '-m' && second === 'pip') {
    if (proc.exists('/usr/bin/pip3') || !executable.startsWith('/usr/bin/'))
      return yield* runPip(proc, io, { executable, args: rest });
  }
  if (first === '-m' && second === 'venv') return yield* makeVenv(proc, io, rest);
  if (!/\/pip3?(\.\d+)?$/.test(first) || proc.find(first)?.kind !== 'file') return null;
  const text = yield* proc.readText(first);
  if (!text.includes(PIP_SCRIPT_MARK)) return null;
  return yield* runPip(proc, io, { executable, args: proc.argv.slice(2) });
}

/** Modules of the index whose sources nobody has, each with the file by which it is known. */
function sourceless(index: PackageIndex | null): Record<string, string> {
  if (index === null || index.pip === 'offline') return {};
  const all = Object.values(index.pip).flat();
  return Object.fromEntries(
    all.flatMap(({ files, module }) => (files === undefined ? [[module, libraryOf(module)]] : [])),
  );
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
