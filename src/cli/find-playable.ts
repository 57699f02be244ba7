/**
 * What a command can live in: a world by name or path, a bare list of tools, which becomes a world in memory, or a text file
 * with a system prompt (.txt, .md, .prompt), which a language model lives.
 *
 * A file is taken for a list of tools only if it is no world file (no `world` key) and a tool can be read out of it;
 * otherwise the complaint is the one about world files, or about the list where it looks like one.
 */
import { existsSync, readFileSync, statSync } from 'node:fs';
import { basename, extname } from 'node:path';
import { fail, isJsonObject, type Json, LIMITS, parseJson, type Result, WorldError } from '../core/index.js';
import { readToolList } from '../domains/index.js';
import { findWorld, loadWorld, type World, worldFromPrompt } from '../worlds/index.js';
import { readNamedText } from './named-file.js';

/** Finds a world by catalogue name or path, or makes one from a file that is a list of tools. */
export async function findPlayable(nameOrPath: string): Promise<Result<World, WorldError>> {
  const found = findWorld(nameOrPath);
  if (found.ok) return found;
  if (extname(nameOrPath) === '.jsonl' && existsSync(nameOrPath)) return fail(linesNotWorld(nameOrPath));
  if (PROMPT_FILES.has(extname(nameOrPath)) && existsSync(nameOrPath)) return promptWorld(nameOrPath);
  const json = readOtherJson(nameOrPath);
  if (json === undefined) return found;
  const list = readToolList(json);
  if (!list.ok || list.value.tools.length === 0) {
    if (!looksLikeTools(json)) return found;
    const why = list.ok ? 'it has no tools' : list.error.message;
    const message = `${nameOrPath} is no world file, and no list of tools: ${why}`;
    return fail(new WorldError(message, { code: 'world/invalid', data: { path: nameOrPath } }));
  }
  const { worldFromTools } = await import('../author/index.js');
  const made = worldFromTools(json, { name: nameOf(nameOrPath) });
  return made.ok ? loadWorld(made.value) : found;
}

/** Files that hold a system prompt as it is. */
const PROMPT_FILES: ReadonlySet<string> = new Set(['.txt', '.md', '.prompt']);

/** A system prompt that somebody wrote for a world model; a language model lives it. */
function promptWorld(path: string): Result<World, WorldError> {
  return worldFromPrompt(readNamedText(path, 'WORLD'), { name: nameOf(path) });
}

function linesNotWorld(path: string): WorldError {
  const message = `${path} holds JSON lines, such as actions or a recording, and is no world: umwelt play WORLD --actions ${path}`;
  return new WorldError(message, { code: 'world/invalid', data: { path } });
}

/** The JSON of a file that is no world file, or undefined. */
function readOtherJson(path: string): Json | undefined {
  try {
    const about = statSync(path);
    if (!about.isFile() || about.size > LIMITS.worldFileBytes) return undefined;
    const read = parseJson(readFileSync(path, 'utf8').replace(/^\uFEFF/, ''));
    if (!read.ok || (isJsonObject(read.value) && Object.hasOwn(read.value, 'world'))) return undefined;
    return read.value;
  } catch {
    // Not there or not readable: the complaint about world files says so already.
    return undefined;
  }
}

/** A list, or a reply that could hold one: what is wrong with it as a list says more than what a world lacks. */
function looksLikeTools(json: Json): boolean {
  if (Array.isArray(json)) return true;
  return (
    isJsonObject(json) && ['tools', 'functions', 'result', 'jsonrpc'].some((key) => Object.hasOwn(json, key))
  );
}

/** A world's name out of a file's name: lower-case words joined by dashes. */
function nameOf(path: string): string {
  const words =
    basename(path, extname(path))
      .toLowerCase()
      .match(/[a-z0-9]+/g) ?? [];
  return words.join('-') || 'tools';
}
