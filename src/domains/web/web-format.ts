/**
 * The web domain: browser actions, pages as accessibility trees. Put together from the files of this folder.
 */
import type { DomainFormat } from '../domain-format.js';
import { renderPlainPrompt } from '../plain-prompt.js';
import { parseWebAction, renderWebAction, webEnding } from './action.js';
import { webContentTypes } from './content-types.js';
import { normaliseWebPage } from './normalise.js';
import { parseWebPage, renderWebPage } from './observation.js';
import { outlineWebPage } from './outline.js';
import type { WebPage } from './page.js';
import { type WebActionSpace, webPromptFacts } from './prompt.js';

/** The format of the web domain. */
export const webFormat: DomainFormat<WebPage, WebActionSpace> = {
  domain: 'web',
  parseAction: parseWebAction,
  renderAction: renderWebAction,
  ending: webEnding,
  parseObservation: (text) => parseWebPage(text),
  renderObservation: renderWebPage,
  normaliseObservation: normaliseWebPage,
  outline: outlineWebPage,
  contentTypes: webContentTypes,
  promptFacts: webPromptFacts,
  renderSystemPrompt: renderPlainPrompt,
};
