/**
 * OpenHands: event stores, exported arrays of events, rows of evaluations (`output.jsonl`) and of the old resolver.
 *
 * An action of the agent is joined to the observation whose `cause` is its id. Events may come in any order (files of a
 * store by name); they are put in the order of their ids. Old rows have no ids: an observation then belongs to the open
 * action before it. The call of the tool, as the model made it, is the action; where the event does not hold it, it is
 * made of the event's kind and arguments, without thoughts. Noise (states, recall, system, condensation, messages,
 * thinking, the end) is counted as skipped. Whole model responses that events repeat are not read.
 * A store is one stream: `cat events/*.json | umwelt data import -`.
 * Source: formats.md, section 6. Not covered: images of browsers (flag `image`).
 */
import { isJsonObject, type Json, type JsonObject, LIMITS, type Trajectory } from '../../core/index.js';
import type { ImportContext, ImportFormat, ImportReader, ValuePlace } from './import-format.js';
import { loggedTrajectory } from './logged-trajectory.js';
import { eventAction, eventAnswer, isToolAction, slimEvent } from './openhands-events.js';
import { CallPairs } from './pair-calls.js';

/** Events and rows of OpenHands. */
export const openHands: ImportFormat = {
  name: 'openhands',
  about: 'OpenHands: event stores, exported events, output.jsonl, rows of the old resolver',
  recognises: (value) => isEvent(value) || isRow(value) || isMetadata(value),
  open: (context) => new OpenHandsReader(context),
};

function isEvent(value: Json): value is JsonObject {
  if (!isJsonObject(value)) return false;
  const { action, observation, source, args, extras, cause } = value;
  if (typeof action === 'string') return isJsonObject(args) && typeof source === 'string';
  return (
    typeof observation === 'string' && (isJsonObject(extras) || cause !== undefined) && 'content' in value
  );
}

/** The file beside a store's events. */
function isMetadata(value: Json): boolean {
  return isJsonObject(value) && typeof value.conversation_id === 'string' && 'selected_repository' in value;
}

function isRow(value: Json): value is JsonObject {
  if (!isJsonObject(value) || !Array.isArray(value.history) || value.history.length === 0) return false;
  if (!('instance_id' in value || 'instruction' in value || 'issue' in value)) return false;
  return (value.history as readonly Json[]).every((one) => {
    const list = Array.isArray(one) ? (one as readonly Json[]) : [one];
    return list.every(
      (event) =>
        isJsonObject(event) && (typeof event.action === 'string' || typeof event.observation === 'string'),
    );
  });
}

/** Kinds that are no step of an environment. `null` is the kind of an observation of nothing. */
const NOISE = new Set([
  'agent_state_changed',
  'recall',
  'system',
  'condensation',
  'condense',
  'null',
  'think',
  'message',
]);

interface Placed {
  readonly event: JsonObject;
  readonly place: ValuePlace;
  readonly number: number;
}

class OpenHandsReader implements ImportReader {
  private held: Placed[] = [];
  private heldChars = 0;
  private made = 0;
  private parts = 0;

  constructor(private readonly context: ImportContext) {}

  take(value: Json, place: ValuePlace): readonly Trajectory[] {
    if (isRow(value)) return this.row(value, place);
    if (!isEvent(value)) {
      this.context.tally.skip(isMetadata(value) ? 'metadata of a conversation' : 'value that is no event');
      return [];
    }
    const event = slimEvent(value);
    this.held.push({ event, place, number: this.held.length });
    this.heldChars += sizeOf(event);
    return this.heldChars > LIMITS.importedTrajectoryChars ? this.flush() : [];
  }

  end(): readonly Trajectory[] {
    return this.flush();
  }

  private flush(): readonly Trajectory[] {
    if (this.held.length === 0) return [];
    const events = this.held;
    const { file } = this.context;
    this.held = [];
    this.heldChars = 0;
    this.parts += 1;
    const id = `${file}#events${this.parts === 1 ? '' : `~${this.parts}`}`;
    const made = this.read(events, { id, text: '', tools: [], meta: {} });
    return this.parts === 1
      ? made
      : made.map((one) => ({ ...one, gaps: [...new Set([0, ...(one.gaps ?? [])])] }));
  }

  private row(row: JsonObject, place: ValuePlace): readonly Trajectory[] {
    this.made += 1;
    const history = (row.history as readonly Json[]).flatMap((one) =>
      Array.isArray(one) ? (one as readonly Json[]) : [one],
    );
    const events = history
      .filter(isJsonObject)
      .map((event, number) => ({ event: slimEvent(event), place, number }));
    const issue = isJsonObject(row.issue) ? row.issue : {};
    const name = row.instance_id ?? issue.number ?? this.made;
    const error = row.error;
    return this.read(events, {
      id: `${this.context.file}#${String(name)}`,
      text: '',
      tools: [],
      meta: {
        ...(row.instruction !== undefined && { task: row.instruction }),
        ...(typeof error === 'string' && { error }),
      },
    });
  }

