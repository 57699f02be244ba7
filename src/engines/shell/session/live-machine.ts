/**
 * A machine with a terminal in front of it: a shell, a keyboard, a screen.
 *
 * The shell is started as a terminal starts it: interactive, in a session of its own, on descriptors 0 to 2.
 */
import { Screen } from '../../../domains/index.js';
import type { Checkpoint } from '../kernel/checkpoint.js';
import { type Kernel, OpenTerminal, type Process, type Program, Terminal } from '../kernel/index.js';
import type { TerminalHost } from '../kernel/terminal.js';
import { type Machine, openMachine, startAsUser } from '../machine/machine.js';
import { captureMachine, type MachineImage, reviveMachine } from '../machine/machine-image.js';
import type { MachineSpec } from '../machine/machine-spec.js';
import { standing } from '../services/daemon.js';

import type { WorkResult } from './machine-work.js';

/** How long a shell may take to show its first prompt, in virtual microseconds. */
const BOOT_US = 2_000_000;

/** A live machine at rest: everything that decides its future. */
export interface LiveImage {
  readonly machine: MachineImage;
  readonly screen: Screen;
  readonly shellPid: number;
}

/** A machine, its screen and its shell. */
export class LiveMachine {
  /** What the last work of a tool left; see `machine-work.ts`. */
  lastWork: WorkResult | null = null;

  private constructor(
    readonly machine: Machine,
    /** What is visible; replaced to run something unseen. */
    private readonly view: { screen: Screen },
    readonly shellPid: number,
  ) {}

  /** Switches a machine on and waits for the first prompt. */
  static boot(spec: MachineSpec, seed: number): LiveMachine {
    const machine = openMachine(spec, seed);
    const view = { screen: new Screen() };
    const { kernel } = machine;
    const terminal = new Terminal(hostOf(kernel, view), { uid: spec.user.uid, nowUs: kernel.clock.nowUs });
    kernel.terminal = terminal;
    const shell = startAsUser(machine, loginShell(spec), [spec.user.shell]);
    terminal.sid = shell.sid;
    terminal.foreground = shell.pgid;
    shell.terminal = terminal;
    for (let count = 0; count < 3; count++) {
      shell.place(new OpenTerminal(terminal, { read: true, write: true }, '/dev/pts/0'));
    }
    const live = new LiveMachine(machine, view, shell.pid);
    live.runAlone(
      kernel.clock.nowUs + BOOT_US,
      () => shell.state === 'blocked' && shell.waitsOn.includes(terminal.readable),
    );
    return live;
  }

  /** Makes one out of an image. */
  static revive(
    image: LiveImage,
    spec: MachineSpec,
    checkpoints: ReadonlyMap<number, Checkpoint>,
  ): LiveMachine {
    const view = { screen: image.screen.fork() };
    const machine = reviveMachine(image.machine, {
      spec,
      resume: (one) => {
        const checkpoint = checkpoints.get(one.pid) ?? standing;
        return checkpoint.resume(one.captured);
      },
      host: (kernel) => hostOf(kernel, view),
    });
    return new LiveMachine(machine, view, image.shellPid);
  }

  /** The machine at rest; null while something runs that cannot be kept. */
  capture(): LiveImage | null {
    const machine = captureMachine(this.machine);
    return machine === null ? null : { machine, screen: this.view.screen.fork(), shellPid: this.shellPid };
  }

  /** The checkpoints of the live processes, by number: they make the programs of an image again. */
  checkpoints(): ReadonlyMap<number, Checkpoint> {
    const found = [...this.machine.kernel.processes.values()].flatMap((proc): [number, Checkpoint][] =>
      proc.checkpoint === null ? [] : [[proc.pid, proc.checkpoint]],
    );
    return new Map(found);
  }

  get kernel(): Kernel {
    return this.machine.kernel;
  }

  /** The shell, or undefined where it has ended. */
  get shell(): Process | undefined {
    const proc = this.kernel.processes.get(this.shellPid);
    return proc?.exit === null ? proc : undefined;
  }

  get screen(): Screen {
    return this.view.screen;
  }

  /** Shows another screen from now on. */
  replaceScreen(screen: Screen): void {
    this.view.screen = screen;
  }

  /** Types text on the keyboard. */
  type(input: Uint8Array): void {
    this.kernel.terminal?.type(input);
  }

  /** Runs with nobody to ask. */
  private runAlone(untilUs: number, isDone?: () => boolean): void {
    const steps = this.kernel.run(untilUs, isDone);
    while (steps.next().done !== true);
  }
}

function hostOf(kernel: Kernel, view: { screen: Screen }): TerminalHost {
  return {
    show: (bytes) => {
      const { screen } = view;
      screen.write(bytes);
      // What programs asked the terminal is answered as if it were typed.
      for (const reply of screen.replies.splice(0)) kernel.terminal?.type(new TextEncoder().encode(reply));
    },
    signal: (pgid, signal) => {
      kernel.postGroup(pgid, signal);
    },
    spend: (ticks) => {
      kernel.tick(ticks);
    },
  };
}

/** What a terminal runs: the user's shell, or a line that says why it cannot. */
function loginShell(spec: MachineSpec): Program {
  return function* (proc) {
    return yield* proc.exec(spec.user.shell, [spec.user.shell.replace(/^.*\//, '')]);
  };
}
