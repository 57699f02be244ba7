/**
 * CPython, kept warm: loaded and prepared once, and put back to that state before every program.
 *
 * The state of the interpreter is its linear memory; a copy of it is laid back before each run, which takes a millisecond
 * and makes every program find the same fresh interpreter (the same seeds of hashes included). Programs see a machine
 * only through the system calls in `system-calls.ts`.
 * Source: pyodide 0.25.1 (CPython 3.11.3), of which only the compiled interpreter is used after the start.
 * Not covered: extension modules that are not compiled in (see docs/TERMINAL.md).
 */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { JsonObject } from '../../core/index.js';
import { Caller, GuestExit, GuestStopped } from '../caller.js';
import type { Channel } from '../channel.js';
import { DEVICE_FD, FileDescriptors, OPEN_ANY } from './file-descriptors.js';
import { GuestMemory, type PythonModule, type WasmMemory } from './guest-memory.js';
import { findErrorClasses, LINUX_ERRORS, replaceSentences } from './linux-errors.js';
import { PREPARE } from './prepare-source.js';
import { RUNNER } from './runner-source.js';
import { LIBRARY, readLibrary } from './stdlib-files.js';
import { type Imports, replaceImports } from './system-calls.js';

/** Memory that one program may have; more is a `MemoryError`. */
const MAX_MEMORY_BYTES = 512 << 20;
/** A thread whose memory grew beyond this is not used again, since memory cannot shrink. */
const SPENT_BYTES = 160 << 20;
/** A thread that ran so many programs is replaced. */
const MAX_RUNS = 3000;
const SIGKILL = 9;
const SIGABRT = 6;

/** A warm interpreter. */
export interface Python {
  /** It shall not be used again. */
  readonly isSpent: boolean;
  /** Runs a program to its end, which is the call `exit`. */
  run(start: JsonObject): void;
}

/** The compiled module's own stack. */
interface Stack {
  stackSave(): number;
  stackRestore(at: number): void;
}

interface Pyodide {
  runPython(code: string): unknown;
  setInterruptBuffer(buffer: unknown): void;
  readonly _module: PythonModule;
}

interface WasmApi {
  instantiate(
    source: unknown,
    imports: Record<string, Imports>,
  ): Promise<{ readonly instance: { readonly exports: Stack } }>;
  instantiateStreaming?: unknown;
}

/** Loads and prepares an interpreter. Raises where the package is missing or of another version. */
export async function createPython(channel: Channel): Promise<Python> {
  const resolved = createRequire(import.meta.url).resolve('pyodide');
  const library = readLibrary(readFileSync(join(dirname(resolved), 'python_stdlib.zip')));
  const memory = new GuestMemory();
  const caller = new Caller(channel);
  const files = new FileDescriptors({ memory, caller, stdlib: library });
  let stack: Stack | undefined;
  const replace = (env: Imports, wasi: Imports): void => {
    memory.memory = env.memory as unknown as WasmMemory;
    replaceImports({ env, wasi }, { memory, caller, stdlib: library, files });
  };
  const pyodide = await load(replace, (exports) => {
    stack = exports;
  });
  if (stack === undefined) throw new Error('the interpreter has no stack');
  const module = pyodide._module;
  pyodide.setInterruptBuffer([0]);
  replaceSentences(memory.bytes);
  const run = (source: string): unknown => pyodide.runPython(source);
  const ids = JSON.parse(
    String(run('__import__("json").dumps([id(dict), id(FileNotFoundError)])')),
  ) as number[];
  const classes = findErrorClasses(memory.bytes, { dict: ids[0] ?? 0, notFound: ids[1] ?? 0 });
  files.isPrepared = true;
  const facts = {
    library: LIBRARY,
    device: DEVICE_FD,
    any: OPEN_ANY,
    classes,
    errors: LINUX_ERRORS.map((one) => [one.number, one.name]),
  };
  run(`_facts = __import__("json").loads(${JSON.stringify(JSON.stringify(facts))})\n${PREPARE}`);
  const entry = Number(run(RUNNER));
  limitMemory(memory.memory as unknown as WasmMemory);
  return warm({ module, stack, memory, caller, files, entry });
}

async function load(
  replace: (env: Imports, wasi: Imports) => void,
  onExports: (exports: Stack) => void,
): Promise<Pyodide> {
  const api = (globalThis as unknown as { WebAssembly: WasmApi }).WebAssembly;
  const { instantiate } = api;
  api.instantiate = (source, imports) => {
    const { env, wasi_snapshot_preview1: wasi } = imports;
    const isMain = env !== undefined && wasi !== undefined && '__syscall_openat' in env;
    if (isMain) replace(env, wasi);
    const made = instantiate.call(api, source, imports);
    if (isMain) void made.then(({ instance }) => onExports(instance.exports));
    return made;
  };
  try {
    const { loadPyodide } = await import('pyodide');
    return (await loadPyodide({ stdout: () => undefined, stderr: () => undefined })) as unknown as Pyodide;
  } finally {
    api.instantiate = instantiate;
  }
}

/** More than the limit is refused, which Python turns into `MemoryError`. */
function limitMemory(memory: WasmMemory): void {
  const grow = memory.grow.bind(memory);
  memory.grow = (pages) => {
    if (memory.buffer.byteLength + pages * 65_536 > MAX_MEMORY_BYTES) throw new RangeError('no more memory');
    return grow(pages);
  };
}

interface WarmParts {
  readonly module: PythonModule;
  readonly stack: Stack;
  readonly memory: GuestMemory;
  readonly caller: Caller;
  readonly files: FileDescriptors;
  readonly entry: number;
}

function warm(parts: WarmParts): Python {
  const { module, stack, memory, caller, files, entry } = parts;
  const image = memory.bytes.slice();
  const stackTop = stack.stackSave();
  let runs = 0;
  return {
    get isSpent() {
      return runs >= MAX_RUNS || memory.bytes.length > SPENT_BYTES;
    },
    run(start) {
      runs += 1;
      files.reset();
      caller.begin(Number(start.nowUs));
      try {
        const result = module._PyObject_CallNoArgs(entry);
        const status = result === 0 ? 1 : module._PyLong_AsLong(result);
        if (status >= 0) caller.call('exit', [{ code: status & 0xff }]);
        else caller.call('exit', [{ signal: -status }]);
      } catch (error) {
        endOf(caller, error);
      }
      caller.finish();
      stack.stackRestore(stackTop);
      memory.bytes.set(image);
      memory.bytes.fill(0, image.length);
    },
  };
}

/** What came up through the interpreter instead of a status. */
function endOf(caller: Caller, error: unknown): void {
  if (error instanceof GuestStopped) return;
  try {
    if (error instanceof GuestExit) caller.call('exit', [{ code: error.status & 0xff }]);
    else if (error instanceof RangeError)
      caller.call('exit', [{ signal: error.message.includes('memory') ? SIGKILL : 11 }]);
    else caller.call('exit', [{ signal: SIGABRT, reason: String(error) }]);
  } catch (second) {
    if (!(second instanceof GuestStopped)) throw second;
  }
}
