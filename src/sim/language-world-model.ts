/**
 * A language model used as a world model, with nothing else: system prompt, turns as messages, one reply.
 *
 * Formula: `o_{t+1} = f(c, o_{<=t}, a_{<=t})` with `system`, then per turn `user` = action and `assistant` = observation,
 * then the action (arXiv 2606.24597, model section). An empty system prompt is not sent. The observation is what
 * `readPrediction` finds in the reply. A provider that fails gives `model-failed` with the flag `provider-failed`; a
 * reply without an observation gives `model-failed` with the flag `truncated` or `empty-answer`. It asks once: asking
 * again until an answer pleases would make a model better than it is. Not covered: a world's rules, facts and faults.
 */
import {
  type LanguageModel,
  type LiveEpisode,
  type Message,
  type Prediction,
  type PredictRequest,
  readPrediction,
  type StepResult,
  type SystemPrompt,
  type Turn,
  traced,
  UsageError,
  type WorldModel,
} from '../core/index.js';

/** How the model is asked. */
export interface LanguageWorldOptions {
  readonly temperature?: number;
  /** Longest reply in tokens, thinking included. */
  readonly maxTokens?: number;
  /** Best effort. */
  readonly seed?: number;
  /** The system prompt of live episodes; predictions bring their own. */
  readonly system?: SystemPrompt;
}

/** Makes the world model. */
export function createLanguageWorldModel(
  model: LanguageModel,
  options: LanguageWorldOptions = {},
): WorldModel {
  const { system: ownSystem, ...sampling } = options;
  const predict = async ({ system, history, action, signal }: PredictRequest): Promise<Prediction> => {
    const messages = messagesOf(system, history, action);
    const answered = await model.generate({ messages, ...sampling, ...(signal !== undefined && { signal }) });
    if (!answered.ok) return failed(answered.error.message, 'provider-failed');
    const [sample] = answered.value.samples;
    const { usage } = answered.value;
    if (sample === undefined) return { ...failed('the reply holds no text', 'empty-answer'), usage };
    const { text, finishReason, reasoning } = sample;
    const read = readPrediction(text, { finishReason, reasoning });
    if (!read.ok) {
      const { cause, message, thinking } = read.error;
      const flag = cause === 'truncated' ? 'truncated' : 'empty-answer';
      return { ...failed(message, flag), usage, ...(thinking !== null && { thinking }) };
    }
    const { observation, thinking } = read.value;
    const { origins } = traced(observation, 'predicted');
    return { status: 'ok', observation, origins, flags: [], usage, ...(thinking !== null && { thinking }) };
  };
  return {
    name: `language:${model.name}`,
    predict,
    open: async () => new LanguageEpisode(predict, ownSystem ?? { text: '', demonstrations: [] }),
  };
}

function messagesOf(system: SystemPrompt, history: readonly Turn[], action: string): readonly Message[] {
  const messages: Message[] = system.text === '' ? [] : [{ role: 'system', content: system.text }];
  for (const turn of history) {
    if (turn.observation === null) continue;
    messages.push({ role: 'user', content: turn.action }, { role: 'assistant', content: turn.observation });
  }
  return [...messages, { role: 'user', content: action }];
}

function failed(reason: string, flag: string): Prediction {
  return { status: 'model-failed', observation: null, origins: [], flags: [flag], reason };
}

/** A live episode: the history is what was said in it. It ends when it is finished; there are no success rules. */
class LanguageEpisode implements LiveEpisode {
  done = false;
  private readonly history: Turn[] = [];

  constructor(
    private readonly predict: (request: PredictRequest) => Promise<Prediction>,
    private readonly system: SystemPrompt,
  ) {}

  async step(action: string): Promise<StepResult> {
    if (this.done)
      throw new UsageError('the episode is done; open a new one', { code: 'usage/episode-done' });
    const prediction = await this.predict({ system: this.system, history: this.history, action });
    const { status, observation } = prediction;
    this.history.push({ action, observation, status });
    return this.result(action, prediction);
  }

  async finish(answer?: string): Promise<StepResult> {
    if (this.done)
      throw new UsageError('the episode is done; open a new one', { code: 'usage/episode-done' });
    this.done = true;
    const action = JSON.stringify({ answer: answer ?? null });
    this.history.push({ action, observation: '', status: 'ok' });
    const score = { status: 'unscored', reason: 'a language model has no success rules' } as const;
    return { ...this.result(action, { status: 'ok', observation: '', origins: [], flags: [] }), score };
  }

  private result(action: string, prediction: Prediction): StepResult {
    const clock = new Date(0).toISOString();
    return {
      ...prediction,
      turn: this.history.length,
      action,
      faults: [],
      clock,
      done: this.done,
      reward: null,
    };
  }
}
