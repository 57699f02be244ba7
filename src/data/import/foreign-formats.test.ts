import { expect, test } from 'vitest';
import { foreignFormat } from './foreign-formats.js';
import { importBytes, linesOf } from './import-fixture.contract.js';

const CHAT = [
  { role: 'user', content: 'hello' },
  {
    role: 'assistant',
    tool_calls: [{ id: 'c', type: 'function', function: { name: 'f', arguments: '{}' } }],
  },
  { role: 'tool', tool_call_id: 'c', content: 'done' },
];

/** Small values of each kind, with chat messages somewhere inside wherever the kind has room for them. */
const FILES: readonly (readonly [string, unknown])[] = [
  ['a Langfuse trace', { trace: { id: 't', input: { messages: CHAT } }, observations: [] }],
  [
    'a Langfuse trace',
    { id: 't', observations: [{ id: 'o', traceId: 't', type: 'GENERATION', input: CHAT, output: CHAT[1] }] },
  ],
  ['a Langfuse trace', { id: 'o', traceId: 't', type: 'SPAN', name: 'tool.x', input: { messages: CHAT } }],
  ['a Langfuse trace', { batch: [{ type: 'generation-create', body: { input: CHAT } }] }],
  ['runs of LangSmith', { id: 'r', trace_id: 't', run_type: 'llm', inputs: { messages: CHAT } }],
  ['runs of LangSmith', { post: [{ id: 'r', run_type: 'llm', trace_id: 't', inputs: { messages: CHAT } }] }],
  ['runs of LangSmith', { patch: [{ id: 'r', dotted_order: 'x', trace_id: 't', outputs: CHAT[1] }] }],
  ['runs of LangSmith', { url: 'https://x/runs/batch', body: { post: [{ inputs: { messages: CHAT } }] } }],
  [
    'spans of OpenInference (OpenTelemetry)',
    {
      resourceSpans: [
        { scopeSpans: [{ spans: [{ attributes: [{ key: 'openinference.span.kind', value: {} }] }] }] },
      ],
    },
  ],
  ['spans or logs of OpenTelemetry', { resourceLogs: [{ scopeLogs: [] }] }],
  [
    'spans or logs of OpenTelemetry',
    {
      name: 'chat',
      traceId: 't',
      spanId: 's',
      attributes: { 'gen_ai.input.messages': JSON.stringify(CHAT) },
    },
  ],
  ['spans or logs of OpenTelemetry', { name: 'x', context: { trace_id: 't', span_id: 's' }, attributes: {} }],
  ['a session of OpenCode', { info: { id: 'ses_1' }, messages: [{ info: { role: 'user' }, parts: [] }] }],
  ['a session of OpenCode', { type: 'tool_use', sessionID: 'ses_1', part: { type: 'tool' } }],
  ['an HTTP archive (HAR)', { log: { version: '1.2', entries: [{ request: { messages: CHAT } }] } }],
  ['a ShareGPT data set', { conversations: [{ from: 'human', value: 'hello' }], tools: '[]' }],
  ['a ShareGPT data set', { messages: [{ role: 'user', content: [{ type: 'text', value: 'hello' }] }] }],
  ['an answer of ToolBench', { tree: {}, answer_generation: { train_messages: [CHAT] } }],
  ['a Mind2Web task', { annotation_id: 'a', action_reprs: [], actions: [] }],
  ['the steps of an OSWorld run', { step_num: 1, action_timestamp: 'x', action: 'DONE', response: CHAT }],
];

test('formats that are known and not imported are told by name, never taken for chat messages', async () => {
  for (const [about, value] of FILES) {
    expect([about, foreignFormat(value as never)]).toEqual([about, about]);
    const { trajectories, report } = await importBytes(linesOf(value, value));
    expect([report.foreign, report.format, trajectories.length]).toEqual([about, null, 0]);
    expect(report.skipped).toEqual({ [`the rest of ${about}, which is not imported`]: 1 });
  }
});

test('chat messages beside words of such formats are still chat messages', async () => {
  for (const value of [
    { messages: CHAT, trace_id: 't' },
    { id: 'x', metadata: { run_type: 'eval' }, messages: CHAT },
    { url: 'https://api.example/v1/threads/1/runs', body: { messages: CHAT } },
    { type: 'TOOL', messages: CHAT },
    { log: { version: '1' }, messages: CHAT },
  ]) {
    const { report } = await importBytes(linesOf(value));
    expect([report.foreign, report.format, report.pairs]).toEqual([null, 'openai-chat', 1]);
  }
});

test('a list of things with roles in which nobody could call a tool is no chat', async () => {
  const { report } = await importBytes(
    linesOf([
      { role: 'user', content: 'a' },
      { role: 'agent', content: 'b' },
    ]),
  );
  expect(report.format).toBeNull();
});
