/**
 * A language model as a world model for prompts that others wrote, with what code can add: memory, window and guard.
 *
 * A prediction sends the request's own system prompt word for word, then the history and the action as they are; where the
 * history is longer than the budget, its first and last turns, and a summary by code of what was seen. The answer passes the
 * guard, so it may be asked again; who wants one bare answer (a benchmark of models) takes `createLanguageWorldModel`. A prompt
 * whose domain cannot be told is `abstained` with the reason.
 */
import {
  type Domain,
  type LanguageModel,
  type Prediction,
  type PredictRequest,
  UsageError,
  type WorldModel,
} from '../core/index.js';
import { worldFromPrompt } from '../worlds/index.js';
import { createEngineWorldModel } from './engine-world-model.js';
import { openEpisode } from './episode.js';

/** How prompts are taken. */
export interface PromptedOptions {
  readonly model: LanguageModel;
  /** Default: told from each prompt. */
  readonly domain?: Domain;
  /** The prompt of live episodes. */
  readonly prompt?: string;
  /** Tokens of one question. */
  readonly promptTokens?: number;
  readonly seed?: number;
}

/** Worlds that are kept; requests of one conversation share a prompt. */
const KEPT = 64;

/** Makes the world model. `open` raises `usage/bad-argument` without a prompt, `world/invalid` for one of no domain. */
export function createPromptedWorldModel(options: PromptedOptions): WorldModel {
  const { model, domain, prompt, promptTokens, seed } = options;
  const how = {
    model,
    route: 'model' as const,
    ...(promptTokens !== undefined && { promptTokens }),
    ...(seed !== undefined && { seed }),
  };
  const known = new Map<string, WorldModel>();
  const worldOf = (text: string) => worldFromPrompt(text, domain === undefined ? {} : { domain });
  const modelOf = (text: string): WorldModel | string => {
    const there = known.get(text);
    if (there !== undefined) return there;
    const world = worldOf(text);
    if (!world.ok) return world.error.message;
    const made = createEngineWorldModel(world.value, how);
    if (known.size >= KEPT) known.delete(known.keys().next().value ?? '');
    known.set(text, made);
    return made;
  };
  return {
    name: `prompted:${model.name}`,
    predict: async (request: PredictRequest): Promise<Prediction> => {
      const world = modelOf(request.system.text);
      if (typeof world !== 'string') return world.predict(request);
      return {
        status: 'abstained',
        observation: null,
        origins: [],
        flags: ['unknown-domain'],
        reason: world,
      };
    },
    open: async ({ seed: own } = {}) => {
      if (prompt === undefined)
        throw new UsageError('a live episode needs a prompt (option prompt)', { code: 'usage/bad-argument' });
      const world = worldOf(prompt);
      if (!world.ok) throw world.error;
      return openEpisode(world.value, own === undefined ? how : { ...how, seed: own });
    },
  };
}
