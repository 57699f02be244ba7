// Runs the matcher `toSurvive` under a real jest, in a folder of its own, since jest is too heavy to be a dependency here.
// Needs the built package and the npm registry:  node scripts/build.mjs && node scripts/jest-check.mjs
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const folder = mkdtempSync(join(tmpdir(), 'umwelt-jest-'));
const write = (name, text) => writeFileSync(join(folder, name), text);
const run = (command, words, env = {}) => {
  const ran = spawnSync(command, words, { cwd: folder, encoding: 'utf8', env: { ...process.env, ...env } });
  return { code: ran.status, text: `${ran.stdout}${ran.stderr}` };
};

write('package.json', JSON.stringify({ type: 'module', jest: { transform: {}, testEnvironment: 'node' } }));
write(
  'survive.test.js',
  `import { expect, test } from '@jest/globals';
import { createCarefulAgent, createCarelessAgent } from 'umwelt/stress';
import { survivalMatchers } from 'umwelt/testing';

expect.extend(survivalMatchers);

test('a careful agent survives', async () => {
  await expect(createCarefulAgent()).toSurvive('issue-tracker', 'rate-limit');
}, 60_000);

test('a careless agent does not, and the message quotes it', async () => {
  await expect(createCarelessAgent()).not.toSurvive('issue-tracker', 'rate-limit');
  await expect(expect(createCarelessAgent()).toSurvive('issue-tracker', 'rate-limit')).rejects.toThrow(/turn \\d+ action: /);
}, 60_000);
`,
);
try {
  const installed = run('npm', ['install', '--no-audit', '--no-fund', 'jest@30', '@jest/globals@30']);
  if (installed.code !== 0) throw new Error(`jest could not be installed:\n${installed.text}`);
  symlinkSync(fileURLToPath(new URL('..', import.meta.url)), join(folder, 'node_modules', 'umwelt'), 'dir');
  const tested = run(process.execPath, ['node_modules/jest/bin/jest.js', '--ci'], {
    NODE_OPTIONS: '--experimental-vm-modules --no-warnings',
  });
  process.stdout.write(tested.text);
  process.exitCode = tested.code ?? 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}
