/**
 * One machine of a foreign history at rest: it can be typed at, again and again, without changing.
 *
 * The screen is as wide as the foreign one and much longer, so that nothing scrolls out of what is compared.
 */
import { Screen } from '../../../domains/index.js';
import { GUEST_COMMANDS } from '../commands/guests/commands.js';
import { unknownProgram } from '../commands/program/unknown-program.js';
import type { Checkpoint } from '../kernel/checkpoint.js';
import type { Program } from '../kernel/index.js';
import { baseImage, ROOT_ACTOR } from '../machine/debian-image.js';
import type { MachineSpec } from '../machine/machine-spec.js';
import { programs } from '../machine/programs.js';
import { type LiveImage, LiveMachine } from '../session/live-machine.js';
import type { TypedBatch } from '../session/moment.js';
import { Known } from './known.js';
import { type Doubt, PartlyKnownFiles } from './partly-known-files.js';

/** Rows of the long screen. */
const LONG_ROWS = 400;
const LEAST_US = 10_000;
const UNSEEN_US = 400_000;
/** Work of one turn, in breaths of the kernel; a program that never ends stops here. */
const MAX_BREATHS = 4_000;
/** Batches of keys that are typed again before the next ones, at most. */
const MAX_SINCE = 24;

/** What typing came to. */
export interface Typed {
  /** Rows of the long screen, without trailing spaces. */
  readonly rows: readonly string[];
  /** The row in which the cursor stood before. */
  readonly fromRow: number;
  readonly doubts: readonly Doubt[];
  /** The machine afterwards; null while something runs that cannot be kept. */
  readonly after: ForeignMachine | null;
}

/** A machine at rest. */
export class ForeignMachine {
  private constructor(
    readonly spec: MachineSpec,
    private readonly image: LiveImage,
    private readonly checkpoints: ReadonlyMap<number, Checkpoint>,
    /** What was typed since the image, while something ran that cannot be kept. */
    private readonly since: readonly TypedBatch[] = [],
  ) {}

  /** Switches one on; null where it cannot be kept. */
  static boot(spec: MachineSpec, seed: number, columns: number): ForeignMachine | null {
    const live = LiveMachine.boot(spec, seed);
    const image = live.capture();
    if (image === null) return null;
    const { files } = image.machine;
    const known = new Known(files.table.nextIno);
    const partly = new PartlyKnownFiles(
      files.table,
      files.mounts,
      { nowUs: image.machine.nowUs },
      files.storedBytes,
      known,
    );
    const first = baseImage().table.nextIno;
    for (const { path } of spec.files) {
      const inode = partly.walk(ROOT_ACTOR, path, true).inode;
      if (inode !== undefined && inode.ino >= first) known.setText(inode.ino, true);
    }
    const made = new ForeignMachine(
      spec,
      { ...image, machine: { ...image.machine, files: partly } },
      live.checkpoints(),
    );
    return made.changed((own) => showScreen(own, own.screen.text(), columns));
  }

  /** The machine after something was done to it unseen; null where that left it busy. */
  changed(change: (live: LiveMachine, files: PartlyKnownFiles) => void): ForeignMachine | null {
    const live = this.revived();
    if (this.since.length > 0) return null;
    change(live, live.kernel.files as PartlyKnownFiles);
    return this.keep(live, []);
  }

  /** Types and waits. */
  type(batches: readonly TypedBatch[]): Typed {
    const live = this.revived();
    const { kernel } = live;
    const files = kernel.files as PartlyKnownFiles;
    files.isWatched = true;
    files.asker = () => kernel.currentProcess()?.comm ?? '';
    if (!this.typeAll(live, this.since)) return lost(files);
    files.doubts.splice(0);
    const fromRow = live.screen.cursor().y;
    if (!this.typeAll(live, batches)) return lost(files);
    files.isWatched = false;
    if (kernel.crashes.length > 0) files.note('a command that this machine cannot carry out');
    const rows = live.screen.text().split('\n');
    return { rows, fromRow, doubts: [...files.doubts], after: this.keep(live, batches) };
  }

