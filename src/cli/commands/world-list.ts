/**
 * `umwelt world list`: the worlds of the catalogue, each loaded, so that what is listed plays.
 *
 * A file that does not load is listed with its problem, and the exit code is 1.
 */
import { findWorld, listWorlds, type WorldEntry } from '../../worlds/index.js';
import type { CommandInput } from '../command.js';
import { EXIT } from '../failure.js';
import { type Output, visible } from '../output.js';

/** Runs the command. */
export async function run({ output }: CommandInput): Promise<number> {
  const entries = listWorlds();
  const width = Math.max(0, ...entries.map((entry) => entry.name.length));
  let broken = 0;
  for (const entry of entries) if (!printEntry(entry, width, output)) broken++;
  if (entries.length === 0) output.note('the catalogue is empty: the package is not whole, install it again');
  return broken > 0 || entries.length === 0 ? EXIT.failed : EXIT.done;
}

/** Prints one world; false if it does not load. */
function printEntry(entry: WorldEntry, width: number, output: Output): boolean {
  const { name, path } = entry;
  const found = findWorld(path);
  if (!found.ok) {
    if (output.json) output.line(JSON.stringify({ name, path, error: found.error.message }));
    else output.line(`${name.padEnd(width)}  ${output.style(visible(found.error.message), 'red')}`);
    return false;
  }
  const { domain, title, description, file, hash } = found.value;
  const tools = file.tools?.length ?? 0;
  if (output.json) output.line(JSON.stringify({ name, domain, title, description, tools, path, hash }));
  else
    output.line(
      `${name.padEnd(width)}  ${domain.padEnd(4)}  ${String(tools).padStart(2)} tools  ${visible(title)}`,
    );
  return true;
}
