import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { renderJson } from '../core/index.js';
import { publicSpec } from './agent-spec.js';
import { commandWords, fillPlaceholders } from './agents/command-line.js';
import { loadSuiteFile } from './load-suite.js';
import { suiteJsonSchema } from './suite-json-schema.js';
import { planSuite } from './suite-plan.js';

const folder = mkdtempSync(join(tmpdir(), 'umwelt-suite-file-'));
const context = { directory: folder, environment: {}, cli: ['umwelt'] };

function load(text: string, agents?: readonly string[]) {
  const path = join(folder, 'suite.yaml');
  writeFileSync(path, text);
  return loadSuiteFile(path, context, agents === undefined ? {} : { agents });
}

test('the published schema of suite files is the one that reading uses', () => {
  const published = readFileSync(fileURLToPath(new URL('../../suite.schema.json', import.meta.url)), 'utf8');
  expect(published).toBe(`${renderJson(suiteJsonSchema(), 2)}\n`);
});

test('every mistake of a suite is told at once, with its place and the nearest known name', () => {
  const suite = load(
    [
      'suite: 1',
      'worlds: [isue-tracker]',
      'faults:',
      '  - tmeout',
      '  - {name: mine, faults: [{kind: error, phase: during}]}',
      'agents: [carefull, "scripted:none.jsonl", "cmd:say \\"hi"]',
      'trails: 2',
    ].join('\n'),
  );
  expect(suite.ok).toBe(false);
  if (suite.ok) return;
  expect(suite.error.code).toBe('usage/bad-argument');
  const lines = suite.error.message.replaceAll(`${folder}/`, '').split('\n');
  expect(lines[0]).toMatch(
    /^suite\.yaml:5:\d+ faults\[1\]\.faults\[0\]\.phase: .*"during"; wanted "before" or "after"/,
  );
  expect(lines[1]).toMatch(/^suite\.yaml:7:1 trails: unknown key `trails`; did you mean `trials`\?/);

  const later = load(
    'suite: 1\nworlds: [isue-tracker]\nfaults: [tmeout]\nagents: [carefull, "scripted:none.jsonl", "cmd:say \\"hi"]\n',
  );
  const messages = later.ok ? [] : later.error.message.replaceAll(`${folder}/`, '').split('\n');
  expect(messages).toHaveLength(5);
  expect(messages[0]).toMatch(/^suite\.yaml:2:10 worlds\[0\]: .*Did you mean issue-tracker\?/);
  expect(messages[1]).toMatch(/faults\[0\]: 'tmeout' is not a kind of fault; did you mean 'timeout'\?/);
  expect(messages[2]).toMatch(/agents\[0\]: 'carefull' is no agent; did you mean 'careful'\?/);
  expect(messages[3]).toMatch(/agents\[1\]: cannot read the script none\.jsonl \(ENOENT\)/);
  expect(messages[4]).toMatch(/agents\[2\]: a quote " is not closed/);
});

test('a plan has each clean run once, before what is compared with it, and lists what cannot strike', async () => {
  const suite = load(
    'suite: 1\nworlds: [issue-tracker]\nfaults: [timeout, partial-failure]\ntrials: 2\nseed: 5\nx-note: mine\n',
  );
  if (!suite.ok) throw suite.error;
  const plan = await planSuite(suite.value, '0.0.0');
  expect(plan.runs.map(({ id, seed }) => [id, seed])).toEqual([
    ['issue-tracker/clean/careless/1', 5],
    ['issue-tracker/timeout/careless/1', 5],
    ['issue-tracker/clean/careless/2', 6],
    ['issue-tracker/timeout/careless/2', 6],
    ['issue-tracker/clean/careful/1', 5],
    ['issue-tracker/timeout/careful/1', 5],
    ['issue-tracker/clean/careful/2', 6],
    ['issue-tracker/timeout/careful/2', 6],
  ]);
  expect(plan.notApplicable.map(({ world, faults }) => [world, faults])).toEqual([
    ['issue-tracker', 'partial-failure'],
  ]);
  expect((await planSuite(suite.value, '0.0.1')).header.fingerprint).not.toBe(plan.header.fingerprint);
});

test('nothing secret of a SPEC is kept', () => {
  expect(publicSpec('http:https://me:pw@host/agent?key=abc')).toBe('http:https://host/agent');
  expect(publicSpec('cmd:agent --api-key=sk-1234 --token abc {task}')).toBe(
    'cmd:agent --api-key=… --token … {task}',
  );
  expect(publicSpec(`cmd:agent -H "Authorization: Bearer abc.def" -k sk-${'a1'.repeat(12)} --n 3`)).toBe(
    'cmd:agent -H "Authorization: Bearer …" -k … --n 3',
  );
});

test('a command is cut into words without a shell, and what is filled in stays one word', () => {
  const words = commandWords(`agent --prompt {task} 'two words' "a \\"b\\" $HOME" back\\ slash`);
  if (!words.ok) throw new Error(words.error);
  const filled = words.value.map((word) => fillPlaceholders(word, { task: 'rm -rf / {token}; "x"' }));
  expect(filled).toEqual([
    'agent',
    '--prompt',
    'rm -rf / {token}; "x"',
    'two words',
    'a "b" $HOME',
    'back slash',
  ]);
});
