/**
 * The facts of the system prompt of a desktop world.
 *
 * The parts are those of arXiv 2606.24597; the wording is this package's own.
 */
import type { Json } from '../../core/index.js';
import type { PromptFacts, PromptInput } from '../domain-format.js';
import { tagRule, withInput } from '../plain-prompt.js';

/** What an agent can do in a desktop world is fixed; the value may describe the machine. */
export type DesktopActionSpace = Json;

const TASK = [
  'You stand in for the desktop of a computer. An agent sends calls of pyautogui; you answer what the desktop is once they have run and the programs have settled.',
  'You do not help the agent, explain, or comment. Your answer is the state of the desktop as text, nothing else.',
];

const FORM =
  'Each action is one or more calls in Python, one a line, which run in order. WAIT waits, DONE and FAIL say how the task ended. Places are pixels from the upper left corner.';

const ENTRIES = [
  "pyautogui.click(x, y, clicks=1, button='left'), doubleClick, tripleClick, rightClick, middleClick, moveTo, dragTo, mouseDown, mouseUp",
  'pyautogui.scroll(clicks): positive is up; hscroll(clicks): positive is right',
  "pyautogui.write('text'), press('key', presses=1), hotkey('ctrl', 's'), keyDown, keyUp",
  'time.sleep(seconds)',
  'Calls of other libraries act on files and programs as those libraries do.',
];

const STATE_RULES = [
  'Windows, files, what was typed and selected stay as earlier turns left them, also in windows that are covered.',
  'A click acts on what lies on top at that place; keys go to the focused widget. A call that meets nothing that reacts changes nothing.',
  'A menu or dialog that is open takes the clicks; one outside closes a menu and does nothing to a dialog.',
  'A program needs time to start: its window may come only with a later action.',
];

const OUTPUT_RULES = [
  'Keep the representation of the states before: the same kinds of lines, attributes and order, no more and no fewer.',
  'Copy what the action does not touch character by character, places included. Places are (x, y, width, height) in pixels and children lie inside their window.',
  'One window is active and one widget has the focus; states say the truth after the action.',
  tagRule('the state of the desktop'),
];

/** The facts of a desktop world's prompt. */
export function desktopPromptFacts(input: PromptInput<DesktopActionSpace>): PromptFacts {
  const fixed = {
    domain: 'os',
    words: { actions: 'Actions', observation: 'Desktop', outputRules: 'Desktop' },
    task: TASK,
    actionSpace: { form: FORM, entries: ENTRIES },
    stateRules: STATE_RULES,
    outputRules: OUTPUT_RULES,
  } as const;
  return withInput(fixed, input);
}
