/**
 * Faults over a recording: its answers are delayed, lost, replaced and changed; there is no state behind them.
 *
 * So a fault before and one after a write look alike and have the same future, the recorded one. Kinds that need a
 * state, items of a batch or another list of tools are refused. The clock of such an episode is the recorded one.
 */
import { compileSchedule, type FaultCounters, type FaultSchedule, type FaultSpec } from '../control/index.js';
import {
  type Answer,
  type AppliedFault,
  type JsonObject,
  type Operation,
  type Prediction,
  traced,
  UsageError,
} from '../core/index.js';

/** A call of a tool. */
interface Call {
  readonly name: string;
  readonly arguments: JsonObject;
}

/** What faults make of one call. */
interface Struck {
  readonly applied: readonly AppliedFault[];
  /** What is answered in the place of the recording; null where nothing is. */
  readonly prediction: Prediction | null;
  readonly delayMs: number;
}

/** The faults of one live episode of a recording. */
export class RecordingFaults {
  private readonly schedule: FaultSchedule;
  private counters: FaultCounters;
  private elapsedMs = 0;

  /** Raises `usage/bad-argument` for faults that a recording cannot carry out. */
  constructor(faults: readonly FaultSpec[], seed: number) {
    const compiled = compileSchedule(faults, seed);
    const problems = compiled.ok
      ? compiled.value.faults.flatMap(({ kind, operation }, index) => {
          const why = whyNot(kind, operation);
          return why === null ? [] : [`faults.${index}: a recording cannot carry out '${kind.name}': ${why}`];
        })
      : compiled.error.map(({ path, message }) => `faults.${path.join('.')}: ${message}`);
    if (!compiled.ok || problems.length > 0) {
      throw new UsageError(problems.join('\n'), { code: 'usage/bad-argument' });
    }
    this.schedule = compiled.value;
    this.counters = compiled.value.start();
  }

  /** Before the recorded answer is taken. */
  before(call: Call, turn: number): Struck {
    return this.decide(call, turn, null);
  }

  /** After it was taken. */
  after(call: Call, turn: number, prediction: Prediction): Struck {
    return this.decide(call, turn, prediction);
  }

  /** A prediction that took so much longer. */
  later(prediction: Prediction, delayMs: number): Prediction {
    const { durationMs = 0 } = prediction.meta ?? {};
    this.elapsedMs += durationMs + delayMs;
    if (delayMs === 0) return prediction;
    return { ...prediction, meta: { ...prediction.meta, durationMs: durationMs + delayMs } };
  }

  private decide(call: Call, turn: number, prediction: Prediction | null): Struck {
    const op: Operation = { kind: 'tool.call', name: call.name, args: call.arguments };
    const phase = prediction === null ? 'before' : 'after';
    const { elapsedMs } = this;
    const answer = prediction === null ? undefined : answerOf(prediction);
    const at = { phase, turn, elapsedMs, nowMs: elapsedMs, ...(answer !== undefined && { answer }) } as const;
    const { decision, counters } = this.schedule.decide(op, at, this.counters);
    this.counters = counters;
    const { applied = [], reply } = decision ?? {};
    const delayMs = reply === undefined || reply.do === 'abstain' ? 0 : (reply.delayMs ?? 0);
    if (reply?.do !== 'answer') return { applied, prediction: null, delayMs };
    const changed = predictionOf(reply.answer, prediction);
    return { applied, prediction: phase === 'before' ? this.later(changed, delayMs) : changed, delayMs };
  }
}

function whyNot(kind: FaultSchedule['faults'][number]['kind'], operation: Operation['kind']): string | null {
  if (kind.strikes === 'planned') return 'its engine does not exist yet';
  if (kind.strikes === 'turn') return 'it has no state and no list of tools that could change';
  if (kind.works === 'defers' || kind.pastTurns !== undefined) return 'it has no state';
  if (kind.tools !== undefined) return 'its tools have no further arguments';
  return operation === 'tool.call' ? null : `it knows whole calls, and no ${operation}`;
}

function answerOf({ observation, origins, meta }: Prediction): Answer {
  const text = { text: observation ?? '', origins: origins.map((span) => ({ ...span })) };
  return { text: observation === null ? traced('', 'recorded') : text, isError: meta?.isError === true };
}

function predictionOf(answer: Answer, recorded: Prediction | null): Prediction {
  const { isError: _old, ...meta } = recorded?.meta ?? {};
  return {
    status: 'ok',
    observation: answer.text.text,
    origins: answer.text.origins,
    flags: recorded?.flags ?? [],
    meta: { ...meta, ...(answer.isError && { isError: true }) },
  };
}
