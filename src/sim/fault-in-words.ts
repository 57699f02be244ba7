/**
 * Lets a model say the failure that is due, and overrules it where it does not.
 *
 * On the route `model` a failure before the call is put to the model as an instruction; its words are taken if they say
 * the failure (origin `predicted`), else the fault's own answer stands and the turn is flagged `fault-enforced`. The
 * model is asked once: what it says of a failure changes no state.
 */
import { type DueFault, renderTurnControl, saysFault } from '../control/index.js';
import { type Answer, type LanguageModel, readPrediction, traced } from '../core/index.js';
import type { ModelRecord } from '../model/index.js';
import { type Question, renderQuestion } from './world-prompt.js';

/** The answer of the failure, and what was asked and used for it. */
export interface SaidFault {
  readonly answer: Answer;
  readonly followed: boolean;
  readonly record: ModelRecord;
  readonly thinking: string | null;
  /** Tokens as reported; null where they were not. */
  readonly tokens: number | null;
}

/** Asks the model to say a failure. `own` is the fault's answer. Rejects only where the model itself rejects. */
export async function sayFault(asked: {
  readonly setup: Parameters<typeof renderQuestion>[0];
  readonly model: LanguageModel;
  readonly question: Question;
  readonly due: DueFault;
  readonly own: Answer;
  readonly seed: number;
  /** The guard has nothing against these words. */
  readonly isFine: (words: string) => boolean;
}): Promise<SaidFault> {
  const { setup, model, due, own, seed } = asked;
  const control = { episode: asked.question.control?.episode ?? '', turn: renderTurnControl(due) };
  const request = { ...renderQuestion(setup, { ...asked.question, control }, []), seed };
  const key = `fault ${due.kind.name} ${request.key ?? ''}`;
  const generation = await model.generate({ ...request, key });
  if (!generation.ok) {
    const record = { key, error: generation.error.message };
    return { answer: own, followed: false, record, thinking: null, tokens: 0 };
  }
  const { samples, usage } = generation.value;
  const { promptTokens, completionTokens } = usage;
  const tokens = promptTokens === null || completionTokens === null ? null : promptTokens + completionTokens;
  const sample = samples[0];
  const record = { key, text: sample?.text ?? '' };
  const read =
    sample === undefined
      ? undefined
      : readPrediction(sample.text, { finishReason: sample.finishReason, reasoning: sample.reasoning });
  const said = read?.ok === true ? read.value : null;
  const isFine = said !== null && asked.isFine(said.observation);
  const followed = said !== null && isFine && saysFault(due, said.observation);
  const answer = followed ? { text: traced(said.observation, 'predicted'), isError: true } : own;
  return { answer, followed, record, thinking: said?.thinking ?? null, tokens };
}
