/**
 * A double-blind Turing test of a judge: which of two observations is the real one, asked in both orders.
 *
 * The judge sees the turns, the action and two candidates, and is told neither which is real nor who made the other. A
 * judge that likes a place answers both orders alike; that is its position bias (`turingResult`). The reply is read by
 * `readChoice`; one that names neither is no choice. Source: choice of judges in AgentWorldBench (arXiv 2606.24597).
 */
import type { LanguageModel, Usage } from '../../core/index.js';
import type { BenchRow } from '../../domains/index.js';
import { readChoice } from '../read-choice.js';
import type { SwappedChoice } from '../trust/agreement.js';
import { choiceMessages, markFor } from './judge-messages.js';

/** A real observation and a made-up one for the same row. */
export interface TuringPair {
  readonly row: BenchRow;
  readonly real: string;
  readonly other: string;
}

/** What a judge chose for one pair, with its words. */
export interface TuringAnswer extends SwappedChoice {
  /** The replies with the real one first and second; null where none came. */
  readonly raw: readonly [string | null, string | null];
  readonly usage: readonly Usage[];
}

/** How the model is asked; as for a model judge. */
export interface TuringOptions {
  readonly model: LanguageModel;
  readonly salt: string;
  /** Default 0. */
  readonly temperature?: number;
  readonly maxTokens?: number;
}

/** Shows one pair in both orders. Rejects only for bugs and aborts. */
export async function askTuring(
  pair: TuringPair,
  options: TuringOptions,
  signal?: AbortSignal,
): Promise<TuringAnswer> {
  const first = await choose(pair, { options, signal, isRealFirst: true });
  const second = await choose(pair, { options, signal, isRealFirst: false });
  return {
    realFirst: first.place,
    realSecond: second.place,
    raw: [first.raw, second.raw],
    usage: [...first.usage, ...second.usage],
  };
}

async function choose(
  { row, real, other }: TuringPair,
  how: {
    readonly options: TuringOptions;
    readonly signal: AbortSignal | undefined;
    readonly isRealFirst: boolean;
  },
): Promise<{ readonly place: 1 | 2 | null; readonly raw: string | null; readonly usage: readonly Usage[] }> {
  const { options, signal, isRealFirst } = how;
  const texts = [real, other, row.action, ...row.history.flatMap((one) => [one.action, one.observation])];
  const mark = markFor(texts, { salt: options.salt, key: `${row.key} ${isRealFirst}` });
  const { system, user } = choiceMessages(
    row,
    isRealFirst ? { a: real, b: other } : { a: other, b: real },
    mark,
  );
  const answered = await options.model.generate({
    messages: [
      { role: 'system', content: system },
      { role: 'user', content: user },
    ],
    temperature: options.temperature ?? 0,
    key: `choice/${row.key}`,
    ...(options.maxTokens !== undefined && { maxTokens: options.maxTokens }),
    ...(signal !== undefined && { signal }),
  });
  if (!answered.ok) return { place: null, raw: null, usage: [] };
  const raw = answered.value.samples[0]?.text ?? null;
  const choice = raw === null ? null : readChoice(raw);
  return { place: choice === null ? null : choice === 'A' ? 1 : 2, raw, usage: [answered.value.usage] };
}
