/**
 * Dead exports. Run twice: with tests as users, where an export must be used by another file; and with
 * `--production`, without tests, where it must be used at all, so that nothing lives for its own test only.
 *
 * The doors of the rooms are entry points: what they export is public and listed in `test/exports.txt`.
 */
import type { KnipConfig } from 'knip';

const isProduction = process.argv.includes('--production');

const config: KnipConfig = {
  entry: [
    'src/*/index.ts!',
    'src/cli/main.ts!',
    // doors between the parts of the shell engine
    'src/engines/shell/*/index.ts!',
    'src/engines/shell/commands/table.ts!',
    'src/author/expand/expand-worker.ts!',
    // bodies of threads
    'src/guests/*/*-worker.ts!',
    'test/setup/typescript-threads.mjs',
    'test/setup/typescript-hooks.mjs',
    // doors of their own, for users of vitest and jest
    'src/testing/{vitest,jest}.ts!',
    'perf/*.mjs',
    'scripts/*.mjs',
  ],
  project: [
    'src/**/*.ts!',
    '!src/**/*.test.ts!',
    '!src/**/*.contract.ts!',
    'test/**/*.ts',
    'test/setup/*.mjs',
    'perf/**/*.mjs',
    'scripts/*.mjs',
  ],
  // Started as a program by a test; of an example that a test loads by its path.
  ignoreDependencies: ['@modelcontextprotocol/conformance'],
  // Programs that one test, a measurement and the recorder of shell cases use where they are there.
  ignoreBinaries: ['script', 'chroot', 'wrk', 'apt-get', 'prlimit'],
  ignoreExportsUsedInFile: isProduction ? true : { interface: true, type: true },
};

export default config;
