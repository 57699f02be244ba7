/**
 * A world out of a system prompt that somebody else wrote, such as a benchmark row's: a language model lives it.
 *
 * The prompt is sent word for word. What can be read out of it is used beside it: the domain, the tools (for the agent and for
 * output schemas), the hidden target and answer (for the guard). Source: `readForeignPrompt` of room `domains`.
 */
import { type Domain, fail, type Json, type Result, renderJson, WorldError } from '../core/index.js';
import { readForeignPrompt } from '../domains/index.js';
import { loadWorld } from './load-world.js';
import type { World } from './world.js';

/** What the caller knows of a prompt. */
export interface PromptWorldOptions {
  /** Default: told from the prompt. */
  readonly domain?: Domain;
  /** Default `prompt`. */
  readonly name?: string;
}

/** Makes the world. Fails with `world/invalid` where the domain cannot be told. */
export function worldFromPrompt(text: string, options: PromptWorldOptions = {}): Result<World, WorldError> {
  const { domain, why, tools, hidden } = readForeignPrompt(text, options.domain);
  if (text.trim() === '' || domain === null) {
    const what =
      text.trim() === '' ? 'the prompt is empty' : `the domain of the prompt cannot be told: ${why}`;
    return fail(
      new WorldError(`${what}. Say which of the seven domains it is of`, { code: 'world/invalid' }),
    );
  }
  const read = (parts: object) => loadWorld(renderJson(parts as Json));
  const base = { world: 1, name: options.name ?? 'prompt', domain, systemPrompt: text };
  const more = hidden === undefined ? {} : { hidden };
  const hasTools = domain !== 'terminal' && tools.length > 0;
  const whole = read({ ...base, ...more, ...(hasTools && { tools }) });
  // Tools that no world could have are still the prompt's own business.
  return whole.ok ? whole : read({ ...base, ...more });
}
