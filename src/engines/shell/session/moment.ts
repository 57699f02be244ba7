/**
 * A point in a session's history, and the machine that stands there.
 *
 * A machine that runs cannot be copied, so history is kept instead: each moment is its predecessor plus one event with
 * the Host's replies, or an image where the machine was at rest. The live machine belongs to the newest moment; whoever
 * goes on from there takes it along, and whoever goes on from an older one has it made again by running the events
 * since the last image once more, which gives the same because nothing but they decides.
 */
import type { HostReply } from '../../../core/index.js';
import type { Checkpoint } from '../kernel/checkpoint.js';
import type { MachineSpec } from '../machine/machine-spec.js';
import type { ConsultLog } from './consult-log.js';
import { type LiveImage, LiveMachine } from './live-machine.js';
import type { MachineWork } from './machine-work.js';
import { linesAfter, type MarkedLines } from './marked-lines.js';

/** What happened between two moments. */
export type SessionEvent =
  /** Keys were typed. */
  | { readonly kind: 'keys'; readonly nowUs: number; readonly batches: readonly TypedBatch[] }
  /** Time passed. */
  | { readonly kind: 'time'; readonly nowUs: number }
  /** The clock was set. */
  | { readonly kind: 'jump'; readonly us: number }
  /** A tool did something: ran a command, wrote a file. */
  | { readonly kind: 'work'; readonly nowUs: number; readonly work: MachineWork }
  /** Somebody else changed files. */
  | { readonly kind: 'foreign'; readonly changes: readonly ForeignFileChange[] }
  /** Keys were typed elsewhere: they are carried out here as far as they can be, then what was shown is taken over. */
  | {
      readonly kind: 'absorb';
      readonly nowUs: number;
      readonly batches: readonly TypedBatch[];
      readonly shown: ShownFacts;
    };

/** What somebody else does to one file. */
export interface ForeignFileChange {
  readonly path: string;
  readonly how: 'write' | 'append' | 'remove' | 'mode' | 'fill';
  /** For `write` and `append`. */
  readonly text?: string;
  /** Permission bits. */
  readonly mode?: number;
  /** For `fill`: what stays free of the disk. */
  readonly leftBytes?: number;
}

/** Bytes of a keyboard, as text, and the microseconds after them. */
export interface TypedBatch {
  readonly input: string;
  readonly us: number;
}

/** What a foreign screen shows of the state. */
export interface ShownFacts {
  readonly screen: string;
  /** The folder in which the first typed command ran. */
  readonly before?: string;
  /** The current folder, from the last prompt. */
  readonly cwd?: string;
  /** Files whose text was shown whole, and names that were listed. */
  readonly files: Readonly<Record<string, string>>;
  readonly folders: readonly string[];
  /** A model said it: nothing that the machine has is changed by it. */
  readonly isGuess?: boolean;
}

/** An event with what the Host replied meanwhile. */
export interface LoggedEvent {
  readonly event: SessionEvent;
  readonly replies: readonly HostReply[];
  /** What a consultant said, where one listened. */
  readonly consulted?: ConsultLog;
}

/** An image from elsewhere. */
interface Stored {
  readonly image: LiveImage;
  readonly checkpoints: ReadonlyMap<number, Checkpoint>;
  readonly marked: MarkedLines;
}

/** How an event changes a live machine; the Host's replies come from where the caller has them. */
export type Replay = (live: LiveMachine, logged: LoggedEvent) => void;

/** Taking an image costs as much as a third of a simple command, so not every moment has one. */
const EVENTS_BETWEEN_IMAGES = 4;

/** One moment. */
export class Moment {
  /** The machine, while it stands here. */
  private live: LiveMachine | null;
  /** What the checkpoints of the image's processes are. */
  private readonly checkpoints: ReadonlyMap<number, Checkpoint>;
  readonly image: LiveImage | null;
  /** Kept only where there is no image. */
  readonly parent: Moment | null;
  readonly logged: LoggedEvent | null;
  /** What is visible, and whether anything goes on by itself. */
  readonly screenText: string;
  readonly nowUs: number;
  readonly isBusy: boolean;
  readonly hasShell: boolean;
  /** The machine as it was switched on. */
  readonly isStart: boolean;
  /** Events since the last image. */
  readonly depth: number;
  /** Lines that a model or a fault said, as far as they may still be visible. */
  readonly marked: MarkedLines;

  private constructor(
    readonly origin: { readonly spec: MachineSpec; readonly seed: number },
    live: LiveMachine,
    from: { readonly parent: Moment; readonly logged: LoggedEvent } | Stored | null,
  ) {
    this.live = live;
    const behind = from !== null && 'parent' in from ? from.parent.depth + 1 : 0;
    const isTaken = behind === 0 || behind >= EVENTS_BETWEEN_IMAGES;
    this.image = from !== null && 'image' in from ? from.image : isTaken ? live.capture() : null;
    this.depth = this.image === null ? behind : 0;
    this.checkpoints = from !== null && 'image' in from ? from.checkpoints : live.checkpoints();
    const needsParent = this.image === null && from !== null && 'parent' in from;
    this.parent = needsParent ? from.parent : null;
    this.logged = needsParent ? from.logged : null;
    this.screenText = live.screen.text();
    this.nowUs = live.kernel.clock.nowUs;
    this.isBusy = live.kernel.hasWork();
    this.hasShell = live.shell !== undefined;
    this.isStart = from === null;
    this.marked =
      from !== null && 'image' in from ? from.marked : linesAfter(from?.parent.marked, from?.logged);
  }

  /** The first moment of a world. */
  static start(spec: MachineSpec, seed: number): Moment {
    return new Moment({ spec, seed }, LiveMachine.boot(spec, seed), null);
  }

  /** The moment of an image that came from elsewhere. */
  static of(origin: Moment['origin'], image: LiveImage, more: Omit<Stored, 'image'>): Moment {
    return new Moment(origin, LiveMachine.revive(image, origin.spec, more.checkpoints), { image, ...more });
  }

  /** The moment after an event on the machine that was taken from here. */
  next(live: LiveMachine, logged: LoggedEvent): Moment {
    return new Moment(this.origin, live, { parent: this, logged });
  }

  /** What the checkpoints of this moment's image are. */
  get resumable(): ReadonlyMap<number, Checkpoint> {
    return this.checkpoints;
  }

  /** Takes the machine from here; it is made again where somebody took it before. */
  take(replay: Replay): LiveMachine {
    const { live } = this;
    if (live !== null) {
      this.live = null;
      return live;
    }
    return this.make(replay);
  }

  /** Looks at the machine without taking it. */
  look<T>(replay: Replay, read: (live: LiveMachine) => T): T {
    this.live ??= this.make(replay);
    return read(this.live);
  }

  /** A machine like the one here that belongs to the caller. */
  copy(replay: Replay): LiveMachine {
    return this.make(replay);
  }

  /** Events since the last image, oldest first, and the moment of that image. */
  since(): { readonly base: Moment; readonly events: readonly LoggedEvent[] } {
    const events: LoggedEvent[] = [];
    let base: Moment = this;
    while (base.parent !== null && base.logged !== null) {
      events.push(base.logged);
      base = base.parent;
    }
    return { base, events: events.reverse() };
  }

  private make(replay: Replay): LiveMachine {
    const { base, events } = this.since();
    const { spec, seed } = this.origin;
    const live =
      base.image === null
        ? LiveMachine.boot(spec, seed)
        : LiveMachine.revive(base.image, spec, base.checkpoints);
    for (const logged of events) replay(live, logged);
    return live;
  }
}
