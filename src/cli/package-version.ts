/**
 * The version of this package, read from its own package.json.
 */
import { readFileSync } from 'node:fs';

/** The version, for example `0.1.0`. */
export function packageVersion(): string {
  const text = readFileSync(new URL('../../package.json', import.meta.url), 'utf8');
  return (JSON.parse(text) as { version: string }).version;
}
