/**
 * Asks a model for one operation's answer, a bounded number of times, until the guard lets its words pass.
 *
 * Each rejected answer goes back with what is wrong with it. When the attempts are used up, the last words are judged for
 * good: never shown, cut, shown with a flag, or replaced by what the engine computed for the same call (see `guard/`).
 * Not covered: whether what nobody can check is true.
 */
import {
  fail,
  type LanguageModel,
  LIMITS,
  type Result,
  readPrediction,
  type Sample,
  type Usage,
} from '../core/index.js';
import type { DomainFormat } from '../domains/index.js';
import type { ModelRecord } from '../model/index.js';
import type { World } from '../worlds/index.js';
import { type Guarded, type GuardQuestion, guardAnswer } from './guard/guard.js';
import { type Question, type Rejected, renderQuestion } from './world-prompt.js';

/** What is asked, of whom, and the checks. */
export interface ModelQuestion {
  readonly setup: { readonly world: World; readonly format: DomainFormat; readonly promptTokens: number };
  readonly model: LanguageModel;
  readonly question: Question;
  readonly guard: GuardQuestion;
  /** The seed a provider may honour, best effort. */
  readonly seed: number;
}

/** A usable answer, or the reason why there is none; with everything that was asked and used. */
export interface ModelReply {
  readonly result: Result<Guarded, string>;
  readonly thinking: string | null;
  /** Every text the model gave, under the operation's key, for replays. */
  readonly records: readonly ModelRecord[];
  /** Tokens of all attempts as reported; null when one attempt reported none. */
  readonly tokens: number | null;
  /** How often the model was asked. */
  readonly attempts: number;
}

/** Asks up to `LIMITS.modelAttempts` times. Rejects only where the model itself rejects (a bug or an abort). */
export async function askModel(asked: ModelQuestion): Promise<ModelReply> {
  const rejected: Rejected[] = [];
  const records: ModelRecord[] = [];
  let tokens: number | null = 0;
  let problem = '';
  let lastSample: Sample | undefined;
  let attempts = 0;
  let maxTokens: number | undefined;
  while (attempts < LIMITS.modelAttempts) {
    attempts += 1;
    const request = {
      ...renderQuestion(asked.setup, asked.question, rejected),
      seed: asked.seed,
      ...(maxTokens !== undefined && { maxTokens }),
    };
    const generation = await asked.model.generate(request);
    const key = request.key ?? '';
    if (!generation.ok) {
      records.push({ key, error: generation.error.message });
      problem = generation.error.message;
      if (generation.error.code === 'provider/no-recording') break;
      continue;
    }
    tokens = addTokens(tokens, generation.value.usage);
    const sample = generation.value.samples[0];
    records.push(recordOf(key, sample));
    const checked = checkSample(asked, sample, false);
    if (checked.result.ok) return { ...checked, records, tokens, attempts };
    problem = checked.result.error;
    if (sample !== undefined) lastSample = sample;
    // What was cut is asked again with more room, not with half an answer in the history.
    if (sample?.finishReason === 'length') maxTokens = moreRoom(generation.value.usage, maxTokens);
    else rejected.push({ text: sample?.text ?? '', problem });
  }
  // Judged for good only where the model has said something.
  if (lastSample !== undefined) return { ...checkSample(asked, lastSample, true), records, tokens, attempts };
  return { result: fail(problem), thinking: null, records, tokens, attempts };
}

const USUAL_ROOM = 8_192;
const MOST_ROOM = 65_536;

/** Twice the tokens that were not enough. */
function moreRoom({ completionTokens }: Usage, before: number | undefined): number {
  return Math.min(MOST_ROOM, 2 * Math.max(completionTokens ?? USUAL_ROOM, before ?? 0));
}

function recordOf(key: string, sample: Sample | undefined): ModelRecord {
  const { reasoning = null, text = '' } = sample ?? {};
  return { key, text, ...(reasoning !== null && { reasoning }) };
}

function checkSample(
  asked: ModelQuestion,
  sample: Sample | undefined,
  last: boolean,
): Pick<ModelReply, 'result' | 'thinking'> {
  if (sample === undefined) return { result: fail('the model gave no sample'), thinking: null };
  const read = readPrediction(sample.text, {
    finishReason: sample.finishReason,
    reasoning: sample.reasoning,
  });
  if (!read.ok) return { result: fail(read.error.message), thinking: read.error.thinking };
  const { observation, thinking } = read.value;
  return { result: guardAnswer(observation, asked.guard, last), thinking };
}

function addTokens(sum: number | null, usage: Usage): number | null {
  if (sum === null || usage.promptTokens === null || usage.completionTokens === null) return null;
  return sum + usage.promptTokens + usage.completionTokens;
}
