/**
 * What a search found, as files that anybody can play: the world with the smallest schedule in it, and the actions that
 * the agent took there.
 *
 * The world is written whole, as JSON, with everything that it took in from other files, so it needs no other file.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fail, type Json, ok, type Result, renderJson, type WorldError } from '../core/index.js';
import { listWorlds, loadWorld, type World } from '../worlds/index.js';
import type { SearchResult } from './search.js';

/** The files of a finding. */
export interface BrokenFiles {
  readonly world: string;
  readonly actions: string;
  /** A suite that runs the agent again, clean and under these faults. */
  readonly suite: string;
}

/** Writes the files into a folder; fails where the world cannot be written so that it loads again. */
export function writeBrokenWorld(
  directory: string,
  world: World,
  found: Extract<SearchResult, { kind: 'broken' }>,
): Result<BrokenFiles, WorldError> {
  const { agent } = found.record;
  const name = `${world.name}-breaks-${agent.id}`;
  const file = {
    ...world.file,
    name,
    title: `${world.title}: the smallest faults that break ${agent.id}`,
    seed: found.seed,
    faults: [...world.file.faults, ...found.specs],
  };
  const text = `${renderJson(JSON.parse(JSON.stringify(file)) as Json, 2)}\n`;
  const loaded = loadWorld(text);
  if (!loaded.ok) return fail(loaded.error);
  mkdirSync(directory, { recursive: true });
  const paths = {
    world: join(directory, `${name}.json`),
    actions: join(directory, `${name}.actions.jsonl`),
    suite: join(directory, `${name}.suite.yaml`),
  };
  writeFileSync(paths.world, text);
  const lines = found.record.turns.map(({ action }) => `${JSON.stringify(action)}\n`);
  writeFileSync(paths.actions, lines.join(''));
  writeFileSync(paths.suite, suiteOf(directory, world, found));
  return ok(paths);
}

/** JSON is YAML; every text in it is quoted. */
function suiteOf(directory: string, world: World, found: Extract<SearchResult, { kind: 'broken' }>): string {
  const { path, name } = world;
  const inCatalogue = listWorlds().some((entry) => entry.name === name && entry.path === path);
  const suite = {
    suite: 1,
    worlds: [inCatalogue || path === null ? name : relative(directory, path)],
    seed: found.seed,
    agents: [found.record.agent.spec],
    faults: [{ name: 'smallest', faults: found.specs }],
  };
  return `${renderJson(JSON.parse(JSON.stringify(suite)) as Json, 2)}\n`;
}
