import { expect, test } from 'vitest';
import { loadWorld } from './load-world.js';

test('permissions that children may get are checked like those of the world itself', () => {
  const loaded = loadWorld(
    JSON.stringify({
      world: 1,
      name: 'parcels',
      domain: 'mcp',
      state: { clock: '2026-03-12T08:00:00Z', data: {} },
      tools: [{ name: 'get_parcel', inputSchema: { type: 'object' } }],
      expand: {
        permissions: [{ id: 'closed', add: [{ on: 'get_parcel', when: 'nope == 1', error: 'no {args' }] }],
      },
    }),
  );
  const problems = loaded.ok ? [] : (loaded.error.data.problems as readonly { readonly path: string }[]);
  expect(problems.map(({ path }) => path)).toEqual([
    'expand.permissions[0].add[0].when',
    'expand.permissions[0].add[0].error',
  ]);
});
