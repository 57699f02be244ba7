/**
 * A recording used as a world model: it answers a call with what was recorded for that call.
 *
 * Keys are canonical actions (name and arguments, key order aside). A prediction whose history is word for word the
 * beginning of a recorded trajectory is answered by that one. Else, and in live episodes, the answers of a key come first
 * in, first out; between keys order does not matter. A call that is used up or was never recorded is `abstained` with a reason that
 * names it and the nearest recorded call; nothing else is asked. Source: hard case P-SIM-4.
 */
import type { FaultSpec } from '../control/index.js';
import {
  type AppliedFault,
  canonicalJson,
  type JsonObject,
  type LiveEpisode,
  nearestName,
  type Prediction,
  type PredictRequest,
  type StepResult,
  type Trajectory,
  type Turn,
  traced,
  UsageError,
  type WorldModel,
} from '../core/index.js';
import { domainFormat } from '../domains/index.js';
import { RecordingFaults } from './recording-faults.js';

interface Recorded {
  readonly turn: Turn;
  /** Id of the trajectory it comes from. */
  readonly from: string;
}

interface CallKey {
  readonly key: string;
  readonly call?: { readonly name: string; readonly arguments: JsonObject };
  /** What to call it in a message. */
  readonly name: string;
  /** The action is an answer: it ends an episode, recorded or not. */
  readonly ends: boolean;
}

type KeyOf = (action: string) => CallKey;

/** How a recording is used. */
export interface RecordingOptions {
  readonly name?: string;
  /** Faults of live episodes. Kinds that need a state or another list of tools are refused. */
  readonly faults?: readonly FaultSpec[];
}

/**
 * What a world model answers from recordings of one domain; several trajectories are read one after another. Raises
 * `usage/bad-argument` for recordings of two domains and for faults that a recording cannot carry out.
 */
export function createRecordingWorldModel(
  trajectories: readonly Trajectory[],
  options: RecordingOptions = {},
): WorldModel {
  if (options.faults !== undefined) new RecordingFaults(options.faults, 0);
  const keyOf = keyReader(trajectories);
  const queues = new Map<string, Recorded[]>();
  const places = new Map<string, Trajectory[]>();
  for (const trajectory of trajectories) {
    for (const [at, turn] of trajectory.turns.entries()) {
      const { key } = keyOf(turn.action);
      const place = `${at} ${key}`;
      const there = places.get(place);
      if (there === undefined) places.set(place, [trajectory]);
      else there.push(trajectory);
      const recorded = { turn, from: trajectory.id };
      const queue = queues.get(key);
      if (queue === undefined) queues.set(key, [recorded]);
      else queue.push(recorded);
    }
  }
  const answer = (action: string, used: number): Prediction => {
    const call = keyOf(action);
    const found = queues.get(call.key)?.[used];
    return found === undefined ? nothingLeft(call, queues) : predictionOf(found);
  };
  return {
    name: options.name ?? `recording:${trajectories[0]?.id ?? 'empty'}`,
    predict: async ({ system, history, action }: PredictRequest) => {
      const { key } = keyOf(action);
      const same = (places.get(`${history.length} ${key}`) ?? []).filter((one) => beginsWith(one, history));
      const own = same.find((one) => one.system.text === system.text) ?? same[0];
      const turn = own?.turns[history.length];
      if (
        own !== undefined &&
        turn !== undefined &&
        (history.length > 0 || own.system.text === system.text)
      ) {
        return predictionOf({ turn, from: own.id });
      }
      return answer(action, history.filter((turn) => keyOf(turn.action).key === key).length);
    },
    open: async ({ seed = 0 } = {}) =>
      new RecordingEpisode(
        answer,
        keyOf,
        options.faults === undefined ? null : new RecordingFaults(options.faults, seed),
      ),
  };
}

/** True where a trajectory begins with these very turns. */
function beginsWith({ turns }: Trajectory, history: readonly Turn[]): boolean {
  return history.every(({ action, observation }, at) => {
    const turn = turns[at];
    return turn !== undefined && turn.action === action && turn.observation === observation;
  });
}

function keyReader(trajectories: readonly Trajectory[]): KeyOf {
  const domain = trajectories[0]?.domain;
  const other = trajectories.find((trajectory) => trajectory.domain !== domain);
  if (other !== undefined) {
    throw new UsageError(`recordings of two domains (${domain}, ${other.domain}) cannot be one world model`, {
      code: 'usage/bad-argument',
    });
  }
  const format = domainFormat(domain ?? 'mcp');
  return (action) => {
    const parsed = format.ok ? format.value.parseAction(action) : undefined;
    const ends = parsed?.kind === 'finish';
    if (parsed?.kind !== 'tool-call') return { key: action, name: action.slice(0, 200), ends };
    const { name, arguments: args } = parsed;
    return { key: `${name} ${canonicalJson(args)}`, name, ends, call: { name, arguments: args } };
  };
}

