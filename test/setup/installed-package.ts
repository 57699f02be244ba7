/**
 * Builds, packs and installs the package once, as a user would have it: a folder whose `node_modules` holds the
 * unpacked tarball and links to the declared dependencies and optional peers only. No network, so an undeclared import fails here.
 */
import { execFileSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { TestProject } from 'vitest/node';

declare module 'vitest' {
  interface ProvidedContext {
    /** A folder with `node_modules/umwelt`, unpacked from the tarball. */
    appDir: string;
  }
}

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** Newest change of a path or anything below it (a removed file changes its folder), milliseconds since 1970. */
function newestMs(path: string): number {
  const info = statSync(path);
  if (!info.isDirectory()) return info.mtimeMs;
  return Math.max(info.mtimeMs, ...readdirSync(path).map((name) => newestMs(join(path, name))));
}

function buildIfStale(): void {
  const main = join(ROOT, 'dist/cli/main.js');
  const sources = ['src', 'tsconfig.json', 'tsconfig.build.json', 'scripts/build.mjs'];
  const newest = Math.max(...sources.map((name) => newestMs(join(ROOT, name))));
  if (existsSync(main) && statSync(main).mtimeMs >= newest) return;
  execFileSync(process.execPath, [join(ROOT, 'scripts/build.mjs')], { cwd: ROOT, stdio: 'inherit' });
}

function pack(into: string): string {
  const args = ['pack', '--ignore-scripts', '--json', '--pack-destination', into];
  const printed = execFileSync('npm', args, {
    cwd: ROOT,
    encoding: 'utf8',
    shell: process.platform === 'win32',
  });
  const [entry] = Object.values(JSON.parse(printed) as Record<string, { filename: string }>);
  if (entry === undefined) throw new Error(`npm pack named no file: ${printed}`);
  return join(into, entry.filename);
}

function linkDependencies(nodeModules: string): void {
  const manifest = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
    dependencies: Record<string, string>;
    peerDependencies: Record<string, string>;
  };
  // What a user adds for one feature is there as well; its absence is a case of its own.
  for (const name of Object.keys({ ...manifest.dependencies, ...manifest.peerDependencies })) {
    const link = join(nodeModules, name);
    mkdirSync(dirname(link), { recursive: true });
    symlinkSync(resolve(ROOT, 'node_modules', name), link, 'junction');
  }
}

/** Vitest calls this once before the package tests; what it returns removes the folder. */
export default function setup(project: TestProject): () => void {
  buildIfStale();
  const appDir = mkdtempSync(join(tmpdir(), 'umwelt-app-'));
  const target = join(appDir, 'node_modules/umwelt');
  mkdirSync(target, { recursive: true });
  execFileSync('tar', ['-xzf', pack(appDir), '-C', target, '--strip-components=1']);
  // A package of its own, so that nothing is looked up in the folders above.
  writeFileSync(join(appDir, 'package.json'), '{"type":"module","private":true}\n');
  linkDependencies(join(appDir, 'node_modules'));
  project.provide('appDir', appDir);
  return () => rmSync(appDir, { recursive: true, force: true });
}
