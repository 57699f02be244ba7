/**
 * The mcp domain: tool calls as JSON, tool results as text. Put together from the files of this folder.
 */
import type { DomainFormat } from '../domain-format.js';
import { jsonOutline, lineOutline } from '../outline-text.js';
import { renderPlainPrompt } from '../plain-prompt.js';
import { parseToolAction, renderToolAction } from './action.js';
import { toolContentTypes } from './content-types.js';
import { normaliseToolObservation, parseToolResult, renderToolResult } from './observation.js';
import { type ToolActionSpace, toolPromptFacts } from './prompt.js';
import type { ToolResult } from './tool-result.js';

/** The format of the mcp domain. */
export const mcpFormat: DomainFormat<ToolResult, ToolActionSpace> = {
  domain: 'mcp',
  parseAction: parseToolAction,
  renderAction: renderToolAction,
  parseObservation: parseToolResult,
  renderObservation: renderToolResult,
  normaliseObservation: normaliseToolObservation,
  outline: (text) => jsonOutline(text) ?? lineOutline(text, 'line'),
  contentTypes: toolContentTypes,
  promptFacts: toolPromptFacts,
  renderSystemPrompt: renderPlainPrompt,
};
