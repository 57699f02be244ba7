/**
 * The formats that can be imported, in the order in which they are asked whether a file is theirs.
 */

import { agentWorldBench } from './agent-world-bench.js';
import { anthropicMessages } from './anthropic-messages.js';
import { asciicast } from './asciicast.js';
import { atif } from './atif.js';
import { claudeCode } from './claude-code.js';
import { codex } from './codex.js';
import { geminiCli } from './gemini-cli.js';
import type { ImportFormat } from './import-format.js';
import { mcpJsonRpc } from './mcp-jsonrpc.js';
import { miniSweAgent } from './mini-swe-agent.js';
import { openAiChat } from './openai-chat.js';
import { openAiResponses } from './openai-responses.js';
import { openHands } from './openhands.js';
import { qwenCode } from './qwen-code.js';
import { sweAgent } from './swe-agent.js';
import { tau2 } from './tau2.js';
import { umweltTrajectory } from './umwelt-trajectory.js';

/** Every format; the first that recognises a value of a file has it. */
export const IMPORT_FORMATS: readonly ImportFormat[] = [
  umweltTrajectory,
  mcpJsonRpc,
  agentWorldBench,
  asciicast,
  atif,
  sweAgent,
  miniSweAgent,
  openHands,
  tau2,
  claudeCode,
  codex,
  geminiCli,
  qwenCode,
  openAiResponses,
  anthropicMessages,
  openAiChat,
];
