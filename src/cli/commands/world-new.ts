/**
 * `umwelt world new`: a world file from any MCP server's list of tools, with what was inferred of it.
 *
 * The file is new or nothing: without `--force` a file that is there is never touched, and a list that cannot be
 * read leaves no file behind.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { worldFromTools } from '../../author/index.js';
import { DataError, type Json, parseJson, renderJson, UsageError } from '../../core/index.js';
import { describeService, inferService } from '../../engines/index.js';
import { loadWorld, type World } from '../../worlds/index.js';
import { type CommandInput, integerFlag, textFlag } from '../command.js';
import { EXIT } from '../failure.js';
import { type Output, visible } from '../output.js';

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
  const seed = integerFlag(flags, 'seed');
  const made = worldFromTools(readTools(source), { name, ...(seed !== undefined && { seed }) });
  if (!made.ok) throw made.error;
  const loaded = loadWorld(made.value);
  if (!loaded.ok) throw loaded.error;
  writeWorld(out, made.value, flags.force === true);
  report(loaded.value, out, output);
  return EXIT.done;
}

function readTools(source: string): Json {
  const name = source === '-' ? 'standard input' : source;
  const read = parseJson(readText(source, name));
  if (read.ok) return read.value;
  throw new DataError(`${name} is not JSON: ${read.error.message}; wanted the answer of tools/list`, {
    code: 'data/invalid',
    data: { source: name, ...read.error },
  });
}

function readText(source: string, name: string): string {
  try {
    const bytes = readFileSync(source === '-' ? 0 : source);
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (cause) {
    if (cause instanceof TypeError) {
      throw new DataError(`${name} is not UTF-8 text`, { code: 'data/invalid', cause });
    }
    const code = (cause as NodeJS.ErrnoException).code ?? 'unknown';
    if (code === 'ENOENT') {
      throw new UsageError(`--tools names the file ${source}, which does not exist`, {
        code: 'usage/unknown-name',
        data: { path: source },
      });
    }
    throw new DataError(`cannot read ${name} (${code})`, { code: 'data/unreadable', cause });
  }
}

function writeWorld(path: string, text: string, force: boolean): void {
  try {
    writeFileSync(path, text, { flag: force ? 'w' : 'wx' });
  } catch (cause) {
    const code = (cause as NodeJS.ErrnoException).code ?? 'unknown';
    if (code === 'EEXIST') {
      throw new UsageError(`${path} is there already; --force replaces it, --out names another file`, {
        code: 'usage/bad-argument',
        data: { path },
      });
    }
    throw new DataError(`cannot write ${path} (${code})`, { code: 'data/unreadable', cause });
  }
}

function report(world: World, path: string, output: Output): void {
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
