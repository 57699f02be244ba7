/**
 * Processes as data: what is kept of one that waits at a checkpoint, and how it is made again.
 *
 * A process can be kept where its program says so and its descriptors are terminals, regular files and memory
 * devices; pipes and computed files tie it to others.
 */
import { OpenDevice } from './device.js';
import type { Descriptor } from './file-calls.js';
import type { Kernel } from './kernel.js';
import { type OpenFile, type OpenMode, OpenRegular } from './open-file.js';
import type { Disposition, Process } from './process.js';
import { OpenTerminal } from './terminal.js';
import type { Program } from './wait.js';

/** An open file that can be made again; `id` tells shared ones. */
export interface FileImage {
  readonly id: number;
  readonly kind: 'terminal' | 'regular' | 'device';
  readonly path: string;
  readonly mode: OpenMode;
  readonly ino: number;
  readonly offset: number;
}

/** A process that waits. */
export interface ProcessImage {
  readonly pid: number;
  readonly fields: Pick<Process, (typeof FIELDS)[number]>;
  readonly env: readonly (readonly [string, string])[];
  readonly ignored: readonly number[];
  readonly blocked: readonly number[];
  readonly hasTerminal: boolean;
  readonly startUs: number;
  readonly descriptors: readonly {
    readonly fd: number;
    readonly closeOnExec: boolean;
    readonly file: FileImage;
  }[];
  /** What its checkpoint captured; absent for processes that only exist. */
  readonly captured?: unknown;
}

const FIELDS = [
  ...([
    'argv',
    'comm',
    'exe',
    'uid',
    'gid',
    'realUid',
    'realGid',
    'groups',
    'ppid',
    'pgid',
    'sid',
    'cwdIno',
  ] as const),
  ...(['umask', 'cpuUs', 'maxDescriptors', 'reapsAll', 'isStatic', 'cgroup'] as const),
] as const;

/** Keeps a process; null where it cannot be kept now. */
export function captureProcess(proc: Process): ProcessImage | null {
  const isIdle = proc.reapsAll || proc.isStatic;
  if (proc.state !== 'blocked' || proc.isStopped || proc.hasPending || proc.change !== null) return null;
  if (!isIdle && proc.checkpoint === null) return null;
  const ids = new Map<OpenFile, number>();
  const descriptors: ProcessImage['descriptors'][number][] = [];
  for (const [fd, descriptor] of proc.descriptors.entries()) {
    if (descriptor === undefined) continue;
    const file = captureFile(descriptor, ids);
    if (file === null) return null;
    descriptors.push({ fd, closeOnExec: descriptor.closeOnExec, file });
  }
  const ignored = [...proc.dispositions]
    .filter(([, disposition]) => disposition === 'ignore')
    .map(([signal]) => signal);
  return {
    pid: proc.pid,
    fields: Object.fromEntries(FIELDS.map((name) => [name, proc[name]])) as ProcessImage['fields'],
    env: [...proc.env],
    ignored,
    blocked: [...proc.blockedSignals],
    hasTerminal: proc.terminal !== null,
    startUs: proc.startUs,
    descriptors,
    ...(proc.checkpoint === null ? {} : { captured: proc.checkpoint.capture() }),
  };
}

function captureFile({ file }: Descriptor, ids: Map<OpenFile, number>): FileImage | null {
  const id = ids.get(file) ?? ids.size;
  ids.set(file, id);
  const { path, mode } = file;
  if (file instanceof OpenTerminal) return { id, kind: 'terminal', path, mode, ino: 0, offset: 0 };
  if (file instanceof OpenRegular)
    return { id, kind: 'regular', path, mode, ino: file.ino, offset: file.offset };
  if (file instanceof OpenDevice) return { id, kind: 'device', path, mode, ino: file.stat().ino, offset: 0 };
  return null;
}

/** Makes a process again; its program starts when the kernel settles. */
export function reviveProcess(kernel: Kernel, image: ProcessImage, program: Program): Process {
  const { fields } = image;
  const spec = { ...fields, env: new Map(image.env) };
  const proc = kernel.startAs(image.pid, spec, program);
  Object.assign(proc, fields, { startUs: image.startUs });
  for (const signal of image.ignored) proc.dispositions.set(signal, 'ignore' satisfies Disposition);
  for (const signal of image.blocked) proc.blockedSignals.add(signal);
  proc.terminal = image.hasTerminal ? kernel.terminal : null;
  const files = new Map<number, OpenFile>();
  for (const { fd, closeOnExec, file: kept } of image.descriptors) {
    const file = files.get(kept.id) ?? reviveFile(kernel, kept);
    files.set(kept.id, file);
    proc.descriptors[fd] = { file: file.retain(), closeOnExec };
  }
  return proc;
}

function reviveFile(kernel: Kernel, kept: FileImage): OpenFile {
  const { mode, path } = kept;
  if (kept.kind === 'terminal' && kernel.terminal !== null)
    return new OpenTerminal(kernel.terminal, mode, path);
  if (kept.kind === 'device')
    return new OpenDevice(kernel.files.get(kept.ino), kernel.random, { mode, path });
  kernel.holdInode(kept.ino);
  const file = new OpenRegular(kernel.files, kept.ino, {
    mode,
    path,
    onClose: (ino) => kernel.dropInode(ino),
  });
  file.offset = kept.offset;
  return file;
}
