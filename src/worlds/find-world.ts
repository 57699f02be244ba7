/**
 * Finding worlds: the packaged catalogue, a folder of the user's own, or a path.
 *
 * A catalogue world lies in `worlds/` (or below) in a file that has the world's name; folders whose names start with
 * `_` hold parts of worlds and are not searched. The packaged catalogue is
 * found from this module's own place, the same from `src` and from `dist`.
 */
import { existsSync, readdirSync } from 'node:fs';
import { basename, extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { fail, nearestName, type Result, WorldError } from '../core/index.js';
import { loadWorldFile } from './load-world.js';
import type { World } from './world.js';

/** Where to look beside the packaged catalogue. */
export interface FindOptions {
  /** Further folders of world files, for example `worlds` in the current folder; searched first, in order. */
  readonly directories?: readonly string[];
}

/** One world of a catalogue. */
export interface WorldEntry {
  /** The file's name without its ending. */
  readonly name: string;
  readonly path: string;
}

const ENDINGS: ReadonlySet<string> = new Set(['.yaml', '.yml', '.json']);
/** Folders below a catalogue folder that are searched. */
const MAX_DEPTH = 8;

/** The folder of the packaged catalogue. */
export function catalogueDirectory(): string {
  return fileURLToPath(new URL('../../worlds', import.meta.url));
}

/**
 * All world files of the given folders and of the packaged catalogue, by name. The files are not read. A folder
 * that does not exist has none. Of two with one name the first folder's counts. Symbolic links are not followed.
 */
export function listWorlds(options: FindOptions = {}): WorldEntry[] {
  const found = new Map<string, WorldEntry>();
  for (const directory of [...(options.directories ?? []), catalogueDirectory()]) {
    for (const path of worldFiles(directory, 0)) {
      const name = basename(path, extname(path));
      if (!found.has(name)) found.set(name, { name, path });
    }
  }
  return [...found.values()].sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0));
}

function worldFiles(directory: string, depth: number): string[] {
  if (depth > MAX_DEPTH || !existsSync(directory)) return [];
  const entries = readdirSync(directory, { withFileTypes: true });
  entries.sort((a, b) => (a.name < b.name ? -1 : 1));
  return entries.flatMap((entry) => {
    const path = join(directory, entry.name);
    // parts that worlds take in stand in such folders, and are no worlds themselves
    if (entry.isDirectory()) return entry.name.startsWith('_') ? [] : worldFiles(path, depth + 1);
    return entry.isFile() && ENDINGS.has(extname(entry.name)) ? [path] : [];
  });
}

/**
 * Loads a world by catalogue name or by path. What has a slash or a world file's ending is a path; other words are
 * names first. Fails with `world/not-found`, which names the nearest known worlds, and the codes of loading.
 */
export function findWorld(nameOrPath: string, options: FindOptions = {}): Result<World, WorldError> {
  if (/[\\/]/.test(nameOrPath) || ENDINGS.has(extname(nameOrPath))) return loadWorldFile(nameOrPath);
  for (const directory of [...(options.directories ?? []), catalogueDirectory()]) {
    const path = join(directory, `${nameOrPath}.yaml`);
    if (nameOrPath !== '' && existsSync(path)) return loadWorldFile(path);
  }
  const worlds = listWorlds(options);
  const entry = worlds.find(({ name }) => name === nameOrPath);
  if (entry !== undefined) return loadWorldFile(entry.path);
  if (nameOrPath !== '' && existsSync(nameOrPath)) return loadWorldFile(nameOrPath);
  return fail(unknownWorld(nameOrPath, worlds));
}

function unknownWorld(name: string, worlds: readonly WorldEntry[]): WorldError {
  const known = worlds.map((world) => world.name);
  const file = [...ENDINGS].map((ending) => `${name}${ending}`).find((path) => existsSync(path));
  const nearest = file === undefined ? nearestName(name, known) : `./${file}`;
  const hint = nearest === undefined ? '' : ` Did you mean ${nearest}?`;
  const list = known.length === 0 ? 'none' : known.join(', ');
  return new WorldError(
    `there is no world and no file ${JSON.stringify(name)}.${hint} Known worlds: ${list}.`,
    {
      code: 'world/not-found',
      data: { seen: name, known, problems: [], ...(nearest !== undefined && { nearest }) },
    },
  );
}