function predictionOf({ turn, from }: Recorded): Prediction {
  const { status, observation, origins, flags, meta } = turn;
  const { model: _model, reason, ...facts } = meta ?? {};
  return {
    status,
    observation,
    // A recording of a simulated world keeps its own origins: simulated text is never called recorded reality.
    origins: origins ?? (observation === null ? [] : traced(observation, 'recorded', from).origins),
    flags: flags ?? [],
    meta: facts,
    ...(typeof reason === 'string' && { reason }),
  };
}

function nothingLeft(call: CallKey, queues: ReadonlyMap<string, readonly Recorded[]>): Prediction {
  const recorded = queues.get(call.key)?.length ?? 0;
  const nearest = recorded > 0 ? undefined : nearestCall(call, [...queues.keys()]);
  const hint = nearest === undefined ? '' : `; the nearest recorded call is ${nearest}`;
  const reason =
    recorded > 0
      ? `no recording left for ${call.name}: all ${recorded} recorded answers were used`
      : `no recording for ${call.key}${hint}`;
  return { status: 'abstained', observation: null, origins: [], flags: ['no-recording'], reason };
}

/** Calls of the same tool are nearer than any other. */
function nearestCall(call: CallKey, keys: readonly string[]): string | undefined {
  const same = keys.filter((key) => key.startsWith(`${call.name} `));
  return nearestName(call.key, same) ?? same[0] ?? nearestName(call.key, keys);
}

const UNKNOWN_CLOCK = '1970-01-01T00:00:00.000Z';

/** A live episode out of recordings. The clock is the recorded one; 1970 where the recording has none. */
class RecordingEpisode implements LiveEpisode {
  done = false;
  private readonly used = new Map<string, number>();
  private turn = 0;
  private clock = UNKNOWN_CLOCK;

  constructor(
    private readonly answer: (action: string, used: number) => Prediction,
    private readonly keyOf: KeyOf,
    private readonly faults: RecordingFaults | null,
  ) {}

  async step(action: string): Promise<StepResult> {
    if (this.done) throw episodeDone();
    const { key, ends, call } = this.keyOf(action);
    if (ends) return this.end(action);
    const { faults } = this;
    const begun = call === undefined || faults === null ? null : faults.before(call, this.turn + 1);
    if (begun !== null && begun.prediction !== null)
      return this.result(action, begun.prediction, begun.applied);
    const used = this.used.get(key) ?? 0;
    const prediction = this.answer(action, used);
    if (prediction.observation !== null || prediction.flags.includes('no-recording') === false) {
      this.used.set(key, used + 1);
    }
    const { startedAt, durationMs = 0 } = prediction.meta ?? {};
    const start = startedAt === undefined ? Number.NaN : Date.parse(startedAt);
    if (Number.isFinite(start)) this.clock = new Date(start + durationMs).toISOString();
    if (begun === null || call === undefined || faults === null || prediction.observation === null) {
      return this.result(action, prediction);
    }
    const ended = faults.after(call, this.turn + 1, prediction);
    const late = faults.later(ended.prediction ?? prediction, begun.delayMs);
    return this.result(action, late, [...begun.applied, ...ended.applied]);
  }

  async finish(answer?: string): Promise<StepResult> {
    if (this.done) throw episodeDone();
    return this.end(JSON.stringify({ answer: answer ?? null }));
  }

  /** An answer needs no recording: it ends the episode as it ends every other. */
  private end(action: string): StepResult {
    this.done = true;
    return this.result(action, { status: 'ok', observation: '', origins: [], flags: [] });
  }

  private result(action: string, prediction: Prediction, faults: readonly AppliedFault[] = []): StepResult {
    const score = { status: 'unscored', reason: 'a recording has no success rules' } as const;
    const turn = ++this.turn;
    const { clock, done } = this;
    return {
      ...prediction,
      turn,
      action,
      faults,
      clock,
      done,
      reward: null,
      ...(done && { score }),
    };
  }
}

function episodeDone(): UsageError {
  return new UsageError('the episode of this recording is done; open a new one', {
    code: 'usage/episode-done',
  });
}
