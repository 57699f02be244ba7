/**
 * Running one program to its end with its output caught: for tests, the parity bench and verifiers.
 *
 * Output goes into three sinks: standard output, standard error, and both in their order of writing.
 */
import { joinBytes, type Process, type Program, shellStatus, toText } from '../kernel/index.js';
import type { Inode } from '../kernel/inode.js';
import { OpenFile } from '../kernel/open-file.js';
import { type Machine, startAsUser } from './machine.js';

/** What a program left. */
export interface Captured {
  readonly stdout: string;
  readonly stderr: string;
  /** Both, in the order of writing. */
  readonly merged: string;
  /** As `$?` shows it. */
  readonly exitCode: number;
  /** Virtual milliseconds. */
  readonly durationMs: number;
  /** It was ended because its time or output was used up. */
  readonly isCut: boolean;
  /** Broken programs (errors of ours). */
  readonly crashes: readonly string[];
}

/** Limits of a captured run. */
export interface CaptureLimits {
  /** Virtual milliseconds. Default 60,000. */
  readonly maxMs?: number;
  /** Bytes of output. Default 16 MiB. */
  readonly maxBytes?: number;
  /** What standard input holds. Default nothing. */
  readonly stdin?: Uint8Array;
}

/** A file that keeps what is written into it. */
class Sink extends OpenFile {
  readonly parts: Uint8Array[] = [];
  size = 0;

  constructor(
    private readonly inode: Inode,
    private readonly others: readonly Uint8Array[][],
  ) {
    super({ read: false, write: true }, 'pipe:[1]');
  }

  override stat(): Inode {
    return this.inode;
  }

  override readNow(): Uint8Array {
    return new Uint8Array(0);
  }

  override writeNow(bytes: Uint8Array): number {
    const copy = bytes.slice();
    this.size += copy.length;
    for (const parts of [this.parts, ...this.others]) parts.push(copy);
    return bytes.length;
  }
}

/** A file that holds given bytes. */
class Source extends OpenFile {
  private at = 0;

  constructor(
    private readonly inode: Inode,
    private readonly bytes: Uint8Array,
  ) {
    super({ read: true, write: false }, 'pipe:[0]');
  }

  override stat(): Inode {
    return this.inode;
  }

  override readNow(max: number): Uint8Array {
    const piece = this.bytes.subarray(this.at, this.at + max);
    this.at += piece.length;
    return piece;
  }

  override writeNow(): number {
    return 0;
  }
}

/** A program that was started with its output caught. */
export interface CapturedRun {
  readonly proc: Process;
  /** True when it has ended, or has written more than it may. */
  isOver(): boolean;
  /** What it left so far; `cut` ends what still runs of it. */
  take(how: { readonly cut: boolean }): Captured;
}

/** Starts a program as the user of a machine; whoever drives the kernel looks whether it is over. */
export function startCaptured(
  machine: Machine,
  how: { readonly program: Program; readonly argv: readonly string[]; readonly limits?: CaptureLimits },
): CapturedRun {
  const { kernel } = machine;
  const { maxBytes = 16 << 20, stdin = new Uint8Array(0) } = how.limits ?? {};
  const merged: Uint8Array[] = [];
  const inode = kernel.pipeInode(machine.init.actor);
  const [stdout, stderr] = [new Sink(inode, [merged]), new Sink(inode, [merged])];
  const startUs = kernel.clock.nowUs;
  const proc = startAsUser(machine, how.program, how.argv);
  for (const file of [new Source(inode, stdin), stdout, stderr]) proc.place(file);
  return {
    proc,
    isOver: () => proc.exit !== null || stdout.size + stderr.size > maxBytes,
    take({ cut }) {
      const isCut = proc.exit === null;
      if (isCut && cut) endSession(proc);
      return {
        stdout: toText(joinBytes(stdout.parts)),
        stderr: toText(joinBytes(stderr.parts)),
        merged: toText(joinBytes(merged)),
        exitCode: shellStatus(proc.exit ?? { code: 0 }),
        durationMs: (kernel.clock.nowUs - startUs) / 1000,
        isCut,
        crashes: [...kernel.crashes],
      };
    },
  };
}

/** Runs a program as the user of a machine until it ends. Questions to the Host are answered with "go on". */
export function runProgram(
  machine: Machine,
  how: { readonly program: Program; readonly argv: readonly string[]; readonly limits?: CaptureLimits },
): Captured {
  const { kernel } = machine;
  const startUs = kernel.clock.nowUs;
  const run = startCaptured(machine, how);
  const steps = kernel.run(startUs + (how.limits?.maxMs ?? 60_000) * 1000, run.isOver);
  while (steps.next({ do: 'proceed' }).done !== true);
  return run.take({ cut: true });
}

function endSession(proc: Process): void {
  for (const one of [...proc.kernel.processes.values()]) {
    if (one.sid === proc.sid) proc.kernel.end(one, { signal: 9 });
  }
}
