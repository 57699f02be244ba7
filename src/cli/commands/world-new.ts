/**
 * `umwelt world new`: a world file from any MCP server's list of tools, with what was inferred of it.
 *
 * The file is new or nothing: without `--force` a file that is there is never touched, and a list that cannot be
 * read leaves no file behind.
 */
import { worldFromTools } from '../../author/index.js';
import { DataError, isJsonObject, type Json, parseJson, UsageError } from '../../core/index.js';
import { readToolList } from '../../domains/index.js';
import { loadWorld } from '../../worlds/index.js';
import { type CommandInput, integerFlag, textFlag } from '../command.js';
import { EXIT } from '../failure.js';
import { mustNotBeInput, readNamedText } from '../named-file.js';
import { reportNewWorld, writeNewWorld } from '../new-world.js';
import { visible } from '../output.js';

/** Runs the command. */
export async function run({ words, flags, output }: CommandInput): Promise<number> {
  const name = words[0] ?? '';
  const source = textFlag(flags, 'tools');
  if (source === undefined) {
    throw new UsageError('umwelt world new needs --tools FILE, a tools/list answer or a JSON list of tools', {
      code: 'usage/bad-argument',
    });
  }
  const out = textFlag(flags, 'out') ?? `${name}.yaml`;
  mustNotBeInput({ flag: '--out', path: out }, { '--tools': source });
  const seed = integerFlag(flags, 'seed');
  const tools = readTools(source);
  const made = worldFromTools(tools, { name, ...(seed !== undefined && { seed }) });
  if (!made.ok) throw made.error;
  const loaded = loadWorld(made.value);
  if (!loaded.ok) throw loaded.error;
  writeNewWorld(out, made.value, flags.force === true);
  for (const text of notesOf(tools)) output.note(visible(text));
  reportNewWorld(loaded.value, out, output);
  return EXIT.done;
}

/** What to know about the list: tools left out, odd ones, and pages that are still at the server. */
function notesOf(tools: Json): string[] {
  const list = readToolList(tools);
  if (!list.ok) return [];
  const { problems, warnings } = list.value;
  const reply = isJsonObject(tools) && isJsonObject(tools.result) ? tools.result : tools;
  const hasMore = isJsonObject(reply) && typeof reply.nextCursor === 'string' && reply.nextCursor !== '';
  return [
    ...problems.map(({ path, message }) => `left out ${path}: ${message}`),
    ...warnings.map(({ path, message }) => `${path}: ${message}`),
    ...(hasMore
      ? ['the list has a nextCursor: the server has more tools; ask it for the next page too']
      : []),
  ];
}

function readTools(source: string): Json {
  const name = source === '-' ? 'standard input' : source;
  const read = parseJson(readNamedText(source, '--tools'));
  if (read.ok) return read.value;
  throw new DataError(`${name} is not JSON: ${read.error.message}; wanted the answer of tools/list`, {
    code: 'data/invalid',
    data: { source: name, ...read.error },
  });
}
