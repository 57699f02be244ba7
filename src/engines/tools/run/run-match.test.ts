import { expect, test } from 'vitest';
import type { JsonObject } from '../../../core/index.js';
import { drive, toolCall } from '../../engine.contract.js';
import { collection, engineOf, field, type TestTool, testWorld } from '../engine-worlds.contract.js';

const any = { type: 'object' };

function open(tools: readonly TestTool[]) {
  const world = testWorld({
    collections: [
      collection('folders', [field('id')], { idStyle: { kind: 'given' } }),
      collection(
        'files',
        [field('path'), field('size'), field('day'), field('folder_id', { refersTo: 'folders' })],
        {
          idStyle: { kind: 'given' },
          key: ['path'],
        },
      ),
      collection('profiles', [field('id'), field('name')], {
        idStyle: { kind: 'number', start: 1 },
        singleton: true,
      }),
    ],
    tools: tools.map((tool) => ({ schema: any, ...tool })),
    data: {
      folders: [{ id: 'f1' }],
      files: [
        { path: 'a.txt', size: 5, day: '2024-01-01', folder_id: 'f1' },
        { path: 'src/b.txt', size: 50, day: '2024-01-31T12:00:00Z' },
        { path: 'src/deep/c.txt', size: 500, day: '2024-02-01' },
        { path: 'srcs/d.txt', size: 7 },
      ],
      profiles: [{ id: 1, name: 'Ada' }],
    },
  });
  const session = engineOf(world).open(world.spec, 1);
  return (name: string, args: JsonObject = {}): unknown => {
    const answer = drive(session, toolCall(name, args)).answer;
    return answer?.isError === true ? answer.text.text : JSON.parse(answer?.text.text ?? '');
  };
}

const paths = (listed: unknown): unknown => (listed as { files: JsonObject[] }).files.map((row) => row.path);

test('a folder holds what lies in it, directly or at any depth; one that is not there is an error', () => {
  const under = (deep: boolean): TestTool['plan'] => ({
    op: 'list',
    collection: 'files',
    under: { argument: 'path', deep },
  });
  const call = open([
    { name: 'list', plan: under(false) },
    { name: 'tree', plan: under(true) },
  ]);
  expect(paths(call('list', { path: 'src' }))).toEqual(['src/b.txt']);
  expect(paths(call('tree', { path: './src/' }))).toEqual(['src/b.txt', 'src/deep/c.txt']);
  expect(paths(call('list', { path: '.' }))).toEqual(['a.txt']);
  expect(call('list', { path: 'nowhere' })).toBe('No such directory: nowhere');
});

test('bounds take numbers and days, the upper day with its times, and rows without the field stay out', () => {
  const call = open([
    {
      name: 'find',
      plan: {
        op: 'list',
        collection: 'files',
        ranges: {
          since: { field: 'day', test: 'min' },
          until: { field: 'day', test: 'max' },
          largest: { field: 'size', test: 'max' },
        },
      },
    },
  ]);
  expect(paths(call('find', { since: '2024-01-02', until: '2024-01-31' }))).toEqual(['src/b.txt']);
  expect(paths(call('find', { largest: 50 }))).toEqual(['a.txt', 'src/b.txt', 'srcs/d.txt']);
});

test('a tool can mean all matching rows, or rows in one state', () => {
  const call = open([
    {
      name: 'clear',
      plan: { op: 'update', collection: 'files', all: true, filters: { size: 'size' }, sets: { size: 0 } },
    },
    { name: 'purge', plan: { op: 'delete', collection: 'files', all: true, where: { size: 0 } } },
    { name: 'empty', plan: { op: 'count', collection: 'files', where: { size: 0 } } },
    { name: 'count', plan: { op: 'count', collection: 'files' } },
  ]);
  expect(paths(call('clear', { size: [5, 7] }))).toEqual(['a.txt', 'srcs/d.txt']);
  expect(call('empty')).toEqual({ total: 2 });
  expect(call('purge')).toEqual({ deleted: 2 });
  expect(call('count')).toEqual({ total: 2 });
});

test('the one row of a singleton needs no name', () => {
  const call = open([
    { name: 'me', plan: { op: 'get', collection: 'profiles' } },
    { name: 'rename', plan: { op: 'update', collection: 'profiles', writes: { name: 'name' } } },
  ]);
  expect(call('me')).toEqual({ id: 1, name: 'Ada' });
  expect(call('rename', { name: 'Bo' })).toEqual({ id: 1, name: 'Bo' });
});

test('a list inside a thing that is not there is an error where the tool requires the thing', () => {
  const plan = { op: 'list', collection: 'files', filters: { folder: 'folder_id' } } as const;
  const call = open([
    { name: 'needs', schema: { type: 'object', required: ['folder'] }, plan },
    { name: 'may', plan },
  ]);
  expect(call('needs', { folder: 'f9' })).toBe('Folder not found: f9 (argument `folder`)');
  expect(paths(call('needs', { folder: 'f1' }))).toEqual(['a.txt']);
  expect(call('may', { folder: 'f9' })).toEqual({ files: [], total: 0 });
});
