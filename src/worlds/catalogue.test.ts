import { readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { expect, test } from 'vitest';
import { renderJson } from '../core/index.js';
import { findWorld, listWorlds } from './find-world.js';
import { worldJsonSchema } from './json-schema.js';
import { parseSource } from './source-document.js';

test('every catalogue world loads without warnings, and its file has its name', () => {
  for (const { name, path } of listWorlds()) {
    const result = findWorld(path);
    if (!result.ok) throw result.error;
    expect([result.value.name, result.value.warnings]).toEqual([name, []]);
  }
});

test('the catalogue has its tool worlds', () => {
  const names = listWorlds().map(({ name }) => name);
  expect(names).toEqual(expect.arrayContaining(['calendar-conflicts', 'issue-tracker', 'shop-refunds']));
});

test('a world is found by name, and an unknown name gets the nearest', () => {
  const found = findWorld('issue-tracker');
  expect(found.ok && found.value.name).toBe('issue-tracker');
  const unknown = findWorld('isue-tracker');
  if (unknown.ok) throw new Error('found');
  expect([unknown.error.code, unknown.error.data.nearest]).toEqual(['world/not-found', 'issue-tracker']);
  expect(findWorld('').ok).toBe(false);
});

test('the published JSON schema is up to date (npx vitest run src/worlds -u, or node scripts/world-schema.mjs)', async () => {
  const text = `${renderJson(worldJsonSchema(), 2)}\n`;
  await expect(text).toMatchFileSnapshot('../../world.schema.json');
});

test('the published JSON schema accepts the catalogue and refuses mistakes', () => {
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  addFormats.default(ajv);
  const validate = ajv.compile(worldJsonSchema());
  for (const { path } of listWorlds()) {
    const text = readFileSync(path, 'utf8');
    expect(text.startsWith('# yaml-language-server: $schema=')).toBe(true);
    const source = parseSource(text);
    if (!source.ok) throw new Error(path);
    validate(source.value.json);
    expect([path, validate.errors ?? []]).toEqual([path, []]);
  }
  const base = { world: 1, name: 'a', domain: 'mcp', tools: { from: 'tools.json' } };
  const says = (more: object): unknown[] => {
    validate({ ...base, ...more });
    return (validate.errors ?? []).map(({ keyword, instancePath }) => `${instancePath} ${keyword}`);
  };
  expect(says({ 'x-own': 1, state: { 'x-own': 1, data: { a: { from: 'a.jsonl' } } } })).toEqual([]);
  expect(says({ sucess: [] })).toEqual([' additionalProperties']);
  expect(says({ state: { clok: 1 } })).toContain('/state additionalProperties');
  expect(says({ domain: 'terminal', state: { cwd: '/' } })).toEqual([]);
  expect(says({ world: 2 })).toEqual(['/world const']);
});