  /** The text of a file, where it is known. */
  textOf(path: string): string | null {
    const files = this.image.machine.files as PartlyKnownFiles;
    try {
      const { inode } = files.walk(ROOT_ACTOR, path, true);
      if (inode?.content === undefined || !files.known.knowsText(inode.ino)) return null;
      return new TextDecoder().decode(inode.content.read(0, inode.content.size));
    } catch {
      return null;
    }
  }

  private revived(): LiveMachine {
    const live = LiveMachine.revive(this.image, this.spec, this.checkpoints);
    live.kernel.programs = foreignPrograms;
    return live;
  }

  /** False where it was too much work. */
  private typeAll(live: LiveMachine, batches: readonly TypedBatch[]): boolean {
    const { kernel } = live;
    const files = kernel.files as PartlyKnownFiles;
    let breaths = 0;
    for (const { input, us } of batches) {
      live.type(new TextEncoder().encode(input));
      const steps = kernel.run(kernel.clock.nowUs + Math.max(us, LEAST_US));
      let step = steps.next();
      while (step.done !== true) {
        const call = step.value;
        if (call === null && breaths++ > MAX_BREATHS) return false;
        if (call?.phase === 'unknown') {
          files.note(`what the program ${call.op.name} does`, `program ${call.op.name}`);
          step = steps.next({ do: 'answer', answer: NO_ANSWER });
        } else step = steps.next({ do: 'proceed' });
      }
    }
    return true;
  }

  /** True where there is something at an absolute path. */
  has(path: string): boolean {
    try {
      return this.image.machine.files.walk(ROOT_ACTOR, path, false).inode !== undefined;
    } catch {
      return false;
    }
  }

  /** The machine as it is now; null where its shell has ended, or something runs for too long. */
  private keep(live: LiveMachine, typed: readonly TypedBatch[]): ForeignMachine | null {
    if (live.shell === undefined) return null;
    const image = live.capture();
    if (image !== null) return new ForeignMachine(this.spec, image, live.checkpoints());
    const since = [...this.since, ...typed];
    return since.length > MAX_SINCE
      ? null
      : new ForeignMachine(this.spec, this.image, this.checkpoints, since);
  }
}

const GUESTS: ReadonlySet<string> = new Set(
  GUEST_COMMANDS.flatMap(({ name }) => [name, name.replace(/\d+$/, '')]),
);

/** As {@link programs}; nobody knows which version of an interpreter, with which libraries, a foreign machine has. */
function foreignPrograms(name: string): Program {
  return GUESTS.has(name) ? unknownProgram(name) : programs(name);
}

const NO_ANSWER = { text: { text: '', origins: [] }, isError: false, value: {} } as const;

function lost(files: PartlyKnownFiles): Typed {
  return {
    rows: [],
    fromRow: 0,
    doubts: [...files.doubts, { about: 'what comes of so much work', key: 'work' }],
    after: null,
  };
}

/** Replaces what is visible; a prompt at the end gets the space behind it back. */
export function showScreen(live: LiveMachine, text: string, columns: number): void {
  const { terminal } = live.kernel;
  if (terminal !== null) terminal.columns = columns;
  const screen = new Screen(columns, LONG_ROWS);
  const ended = /[$#]$/.test(text) ? `${text} ` : text;
  screen.write(new TextEncoder().encode(ended.replace(/\r?\n/g, '\r\n')));
  live.replaceScreen(screen);
}

/** Types a line that nobody sees, where the shell waits for one. */
export function runUnseen(live: LiveMachine, line: string): void {
  const { kernel, shell } = live;
  if (shell === undefined || kernel.terminal?.foreground !== shell.pgid) return;
  const { columns } = live.screen;
  live.replaceScreen(new Screen(columns, LONG_ROWS));
  live.type(new TextEncoder().encode(` ${line}\n`));
  const steps = kernel.run(kernel.clock.nowUs + UNSEEN_US);
  while (steps.next({ do: 'proceed' }).done !== true);
}
