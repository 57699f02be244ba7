import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { openEpisode } from '../sim/index.js';
import { testCall as call } from '../testing/index.js';
import { listWorlds } from './find-world.js';
import { loadWorldFile } from './load-world.js';
import { mergePatch } from './merge-patch.js';

const folder = mkdtempSync(join(tmpdir(), 'umwelt-parts-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
mkdirSync(join(folder, '_parts'));

function written(name: string, text: string): string {
  writeFileSync(join(folder, name), text);
  return join(folder, name);
}

written(
  '_parts/tools.yaml',
  `- {name: search_notes, inputSchema: {type: object, properties: {query: {type: string}}}}
- {name: add_note, inputSchema: {type: object, required: [text], properties: {text: {type: string}}}}
`,
);
written('_parts/entities.yaml', 'notes: {key: id, id: {style: number}, fields: {at: {initial: 5}}}\n');
written(
  '_parts/overrides.yaml',
  `search_notes:
  op: search
  collection: notes
  sort: -at
  operators: {before: "row.at < int(args.value)", tag: "args.value in row.tags"}
add_note: {op: create, collection: notes}
`,
);
written('_parts/rules.yaml', '- {on: add_note, require: "args.text != \'\'", error: no text}\n');
written('_parts/success.yaml', '- {id: one, expr: size(state.data.notes) == 4}\n');
written('_parts/a.jsonl', '{"id":1,"text":"blue door","at":1,"tags":["x"]}\n');
written('_parts/b.json', '[{"id":2,"text":"blue lamp","at":3,"tags":[]}]');

const WORLD = `world: 1
name: parts
domain: mcp
strict: true
tools: {from: _parts/tools.yaml}
entities:
  from: _parts/entities.yaml
  notes: {fields: {at: {initial: 7}}}
overrides: {from: [_parts/overrides.yaml]}
rules:
  from: _parts/rules.yaml
  also: [{on: add_note, require: size(args.text) < 20, error: too long}]
state:
  data:
    notes:
      from: [_parts/a.jsonl, _parts/b.json]
      also: [{id: 3, text: red door, at: 2, tags: [x, y]}]
success:
  from: _parts/success.yaml
  also:
    - id: added
      expr: changes(start.data.notes, state.data.notes, "id").added.map(n, n.at) == [7]
    - id: nothing-else
      expr: changes(start.data.notes, state.data.notes, "id").changed == []
`;

async function idsFound(query: string): Promise<unknown> {
  const world = loadWorldFile(join(folder, 'parts.yaml'));
  if (!world.ok) throw world.error;
  const episode = await openEpisode(world.value);
  const found = JSON.parse((await episode.step(call('search_notes', { query }))).observation ?? '');
  return found.notes.map(({ id }: { id: number }) => id);
}

test('a world takes tools, entities, overrides, rules, rows and success from files, and corrects them', async () => {
  const world = loadWorldFile(written('parts.yaml', WORLD));
  if (!world.ok) throw world.error;
  const { file } = world.value;
  expect(file.entities).toEqual({
    notes: { key: 'id', id: { style: 'number' }, fields: { at: { initial: 7 } } },
  });
  expect(file.rules.map(({ error }) => error)).toEqual(['no text', 'too long']);
  expect(file.success.map(({ id }) => id)).toEqual(['one', 'added', 'nothing-else']);
  expect(world.value.spec?.data.notes?.map(({ id }) => id)).toEqual([1, 2, 3]);
  const episode = await openEpisode(world.value);
  await episode.step(call('add_note', { text: 'a text that is much too long' }));
  await episode.step(call('add_note', { text: 'green' }));
  const end = await episode.finish();
  expect(end.score).toMatchObject({ status: 'scored', fraction: 1 });
});

test('rows are searched by the operators of the world, turned round by a minus, in the order that it says', async () => {
  written('parts.yaml', WORLD);
  expect(await idsFound('')).toEqual([2, 3, 1]);
  expect(await idsFound('blue')).toEqual([2, 1]);
  expect(await idsFound('door')).toEqual([3, 1]);
  expect(await idsFound('before:3')).toEqual([3, 1]);
  expect(await idsFound('-blue')).toEqual([3]);
  expect(await idsFound('tag:x -tag:y')).toEqual([1]);
  expect(await idsFound('-"blue door" -tag:y')).toEqual([2]);
  expect(await idsFound('lamp OR tag:y')).toEqual([2, 3]);
  expect(await idsFound('door -red OR lamp')).toEqual([1]);
  expect(await idsFound('lamp or tag:y')).toEqual([]);
});

test('problems point into the file, the correction or the further item that they are in', () => {
  const bad = WORLD.replace('initial: 7', 'initail: 7')
    .replace('size(args.text) < 20', 'size(arg.text) < 20')
    .replace('id: 3,', 'id: 2,');
  written('_parts/rules.yaml', '- {on: add_note, require: "args.text !", error: no text}\n');
  written('_parts/overrides.yaml', 'search_notes: {op: serch, collection: notes}\nadd_note: {op: create}\n');
  const result = loadWorldFile(written('bad.yaml', bad));
  const places = result.ok
    ? []
    : (result.error.data.problems as { file?: string; line: number; path: string }[]);
  expect(places.map(({ file, line, path }) => [file ?? 'bad.yaml', line, path])).toEqual([
    ['_parts/overrides.yaml', 1, 'overrides.search_notes.op'],
    ['_parts/rules.yaml', 1, 'rules[0].require'],
    ['bad.yaml', 8, 'entities.notes.fields.at.initail'],
    ['bad.yaml', 12, 'rules[1].require'],
    ['bad.yaml', 17, 'state.data.notes[2].id'],
  ]);
  const missing = loadWorldFile(written('missing.yaml', WORLD.replace('_parts/b.json', '_parts/c.json')));
  expect(missing.ok ? '' : missing.error.message).toContain(
    'state.data.notes.from[1]: _parts/c.json does not exist',
  );
});

test('all collections may stand in one file, and a world adds rows to one of them', () => {
  written('_parts/data.yaml', 'notes: {from: _parts/a.jsonl}\ndoors: [{id: d}]\n');
  const head = WORLD.slice(0, WORLD.indexOf('state:'));
  const state =
    'state:\n  data:\n    from: _parts/data.yaml\n    notes: {also: [{id: 9, text: x, at: 1, tags: []}]}\n';
  written('_parts/rules.yaml', '- {on: add_note, require: "args.text != \'\'", error: no text}\n');
  written('_parts/overrides.yaml', 'search_notes: {op: search, collection: notes}\n');
  const world = loadWorldFile(written('all.yaml', head + state));
  if (!world.ok) throw world.error;
  expect(world.value.spec?.data.notes?.map(({ id }) => id)).toEqual([1, 9]);
  expect(world.value.spec?.data.doors).toEqual([{ id: 'd' }]);
  const bad = loadWorldFile(written('all.yaml', head + state.replace('id: 9', 'id: 1')));
  const places = bad.ok ? [] : (bad.error.data.problems as { line: number; path: string }[]);
  expect(places.map(({ line, path }) => [line, path])).toEqual([[16, 'state.data.notes[1].id']]);
});

test('folders that start with an underscore hold no worlds', () => {
  written('_parts/not-a-world.yaml', 'world: 1\n');
  const mine = listWorlds({ directories: [folder] }).filter(({ path }) => path.startsWith(folder));
  expect(mine.map(({ name }) => name)).not.toContain('not-a-world');
});

test('a merge patch merges objects, replaces other values and takes away what is null', () => {
  const target = { a: { b: 1, c: [1] }, d: 'x', e: null };
  const patch = { a: { b: null, c: [2], n: { deep: null } }, d: { y: 1 }, z: null };
  expect(mergePatch(target, patch)).toEqual({ a: { c: [2], n: {} }, d: { y: 1 }, e: null });
  expect(mergePatch('text', { a: null })).toEqual({});
});
