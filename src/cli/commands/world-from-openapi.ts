/**
 * `umwelt world from-openapi`: a world file from an OpenAPI 3.0 or 3.1 document, which plays at once.
 *
 * Only the one document is read; nothing is called, and references into other files are told and not followed.
 */
import { worldFromOpenApi } from '../../author/index.js';
import { type CommandInput, integerFlag, textFlag } from '../command.js';
import { EXIT } from '../failure.js';
import { mustNotBeInput, readNamedText } from '../named-file.js';
import { reportNewWorld, writeNewWorld } from '../new-world.js';
import { visible } from '../output.js';

/** Runs the command. */
export async function run({ words, flags, output }: CommandInput): Promise<number> {
  const file = words[0] ?? '';
  const name = textFlag(flags, 'name');
  const seed = integerFlag(flags, 'seed');
  const tags = (textFlag(flags, 'tag') ?? '').split(',').filter((tag) => tag !== '');
  const made = worldFromOpenApi(readNamedText(file, 'FILE'), {
    source: file === '-' ? 'standard input' : file,
    tags,
    ...(name !== undefined && { name }),
    ...(seed !== undefined && { seed }),
  });
  if (!made.ok) throw made.error;
  const out = textFlag(flags, 'out') ?? `${made.value.name}.yaml`;
  mustNotBeInput({ flag: '--out', path: out }, { FILE: file });
  writeNewWorld(out, made.value.text, flags.force === true);
  for (const note of made.value.notes) output.note(`umwelt: ${visible(note)}`);
  for (const taken of made.value.taken) output.note(`umwelt: taken of the examples: ${visible(taken)}`);
  reportNewWorld(made.value.world, out, output);
  return EXIT.done;
}
