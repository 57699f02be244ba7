/**
 * A Turing test of many pairs: real observations against harmfully changed ones, several pairs at a time.
 */
import { randomStream } from '../../core/index.js';
import {
  askTuring,
  type LabelledCase,
  type TuringAnswer,
  type TuringOptions,
  type TuringPair,
  type TuringResult,
  turingResult,
} from '../../judge/index.js';

/** What a test found, with each answer. */
export interface TuringRun {
  readonly result: TuringResult;
  readonly answers: readonly (TuringAnswer & { readonly key: string })[];
}

/** Pairs of labelled cases: the real observation and a harmful change of it; at most so many, drawn by the seed. */
export function turingPairs(
  cases: readonly LabelledCase[],
  { most, seed = 0 }: { readonly most: number; readonly seed?: number },
): readonly TuringPair[] {
  return cases
    .filter(({ isHarmful }) => isHarmful)
    .map((one) => ({ one, at: randomStream(seed, 'turing', one.row.key, one.kind).next() }))
    .sort((a, b) => a.at - b.at)
    .slice(0, most)
    .map(({ one }) => ({ row: one.row, real: one.row.truth, other: one.prediction }));
}

/** Shows each pair in both orders. */
export async function runTuring(
  pairs: readonly TuringPair[],
  options: TuringOptions & { readonly jobs: number; readonly signal?: AbortSignal },
): Promise<TuringRun> {
  const answers: (TuringAnswer & { key: string })[] = [];
  let next = 0;
  const worker = async (): Promise<void> => {
    for (let at = next++; at < pairs.length; at = next++) {
      const pair = pairs[at] as TuringPair;
      answers[at] = { key: pair.row.key, ...(await askTuring(pair, options, options.signal)) };
    }
  };
  await Promise.all(Array.from({ length: Math.max(1, options.jobs) }, worker));
  return { result: turingResult(answers), answers };
}
