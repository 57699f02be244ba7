/**
 * Asks a model for one operation's answer, a bounded number of times, and checks what is decidable about it.
 *
 * Checked: the reply holds an observation, placeholders name facts this call may reveal, no secret leaks, and a tool
 * with an output schema gets JSON that fits, and a call that the state says must fail is not answered as a success.
 * What cannot be repaired is a failure, except two: a misfit of the output schema is a flag on the answer in the end
 * (the words may still be right), and a call that must fail ends with the engine's own words, flagged
 * `inconsistent`. Not covered: whether a success is true.
 */
import {
  type Answer,
  fail,
  type Json,
  type LanguageModel,
  LIMITS,
  ok,
  parseJson,
  type Result,
  readPrediction,
  type Sample,
  traced,
} from '../core/index.js';
import type { DomainFormat } from '../domains/index.js';
import type { ModelRecord } from '../model/index.js';
import type { World } from '../worlds/index.js';
import { soundsLikeFailure } from './computed-refusal.js';
import { type PinnedFact, type Substituted, substituteFacts } from './pinned-facts.js';
import type { Question, Rejected } from './world-prompt.js';
import { renderQuestion } from './world-prompt.js';

/** What is asked, of whom, and the checks. */
export interface ModelQuestion {
  readonly setup: { readonly world: World; readonly format: DomainFormat };
  readonly model: LanguageModel;
  readonly question: Question;
  readonly allFacts: readonly PinnedFact[];
  /** True if a value fits the tool's output schema; undefined for tools without one. */
  readonly outputFits: ((value: Json) => boolean) | undefined;
  /** The error that the state says this call must end with; undefined where the state does not say so. */
  readonly refusal?: string | undefined;
  /** The seed a provider may honour, best effort. */
  readonly seed: number;
}

/** A usable answer, or the reason why there is none; with everything that was asked and used. */
export interface ModelReply {
  readonly result: Result<{ readonly answer: Answer; readonly used: readonly PinnedFact[] }, string>;
  readonly flags: readonly string[];
  readonly thinking: string | null;
  /** Every text the model gave, under the operation's key, for replays. */
  readonly records: readonly ModelRecord[];
  /** Tokens of all attempts as reported; null when one attempt reported none. */
  readonly tokens: number | null;
}

/** Asks up to `LIMITS.modelAttempts` times. Rejects only where the model itself rejects (a bug or an abort). */
export async function askModel(asked: ModelQuestion): Promise<ModelReply> {
  const rejected: Rejected[] = [];
  const records: ModelRecord[] = [];
  let tokens: number | null = 0;
  let problem = '';
  for (let attempt = 1; attempt <= LIMITS.modelAttempts; attempt++) {
    const request = { ...renderQuestion(asked.setup, asked.question, rejected), seed: asked.seed };
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
    records.push({ key, text: sample?.text ?? '' });
    const last = attempt === LIMITS.modelAttempts;
    const checked = checkSample(asked, sample, last);
    if (checked.ok) return { ...checked.value, records, tokens };
    problem = checked.error;
    rejected.push({ text: sample?.text ?? '', problem });
  }
  return { result: fail(problem), flags: [], thinking: null, records, tokens };
}

type Accepted = Pick<ModelReply, 'result' | 'flags' | 'thinking'>;

function checkSample(
  asked: ModelQuestion,
  sample: Sample | undefined,
  last: boolean,
): Result<Accepted, string> {
  if (sample === undefined) return fail('the model gave no sample');
  const read = readPrediction(sample.text, {
    finishReason: sample.finishReason,
    reasoning: sample.reasoning,
  });
  if (!read.ok) return fail(read.error.message);
  const { observation, thinking } = read.value;
  const facts = { allowed: asked.question.facts, all: asked.allFacts };
  const substituted = substituteFacts(observation, facts);
  if (!substituted.ok) return substituted;
  const { text, used } = substituted.value;
  if (asked.refusal !== undefined) return refused(asked.refusal, { text, used, thinking, last });
  const structured = readStructured(text.text, asked.outputFits);
  if (!structured.ok && !last) return structured;
  const value = structured.ok ? structured.value : undefined;
  const answer: Answer = { text, isError: false, ...(value === undefined ? {} : { value }) };
  const flags = structured.ok ? [] : ['output-schema'];
  return ok({ result: ok({ answer, used }), flags, thinking });
}

/** A call that must fail fails: in the model's words, else asked again, in the end in the engine's words. */
function refused(
  refusal: string,
  said: Substituted & { readonly thinking: string | null; readonly last: boolean },
): Result<Accepted, string> {
  const { text, used, thinking, last } = said;
  if (soundsLikeFailure(text.text)) {
    return ok({ result: ok({ answer: { text, isError: true }, used }), flags: [], thinking });
  }
  if (!last) return fail(`the state says that this call fails: ${refusal}`);
  const answer: Answer = { text: traced(refusal, 'computed'), isError: true };
  return ok({ result: ok({ answer, used: [] }), flags: ['inconsistent'], thinking });
}

function readStructured(
  text: string,
  outputFits: ModelQuestion['outputFits'],
): Result<Json | undefined, string> {
  if (outputFits === undefined) return ok(undefined);
  const json = parseJson(text);
  if (!json.ok) return fail('the tool has an output schema, but the answer is not JSON');
  return outputFits(json.value) ? ok(json.value) : fail("the answer does not fit the tool's output schema");
}

function addTokens(
  sum: number | null,
  usage: { readonly promptTokens: number | null; readonly completionTokens: number | null },
): number | null {
  if (sum === null || usage.promptTokens === null || usage.completionTokens === null) return null;
  return sum + usage.promptTokens + usage.completionTokens;
}
