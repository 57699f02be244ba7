import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { emptyFolder, jsonLines, runUmwelt } from '../setup/run-umwelt.js';

const CLINIC = fileURLToPath(new URL('../fixtures/openapi/pet-clinic.yaml', import.meta.url));

test('a world from an OpenAPI document is written, told about, and plays at once', async () => {
  const cwd = emptyFolder();
  const ran = await runUmwelt(['world', 'from-openapi', CLINIC], { cwd });
  expect(ran.code).toBe(0);
  expect(ran.stdout).toContain('getPetById: get pets (by petId → id)');
  expect(ran.stderr).toContain('umwelt: #/servers: ignored: nothing is called');
  expect(ran.stderr).toContain('umwelt: taken of the examples: 2 rows of owners');
  const path = join(cwd, 'pet-clinic.yaml');
  expect(readFileSync(path, 'utf8')).toContain('# addPet is POST /pets');
  const input = '{"name":"getOwnerById","arguments":{"ownerId":1}}\n';
  const played = await runUmwelt(['play', path, '--actions', '-', '--json'], { input });
  const [turn] = jsonLines(played.stdout) as { observation: string }[];
  expect(JSON.parse(turn?.observation ?? '')).toEqual({ id: 1, name: 'Ines Falk', city: 'Bremen' });
  const shown = await runUmwelt(['world', 'show', path]);
  expect(shown.stdout).toMatch(/\nRows\n {2}owners: 2 rows\n {2}pets: 1 row\n/);
  const again = await runUmwelt(['world', 'from-openapi', CLINIC], { cwd });
  expect(again.code).toBe(2);
  expect(again.stderr).toContain('--force');
  const checked = await runUmwelt(['world', 'check', path, '--random', '5']);
  expect({ code: checked.code, stderr: checked.stderr }).toEqual({ code: 0, stderr: '' });
});

test('a tag chooses operations, and an unknown one is told with the known', async () => {
  const cwd = emptyFolder();
  const some = await runUmwelt(
    ['world', 'from-openapi', CLINIC, '--tag', 'pet', '--name', 'pets', '--json'],
    { cwd },
  );
  expect(jsonLines(some.stdout)).toMatchObject([{ name: 'pets', path: 'pets.yaml', tools: 1 }]);
  const none = await runUmwelt(['world', 'from-openapi', CLINIC, '--tag', 'cat'], { cwd });
  expect(none.code).toBe(2);
  expect(none.stderr).toContain('no operation has the tag "cat"; tags: owner, pet');
});

test('what is no such document leaves no file behind, and the document is never written over', async () => {
  const cwd = emptyFolder();
  const swagger = await runUmwelt(['world', 'from-openapi', '-'], { cwd, input: 'swagger: "2.0"\n' });
  expect(swagger.code).toBe(1);
  expect(swagger.stderr).toContain('standard input is Swagger "2.0"');
  expect(existsSync(join(cwd, 'api.yaml'))).toBe(false);
  const over = await runUmwelt(['world', 'from-openapi', CLINIC, '--out', CLINIC, '--force'], { cwd });
  expect(over.stderr).toContain('is the file that FILE is read from');
});

test('rows of a CSV file are checked by world check and counted by world show', async () => {
  const cwd = emptyFolder();
  const world = `world: 1
name: shelf
domain: mcp
state: {data: {books: {from: books.csv}}}
tools:
  - {name: list_books, inputSchema: {type: object, properties: {}}}
  - {name: add_book, inputSchema: {type: object, required: [title], properties: {title: {type: string}, copies: {type: integer}}}}
`;
  writeFileSync(join(cwd, 'shelf.yaml'), world);
  writeFileSync(join(cwd, 'books.csv'), 'id;title;copies\n007;Deep Water;2\n008;"High; Ground";\n');
  const shown = await runUmwelt(['world', 'show', './shelf.yaml', '--json'], { cwd });
  expect(jsonLines(shown.stdout)).toMatchObject([{ rows: { books: { rows: 2, given: true } } }]);
  writeFileSync(join(cwd, 'books.csv'), 'id;title;copies\n007;Deep Water;two\n007;;1\n');
  const checked = await runUmwelt(['world', 'check', './shelf.yaml'], { cwd });
  expect(checked.code).toBe(1);
  expect(checked.stdout).toContain(
    'books.csv:2:16 state.data.books[0].copies: is "two"; wanted a whole number',
  );
  expect(checked.stdout).toContain(
    'books.csv:3:1 state.data.books[1]: has no title, which is required in books',
  );
  expect(checked.stdout).toContain('row 0 of books has the same id');
});
