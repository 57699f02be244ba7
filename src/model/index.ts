/**
 * Room `model`: adapters to language models. An OpenAI-compatible endpoint, any model of the AI SDK, and those that need no
 * provider: scripted and replayed.
 */
export { type AiSdkLanguageModel, type AiSdkModelOptions, createAiSdkModel } from './ai-sdk-model.js';
export { FAILURE_KINDS, type FailureKind } from './openai/call-failure.js';
export {
  type AnsweredCall,
  type ChatClient,
  type ChatClientOptions,
  type ClientClock,
  createChatClient,
} from './openai/chat-client.js';
export type { ChatChoice, ChatReply, ToolCallRequest } from './openai/chat-reply.js';
export { createEndpointModel, type EndpointModelOptions } from './openai/endpoint-model.js';
export type { ExchangeLimits } from './openai/exchange.js';
export { type EndpointSpec, parseEndpointSpec } from './openai/model-spec.js';
export {
  type ProbeFinding,
  type ProbeOptions,
  type ProbeReport,
  probeEndpoint,
} from './openai/probe-endpoint.js';
export type { RetryPolicy } from './openai/retry.js';
export { createSpendMeter, type SpendLimits, type SpendMeter, type Spent } from './openai/spend-meter.js';
export * from './replay-model.js';
export * from './script-lines.js';
export * from './scripted-model.js';
