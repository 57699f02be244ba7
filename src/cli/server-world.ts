/**
 * A world out of a real MCP server, for the commands that make one: start or call it, read its lists, end it.
 *
 * Nothing is called on the server. Raises what connecting and making a world raise.
 */
import { constants } from 'node:os';
import { worldFromServer } from '../author/index.js';
import {
  connectServer,
  listEverything,
  type ServerConnection,
  type ServerLists,
  type ServerTarget,
} from '../capture/index.js';
import { UsageError } from '../core/index.js';
import { loadWorld, type World } from '../worlds/index.js';
import { type FlagValues, integerFlag, textFlag } from './command.js';
import { type Output, visible } from './output.js';

/** A world file's text and the world in it. */
export interface MadeWorld {
  readonly name: string;
  readonly text: string;
  readonly world: World;
}

/** Reads the server that the words and flags name (`name`, `seed`, `env`, `token-env`, `timeout`) and makes a world. */
export async function makeServerWorld(
  words: readonly string[],
  flags: FlagValues,
  output: Output,
): Promise<MadeWorld> {
  const target = readTarget(words, flags);
  // The server is in a group of its own and would live on; at our exit it is ended.
  for (const signal of ['SIGTERM', 'SIGHUP'] as const) {
    process.once(signal, () => process.exit(128 + constants.signals[signal]));
  }
  const startTimeoutMs = (integerFlag(flags, 'timeout') ?? 30) * 1_000;
  const connected = await connectServer(target, { startTimeoutMs });
  if (!connected.ok) throw connected.error;
  const lists = await readLists(connected.value);
  for (const note of lists.notes) output.note(`umwelt: left out: ${visible(note)}`);
  const name = textFlag(flags, 'name');
  const seed = integerFlag(flags, 'seed');
  const made = worldFromServer(
    { ...lists, server: connected.value.server, instructions: connected.value.instructions },
    { ...(name !== undefined && { name }), ...(seed !== undefined && { seed }) },
  );
  if (!made.ok) throw made.error;
  const { changed } = made.value;
  if (changed.length > 0) {
    output.note(
      `umwelt: not kept as the server lists them: ${visible(changed.join(', '))} (see the file's head)`,
    );
  }
  const loaded = loadWorld(made.value.text);
  if (!loaded.ok) throw loaded.error;
  output.note(`umwelt: read ${countsOf(lists)} (MCP ${visible(connected.value.protocolVersion)})`);
  return { name: made.value.name, text: made.value.text, world: loaded.value };
}

function countsOf(lists: ServerLists): string {
  return [
    `${lists.tools.length} tools`,
    `${lists.resources.length} resources`,
    `${lists.resourceTemplates.length} resource templates`,
    `${lists.prompts.length} prompts`,
  ].join(', ');
}

/** Reads the lists and ends the server, whatever happens. */
async function readLists(connection: ServerConnection): Promise<ServerLists> {
  try {
    const lists = await listEverything(connection);
    if (!lists.ok) throw lists.error;
    return lists.value;
  } finally {
    await connection.close();
  }
}

function readTarget(words: readonly string[], flags: FlagValues): ServerTarget {
  const [command = '', ...args] = words;
  const names = (textFlag(flags, 'env') ?? '').split(',').filter((name) => name !== '');
  const tokenName = textFlag(flags, 'token-env');
  if (/^https?:\/\//i.test(command)) {
    if (args.length > 0) throw misplaced(`a URL takes no arguments, but got "${args[0]}"`);
    if (names.length > 0) throw misplaced('--env goes with a command; for a URL see --token-env');
    const token = tokenName === undefined ? undefined : variable(tokenName);
    return { url: command, ...(token !== undefined && { bearerToken: token }) };
  }
  if (command === '') throw misplaced('the command is empty; wanted a program on PATH or a path to one');
  if (tokenName !== undefined) throw misplaced('--token-env goes with a URL; for a command see --env');
  return { command, args, env: Object.fromEntries(names.map((name) => [name, variable(name)])) };
}

function variable(name: string): string {
  const value = process.env[name];
  if (value !== undefined) return value;
  throw misplaced(`the environment variable ${name} is not set; set it, or leave it out`);
}

function misplaced(message: string): UsageError {
  return new UsageError(message, { code: 'usage/bad-argument' });
}
