import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { emptyFolder, runUmwelt } from '../setup/run-umwelt.js';

test('a stack is shown only when UMWELT_DEBUG asks for it', async () => {
  const path = join(emptyFolder(), 'broken.yaml');
  writeFileSync(path, 'world: [');
  const plain = await runUmwelt(['play', path]);
  expect({ code: plain.code, hasStack: plain.stderr.includes('\n    at ') }).toEqual({
    code: 1,
    hasStack: false,
  });
  const debug = await runUmwelt(['play', path], { env: { UMWELT_DEBUG: '1' } });
  expect({ code: debug.code, hasStack: debug.stderr.includes('\n    at ') }).toEqual({
    code: 1,
    hasStack: true,
  });
});

test('a key in the surroundings never reaches a message', async () => {
  const key = 'sk-not-a-real-key-123';
  const ran = await runUmwelt(['play', 'issue-tracker', '--model', key, '--json'], {
    env: { OPENAI_API_KEY: key },
  });
  expect(ran.code).toBe(2);
  expect(ran.stdout + ran.stderr).toContain('[OPENAI_API_KEY]');
  expect(ran.stdout + ran.stderr).not.toContain(key);
});
