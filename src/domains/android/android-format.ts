/**
 * The android domain: actions as JSON, screens as view hierarchies. Put together from the files of this folder.
 */
import type { DomainFormat } from '../domain-format.js';
import { renderPlainPrompt } from '../plain-prompt.js';
import { untilStable } from '../until-stable.js';
import { androidEnding, parseAndroidAction, renderAndroidAction } from './action.js';
import { androidContentTypes, outlineAndroidScreen } from './android-outline.js';
import { type AndroidScreen, parseAndroidScreen, renderAndroidScreen } from './android-screen.js';
import { normaliseAndroidScreen } from './normal-screen.js';
import { type AndroidActionSpace, androidPromptFacts } from './prompt.js';

/** The format of the android domain. */
export const androidFormat: DomainFormat<AndroidScreen, AndroidActionSpace> = {
  domain: 'android',
  parseAction: parseAndroidAction,
  renderAction: renderAndroidAction,
  ending: androidEnding,
  parseObservation: (text) => parseAndroidScreen(text),
  renderObservation: renderAndroidScreen,
  normaliseObservation: (text) => untilStable(text, normaliseAndroidScreen),
  outline: outlineAndroidScreen,
  contentTypes: androidContentTypes,
  promptFacts: androidPromptFacts,
  renderSystemPrompt: renderPlainPrompt,
};
