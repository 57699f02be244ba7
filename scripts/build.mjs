/**
 * Builds `dist` from `src`: type-checks, compiles, makes the command executable.
 *
 * The new build is made beside the old one and swapped in at the end, so that a failed build leaves no half of one
 * and a running program keeps its files for all but an instant. Compiled tests never enter `dist`
 * (`tsconfig.build.json` leaves them out), so what is here is what gets published.
 */
import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const work = join(root, '.tmp', `build-${process.pid}`);
const fresh = join(work, 'dist');
const dist = join(root, 'dist');

function fail(message) {
  console.error(`build: ${message}`);
  process.exitCode = 1;
}

function compile() {
  const tsc = join(dirname(createRequire(import.meta.url).resolve('typescript/package.json')), 'bin', 'tsc');
  const run = spawnSync(process.execPath, [tsc, '-p', 'tsconfig.build.json', '--outDir', fresh], {
    cwd: root,
    stdio: 'inherit',
  });
  return run.status === 0;
}

function finish() {
  const main = join(fresh, 'cli', 'main.js');
  if (!existsSync(main))
    return fail('src/cli/main.ts gave no dist/cli/main.js, which package.json names as bin');
  if (!readFileSync(main, 'utf8').startsWith('#!/usr/bin/env node\n')) {
    return fail('dist/cli/main.js does not start with "#!/usr/bin/env node"; a shell could not start it');
  }
  chmodSync(main, 0o755);
  const old = join(work, 'old');
  if (existsSync(dist)) renameSync(dist, old);
  renameSync(fresh, dist);
}

mkdirSync(work, { recursive: true });
try {
  if (compile()) finish();
  else fail('tsc found errors (above); dist is as it was');
} finally {
  rmSync(work, { recursive: true, force: true });
}
