/**
 * Builds a tool world out of its parts, for tests: what is left out has a harmless default.
 */
import type { World } from '../worlds/index.js';
import { loadWorld } from '../worlds/index.js';

/** The parts of a world file; see the world-file contract. `name` defaults to `test-world`, `domain` to `mcp`. */
export type WorldParts = Readonly<Record<string, unknown>>;

/** Builds and checks a world. Raises the `WorldError` that a file with these parts would give. */
export function createTestWorld(parts: WorldParts = {}): World {
  const world = loadWorld(
    JSON.stringify({ world: 1, name: 'test-world', domain: 'mcp', tools: [], ...parts }),
  );
  if (!world.ok) throw world.error;
  return world.value;
}

/**
 * A tool definition: name, its arguments as JSON Schema properties, and which of them are required (default: all
 * whose name does not end in `?`; the mark is taken off).
 */
export function testTool(
  name: string,
  properties: Readonly<Record<string, unknown>>,
  more: Readonly<Record<string, unknown>> = {},
): Readonly<Record<string, unknown>> {
  const entries = Object.entries(properties);
  return {
    name,
    inputSchema: {
      type: 'object',
      properties: Object.fromEntries(entries.map(([key, schema]) => [key.replace(/\?$/, ''), schema])),
      required: entries.map(([key]) => key).filter((key) => !key.endsWith('?')),
      additionalProperties: false,
    },
    ...more,
  };
}

/** The action text of a tool call. */
export function testCall(name: string, args: Readonly<Record<string, unknown>> = {}): string {
  return JSON.stringify({ name, arguments: args });
}
