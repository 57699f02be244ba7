/**
 * The package as a stranger has it: unpacked from its tarball, with only the declared dependencies beside it.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, resolve } from 'node:path';
import { publint } from 'publint';
import { expect, inject, test } from 'vitest';

const appDir = inject('appDir');
const packageDir = join(appDir, 'node_modules/umwelt');

interface Manifest {
  readonly version: string;
  readonly bin: Readonly<Record<string, string>>;
  readonly exports: Readonly<Record<string, string | Readonly<Record<string, string>>>>;
}
const manifest = JSON.parse(readFileSync(join(packageDir, 'package.json'), 'utf8')) as Manifest;
const typed = Object.keys(manifest.exports).filter((key) => typeof manifest.exports[key] === 'object');
/** Subpaths that are rooms. */
const rooms = typed.filter((key) => !/^\.\/testing\/./.test(key));
/** Subpaths that only add types to a test runner, which a consumer has who uses them. */
const runnerTypes = typed.filter((key) => !rooms.includes(key));

function node(...args: string[]): string {
  return execFileSync(process.execPath, args, { cwd: appDir, encoding: 'utf8' });
}

test('every subpath can be imported from plain JavaScript and exports something', () => {
  const names = rooms.map((key) => `umwelt${key.slice(1)}`);
  const script = `const counts = {};
    for (const name of ${JSON.stringify(names)}) counts[name] = Object.keys(await import(name)).length;
    console.log(JSON.stringify(counts));`;
  const counts = JSON.parse(node('--input-type=module', '-e', script)) as Record<string, number>;
  expect(Object.keys(counts)).toEqual(names);
  expect(Object.entries(counts).filter(([, count]) => count === 0)).toEqual([]);
});

test('subpaths that add types to a test runner can be imported, and load nothing', () => {
  expect(runnerTypes).toEqual(['./testing/vitest', './testing/jest']);
  const imports = runnerTypes.map((key) => `await import('umwelt${key.slice(1)}')`).join(', ');
  const script = `console.log(JSON.stringify([${imports}].map((door) => Object.keys(door))))`;
  expect(JSON.parse(node('--input-type=module', '-e', script))).toEqual([[], []]);
});

test('nothing but the declared subpaths can be imported', () => {
  const script = `import('umwelt/core/hash.js').then(() => console.log('open'), (e) => console.log(e.code));`;
  expect(node('--input-type=module', '-e', script).trim()).toBe('ERR_PACKAGE_PATH_NOT_EXPORTED');
});

test('a strict TypeScript consumer type-checks against every subpath', () => {
  const lines = rooms.map((key, index) => `import * as room${index} from 'umwelt${key.slice(1)}';`);
  const uses = `export const all: readonly object[] = [${rooms.map((_, index) => `room${index}`).join(', ')}];`;
  const source = `import { ok, type Result } from 'umwelt/core';
export const double = (value: number): Result<number, string> => ok(2 * value);
// @ts-expect-error a result is looked at before it is used
export const four: number = double(2).value;
`;
  mkdirSync(join(appDir, 'consumer'), { recursive: true });
  writeFileSync(join(appDir, 'consumer/all.ts'), `${lines.join('\n')}\n${uses}\n`);
  writeFileSync(join(appDir, 'consumer/typed.ts'), source);
  const compilerOptions = {
    module: 'NodeNext',
    moduleResolution: 'NodeNext',
    target: 'ES2023',
    strict: true,
    noEmit: true,
    types: [],
  };
  writeFileSync(join(appDir, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['consumer'] }));
  const require = createRequire(import.meta.url);
  const tsc = join(dirname(require.resolve('typescript/package.json')), 'bin/tsc');
  const checked = spawnSync(process.execPath, [tsc, '-p', appDir], { encoding: 'utf8' });
  expect({ said: checked.stdout, status: checked.status }).toEqual({ said: '', status: 0 });
});

test('the packed command runs and tells the packed version', () => {
  expect(node(join(packageDir, manifest.bin.umwelt ?? 'missing'), '--version').trim()).toBe(manifest.version);
});

test('the tarball holds the worlds and no tests, sources or build leftovers', () => {
  const files = readdirSync(packageDir, { recursive: true, encoding: 'utf8' });
  expect(files.filter((name) => /\.(test|contract)\.|^src|^test|\.tmp/.test(name))).toEqual([]);
  expect(files.filter((name) => name.endsWith('.ts') && !name.endsWith('.d.ts'))).toEqual([]);
  expect(files.filter((name) => /^worlds[\\/].*\.yaml$/.test(name)).length).toBeGreaterThanOrEqual(3);
  expect(existsSync(join(packageDir, 'LICENSE'))).toBe(true);
});

test('publint has no complaint about the package', async () => {
  const { messages } = await publint({ pkgDir: packageDir, strict: true });
  expect(messages.map((message) => `${message.code} ${message.path.join('.')}`)).toEqual([]);
});

test('a link to the command works, as npm makes it', () => {
  const link = join(appDir, 'umwelt-link');
  symlinkSync(resolve(packageDir, manifest.bin.umwelt ?? 'missing'), link);
  expect(node(link, '--version').trim()).toBe(manifest.version);
});
