/**
 * Bundles this room's child script for tests that need a real second process. Test code only.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'vite';
import { onTestFinished } from 'vitest';

/** A new empty folder that is removed when the running test has finished. */
export function testFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'umwelt-sim-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Builds `child-script.contract.ts` with all it imports into one file in a new folder. */
export async function buildChild(): Promise<{ readonly script: string; readonly folder: string }> {
  const folder = testFolder();
  await build({
    configFile: false,
    logLevel: 'error',
    ssr: { noExternal: true },
    build: {
      ssr: fileURLToPath(new URL('./child-script.contract.ts', import.meta.url)),
      outDir: folder,
      emptyOutDir: false,
      rollupOptions: { output: { entryFileNames: 'child.mjs', format: 'es' } },
    },
  });
  return { script: join(folder, 'child.mjs'), folder };
}
