/**
 * Reads a system prompt that somebody else wrote: its domain, its tools, and its five parts as far as they can be told.
 *
 * The text itself is kept word for word and is what a model is sent; the parts are pieces of it. A part that cannot be told
 * is absent, never guessed. Placeholders that were never filled (`{tool_definitions}`) are no part. Source: the layout of
 * arXiv 2606.24597 and the public prompts of its benchmark; hidden targets and answers stand in the instruction of search
 * prompts.
 */
import type { Domain, SystemPrompt } from '../../core/index.js';
import type { ToolDefinition } from '../mcp/tool-definition.js';
import { type ToldDomain, tellDomain } from './prompt-domain.js';
import { cutSections, type PromptSection } from './prompt-sections.js';
import { readPromptTools } from './prompt-tools.js';

/** What was read out of a prompt. */
export interface ForeignPrompt extends ToldDomain {
  /** The whole text and the parts that were found, each a piece of it. */
  readonly system: SystemPrompt;
  /** The tools that it lists; empty where it lists none. */
  readonly tools: readonly ToolDefinition[];
  /** Names of placeholders that stand unfilled in the text. */
  readonly unfilled: readonly string[];
  /** What the agent is after and the true answer, where the instruction names them. Never for agents. */
  readonly hidden?: { readonly target: string; readonly answer: string };
}

const INITIAL =
  /^(?:initial (?:\w+ )?state|current (?:\w+ )?state|state at the start|environment state|starting state|initial environment|initial observation)\b/;
const ACTIONS =
  /^(?:input definitions(?: & action space)?|action space|action format|tools?|available tools|tool definitions|actions|available actions|keystrokes)$/;
const INSTRUCTION =
  /^(?:simulation instructions?|simulator instructions?|instructions? for (?:this|the) simulation|in this simulation|special instructions?|control instructions?|instructions?)\b/;
const EXAMPLES = /^(?:few-shot examples?|examples?|demonstrations?|example (?:interactions?|turns?))$/;
const TASK = /^(?:role and objective|task|role|objective|task definition|your (?:role|task))$/;

/** Reads a prompt. Never throws; `domain` is given where the caller knows it. */
export function readForeignPrompt(text: string, domain?: Domain): ForeignPrompt {
  const sections = cutSections(text);
  const bodyOf = (pattern: RegExp): string | undefined => {
    const found = sections.find((one) => pattern.test(one.title) && bodyText(text, one) !== '');
    return found === undefined ? undefined : bodyText(text, found);
  };
  const examples = sections.find(({ title }) => EXAMPLES.test(title));
  const before = examples === undefined ? text : text.slice(0, examples.at);
  const tools = readPromptTools(before);
  const told: ToldDomain =
    domain === undefined
      ? tellDomain(
          before,
          tools.map(({ name }) => name),
        )
      : { domain, why: 'the caller says so' };
  const instruction = bodyOf(INSTRUCTION) ?? inlineInstruction(text);
  const hidden = hiddenOf(instruction ?? text);
  const task = bodyOf(TASK);
  const actionSpace = bodyOf(ACTIONS);
  const initialState = bodyOf(INITIAL);
  return {
    ...told,
    system: {
      text,
      ...(task !== undefined && { task }),
      ...(actionSpace !== undefined && { actionSpace }),
      ...(initialState !== undefined && { initialState }),
      demonstrations: examples === undefined ? [] : demonstrationsOf(text, examples),
      ...(instruction !== undefined && { instruction }),
    },
    tools,
    unfilled: [...new Set([...text.matchAll(/^\{([a-z][a-z_]{2,40})\}$/gm)].map(([, name = '']) => name))],
    ...(hidden !== undefined && { hidden }),
  };
}

/** A section's text without rules and unfilled placeholders around it. */
function bodyText(text: string, { start, end }: PromptSection): string {
  const body = text.slice(start, end).replace(/(?:\s*^-{3,}[ \t]*$)+\s*$/m, '');
  const bare = body.trim();
  return /^\{[a-z_]+\}$/.test(bare) ? '' : bare;
}

/** The examples one by one: at their own headings, or all of them as one. */
function demonstrationsOf(text: string, section: PromptSection): string[] {
  const body = text.slice(section.start, section.end);
  const pieces = body.split(/^(?=#{1,6}[ \t]*Example\b)/im).map((piece) => piece.trim());
  const examples = pieces.filter((piece) => /^#{1,6}[ \t]*Example\b/i.test(piece));
  const whole = body.trim();
  if (examples.length > 0) return examples;
  return whole === '' || /^\{[a-z_]+\}$/.test(whole) ? [] : [whole];
}

/** An instruction that stands on a line of its own, without a heading. */
function inlineInstruction(text: string): string | undefined {
  return /^(?:\*\*)?Simulation Instructions?(?:\*\*)?:(?:\*\*)?[ \t]*(\S[\s\S]*?)(?=\n\s*\n|\n#|$)/im
    .exec(text)?.[1]
    ?.trim();
}

/** The target query and the reference answer of a search simulation. */
function hiddenOf(text: string): ForeignPrompt['hidden'] {
  const field = (label: string): string | undefined => {
    const pattern = new RegExp(
      `(?:^|\\n)[ \\t>*_-]*(?:#{1,6}[ \\t]*)?(?:\\*\\*)?${label}(?:\\*\\*)?[ \\t]*:(?:\\*\\*)?[ \\t]*\\n?[ \\t]*([^\\n]+(?:\\n(?![ \\t>*_-]*(?:#|\\*\\*|Target Query|Reference Answer|\\n|-{3}))[^\\n]+)*)`,
      'i',
    );
    return pattern.exec(text)?.[1]?.trim();
  };
  const target = field('(?:target query|query|question)');
  const answer = field('(?:reference answer|ground truth|answer)');
  if (target === undefined || answer === undefined) return undefined;
  return { target, answer };
}
