/**
 * The conformance package of the protocol against an episode of a fixture world. What a world cannot serve is listed
 * in the fixture; anything else that fails, and anything listed that passes, fails here.
 */
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { findWorld } from '../worlds/index.js';
import { CONFORMANCE_HANDLERS } from './conformance-handlers.contract.js';
import { startService } from './index.js';

const FIXTURE = fileURLToPath(new URL('../../test/fixtures/conformance/', import.meta.url));
// Only its command is an entry of the package.
const MANIFEST = createRequire(import.meta.url).resolve('@modelcontextprotocol/conformance/package.json');
const PROGRAM = join(dirname(MANIFEST), 'dist/index.js');

function conform(args: readonly string[], cwd: string): Promise<{ code: number | null; text: string }> {
  const child = spawn(process.execPath, [PROGRAM, 'server', ...args], { cwd });
  let text = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk;
    });
  }
  return new Promise((resolve) => child.on('close', (code) => resolve({ code, text })));
}

test('an episode of a world conforms to the protocol, but for what a world cannot serve', async () => {
  const world = findWorld(join(FIXTURE, 'world.yaml'));
  if (!world.ok) throw world.error;
  const service = await startService({ worlds: [world.value], mcpHandlers: CONFORMANCE_HANDLERS });
  const hosted = await service.openEpisode(world.value);
  const folder = mkdtempSync(join(tmpdir(), 'umwelt-conformance-'));
  const failures = ['--expected-failures', join(FIXTURE, 'expected-failures.yml')];
  for (const url of [hosted.mcpUrl, `${service.url}/mcp/conformance`]) {
    const run = await conform(['--url', url, '--suite', 'all', ...failures], folder);
    expect([url, run.code, run.code === 0 ? '' : run.text]).toEqual([url, 0, '']);
  }
  rmSync(folder, { recursive: true });
  await service.close();
});
