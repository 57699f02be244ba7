/**
 * The example agent of the AI SDK against an endpoint: it gets the world's tools, its calls are made, its tokens count.
 */
import { fileURLToPath } from 'node:url';
import { afterAll, expect, test, vi } from 'vitest';
import type { JsonObject } from '../../core/index.js';
import { createTestWorld, startTestEndpoint, testTool } from '../../testing/index.js';
import { createAgents } from '../agent-spec.js';
import { DEFAULT_BUDGET } from '../run-budget.js';
import { runOne } from '../run-one.js';
import { LOCAL_PLACES } from '../run-place.js';

afterAll(() => vi.unstubAllEnvs());

test('the AI SDK example sees tools as they are now, acts, spends and answers', async () => {
  const world = createTestWorld({
    name: 'notes',
    task: 'Write the note "milk".',
    tools: [testTool('note_create', { text: { type: 'string' } })],
    state: { data: { notes: [] } },
    success: [{ id: 'one', expr: "state.data.notes.exists(n, n.text == 'milk')" }],
  });
  const says = (message: JsonObject, finish: string) => ({
    body: [
      JSON.stringify({
        id: 'c',
        object: 'chat.completion',
        created: 1,
        model: 'm',
        choices: [{ index: 0, finish_reason: finish, message: { role: 'assistant', ...message } }],
        usage: { prompt_tokens: 100, completion_tokens: 10, total_tokens: 110 },
      }),
    ],
  });
  const calling = (name: string) => ({
    content: null,
    tool_calls: [{ id: `call_${name}`, type: 'function', function: { name, arguments: '{"text":"milk"}' } }],
  });
  const toolNames = (body: unknown) =>
    (body as { tools?: { function: { name: string } }[] }).tools?.map((tool) => tool.function.name) ?? [];
  const endpoint = await startTestEndpoint(({ body }, index) => {
    const [name = ''] = toolNames(body);
    return index < 2 ? says(calling(name), 'tool_calls') : says({ content: 'The note is written.' }, 'stop');
  });
  vi.stubEnv('AI_BASE_URL', endpoint.baseUrl);
  vi.stubEnv('AI_API_KEY', 'sk-very-secret');
  const examples = fileURLToPath(new URL('../../../examples', import.meta.url));
  const context = { directory: examples, environment: {}, cli: [] };
  const made = createAgents([{ agent: 'module:ai-sdk-agent.mjs#agent', id: 'sdk' }], context);
  const [agent] = made.ok ? made.value : [];
  if (agent === undefined) throw new Error('the example is an agent');
  const faults = {
    id: 'renamed',
    specs: [{ kind: 'tool-renamed', on: 'note_create', when: { turns: '2-' } }],
    expects: 'recovers',
  } as const;
  const plan = {
    ...{ id: 'notes/renamed/sdk/1', pair: 'notes/sdk/1', number: 1, trial: 1, seed: 1 },
    ...{ world, faults, agent, budget: DEFAULT_BUDGET },
  };
  const setting = { local: LOCAL_PLACES, hosted: LOCAL_PLACES, version: '0.0.0' };
  const { record } = await runOne(plan, setting);
  await endpoint.close();
  const [first, second] = endpoint.requests.map(({ body }) => toolNames(body)[0]);
  expect(first).toBe('note_create');
  expect(second).not.toBe('note_create');
  expect([record.answer, record.end.reason, record.score]).toMatchObject([
    'The note is written.',
    'finished',
    { fraction: 1 },
  ]);
  expect(record.counts).toMatchObject({ promptTokens: 300, completionTokens: 30 });
  expect(endpoint.requests[0]?.headers.authorization).toBe('Bearer sk-very-secret');
});
