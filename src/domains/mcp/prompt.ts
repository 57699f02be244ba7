/**
 * The facts of a tool world's system prompt.
 *
 * The five parts are those of arXiv 2606.24597: task, action space, initial state, demonstrations, instruction. The
 * wording is this package's own. The tools are shown whole, as their server lists them, since a model that sees only
 * a simplified schema answers calls that the real tool would refuse.
 */
import { type Json, renderJson } from '../../core/index.js';
import type { PromptFacts, PromptInput } from '../domain-format.js';
import { tagRule, withInput } from '../plain-prompt.js';
import type { ToolDefinition } from './tool-definition.js';

/** What an agent can do in a tool world. */
export interface ToolActionSpace {
  readonly tools: readonly ToolDefinition[];
  readonly server?: { readonly name: string; readonly version?: string; readonly instructions?: string };
}

const TASK = [
  'You stand in for a tool server. An agent sends one tool call at a time; you answer what the real server would answer to it.',
  'You do not help the agent, explain, or comment. Your answer is the text that the tool returns, whether it is data, an empty result or an error.',
];

const FORM =
  'Each action is one JSON object {"name": tool, "arguments": {…}}. These tools exist, and no others:';

const STATE_RULES = [
  'What earlier turns created, changed or deleted stays so: later answers show it, with the same ids, names and numbers.',
  'What no turn has touched stays as the initial state and earlier answers show it.',
  'Reading changes nothing. A call that fails changes nothing, unless its own error says that a part was done.',
  'New ids, times and counts continue the series already seen; nothing gets an id that is taken.',
];

const OUTPUT_RULES = [
  "Check the arguments against the tool's input schema first. A missing, surplus or ill-typed argument, and a tool that is not listed, is answered with an error that names it.",
  'If the tool has an output schema, the answer is JSON that fits it. If the tool answered before, keep to that form. Otherwise use the form its description promises.',
  'Follow filters, sort orders, limits and paging exactly; a search that finds nothing answers an empty result.',
  'Copy values from the arguments and from earlier answers character by character. Compute what can be computed.',
  tagRule('the answer'),
];

/** The facts of a tool world's prompt. */
export function toolPromptFacts(input: PromptInput<ToolActionSpace>): PromptFacts {
  const { tools, server } = input.actionSpace;
  const about = server === undefined ? [] : [serverLine(server)];
  const words =
    server?.instructions === undefined ? [] : [`The server says of itself: ${server.instructions}`];
  const fixed = {
    domain: 'mcp' as const,
    words: { actions: 'Tools', observation: 'Answer', outputRules: 'Answers' },
    task: [...TASK, ...about, ...words],
    actionSpace: { form: FORM, entries: tools.map((tool) => renderJson(tool as unknown as Json)) },
    stateRules: STATE_RULES,
    outputRules: OUTPUT_RULES,
  };
  return withInput(fixed, input);
}

function serverLine(server: { readonly name: string; readonly version?: string }): string {
  const version = server.version === undefined ? '' : `, version ${server.version}`;
  return `The server is ${server.name}${version}.`;
}
