/**
 * The words that sim sends to a language model: a world's system prompt and the question about one operation.
 *
 * The layout is the native one of language world models (arXiv 2606.24597, model section): system, then per turn the action
 * as the user and the observation as the assistant, then the action that is asked. The system prompt stays the same through
 * an episode, so that servers can keep what they computed for it; what changes (the state as code sums it up, facts, a
 * draft) stands before the action that is asked. A program inside a shell is asked in one message of its own. Facts are
 * named by placeholders only, so a secret never stands in a prompt because of them. Not covered: the wording of the system
 * prompt (room `domains`).
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
import { type Demonstration, type DomainFormat, readForeignPrompt } from '../domains/index.js';
import { estimateTokens } from '../text/index.js';
import type { World } from '../worlds/index.js';
import { chooseTurns } from './history-window.js';
import { operationKey } from './ledger.js';
import type { PinnedFact } from './pinned-facts.js';
import { PROGRAM_SYSTEM, renderProgram } from './program-question.js';
import { renderStateDigest } from './state-digest.js';

/**
 * A world's system prompt, in the domain's own words. `actionSpace` is the domain's (for mcp the list of tools);
 * `initialState` a JSON value or a text. Demonstrations that are plain text go with the instruction.
 */
export function renderWorldPrompt(
  setup: { readonly world: World; readonly format: DomainFormat },
  actionSpace: Json,
  initialState: Json | undefined,
): SystemPrompt {
  const { demonstrations: all, instruction: own, representation, systemPrompt } = setup.world.file;
  if (systemPrompt !== undefined) return readForeignPrompt(systemPrompt, setup.world.domain).system;
  const demonstrations = all.flatMap((one) => (typeof one === 'string' ? [] : [demonstrationOf(one)]));
  const texts = all.filter((one) => typeof one === 'string');
  const form = representation === undefined ? [] : [`Form of the observations: ${representation}`];
  const instruction = [...form, ...(own === undefined ? [] : [own]), ...texts].join('\n\n');
  const facts = setup.format.promptFacts({
    actionSpace: domainActionSpace(setup.world, actionSpace),
    ...(initialState === undefined ? {} : { initialState }),
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
  /** The action of this turn as the agent sent it. */
  readonly action: string;
  /** All that an agent can do, as the domain describes it. */
  readonly actionSpace: Json;
  /** The one tool that is meant, where there is one. */
  readonly tool: Json | undefined;
  /** The state as rules see it. */
  readonly view: Json;
  /** Facts that this operation may reveal. */
  readonly facts: readonly PinnedFact[];
  /** The turns before this one, oldest first. */
  readonly turns: Iterable<Turn>;
  /** The simulated time, ISO 8601 UTC. */
  readonly clock: string;
  /** What the engine computed for the call already, where it could. */
  readonly draft?: string;
  /** What is decided outside of the model, in words; absent where no fault is scheduled. */
  readonly control?: { readonly episode: string; readonly turn: string };
}

/** An answer that was not usable, and why. */
export interface Rejected {
  readonly text: string;
  readonly problem: string;
}

/** Where a question is asked, and how long it may be. */
export interface QuestionSetup {
  readonly world: World;
  readonly format: DomainFormat;
  /** Tokens that a question may have in all, as an estimate. */
  readonly promptTokens: number;
}

/** Shares of the budget: the list of tools, and the summary of the state. */
const TOOLS_SHARE = 0.4;
const STATE_SHARE = 0.3;
/** UTF-16 units of one token of JSON, roughly. */
const UNITS_PER_TOKEN = 3;

/** The request for one operation; rejected answers of earlier attempts are shown with what was wrong. */
export function renderQuestion(
  setup: QuestionSetup,
  question: Question,
  rejected: readonly Rejected[],
): GenerateRequest {
  const system = systemOf(setup, question);
  const isProgram = question.op.kind === 'proc.start';
  const isPrompted = setup.world.file.systemPrompt !== undefined;
  const asked = isProgram
    ? programMessage(setup, question)
    : isPrompted
      ? promptedMessage(question)
      : nowMessage(setup, question);
  const used = estimateTokens(system) + estimateTokens(asked);
  const window = isProgram
    ? { shown: [], omitted: 0 }
    : chooseTurns(question.turns, Math.max(0, setup.promptTokens - used));
  const messages: Message[] = [{ role: 'system', content: system }];
  for (const { number, action, observation } of window.shown) {
    messages.push({ role: 'user', content: isPrompted ? action : actionMessage(number, action) });
    messages.push({ role: 'assistant', content: observation });
  }
  const summary = isPrompted && window.omitted > 0 ? `${stateMessage(setup, question)}\n\n` : '';
  const gap =
    window.omitted === 0
      ? ''
      : `(${window.omitted} turns in between are not shown; what they changed is in the state.)\n\n`;
  messages.push({ role: 'user', content: `${gap}${summary}${asked}` });
  for (const { text, problem } of rejected) {
    messages.push({ role: 'assistant', content: text });
    messages.push({
      role: 'user',
      content: `That answer cannot be used: ${problem}. Answer the same action again.`,
    });
  }
  return { messages, key: operationKey(question.op) };
}

function systemOf(setup: QuestionSetup, { op, actionSpace, tool, control }: Question): string {
  if (op.kind === 'proc.start') {
    const { instruction } = setup.world.file;
    const own = instruction === undefined ? '' : `\n\n# In this simulation\n${instruction}`;
    return `${PROGRAM_SYSTEM}${own}${control === undefined ? '' : `\n\n${control.episode}`}`;
  }
  const { systemPrompt } = setup.world.file;
  if (systemPrompt !== undefined)
    return control === undefined ? systemPrompt : `${systemPrompt}\n\n${control.episode}`;
  const start =
    setup.world.spec === null && setup.world.machine === null ? (setup.world.file.state as Json) : undefined;
  const all = renderWorldPrompt(setup, actionSpace, start).text;
  const fits = tool === undefined || estimateTokens(all) <= setup.promptTokens * TOOLS_SHARE;
  const told = fits ? all : renderWorldPrompt(setup, [tool], start).text;
  const prompt = `${told}${hiddenWords(setup.world)}`;
  return control === undefined ? prompt : `${prompt}\n\n${control.episode}`;
}

/** A search world's model is told the truth that it must keep; the guard keeps it from saying it too early. */
function hiddenWords({ domain, file }: World): string {
  const { hidden } = file;
  if (domain !== 'search' || hidden === undefined) return '';
  return [
    '\n\n# Known to you, never said as such',
    `What the agent is after: ${hidden.target}`,
    `What is true: ${hidden.answer}`,
    'Pages that a fitting query leads to may hold it, in their own words. Snippets hint and never hold all of it. Results of other queries have nothing of it.',
  ].join('\n');
}

/** An action as the published layout writes it: a heading with the turn, then the action, fenced where it is JSON. */
function actionMessage(number: number, action: string): string {
  const text = action.trim();
  const shown = /^[[{]/.test(text) ? `\`\`\`json\n${text}\n\`\`\`` : text;
  return `### Turn ${number}\n**Action:**\n${shown}`;
}

/** With a prompt that others wrote the action stands alone, as its agents sent it. */
function promptedMessage({ action, facts, control }: Question): string {
  const notes = [
    ...facts.map(({ id }) => `Known fact: write {{fact:${id}}} where the answer states it, word for word.`),
    ...(control === undefined ? [] : [control.turn]),
  ];
  return [...notes, action].join('\n\n');
}

/** The state as code sums it up. */
function stateMessage(setup: QuestionSetup, { op, view, clock }: Question): string {
  const units = Math.floor(setup.promptTokens * STATE_SHARE * UNITS_PER_TOKEN);
  return `**Current State:**\ntime: ${clock}\n${renderStateDigest(view, op, units)}`;
}

/** The action that is asked, behind everything that changes from turn to turn. */
function nowMessage(setup: QuestionSetup, question: Question): string {
  const { op, facts, control, draft } = question;
  const notes = [
    stateMessage(setup, question),
    ...facts.map(({ id }) => `Known fact: write {{fact:${id}}} where the answer states it, word for word.`),
    ...(control === undefined ? [] : [control.turn]),
    ...(draft === undefined
      ? []
      : [`The state alone gives this answer; say nothing that differs from it:\n${draft}`]),
  ];
  const number = countOf(question.turns) + 1;
  const action = actionMessage(
    number,
    isCall(op, setup.world) ? renderJson({ name: op.name, arguments: op.args }) : question.action,
  );
  return `${notes.join('\n\n')}\n\n${action}`;
}

/** Calls of tools are shown as the engine understood them; other actions as they were sent. */
function isCall({ kind, name }: Operation, { domain }: World): boolean {
  return (
    kind !== 'tool.call' ||
    (name !== 'terminal' && (domain === 'mcp' || domain === 'search' || domain === 'swe'))
  );
}

function countOf(turns: Iterable<Turn>): number {
  let count = 0;
  for (const _turn of turns) count += 1;
  return count;
}

function programMessage(setup: QuestionSetup, question: Question): string {
  const recent = [...question.turns].slice(-3).map(({ action, observation }) => ({ action, observation }));
  return renderProgram({
    op: question.op,
    view: question.view,
    clock: question.clock,
    typed: question.action,
    recent,
    facts: question.facts.map(({ id }) => id),
    control: question.control?.turn,
    budgetUnits: Math.floor(setup.promptTokens * UNITS_PER_TOKEN * 0.6),
  });
}
