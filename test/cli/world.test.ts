import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { emptyFolder, jsonLines, runUmwelt } from '../setup/run-umwelt.js';

const TOOLS = fileURLToPath(new URL('../../examples/shop-tools.json', import.meta.url));

test('the catalogue lists worlds that load', async () => {
  const ran = await runUmwelt(['world', 'list', '--json']);
  expect(ran.code).toBe(0);
  const names = (jsonLines(ran.stdout) as { name: string }[]).map((world) => world.name);
  expect(names).toEqual(expect.arrayContaining(['calendar-conflicts', 'issue-tracker', 'shop-refunds']));
  expect((await runUmwelt(['world', 'list'])).stdout).toMatch(
    /^issue-tracker +mcp +\d+ tools {2}Issue tracker/m,
  );
});

test('a world shows its task, its tools and what each tool is believed to do', async () => {
  const ran = await runUmwelt(['world', 'show', 'issue-tracker']);
  expect(ran.code).toBe(0);
  expect(ran.stdout).toContain('You triage the backlog');
  expect(ran.stdout).toContain('get_issue');
  const [shown] = jsonLines((await runUmwelt(['world', 'show', 'issue-tracker', '--json'])).stdout) as Record<
    string,
    unknown
  >[];
  expect(Object.keys(shown ?? {})).toEqual(
    expect.arrayContaining(['name', 'domain', 'task', 'tools', 'service', 'hash']),
  );
});

test('the catalogue worlds hold', async () => {
  const ran = await runUmwelt([
    'world',
    'check',
    'issue-tracker',
    'shop-refunds',
    'calendar-conflicts',
    '--json',
  ]);
  expect({ code: ran.code, stderr: ran.stderr }).toEqual({ code: 0, stderr: '' });
});

test('a broken world is told with line and column, and a missing one exits 2', async () => {
  const path = join(emptyFolder(), 'broken.yaml');
  writeFileSync(path, 'world: 1\nname: broken\ndomain: mcp\ntaks: do it\n');
  const broken = await runUmwelt(['world', 'check', path]);
  expect(broken.code).toBe(1);
  expect(`${broken.stdout}${broken.stderr}`).toMatch(/4:1[\s\S]*task/);
  const missing = await runUmwelt(['world', 'show', join(emptyFolder(), 'none.yaml')]);
  expect(missing.code).toBe(2);
});

test('a new world from a list of tools plays at once, and is not replaced without --force', async () => {
  const folder = emptyFolder();
  const made = await runUmwelt(['world', 'new', 'my-shop', '--tools', TOOLS], { cwd: folder });
  expect({ code: made.code, stderr: made.stderr }).toEqual({ code: 0, stderr: '' });
  const path = join(folder, 'my-shop.yaml');
  expect(existsSync(path)).toBe(true);
  const played = await runUmwelt(['play', path, '--json', '--actions', '-'], {
    input: '{"name":"order_list","arguments":{}}\n',
  });
  expect(played.code).toBe(0);
  expect(jsonLines(played.stdout)).toHaveLength(2);
  const kept = readFileSync(path, 'utf8');
  const refused = await runUmwelt(['world', 'new', 'my-shop', '--tools', TOOLS], { cwd: folder });
  expect(refused.code).toBe(2);
  expect(refused.stderr).toContain('--force');
  const forced = await runUmwelt(['world', 'new', 'my-shop', '--tools', TOOLS, '--force'], { cwd: folder });
  expect(forced.code).toBe(0);
  expect(readFileSync(path, 'utf8')).toBe(kept);
});

test('world new says what is wrong with its words and its file', async () => {
  const folder = emptyFolder();
  const run = (...args: string[]) => runUmwelt(['world', 'new', ...args], { cwd: folder });
  expect((await run('shop')).stderr).toContain('--tools');
  expect((await run('My Shop', '--tools', TOOLS)).code).toBe(2);
  const empty = join(folder, 'empty.json');
  writeFileSync(empty, '');
  const ran = await run('shop', '--tools', empty);
  expect(ran.code).toBe(1);
  expect(ran.stderr).not.toContain('    at ');
  expect(existsSync(join(folder, 'shop.yaml'))).toBe(false);
});

test('world new tells which tools it left out, and that a server has more', async () => {
  const folder = emptyFolder();
  const list = join(folder, 'list.json');
  const tools = [{ name: 'ping', inputSchema: { type: 'object' } }, { inputSchema: {} }];
  writeFileSync(list, JSON.stringify({ result: { tools, nextCursor: 'page-2' } }));
  const ran = await runUmwelt(['world', 'new', 'pings', '--tools', list], { cwd: folder });
  expect(ran.code).toBe(0);
  expect(ran.stderr).toMatch(/^left out result\.tools\[1\].*\nthe list has a nextCursor/);
});

test('world new never writes over the list it reads, nor to a folder', async () => {
  const folder = emptyFolder();
  const list = join(folder, 'list.json');
  writeFileSync(list, '[{"name":"ping","inputSchema":{"type":"object"}}]');
  const run = (out: string) =>
    runUmwelt(['world', 'new', 'a', '--tools', list, '--out', out, '--force'], { cwd: folder });
  expect((await run(list)).stderr).toContain('is the file that --tools is read from');
  expect(readFileSync(list, 'utf8')).toContain('ping');
  expect((await run(folder)).stderr).toContain('it is a folder');
  expect((await run(join(folder, 'none/a.yaml'))).stderr).toContain('its folder does not exist');
});

test('doctor finds nothing wrong here', async () => {
  const ran = await runUmwelt(['doctor', '--json']);
  expect({ code: ran.code, stderr: ran.stderr }).toEqual({ code: 0, stderr: '' });
  const findings = jsonLines(ran.stdout) as { check: string; status: string }[];
  expect(findings.map((finding) => finding.check)).toEqual([
    'node',
    'package',
    'catalogue',
    'terminal',
    'models',
  ]);
  expect(findings.filter((finding) => finding.status === 'wrong')).toEqual([]);
});
