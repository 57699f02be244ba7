/**
 * `umwelt stress init`: a suite file in one command, for a world or for a real MCP server.
 *
 * A server is read once (nothing is called on it) and becomes a world file beside the suite.
 */
import { dirname, join, relative, resolve } from 'node:path';
import { renderJson } from '../../core/index.js';
import { suiteText } from '../../stress/index.js';
import { findWorld } from '../../worlds/index.js';
import { type CommandInput, textFlag } from '../command.js';
import { EXIT } from '../failure.js';
import { writeNewWorld } from '../new-world.js';
import { visible } from '../output.js';
import { makeServerWorld } from '../server-world.js';

/** The world of a suite for which none was named. */
const DEFAULT_WORLD = 'issue-tracker';

/** Runs the command. */
export async function run(input: CommandInput): Promise<number> {
  const { flags, words, output, dashed } = input;
  const out = textFlag(flags, 'out') ?? 'stress.yaml';
  const force = flags.force === true;
  const [word = DEFAULT_WORLD] = words;
  const isServer = dashed || words.length > 1 || /^https?:\/\//i.test(word);
  const named = isServer ? await fromServer(input, out) : fromWorld(word, out);
  if (named.write !== undefined) writeNewWorld(named.write.path, named.write.text, force);
  const text = suiteText({
    name: named.name,
    worlds: [named.world],
    schemaPath: './node_modules/umwelt/suite.schema.json',
  });
  writeNewWorld(out, text, force);
  if (output.json) output.line(renderJson({ suite: out, world: named.write?.path ?? named.world }));
  else {
    if (named.write !== undefined) output.line(`Wrote ${visible(named.write.path)}`);
    output.line(`Wrote ${visible(out)}. Run it: umwelt stress ${visible(out)}`);
  }
  return EXIT.done;
}

interface Named {
  readonly name: string;
  /** As the suite writes it. */
  readonly world: string;
  readonly write?: { readonly path: string; readonly text: string };
}

function fromWorld(word: string, out: string): Named {
  const world = findWorld(word);
  if (!world.ok) throw world.error;
  const isPath = /[\\/]|\.(ya?ml|json)$/.test(word);
  return { name: world.value.name, world: isPath ? beside(out, word) : word };
}

async function fromServer({ words, flags, output }: CommandInput, out: string): Promise<Named> {
  const made = await makeServerWorld(words, flags, output);
  const path = join(dirname(out), `${made.name}.yaml`);
  return { name: made.name, world: beside(out, path), write: { path, text: made.text } };
}

/** A path as a file beside it names it. */
function beside(out: string, path: string): string {
  const from = relative(dirname(resolve(out)), resolve(path)).replaceAll('\\', '/');
  return from.startsWith('.') ? from : `./${from}`;
}
