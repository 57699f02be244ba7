/**
 * The end of every command that makes a world: write the file, say what was inferred, say how to play it.
 *
 * The file is new or nothing: without `--force` a file that is there is never touched.
 */
import { statSync, writeFileSync } from 'node:fs';
import { DataError, type Json, renderJson, UsageError } from '../core/index.js';
import { describeService, inferService } from '../engines/index.js';
import type { World } from '../worlds/index.js';
import { reasonOf } from './named-file.js';
import { type Output, visible } from './output.js';

/** Writes the file; raises `usage/bad-argument` for one that is there, unless `force`. */
export function writeNewWorld(path: string, text: string, force: boolean): void {
  try {
    writeFileSync(path, text, { flag: force ? 'w' : 'wx' });
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'EEXIST') {
      if (statSync(path).isDirectory())
        throw new UsageError(`${path} is a folder; --out wants a file`, { code: 'usage/bad-argument' });
      throw new UsageError(`${path} is there already; --force replaces it, --out names another file`, {
        code: 'usage/bad-argument',
        data: { path },
      });
    }
    throw new DataError(`cannot write ${path} (${reasonOf(cause)})`, { code: 'data/unreadable', cause });
  }
}

/** Prints what the engine makes of a new world, and how to play it. */
export function reportNewWorld(world: World, path: string, output: Output): void {
  const service = world.spec === null ? null : inferService(world.spec);
  const tools = world.file.tools?.length ?? 0;
  if (output.json) {
    const facts = { name: world.name, path, hash: world.hash, tools, service };
    output.line(renderJson(facts as unknown as Json));
    return;
  }
  if (service !== null) output.line(visible(describeService(service)));
  output.line(`\nWrote ${visible(path)}. Play it: umwelt play ${playable(path)}`);
}

/** A path that `play` takes for a path, also without a slash. */
function playable(path: string): string {
  return /[\\/]|\.(ya?ml|json)$/.test(path) ? visible(path) : `./${visible(path)}`;
}
