/**
 * Trajectories as lines: writing, and reading both forms back from bytes.
 *
 * Whole form: one trajectory a line. Streamed form: a header line, one line a turn
 * (`{"turn":1,"action":…,"observation":…,"status":…,"flags"?,"origins"?,"meta"?}`), an optional end line; several may
 * follow one another in a file, in both forms. A file cut at any byte reads back as a prefix of its turns. Unknown keys
 * and big integers are kept in both directions. Dirty bytes are the business of `reading-lines.ts`. Source:
 * contracts.md, "A trajectory".
 */
import { isJsonObject, type Json, type JsonObject, renderJson } from './json.js';
import { createJsonLineReader, type LineProblem } from './reading-lines.js';
import {
  type Trajectory,
  type TrajectoryEnd,
  TrajectoryEndSchema,
  type TrajectoryHeader,
  TrajectoryHeaderSchema,
  TrajectorySchema,
} from './trajectory.js';
import { type Turn, TurnSchema } from './turn.js';

/** The first line of the streamed form, line feed included. */
export function trajectoryHeaderLine(header: TrajectoryHeader): string {
  return writeLine({ ...header });
}

/** The line of turn `n` (from 1) of the streamed form, line feed included. */
export function turnLine(n: number, turn: Turn): string {
  const { action, observation, status, flags, origins, meta, ...rest } = turn;
  const known = { turn: n, action, observation, status, flags, origins, meta };
  return writeLine({ ...known, ...rest });
}

/** The optional last line of the streamed form, line feed included. */
export function trajectoryEndLine(end: TrajectoryEnd): string {
  return writeLine({ ...end });
}

/** One trajectory in the whole form, line feed included. */
export function trajectoryLine(trajectory: Trajectory): string {
  return writeLine({ ...trajectory });
}

/** The lines of a trajectory in the streamed form: header, turns, and the end line if one is given. */
export function trajectoryLines(trajectory: Trajectory, end?: TrajectoryEnd): readonly string[] {
  const { turns, ...header } = trajectory;
  const lines = [trajectoryHeaderLine(header), ...turns.map((turn, i) => turnLine(i + 1, turn))];
  return end === undefined ? lines : [...lines, trajectoryEndLine(end)];
}

/** One JSON line. U+2028 and U+2029 are escaped, since some line readers break there. */
function writeLine(value: object): string {
  const json = renderJson(value as JsonObject);
  return `${json.replaceAll('\u2028', '\\u2028').replaceAll('\u2029', '\\u2029')}\n`;
}

/** What one line of a trajectory file says. `line` counts from 1. */
export type TrajectoryEvent =
  | { readonly kind: 'whole'; readonly trajectory: Trajectory; readonly line: number }
  | { readonly kind: 'header'; readonly header: TrajectoryHeader; readonly line: number }
  | { readonly kind: 'turn'; readonly n: number; readonly turn: Turn; readonly line: number }
  | { readonly kind: 'end'; readonly end: TrajectoryEnd; readonly line: number }
  | { readonly kind: 'problem'; readonly problem: LineProblem };

/** Reads trajectory lines from bytes that arrive in pieces of any size. */
export interface TrajectoryReader {
  push(bytes: Uint8Array): readonly TrajectoryEvent[];
  /** Says that the input has ended. */
  end(): readonly TrajectoryEvent[];
}

/** Makes a reader for one input; it holds one line at a time. */
export function createTrajectoryReader(): TrajectoryReader {
  const lines = createJsonLineReader();
  const order = new TurnOrder();
  const read = (events: ReturnType<typeof lines.push>): readonly TrajectoryEvent[] =>
    events.flatMap((event) =>
      event.kind === 'problem' ? [event] : order.check(classify(event.value, event), event),
    );
  return { push: (bytes) => read(lines.push(bytes)), end: () => read(lines.end()) };
}

interface Place {
  readonly line: number;
  readonly byteOffset: number;
}

function problem(
  place: Place,
  message: string,
  severity: LineProblem['severity'] = 'error',
): TrajectoryEvent {
  const { line, byteOffset } = place;
  return { kind: 'problem', problem: { severity, line, byteOffset, message } };
}

/** Watches that turns follow a header, in order, each once. */
class TurnOrder {
  private next: number | null = null;
  private skipping = false;

  check(event: TrajectoryEvent, place: Place): readonly TrajectoryEvent[] {
    if (event.kind === 'header') this.next = 1;
    if (event.kind === 'header' || event.kind === 'whole') this.skipping = false;
    if (event.kind === 'whole') this.next = null;
    if (event.kind === 'turn') return this.checkTurn(event, place);
    if (event.kind === 'end') {
      const open = this.next !== null;
      this.next = null;
      return open ? [event] : this.skip(place, 'an end line');
    }
    return [event];
  }

  private checkTurn(event: TrajectoryEvent & { kind: 'turn' }, place: Place): readonly TrajectoryEvent[] {
    if (this.next === null) return this.skip(place, `turn ${event.n}`);
    if (event.n < this.next) {
      return [problem(place, `turn ${event.n} again, turn ${this.next} was next; left out`)];
    }
    const missing = event.n - this.next;
    this.next = event.n + 1;
    if (missing === 0) return [event];
    return [problem(place, `${missing} turns are missing before turn ${event.n}`, 'warning'), event];
  }

