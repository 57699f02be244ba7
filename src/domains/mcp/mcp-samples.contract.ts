/**
 * Samples of the mcp domain for the suites that run over all domains.
 */
import fc from 'fast-check';
import type { JsonObject } from '../../core/index.js';
import type { DomainSamples } from '../domain-format.contract.js';
import { mcpFormat } from './mcp-format.js';
import type { ToolActionSpace } from './prompt.js';
import { type ToolResult, textResult } from './tool-result.js';

const json = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    fc.string(),
    fc.integer(),
    fc.double({ noNaN: true, noDefaultInfinity: true }).filter((n) => !Number.isInteger(n)),
    fc.bigInt({ min: 2n ** 53n, max: 2n ** 80n }),
    fc.boolean(),
    fc.constant(null),
    fc.array(tie('value'), { maxLength: 3 }),
    tie('object'),
  ),
  object: fc
    .array(
      fc.tuple(fc.oneof(fc.string(), fc.constant('__proto__'), fc.constant('constructor')), tie('value')),
      {
        maxLength: 3,
      },
    )
    .map((entries) => Object.fromEntries(entries)),
}));

const name = fc.string({ minLength: 1 });
const args = json.object as fc.Arbitrary<JsonObject>;

/** What the suites need to know about the mcp domain. */
export const mcpSamples: DomainSamples<ToolResult, ToolActionSpace> = {
  format: mcpFormat,
  actions: fc.oneof(
    fc.record({ kind: fc.constant('tool-call' as const), name, arguments: args }),
    fc.record({ kind: fc.constant('tool-call' as const), name, arguments: args, callId: fc.string() }),
    fc.record({ kind: fc.constant('finish' as const), answer: fc.option(fc.string()) }),
  ),
  observations: fc.string({ unit: 'binary' }).map((text) => textResult(text)),
  actionTexts: [
    '{"name":"note_add","arguments":{"text":"naïve 🙂 — 完","tags":["a","b"]}}',
    '### Turn 3\n\n**Action:**\n```json\n{"type":"function","id":"c1","function":{"name":"f","arguments":"{\\"a\\":1}"}}\n```\n',
    'Done now. {"answer":"42"}',
  ],
  observationTexts: [
    '**Environment Observation:**\n{"type":"text","text":"{\\"total\\": 36}"}',
    '[{"type":"text","text":"one"},{"type":"image","data":"QUJD","mimeType":"image/png"}]',
    '{"id":"7","created_at":"2031-05-04T10:00:00Z","name":"north pump","n":12345678901234567890}',
    'status: error\r\nmessage: request req_8f2c1a9b77 timed out after 30 s at 2031-05-04 10:00:03',
  ],
  actionSpace: {
    tools: [{ name: 'note_add', description: 'Adds a note', inputSchema: { type: 'object' } }],
    server: { name: 'notes', version: '1.0' },
  },
};
