/**
 * Predicts the rows of a data set, many at a time, into `predictions.jsonl`; goes on where an earlier run stopped.
 *
 * Each row is written as it ends. Rows whose endpoint failed stay in the file with their cause and are tried again next
 * time. When so many in a row fail that nothing works, the run stops instead of trying thousands more.
 */
import type { JsonObject } from '../../core/index.js';
import { benchKey } from '../../domains/index.js';
import type { DataSet, IndexedRow } from '../files/data-set.js';
import { type FoundResults, ResultFile } from '../files/result-file.js';
import { claimRun, writeRunFacts } from '../files/run-facts.js';
import { completeRecord } from './complete-record.js';
import { type PredictionStatus, predictionRecord, readOutcome } from './prediction-record.js';
import type { RowPredictor } from './row-predictor.js';

/** How a run goes. */
export interface InferOptions {
  /** The file of predictions. */
  readonly out: string;
  /** What decides the predictions: model, route, sampling …; without secrets. The data set is added. */
  readonly facts: JsonObject;
  /** Rows at a time. */
  readonly jobs: number;
  /** Only these rows, by their index. Default: all. */
  readonly only?: readonly IndexedRow[];
  /** Start anew where results are. */
  readonly force?: boolean;
  readonly signal?: AbortSignal;
  /** Told after each row. */
  readonly onRow?: (progress: InferProgress) => void;
  /** Told once, before the first call. */
  readonly onStart?: (found: FoundResults, open: number) => void;
}

/** How far a run is. */
export interface InferProgress {
  readonly done: number;
  readonly open: number;
  readonly counts: Readonly<Record<PredictionStatus, number>>;
  /** Tokens as reported so far in this run, and calls that reported none. */
  readonly promptTokens: number;
  readonly completionTokens: number;
  readonly unreported: number;
}

/** What a run did. */
export interface InferReport extends InferProgress {
  readonly found: FoundResults;
  /** Reasons of rows without a prediction, with how many. */
  readonly reasons: Readonly<Record<string, number>>;
  /** Why the run stopped before its end, or null. */
  readonly stopped: string | null;
}

/** Rows that fail one after another until a run stops: nothing works then. */
const HOPELESS = 24;

/** Runs. Raises `usage/bad-argument` for results of another making, and what the file system says. */
export async function runInfer(
  data: DataSet,
  predictor: RowPredictor,
  options: InferOptions,
): Promise<InferReport> {
  const facts: JsonObject = { kind: 'predictions', data: data.fingerprint, ...options.facts };
  const { run, isKnown } = claimRun(options.out, facts, { force: options.force === true });
  const byKey = new Map(data.rows.map((row) => [row.key, row]));
  const file = ResultFile.open(options.out, {
    keyOf: benchKey,
    known: (key) => byKey.has(key),
    lasts: (record) => readOutcome(record).status !== 'infrastructure',
    complete: (record, key) => (isKnown ? record : completeRecord(data, byKey.get(key), record)),
  });
  writeRunFacts(options.out, { run, facts, adopted: isKnown ? 0 : file.found.kept });
  const rows = (options.only ?? data.rows).filter(({ key }) => !file.has(key));
  options.onStart?.(file.found, rows.length);
  const work = new Work(rows, { data, predictor, file, run, options });
  const workers = Array.from({ length: Math.max(1, options.jobs) }, () => work.worker());
  const ended = await Promise.allSettled(workers);
  file.finish(data.rows.map(({ key }) => key));
  for (const one of ended) if (one.status === 'rejected') throw one.reason;
  return {
    ...work.progress(),
    found: file.found,
    reasons: Object.fromEntries(work.reasons),
    stopped: work.stopped,
  };
}

class Work {
  readonly reasons = new Map<string, number>();
  stopped: string | null = null;
  /** A worker met what no row can go on with, such as a full disk: the others ask for nothing more. */
  private isBroken = false;
  private next = 0;
  private done = 0;
  private failedInARow = 0;
  private readonly counts = { predicted: 0, abstained: 0, 'model-failed': 0, infrastructure: 0 };
  private promptTokens = 0;
  private completionTokens = 0;
  private unreported = 0;

  constructor(
    private readonly rows: readonly IndexedRow[],
    private readonly of: {
      readonly data: DataSet;
      readonly predictor: RowPredictor;
      readonly file: ResultFile;
      readonly run: string;
      readonly options: InferOptions;
    },
  ) {}

  async worker(): Promise<void> {
    try {
      await this.rowAfterRow();
    } catch (error) {
      this.isBroken = true;
      throw error;
    }
  }

  private async rowAfterRow(): Promise<void> {
    const { data, predictor, file, run, options } = this.of;
    for (;;) {
      const indexed = this.rows[this.next++];
      if (indexed === undefined || this.stopped !== null || this.isBroken) return;
      options.signal?.throwIfAborted();
      const row = data.read(indexed);
      const outcome = await predictor.predict(row, options.signal);
      options.signal?.throwIfAborted();
      file.append(indexed.key, predictionRecord(row, outcome, run));
      this.note(outcome.status, outcome.reason);
      if (outcome.promptTokens === null) this.unreported += 1;
      this.promptTokens += outcome.promptTokens ?? 0;
      this.completionTokens += outcome.completionTokens ?? 0;
      options.onRow?.(this.progress());
    }
  }

  private note(status: PredictionStatus, reason: string | undefined): void {
    this.done += 1;
    this.counts[status] += 1;
    if (reason !== undefined) {
      const short = reason.slice(0, 200);
      this.reasons.set(short, (this.reasons.get(short) ?? 0) + 1);
    }
    this.failedInARow = status === 'infrastructure' ? this.failedInARow + 1 : 0;
    if (this.failedInARow < Math.max(HOPELESS, 2 * this.of.options.jobs)) return;
    this.stopped = `${this.failedInARow} rows failed one after another, the last with: ${reason ?? 'no reason'}`;
  }

  progress(): InferProgress {
    const { done, promptTokens, completionTokens, unreported } = this;
    return {
      done,
      open: this.rows.length,
      counts: { ...this.counts },
      promptTokens,
      completionTokens,
      unreported,
    };
  }
}
