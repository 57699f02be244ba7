/**
 * Builds `dist` from `src`: type-checks, compiles, makes the command executable.
 *
 * The library is plain compiled modules. The command is bundled with what it needs into few files, because reading
 * some 470 modules was most of its start-up (decision 0005); the licences of what it holds lie beside it.
 *
 * The new build is made beside the old one and swapped in at the end, so that a failed build leaves no half of one
 * and a running program keeps its files for all but an instant. Compiled tests never enter `dist`
 * (`tsconfig.build.json` leaves them out), so what is here is what gets published.
 */
import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';

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

/** Bundles the compiled command and all it imports into `dist/cli`. */
async function bundleCommand() {
  const bundled = join(work, 'cli');
  // Optional peers are the user's own copies, looked up when they are needed.
  const { peerDependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const bundle = await rolldown({
    input: {
      main: join(fresh, 'cli', 'main.js'),
      // Bodies of threads, which the command finds beside its own files.
      ...Object.fromEntries(
        ['node', 'python'].map((kind) => [
          `${kind}/${kind}-worker`,
          join(fresh, 'guests', kind, `${kind}-worker.js`),
        ]),
      ),
    },
    platform: 'node',
    external: Object.keys(peerDependencies),
  });
  const { output } = await bundle.write({
    dir: bundled,
    format: 'esm',
    entryFileNames: '[name].js',
    chunkFileNames: '[name]-[hash].js',
  });
  await bundle.close();
  writeFileSync(join(bundled, 'THIRD-PARTY.txt'), licencesOf(output));
  rmSync(join(fresh, 'cli'), { recursive: true });
  renameSync(bundled, join(fresh, 'cli'));
}

/** The licence texts of all packages that have a module in the bundle; a package without one stops the build. */
function licencesOf(output) {
  const packages = new Set();
  for (const part of output) {
    for (const id of part.moduleIds ?? []) {
      const found = /^.*node_modules[\\/]((?:@[^\\/]+[\\/])?[^\\/]+)/.exec(id);
      if (found) packages.add(found[0]);
    }
  }
  return [...packages].sort().map(licenceOf).join('\n');
}

function licenceOf(directory) {
  const { name, version, license } = JSON.parse(readFileSync(join(directory, 'package.json'), 'utf8'));
  const file = readdirSync(directory).find((entry) => /^licen[cs]e/i.test(entry));
  if (!file) throw new Error(`${name} has no licence file, which must be packed with its code`);
  return `== ${name} ${version} (${license})\n\n${readFileSync(join(directory, file), 'utf8').trim()}\n`;
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
  if (compile()) {
    await bundleCommand();
    finish();
  } else fail('tsc found errors (above); dist is as it was');
} finally {
  rmSync(work, { recursive: true, force: true });
}
