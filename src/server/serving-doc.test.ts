/** The settings that docs/SERVING.md gives can be pasted: they are JSON, and their commands and addresses exist. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { createService } from './index.js';

const TEXT = readFileSync(fileURLToPath(new URL('../../docs/SERVING.md', import.meta.url)), 'utf8');

interface Settings {
  readonly command?: string;
  readonly args?: readonly string[];
  readonly url?: string;
  readonly httpUrl?: string;
}

function settings(): Settings[] {
  const blocks = [...TEXT.matchAll(/^```json\n(.*?)^```/gms)].map((match) => JSON.parse(match[1] ?? ''));
  return blocks.flatMap((block) =>
    Object.values((block.mcpServers ?? block.servers) as Record<string, Settings>),
  );
}

test('every client setting names the command or an address of a service', async () => {
  const service = createService();
  expect(settings().length).toBeGreaterThan(5);
  for (const { command, args, url, httpUrl } of settings()) {
    if (command !== undefined) {
      expect([command, args?.[0]]).toEqual(['umwelt', 'mcp']);
      continue;
    }
    const path = new URL(url ?? httpUrl ?? '').pathname;
    const response = await service.fetch(new Request(`http://localhost${path}`));
    expect([path, response.status]).toEqual([path, path.startsWith('/mcp/') ? 405 : 404]);
  }
});

test('every path of the table is a path of the service', async () => {
  const service = createService({ controlToken: 'c' });
  const world = (await import('../worlds/index.js')).findWorld('issue-tracker');
  if (!world.ok) throw world.error;
  const { id } = await service.openEpisode(world.value);
  const rows = [...TEXT.matchAll(/^\| (`[^|]*`) \|/gm)].flatMap((match) => [
    ...(match[1] ?? '').matchAll(/`([^`]+)`/g),
  ]);
  const paths = rows
    .map((match) => /^(?:(GET|POST|DELETE) )?(\/\S*)$/.exec(match[1] ?? ''))
    .filter((found) => found !== null);
  expect(paths.length).toBeGreaterThan(8);
  for (const [, method = 'GET', path = ''] of paths) {
    const real = path.replace('ID', id).replace('WORLD', 'issue-tracker').replace('after=N', 'after=0');
    const asked = new Request(`http://localhost${real}`, { method, headers: { authorization: 'Bearer c' } });
    const response = await service.fetch(asked);
    expect([method, path, response.status === 404]).toEqual([method, path, false]);
  }
});
