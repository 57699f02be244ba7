/**
 * The facts of the system prompt of an Android world.
 *
 * The parts are those of arXiv 2606.24597; the wording is this package's own.
 */
import type { Json } from '../../core/index.js';
import type { PromptFacts, PromptInput } from '../domain-format.js';
import { tagRule, withInput } from '../plain-prompt.js';

/** What an agent can do in an Android world is fixed; the value may describe the device. */
export type AndroidActionSpace = Json;

const TASK = [
  'You stand in for an Android phone. An agent sends one action at a time; you answer the screen as it is once the phone has settled after it.',
  'You do not help the agent, explain, or comment. Your answer is the screen, nothing else.',
];

const FORM =
  'Each action is one JSON object with "action_type". A place is {"index": n}, the n-th element of the screen from 0, or {"x": px, "y": px} in pixels.';

const ENTRIES = [
  '{"action_type":"click", place}; double_tap and long_press alike',
  '{"action_type":"scroll","direction":"up|down|left|right"}, with a place where one list is meant; direction names the side whose content comes into view',
  '{"action_type":"swipe","direction":…} or from "x", "y" to "end_x", "end_y"',
  '{"action_type":"input_text","text":…, place}: types into the field, without sending it; {"action_type":"clear_text", place}',
  '{"action_type":"keyboard_enter"}, {"action_type":"navigate_back"}, {"action_type":"navigate_home"}',
  '{"action_type":"open_app","app_name":…}, {"action_type":"wait"}',
  '{"action_type":"answer","text":…} and {"action_type":"status","goal_status":"complete|infeasible"} end the task',
];

const STATE_RULES = [
  'Settings, files, messages and what was typed stay as earlier turns left them, also while another app is in front.',
  'Back closes what lies on top: the keyboard, a dialog or menu, then the page, then the app. Home keeps the app as it is.',
  'An action on a place without anything to act on, or on something disabled, changes nothing: the screen is as before.',
  'Lists keep their order and their scroll position; scrolling moves by less than a screen and stops at the ends.',
];

const OUTPUT_RULES = [
  'Keep the representation of the screens before: the same elements and attributes in the same order, no more and no fewer.',
  'Copy what the action does not touch character by character, bounds included. Bounds are [left,top][right,bottom] in pixels and children lie inside their parents.',
  'Flags say the truth: one focused field, checked where it is on, enabled only where it can be used.',
  'A text that does not fit XML or HTML is escaped. The whole tree is closed.',
  tagRule('the screen'),
];

/** The facts of an Android world's prompt. */
export function androidPromptFacts(input: PromptInput<AndroidActionSpace>): PromptFacts {
  const fixed = {
    domain: 'android',
    words: { actions: 'Actions', observation: 'Screen', outputRules: 'Screen' },
    task: TASK,
    actionSpace: { form: FORM, entries: ENTRIES },
    stateRules: STATE_RULES,
    outputRules: OUTPUT_RULES,
  } as const;
  return withInput(fixed, input);
}
