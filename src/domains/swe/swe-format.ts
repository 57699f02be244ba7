/**
 * The swe domain: tool calls of coding agents, results as blocks of lines. Put together from the files of this folder.
 */
import type { DomainFormat } from '../domain-format.js';
import { renderToolAction } from '../mcp/action.js';
import type { ToolActionSpace } from '../mcp/prompt.js';
import { renderPlainPrompt } from '../plain-prompt.js';
import { parseSweAction } from './action.js';
import { normaliseSweResult, parseSweResult } from './observation.js';
import { outlineSweResult, sweContentTypes } from './outline.js';
import { swePromptFacts } from './prompt.js';
import { renderSweResult, type SweResult } from './result-block.js';

/** The format of the swe domain. */
export const sweFormat: DomainFormat<SweResult, ToolActionSpace> = {
  domain: 'swe',
  parseAction: parseSweAction,
  renderAction: renderToolAction,
  parseObservation: (text) => parseSweResult(text),
  renderObservation: renderSweResult,
  normaliseObservation: normaliseSweResult,
  outline: outlineSweResult,
  contentTypes: sweContentTypes,
  promptFacts: swePromptFacts,
  renderSystemPrompt: renderPlainPrompt,
};
