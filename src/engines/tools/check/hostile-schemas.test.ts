import { expect, test } from 'vitest';
import { EngineError, type JsonObject } from '../../../core/index.js';
import { drive, toolCall } from '../../engine.contract.js';
import { createToolsEngine } from '../engine.js';
import type { ToolWorldSpec } from '../spec.js';

function specOf(inputSchema: JsonObject): ToolWorldSpec {
  const tools = [{ name: 'create_thing', inputSchema }];
  return { id: 'hostile', tools, data: {}, entities: {}, overrides: {}, strict: false, startMs: 0 };
}

test('a schema whose defaults hold themselves many times over is filled as far as a budget goes', () => {
  const names = Array.from({ length: 25 }, (_, i): [string, JsonObject] => [
    `p${i}`,
    { $ref: '#', default: {} },
  ]);
  const spec = specOf({ type: 'object', properties: Object.fromEntries(names) });
  const outcome = drive(createToolsEngine().open(spec, 1), toolCall('create_thing', {}));
  expect(outcome.status).toBe('ok');
  expect(outcome.answer?.text.text.length).toBeLessThan(2_000_000);
});

test('a tool that nests deeper than JSON may is refused when the world is opened', () => {
  let schema: JsonObject = { type: 'string' };
  for (let depth = 0; depth < 3_000; depth++) schema = { type: 'object', properties: { a: schema } };
  let raised: unknown;
  try {
    createToolsEngine().open(specOf(schema), 1);
  } catch (error) {
    raised = error;
  }
  expect(raised).toBeInstanceOf(EngineError);
  expect(raised).toMatchObject({ code: 'engine/bad-spec' });
  expect(String(raised)).toContain('limit jsonDepth');
});
