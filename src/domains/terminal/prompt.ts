/**
 * The system prompt of a terminal world: its facts, and one plain rendering of them.
 *
 * The five parts are those of arXiv 2606.24597: task, action space, initial state, demonstrations, instruction. The
 * wording is this package's own.
 */
import { type Json, renderJson, type SystemPrompt } from '../../core/index.js';
import type { PromptFacts, PromptInput } from '../domain-format.js';

/** What an agent can do in a terminal world: nothing beside keystrokes; the value may describe the screen. */
export type TerminalActionSpace = Json;

const TASK = [
  'You stand in for a Linux terminal of 80 columns and 40 rows. An agent sends keystrokes; you answer what the screen shows after the given time.',
  'You do not help the agent, explain, or comment. Your answer is the visible screen, nothing else.',
];

const FORM =
  'Each action is a list of {"keystrokes": text, "duration": seconds}. Nothing runs without a newline. A text that is exactly a tmux key name (C-c, C-d, Up, Escape, Enter) is that key. "" only waits; [] says that the task is done.';

const STATE_RULES = [
  'Files, folders, variables, the current folder and running programs stay as earlier turns left them.',
  'A removed file is gone until something makes it again; a failed command changes nothing that it did not do before it failed.',
  'A command that needs longer than the duration is still running: the screen ends without a prompt, and later keys go to it.',
];

const OUTPUT_RULES = [
  'Show the typed command after the prompt, then its output as the real program writes it, errors included, then the next prompt if the command has ended.',
  'Lines that do not fit on 40 rows have scrolled off at the top. A carriage return goes back to the start of the row and writes over it.',
  'Copy names and contents character by character. Compute what can be computed.',
  'Put the screen, and nothing else, between <predicted_observation> and </predicted_observation>.',
];

/** The facts of a terminal world's prompt. */
export function terminalPromptFacts(input: PromptInput<TerminalActionSpace>): PromptFacts {
  return {
    domain: 'terminal',
    task: TASK,
    actionSpace: { form: FORM, entries: [] },
    stateRules: STATE_RULES,
    outputRules: OUTPUT_RULES,
    ...(input.initialState === undefined ? {} : { initialState: stateText(input.initialState) }),
    demonstrations: input.demonstrations ?? [],
    ...(input.instruction === undefined ? {} : { instruction: input.instruction }),
  };
}

function stateText(state: Json): string {
  return typeof state === 'string' ? state : renderJson(state, 2);
}

/** Renders the facts as headed sections; parts that are not known have no section. */
export function renderTerminalPrompt(facts: PromptFacts): SystemPrompt {
  const task = facts.task.join('\n');
  const actionSpace = [
    facts.actionSpace.form,
    ...facts.actionSpace.entries.map((entry) => `- ${entry}`),
  ].join('\n');
  const demonstrations = facts.demonstrations.map(
    ({ action, observation }) =>
      `Action:\n${action}\nScreen:\n<predicted_observation>\n${observation}\n</predicted_observation>`,
  );
  const sections: readonly (readonly [string, string | undefined])[] = [
    ['Task', task],
    ['Keystrokes', actionSpace],
    ['State', facts.stateRules.map((line) => `- ${line}`).join('\n')],
    ['Screen', facts.outputRules.map((line) => `- ${line}`).join('\n')],
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
}
