/**
 * Judges predictions, many at a time, into `judged.jsonl`; goes on where an earlier run stopped.
 *
 * Predictions may be ours or the reference script's. Only predictions are shown to the judge; rows without one get a
 * line that says why. A verdict stays while its prediction stays; what the judge's endpoint failed to answer is tried
 * again. All lines of a file are of one judge, one prompt and one parser, which its facts hold.
 */
import { type JsonObject, UsageError } from '../../core/index.js';
import { benchKey } from '../../domains/index.js';
import type { Judge, Verdict } from '../../judge/index.js';
import type { DataSet, IndexedRow } from '../files/data-set.js';
import { type FoundResults, ResultFile } from '../files/result-file.js';
import { claimRun, writeRunFacts } from '../files/run-facts.js';
import { readOutcome } from '../infer/prediction-record.js';
import { judgedRecord } from '../score/judged-record.js';

/** How a run goes. */
export interface JudgingOptions {
  /** The file of judged rows. */
  readonly out: string;
  /** What decides the verdicts beside the judge's stamp, without secrets. */
  readonly facts: JsonObject;
  readonly jobs: number;
  readonly only?: readonly IndexedRow[];
  readonly force?: boolean;
  readonly signal?: AbortSignal;
  /** Looks at the judge again each so many verdicts; a reason stops the run. */
  readonly watch?: { readonly every: number; readonly look: () => Promise<string | null> };
  readonly onRow?: (progress: JudgingProgress) => void;
}

/** How far a run is. */
export interface JudgingProgress {
  readonly done: number;
  readonly open: number;
  readonly scored: number;
  /** Verdicts that could not be used, and those that never came. */
  readonly unusable: number;
  readonly noReply: number;
  /** Rows without a prediction, which no judge saw. */
  readonly unjudged: number;
}

/** What a run did. */
export interface JudgingReport extends JudgingProgress {
  readonly found: FoundResults;
  /** Why verdicts could not be used, with how many. */
  readonly reasons: Readonly<Record<string, number>>;
  /** Why the run stopped before its end, or null. */
  readonly stopped: string | null;
}

/** Verdicts that never come, one after another, until a run stops. */
const HOPELESS = 24;

/** Runs. Raises `usage/bad-argument` for results of another judge, and what the file system says. */
export async function runJudging(
  predictions: DataSet,
  judge: Judge,
  options: JudgingOptions,
): Promise<JudgingReport> {
  const facts: JsonObject = { kind: 'judged', ...(judge.stamp as unknown as JsonObject), ...options.facts };
  const { run, isKnown } = claimRun(options.out, facts, { force: options.force === true });
  if (!isKnown) {
    throw new UsageError(
      `${options.out} holds verdicts of an unknown judge; write elsewhere with --out, or start anew with --force`,
      { code: 'usage/bad-argument' },
    );
  }
  const byKey = new Map(predictions.rows.map((row) => [row.key, row]));
  const file = ResultFile.open(options.out, {
    keyOf: benchKey,
    known: (key) => byKey.has(key),
    lasts: (record) => lasts(record, predictions, byKey.get(benchKey(record) ?? '')),
  });
  writeRunFacts(options.out, { run, facts, adopted: 0 });
  const rows = (options.only ?? predictions.rows).filter(({ key }) => !file.has(key));
  const work = new Work(rows, { predictions, judge, file, run, options });
  const ended = await Promise.allSettled(
    Array.from({ length: Math.max(1, options.jobs) }, () => work.worker()),
  );
  file.finish(predictions.rows.map(({ key }) => key));
  for (const one of ended) if (one.status === 'rejected') throw one.reason;
  return {
    ...work.progress(),
    found: file.found,
    reasons: Object.fromEntries(work.reasons),
    stopped: work.stopped,
  };
}

/** A verdict stays if it is one, and if the prediction is still the one that was judged. */
function lasts(record: JsonObject, predictions: DataSet, indexed: IndexedRow | undefined): boolean {
  const about = record.umwelt_judge as JsonObject | undefined;
  const { status, cause } = about ?? {};
  if (status === 'infrastructure' || cause === 'no-reply' || indexed === undefined) return false;
  return predictions.read(indexed).raw.gen === record.gen;
}

class Work {
  readonly reasons = new Map<string, number>();
  stopped: string | null = null;
  /** A worker met what no row can go on with, such as a full disk: the others ask for nothing more. */
  private isBroken = false;
  private next = 0;
  private silent = 0;
  private looked = 0;
  private readonly counts = { done: 0, scored: 0, unusable: 0, noReply: 0, unjudged: 0 };

  constructor(
    private readonly rows: readonly IndexedRow[],
    private readonly of: {
      readonly predictions: DataSet;
      readonly judge: Judge;
      readonly file: ResultFile;
      readonly run: string;
      readonly options: JudgingOptions;
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
    const { predictions, judge, file, run, options } = this.of;
    for (;;) {
      const indexed = this.rows[this.next++];
      if (indexed === undefined || this.stopped !== null || this.isBroken) return;
      options.signal?.throwIfAborted();
      const row = predictions.read(indexed);
      const { observation } = readOutcome(row.raw);
      const verdict =
        observation === null
          ? null
          : await judge.judge(
              { row, prediction: observation },
              options.signal === undefined ? {} : { signal: options.signal },
            );
      options.signal?.throwIfAborted();
      file.append(indexed.key, judgedRecord(row.raw, row, verdict, run));
      this.note(verdict);
      options.onRow?.(this.progress());
      await this.lookAgain();
    }
  }

  /** A judge may change while it judges: another model behind the endpoint, another scale. */
  private async lookAgain(): Promise<void> {
    const { watch } = this.of.options;
    const verdicts = this.counts.done - this.counts.unjudged;
    if (watch === undefined || verdicts === 0 || verdicts % watch.every !== 0 || verdicts === this.looked) {
      return;
    }
    this.looked = verdicts;
    const why = await watch.look();
    if (why !== null && this.stopped === null) {
      this.stopped = `${why}; the ${watch.every} verdicts before this are in doubt, --force starts anew`;
    }
  }

  private note(verdict: Verdict | null): void {
    const { counts } = this;
    counts.done += 1;
    if (verdict === null) counts.unjudged += 1;
    else if (verdict.status === 'scored') counts.scored += 1;
    else if (verdict.cause === 'no-reply') counts.noReply += 1;
    else counts.unusable += 1;
    if (verdict?.status === 'unscored') {
      const short = verdict.reason.slice(0, 200);
      this.reasons.set(short, (this.reasons.get(short) ?? 0) + 1);
    }
    const isSilent = verdict?.status === 'unscored' && verdict.cause === 'no-reply';
    if (verdict !== null) this.silent = isSilent ? this.silent + 1 : 0;
    if (this.silent < Math.max(HOPELESS, 2 * this.of.options.jobs)) return;
    this.stopped = `${this.silent} rows got no verdict one after another`;
  }

  progress(): JudgingProgress {
    return { ...this.counts, open: this.rows.length };
  }
}
