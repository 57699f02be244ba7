/**
 * An agent made with the AI SDK, for `umwelt stress`:
 *
 *   npm install ai@6 @ai-sdk/openai-compatible@2
 *   AI_BASE_URL=http://localhost:8000/v1 AI_MODEL=qwen3 umwelt stress issue-tracker --agent module:ai-sdk-agent.mjs#agent
 *
 * Each step gets the tools as they are then, so that one which a fault renames or removes in the middle of a run is seen.
 * What the model uses counts in the run's budget. A key comes from AI_API_KEY.
 */
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { dynamicTool, generateText, jsonSchema } from 'ai';

const {
  AI_BASE_URL: baseURL = 'http://localhost:8000/v1',
  AI_MODEL: name = 'model',
  AI_API_KEY: apiKey,
} = process.env;
const provider = createOpenAICompatible({
  name: 'endpoint',
  baseURL,
  ...(apiKey !== undefined && { apiKey }),
});

const SYSTEM =
  'Carry out the task with the tools. When you are done, or cannot go on, give the answer that the task asks for, or say plainly what you could not do.';
const STEPS = 50;

/** Lives through one run: steps until the model answers without calling a tool. */
export async function agent({ task, currentTools, call, spend, signal }) {
  const messages = [{ role: 'user', content: task }];
  for (let step = 0; step < STEPS; step++) {
    const { text, finishReason, usage, response } = await generateText({
      model: provider(name),
      system: SYSTEM,
      messages,
      tools: toolSet(currentTools(), call),
      abortSignal: signal,
    });
    spend({ promptTokens: usage.inputTokens ?? null, completionTokens: usage.outputTokens ?? null });
    if (finishReason !== 'tool-calls') return text;
    messages.push(...response.messages);
  }
  return null;
}

/** The world's tools in the form of the SDK; a failure is told to the model in the words of the service. */
function toolSet(tools, call) {
  const entries = tools.map(({ name: tool, description, inputSchema }) => [
    tool,
    dynamicTool({
      description,
      inputSchema: jsonSchema(inputSchema),
      execute: async (args) => (await call(tool, args)).text,
    }),
  ]);
  return Object.fromEntries(entries);
}
