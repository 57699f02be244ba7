/**
 * The plain style: prompt facts as headed sections, and the parts that are the same in every domain's facts.
 *
 * The parts are those of arXiv 2606.24597: task, action space, initial state, demonstrations, instruction, with rules
 * of state and output. A style is a function from facts to a prompt; another style needs no change in any domain.
 */
import { type Json, renderJson, type SystemPrompt } from '../core/index.js';
import type { PromptFacts, PromptInput } from './domain-format.js';

/** Turns facts into a prompt whose text holds each part word for word. */
export type PromptStyle = (facts: PromptFacts) => SystemPrompt;

/** The line with which every domain ends its output rules; `what` is for example `the screen`. */
export function tagRule(what: string): string {
  return `Put ${what}, and nothing else, between <predicted_observation> and </predicted_observation>.`;
}

/** A domain's fixed facts together with what this world gives: state, demonstrations, instruction. */
export function withInput(
  fixed: Omit<PromptFacts, 'initialState' | 'demonstrations' | 'instruction'>,
  input: PromptInput,
): PromptFacts {
  return {
    ...fixed,
    ...(input.initialState === undefined ? {} : { initialState: stateText(input.initialState) }),
    demonstrations: input.demonstrations ?? [],
    ...(input.instruction === undefined ? {} : { instruction: input.instruction }),
  };
}

function stateText(state: Json): string {
  return typeof state === 'string' ? state : renderJson(state, 2);
}

/** Headed sections; parts that are not known have no section. */
export const renderPlainPrompt: PromptStyle = (facts) => {
  const { words } = facts;
  const task = facts.task.join('\n');
  const entries = facts.actionSpace.entries.map((entry) => `- ${entry}`);
  const actionSpace = [facts.actionSpace.form, ...entries].join('\n');
  const demonstrations = facts.demonstrations.map(
    ({ action, observation }) =>
      `Action:\n${action}\n${words.observation}:\n<predicted_observation>\n${observation}\n</predicted_observation>`,
  );
  const sections: readonly (readonly [string, string | undefined])[] = [
    ['Task', task],
    [words.actions, actionSpace],
    ['State', bullets(facts.stateRules)],
    [words.outputRules, bullets(facts.outputRules)],
    ['State at the start', facts.initialState],
    ['Examples', demonstrations.length === 0 ? undefined : demonstrations.join('\n\n')],
    ['In this simulation', facts.instruction],
  ];
  const shown = sections.filter(([, body]) => body !== undefined && body !== '');
  return {
    text: `${shown.map(([heading, body]) => `# ${heading}\n${body}`).join('\n\n')}\n`,
    task,
    actionSpace,
    ...(facts.initialState === undefined ? {} : { initialState: facts.initialState }),
    demonstrations,
    ...(facts.instruction === undefined ? {} : { instruction: facts.instruction }),
  };
};

function bullets(lines: readonly string[]): string {
  return lines.map((line) => `- ${line}`).join('\n');
}
