/**
 * The house rules as tests: layers, doors, sizes, names, purity, documentation, and the exports on purpose.
 *
 * An export list changes on purpose only: `npx vitest run test/architecture.test.ts -u`, and look at the diff.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { readSourceTree, resolveImport, type SourceFile } from './setup/source-tree.js';

/** Layer of each room; imports go strictly down. `testing` stands beside them: only tests import it. */
const LAYERS: Readonly<Record<string, number>> = {
  core: 0,
  client: 1,
  domains: 1,
  guests: 1,
  rules: 1,
  text: 1,
  engines: 2,
  model: 2,
  control: 2,
  judge: 3,
  worlds: 3,
  sim: 4,
  bench: 5,
  capture: 5,
  data: 5,
  server: 5,
  author: 6,
  stress: 6,
  cli: 7,
  testing: 8,
};
/** Rooms that must give the same bytes everywhere: no platform, clock or chance of their own. */
const PURE = ['core', 'domains', 'rules', 'text', 'engines', 'control'];
const BANNED_NAMES = /(^|[/.-])(utils?|helpers?|common|misc|managers?|base)(?=[/.-]|$)/;
const KEBAB = /^([a-z0-9]+(-[a-z0-9]+)*\/)*[a-z0-9]+(-[a-z0-9]+)*(\.contract)?(\.test)?\.ts$/;
const IMPURE =
  /^(Date\.now|new Date\(\)|Date|Math\.random|(performance|process|crypto)\.\w+|setTimeout|setInterval|fetch)$/;
const LOCALE = /(\.localeCompare|\.toLocale\w+|^(new )?Intl\.\w+(\(\))?)$/;
const FOREIGN_CODE = /^(eval|Function|new Function(\(\))?|vm\.\w+)$/;

const files = readSourceTree();
const sources = files.filter((file) => !file.isTest);
const rooms = [...new Set(files.map((file) => file.room))].sort();
const pure = sources.filter((file) => PURE.includes(file.room));

/** Every relative import of a file that leaves its room, as `room/…` paths. */
function foreignImports(file: SourceFile): string[] {
  const local = file.imports.filter((specifier) => specifier.startsWith('.'));
  return local
    .map((specifier) => resolveImport(file.path, specifier))
    .filter((path) => path.split('/')[0] !== file.room);
}

/** Everything a file exports, with what it takes in by `export *`. */
function exportsThrough(path: string, seen: Set<string> = new Set()): string[] {
  if (seen.has(path)) return [];
  seen.add(path);
  const file = files.find((one) => one.path === path);
  if (file === undefined) return [`missing file ${path}`];
  return [
    ...file.exports.map((one) => one.name),
    ...file.reexports.flatMap((from) => exportsThrough(from, seen)),
  ];
}

test('every room has a layer, and every room but the command line has one door', () => {
  expect(rooms.filter((room) => LAYERS[room] === undefined)).toEqual([]);
  const doors = rooms.filter((room) => files.some((file) => file.path === `${room}/index.ts`));
  expect(doors).toEqual(rooms.filter((room) => room !== 'cli'));
});

test('imports go strictly down the layers', () => {
  const climbing = sources.flatMap((file) =>
    foreignImports(file)
      .filter((path) => (LAYERS[path.split('/')[0] ?? ''] ?? 99) >= (LAYERS[file.room] ?? -1))
      .map((path) => `${file.path} imports ${path}`),
  );
  expect(climbing).toEqual([]);
});

test('a room is entered through its index file only', () => {
  const sideways = files.flatMap((file) =>
    foreignImports(file)
      .filter((path) => !/^[a-z]+\/index\.ts$/.test(path))
      .map((path) => `${file.path} imports ${path}`),
  );
  expect(sideways).toEqual([]);
});

test('files have at most 500 lines and functions at most 100', () => {
  expect(files.filter((file) => file.lines > 500).map((file) => `${file.path}: ${file.lines}`)).toEqual([]);
  const long = sources.flatMap((file) =>
    file.functions.filter((one) => one.lines > 100).map((one) => `${file.path} ${one.at}: ${one.lines}`),
  );
  expect(long).toEqual([]);
});

test('file names are kebab-case and say what is inside', () => {
  expect(files.map((file) => file.path).filter((path) => !KEBAB.test(path))).toEqual([]);
  expect(files.map((file) => file.path).filter((path) => BANNED_NAMES.test(path))).toEqual([]);
});

test('pure rooms use no platform module, clock, chance or locale', () => {
  const builtins = pure.flatMap((file) =>
    file.imports.filter((name) => name.startsWith('node:')).map((name) => `${file.path}: ${name}`),
  );
  expect(builtins).toEqual([]);
  const calls = pure.flatMap((file) =>
    file.calls
      .filter((name) => IMPURE.test(name) || LOCALE.test(name))
      .map((name) => `${file.path}: ${name}`),
  );
  expect(calls).toEqual([]);
});

test('nothing turns text into code', () => {
  const found = sources.flatMap((file) =>
    file.calls.filter((name) => FOREIGN_CODE.test(name)).map((name) => `${file.path}: ${name}`),
  );
  expect(found).toEqual([]);
});

test('every file opens with a comment and every exported declaration has a docstring', () => {
  const silent = sources.filter((file) => !/^(#![^\n]*\n)?\/\*\*/.test(file.text)).map((file) => file.path);
  expect(silent).toEqual([]);
  const bare = sources.flatMap((file) =>
    file.exports.filter((one) => !one.documented).map((one) => `${file.path}: ${one.name}`),
  );
  expect(bare).toEqual([]);
});

test('there are no default exports', () => {
  const found = files.filter((file) => file.exports.some((one) => one.name === 'default'));
  expect(found.map((file) => file.path)).toEqual([]);
});

test('the exports of each room are the ones in exports.txt', async () => {
  const lists = rooms
    .filter((room) => room !== 'cli')
    .map(
      (room) =>
        `${room}\n${exportsThrough(`${room}/index.ts`)
          .sort()
          .map((name) => `  ${name}\n`)
          .join('')}`,
    );
  await expect(lists.join('\n')).toMatchFileSnapshot('exports.txt');
});

test("the README's list of rooms is the list of folders in src", () => {
  const readme = readFileSync(fileURLToPath(new URL('../README.md', import.meta.url)), 'utf8');
  const listed = [...readme.matchAll(/^\| `([a-z]+)` \|/gm)].map((match) => match[1] ?? '');
  const folders = readdirSync(fileURLToPath(new URL('../src', import.meta.url)));
  expect(listed.sort()).toEqual(folders.sort());
});
