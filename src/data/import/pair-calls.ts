/**
 * Joins calls to their answers: by id, in order, never by position.
 *
 * Ids are not unique: an answer belongs to the oldest open call of its id. An answer without an id belongs to the
 * oldest open call. Turns stand in the order of the calls. Calls that are open together share a group. A call that is
 * never answered and an answer without a call are counted, told and become a gap, because what they did to the
 * state is not known. Source: hard case P-LOG-1. A session whose texts are beyond a limit is given in parts
 * (`isFull`), so that any length fits into memory.
 */
import type { Turn } from '../../core/index.js';
import type { ImportTally, ValuePlace } from './import-format.js';

/** A call as a log has it. */
export interface LoggedCall {
  /** The id that its answer will name; undefined where the log has none. */
  readonly id: string | undefined;
  readonly name: string;
  /** The exact text of the action. */
  readonly action: string;
  readonly place: ValuePlace;
  /** The step of the agent that made it: calls of one step are parallel. Undefined: told by overlap. */
  readonly step?: string;
  readonly startedAt?: string;
  readonly flags?: readonly string[];
}

/** An answer as a log has it. */
export interface LoggedAnswer {
  readonly id: string | undefined;
  readonly observation: string;
  readonly isError: boolean;
  readonly place: ValuePlace;
  readonly at?: string;
  /** The text with what the program around the agent added, where `observation` is without it. */
  readonly raw?: string;
  /** `truncated`, `external`, `image` and others, for the turn. */
  readonly flags?: readonly string[];
  /** Further facts for the turn's meta. */
  readonly meta?: Readonly<Record<string, unknown>>;
}

interface Entry {
  readonly call: LoggedCall;
  turn: Turn | null;
  group: number | null;
  dropped: boolean;
}

/** Pairs the calls and answers of one trajectory. */
export class CallPairs {
  private entries: (Entry | 'gap')[] = [];
  private readonly firstOfStep = new Map<string, Entry>();
  private open: Entry[] = [];
  private readonly seenIds = new Set<string>();
  private nextGroup = 1;
  private held = 0;
  private parts = 0;

  constructor(private readonly tally: ImportTally) {}

  /** How many calls are waiting for an answer. */
  get waiting(): number {
    return this.open.length;
  }

  /** True if nothing was called or answered yet. */
  get isEmpty(): boolean {
    return this.entries.length === 0;
  }

  /** True if what is held should be finished now, as a part of a longer session; at a quiet moment if there is one. */
  get isFull(): boolean {
    const limit = this.tally.partChars;
    return this.held > limit && (this.open.length === 0 || this.held > 2 * limit);
  }

  /** How many parts were finished before. */
  get part(): number {
    return this.parts;
  }

  /** The names of the tools that were called, one for each call. */
  get toolNames(): readonly string[] {
    return this.entries.flatMap((entry) => (entry === 'gap' || entry.dropped ? [] : [entry.call.name]));
  }

  /** A call was made. */
  call(call: LoggedCall): void {
    const entry: Entry = { call, turn: null, group: this.groupOf(call), dropped: false };
    this.held += call.action.length;
    this.tally.time(call.startedAt);
    if (call.step !== undefined && !this.firstOfStep.has(call.step)) this.firstOfStep.set(call.step, entry);
    this.entries.push(entry);
    this.open.push(entry);
    if (call.id === undefined) return;
    if (this.seenIds.has(call.id)) this.tally.reusedIds += 1;
    this.seenIds.add(call.id);
  }

  private groupOf(call: LoggedCall): number | null {
    const { step } = call;
    const mate = step === undefined ? this.open[0] : this.firstOfStep.get(step);
    if (mate === undefined) return null;
    mate.group ??= this.nextGroup++;
    return mate.group;
  }

  /** An answer came; it closes the oldest open call that it can belong to. Tells whether there was one. */
  answer(answer: LoggedAnswer): boolean {
    this.tally.time(answer.at);
    const index = this.open.findIndex(({ call }) => answer.id === undefined || call.id === answer.id);
    const entry = this.open[index];
    if (entry === undefined) {
      this.tally.orphans += 1;
      const named = answer.id === undefined ? '' : ` ${JSON.stringify(answer.id)}`;
      this.tally.warn(answer.place, `an answer${named} without a call; left out`);
      this.gap();
      return false;
    }
    this.open.splice(index, 1);
    entry.turn = turnOf(entry.call, answer);
    this.held += answer.observation.length + (answer.raw?.length ?? 0);
    if (answer.raw !== undefined) this.tally.stripped(answer.raw, answer.observation);
    this.tally.pairs += 1;
    return true;
  }

  /** Takes an open call away that another call stands for: it is neither a turn nor unanswered. */
  withdraw(id: string): boolean {
    const index = this.open.findIndex(({ call }) => call.id === id);
    const entry = this.open[index];
    if (entry === undefined) return false;
    this.open.splice(index, 1);
    entry.dropped = true;
    return true;
  }

  /** Something is missing here: later turns follow a state that the log does not show. */
  gap(): void {
    if (this.entries.at(-1) !== 'gap') this.entries.push('gap');
  }

  /** The turns in the order of their calls, and the indexes before which something is missing. */
  finish(): { readonly turns: Turn[]; readonly gaps: number[] } {
    const turns: Turn[] = [];
    const gaps = new Set<number>();
    const groups = new Set<number>();
    for (const entry of this.entries) {
      if (entry === 'gap') gaps.add(turns.length);
      else if (entry.turn !== null) {
        if (entry.group !== null) groups.add(entry.group);
        const group = entry.group === null ? {} : { group: `g${entry.group}` };
        turns.push({ ...entry.turn, meta: { ...entry.turn.meta, ...group } });
      } else if (!entry.dropped) {
        gaps.add(turns.length);
        this.tally.dangling += 1;
        this.tally.warn(entry.call.place, `the call of ${entry.call.name} was not answered; left out`);
      }
    }
    this.tally.groups += groups.size;
    this.open = [];
    this.entries = [];
    this.firstOfStep.clear();
    this.seenIds.clear();
    this.held = 0;
    this.parts += 1;
    return { turns, gaps: [...gaps].filter((at) => at < turns.length) };
  }
}

function turnOf(call: LoggedCall, answer: LoggedAnswer): Turn {
  const durationMs =
    call.startedAt === undefined || answer.at === undefined
      ? Number.NaN
      : Date.parse(answer.at) - Date.parse(call.startedAt);
  const flags = [...(call.flags ?? []), ...(answer.flags ?? [])];
  return {
    action: call.action,
    observation: answer.observation,
    status: 'ok',
    ...(flags.length > 0 && { flags }),
    meta: {
      ...(call.startedAt !== undefined && { startedAt: call.startedAt }),
      ...(durationMs >= 0 && { durationMs }),
      ...(answer.isError && { isError: true }),
      ...(call.id !== undefined && { callId: call.id }),
      ...answer.meta,
      ...(answer.raw !== undefined && answer.raw !== answer.observation && { raw: answer.raw }),
    },
  };
}
