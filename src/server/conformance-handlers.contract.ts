/**
 * What the conformance package wants of a server and no world file has: tools that speak with the client, completion,
 * a resource template, subscriptions.
 */
import type { JsonObject } from '../core/index.js';
import type { McpHandlers } from './index.js';

const PAUSE_MS = 50;
const pause = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
const text = (said: string): JsonObject => ({ content: [{ type: 'text', text: said }] });

const DEFAULTS = {
  type: 'object',
  properties: {
    name: { type: 'string', default: 'John Doe' },
    age: { type: 'integer', default: 30 },
    score: { type: 'number', default: 95.5 },
    status: { type: 'string', enum: ['active', 'inactive', 'pending'], default: 'active' },
    verified: { type: 'boolean', default: true },
  },
};
const OPTIONS = ['option1', 'option2', 'option3'];
const TITLED = [
  { const: 'value1', title: 'First' },
  { const: 'value2', title: 'Second' },
  { const: 'value3', title: 'Third' },
];
const ENUMS = {
  type: 'object',
  properties: {
    untitledSingle: { type: 'string', enum: OPTIONS },
    titledSingle: { type: 'string', oneOf: TITLED },
    legacyEnum: { type: 'string', enum: ['opt1', 'opt2', 'opt3'], enumNames: ['One', 'Two', 'Three'] },
    untitledMulti: { type: 'array', items: { type: 'string', enum: OPTIONS } },
    titledMulti: { type: 'array', items: { anyOf: TITLED } },
  },
};
const USER = {
  type: 'object',
  properties: { username: { type: 'string' }, email: { type: 'string' } },
  required: ['username', 'email'],
};

/** The handlers. */
export const CONFORMANCE_HANDLERS: McpHandlers = {
  capabilities: { completions: {}, logging: {}, resources: { subscribe: true } },
  tools: {
    test_tool_with_logging: async (_args, client) => {
      for (const said of ['Tool execution started', 'Tool processing data', 'Tool execution completed']) {
        await client.log('info', said);
        await pause();
      }
      return text('logged');
    },
    test_tool_with_progress: async (_args, client) => {
      for (const done of [0, 50, 100]) {
        await client.progress(done, 100);
        await pause();
      }
      return text('done');
    },
    test_sampling: async ({ prompt = '' }, client) => {
      const messages = [{ role: 'user', content: { type: 'text', text: prompt } }];
      const { content } = await client.sample({ messages, maxTokens: 100 });
      return text(`LLM response: ${String((content as JsonObject).text)}`);
    },
    test_elicitation: async ({ message = '' }, client) => {
      const answer = await client.elicit({ message, requestedSchema: USER });
      return text(`User response: ${JSON.stringify(answer)}`);
    },
    test_elicitation_sep1034_defaults: async (_args, client) => {
      const answer = await client.elicit({ message: 'Check the defaults', requestedSchema: DEFAULTS });
      return text(`Elicitation completed: ${JSON.stringify(answer)}`);
    },
    test_elicitation_sep1330_enums: async (_args, client) => {
      const answer = await client.elicit({ message: 'Choose', requestedSchema: ENUMS });
      return text(`Elicitation completed: ${JSON.stringify(answer)}`);
    },
  },
  methods: {
    'completion/complete': () => ({ completion: { values: ['paris', 'park'], total: 2, hasMore: false } }),
    'resources/subscribe': () => ({}),
    'resources/unsubscribe': () => ({}),
    'resources/templates/list': () => ({
      resourceTemplates: [{ uriTemplate: 'test://template/{id}/data', name: 'Template' }],
    }),
  },
  readResource: (uri) => {
    const id = /^test:\/\/template\/([^/]+)\/data$/.exec(uri)?.[1];
    if (id === undefined) return undefined;
    const data = JSON.stringify({ id, templateTest: true, data: `Data for ID: ${id}` });
    return { contents: [{ uri, mimeType: 'application/json', text: data }] };
  },
};
