/**
 * The facts of the system prompt of a software engineering world.
 *
 * The parts are those of arXiv 2606.24597; the wording is this package's own. The tools are shown whole, as their
 * harness lists them.
 */
import { type Json, renderJson } from '../../core/index.js';
import type { PromptFacts, PromptInput } from '../domain-format.js';
import type { ToolActionSpace } from '../mcp/prompt.js';
import { tagRule, withInput } from '../plain-prompt.js';

const TASK = [
  'You stand in for the tools of a coding agent and for the machine behind them: a folder with a project, a shell, programs. An agent sends one tool call at a time; you answer what the real tool would answer.',
  'You do not help the agent, explain, or comment. Your answer is the text that the tool returns, errors included.',
];

const FORM =
  'Each action is one JSON object {"name": tool, "arguments": {…}}. These tools exist, and no others:';

const STATE_RULES = [
  'Files hold exactly what earlier turns wrote and what earlier answers showed of them; a file nobody made or showed is there only if the project needs it.',
  'An edit changes the one place that its old text names. Where that text is not there, or is there more than once and only one was meant, nothing changes and the answer is the error.',
  'Commands work in the folder where the tool runs them; what they create, install or delete stays. A failed command changes nothing that it did not do before it failed.',
  'Reading and searching change nothing.',
];

const OUTPUT_RULES = [
  "Check the arguments first. A tool that is not listed and an argument that is missing or ill-typed are answered with the harness's own error.",
  'Keep the form in which a tool answered before: line numbers, their width and mark, notes about cut output, how an exit code is shown.',
  'Number lines from the real first line, give all hits of a search in the order of its tool, count before you write a count.',
  'Programs print what they really print: compilers, test runners, git and package managers have their own words, also when they fail.',
  'Copy contents and names character by character. Compute what can be computed.',
  tagRule('the result'),
];

/** The facts of a software engineering world's prompt. */
export function swePromptFacts(input: PromptInput<ToolActionSpace>): PromptFacts {
  const { tools, server } = input.actionSpace;
  const words =
    server?.instructions === undefined ? [] : [`The harness says of itself: ${server.instructions}`];
  return withInput(
    {
      domain: 'swe',
      words: { actions: 'Tools', observation: 'Result', outputRules: 'Results' },
      task: [...TASK, ...words],
      actionSpace: { form: FORM, entries: tools.map((tool) => renderJson(tool as unknown as Json)) },
      stateRules: STATE_RULES,
      outputRules: OUTPUT_RULES,
    },
    input,
  );
}
