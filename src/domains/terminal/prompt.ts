/**
 * The facts of a terminal world's system prompt.
 *
 * The five parts are those of arXiv 2606.24597: task, action space, initial state, demonstrations, instruction. The
 * wording is this package's own.
 */
import type { Json } from '../../core/index.js';
import type { PromptFacts, PromptInput } from '../domain-format.js';
import { tagRule, withInput } from '../plain-prompt.js';

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
  tagRule('the screen'),
];

/** The facts of a terminal world's prompt. */
export function terminalPromptFacts(input: PromptInput<TerminalActionSpace>): PromptFacts {
  const fixed = {
    domain: 'terminal' as const,
    words: { actions: 'Keystrokes', observation: 'Screen', outputRules: 'Screen' },
    task: TASK,
    actionSpace: { form: FORM, entries: [] },
    stateRules: STATE_RULES,
    outputRules: OUTPUT_RULES,
  };
  return withInput(fixed, input);
}
