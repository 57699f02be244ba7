import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { loadWorld } from './load-world.js';
import { McpStateSchema } from './mcp-state.js';
import { WorldFileSchema } from './world-file.js';

const text = readFileSync(fileURLToPath(new URL('../../docs/WORLDS.md', import.meta.url)), 'utf8');
const examples = [...text.matchAll(/```yaml\n([\s\S]*?)```/g)].map((found) => found[1] ?? '');

test('every example of docs/WORLDS.md loads without warnings', () => {
  expect(examples.length).toBeGreaterThan(4);
  for (const example of examples) {
    const result = loadWorld(example);
    if (!result.ok) throw new Error(`${result.error.message}\n\n${example}`);
    expect(result.value.warnings).toEqual([]);
  }
});

test('docs/WORLDS.md names every key of a world file and of its state', () => {
  const keys = [...Object.keys(WorldFileSchema.shape), ...Object.keys(McpStateSchema.shape)];
  expect(keys.filter((key) => !new RegExp(`\\b${key}\\b`).test(text))).toEqual([]);
});
