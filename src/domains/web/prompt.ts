/**
 * The facts of a browser world's system prompt.
 *
 * The five parts are those of arXiv 2606.24597: task, action space, initial state, demonstrations, instruction. The
 * wording is this package's own.
 */
import type { Json } from '../../core/index.js';
import type { PromptFacts, PromptInput } from '../domain-format.js';
import { tagRule, withInput } from '../plain-prompt.js';
import { webSignatures } from './action-table.js';

/** What an agent can do in a browser world: the 21 actions, always; the value may describe the browser. */
export type WebActionSpace = Json;

const TASK = [
  'You stand in for a web browser and the sites it shows. An agent sends one browser action at a time; you answer the page as it is once the action has taken effect and loading has ended.',
  'You do not help the agent, explain, or comment. Your answer is the page as text, nothing else.',
];

const FORM =
  'Each action is a call, click("a51"), or JSON, {"name": "click", "arguments": {"bid": "a51"}}. A bid is the id in brackets in front of a node of the tree. "?" marks what may be left out. These actions exist, and no others:';

const STATE_RULES = [
  'First decide what the action does: it leaves for another page, changes something on this one, or changes nothing.',
  'On another page everything is new: URL, title, tab, tree, focus. On the same page only what the action touches changes: a value, a check mark, the focus, what opens or closes with it. The rest stays as it was, character by character.',
  'Nodes that stay keep their bids. New nodes get bids that no node has had on this page.',
  'What was typed, chosen, put into a cart or sent stays so on every later page that shows it. Back and forward show pages as they were left.',
  'An action on a bid that is not on the page, on something disabled or on something that takes no such action changes nothing; the page then shows the error of the last action.',
  'Tabs keep their order; a new tab is blank and active; closing one makes another active.',
];

const OUTPUT_RULES = [
  'Keep to the form of the last page you were given: the same lines in front of the tree, the same notation, indentation and order of attributes, as much detail. Add no kind of information that it does not have.',
  'Give the whole page, never a part with the rest left out.',
  'Addresses, names and numbers agree with each other: the title belongs to the URL, sums to their lines, counts to their lists.',
  tagRule('the page'),
];

/** The facts of a browser world's prompt. */
export function webPromptFacts(input: PromptInput<WebActionSpace>): PromptFacts {
  const fixed = {
    domain: 'web' as const,
    words: { actions: 'Actions', observation: 'Page', outputRules: 'Pages' },
    task: TASK,
    actionSpace: { form: FORM, entries: webSignatures() },
    stateRules: STATE_RULES,
    outputRules: OUTPUT_RULES,
  };
  return withInput(fixed, input);
}
