import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { findWorld, listWorlds } from './find-world.js';

const folder = mkdtempSync(join(tmpdir(), 'umwelt-find-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const text = (title: string): string => `world: 1\nname: mine\ndomain: terminal\ntitle: ${title}\n`;
mkdirSync(join(folder, 'deep'));
writeFileSync(join(folder, 'mine.yaml'), text('first'));
writeFileSync(join(folder, 'deep', 'below.yml'), text('below'));
writeFileSync(join(folder, 'deep', 'rows.jsonl'), '');
writeFileSync(join(folder, 'issue-tracker.yaml'), text('own tracker'));

test('folders of the user come before the packaged catalogue', () => {
  const mine = listWorlds({ directories: [folder] }).filter(({ path }) => path.startsWith(folder));
  expect(mine).toEqual([
    { name: 'below', path: join(folder, 'deep', 'below.yml') },
    { name: 'issue-tracker', path: join(folder, 'issue-tracker.yaml') },
    { name: 'mine', path: join(folder, 'mine.yaml') },
  ]);
  const found = findWorld('issue-tracker', { directories: [folder] });
  expect(found.ok && found.value.title).toBe('own tracker');
});

test('a world below the folder is found by name, and any file by path', () => {
  const below = findWorld('below', { directories: [folder] });
  expect(below.ok && [below.value.title, below.value.path]).toEqual([
    'below',
    join(folder, 'deep', 'below.yml'),
  ]);
  const byPath = findWorld(join(folder, 'mine.yaml'));
  expect(byPath.ok && byPath.value.title).toBe('first');
});

test('a folder that does not exist has no worlds, and a name cannot climb out of a folder', () => {
  expect(listWorlds({ directories: [join(folder, 'none')] })).toEqual(listWorlds());
  const climbed = findWorld('../mine', { directories: [join(folder, 'deep')] });
  expect(climbed.ok ? 'ok' : climbed.error.code).toBe('world/not-found');
});