  /** One report for a run of lines without a header, not one for each. */
  private skip(place: Place, what: string): readonly TrajectoryEvent[] {
    if (this.skipping) return [];
    this.skipping = true;
    return [problem(place, `${what} without a header line before it; skipped up to the next header`)];
  }
}

function classify(value: Json, place: Place): TrajectoryEvent {
  const { line } = place;
  if (!isJsonObject(value))
    return problem(place, 'a JSON value that is not an object; expected a trajectory line');
  if (Object.hasOwn(value, 'trajectory')) {
    if (Object.hasOwn(value, 'turns')) {
      const checked = TrajectorySchema.safeParse(value);
      if (!checked.success) return problem(place, `not a trajectory: ${firstIssue(checked.error)}`);
      return { kind: 'whole', trajectory: withDefaults(value) as unknown as Trajectory, line };
    }
    const checked = TrajectoryHeaderSchema.safeParse(value);
    if (!checked.success) return problem(place, `not a trajectory header: ${firstIssue(checked.error)}`);
    return { kind: 'header', header: withDefaults(value) as unknown as TrajectoryHeader, line };
  }
  if (typeof value.turn === 'number' && Number.isInteger(value.turn) && value.turn > 0) {
    const checked = TurnSchema.safeParse(value);
    if (!checked.success) return problem(place, `not a turn: ${firstIssue(checked.error)}`);
    const { turn: n, ...turn } = turnWithDefaults(value);
    return { kind: 'turn', n: value.turn, turn: turn as unknown as Turn, line };
  }
  if (Object.hasOwn(value, 'end')) {
    const checked = TrajectoryEndSchema.safeParse(value);
    if (!checked.success) return problem(place, `not an end line: ${firstIssue(checked.error)}`);
    return { kind: 'end', end: value as unknown as TrajectoryEnd, line };
  }
  const keys = Object.keys(value).slice(0, 5).join(', ') || 'none';
  return problem(place, `neither a header, a turn nor an end line (keys: ${keys})`);
}

/**
 * The schemas only check: the value itself is kept, so that every key survives, `__proto__` included. Defaults are
 * those of the schemas.
 */
function withDefaults(value: JsonObject): JsonObject {
  const system = value.system as JsonObject;
  return {
    ...value,
    source: value.source ?? {},
    system: { ...system, demonstrations: system.demonstrations ?? [] },
    meta: value.meta ?? {},
    ...(Array.isArray(value.turns)
      ? { turns: value.turns.map((turn: JsonObject) => turnWithDefaults(turn)) }
      : {}),
  };
}

function turnWithDefaults(turn: JsonObject): JsonObject {
  return { ...turn, status: turn.status ?? 'ok' };
}

function firstIssue(error: { readonly issues: readonly { path: PropertyKey[]; message: string }[] }): string {
  const issue = error.issues[0];
  return issue === undefined ? 'invalid' : `${issue.path.map(String).join('.') || 'value'}: ${issue.message}`;
}

/** A trajectory put together from its lines, or a problem met on the way. */
export type TrajectoryReading =
  | {
      readonly kind: 'trajectory';
      readonly trajectory: Trajectory;
      /** The end line, where there was one. */
      readonly end?: TrajectoryEnd;
      readonly line: number;
    }
  | { readonly kind: 'problem'; readonly problem: LineProblem };

/** Puts streamed lines together, one trajectory in memory at a time. */
export interface TrajectoryJoiner {
  push(event: TrajectoryEvent): readonly TrajectoryReading[];
  end(): readonly TrajectoryReading[];
}

/** Makes a joiner. Missing turns are entered in the trajectory's `gaps`. */
export function createTrajectoryJoiner(): TrajectoryJoiner {
  let open: {
    header: TrajectoryHeader;
    turns: Turn[];
    gaps: Set<number>;
    next: number;
    line: number;
  } | null = null;
  const close = (end?: TrajectoryEnd): readonly TrajectoryReading[] => {
    if (open === null) return [];
    const { header, turns, gaps, line } = open;
    const all = [...new Set([...(header.gaps ?? []), ...gaps])].sort((a, b) => a - b);
    const trajectory = { ...header, ...(gaps.size > 0 ? { gaps: all } : {}), turns };
    open = null;
    return [{ kind: 'trajectory', trajectory, line, ...(end === undefined ? {} : { end }) }];
  };
  return {
    push(event) {
      if (event.kind === 'problem') return [event];
      if (event.kind === 'end') return close(event.end);
      if (event.kind === 'turn') {
        if (open === null) return [];
        if (event.n !== open.next) open.gaps.add(open.turns.length);
        open.turns.push(event.turn);
        open.next = event.n + 1;
        return [];
      }
      const before = close();
      if (event.kind === 'whole') {
        return [...before, { kind: 'trajectory', trajectory: event.trajectory, line: event.line }];
      }
      open = { header: event.header, turns: [], gaps: new Set(), next: 1, line: event.line };
      return before;
    },
    end: () => close(),
  };
}

/** Reads all trajectories of an input in either form, in order, with bounded memory. */
export async function* readTrajectories(
  chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
): AsyncGenerator<TrajectoryReading, void, undefined> {
  const reader = createTrajectoryReader();
  const joiner = createTrajectoryJoiner();
  for await (const chunk of chunks) {
    for (const event of reader.push(chunk)) yield* joiner.push(event);
  }
  for (const event of reader.end()) yield* joiner.push(event);
  yield* joiner.end();
}