  private read(
    placed: readonly Placed[],
    facts: {
      readonly id: string;
      readonly text: string;
      readonly tools: readonly Json[];
      readonly meta: JsonObject;
    },
  ): readonly Trajectory[] {
    const { tally, file } = this.context;
    const events = placed.every(({ event }) => idOf(event.id) !== undefined)
      ? [...placed].sort((a, b) => Number(a.event.id) - Number(b.event.id) || a.number - b.number)
      : placed;
    const run = new EventRun(this.context);
    for (const { event, place } of events) run.event(event, place);
    if (run.pairs.isEmpty) tally.skip('conversation without calls of tools');
    return loggedTrajectory(run.pairs, {
      ...facts,
      text: run.text,
      tools: run.tools,
      meta: {
        ...facts.meta,
        ...(run.task !== undefined && facts.meta.task === undefined && { task: run.task }),
      },
      dataset: 'openhands',
      file,
      domain: 'swe',
      agent: 'openhands',
    });
  }
}

/** A rough size of an event's texts. */
function sizeOf(value: Json): number {
  if (typeof value === 'string') return value.length;
  if (Array.isArray(value)) return value.reduce((sum: number, one: Json) => sum + sizeOf(one), 8);
  if (!isJsonObject(value)) return 8;
  return Object.entries(value).reduce((sum, [key, one]) => sum + key.length + sizeOf(one), 8);
}

/** An id of an event: a number, in some exports as text. */
function idOf(id: Json | undefined): string | undefined {
  if (typeof id === 'number' || typeof id === 'bigint') return String(id);
  return typeof id === 'string' && /^\d+$/.test(id) ? id : undefined;
}

/** One conversation's events, in order. */
class EventRun {
  readonly pairs: CallPairs;
  text = '';
  tools: readonly Json[] = [];
  task: string | undefined;
  /** Ids of actions that are no calls, whose observations are none either. */
  private readonly noise = new Set<string>();
  private last: string | undefined;
  private number = 0;

  constructor(private readonly context: ImportContext) {
    this.pairs = new CallPairs(context.tally);
  }

  event(event: JsonObject, place: ValuePlace): void {
    if (typeof event.action === 'string') this.action(event, event.action, place);
    else this.observation(event, String(event.observation), place);
  }

  private action(event: JsonObject, kind: string, place: ValuePlace): void {
    const id = idOf(event.id);
    if (kind === 'system') this.takeSystem(event);
    if (kind === 'message' && event.source !== 'agent') this.takeTask(event);
    if (!isToolAction(event, kind)) {
      if (id !== undefined) this.noise.add(id);
      this.last = undefined;
      this.context.tally.skip(`action ${kind}`);
      return;
    }
    this.number += 1;
    const key = id ?? `old-${this.number}`;
    this.last = key;
    const { name, action, callId, step } = eventAction(event, kind);
    this.names.set(key, callId);
    this.pairs.call({
      id: key,
      name,
      action,
      place,
      ...(step !== undefined && { step }),
      ...(typeof event.timestamp === 'string' && { startedAt: event.timestamp }),
    });
  }

  private readonly names = new Map<string, string | undefined>();

  private observation(event: JsonObject, kind: string, place: ValuePlace): void {
    const cause = idOf(event.cause);
    if (NOISE.has(kind) || (cause !== undefined && this.noise.has(cause))) {
      this.context.tally.skip(`observation ${kind}`);
      return;
    }
    const key = cause ?? this.last ?? '(no cause)';
    if (cause === undefined) this.last = undefined;
    const { observation, raw, isError, flags, exitCode, workingDir } = eventAnswer(event, kind);
    const callId = this.names.get(key);
    this.pairs.answer({
      id: key,
      observation,
      raw,
      isError,
      flags,
      place,
      ...(typeof event.timestamp === 'string' && { at: event.timestamp }),
      meta: {
        ...(callId !== undefined && { callId }),
        ...(exitCode !== undefined && { exitCode }),
        ...(workingDir !== undefined && { workingDir }),
      },
    });
  }

  private takeSystem({ args }: JsonObject): void {
    if (!isJsonObject(args)) return;
    if (typeof args.content === 'string' && this.text === '') this.text = args.content;
    if (Array.isArray(args.tools) && this.tools.length === 0) this.tools = args.tools as readonly Json[];
  }

  private takeTask(event: JsonObject): void {
    const args = isJsonObject(event.args) ? event.args : event;
    if (this.task === undefined && typeof args.content === 'string') this.task = args.content;
  }
}
