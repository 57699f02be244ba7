/**
 * The facts of a search world's system prompt, and the three tools that such a world has when it names none.
 *
 * The five parts are those of arXiv 2606.24597: task, action space, initial state, demonstrations, instruction. The
 * wording is this package's own.
 */
import { isJsonObject, type Json, renderJson } from '../../core/index.js';
import type { PromptFacts, PromptInput } from '../domain-format.js';
import type { ToolDefinition } from '../mcp/tool-definition.js';
import { tagRule, withInput } from '../plain-prompt.js';

/** What an agent can do in a search world: the tools given, as a list or under `tools`, else {@link SEARCH_TOOLS}. */
export type SearchActionSpace =
  | { readonly tools?: readonly ToolDefinition[] }
  | readonly ToolDefinition[]
  | null;

const TEXTS = { type: 'array', items: { type: 'string' } };

/** The tools of a search world that names none. */
export const SEARCH_TOOLS: readonly ToolDefinition[] = [
  {
    name: 'web_search',
    description: 'Searches the web. One query, or several at once, whose results follow one another.',
    inputSchema: {
      type: 'object',
      properties: { query: { type: 'string' }, queries: { ...TEXTS, minItems: 1 } },
    },
  },
  {
    name: 'web_extractor',
    description: 'Fetches a web page and gives its content as Markdown.',
    inputSchema: { type: 'object', properties: { url: { type: 'string' } }, required: ['url'] },
  },
  {
    name: 'dict_memory',
    description: 'Keeps pairs of key and value for the whole session.',
    inputSchema: {
      type: 'object',
      properties: {
        operation: {
          type: 'string',
          enum: ['add', 'update', 'retrieve', 'retrieve_all', 'remove', 'remove_all'],
        },
        dict: { type: 'object', description: 'Pairs to add or update.' },
        key_list: { ...TEXTS, description: 'Keys to retrieve or remove.' },
      },
      required: ['operation'],
    },
  },
];

const TASK = [
  'You stand in for a web search engine, the pages it finds, and a memory of key-value pairs. An agent sends one tool call at a time; you answer what the tool returns.',
  'You do not help the agent, explain, or comment. Your answer is the text that the tool returns, whether it is results, a page, an empty result or an error.',
];

const FORM =
  'Each action is one JSON object {"name": tool, "arguments": {…}}. These tools exist, and no others:';

const STATE_RULES = [
  'The web does not change while the agent looks: the same query gives the same results, the same address the same page.',
  'A page says what its snippet in earlier results said, word for word where the snippet quotes it, and agrees with other pages about the same thing.',
  'The memory holds exactly what was added and not removed since; values come back character by character.',
];

const OUTPUT_RULES = [
  'Results: "[1] address", then lines "Title: …", "Snippet: …", "Date: …", an empty line between two results, ten for each query; several queries give their ten one query after another. "Date: N/A" where a page has none.',
  'Results fit the query as a real engine would find them: some to the point, some near it, some only background, from several kinds of sites, with addresses such sites have. A snippet is cut out of its page; it leads to the answer and seldom holds all of it.',
  'A query about something else does not bring up what the instruction is about.',
  'Pages: the whole readable text as Markdown, headings, tables and lists kept, menus and advertisements left out.',
  'Say only what is true, or what this simulation gives as true. Where nothing can be known, give fewer details rather than invented ones: no invented people, figures or sources.',
  'Memory: "Successfully added items of [\'key\'] to memory.", likewise updated … in, removed … from; "Successfully cleared all memory."; pairs as JSON; "Key not found" for a key that is not there.',
  'A query that finds nothing, an address that does not answer and a call with wrong arguments are answered with what the tool says then.',
  tagRule('the answer'),
];

/** The facts of a search world's prompt. */
export function searchPromptFacts(input: PromptInput<SearchActionSpace>): PromptFacts {
  const tools = toolsOf(input.actionSpace);
  const fixed = {
    domain: 'search' as const,
    words: { actions: 'Tools', observation: 'Answer', outputRules: 'Answers' },
    task: TASK,
    actionSpace: { form: FORM, entries: tools.map((tool) => renderJson(tool as unknown as Json)) },
    stateRules: STATE_RULES,
    outputRules: OUTPUT_RULES,
  };
  return withInput(fixed, input);
}

function toolsOf(space: SearchActionSpace): readonly ToolDefinition[] {
  const given = Array.isArray(space)
    ? (space as readonly ToolDefinition[])
    : isJsonObject(space)
      ? space.tools
      : [];
  return Array.isArray(given) && given.length > 0 ? (given as readonly ToolDefinition[]) : SEARCH_TOOLS;
}
