/**
 * The words that sim sends to a language model: a world's system prompt and the question about one operation.
 *
 * The domain renders the system prompt from its parts; here they are chosen: the one tool that is meant, the state as
 * far as it matters, the turns before. Facts are named by placeholders only, so a secret never stands in a prompt
 * because of them. Not covered: the wording (room `domains`).
 */
import {
  type GenerateRequest,
  type Json,
  type Message,
  type Operation,
  renderJson,
  type SystemPrompt,
  type Turn,
} from '../core/index.js';
import type { Demonstration, DomainFormat } from '../domains/index.js';
import type { World } from '../worlds/index.js';
import { operationKey } from './ledger.js';
import type { PinnedFact } from './pinned-facts.js';
import { renderStateDigest } from './state-digest.js';

/**
 * A world's system prompt, in the domain's own words. `actionSpace` is the domain's (for mcp the list of tools);
 * `initialState` a JSON value or a text. Demonstrations that are plain text go with the instruction.
 */
export function renderWorldPrompt(
  setup: { readonly world: World; readonly format: DomainFormat },
  actionSpace: Json,
  initialState: Json,
): SystemPrompt {
  const { demonstrations: all, instruction: own, representation } = setup.world.file;
  const demonstrations = all.flatMap((one) => (typeof one === 'string' ? [] : [demonstrationOf(one)]));
  const texts = all.filter((one) => typeof one === 'string');
  const form = representation === undefined ? [] : [`Form of the observations: ${representation}`];
  const instruction = [...form, ...(own === undefined ? [] : [own]), ...texts].join('\n\n');
  const facts = setup.format.promptFacts({
    actionSpace: domainActionSpace(setup.world, actionSpace),
    initialState,
    demonstrations,
    ...(instruction === '' ? {} : { instruction }),
  });
  return setup.format.renderSystemPrompt(facts);
}

/** For mcp the domain takes tools with the server that lists them; other domains take the engine's own value. */
function domainActionSpace(world: World, actionSpace: Json): Json {
  if (world.domain !== 'mcp') return actionSpace;
  const { serverInstructions: instructions } = world.file;
  const given = world.spec?.server;
  if (given === undefined && instructions === undefined) return { tools: actionSpace };
  const server = given ?? { name: world.file.name };
  return { tools: actionSpace, server: { ...server, ...(instructions !== undefined && { instructions }) } };
}

function demonstrationOf(one: Exclude<World['file']['demonstrations'][number], string>): Demonstration {
  const action = typeof one.action === 'string' ? one.action : renderJson(one.action as Json);
  return { action, observation: one.observation };
}

/** What a model has to know to answer one operation. */
export interface Question {
  readonly op: Operation;
  /** The tool's own definition, where there is one. */
  readonly tool: Json | undefined;
  /** The state as rules see it. */
  readonly view: Json;
  /** Facts that this operation may reveal. */
  readonly facts: readonly PinnedFact[];
  /** The turns before this one that fit, oldest first. */
  readonly recent: readonly Turn[];
  /** The simulated time, ISO 8601 UTC. */
  readonly clock: string;
  /** What is decided outside of the model, in words; absent where no fault is scheduled. */
  readonly control?: { readonly episode: string; readonly turn: string };
}

/** An answer that was not usable, and why. */
export interface Rejected {
  readonly text: string;
  readonly problem: string;
}

/** The request for one operation; rejected answers of earlier attempts are shown with what was wrong. */
export function renderQuestion(
  setup: { readonly world: World; readonly format: DomainFormat },
  question: Question,
  rejected: readonly Rejected[],
): GenerateRequest {
  const { op, tool, view, facts, recent, clock, control } = question;
  const state = `time: ${clock}\n${renderStateDigest(view, op)}`;
  const prompt = renderWorldPrompt(setup, tool === undefined ? [] : [tool], state).text;
  const system = control === undefined ? prompt : `${prompt}\n\n${control.episode}`;
  const user = [
    ...recent.map(
      (turn) => `Earlier action: ${clip(turn.action)}\nAnswer: ${clip(turn.observation ?? '(none)')}`,
    ),
    ...facts.map(({ id }) => `Known fact: write {{fact:${id}}} where the answer states it, word for word.`),
    ...(control === undefined ? [] : [control.turn]),
    `Call: ${renderJson({ name: op.name, arguments: op.args })}`,
  ].join('\n\n');
  const messages: Message[] = [
    { role: 'system', content: system },
    { role: 'user', content: user },
  ];
  for (const { text, problem } of rejected) {
    messages.push({ role: 'assistant', content: text });
    messages.push({
      role: 'user',
      content: `That answer cannot be used: ${problem}. Answer the call again.`,
    });
  }
  return { messages, key: operationKey(op) };
}

const RECENT_CHARS = 2_000;

function clip(text: string): string {
  return text.length <= RECENT_CHARS ? text : `${text.slice(0, RECENT_CHARS)} (cut)`;
}
