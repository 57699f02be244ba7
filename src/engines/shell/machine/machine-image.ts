/**
 * A machine at rest as a value: taken in O(1) and made again as often as wanted.
 *
 * At rest means that every live process waits at a checkpoint. Files are shared until one side writes.
 */
import type { RandomState } from '../../../core/index.js';
import { restoreStream } from '../../../core/index.js';
import type { FileSystem } from '../kernel/file-system.js';
import { Kernel, type Program, Terminal, type TerminalState } from '../kernel/index.js';
import { captureProcess, type ProcessImage, reviveProcess } from '../kernel/process-image.js';
import type { TerminalHost } from '../kernel/terminal.js';
import { attachServices } from '../services/boot.js';
import { initProgram } from '../services/init-program.js';
import { managerOf } from '../services/supervisor.js';
import type { ManagerState } from '../services/unit-records.js';
import type { Machine } from './machine.js';
import { idleProgram } from './machine.js';
import type { MachineSpec } from './machine-spec.js';
import { mountProc } from './proc-files.js';
import { programs } from './programs.js';

/** A machine at rest. */
export interface MachineImage {
  readonly files: FileSystem;
  readonly nowUs: number;
  readonly random: RandomState;
  readonly nextPid: number;
  readonly jumpedUs: number;
  readonly nextPipeIno: number;
  readonly terminal: TerminalState | null;
  readonly processes: readonly ProcessImage[];
  readonly services: ManagerState;
}

/** Makes the program of a captured process. */
export type Resume = (image: ProcessImage) => Program;

/** Takes the machine as it is; null while something runs that cannot be kept. */
export function captureMachine({ kernel }: Machine): MachineImage | null {
  const processes: ProcessImage[] = [];
  for (const proc of kernel.processes.values()) {
    const image = captureProcess(proc);
    if (image === null) return null;
    processes.push(image);
  }
  return {
    files: kernel.files.fork({ nowUs: kernel.clock.nowUs }),
    nowUs: kernel.clock.nowUs,
    random: kernel.random.state(),
    nextPid: kernel.nextPid,
    jumpedUs: kernel.jumpedUs,
    nextPipeIno: kernel.nextPipeIno,
    terminal: kernel.terminal?.state() ?? null,
    processes,
    services: managerOf(kernel).state(),
  };
}

/** Makes a machine out of an image; it shares structure and goes on apart. */
export function reviveMachine(
  image: MachineImage,
  how: {
    readonly spec: MachineSpec;
    readonly resume: Resume;
    readonly host: (kernel: Kernel) => TerminalHost;
  },
): Machine {
  const clock = { nowUs: image.nowUs };
  const files = image.files.fork(clock);
  const kernel = new Kernel({
    clock,
    files,
    random: restoreStream(image.random),
    limits: how.spec.limits,
    programs,
    listening: how.spec.listening ?? [],
    packageIndex: how.spec.packageIndex ?? null,
    isOffline: how.spec.isOffline,
  });
  mountProc(kernel, how.spec);
  attachServices(kernel, how.spec).restore(image.services);
  kernel.nextPid = image.nextPid;
  kernel.jumpedUs = image.jumpedUs;
  kernel.nextPipeIno = image.nextPipeIno;
  if (image.terminal !== null) {
    kernel.terminal = new Terminal(how.host(kernel), {
      uid: how.spec.user.uid,
      nowUs: how.spec.startMs * 1000,
    });
    kernel.terminal.restore(image.terminal);
  }
  for (const one of image.processes) {
    const { reapsAll, isStatic } = one.fields;
    reviveProcess(kernel, one, reapsAll ? initProgram : isStatic ? idleProgram : how.resume(one));
  }
  kernel.settleAll();
  const init = kernel.processes.get(1);
  if (init === undefined) throw new Error('a machine without init');
  return { spec: how.spec, kernel, init };
}
