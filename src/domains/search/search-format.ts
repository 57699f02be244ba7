/**
 * The search domain: tool calls as JSON; result lists, pages and memory as text. Put together from the files of this folder.
 */
import type { DomainFormat } from '../domain-format.js';
import { parseToolAction, renderToolAction } from '../mcp/action.js';
import { renderPlainPrompt } from '../plain-prompt.js';
import { searchContentTypes } from './content-types.js';
import { normaliseSearchObservation } from './normalise.js';
import { parseSearchObservation, renderSearchObservation, type SearchObservation } from './observation.js';
import { outlineSearchObservation } from './outline.js';
import { type SearchActionSpace, searchPromptFacts } from './prompt.js';

/** The format of the search domain. */
export const searchFormat: DomainFormat<SearchObservation, SearchActionSpace> = {
  domain: 'search',
  parseAction: parseToolAction,
  renderAction: renderToolAction,
  parseObservation: (text) => parseSearchObservation(text),
  renderObservation: renderSearchObservation,
  normaliseObservation: normaliseSearchObservation,
  outline: outlineSearchObservation,
  contentTypes: searchContentTypes,
  promptFacts: searchPromptFacts,
  renderSystemPrompt: renderPlainPrompt,
};
