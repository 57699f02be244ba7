/**
 * The os domain: calls of pyautogui as text, desktops as accessibility trees. Put together from the files of this folder.
 */
import type { DomainFormat } from '../domain-format.js';
import { renderPlainPrompt } from '../plain-prompt.js';
import { desktopEnding, parseDesktopAction, renderDesktopAction } from './action.js';
import { desktopContentTypes, outlineDesktopScreen } from './desktop-outline.js';
import { type DesktopScreen, parseDesktopScreen, renderDesktopScreen } from './desktop-screen.js';
import { normaliseDesktopScreen } from './normal-screen.js';
import { type DesktopActionSpace, desktopPromptFacts } from './prompt.js';

/** The format of the os domain. */
export const desktopFormat: DomainFormat<DesktopScreen, DesktopActionSpace> = {
  domain: 'os',
  parseAction: parseDesktopAction,
  renderAction: renderDesktopAction,
  ending: desktopEnding,
  parseObservation: (text) => parseDesktopScreen(text),
  renderObservation: renderDesktopScreen,
  normaliseObservation: normaliseDesktopScreen,
  outline: outlineDesktopScreen,
  contentTypes: desktopContentTypes,
  promptFacts: desktopPromptFacts,
  renderSystemPrompt: renderPlainPrompt,
};
