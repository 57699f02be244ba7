/**
 * `umwelt world from-mcp`: a world file from a real MCP server, which plays at once and without the server.
 *
 * The server is started (or called), asked for all that it lists, and ended again. Nothing is called on it.
 */
import { type CommandInput, textFlag } from '../command.js';
import { EXIT } from '../failure.js';
import { reportNewWorld, writeNewWorld } from '../new-world.js';
import { makeServerWorld } from '../server-world.js';

/** Runs the command. */
export async function run({ words, flags, output }: CommandInput): Promise<number> {
  const made = await makeServerWorld(words, flags, output);
  const out = textFlag(flags, 'out') ?? `${made.name}.yaml`;
  writeNewWorld(out, made.text, flags.force === true);
  reportNewWorld(made.world, out, output);
  return EXIT.done;
}
