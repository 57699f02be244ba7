/**
 * Two groups of tests: those that read or run the source, and those of the whole package under `test/`, which run
 * against the built and packed package (made once by the global setup, only when one of them runs).
 *
 * Files share their worker's modules, since loading these anew for each file took as long as the tests; so no test may
 * leave behind a changed global, variable of the environment or clock. By itself vitest leaves one core idle.
 */
import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    isolate: false,
    maxWorkers: availableParallelism(),
    testTimeout: 90_000,
    hookTimeout: 120_000,
    setupFiles: ['test/setup/property-seed.ts'],
    // Threads with interpreters in them read the source too.
    execArgv: ['--import', new URL('test/setup/typescript-threads.mjs', import.meta.url).href],
    projects: [
      {
        extends: true,
        test: {
          name: 'rooms',
          include: ['src/**/*.test.ts', 'test/architecture.test.ts'],
          globalSetup: ['test/setup/temporary-folder.ts'],
        },
      },
      {
        extends: true,
        test: {
          name: 'package',
          include: ['test/**/*.test.ts'],
          exclude: ['test/architecture.test.ts'],
          globalSetup: ['test/setup/temporary-folder.ts', 'test/setup/installed-package.ts'],
          testTimeout: 180_000,
        },
      },
    ],
  },
});
