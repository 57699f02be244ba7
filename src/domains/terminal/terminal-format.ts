/**
 * The terminal domain: keystrokes as JSON, screens as text. Put together from the files of this folder.
 */
import type { DomainFormat } from '../domain-format.js';
import { lineOutline } from '../outline-text.js';
import { renderPlainPrompt } from '../plain-prompt.js';
import { parseTerminalAction, renderTerminalAction, saysDone } from './action.js';
import {
  normaliseScreen,
  parseScreen,
  renderScreen,
  type ScreenText,
  screenContentTypes,
} from './observation.js';
import { type TerminalActionSpace, terminalPromptFacts } from './prompt.js';

/** The format of the terminal domain. */
export const terminalFormat: DomainFormat<ScreenText, TerminalActionSpace> = {
  domain: 'terminal',
  parseAction: parseTerminalAction,
  renderAction: renderTerminalAction,
  confirmsEnd: (action, before) => saysDone(action) && saysDone(before),
  parseObservation: parseScreen,
  renderObservation: renderScreen,
  normaliseObservation: normaliseScreen,
  outline: (text) => lineOutline(text, 'row', normaliseScreen),
  contentTypes: screenContentTypes,
  promptFacts: terminalPromptFacts,
  renderSystemPrompt: renderPlainPrompt,
};
