/**
 * What tools of coding agents do on a machine beside a terminal: run a command, write files.
 *
 * Each is a process of the machine's user, so permissions, full disks, the clock and the world's Host count as they do for
 * anybody. A command in the background goes on by itself and writes into a file.
 */
import type { HostReply } from '../../../core/index.js';
import { type Program, SystemError } from '../kernel/index.js';
import type { KernelYield } from '../kernel/kernel.js';
import { startCaptured } from '../machine/capture.js';
import type { LiveMachine } from './live-machine.js';

/** Something to do; plain values, because snapshots keep it. */
export type MachineWork =
  | {
      readonly do: 'run';
      readonly command: string;
      readonly folder: string;
      /** What an earlier command left of variables: text of `declare -px`. */
      readonly variables: string;
      readonly limitMs: number;
      /** Goes on by itself; output goes there. */
      readonly backgroundTo?: string;
    }
  | { readonly do: 'write'; readonly path: string; readonly text: string }
  | { readonly do: 'kill'; readonly pid: number };

/** What came of it. */
export interface WorkResult {
  readonly output: string;
  readonly exitCode: number;
  readonly durationMs: number;
  readonly isCut: boolean;
  readonly pid: number;
  /** Where the shell was at the end, and its exported variables. */
  readonly folder: string;
  readonly variables: string;
}

const BACKGROUND_US = 20_000;
const MAX_BYTES = 4 << 20;

/** Does one piece of work; the result is `live.lastWork`. */
export function* carryOutWork(
  live: LiveMachine,
  work: MachineWork,
): Generator<KernelYield, void, HostReply | undefined> {
  const { kernel, machine } = live;
  live.lastWork = null;
  const startUs = kernel.clock.nowUs;
  if (work.do === 'kill') {
    for (const proc of [...kernel.processes.values()])
      if (proc.sid === work.pid) kernel.end(proc, { signal: 9 });
    live.lastWork = { ...NOTHING, pid: work.pid };
    return;
  }
  const isBackground = work.do === 'run' && work.backgroundTo !== undefined;
  const program = work.do === 'write' ? writer(work.path, work.text) : runner(work);
  const run = startCaptured(machine, { program, argv: ['bash'], limits: { maxBytes: MAX_BYTES } });
  if (isBackground) {
    yield* kernel.run(startUs + BACKGROUND_US, run.isOver);
    live.lastWork = { ...NOTHING, pid: run.proc.pid };
    return;
  }
  const limitMs = work.do === 'run' ? work.limitMs : 60_000;
  yield* kernel.run(startUs + limitMs * 1000, run.isOver);
  const { merged, exitCode, durationMs, isCut } = run.take({ cut: true });
  const { cwdIno, pid } = run.proc;
  let folder = work.do === 'run' ? work.folder : '/';
  try {
    folder = kernel.files.pathOf(cwdIno);
  } catch (error) {
    if (!(error instanceof SystemError)) throw error;
  }
  const { output, variables } = splitVariables(merged);
  live.lastWork = { output, exitCode, durationMs, isCut, pid, folder, variables };
}

const NOTHING: WorkResult = {
  output: '',
  exitCode: 0,
  durationMs: 20,
  isCut: false,
  pid: 0,
  folder: '/',
  variables: '',
};

/** Stands between a command's output and what it left of variables; no program writes it by chance. */
const MARK = '\x1e\x1fumwelt-variables\x1e\x1f\n';

function splitVariables(merged: string): { readonly output: string; readonly variables: string } {
  const at = merged.lastIndexOf(MARK);
  return at < 0
    ? { output: merged, variables: '' }
    : { output: merged.slice(0, at), variables: merged.slice(at + MARK.length) };
}

function runner(work: Extract<MachineWork, { do: 'run' }>): Program {
  return function* (proc) {
    try {
      proc.chdir(work.folder);
    } catch (error) {
      if (!(error instanceof SystemError)) throw error;
      yield* proc.write(2, `bash: line 1: cd: ${work.folder}: ${error.text}\n`);
      return 1;
    }
    if (work.backgroundTo !== undefined) {
      const fd = proc.openNow(work.backgroundTo, { write: true, create: true, truncate: true, mode: 0o600 });
      proc.dup2(fd, 1);
      proc.dup2(fd, 2);
      return yield* proc.exec('/bin/bash', ['bash', '-c', work.command]);
    }
    if (
      work.variables === '' &&
      !work.command.includes('export') &&
      !/(^|[\s;])(declare|unset|source|\.)\s/.test(work.command)
    )
      return yield* proc.exec('/bin/bash', ['bash', '-c', work.command]);
    const script = `eval "$1"; eval "$2"; set -- "$?"; printf '%s' '${MARK}'; declare -px; exit "$1"`;
    return yield* proc.exec('/bin/bash', ['bash', '-c', script, 'bash', work.variables, work.command]);
  };
}

function writer(path: string, text: string): Program {
  return function* (proc) {
    try {
      const folders = path.split('/').slice(1, -1);
      for (let depth = 1; depth <= folders.length; depth++) {
        const folder = `/${folders.slice(0, depth).join('/')}`;
        if (!proc.exists(folder)) proc.mkdir(folder);
      }
      const fd = proc.openNow(path, { write: true, create: true, truncate: true });
      yield* proc.write(fd, text);
      proc.close(fd);
      return 0;
    } catch (error) {
      if (!(error instanceof SystemError)) throw error;
      yield* proc.write(2, `${error.code}: ${error.text.toLowerCase()}, open '${path}'`);
      return 1;
    }
  };
}
