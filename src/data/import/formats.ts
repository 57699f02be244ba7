/**
 * The formats that can be imported, in the order in which they are asked whether a file is theirs.
 */
import { anthropicMessages } from './anthropic-messages.js';
import type { ImportFormat } from './import-format.js';
import { mcpJsonRpc } from './mcp-jsonrpc.js';
import { openAiChat } from './openai-chat.js';
import { umweltTrajectory } from './umwelt-trajectory.js';

/** Every format; the first that recognises a value of a file has it. */
export const IMPORT_FORMATS: readonly ImportFormat[] = [
  umweltTrajectory,
  mcpJsonRpc,
  anthropicMessages,
  openAiChat,
];
