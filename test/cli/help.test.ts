import { spawnSync } from 'node:child_process';
import { copyFileSync, cpSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { emptyFolder, jsonLines, mainPath, runUmwelt, startUmwelt } from '../setup/run-umwelt.js';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const COMMANDS = ['play', 'world list', 'world show', 'world check', 'world new', 'doctor'];

test('every command has help with usage, flags and examples', async () => {
  for (const command of COMMANDS) {
    const ran = await runUmwelt([...command.split(' '), '--help']);
    expect({ command, code: ran.code, stderr: ran.stderr }).toEqual({ command, code: 0, stderr: '' });
    expect(ran.stdout).toMatch(new RegExp(`^umwelt ${command}: .+\n\nUsage: umwelt ${command}`));
    expect(ran.stdout).toMatch(/\nFlags\n[\s\S]*--help[\s\S]*\nExamples\n {2}umwelt /);
  }
});

test('help without a command lists all commands, on standard output', async () => {
  const [bare, flag] = [await runUmwelt([]), await runUmwelt(['--help'])];
  expect(bare).toEqual(flag);
  expect(bare.code).toBe(0);
  for (const command of COMMANDS) expect(bare.stdout).toContain(`\n  ${command}`);
});

test('every example of the help runs', async () => {
  const folder = emptyFolder();
  cpSync(join(ROOT, 'examples'), join(folder, 'examples'), { recursive: true });
  cpSync(join(ROOT, 'worlds'), join(folder, 'worlds'), { recursive: true });
  copyFileSync(join(ROOT, 'worlds/issue-tracker.yaml'), join(folder, 'my-world.yaml'));
  copyFileSync(join(ROOT, 'examples/shop-tools.json'), join(folder, 'tools.json'));
  for (const command of COMMANDS) {
    const help = (await runUmwelt([...command.split(' '), '--help'])).stdout;
    for (const [, example = ''] of help.split('\nExamples\n')[1]?.matchAll(/^ {2}umwelt (.+)$/gm) ?? []) {
      const line = `'${process.execPath}' '${mainPath()}' ${example}`;
      const ran = spawnSync('bash', ['-c', line], { cwd: folder, encoding: 'utf8', input: '' });
      // Nobody listens at an example's endpoint: the command runs and says so.
      const code = example.includes('@http') ? 1 : 0;
      expect({ example, code: ran.status, stderr: ran.stderr }).toEqual({ example, code, stderr: '' });
    }
  }
});

test('help loads nothing but the command line itself', async () => {
  const coverage = emptyFolder();
  await runUmwelt(['--help'], { env: { NODE_V8_COVERAGE: coverage } });
  const reports = readdirSync(coverage).map((name) => readFileSync(join(coverage, name), 'utf8'));
  const loaded = new Set(
    reports
      .flatMap((text) => [
        ...text.matchAll(/"url":"file:[^"]*\/((?:dist|node_modules)\/[^/"]+)\/[^"]*\.js"/g),
      ])
      .map((match) => match[1]),
  );
  expect([...loaded]).toEqual(['dist/cli']);
});

test('wrong command lines exit 2 with one sentence and the nearest name', async () => {
  const ran = await runUmwelt(['plya', 'issue-tracker']);
  expect(ran).toEqual({
    stdout: '',
    stderr: 'umwelt: unknown command "plya"; did you mean umwelt play?\n',
    code: 2,
    signal: null,
  });
  expect((await runUmwelt(['play', 'issue-tracker', '--sed', '1'])).stderr).toBe(
    'umwelt: umwelt play has no flag --sed; did you mean --seed?\n',
  );
});

test('with --json a wrong command line is answered as one JSON object', async () => {
  const ran = await runUmwelt(['world', 'lst', '--json']);
  expect(ran.code).toBe(2);
  expect(jsonLines(ran.stdout)).toEqual([
    {
      error: {
        code: 'usage/unknown-name',
        message: 'unknown command "umwelt world lst"; did you mean umwelt world list?',
        data: {
          seen: 'lst',
          wanted: ['list', 'show', 'check', 'new', 'from-mcp', 'from-openapi', 'expand', 'from-trajectory'],
        },
      },
    },
  ]);
});

test('an unknown world exits 2 and names the nearest one', async () => {
  const ran = await runUmwelt(['play', 'isue-tracker', '--actions', '-']);
  expect(ran.code).toBe(2);
  expect(ran.stderr).toContain('Did you mean issue-tracker?');
});

test('a closed pipe ends the command quietly', async () => {
  const child = startUmwelt(['play', '--help'], { stdio: ['ignore', 'pipe', 'pipe'] });
  let stderr = '';
  child.stderr?.on('data', (chunk) => {
    stderr += String(chunk);
  });
  child.stdout?.destroy();
  const code = await new Promise((resolve) => child.on('close', resolve));
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
});
