/** The agents' door cannot reach the control door: no import leads there, directly or through others. */
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const HERE = fileURLToPath(new URL('.', import.meta.url));

/** Every file of this room that a file imports, itself and what those import included. */
function reach(path: string, seen: Set<string> = new Set()): Set<string> {
  if (seen.has(path)) return seen;
  seen.add(path);
  for (const [, from = ''] of readFileSync(path, 'utf8').matchAll(/(?:from|import\() ?'(\.[^']+)\.js'/g)) {
    const next = join(dirname(path), `${from}.ts`);
    if (next.startsWith(HERE)) reach(next, seen);
  }
  return seen;
}

test('no import leads from what agents reach to the control routes', () => {
  const doors = [
    'agent-routes.ts',
    'episode-routes.ts',
    'mcp/mcp-door.ts',
    'mcp/world-door.ts',
    'openenv/openenv-door.ts',
  ];
  for (const door of doors) {
    const reached = [...reach(join(HERE, door))].map((path) => path.slice(HERE.length));
    expect(reached.length).toBeGreaterThan(5);
    expect([door, reached.includes('control-routes.ts')]).toEqual([door, false]);
  }
});
