/**
 * The files of this package that are no code: where they lie, and the version that its package.json gives.
 *
 * The command is bundled into one folder, so a path is the same from the source and from the bundle only in files
 * that lie directly in `src/cli`. Every such path is therefore made here.
 */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** The absolute path of a file of the package, given relative to its root, for example `world.schema.json`. */
export function packageFile(path: string): string {
  return fileURLToPath(new URL(`../../${path}`, import.meta.url));
}

/** The version, for example `0.1.0`. */
export function packageVersion(): string {
  return (JSON.parse(readFileSync(packageFile('package.json'), 'utf8')) as { version: string }).version;
}
